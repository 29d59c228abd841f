"""Units at their planets: every owner's group as a chip; where too many meet, only each owner's total."""

from collections.abc import Mapping
from typing import NamedTuple

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import GOLD, INK, PANEL, TEXT, mix, shade
from .galaxy import LIFT, PITCH
from .groups import Group
from .look import emblem, unit

#: the lowest line of a planet's place, measured from its middle
BOTTOM = 60
#: height of a line of units by how many lines stand on the planet: when the planets beside it are empty, when they are
#: not, and when the planets above it have units, too
WIDE_LINES = (40, 32, 28, 25)
NARROW_LINES = (34, 28, 26, 25)
LOW_LINES = (34, 28, 26, 22)
NARROW, WIDE = PITCH - 4, PITCH * 1.22
TOTALS_HEIGHT = 84
TAB_HEIGHT = 19
LARGEST = 34
#: how far below the middle of its disc a planet's name reaches
NAME_REACH = 6
ITEM_GAP = 6


class Stack(NamedTuple):
    """All groups on one planet, the box they fill, and the height of a line of units."""

    planet: str
    place: Point
    groups: list[Group]
    box: Box
    line: int

    @property
    def crowded(self) -> bool:
        """Whether the groups are too many to be shown in full at their place."""
        return _crowded(self.groups)

    @property
    def hides_name(self) -> bool:
        """Whether it covers the name on the planet's disc."""
        return self.box.top < self.place.y - LIFT + NAME_REACH

    @property
    def tab(self) -> Box:
        """Where the name goes when it is covered."""
        top = min(self.box.top, self.place.y - LIFT)
        return Box(self.place.x - 36, top - TAB_HEIGHT, self.place.x + 36, self.box.top + 6)


def stacks_on(places: Mapping[str, Point], groups: Mapping[str, list[Group]]) -> dict[str, Stack]:
    """The stacks of all planets, each as large as its neighbours' allow."""
    return {planet: _stack(planet, places, here, list(groups)) for planet, here in groups.items()}


def _stack(planet: str, places: Mapping[str, Point], groups: list[Group], occupied: list[str]) -> Stack:
    place = places[planet]
    away = [(abs(places[other].x - place.x), places[other].y - place.y) for other in occupied if other != planet]
    beside = any(dx < 1.1 * PITCH and abs(dy) < 5 for dx, dy in away)
    above = any(dx < 0.6 * PITCH and -PITCH < dy < -5 for dx, dy in away)
    if _crowded(groups):
        rows = -(-len(groups) // _columns(groups))
        line = min(30, TOTALS_HEIGHT // rows)
        width, height = NARROW, rows * line + 6
    else:
        lines = sum(group.lines for group in groups)
        line = (LOW_LINES if above else NARROW_LINES if beside else WIDE_LINES)[lines - 1]
        width = NARROW if beside else WIDE
        height = lines * line + _frame(line) * len(groups) + len(groups) - 1
    box = Box(place.x - width / 2, place.y + BOTTOM - height, place.x + width / 2, place.y + BOTTOM)
    return Stack(planet, place, groups, box, line)


def _crowded(groups: list[Group]) -> bool:
    return sum(group.lines for group in groups) > len(NARROW_LINES)


def _frame(line: int) -> int:
    return 4 if line >= NARROW_LINES[1] else 2


def draw_stack(canvas: Canvas, stack: Stack) -> None:
    """All groups on one planet, and its name again if they hide it."""
    if stack.hides_name:
        canvas.plate(stack.tab, 7, mix(PANEL, INK, 0.4))
        canvas.write(stack.planet, stack.place.x, stack.tab.top + TAB_HEIGHT / 2, 22, TEXT, text.Font.BOLD, anchor="m")
        canvas.mark("name", stack.planet, stack.planet, stack.tab)
    if stack.crowded:
        _draw_totals(canvas, stack)
        return
    top = stack.box.top
    for group in stack.groups:
        height = group.lines * stack.line + _frame(stack.line)
        narrow = 14 if len(group.units) == 1 else 0
        box = Box(stack.box.left + narrow, top, stack.box.right - narrow, top + height)
        _draw_chip(canvas, box, group, stack.line)
        top = box.bottom + 1


def _draw_chip(canvas: Canvas, box: Box, group: Group, line: int) -> None:
    canvas.plate(box, 8, mix(INK, group.looks.rgb, 0.14), group.looks.rgb)
    size = line - 3 if group.lines == 1 else round(line * 1.1) - 2
    at = canvas.put(emblem(group.looks, size), box.left + 3, box.centre.y - size / 2)
    inner = (box.height - group.lines * line) / 2
    for k in range(group.lines):
        items = group.units[2 * k : 2 * k + 2]
        left = Point(at.right + 4, box.top + inner + (k + 0.5) * line)
        _draw_items(canvas, items, group, left, box.right - at.right - 8, min(LARGEST, line - 2))
    if group.head:
        canvas.put(sprites.sprite("crown", 20, GOLD, INK, 2), box.left - 7, box.top - 9)
    canvas.mark("group", group.planet, f"{group.seat}:{group}", box)


def _draw_items(
    canvas: Canvas, items: tuple[tuple[str, int], ...], group: Group, at: Point, room: float, size: int
) -> None:
    """Units with their numbers, at most so large, smaller if there is no room."""
    words = [str(count) for _, count in items]
    while size > 14 and _items_width(words, size) > room:
        size -= 1
    x, sign = at.x, _sign_size(size)
    for (rank, _), word in zip(items, words, strict=True):
        canvas.put(unit(rank, sign, shade(group.looks.rgb, 0.45), rank == group.head), x, at.y - sign / 2)
        x = canvas.write(word, x + sign + 2, at.y, size, TEXT, text.Font.BOLD).right + ITEM_GAP


def _sign_size(size: int) -> int:
    return round(size * 0.8)


def _items_width(words: list[str], size: int) -> float:
    numbers = sum(text.width(word, size, text.Font.BOLD) + 1 for word in words)
    return numbers + (_sign_size(size) + 2) * len(words) + ITEM_GAP * (len(words) - 1)


def _columns(groups: list[Group]) -> int:
    return 2 if len(groups) <= 6 else 3


def _draw_totals(canvas: Canvas, stack: Stack) -> None:
    """Each owner's emblem with the number of units."""
    columns, line, box = _columns(stack.groups), stack.line, stack.box
    canvas.plate(box, 8, PANEL, TEXT)
    cell = (box.width - 6) / columns
    side = line - 4 if columns == 2 else line - 8
    size = 23
    while size > 12 and any(
        text.width(str(group.total), size, text.Font.BOLD) > cell - side - 4 for group in stack.groups
    ):
        size -= 1
    for k, group in enumerate(stack.groups):
        x = box.left + 3 + (k % columns) * cell
        y = box.top + 3 + (k // columns + 0.5) * line
        sign = canvas.put(emblem(group.looks, side), x + 1, y - side / 2)
        canvas.write(str(group.total), sign.right + 2, y, size, TEXT, text.Font.BOLD)
        canvas.mark("total", group.planet, f"{group.seat}:{group.total}", Box(x, y - line / 2, x + cell, y + line / 2))
