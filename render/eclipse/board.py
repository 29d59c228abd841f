"""The galaxy, whose turn it is, the players; and below what is going on: a battle, a purchase, a hex being placed."""

from collections.abc import Collection, Mapping

from rules.eclipse.views import View

from ..canvas import Canvas, Picture
from . import galaxy, look
from .alt import battle_alt, board_alt, placement_alt, plans_alt, scores_alt, supply_alt
from .battle import draw_battle
from .blueprints import draw_plans
from .gatherings import LINE, draw_gatherings, rows_of
from .head import HEAD_HEIGHT, WIDTH, draw_head
from .legend import LEGEND_HEIGHT, draw_legend
from .placement import draw_placement
from .scores import draw_scores, ranking
from .seats import draw_seats, seats_height
from .supply import buyer, draw_supply

MOST_PIXELS, MOST_HEIGHT = 3_900_000, 2750
"""A higher picture is shown too small in a chat."""


def board(
    view: View,
    *,
    names: Mapping[int, str],
    ringed: Collection[str] = (),
    changed: Collection[str] = (),
    title: str = "",
) -> Picture:
    """The galaxy for this view. Places are hexes and unexplored spaces: `1,-2`."""
    return draw_board(view, names, ringed, changed, title).picture(
        "board.png", board_alt(view, names, going_on_alt(view, names))
    )


def draw_board(
    view: View, names: Mapping[int, str], ringed: Collection[str], changed: Collection[str], title: str
) -> Canvas:
    """The galaxy before it is encoded, with hexes as large as the most pixels allow; what is going on takes the place
    of the players."""
    looks = look.seats(view)
    spaces = galaxy.shown_spaces(view, ringed)
    places = [*(hex_.place for hex_ in view.hexes), *(space.place for space in spaces)]
    below = going_on(view, names)
    rows = rows_of(view, looks, WIDTH)
    panels = 0 if below else LEGEND_HEIGHT + seats_height(len(view.seats))
    for size in galaxy.SIZES:
        land = galaxy.land_of(places, size, 0, WIDTH)
        unit = land.width / WIDTH
        fixed = (HEAD_HEIGHT + LINE * len(rows) + panels) * unit
        added = sum(other.box.height * land.width / other.box.width for other in below)
        height = land.height + fixed + added
        if land.width * height <= MOST_PIXELS and height <= MOST_HEIGHT:
            break
    top = round(HEAD_HEIGHT * unit)
    land = galaxy.land_of(places, size, top, WIDTH)
    canvas = Canvas(land.width, round(fixed) + land.height)
    draw_head(canvas, view, names, title, unit)
    galaxy.draw_galaxy(canvas, view, looks, land, spaces)
    galaxy.draw_rings(canvas, land, places, ringed, changed)
    y = top + land.height
    draw_gatherings(canvas, rows, y, unit)
    y += round(LINE * len(rows) * unit)
    if panels:
        draw_legend(canvas, y, unit)
        draw_seats(canvas, view, names, y + LEGEND_HEIGHT * unit, unit)
    for other in below:
        canvas.below(other)
    return canvas


def going_on(view: View, names: Mapping[int, str]) -> list[Canvas]:
    """What is shown below the galaxy at this moment."""
    if view.phase == "over":
        return [draw_scores(view, names)]
    if view.battle is not None:
        return [draw_battle(view, names)]
    if view.turned:
        return [draw_placement(view)]
    if view.action == "research":
        return [draw_supply(view, names, parts=False)]
    if view.action == "upgrade" and view.active is not None:
        return [draw_plans(view.seats[view.active])]
    return []


def going_on_alt(view: View, names: Mapping[int, str]) -> str:
    """The same in words."""
    if view.phase == "over":
        return scores_alt(view, ranking(view), names)
    if view.battle is not None:
        return battle_alt(view, names)
    if view.turned:
        return placement_alt(view)
    if view.action == "research":
        return supply_alt(view, buyer(view), names)
    return plans_alt(view.seats[view.active]) if view.action == "upgrade" and view.active is not None else ""
