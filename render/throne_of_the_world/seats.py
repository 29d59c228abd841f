"""The players: race and powers in words, money, cards, and a cell for each profession's set."""

from collections.abc import Mapping
from typing import NamedTuple

from rules.throne_of_the_world.components import PROFESSIONS, VICTORY
from rules.throne_of_the_world.views import SeatView, SetView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, GOOD, INK, MUTED, PANEL, PANEL_EDGE, RGB, TEXT, TILE, mix
from ..panels import panel, write_fitting
from . import look
from .frame import GAP, WIDTH, draw_plate
from .wording import name_of, race_name, say, team_name

HEADING_HEIGHT = 34
TEAM_HEIGHT = 52
TOP_HEIGHT = 80
CELL_HEIGHT = 90
#: of a player without any units
EMPTY_CELL_HEIGHT = 58
OUT_HEIGHT = 64
POWER_SIZE, POWER_LINE = 22, 27
INNER = 6
CELL = (WIDTH - 2 * GAP - 2 * INNER) / len(PROFESSIONS)
ROOM = WIDTH - 2 * GAP - 28


class Layout(NamedTuple):
    """Where everything of the players' part lies: panels by seat, the lines of teams, the lower end."""

    seats: dict[int, Box]
    teams: dict[int, Box]
    bottom: float


def layout(view: View, top: float) -> Layout:
    """Players in turn order around the table; in two teams, those of a team below each other."""
    panels: dict[int, Box] = {}
    lines: dict[int, Box] = {}
    y = top + HEADING_HEIGHT
    for seat in sorted(view.seats, key=lambda seat: (seat.team, seat.seat)) if view.teams else view.seats:
        if view.teams and seat.team not in lines:
            lines[seat.team] = Box(GAP, y, WIDTH - GAP, y + TEAM_HEIGHT)
            y += TEAM_HEIGHT + GAP
        panels[seat.seat] = Box(GAP, y, WIDTH - GAP, y + seat_height(seat))
        y += seat_height(seat) + GAP
    return Layout(panels, lines, y)


def seat_height(seat: SeatView) -> int:
    """How high one player's panel is."""
    if not seat.playing:
        return OUT_HEIGHT
    return TOP_HEIGHT + cell_height(seat) + 18 + POWER_LINE * len(power_lines(seat))


def cell_height(seat: SeatView) -> int:
    """How high the cells of a player's sets are."""
    return CELL_HEIGHT if any(held.units + held.virtual for held in seat.sets) else EMPTY_CELL_HEIGHT


def power_lines(seat: SeatView) -> list[tuple[str, str, bool]]:
    """The powers in lines: the name that a line begins with (or nothing), what follows, whether it is used up."""
    found = []
    for power in seat.powers:
        name = f"{say('power', power)}:"
        indent = text.width(f"{name}  ", POWER_SIZE, text.Font.BOLD)
        rest = say("power_text", power)
        first = text.wrap(rest, POWER_SIZE, ROOM - indent)[0]
        used = power in seat.used
        found.append((name, first, used))
        left = text.clean(rest)[len(first) :].strip()
        if left:
            found += [("", line, used) for line in text.wrap(left, POWER_SIZE, ROOM - 20)]
    return found


def draw_seats(canvas: Canvas, view: View, names: Mapping[int, str], top: float) -> Layout:
    """A panel for each player, and a line for each of two teams."""
    laid = layout(view, top)
    _draw_heading(canvas, top)
    for team, box in laid.teams.items():
        draw_team(canvas, view, team, box)
    for seat, box in laid.seats.items():
        draw_seat(canvas, box, view, view.seats[seat], names)
    return laid


def _draw_heading(canvas: Canvas, top: float) -> None:
    """The professions' names above their columns."""
    for k, profession in enumerate(PROFESSIONS):
        x = GAP + INNER + CELL * (k + 0.5)
        colour = mix(look.kind_of(profession).colour, MUTED, 0.35)
        canvas.write(say("short", profession), x, top + HEADING_HEIGHT / 2, 22, colour, anchor="m", room=CELL)


