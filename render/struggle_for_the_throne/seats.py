"""The frame around the map: whose turn it is, the state of the deck, the players."""

from collections.abc import Mapping

from rules.struggle_for_the_throne.views import HouseView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix, shade
from ..panels import Stat, draw_stat, panel, pips, spread_stats
from .look import RANKS, House, emblem, unit
from .wording import house_name, unit_name

HEAD_HEIGHT = 76
SEAT_HEIGHT = 96
GAP = 8
FACTS_WIDTH = 186
FACTS_HEIGHT = 200
LEGEND_HEIGHT = 142


def name_of(view: View, names: Mapping[int, str], seat: int | None) -> str:
    """A seat's name; its house's when nobody's name is known."""
    for house in view.houses:
        if house.seat == seat:
            return text.clean(names.get(house.seat, "")) or house_name(house.house)
    return "Nobody"


def draw_head(canvas: Canvas, view: View, names: Mapping[int, str], looks: Mapping[int, House], title: str) -> None:
    """The line above the map: the seat to act and its actions left, or the winner; a title at the right."""
    width = canvas.box.width
    seat = view.winner if view.winner is not None else view.active
    canvas.plate(Box(0, 0, width, HEAD_HEIGHT), 0, PANEL)
    x, y = 16.0, HEAD_HEIGHT / 2
    if seat is not None and seat in looks:
        x = canvas.put(emblem(looks[seat], 52), x, y - 26).right + 14
    if view.winner is not None:
        words = f"{name_of(view, names, seat)} takes the throne"
    elif view.battle is not None:
        attacker, defender = (name_of(view, names, who) for who in (view.battle.attacker, view.battle.defender))
        words = f"{attacker} fights {defender} at {view.battle.planet}"
    elif view.active is not None:
        words = f"{name_of(view, names, seat)} to act"
    else:
        words = "Before the first turn"
    right = width - 18
    if view.winner is None and view.active is not None:
        right = _actions(canvas, view, right, y)
    if title:
        shown = text.fit(title, 26, (right - x) * 0.45)
        right = canvas.write(shown, right, y, 26, MUTED, anchor="r").left - 20
    box = canvas.write(words, x, y, 34, TEXT, text.Font.BOLD, room=max(60.0, right - x))
    canvas.mark("turn", "", words, box)


def _actions(canvas: Canvas, view: View, right: float, y: float) -> float:
    words = f"{view.actions_left} {'action' if view.actions_left == 1 else 'actions'} left"
    box = canvas.write(words, right, y, 30, TEXT, anchor="r")
    canvas.mark("actions", "", str(view.actions_left), box)
    return (
        pips(
            canvas, min(view.actions_left, 6), max(3, min(view.actions_left, 6)), Point(box.left - 10, y), 20, GOLD
        ).left
        - 20
    )


def draw_facts(canvas: Canvas, view: View, left: Point, right: Point) -> None:
    """Round and Emperor at the left place, deck, discards and Squadron supply at the right one."""
    alive = view.emperor_alive
    canvas.write(f"Round {view.round}", left.x, left.y + 22, 36, TEXT, text.Font.BOLD)
    crown = sprites.sprite("crown" if alive else "broken_crown", 44, GOLD if alive else DANGER)
    canvas.put(crown, left.x, left.y + 52)
    canvas.write("Emperor", left.x + 54, left.y + 62, 26, TEXT, text.Font.BOLD)
    words = "on the throne" if alive else "is dead"
    box = canvas.write(words, left.x + 54, left.y + 90, 22, GOLD if alive else DANGER)
    canvas.mark("emperor", view.throne, words, box)
    rows = (
        ("deck", "card", view.deck, mix(PANEL_EDGE, TEXT, 0.45)),
        ("discards", "cards", len(view.discard), mix(PANEL_EDGE, TEXT, 0.45)),
        ("supply", "dart", view.squadron_supply, TEXT),
    )
    for k, (what, sign, count, colour) in enumerate(rows):
        y = right.y + 22 + 40 * k
        end = right.x + FACTS_WIDTH
        number = canvas.write(str(count), end - 40, y, 30, TEXT, text.Font.BOLD, anchor="r")
        canvas.centred(sprites.sprite(sign, 26, colour), Point(end - 16, y))
        canvas.write(what, number.left - 8, y, 23, MUTED, anchor="r")
        canvas.mark(what, "", str(count), number)


