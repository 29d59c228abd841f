"""A hex about to be placed: every way it may lie, with the hexes around, numbered as the question numbers them."""

from collections.abc import Mapping

from rules.eclipse.components import TILES
from rules.eclipse.views import HexView, SquareView, View

from .. import text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import MUTED, PANEL_EDGE, SPACE, TARGET, TEXT, mix
from . import galaxy, look, tiles
from .alt import placement_alt
from .head import GAP, WIDTH, draw_plate
from .wording import say

HEAD, CAPTION, NOTHING = 70, 46, 120
COLUMNS = {3: 120, 4: 100}
"""The size of hexes by how many variants stand beside each other."""


def placement(view: View, *, names: Mapping[int, str]) -> Picture:
    """The tiles turned for a space in every way they may lie; a plain note when there are none."""
    return draw_placement(view).picture("placement.png", placement_alt(view))


def turned_tile(view: View, number: str, rotation: int) -> HexView:
    """The tile as it would lie in the space being explored, with nobody's disc."""
    tile = TILES[number]
    holes = tuple(sorted((edge + rotation) % 6 for edge in tile.wormholes))
    squares = tuple(SquareView(square.kind, square.advanced, False) for square in tile.squares)
    return HexView(
        place=view.exploring,
        number=number,
        ring=tile.ring,
        rotation=rotation,
        wormholes=holes,
        points=tile.points,
        artifact=tile.artifact,
        squares=squares,
        disc=None,
        discovery=tile.discovery,
        ancients=tile.ancients,
        gcds=tile.gcds,
        orbital=False,
        monolith=False,
        fleets=(),
    )


def variants(view: View) -> list[tuple[str, int | None]]:
    """The tiles turned, each in every way it may lie; None: it cannot be placed."""
    found: list[tuple[str, int | None]] = []
    for number, rotations in zip(view.turned, view.rotations, strict=True):
        found += [(number, rotation) for rotation in rotations] or [(number, None)]
    return found


def draw_placement(view: View) -> Canvas:
    """The variants before they are encoded."""
    shown = variants(view)
    if not shown:
        canvas = Canvas(WIDTH, NOTHING)
        canvas.write("No hex is being placed", WIDTH / 2, NOTHING / 2, 34, MUTED, anchor="m")
        return canvas
    columns = min(COLUMNS) if len(shown) <= min(COLUMNS) else max(COLUMNS)
    size, width = COLUMNS[columns], WIDTH / columns
    height = round(size * 2.9) + CAPTION
    canvas = Canvas(WIDTH, HEAD + -(-len(shown) // columns) * (height + GAP))
    numbers = " or ".join(f"{number} {say('hex', number)}" for number in view.turned)
    head = canvas.write(f"{numbers} for {view.exploring}", 16, HEAD / 2, 34, TEXT, room=WIDTH - 32)
    canvas.mark("turned", view.exploring, " ".join(view.turned), head)
    for k, (number, rotation) in enumerate(shown):
        left, top = (k % columns) * width, HEAD + (k // columns) * (height + GAP)
        box = Box(round(left) + GAP / 2, top, round(left + width) - GAP / 2, top + height)
        canvas.image.paste(
            _variant(view, number, rotation, size, round(box.width), height).image, (round(box.left), round(top))
        )
        canvas.mark("variant", number, str(rotation), box)
    return canvas


def _variant(view: View, number: str, rotation: int | None, size: int, width: int, height: int) -> Canvas:
    """The space with its neighbours and the tile in it, cut to this size."""
    looks = look.seats(view)
    canvas = Canvas(width, height)
    tile = turned_tile(view, number, rotation or 0)
    placed = {hex_.place: hex_ for hex_ in view.hexes} | {tile.place: tile}
    middle = Point(width / 2, CAPTION + (height - CAPTION) / 2)
    origin = tiles.grid_for(size, Point(0, 0)).centre(*galaxy.coordinates(tile.place))
    grid = tiles.grid_for(size, Point(middle.x - origin.x, middle.y - origin.y))
    for place in [*galaxy.neighbours(tile.place), tile.place]:
        at = grid.centre(*galaxy.coordinates(place))
        if place in placed:
            galaxy.draw_hex(canvas, placed[place], galaxy.edges_of(placed[place], placed), looks, at, size)
        else:
            canvas.centred(galaxy.outline(size, 0.93, mix(SPACE, PANEL_EDGE, 0.7), 2, 5), at)
    canvas.centred(galaxy.outline(size, 0.97, TARGET, 3), middle)
    canvas.plate(Box(0, 0, width, CAPTION), 0, SPACE)
    says = "cannot be placed" if rotation is None else str(rotation)
    says = f"{number}: {says}" if len(view.turned) > 1 or rotation is None else says
    half = text.width(says, 30, text.Font.BOLD) / 2 + 12
    draw_plate(canvas, says, width / 2 + half, CAPTION / 2, MUTED if rotation is None else TARGET, 30)
    return canvas
