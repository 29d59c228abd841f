"""The line at the top of a picture, and small plates with a word."""

from collections.abc import Mapping

from rules.eclipse.views import View

from .. import text
from ..canvas import Canvas
from ..geometry import Box
from ..palette import DANGER, GOLD, MUTED, PANEL, RGB, TEXT, ink_on, mix
from ..panels import write_fitting
from . import look
from .wording import name_of, say, species_name, turn_words

WIDTH = 1200
"""The width of all pictures but the galaxy."""
GAP = 10
HEAD_HEIGHT = 92


def draw_plate(canvas: Canvas, says: str, right: float, y: float, fill: RGB, size: int = 22) -> Box:
    """A small label in a rounded box, up to `right`."""
    width = text.width(says, size, text.Font.BOLD) + size * 0.8
    box = Box(round(right - width), round(y - size * 0.7), round(right), round(y + size * 0.7))
    canvas.plate(box, round(size * 0.4), fill)
    canvas.write(says, box.centre.x, box.centre.y, size, ink_on(fill), text.Font.BOLD, anchor="m")
    return box


def draw_head(canvas: Canvas, view: View, names: Mapping[int, str], title: str, unit: float) -> None:
    """Whose turn it is and what for, round and phase; or who has won."""
    width, height = canvas.box.width, HEAD_HEIGHT * unit
    canvas.plate(Box(0, 0, width, round(height)), 0, PANEL)
    x = 16 * unit
    shown = view.winners[0] if view.winners else None if view.battle else view.active
    if shown is not None:
        seat = view.seats[shown]
        side = round(64 * unit)
        x = canvas.put(look.emblem(look.of(seat.colour, seat.species), side), x, (height - side) / 2).right + 14 * unit
    says = turn_words(view, names)
    right = width - 16 * unit
    if title:
        right = canvas.write(title, right, height / 2, round(26 * unit), MUTED, anchor="r", room=width * 0.3).left - 20
    colour = GOLD if view.winners else TEXT
    box = write_fitting(canvas, says, x, height * 0.34, round(36 * unit), right - x, colour, least=round(28 * unit))
    canvas.mark("turn", "", says, box)
    below = f"Round {view.round} of {view.rounds} · {say('phase', view.phase)}"
    box = canvas.write(below, x, height * 0.75, round(26 * unit), MUTED, room=right - x)
    canvas.mark("round", "", below, box)


def draw_title(canvas: Canvas, view: View, seat: int, names: Mapping[int, str], right: float) -> None:
    """The line at the top of a player's board; `right`: how far it may reach."""
    canvas.plate(Box(0, 0, canvas.box.width, HEAD_HEIGHT), 0, PANEL)
    one = view.seats[seat]
    looks = look.of(one.colour, one.species)
    sign = canvas.put(look.emblem(looks, 68, bool(one.out)), 14, HEAD_HEIGHT / 2 - 34)
    x = sign.right + 16
    name = write_fitting(canvas, name_of(view, names, seat), x, 33, 38, right - x, least=28)
    canvas.mark("name", str(seat), name_of(view, names, seat), name)
    canvas.write(species_name(one), x, 72, 26, mix(TEXT, looks.line, 0.4), room=right - x)


def seat_plates(view: View, seat: int) -> list[tuple[str, RGB]]:
    """What is to be said about a seat in a word."""
    one = view.seats[seat]
    found: list[tuple[str, RGB]] = []
    if view.start == seat:
        found.append(("1st", TEXT))
    if view.following == seat and view.phase != "over":
        found.append(("1st next", mix(PANEL, TEXT, 0.55)))
    if one.passed and view.phase == "action":
        found.append(("passed", mix(PANEL, TEXT, 0.3)))
    if one.traitor:
        found.append(("traitor", DANGER))
    if one.out:
        found.append((one.out.replace("_", " "), DANGER))
    return found
