"""An attack or demand with its settlement so far, and what the victim has to settle it with."""

from collections.abc import Mapping

from rules.throne_of_the_world.views import View

from ..canvas import Canvas, Picture
from ..geometry import Box
from ..palette import MUTED
from .alt import attack_alt
from .conflict import draw_going_on, going_on_height
from .frame import GAP, HEAD_HEIGHT, WIDTH
from .seats import TEAM_HEIGHT, draw_seat, draw_team, seat_height


def attack(view: View, *, names: Mapping[int, str]) -> Picture:
    """The attack or demand under way; a plain note when there is none."""
    return draw_attack_picture(view, names).picture("attack.png", attack_alt(view, names))


def draw_attack_picture(view: View, names: Mapping[int, str]) -> Canvas:
    """The attack before it is encoded."""
    found = view.attack or view.demand
    if found is None:
        canvas = Canvas(WIDTH, HEAD_HEIGHT)
        canvas.write("No attack under way", WIDTH / 2, HEAD_HEIGHT / 2, 34, MUTED, anchor="m")
        return canvas
    victim = view.seats[found.victim]
    top = going_on_height(view) + GAP
    team = TEAM_HEIGHT + GAP if view.teams else 0
    bottom = top + team + seat_height(victim)
    canvas = Canvas(WIDTH, bottom + GAP)
    draw_going_on(canvas, view, names, 0)
    if team:
        draw_team(canvas, view, victim.team, Box(GAP, top, WIDTH - GAP, top + TEAM_HEIGHT))
    draw_seat(canvas, Box(GAP, top + team, WIDTH - GAP, bottom), view, victim, names)
    return canvas