def draw_team(canvas: Canvas, view: View, team: int, box: Box) -> None:
    """A team and the money it shares."""
    members = [seat for seat in view.seats if seat.team == team]
    won = members[0].seat in view.winners
    canvas.plate(box, 12, mix(PANEL, GOLD if won else TEXT, 0.16))
    name = canvas.write(team_name(team), GAP + 18, box.centre.y, 32, GOLD if won else TEXT, text.Font.BOLD)
    canvas.mark("team", str(team), team_name(team), name)
    left = _draw_money(canvas, f"team.{team}", members[0].money, WIDTH - GAP - 16, box.centre.y).left
    canvas.write("shared", left - 14, box.centre.y, 24, MUTED, anchor="r")


def _draw_money(canvas: Canvas, place: str, money: int, right: float, y: float) -> Box:
    """Coins, at the right."""
    colour = GOLD if money > 3 else DANGER
    number = canvas.write(str(money), right, y, 38, colour, text.Font.BOLD, anchor="r")
    sign = canvas.centred(sprites.sprite("coin", 32, colour), Point(number.left - 22, y))
    box = Box(sign.left, number.top, number.right, number.bottom)
    canvas.mark("money", place, str(money), box)
    return box


def draw_seat(canvas: Canvas, box: Box, view: View, seat: SeatView, names: Mapping[int, str]) -> None:
    """One player."""
    rgb = look.seat_look(seat).rgb
    active, won = view.active == seat.seat, seat.seat in view.winners
    edge = GOLD if won else rgb if seat.playing else PANEL_EDGE
    panel(canvas, box, edge, mix(TILE, rgb, 0.2) if active else PANEL, 5 if active or won else 2)
    name = name_of(view, names, seat.seat)
    canvas.mark("seat", str(seat.seat), f"{name}:{seat.race}", box)
    if not seat.playing:
        _draw_out(canvas, box, seat, name)
        return
    _draw_top(canvas, box, view, seat, name)
    for k, held in enumerate(seat.sets):
        _draw_set(canvas, cell_box(box, seat, k), seat, held)
    y = box.top + TOP_HEIGHT + cell_height(seat) + 6 + POWER_LINE / 2
    for power, words, used in power_lines(seat):
        x = box.left + 14
        if power:
            shown = canvas.write(power, x, y, POWER_SIZE, MUTED if used else mix(TEXT, rgb, 0.4), text.Font.BOLD)
            canvas.mark("power", str(seat.seat), f"{power}:{used}", shown)
            x = shown.right + 9
            if used:
                canvas.pen.rectangle((shown.left, y, shown.right, y + 1), fill=MUTED)
        else:
            x += 20
        canvas.write(words, x, y, POWER_SIZE, mix(MUTED, PANEL, 0.15) if used else mix(TEXT, MUTED, 0.5))
        y += POWER_LINE


def cell_box(box: Box, seat: SeatView, k: int) -> Box:
    """The cell of the k-th profession in a player's panel."""
    top = box.top + TOP_HEIGHT
    left = box.left + INNER + CELL * k
    return Box(round(left + 2), top, round(left + CELL - 2), top + cell_height(seat))


def cells(view: View, laid: Layout) -> dict[str, Box]:
    """Where each seat's set of each profession lies, by place."""
    return {
        f"{seat}.{profession}": cell_box(box, view.seats[seat], k)
        for seat, box in laid.seats.items()
        for k, profession in enumerate(PROFESSIONS)
        if view.seats[seat].playing
    }


def _draw_out(canvas: Canvas, box: Box, seat: SeatView, name: str) -> None:
    """A player who is out."""
    y = box.centre.y
    sign = canvas.put(look.emblem(seat, 48), box.left + 12, y - 24)
    out = canvas.write("out", box.right - 16, y, 28, DANGER, text.Font.BOLD, anchor="r")
    shown = canvas.write(name, sign.right + 14, y, 30, MUTED, text.Font.BOLD, room=out.left - sign.right - 220)
    canvas.write(race_name(seat), shown.right + 14, y, 24, MUTED, room=out.left - shown.right - 28)
    canvas.pen.rectangle((shown.left - 4, y - 1, shown.right + 4, y + 2), fill=DANGER)
    canvas.mark("out", str(seat.seat), name, box)


