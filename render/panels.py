"""Pieces of layout that every game's pictures share: rows of signs with numbers, bars, pips."""

from typing import NamedTuple

from . import sprites, text
from .canvas import Canvas
from .geometry import Box, Point
from .palette import MUTED, PANEL, PANEL_EDGE, RGB, TEXT
from .sprites import Sprite


class Stat(NamedTuple):
    """A sign and what stands beside it."""

    sign: Sprite
    says: str
    colour: RGB = TEXT


def stat_width(stat: Stat, size: int, gap: int = 4) -> float:
    """How wide a stat will be."""
    return stat.sign.width + (gap + text.width(stat.says, size, text.Font.BOLD) if stat.says else 0)


def draw_stat(canvas: Canvas, stat: Stat, x: float, y: float, size: int, gap: int = 4) -> Box:
    """A sign with its number, vertically around y, from x on."""
    sign = canvas.put(stat.sign, x, y - stat.sign.height / 2)
    if not stat.says:
        return sign
    words = canvas.write(stat.says, x + stat.sign.width + gap, y, size, stat.colour, text.Font.BOLD)
    return Box(sign.left, min(sign.top, words.top), words.right, max(sign.bottom, words.bottom))


def spread_stats(canvas: Canvas, stats: list[Stat], box: Box, size: int, widest_gap: float = 22) -> None:
    """Several stats in a row from the box's left edge, evenly spaced, the numbers smaller if there is no room."""
    while True:
        widths = [stat_width(stat, size) for stat in stats]
        gap = min(widest_gap, (box.width - sum(widths)) / max(1, len(stats) - 1))
        if gap >= 8 or size <= 16:
            break
        size -= 1
    x = box.left
    for stat, width in zip(stats, widths, strict=True):
        draw_stat(canvas, stat, x, box.centre.y, size)
        x += width + gap


def pips(canvas: Canvas, filled: int, of: int, at: Point, size: int, colour: RGB) -> Box:
    """`filled` of `of` dots, the last one's right edge at the point."""
    pitch = size + size // 3
    left = at.x - of * pitch + size // 3
    for k in range(of):
        shape = sprites.sprite("disc", size, colour) if k < filled else sprites.hoop(size, MUTED, 2)
        canvas.put(shape, left + k * pitch, at.y - size / 2)
    return Box(left, at.y - size / 2, at.x, at.y + size / 2)


def write_fitting(
    canvas: Canvas,
    says: str,
    x: float,
    y: float,
    size: int,
    room: float,
    colour: RGB = TEXT,
    font: text.Font = text.Font.BOLD,
    anchor: str = "l",
    least: int = 20,
) -> Box:
    """A line of text, smaller when there is little room, and cut when it still does not fit."""
    shown = text.clean(says)
    while size > least and text.width(shown, size, font) > room:
        size -= 1
    return canvas.write(shown, x, y, size, colour, font, anchor=anchor, room=room)


def panel(canvas: Canvas, box: Box, edge: RGB = PANEL_EDGE, fill: RGB = PANEL, rim: int = 2) -> None:
    """The usual ground for a group of facts."""
    canvas.plate(box, 12, fill, edge, rim)
