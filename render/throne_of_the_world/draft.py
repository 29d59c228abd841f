"""The race cards that the viewer may choose from."""

from collections.abc import Mapping

from rules.throne_of_the_world.components import RACES
from rules.throne_of_the_world.views import View

from .. import sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import MUTED, PANEL, TEXT, ink_on, mix
from ..panels import write_fitting
from . import look
from .alt import draft_alt
from .frame import GAP, HEAD_HEIGHT, WIDTH
from .wording import name_of, say, words

SIGN = 120
SIZE, LINE = 27, 33
NAME_HEIGHT = 60
POWER_GAP = 9
ROOM = WIDTH - 2 * GAP - SIGN - 40


def draft(view: View, *, names: Mapping[int, str]) -> Picture:
    """The viewer's race cards; a plain note when there are none."""
    return draw_draft(view, names).picture("draft.png", draft_alt(view))


def draw_draft(view: View, names: Mapping[int, str]) -> Canvas:
    """The race cards before they are encoded."""
    heights = [race_height(race) for race in view.draft]
    canvas = Canvas(WIDTH, HEAD_HEIGHT + GAP + sum(heights) + GAP * len(heights))
    canvas.plate(Box(0, 0, WIDTH, HEAD_HEIGHT), 0, PANEL)
    says = "Choose your race" if view.draft else "No races to choose from"
    canvas.write(says, 20, 32, 36, TEXT, text.Font.BOLD)
    if view.viewer is not None:
        write_fitting(canvas, name_of(view, names, view.viewer), 20, 70, 25, WIDTH - 40, MUTED, text.Font.MEDIUM)
    top = HEAD_HEIGHT + GAP
    for race, height in zip(view.draft, heights, strict=True):
        _draw_race(canvas, Box(GAP, top, WIDTH - GAP, top + height), view, race)
        top += height + GAP
    return canvas


def lines_of(race: str) -> list[tuple[str, bool]]:
    """The powers in lines: a name in bold, then what it does; last whether the figures are our own."""
    found: list[tuple[str, bool]] = []
    for power in RACES[race].powers:
        found.append((say("power", power.id), True))
        does = say("power_text", power.id)
        found += [(line, False) for line in text.wrap(does[:1].upper() + does[1:], SIZE, ROOM)]
    if RACES[race].reconstructed:
        found += [(line, False) for line in text.wrap(words().say("reconstructed"), SIZE, ROOM)]
    return found


def race_height(race: str) -> int:
    """How high a race card must be."""
    return NAME_HEIGHT + LINE * len(lines_of(race)) + POWER_GAP * len(RACES[race].powers) + 20


def _draw_race(canvas: Canvas, box: Box, view: View, race: str) -> None:
    looks = look.seat_look(view.seats[view.viewer or 0])
    rgb = looks.rgb
    canvas.plate(box, 14, mix(PANEL, rgb, 0.1), rgb, 3)
    canvas.mark("race", "", race, box)
    badge = sprites.badge(looks.ground, look.race_sign(race), 96, rgb, ink_on(rgb), PANEL)
    canvas.centred(badge, Point(box.left + 12 + SIGN / 2, box.top + 72))
    x, y = box.left + SIGN + 26, box.top + 38.0
    canvas.write(say("race", race), x, y, 38, TEXT, text.Font.BOLD)
    y += 42
    for line, name in lines_of(race):
        colour = mix(TEXT, rgb, 0.4) if name else mix(TEXT, MUTED, 0.4)
        y += POWER_GAP if name else 0
        canvas.write(line, x, y, SIZE, colour, text.Font.BOLD if name else text.Font.MEDIUM)
        y += LINE
