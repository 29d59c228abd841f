"""What the signs in the galaxy mean, in one line."""

from .. import sprites
from ..canvas import Canvas
from ..geometry import Point
from ..palette import MUTED, TEXT
from . import look, tiles

LEGEND_HEIGHT = 40


def draw_legend(canvas: Canvas, top: float, unit: float) -> None:
    """Signs with their meaning, spread over the width."""
    side, size = round(27 * unit), round(20 * unit)
    entries = [
        (look.kind("money", side), "money"),
        (look.kind("science", side), "science"),
        (look.kind("materials", side), "materials"),
        (look.kind("gray", side), "any"),
        (sprites.sprite("star", round(side * 0.8), TEXT), "advanced"),
        (tiles.feature("discovery", side), "discovery"),
        (tiles.feature("relic", side), "artifact"),
        (tiles.feature("slab", side), "Monolith"),
        (look.kind("orbital", side), "Orbital"),
    ]
    width = (canvas.box.width - 24 * unit) / len(entries)
    for k, (sign, says) in enumerate(entries):
        x = 16 * unit + k * width
        y = top + LEGEND_HEIGHT * unit / 2
        canvas.centred(sign, Point(x + side / 2, y))
        canvas.write(says, x + side + 6 * unit, y, size, MUTED)
