"""Units on the planets: every owner's group as a chip, and crowded planets as totals with a list below the map."""

from collections.abc import Mapping
from typing import NamedTuple

from rules.struggle_for_the_throne.views import GroupView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import GOLD, INK, PANEL, TEXT, mix, shade
from .galaxy import DISC, LIFT
from .look import RANKS, House, emblem, unit

#: the lowest line of a planet's place, measured from its middle
BOTTOM = 58
SIGN = 21
ITEM_GAP = 5
#: line height by how many lines of units stand on a planet
LINE = {1: 34, 2: 28, 3: 26, 4: 25}
MOST_LINES = 4


class Group(NamedTuple):
    """One owner's units on one planet; `head`: the rank of the head of family if it stands here."""

    planet: str
    seat: int
    looks: House
    units: tuple[tuple[str, int], ...]
    head: str

    @property
    def total(self) -> int:
        return sum(count for _, count in self.units)

    @property
    def lines(self) -> int:
        return (len(self.units) + 1) // 2


def groups_of(view: View, looks: Mapping[int, House]) -> dict[str, list[Group]]:
    """The groups on each planet, in seat order, ranks from high to low."""
    heads = {h.seat: (h.head_at, h.head) for h in view.houses if h.playing}
    order = {rank: k for k, rank in enumerate(RANKS)}
    found: dict[str, list[Group]] = {}
    for group in sorted(view.groups, key=lambda g: g.seat):
        found.setdefault(group.planet, []).append(_group(group, looks, heads, order))
    return found


def _group(
    group: GroupView, looks: Mapping[int, House], heads: Mapping[int, tuple[str, str]], order: Mapping[str, int]
) -> Group:
    at, rank = heads.get(group.seat, ("", ""))
    units = sorted(group.units.items(), key=lambda item: order.get(item[0], len(order)))
    shown = tuple((name, count) for name, count in units if count)
    return Group(group.planet, group.seat, looks[group.seat], shown, rank if at == group.planet else "")


def crowded(groups: list[Group]) -> bool:
    """Whether the planet's groups are too many to be shown in full at their place."""
    return sum(group.lines for group in groups) > MOST_LINES


