"""Playing cards with up to two ends of text."""

from typing import NamedTuple

from . import sprites, text
from .canvas import Canvas
from .geometry import Box
from .palette import INK, MUTED, PANEL, PANEL_EDGE, RGB, TEXT, mix

PAD = 16


class End(NamedTuple):
    """One end of a card: when it counts, its name, what it does, its colour, and whether it counts now."""

    when: str
    name: str
    does: str
    colour: RGB
    live: bool = True


def draw_card(canvas: Canvas, box: Box, ends: tuple[End, ...], count: int = 1) -> None:
    """A card with its ends below each other; several identical ones as a stack with their number."""
    for k in reversed(range(1, min(count, 3))):
        behind = Box(box.left + 7 * k, box.top - 7 * k, box.right + 7 * k, box.bottom - 7 * k)
        canvas.plate(behind, 14, mix(PANEL, INK, 0.15 * k), PANEL_EDGE)
    live = next((end for end in ends if end.live), None)
    canvas.plate(box, 14, PANEL, live.colour if live else PANEL_EDGE, 3 if live else 2)
    height = (box.height - 8) / len(ends)
    for k, end in enumerate(ends):
        top = box.top + 4 + k * height
        _end(canvas, Box(box.left + 4, top, box.right - 4, top + height), end)
    if count > 1:
        _count(canvas, box, count)


def _end(canvas: Canvas, box: Box, end: End) -> None:
    fill = mix(PANEL, end.colour, 0.16) if end.live else mix(PANEL, INK, 0.35)
    canvas.plate(box, 11, fill)
    ink, soft = (TEXT, mix(TEXT, MUTED, 0.35)) if end.live else (MUTED, mix(MUTED, INK, 0.25))
    x, room = box.left + PAD, box.width - 2 * PAD
    canvas.write(end.when, x, box.top + 24, 20, end.colour if end.live else soft, text.Font.BOLD, room=room)
    y = box.top + 56
    for line in text.wrap(end.name, 28, room, text.Font.BOLD, 2):
        canvas.write(line, x, y, 28, ink, text.Font.BOLD)
        y += 32
    left = int((box.bottom - y - 4) // 27) + 1
    for line in text.wrap(end.does, 22, room, lines=max(1, left)):
        canvas.write(line, x, y + 4, 22, soft)
        y += 27


def _count(canvas: Canvas, box: Box, count: int) -> None:
    plate = canvas.put(sprites.plate(64, 40, 20, TEXT), box.right - 74, box.top - 12)
    canvas.write(f"×{count}", plate.centre.x, plate.centre.y, 28, INK, text.Font.BOLD, anchor="m")
