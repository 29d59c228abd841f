"""Sector tiles: a star field in the owner's tint, wormholes on the edges, points, what is printed and what lies on it."""

import math
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.eclipse.components import TILES, Square

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import ROOT3, Box, HexGrid, Point
from ..palette import GOLD, INK, MUTED, PANEL_EDGE, RGB, SPACE, TEXT, TILE, TILE_EDGE, mix
from ..sprites import Sprite
from . import look

SUPER = 3
WORM = 0.155
"""The radius of a wormhole, in sizes of a hex."""
OPEN, JOINED, CLOSED = "open", "joined", "closed"
"""A wormhole towards the unknown, one that meets another, one that meets none."""
PORTAL: RGB = (206, 190, 255)
DEEP: RGB = (92, 60, 150)
LABEL_Y = 0.655
MIDDLE_Y = -0.035


def edge_point(centre: Point, size: float, edge: int, share: float = 1.0) -> Point:
    """The middle of an edge (0 at the top, clockwise)."""
    angle = math.radians(60 * edge - 90)
    reach = size * ROOT3 / 2 * share
    return Point(centre.x + reach * math.cos(angle), centre.y + reach * math.sin(angle))


@lru_cache(maxsize=16)
def _mask(size: int) -> Image.Image:
    width, height = extent(size)
    large = Image.new("L", (width * SUPER, height * SUPER), 0)
    grid = HexGrid(size * SUPER, Point(width * SUPER / 2, height * SUPER / 2), flat=True)
    ImageDraw.Draw(large).polygon(grid.corners(0, 0, 0.985), fill=255)
    return large.reduce(SUPER)


def extent(size: int) -> tuple[int, int]:
    """Width and height of a tile whose corners are `size` away from its middle."""
    return 2 * size, 2 * round(size * ROOT3 / 2)


@lru_cache(maxsize=128)
def tile(number: str, edges: tuple[str, ...], size: int, owner: look.SeatLook | None = None) -> Sprite:
    """A tile without its pieces; `edges`: what each of the six is like, "" without a wormhole."""
    width, height = extent(size)
    large = Image.new("RGB", (width * SUPER, height * SUPER), SPACE)
    pen = ImageDraw.Draw(large)
    middle = Point(width * SUPER / 2, height * SUPER / 2)
    grid = HexGrid(size * SUPER, middle, flat=True)
    for share, fill in _bands(number, owner):
        pen.polygon(grid.corners(0, 0, share), fill=fill)
    _stars(pen, number, middle, size * SUPER)
    for edge, kind in enumerate(edges):
        if kind:
            _wormhole(pen, edge_point(middle, size * SUPER, edge), WORM * size * SUPER, kind)
    image = large.reduce(SUPER)
    image.putalpha(_mask(size))
    return Sprite(image, width, height)


def _bands(number: str, owner: look.SeatLook | None) -> tuple[tuple[float, RGB], ...]:
    """The tile's colours from its edge inwards."""
    ground = mix(TILE, PANEL_EDGE, 0.35) if TILES[number].ring == "centre" else TILE
    if owner is None:
        return (0.985, TILE_EDGE), (0.962, ground)
    inside = mix(ground, owner.rgb, 0.1)
    if owner.line != owner.rgb:  # dark pieces: a light line on both sides of the band
        return (0.985, owner.line), (0.965, owner.rgb), (0.92, owner.line), (0.905, mix(INK, ground, 0.4))
    return (0.985, owner.rgb), (0.92, mix(ground, owner.rgb, 0.35)), (0.905, inside)


def _stars(pen: ImageDraw.ImageDraw, number: str, middle: Point, size: float) -> None:
    seed = int(number) * 7919 + 17
    for _ in range(26):
        seed = (seed * 1103515245 + 12345) % 2**31
        angle, reach = math.tau * ((seed >> 8) % 4096) / 4096, math.sqrt((seed >> 20) / 2048)
        radius = 1 + (seed >> 5) % 3
        x, y = middle.x + 0.82 * size * reach * math.cos(angle), middle.y + 0.74 * size * reach * math.sin(angle)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=mix(TILE, TEXT, 0.34))


