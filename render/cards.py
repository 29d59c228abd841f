"""Playing cards with ends of text."""

from typing import NamedTuple

from . import sprites, text
from .canvas import Canvas
from .geometry import Box
from .palette import INK, MUTED, PANEL, PANEL_EDGE, RGB, TEXT, mix

PAD = 18
RIM = 4
WHEN_SIZE, NAME_SIZE, LIVE_SIZE, SIZE = 23, 32, 26, 23


class End(NamedTuple):
    """One end of a card: when it counts, its name, what it does, its colour, and whether it counts now."""

    when: str
    name: str
    does: str
    colour: RGB
    live: bool = True


class Line(NamedTuple):
    """A line of an end, its middle so far below the end's top."""

    below: float
    says: str
    size: int
    part: str


def lines_of(end: End, width: float) -> list[Line]:
    """How the end's texts are set on a card of this width."""
    room = width - 2 * (PAD + RIM)
    lines = [Line(26, text.fit(end.when, WHEN_SIZE, room, text.Font.BOLD), WHEN_SIZE, "when")]
    below = 62.0
    for says in text.wrap(end.name, NAME_SIZE, room, text.Font.BOLD, 2):
        lines.append(Line(below, says, NAME_SIZE, "name"))
        below += 36
    size = LIVE_SIZE if end.live else SIZE
    for says in text.wrap(end.does, size, room) if end.does else ():
        lines.append(Line(below + 1, says, size, "does"))
        below += size + 5
    return lines


def height_of(end: End, width: float) -> float:
    """How high the end must be for its texts."""
    last = lines_of(end, width)[-1]
    return last.below + last.size / 2 + PAD


def heights(cards: list[tuple[End, ...]], width: float) -> list[float]:
    """The heights of the first ends, the second ends and so on that do for all these cards."""
    return [max(height_of(end, width) for end in ends) for ends in zip(*cards, strict=True)]


def draw_card(canvas: Canvas, box: Box, ends: tuple[End, ...], sizes: list[float], count: int = 1) -> None:
    """A card with its ends, of these heights, below each other; several identical ones as a stack with their number."""
    for k in reversed(range(1, min(count, 3))):
        behind = Box(box.left + 6 * k, box.top - 6 * k, box.right + 6 * k, box.bottom - 6 * k)
        canvas.plate(behind, 14, mix(PANEL, INK, 0.15 * k), PANEL_EDGE)
    live = next((end for end in ends if end.live), None)
    canvas.plate(box, 14, PANEL, live.colour if live else PANEL_EDGE, 3 if live else 2)
    top = box.top + RIM
    for end, height in zip(ends, sizes, strict=True):
        _end(canvas, Box(box.left + RIM, top, box.right - RIM, top + height), end)
        top += height
    if count > 1:
        plate = canvas.put(sprites.plate(64, 40, 20, TEXT), box.right - 78, box.bottom - 28)
        canvas.mark("count", "", str(count), plate)
        canvas.write(f"×{count}", plate.centre.x, plate.centre.y, 28, INK, text.Font.BOLD, anchor="m")


def _end(canvas: Canvas, box: Box, end: End) -> None:
    canvas.plate(box, 11, mix(PANEL, end.colour, 0.16) if end.live else mix(PANEL, INK, 0.35))
    soft = mix(MUTED, PANEL, 0.2)
    colours = {"when": end.colour, "name": TEXT, "does": mix(TEXT, MUTED, 0.35)}
    if not end.live:
        colours = {"when": soft, "name": MUTED, "does": soft}
    for line in lines_of(end, box.width + 2 * RIM):
        font = text.Font.MEDIUM if line.part == "does" else text.Font.BOLD
        canvas.write(line.says, box.left + PAD, box.top + line.below, line.size, colours[line.part], font)