def _draw_top(canvas: Canvas, box: Box, view: View, seat: SeatView, name: str) -> None:
    """Emblem, name, race, how near to victory, cards, money."""
    y = box.top + TOP_HEIGHT / 2
    sign = canvas.put(look.emblem(seat, 58), box.left + 10, y - 29)
    right = box.right - 14
    if not view.teams:
        right = _draw_money(canvas, str(seat.seat), seat.money, right, y).left - 22
    number = canvas.write(str(seat.cards), right, y, 32, TEXT, text.Font.BOLD, anchor="r")
    card = canvas.centred(sprites.sprite("card", 30, mix(PANEL_EDGE, TEXT, 0.55)), Point(number.left - 19, y))
    canvas.mark("cards", str(seat.seat), str(seat.cards), Box(card.left, card.top, number.right, card.bottom))
    x, right = sign.right + 14, card.left - 16
    room = right - x
    if view.first == seat.seat:
        room -= 50
    shown = canvas.write(name, x, y - 16, 32, TEXT, text.Font.BOLD, room=room)
    if view.first == seat.seat:
        draw_plate(canvas, "1st", shown.right + 58, y - 16, mix(PANEL, TEXT, 0.2), TEXT)
    race = canvas.write(race_name(seat), x, y + 19, 24, mix(TEXT, look.seat_look(seat).rgb, 0.4), room=room)
    _draw_progress(canvas, seat, race.right + 18, y + 19, right)


def _draw_progress(canvas: Canvas, seat: SeatView, x: float, y: float, right: float) -> None:
    """How many professions are in play and how many sets are complete, of those it takes to win."""
    kinds = sum(bool(held.units + held.virtual) for held in seat.sets)
    complete = sum(held.is_complete for held in seat.sets)
    for count, of, what in ((complete, VICTORY.sets, "sets"), (kinds, VICTORY.professions, "kinds")):
        says = f"{count}/{of} {what}"
        colour = GOLD if count >= of else mix(TEXT, MUTED, 0.6)
        if x + text.width(says, 23) > right:
            return
        box = canvas.write(says, x, y, 23, colour)
        canvas.mark(what, str(seat.seat), f"{count}/{of}", box)
        x = box.right + 18


def _draw_set(canvas: Canvas, box: Box, seat: SeatView, held: SetView) -> None:
    """One profession: its emblem, how many of a complete set, what it gives now, the tolerance of each unit."""
    there = held.units + held.virtual
    says = f"{there}/{held.complete}"
    canvas.mark("set", f"{seat.seat}.{held.profession}", f"{says}:{held.virtual}:{held.efficiency}:{held.acted}", box)
    ink: RGB = TEXT
    if held.is_complete:
        canvas.plate(box, 10, mix(PANEL, GOLD, 0.16), GOLD, 3)
        ink = GOLD
    elif there:
        canvas.plate(box, 10, mix(PANEL, INK, 0.4))
    at = Point(box.left + 30, box.top + 30)
    canvas.centred(look.profession(held.profession, 46, dim=not there), at)
    if not there:
        canvas.write(says, box.right - 8, at.y, 25, mix(PANEL, TEXT, 0.45), anchor="r")
        return
    write_fitting(canvas, says, box.right - 6, at.y, 28, box.width - 60, ink, anchor="r")
    y = box.bottom - 19
    faded = mix(PANEL, TEXT, 0.35)
    sign = canvas.put(look.gives(held.profession, 22), box.left + 7, y - 11)
    canvas.write(str(held.efficiency), sign.right + 5, y, 26, faded if held.acted else TEXT, text.Font.BOLD)
    tolerance = canvas.write(str(held.tolerance), box.right - 8, y, 24, MUTED, text.Font.BOLD, anchor="r")
    canvas.put(sprites.sprite("heart", 19, MUTED), tolerance.left - 23, y - 9)
    if held.virtual:
        plate = Box(box.left + 3, box.top + 4, box.left + 31, box.top + 26)
        canvas.plate(plate, 8, INK)
        canvas.write(f"+{held.virtual}", plate.centre.x, plate.centre.y, 20, TEXT, text.Font.BOLD, anchor="m")
    if held.acted:
        canvas.centred(sprites.sprite("tick", 30, GOOD, INK, 3), Point(box.left + 18, box.top + 48))
