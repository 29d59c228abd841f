"""A sheet of statistics: facts, shares as bars, a curve, and a list of results. Every word on it is given."""

from collections.abc import Sequence
from typing import Final

import msgspec

from . import text
from .canvas import Canvas, Picture
from .geometry import Box
from .palette import CHANGED, GOLD, GOOD, MUTED, PANEL_EDGE, TEXT
from .panels import panel

WIDTH: Final = 1000
EDGE: Final = 28
GAP: Final = 20
SMALL: Final = 26
"""Pixels; Discord shows the sheet at about half its size."""
LARGE: Final = 34
LINE: Final = 44
BARS: Final = 6
ROWS: Final = 8


class Bar(msgspec.Struct, frozen=True):
    """`share` of the whole, 0 to 1, with what it is of and what it says."""

    label: str
    share: float
    says: str


class Row(msgspec.Struct, frozen=True):
    """One result; `good`: a victory."""

    left: str
    right: str
    good: bool


class Sheet(msgspec.Struct, frozen=True):
    """What is shown. `facts`: a number (in words) and what it is; `curve`: values in order; `alt`: all of it in words.
    The first bars and rows are shown, as many as there is room for."""

    title: str
    alt: str
    facts: tuple[tuple[str, str], ...]
    bars_title: str
    bars: tuple[Bar, ...]
    curve_title: str
    curve: tuple[float, ...]
    rows_title: str
    rows: tuple[Row, ...]


def sheet(shown: Sheet) -> Picture:
    """The sheet as a picture."""
    bars, rows = shown.bars[:BARS], shown.rows[:ROWS]
    middle = LINE + GAP + max(len(bars), 4) * (LINE + 12) + GAP
    height = EDGE + LINE + GAP + 110 + GAP + middle + GAP + LINE + GAP + len(rows) * LINE + 2 * EDGE
    canvas = Canvas(WIDTH, height)
    canvas.write(shown.title, EDGE, EDGE + LINE / 2, 40, TEXT, text.Font.BOLD, room=WIDTH - 2 * EDGE)
    top = EDGE + LINE + GAP
    _facts(canvas, shown.facts, Box(EDGE, top, WIDTH - EDGE, top + 110))
    top += 110 + GAP
    half = (WIDTH - 2 * EDGE - GAP) / 2
    _bars(canvas, shown.bars_title, bars, Box(EDGE, top, EDGE + half, top + middle))
    _curve(canvas, shown.curve_title, shown.curve, Box(EDGE + half + GAP, top, WIDTH - EDGE, top + middle))
    _rows(canvas, shown.rows_title, rows, Box(EDGE, top + middle + GAP, WIDTH - EDGE, height - EDGE))
    return canvas.picture("stats.png", shown.alt)


def _facts(canvas: Canvas, facts: Sequence[tuple[str, str]], box: Box) -> None:
    wide = (box.width - GAP * (len(facts) - 1)) / max(1, len(facts))
    for n, (number, what) in enumerate(facts):
        left = box.left + n * (wide + GAP)
        panel(canvas, Box(left, box.top, left + wide, box.bottom))
        canvas.write(number, left + wide / 2, box.top + 40, 42, GOLD, text.Font.BOLD, anchor="m", room=wide - 16)
        canvas.write(what, left + wide / 2, box.top + 84, SMALL, MUTED, anchor="m", room=wide - 16)


def _titled(canvas: Canvas, title: str, box: Box) -> Box:
    """A panel with a title; the room below it."""
    panel(canvas, box)
    canvas.write(title, box.left + 16, box.top + 30, LARGE, TEXT, text.Font.BOLD, room=box.width - 32)
    return Box(box.left + 16, box.top + LINE + GAP, box.right - 16, box.bottom - GAP)


def _bars(canvas: Canvas, title: str, bars: Sequence[Bar], box: Box) -> None:
    room = _titled(canvas, title, box)
    for n, bar in enumerate(bars):
        y = room.top + n * (LINE + 12)
        wide = text.width(bar.says, SMALL, text.Font.BOLD)
        canvas.write(bar.label, room.left, y + 14, SMALL, TEXT, room=room.width - wide - 12)
        canvas.write(bar.says, room.right, y + 14, SMALL, TEXT, text.Font.BOLD, anchor="r")
        canvas.pen.rounded_rectangle((room.left, y + 32, room.right, y + 42), 5, fill=PANEL_EDGE)
        if bar.share > 0:
            right = room.left + max(10.0, room.width * bar.share)
            canvas.pen.rounded_rectangle((room.left, y + 32, right, y + 42), 5, fill=GOOD)


def _curve(canvas: Canvas, title: str, curve: Sequence[float], box: Box) -> None:
    room = _titled(canvas, title, box)
    if not curve:
        return
    low, high = min(curve), max(curve)
    spread = max(high - low, 1.0)
    widest = max(text.width(f"{round(value)}", SMALL) for value in (low, high))
    left, top, bottom = room.left + widest + 14, room.top + 14, room.bottom - 14
    for value in sorted({round(low), round(high)}):
        y = bottom - (min(max(value, low), high) - low) / spread * (bottom - top)
        canvas.pen.line((left, y, room.right, y), fill=PANEL_EDGE, width=2)
        canvas.write(f"{value}", left - 10, y, SMALL, MUTED, anchor="r")
    step = (room.right - left - 16) / max(1, len(curve) - 1)
    points = [(left + 8 + n * step, bottom - (value - low) / spread * (bottom - top)) for n, value in enumerate(curve)]
    if len(points) > 1:
        canvas.pen.line(points, fill=CHANGED, width=4, joint="curve")
    x, y = points[-1]
    canvas.pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=GOLD)


def _rows(canvas: Canvas, title: str, rows: Sequence[Row], box: Box) -> None:
    room = _titled(canvas, title, box)
    for n, row in enumerate(rows):
        y = room.top + n * LINE + LINE / 2
        colour = GOLD if row.good else MUTED
        canvas.pen.ellipse((room.left, y - 8, room.left + 16, y + 8), fill=colour if row.good else None, outline=colour)
        wide = text.width(row.right, SMALL)
        canvas.write(row.left, room.left + 30, y, SMALL, TEXT, room=room.width - wide - 46)
        canvas.write(row.right, room.right, y, SMALL, colour, anchor="r")