def _wormhole(pen: ImageDraw.ImageDraw, at: Point, radius: float, kind: str) -> None:
    """Half of it lies on this tile; the rest falls outside."""

    def disc(share: float, fill: RGB) -> None:
        reach = radius * share
        pen.ellipse((at.x - reach, at.y - reach, at.x + reach, at.y + reach), fill=fill)

    if kind == CLOSED:
        disc(1, mix(TILE, PORTAL, 0.4))
        disc(0.72, mix(TILE, INK, 0.7))
        return
    disc(1, PORTAL)
    disc(0.74, DEEP)
    disc(0.5 if kind == JOINED else 0.3, TEXT if kind == JOINED else PORTAL)


class Held(NamedTuple):
    """What lies on a tile besides ships: the cubes by square (whose), the disc, what is built and found."""

    squares: tuple[tuple[Square, bool], ...]
    owner: look.SeatLook | None = None
    discovery: bool = False
    monoliths: int = 0


def draw_labels(canvas: Canvas, number: str, place: str, at: Point, size: int) -> None:
    """Points, the printed number and the coordinate, at the lower end."""
    y = at.y + LABEL_Y * size
    large, small, side = round(size * 0.215), round(size * 0.165), round(size * 0.24)
    width = side + text.width(number, large, text.Font.BOLD) + 4 + 0.05 * size + text.width(place, small)
    left = at.x - width / 2
    worth = canvas.put(look.points(TILES[number].points, side), left, y - side / 2 - 1)
    canvas.mark("points", place, str(TILES[number].points), worth)
    box = canvas.write(number, worth.right + 4, y, large, TEXT, text.Font.BOLD)
    canvas.write(place, box.right + 0.05 * size, y + 1, small, MUTED)
    canvas.mark("hex", place, number, box)


def draw_squares(canvas: Canvas, place: str, held: Held, at: Point, size: int) -> None:
    """Population squares at the upper end, in one row or two."""
    found = held.squares
    if not found:
        return
    side, pitch = round(size * 0.24), size * 0.3
    rows = [found] if len(found) <= 3 else [found[: len(found) // 2], found[len(found) // 2 :]]
    top = -0.5 if len(rows) == 1 else -0.6
    for k, row in enumerate(rows):
        y = at.y + (top + 0.3 * k) * size
        for n, (square, cube) in enumerate(row):
            x = at.x + (n - (len(row) - 1) / 2) * pitch
            sprite = look.square(square.kind, square.advanced, side, held.owner if cube else None)
            canvas.put(sprite, x - side / 2, y + side / 2 - sprite.height)
    says = " ".join(f"{s.kind}{'*' if s.advanced else ''}{'+' if cube else '-'}" for s, cube in found)
    canvas.mark("squares", place, says, Box(at.x - pitch * 2, at.y - 0.72 * size, at.x + pitch * 2, at.y - 0.2 * size))


def draw_features(canvas: Canvas, number: str, place: str, held: Held, at: Point, size: int) -> float:
    """The disc at the left, what else there is at the right; returns where that begins."""
    y = at.y + MIDDLE_Y * size
    if held.owner is not None:
        box = canvas.centred(look.disc(held.owner, round(size * 0.31)), Point(at.x - 0.77 * size, y))
        canvas.mark("disc", place, held.owner.sign, box)
    x = 0.79
    for what, count in (("discovery", held.discovery), ("relic", TILES[number].artifact), ("slab", held.monoliths)):
        for _ in range(int(count)):
            box = canvas.centred(feature(what, round(size * 0.26)), Point(at.x + x * size, y))
            canvas.mark(what, place, "", box)
            x -= 0.25
    return at.x + (x + 0.1) * size


@lru_cache(maxsize=64)
def feature(what: str, size: int) -> Sprite:
    """A discovery tile, an artifact, a Monolith."""
    if what == "discovery":
        image = sprites.sprite("hexagon", size, mix(TILE, GOLD, 0.35), GOLD, 2).image.copy()
        sign = text.label("?", round(size * 0.74), TEXT, text.Font.BOLD)
        image.alpha_composite(sign.image, ((size - sign.width) // 2, (size - sign.height) // 2))
        return Sprite(image, size, size)
    return sprites.sprite(what, size, (150, 232, 208) if what == "relic" else TEXT, INK, 2)


def grid_for(size: int, origin: Point) -> HexGrid:
    """The grid of a galaxy whose hexes have this size."""
    return HexGrid(size, origin, flat=True)
