"""The galaxy: hexes with all that lies on them, unexplored spaces, rings where something can be chosen or has changed."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.eclipse.components import Square
from rules.eclipse.views import HexView, SpaceView, View

from .. import text
from ..canvas import Canvas
from ..geometry import Box, HexGrid, Point
from ..palette import CHANGED, DANGER, INK, MUTED, PANEL_EDGE, RGB, SPACE, TARGET, TILE_EDGE, mix
from ..sprites import Sprite, sprite
from . import look, tiles
from .fleets import Fleet, draw_fleets

SIZES = (148, 136, 126, 116, 108, 100, 92, 84, 76, 68)
MARGIN = 12
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The neighbours by direction, as in the rules."""
Looks = Mapping[int, look.SeatLook]


class Land(NamedTuple):
    """Where everything lies: the grid, the part of the picture it takes."""

    size: int
    grid: HexGrid
    width: int
    height: int

    def at(self, place: str) -> Point:
        return self.grid.centre(*coordinates(place))


def coordinates(place: str) -> tuple[int, int]:
    """The axial coordinates of a place."""
    q, _, r = place.partition(",")
    return int(q), int(r)


def neighbours(place: str) -> list[str]:
    """The places around, by direction."""
    q, r = coordinates(place)
    return [f"{q + dq},{r + dr}" for dq, dr in STEPS]


def land_of(places: Iterable[str], size: int, top: int, least: int) -> Land:
    """The layout of these places with hexes of this size, at least so wide, `top` below the picture's upper end."""
    bounds = HexGrid(size, flat=True).bounds(coordinates(place) for place in places)
    width = max(least, round(bounds.width) + 2 * MARGIN)
    origin = Point(width / 2 - (bounds.left + bounds.right) / 2, top + MARGIN - bounds.top)
    return Land(size, tiles.grid_for(size, origin), width, round(bounds.height) + 2 * MARGIN)


def shown_spaces(view: View, ringed: Collection[str]) -> list[SpaceView]:
    """The unexplored spaces that somebody could explore, as long as that matters, and those that can be chosen."""
    matters = view.phase == "beginning" or (
        view.phase == "action" and view.action in ("", "explore") and not view.turned
    )
    return [
        space
        for space in view.spaces
        if (space.seats and matters) or space.place in ringed or space.place == view.exploring
    ]


def edges_of(hex_: HexView, placed: Mapping[str, HexView]) -> tuple[str, ...]:
    """What each edge of a hex is like: "" without a wormhole, else whether it meets another one."""
    found = []
    for edge, place in enumerate(neighbours(hex_.place)):
        if edge not in hex_.wormholes:
            found.append("")
        elif place not in placed:
            found.append(tiles.OPEN)
        else:
            found.append(tiles.JOINED if (edge + 3) % 6 in placed[place].wormholes else tiles.CLOSED)
    return tuple(found)


def fleets_of(hex_: HexView, looks: Looks) -> list[Fleet]:
    """The ships in a hex, the earliest first, then those of nobody."""
    found = [Fleet(str(fleet.seat), looks[fleet.seat], fleet.ships) for fleet in hex_.fleets]
    if hex_.ancients:
        found.append(Fleet("ancient", look.NOBODY, (("ancient", hex_.ancients),)))
    if hex_.gcds:
        found.append(Fleet("gcds", look.NOBODY, (("gcds", 1),)))
    return found


def draw_galaxy(canvas: Canvas, view: View, looks: Looks, land: Land, spaces: Iterable[SpaceView]) -> None:
    """Unexplored spaces, then every hex."""
    placed = {hex_.place: hex_ for hex_ in view.hexes}
    for space in spaces:
        _draw_space(canvas, space, looks, land)
    for hex_ in view.hexes:
        draw_hex(canvas, hex_, edges_of(hex_, placed), looks, land.at(hex_.place), land.size)
    if view.battle is not None:
        at = land.at(view.battle.place)
        side = round(land.size * 0.42)
        box = canvas.centred(
            sprite("swords", side, DANGER, INK, 3), Point(at.x + land.size * 0.5, at.y - land.size * 0.5)
        )
        canvas.mark("battle", view.battle.place, "", box)


