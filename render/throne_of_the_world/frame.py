"""What all pictures of this game share: their width, the line at the top."""

from collections.abc import Mapping

from rules.throne_of_the_world.views import View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import GOLD, MUTED, PANEL, RGB
from ..panels import write_fitting
from . import look
from .wording import say, turn_words, words

WIDTH = 800
GAP = 8
HEAD_HEIGHT = 92


def draw_head(canvas: Canvas, view: View, names: Mapping[int, str], title: str) -> None:
    """Whose turn it is, the phase, the action points left; or who has won and how."""
    canvas.plate(Box(0, 0, WIDTH, HEAD_HEIGHT), 0, PANEL)
    x, right = 14.0, WIDTH - 16.0
    shown = view.winners[0] if view.winners else view.active
    if shown is not None:
        x = canvas.put(look.emblem(view.seats[shown], 64), x, (HEAD_HEIGHT - 64) / 2).right + 14
    if view.active is not None and view.phase == "play":
        right = _points(canvas, view.seats[view.active].points, right) - 16
    said = turn_words(view, names)
    box = write_fitting(canvas, said, x, 32, 36, right - x, least=30)
    canvas.mark("turn", "", said, box)
    below = f"Round {view.round}"
    if view.victory:
        below = f"{below} · {say('victory', view.victory)}"
    elif view.active is None:
        below = words().say("title")
    box = canvas.write(below, x, 70, 25, GOLD if view.victory else MUTED, room=WIDTH - 16 - x)
    canvas.mark("round", "", below, box)
    if title:
        canvas.write(title, WIDTH - 16, 70, 25, MUTED, anchor="r", room=max(40.0, WIDTH - 36 - box.right))


def _points(canvas: Canvas, points: int, right: float) -> float:
    """Action points left, at the right; returns where they begin."""
    box = canvas.write(str(points), right, 34, 40, GOLD if points else MUTED, text.Font.BOLD, anchor="r")
    canvas.mark("points", "", str(points), box)
    sign = canvas.centred(sprites.sprite("bolt", 38, GOLD if points else MUTED), Point(box.left - 22, 34))
    return sign.left


def draw_plate(canvas: Canvas, says: str, right: float, y: float, fill: RGB, ink: RGB) -> Box:
    """A small label in a rounded box, up to `right`."""
    width = text.width(says, 21, text.Font.BOLD) + 18
    box = Box(round(right - width), y - 15, round(right), y + 15)
    canvas.plate(box, 9, fill)
    canvas.write(says, box.centre.x, y, 21, ink, text.Font.BOLD, anchor="m")
    return box
