"""The list below the galaxy: who has which ships in the hexes where too many meet to be shown."""

from rules.eclipse.views import View

from .. import text
from ..canvas import Canvas
from ..geometry import Box
from ..palette import MUTED, PANEL, TEXT
from . import look
from .fleets import Fleet, crowded
from .galaxy import Looks, fleets_of

LINE = 46
EDGE, NAME = 18, 66


def rows_of(view: View, looks: Looks, width: float) -> list[list[tuple[str, Fleet]]]:
    """The fleets of crowded hexes, as many on a line as fit; a line tells of one hex."""
    rows: list[list[tuple[str, Fleet]]] = []
    for hex_ in view.hexes:
        fleets = fleets_of(hex_, looks)
        x = width
        for fleet in fleets if crowded(fleets) else ():
            if x + _width(fleet) > width - EDGE:
                rows.append([])
                x = EDGE + NAME
            rows[-1].append((hex_.number, fleet))
            x += _width(fleet)
    return rows


def _width(fleet: Fleet) -> float:
    numbers = sum(text.width(str(count), 26, text.Font.BOLD) for _, count in fleet.ships)
    return 38 + len(fleet.ships) * 34 + numbers + 22


def draw_gatherings(canvas: Canvas, rows: list[list[tuple[str, Fleet]]], top: float, unit: float) -> None:
    """The list, from this height on."""
    if not rows:
        return
    canvas.plate(Box(8, top, canvas.box.width - 8, round(top + (LINE * len(rows) - 4) * unit)), 12, PANEL)
    said = ""
    for k, row in enumerate(rows):
        x, y = EDGE * unit, top + ((k + 0.5) * LINE - 2) * unit
        number = row[0][0]
        if number != said:
            canvas.write(number, x, y, round(26 * unit), TEXT, text.Font.BOLD)
        said = number
        x += NAME * unit
        for _, fleet in row:
            side = round(32 * unit)
            sign = canvas.put(look.emblem(fleet.looks, side), x, y - side / 2)
            left, x = x, sign.right + 6 * unit
            for kind, count in fleet.ships:
                glyph = canvas.put(look.ship(kind, round(27 * unit), fleet.looks), x, y - 13 * unit)
                colour = TEXT if count > 1 else MUTED
                x = (
                    canvas.write(str(count), glyph.right + 3, y, round(26 * unit), colour, text.Font.BOLD).right
                    + 4 * unit
                )
            canvas.mark("gathered", number, f"{fleet.owner}:{fleet}", Box(left, y - 20, x, y + 20))
            x += 18 * unit
