"""The supply board: technologies on offer with what they cost, and what the ship parts can do."""

from collections.abc import Mapping

from rules.eclipse.components import CATEGORIES
from rules.eclipse.ships import PART_TILES, PARTS
from rules.eclipse.views import TechnologyView, View

from .. import sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box
from ..palette import DANGER, GOOD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix
from ..panels import panel, write_fitting
from . import look
from .alt import supply_alt
from .head import GAP, WIDTH
from .parts import draw_part
from .wording import name_of, say

HEAD = 66
CATEGORY_HEAD = 48
ROW = 66
PART_ROW = 84
PART_COLUMNS = 4
COLUMN = (WIDTH - GAP * (len(CATEGORIES) + 1)) / len(CATEGORIES)
STEPS = 8


def supply(view: View, *, names: Mapping[int, str]) -> Picture:
    """Technologies and parts; prices for the viewer, for others as printed."""
    return draw_supply(view, names).picture("supply.png", supply_alt(view, buyer(view), names))


def buyer(view: View) -> int | None:
    """Whose prices are shown: the viewer's, else those of who is researching."""
    seat = view.viewer if view.viewer is not None else view.active if view.action == "research" else None
    return None if seat is None or not view.seats[seat].species else seat


def draw_supply(view: View, names: Mapping[int, str], parts: bool = True) -> Canvas:
    """The supply board before it is encoded."""
    bottom = HEAD + CATEGORY_HEAD + STEPS * ROW + GAP
    rows = -(-len(PART_TILES) // PART_COLUMNS) if parts else 0
    canvas = Canvas(WIDTH, bottom + (CATEGORY_HEAD + rows * (PART_ROW + 6) + GAP if parts else 0))
    seat = buyer(view)
    _draw_head(canvas, view, seat, names)
    for k, category in enumerate(CATEGORIES):
        left = round(GAP + k * (COLUMN + GAP))
        box = Box(left, HEAD, left + round(COLUMN), bottom - GAP)
        _draw_category(canvas, box, view, category, seat)
    if parts:
        _draw_parts(canvas, view, seat, bottom)
    return canvas


def _draw_head(canvas: Canvas, view: View, seat: int | None, names: Mapping[int, str]) -> None:
    y = HEAD / 2
    right = canvas.write(f"{view.bag} tiles in the bag", WIDTH - 16, y, 24, MUTED, anchor="r").left - 24
    canvas.mark("bag", "", str(view.bag), Box(right, 0, WIDTH, HEAD))
    x = 16.0
    if seat is None:
        canvas.write("Technologies, printed prices", x, y, 32, TEXT, text.Font.BOLD)
        return
    one = view.seats[seat]
    x = canvas.put(look.emblem(look.of(one.colour, one.species), 46), x, y - 23).right + 12
    stored = canvas.write(str(one.tracks[1].stored), right, y, 34, TEXT, text.Font.BOLD, anchor="r")
    right = canvas.put(look.kind("science", 34), stored.left - 40, y - 17).left - 16
    write_fitting(canvas, f"Prices for {name_of(view, names, seat)}", x, y, 32, right - x, least=26)


def _draw_category(canvas: Canvas, box: Box, view: View, category: str, seat: int | None) -> None:
    looks = look.category(category)
    panel(canvas, box, mix(PANEL, looks.colour, 0.5))
    y = box.top + CATEGORY_HEAD / 2
    sign = canvas.put(sprites.sprite(looks.sign, 32, looks.colour), box.left + 10, y - 16)
    canvas.write(say("category", category), sign.right + 10, y, 29, looks.colour, text.Font.BOLD)
    if seat is not None:
        discount = dict(zip(CATEGORIES, view.seats[seat].discounts, strict=True))[category]
        canvas.write(f"-{discount}", box.right - 14, y, 28, TEXT, text.Font.BOLD, anchor="r")
        canvas.mark("discount", category, str(discount), box)
    for k, technology in enumerate(one for one in view.supply if one.category == category):
        top = box.top + CATEGORY_HEAD + k * ROW
        row = Box(box.left + 6, round(top), box.right - 6, round(top) + ROW - 6)
        _draw_row(canvas, row, view, technology, seat)


def _draw_row(canvas: Canvas, box: Box, view: View, technology: TechnologyView, seat: int | None) -> None:
    """A technology: its name, tiles left, and its price; faded when there is none, ticked when one has it."""
    there = technology.count > 0
    looks = look.category(technology.category)
    owned = seat is not None and any(technology.id in ids for _, ids in view.seats[seat].technologies)
    price = technology.price if seat is None else technology.prices[seat]
    canvas.plate(
        box,
        9,
        mix(PANEL, looks.colour, 0.12) if there else mix(PANEL, INK, 0.4),
        mix(PANEL_EDGE, looks.colour, 0.35) if there else None,
    )
    ink = TEXT if there else mix(PANEL, TEXT, 0.4)
    y = box.centre.y
    canvas.put(look.technology(technology.id, 36, looks.colour if there else ink), box.left + 8, y - 18)
    right = box.right - 10
    if owned:
        right = canvas.put(sprites.sprite("tick", 30, GOOD, INK, 2), right - 32, y - 15).left - 8
    elif price is not None:
        enough = seat is None or view.seats[seat].tracks[1].stored >= price
        colour = ink if not there else TEXT if enough else DANGER
        number = canvas.write(str(price), right, y, 34, colour, text.Font.BOLD, anchor="r")
        right = canvas.put(look.kind("science", 24, None if there else ink), number.left - 28, y - 12).left - 8
    else:
        right = canvas.write("full", right, y, 24, MUTED, anchor="r").left - 8
    says = f"×{technology.count}" if there else "none"
    count = canvas.write(says, box.left + 54, y + 15, 21, mix(MUTED, ink, 0.3) if there else ink)
    if seat is not None and price is not None and price != technology.price:
        canvas.write(f"printed {technology.price}", count.right + 12, y + 15, 21, MUTED if there else ink)
    elif price is not None and seat is None:
        canvas.write(f"at least {technology.least}", count.right + 12, y + 15, 21, MUTED if there else ink)
    write_fitting(canvas, say("technology", technology.id), box.left + 54, y - 12, 25, right - box.left - 56, ink)
    canvas.mark("supply", technology.id, f"{technology.count}:{'owned' if owned else price}", box)


def _draw_parts(canvas: Canvas, view: View, seat: int | None, top: float) -> None:
    """Every part with its figures; those the viewer may not take are faded."""
    canvas.write("Ship parts", 16, top + CATEGORY_HEAD / 2, 29, TEXT, text.Font.BOLD)
    known = {id for _, ids in view.seats[seat].technologies for id in ids} if seat is not None else set()
    width = (WIDTH - GAP) / PART_COLUMNS
    for k, id in enumerate(PART_TILES):
        left = round(GAP + (k % PART_COLUMNS) * width)
        y = round(top + CATEGORY_HEAD + (k // PART_COLUMNS) * (PART_ROW + 6))
        needed = PARTS[id].technology
        free = seat is None or not needed or needed in known
        tile = Box(left, y, left + 136, y + 70)
        draw_part(canvas, tile, id, printed=not free)
        room = width - 136 - GAP - 10
        lines = text.wrap(say("part", id), 23, room, text.Font.BOLD, 2)
        for n, line in enumerate(lines):
            at = y + 36 + (n - (len(lines) - 1) / 2) * 27
            canvas.write(line, tile.right + 8, at, 23, TEXT if free else MUTED, text.Font.BOLD)
        canvas.mark("offered", id, str(free), tile)
