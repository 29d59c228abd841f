"""The list below the map: who has what on the planets where too many meet to be shown in full."""

from typing import NamedTuple

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import GOLD, INK, PANEL, TEXT, shade
from .groups import Group
from .look import emblem, unit
from .stacks import Stack

LINE = 44
SIZE = 25
EMBLEM, SIGN = 32, 21
EDGE = 20.0
NAME_WIDTH = 76.0
GAP = 14.0


class Entry(NamedTuple):
    """A planet's name, or one of its groups, and the x where it starts."""

    x: float
    planet: str
    group: Group | None


def rows_of(stacks: list[Stack], width: float) -> list[list[Entry]]:
    """The list broken into rows; a planet's name is never left alone at the end of one."""
    rows: list[list[Entry]] = []
    x = width
    for stack in stacks:
        for k, group in enumerate(stack.groups):
            need = _width(group) + (NAME_WIDTH if k == 0 else 0)
            if x + need > width - EDGE:
                rows.append([])
                x = EDGE if k == 0 else EDGE + NAME_WIDTH
            if k == 0:
                rows[-1].append(Entry(x, stack.planet, None))
                x += NAME_WIDTH
            rows[-1].append(Entry(x, stack.planet, group))
            x += _width(group)
        x += GAP
    return rows


def _width(group: Group) -> float:
    numbers = sum(text.width(str(count), SIZE, text.Font.BOLD) for _, count in group.units)
    return EMBLEM + 6 + numbers + len(group.units) * (SIGN + 11) + GAP


def height_of(stacks: list[Stack], width: float) -> int:
    """How high the list will be; nothing when there is no such planet."""
    return LINE * len(rows_of(stacks, width)) + 12 if stacks else 0


def draw_gatherings(canvas: Canvas, stacks: list[Stack], top: float) -> None:
    """The whole list, from this height on."""
    if not stacks:
        return
    width = canvas.box.width
    canvas.plate(Box(8, top, width - 8, top + height_of(stacks, width) - 4), 12, PANEL)
    for k, row in enumerate(rows_of(stacks, width)):
        y = top + 4 + (k + 0.5) * LINE
        for entry in row:
            if entry.group is None:
                canvas.write(entry.planet, entry.x, y, SIZE, TEXT, text.Font.BOLD)
            else:
                _draw_group(canvas, entry.group, Point(entry.x, y))


def _draw_group(canvas: Canvas, group: Group, at: Point) -> None:
    sign = canvas.put(emblem(group.looks, EMBLEM), at.x, at.y - EMBLEM / 2)
    if group.head:
        canvas.put(sprites.sprite("crown", 19, GOLD, INK, 2), sign.right - 11, sign.top - 6)
    x = sign.right + 6
    for rank, count in group.units:
        canvas.put(unit(rank, SIGN, shade(group.looks.rgb, 0.45), rank == group.head), x, at.y - SIGN / 2)
        x = canvas.write(str(count), x + SIGN + 3, at.y, SIZE, TEXT, text.Font.BOLD).right + 7
    canvas.mark("group", group.planet, f"{group.seat}:{group}", Box(at.x, at.y - 20, x, at.y + 20))
