"""The players below the galaxy: what each has stored and earns, discs, colony ships, points, who has passed."""

from collections.abc import Mapping

from rules.eclipse.views import SeatView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, TILE, mix
from ..panels import Stat, draw_stat, panel, write_fitting
from . import look
from .head import GAP, draw_plate, seat_plates
from .wording import name_of, species_name

SEAT_HEIGHT = 178


def columns_for(seats: int) -> int:
    """How many players stand beside each other."""
    return 2 if seats in (2, 4) else 3


def seats_height(seats: int) -> int:
    """How high the players' part is, for a picture of the usual width."""
    return -(-seats // columns_for(seats)) * (SEAT_HEIGHT + GAP) + GAP


def public_points(seat: SeatView) -> int:
    """The points that everybody knows of."""
    return sum(n for part, n in seat.points if part != "reputation")


def draw_seats(canvas: Canvas, view: View, names: Mapping[int, str], top: float, unit: float) -> None:
    """A panel for each player, in the order of turns."""
    n = len(view.seats)
    columns, gap = columns_for(n), GAP * unit
    width = (canvas.box.width - gap * (columns + 1)) / columns
    for k in range(n):
        left = gap + (k % columns) * (width + gap)
        y = top + gap + (k // columns) * (SEAT_HEIGHT + GAP) * unit
        box = Box(round(left), round(y), round(left + width), round(y + SEAT_HEIGHT * unit))
        _draw_seat(canvas, box, view, view.seats[(view.start + k) % n], names, unit)


def _draw_seat(canvas: Canvas, box: Box, view: View, seat: SeatView, names: Mapping[int, str], unit: float) -> None:
    looks = look.of(seat.colour, seat.species)
    active, won = view.active == seat.seat and not view.winners, seat.seat in view.winners
    edge = GOLD if won else PANEL_EDGE if seat.out else looks.line
    panel(canvas, box, edge, mix(TILE, looks.rgb, 0.22) if active else PANEL, 5 if active or won else 2)
    name = name_of(view, names, seat.seat)
    canvas.mark("seat", str(seat.seat), f"{name}:{seat.species}", box)
    side = round(58 * unit)
    sign = canvas.put(look.emblem(looks, side, bool(seat.out)), box.left + 10 * unit, box.top + 12 * unit)
    worth = canvas.centred(
        look.points(public_points(seat), round(54 * unit)), Point(box.right - 40 * unit, box.top + 40 * unit)
    )
    canvas.mark("worth", str(seat.seat), str(public_points(seat)), worth)
    x = sign.right + 12 * unit
    room = worth.left - x - 8 * unit
    colour = MUTED if seat.out else TEXT
    write_fitting(canvas, name, x, box.top + 27 * unit, round(30 * unit), room, colour, least=round(26 * unit))
    canvas.write(species_name(seat), x, box.top + 58 * unit, round(23 * unit), mix(TEXT, looks.line, 0.4), room=room)
    if seat.tracks and not seat.out:
        _draw_store(canvas, box, seat, unit)
    right, y = box.right - 12 * unit, box.top + 151 * unit
    for says, fill in seat_plates(view, seat.seat):
        plate = draw_plate(canvas, says, right, y, fill, round(22 * unit))
        canvas.mark("plate", str(seat.seat), says, plate)
        right = plate.left - 6 * unit


def _draw_store(canvas: Canvas, box: Box, seat: SeatView, unit: float) -> None:
    """Each resource with what comes in; below, discs, colony ships and technologies."""
    y, width = box.top + 106 * unit, (box.width - 24 * unit) / 3
    for k, track in enumerate(seat.tracks):
        sign = canvas.put(look.kind(track.kind, round(31 * unit)), box.left + 14 * unit + k * width, y - 15 * unit)
        stored = canvas.write(str(track.stored), sign.right + 6 * unit, y, round(32 * unit), TEXT, text.Font.BOLD)
        net = track.income - (seat.upkeep if track.kind == "money" else 0)
        colour = DANGER if net < 0 else MUTED
        shown = canvas.write(f"{net:+d}", stored.right + 5 * unit, y, round(23 * unit), colour)
        canvas.mark(
            "stored", f"{seat.seat}.{track.kind}", f"{track.stored}{net:+d}", Box(sign.left, y, shown.right, y + 1)
        )
    size, ink = round(26 * unit), mix(INK, TEXT, 0.7)
    counts = {"disc": seat.discs, "capsule": seat.colony_ships, "atom": sum(len(ids) for _, ids in seat.technologies)}
    x, y = box.left + 16 * unit, box.top + 151 * unit
    for sign_, count in counts.items():
        shown = draw_stat(canvas, Stat(sprites.sprite(sign_, round(25 * unit), ink), str(count)), x, y, size)
        canvas.mark(f"{sign_}s", str(seat.seat), str(count), shown)
        x = shown.right + 16 * unit