def draw_legend(canvas: Canvas, at: Point) -> None:
    """What the shapes of the units mean."""
    for k, rank in enumerate(RANKS):
        y = at.y + 18 + 34 * k
        canvas.put(unit(rank, 22), at.x, y - 11)
        canvas.write(unit_name(rank), at.x + 29, y, 21, MUTED)


def columns_for(seats: int) -> int:
    """How many players stand beside each other below the map."""
    return 2 if seats in (2, 4) else 3 if seats <= 9 else 4


def seats_height(seats: int) -> int:
    """How high the players' part is."""
    return -(-seats // columns_for(seats)) * (SEAT_HEIGHT + GAP) + GAP


def draw_seats(
    canvas: Canvas, view: View, names: Mapping[int, str], looks: Mapping[int, House], top: float, size: int = 30
) -> None:
    """A panel for each player, in turn order around the table."""
    columns = columns_for(len(view.houses))
    width = (canvas.box.width - GAP * (columns + 1)) / columns
    for k, house in enumerate(view.houses):
        left = GAP + (k % columns) * (width + GAP)
        y = top + GAP + (k // columns) * (SEAT_HEIGHT + GAP)
        box = Box(round(left), round(y), round(left + width), round(y + SEAT_HEIGHT))
        _draw_seat(canvas, box, view, house, looks[house.seat], name_of(view, names, house.seat), size)


def _draw_seat(canvas: Canvas, box: Box, view: View, house: HouseView, looks: House, name: str, size: int) -> None:
    active = house.seat == (view.active if view.winner is None else view.winner)
    edge = GOLD if view.winner == house.seat else looks.rgb if house.playing else PANEL_EDGE
    panel(canvas, box, edge, mix(PANEL, looks.rgb, 0.3) if active else PANEL, 4 if active else 2)
    canvas.put(emblem(looks, 58, faded=not house.playing), box.left + 10, box.centre.y - 29)
    x = box.left + 80
    colour = TEXT if house.playing else MUTED
    room = box.right - x - 12
    if view.first == house.seat and house.playing:
        room -= 44
        canvas.plate(Box(box.right - 46, box.top + 10, box.right - 10, box.top + 40), 8, mix(PANEL, TEXT, 0.2))
        canvas.write("1st", box.right - 28, box.top + 25, 20, TEXT, text.Font.BOLD, anchor="m")
    shown = canvas.write(name, x, box.top + 28, size, colour, text.Font.BOLD, room=room)
    canvas.mark("seat", "", f"{house.seat}:{name}", box)
    family = house_name(house.house)
    if family != name and shown.width + 14 + text.width(family, 22) <= room:
        canvas.write(family, shown.right + 12, box.top + 30, 22, MUTED)
    if not house.playing:
        canvas.pen.rectangle((shown.left - 4, shown.centre.y - 1, shown.right + 4, shown.centre.y + 3), fill=DANGER)
        canvas.write("out", x, box.top + 68, 26, DANGER)
        canvas.mark("out", "", str(house.seat), shown)
        return
    _draw_seat_stats(canvas, Box(x, box.top + 48, box.right - 8, box.bottom), house, looks)


def _draw_seat_stats(canvas: Canvas, box: Box, house: HouseView, looks: House) -> None:
    stats = [Stat(sprites.sprite("card", 26, mix(PANEL_EDGE, TEXT, 0.6)), str(house.cards))]
    tint = shade(looks.rgb, 0.45)
    stats += [
        Stat(
            unit(rank, 24, tint, rank == house.head),
            str(house.units.get(rank, 0)),
            TEXT if house.units.get(rank) else MUTED,
        )
        for rank in RANKS
    ]
    stats.append(Stat(sprites.sprite("flag", 24, mix(PANEL_EDGE, looks.rgb, 0.6)), str(house.flags_free), MUTED))
    spread_stats(
        canvas, stats, Box(box.left, box.top, box.right - (34 if not house.controls_home else 8), box.top + 44), 27
    )
    if not house.controls_home:
        draw_stat(canvas, Stat(sprites.sprite("cross", 18, DANGER), ""), box.right - 22, box.top + 22, 20)


__all__ = ["INK", "draw_facts", "draw_head", "draw_legend", "draw_seats", "name_of", "seats_height"]