def stack_box(place: Point, groups: list[Group], width: float) -> Box:
    """The box that the groups on a planet will fill."""
    if crowded(groups):
        rows = -(-len(groups) // _columns(groups))
        height = float(rows * _row_height(rows) + 6)
    else:
        lines = sum(group.lines for group in groups)
        height = lines * LINE[max(1, lines)] + _frame(lines) * len(groups) + len(groups) - 1
    return Box(place.x - width / 2, place.y + BOTTOM - height, place.x + width / 2, place.y + BOTTOM)


def covers_name(place: Point, planet: str, top: float) -> bool:
    """Whether a stack with this upper edge hides the name on the planet's disc."""
    return top < place.y - LIFT + (12 if planet.endswith(".c") else 8)


def name_height(place: Point, top: float) -> float:
    """Where the name goes when a stack with this upper edge hides it."""
    return min(top - 9, place.y - LIFT - DISC + 8)


def draw_stack(canvas: Canvas, place: Point, groups: list[Group], width: float) -> None:
    """All groups on one planet, at its place, no wider than `width`."""
    box = stack_box(place, groups, width)
    planet = groups[0].planet
    if covers_name(place, planet, box.top):
        y = name_height(place, box.top)
        canvas.plate(Box(place.x - 36, y - 14, place.x + 36, box.top + 8), 8, mix(PANEL, INK, 0.4))
        canvas.write(planet, place.x, y, 23, TEXT, text.Font.BOLD, anchor="m")
    if crowded(groups):
        _draw_totals(canvas, box, groups)
    else:
        _draw_chips(canvas, box, groups)


def _frame(lines: int) -> int:
    return 4 if lines < 3 else 2


def _draw_chips(canvas: Canvas, box: Box, groups: list[Group]) -> None:
    lines = sum(group.lines for group in groups)
    line, top = LINE[max(1, lines)], box.top
    for group in groups:
        narrow = 14 if len(group.units) == 1 else 0
        chip = Box(box.left + narrow, top, box.right - narrow, top + group.lines * line + _frame(lines))
        _draw_chip(canvas, chip, group, line)
        top = chip.bottom + 1


def _draw_chip(canvas: Canvas, box: Box, group: Group, line: int) -> None:
    canvas.plate(box, 8, mix(INK, group.looks.rgb, 0.14), group.looks.rgb)
    size = 28 if group.lines > 1 else min(30, line - 3)
    at = canvas.put(emblem(group.looks, size), box.left + 3, box.centre.y - size / 2)
    inner = (box.height - group.lines * line) / 2
    for k in range(group.lines):
        items = group.units[2 * k : 2 * k + 2]
        left = Point(at.right + 4, box.top + inner + (k + 0.5) * line)
        _draw_items(canvas, items, group, left, box.right - at.right - 8, line)
    if group.head:
        canvas.put(sprites.sprite("crown", 20, GOLD, INK, 2), box.left - 7, box.top - 9)
    canvas.mark("group", group.planet, f"{group.seat}:{describe(group)}", box)


def _draw_items(
    canvas: Canvas, items: tuple[tuple[str, int], ...], group: Group, at: Point, room: float, line: int
) -> None:
    """Units with their numbers, as large as the line and the room allow."""
    words = [str(count) for _, count in items]
    size = min(30, line - 2)
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


def _row_height(rows: int) -> int:
    return min(30, 96 // rows)


def _draw_totals(canvas: Canvas, box: Box, groups: list[Group]) -> None:
    columns = _columns(groups)
    line = _row_height(-(-len(groups) // columns))
    canvas.plate(box, 8, PANEL, TEXT)
    cell = (box.width - 6) / columns
    side = line - 4 if columns == 2 else line - 8
    room = cell - side - 4
    size = 23
    while size > 12 and any(text.width(str(group.total), size, text.Font.BOLD) > room for group in groups):
        size -= 1
    for k, group in enumerate(groups):
        x = box.left + 3 + (k % columns) * cell
        y = box.top + 3 + (k // columns + 0.5) * line
        sign = canvas.put(emblem(group.looks, side), x + 1, y - side / 2)
        canvas.write(str(group.total), sign.right + 2, y, size, TEXT, text.Font.BOLD)
        canvas.mark("total", group.planet, f"{group.seat}:{group.total}", Box(x, y - line / 2, x + cell, y + line / 2))


def describe(group: Group) -> str:
    """The units as text, highest rank first: A1 L2 C3 S20."""
    return " ".join(f"{rank[:1].upper() if rank != 'thought_admiral' else 'A'}{count}" for rank, count in group.units)


LIST_LINE = 44
LIST_SIZE = 25


def list_rows(crowds: list[list[Group]], width: float) -> list[list[tuple[float, str, Group | None]]]:
    """The list of crowded planets broken into rows: what stands at which x."""
    rows: list[list[tuple[float, str, Group | None]]] = [[]]
    x = 20.0
    for groups in crowds:
        pieces: list[tuple[float, str, Group | None]] = [(76.0, groups[0].planet, None)]
        pieces += [(_list_width(group), group.planet, group) for group in groups]
        for k, (wide, planet, group) in enumerate(pieces):
            need = wide + (pieces[1][0] if k == 0 else 0)
            if x + need > width - 20 and rows[-1]:
                rows.append([])
                x = 20.0 if k == 0 else 96.0
            rows[-1].append((x, planet, group))
            x += wide
        x += 12
    return [row for row in rows if row]


def _list_width(group: Group) -> float:
    return (
        38 + sum(SIGN + 3 + text.width(str(n), LIST_SIZE, text.Font.BOLD) + ITEM_GAP + 2 for _, n in group.units) + 14
    )


def draw_list(canvas: Canvas, crowds: list[list[Group]], top: float) -> None:
    """Who has what on the crowded planets."""
    for k, row in enumerate(list_rows(crowds, canvas.box.width)):
        y = top + (k + 0.5) * LIST_LINE
        for x, planet, group in row:
            if group is None:
                canvas.write(planet, x, y, LIST_SIZE, TEXT, text.Font.BOLD)
            else:
                _draw_listed(canvas, group, Point(x, y))


def _draw_listed(canvas: Canvas, group: Group, at: Point) -> None:
    sign = canvas.put(emblem(group.looks, 32), at.x, at.y - 16)
    if group.head:
        canvas.put(sprites.sprite("crown", 19, GOLD, INK, 2), sign.right - 11, sign.top - 6)
    x = sign.right + 6
    for rank, count in group.units:
        canvas.put(unit(rank, SIGN, shade(group.looks.rgb, 0.45), rank == group.head), x, at.y - SIGN / 2)
        x = canvas.write(str(count), x + SIGN + 3, at.y, LIST_SIZE, TEXT, text.Font.BOLD).right + ITEM_GAP + 2
    canvas.mark("group", group.planet, f"{group.seat}:{describe(group)}", Box(at.x, at.y - 20, x, at.y + 20))
