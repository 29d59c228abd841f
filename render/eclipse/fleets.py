"""The ships in a hex: a chip for each owner with every type and its number; Ancients and the defence system as they are."""

from typing import NamedTuple

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import INK, TEXT, mix
from . import look
from .tiles import MIDDLE_Y

TOP, BOTTOM = 0.12, 0.53
"""Where ships stand, in sizes of a hex below its middle."""
HIGH_TOP = -0.2
"""Where they begin when there are many."""
WIDE = 0.6
MOST_LINES = 4
ON_A_LINE = 3


class Fleet(NamedTuple):
    """The ships of one owner in a hex, by type; `owner`: a seat, ancient or gcds."""

    owner: str
    looks: look.SeatLook
    ships: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _, count in self.ships)

    @property
    def lines(self) -> list[tuple[tuple[str, int], ...]]:
        """The types on each line of the chip."""
        rows = -(-len(self.ships) // ON_A_LINE)
        each = -(-len(self.ships) // rows)
        return [self.ships[k : k + each] for k in range(0, len(self.ships), each)]

    def __str__(self) -> str:
        return " ".join(f"{kind} {count}" for kind, count in self.ships)


def draw_fleets(canvas: Canvas, place: str, fleets: list[Fleet], at: Point, size: int, right: float) -> None:
    """All ships of a hex; `right`: how far they may reach there when they are many."""
    natives = [fleet for fleet in fleets if fleet.owner in ("ancient", "gcds")]
    others = [fleet for fleet in fleets if fleet not in natives]
    if sum(len(fleet.lines) for fleet in others) <= 2:
        lines = sum(len(fleet.lines) for fleet in others)
        _draw_natives(canvas, place, natives, at, round(size * (0.28 if lines > 1 else 0.36)), MIDDLE_Y * size)
        zone = Box(at.x - WIDE * size, at.y + TOP * size, at.x + WIDE * size, at.y + BOTTOM * size)
        _draw_chips(canvas, place, others, zone, size)
        return
    zone = Box(at.x - WIDE * size, at.y + HIGH_TOP * size, min(right, at.x + WIDE * size), at.y + BOTTOM * size)
    if crowded(fleets):
        _draw_totals(canvas, place, others + natives, zone)
    else:
        _draw_chips(canvas, place, others + natives, zone, size)


def crowded(fleets: list[Fleet]) -> bool:
    """Whether there are too many to show every type in the hex."""
    return sum(len(fleet.lines) for fleet in fleets) > MOST_LINES


def _draw_natives(canvas: Canvas, place: str, natives: list[Fleet], at: Point, side: int, below: float) -> None:
    shown = [(fleet, kind) for fleet in natives for kind, count in fleet.ships for _ in range(count)]
    for k, (fleet, kind) in enumerate(shown):
        x = at.x + (k - (len(shown) - 1) / 2) * (side + 4)
        canvas.centred(sprites.sprite(kind, side, fleet.looks.rgb, INK, 2), Point(x, at.y + below))
    for fleet in natives:
        y = at.y + below
        canvas.mark("fleet", place, f"{fleet.owner}:{fleet}", Box(at.x - side, y - side / 2, at.x + side, y + side / 2))


def _draw_chips(canvas: Canvas, place: str, fleets: list[Fleet], zone: Box, size: int) -> None:
    lines = sum(len(fleet.lines) for fleet in fleets)
    if not lines:
        return
    height = min(0.28 * size, zone.height / lines)
    top = zone.bottom - height * lines
    if zone.height > height * lines:
        top -= (zone.height - height * lines) / 2
    for fleet in fleets:
        box = Box(zone.left, top, zone.right, top + height * len(fleet.lines) - 1)
        _draw_chip(canvas, place, box, fleet, height)
        top += height * len(fleet.lines)


def _draw_chip(canvas: Canvas, place: str, box: Box, fleet: Fleet, line: float) -> None:
    sign = round(line * (0.8 if len(fleet.lines) == 1 else 1.1))
    side, figure = round(line * 0.84), round(line * 0.72)
    room = box.width - sign - 10
    widths = [_line_width(row, side, figure) for row in fleet.lines]
    while max(widths) > room and side > 12:
        side, figure = side - 1, max(17, figure - 1)
        widths = [_line_width(row, side, figure) for row in fleet.lines]
    width = sign + max(widths) + 12
    centre = box.centre.x
    box = Box(round(centre - width / 2), round(box.top), round(centre + width / 2), round(box.bottom))
    canvas.plate(box, round(line * 0.3), mix(INK, fleet.looks.rgb, 0.14), fleet.looks.line)
    canvas.put(look.emblem(fleet.looks, sign), box.left + 3, box.centre.y - sign / 2)
    for k, row in enumerate(fleet.lines):
        x = box.left + sign + 7.0
        y = box.top + (k + 0.5) * box.height / len(fleet.lines)
        for kind, count in row:
            shown = canvas.put(look.ship(kind, side, fleet.looks), x, y - side / 2)
            x = shown.right + 2
            if count > 1:
                x = canvas.write(str(count), x, y, figure, TEXT, text.Font.BOLD).right + 1
            x += 2
    canvas.mark("fleet", place, f"{fleet.owner}:{fleet}", box)


def _line_width(row: tuple[tuple[str, int], ...], side: int, figure: int) -> float:
    return sum(side + 4 + (text.width(str(count), figure, text.Font.BOLD) + 2 if count > 1 else 0) for _, count in row)


def _draw_totals(canvas: Canvas, place: str, fleets: list[Fleet], zone: Box) -> None:
    """Each owner's emblem with the number of ships; the list below the galaxy tells the types."""
    columns = 2 if len(fleets) > 2 else 1
    rows = -(-len(fleets) // columns)
    height, width = min(zone.height / rows, zone.height / 2), zone.width / columns
    canvas.plate(zone, 8, INK, TEXT)
    for k, fleet in enumerate(fleets):
        x, y = zone.left + (k % columns) * width, zone.top + (k // columns + 0.5) * height
        side = round(min(height * 0.8, width * 0.45))
        sign = canvas.put(look.emblem(fleet.looks, side), x + 5, y - side / 2)
        canvas.write(str(fleet.total), sign.right + 5, y, max(17, round(side * 0.85)), TEXT, text.Font.BOLD)
        canvas.mark("total", place, f"{fleet.owner}:{fleet.total}", Box(x, y - height / 2, x + width, y + height / 2))
