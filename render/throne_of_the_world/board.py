"""The table: whose turn it is, what is going on, the trading area, the players with their sets."""

from collections.abc import Collection, Mapping

from rules.throne_of_the_world.views import View

from .. import sprites
from ..canvas import Canvas, Picture
from ..geometry import Box
from ..palette import CHANGED, TARGET
from .alt import board_alt
from .area import AREA_HEIGHT, draw_area
from .conflict import draw_going_on, going_on_height
from .frame import HEAD_HEIGHT, WIDTH, draw_head
from .seats import cells, draw_seats, layout


def board(
    view: View,
    *,
    names: Mapping[int, str],
    ringed: Collection[str] = (),
    changed: Collection[str] = (),
    title: str = "",
) -> Picture:
    """The table for this view. Places are sets: `1.farmers`; `ringed` can be chosen, `changed` have just changed."""
    return draw_board(view, names, ringed, changed, title).picture("board.png", board_alt(view, names))


def draw_board(
    view: View, names: Mapping[int, str], ringed: Collection[str], changed: Collection[str], title: str
) -> Canvas:
    """The table before it is encoded."""
    top = HEAD_HEIGHT + going_on_height(view)
    area = AREA_HEIGHT if view.area else 0
    canvas = Canvas(WIDTH, round(layout(view, top + area).bottom))
    draw_head(canvas, view, names, title)
    draw_going_on(canvas, view, names, HEAD_HEIGHT)
    if view.area:
        draw_area(canvas, view, top)
    places = cells(view, draw_seats(canvas, view, names, top + area))
    for place in sorted(set(changed) & set(places)):
        _ring(canvas, "changed", place, places[place])
    for place in sorted(set(ringed) & set(places)):
        _ring(canvas, "ringed", place, places[place])
    return canvas


def _ring(canvas: Canvas, kind: str, place: str, box: Box) -> None:
    """A line around a set: only its corners where it can be chosen."""
    colour, gap, rim, gaps = (TARGET, 4, 6, True) if kind == "ringed" else (CHANGED, 1, 4, False)
    frame = sprites.frame(round(box.width) + 2 * gap, round(box.height) + 2 * gap, 13, colour, rim, gaps)
    canvas.mark(kind, place, "", canvas.put(frame, box.left - gap, box.top - gap))