def draw_hex(
    canvas: Canvas, hex_: HexView, edges: tuple[str, ...], looks: Looks, at: Point, size: int, labels: bool = True
) -> None:
    """One hex with everything on it."""
    owner = None if hex_.disc is None else looks[hex_.disc]
    canvas.centred(tiles.tile(hex_.number, edges, size, owner), at)
    squares = tuple((Square(one.kind, one.advanced), one.filled) for one in hex_.squares)
    held = tiles.Held(squares, owner, hex_.discovery, int(hex_.monolith))
    tiles.draw_squares(canvas, hex_.place, held, at, size)
    right = tiles.draw_features(canvas, hex_.number, hex_.place, held, at, size)
    if labels:
        tiles.draw_labels(canvas, hex_.number, hex_.place, at, size)
    draw_fleets(canvas, hex_.place, fleets_of(hex_, looks), at, size, right)
    canvas.mark("wormholes", hex_.place, " ".join(edge or "-" for edge in edges), Box(at.x, at.y, at.x, at.y))


def _draw_space(canvas: Canvas, space: SpaceView, looks: Looks, land: Land) -> None:
    """An unexplored space: its sector and coordinate, and who could explore it."""
    at, size = land.at(space.place), land.size
    canvas.centred(outline(size, 0.93, mix(SPACE, TILE_EDGE, 0.9), 2, 5), at)
    box = canvas.write(
        space.ring, at.x, at.y - 0.1 * size, round(size * 0.26), mix(PANEL_EDGE, MUTED, 0.5), text.Font.BOLD, anchor="m"
    )
    canvas.write(space.place, at.x, at.y + 0.2 * size, round(size * 0.17), MUTED, anchor="m")
    canvas.mark("space", space.place, space.ring, box)
    side = round(size * 0.19)
    for k, seat in enumerate(space.seats):
        x = at.x + (k - (len(space.seats) - 1) / 2) * (side + 5)
        canvas.centred(look.emblem(looks[seat], side), Point(x, at.y + 0.5 * size))


@lru_cache(maxsize=32)
def outline(size: int, share: float, colour: RGB, rim: int, dashes: int = 1, gap: float = 0.0) -> Sprite:
    """The line around a hex: whole, in so many dashes an edge, or only its corners with a `gap` in each edge."""
    scale = 3
    width, height = tiles.extent(size)
    cover = Image.new("L", (width * scale, height * scale), 0)
    pen = ImageDraw.Draw(cover)
    grid = HexGrid(size * scale, Point(width * scale / 2, height * scale / 2), flat=True)
    corners = grid.corners(0, 0, share)
    for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        for low, high in _strokes(dashes, gap):
            line = [
                Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part) for part in (low, high)
            ]
            pen.line(line, fill=255, width=rim * scale)
    if gap or dashes == 1:
        for corner in corners:
            reach = rim * scale / 2
            pen.ellipse((corner.x - reach, corner.y - reach, corner.x + reach, corner.y + reach), fill=255)
    image = Image.new("RGBA", (width, height), (*colour, 0))
    image.putalpha(cover.reduce(scale))
    return Sprite(image, width, height)


def _strokes(dashes: int, gap: float) -> list[tuple[float, float]]:
    if gap:
        return [(0, 0.5 - gap / 2), (0.5 + gap / 2, 1)]
    if dashes == 1:
        return [(0, 1)]
    return [((2 * k + 0.5) / (2 * dashes), (2 * k + 1.5) / (2 * dashes)) for k in range(dashes)]


def draw_rings(
    canvas: Canvas, land: Land, places: Collection[str], ringed: Collection[str], changed: Collection[str]
) -> None:
    """Lines around hexes: whole where something changed, only the corners where one can be chosen."""
    for kind, wanted in (("changed", changed), ("ringed", ringed)):
        for place in sorted(set(wanted) & set(places)):
            line = (
                outline(land.size, 0.9, CHANGED, 4)
                if kind == "changed"
                else outline(land.size, 0.965, TARGET, 9, gap=0.5)
            )
            canvas.mark(kind, place, "", canvas.centred(line, land.at(place)))
