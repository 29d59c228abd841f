"""The rolls of a battle: a line for each volley, with what every die hit."""

from rules.eclipse.components import TILES
from rules.eclipse.views import BattleView, DieView, View, VolleyView

from .. import dice, sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import GOLD, GOOD, INK, MUTED, PANEL, PANEL_EDGE, TEXT, mix
from ..panels import panel
from . import look
from .head import GAP, WIDTH

MOST = 6
"""So many volleys are shown, the last ones."""
ON_A_LINE = 14
LINE, MISSED = 92, 66
EARLIER = 40
LEFT = 206
DIE = 46


def shown_volleys(fight: BattleView) -> list[VolleyView]:
    """The last volleys, the newest at the end."""
    return list(fight.volleys[-MOST:])


def _height(volley: VolleyView) -> int:
    lines = max(1, -(-len(volley.dice) // ON_A_LINE))
    return MISSED if lines == 1 and not any(die.hit for die in volley.dice) else LINE * lines


def volleys_height(fight: BattleView) -> int:
    """How high the part is; nothing before the first roll."""
    if not fight.volleys:
        return 0
    earlier = EARLIER if len(fight.volleys) > MOST else 0
    return earlier + sum(_height(volley) + GAP for volley in shown_volleys(fight))


def draw_volleys(canvas: Canvas, view: View, fight: BattleView, top: float) -> None:
    """The volleys from this height on."""
    hidden = len(fight.volleys) - len(shown_volleys(fight))
    if hidden:
        says = f"{hidden} earlier {'volley' if hidden == 1 else 'volleys'}"
        canvas.write(says, WIDTH / 2, top + EARLIER / 2 - 4, 23, MUTED, anchor="m")
        top += EARLIER
    for volley in shown_volleys(fight):
        height = _height(volley)
        _draw_volley(canvas, Box(GAP, top, WIDTH - GAP, top + height), view, fight, volley)
        top += height + GAP


def _draw_volley(canvas: Canvas, box: Box, view: View, fight: BattleView, volley: VolleyView) -> None:
    looks = _looks(view, volley.party)
    panel(canvas, box, mix(PANEL_EDGE, looks.line, 0.5))
    when = {0: "missiles", -1: "on cubes"}.get(volley.round, f"round {volley.round}")
    y = box.top + min(34, box.height / 2)
    canvas.put(look.emblem(looks, 38), box.left + 10, y - 19)
    canvas.put(look.ship(volley.ship, 38, looks), box.left + 54, y - 19)
    canvas.write(when, box.left + 100, y, 22, MUTED)
    pitch = (box.right - LEFT) / ON_A_LINE
    for k, die in enumerate(volley.dice):
        at = Point(LEFT + (k % ON_A_LINE + 0.5) * pitch, box.top + LINE * (k // ON_A_LINE) + 34)
        _draw_die(canvas, at, view, fight, volley, die)
    says = " ".join(f"{die.roll}{'!' if die.hit else ''}" for die in volley.dice)
    canvas.mark("volley", f"{volley.round}.{volley.party}.{volley.ship}", says, box)


def _looks(view: View, party: int | str) -> look.SeatLook:
    return look.NOBODY if isinstance(party, str) else look.of(view.seats[party].colour, view.seats[party].species)


def _draw_die(canvas: Canvas, at: Point, view: View, fight: BattleView, volley: VolleyView, die: DieView) -> None:
    """A die: bright with what it hit below it, or faded."""
    colour = look.die_colour(die.damage)
    if not die.hit:
        canvas.centred(dice.die(die.roll, DIE - 6, mix(PANEL, colour, 0.4), mix(PANEL, INK, 0.7)), at)
        return
    canvas.centred(sprites.plate(DIE + 10, DIE + 10, 12, PANEL, TEXT, 3), at)
    canvas.centred(dice.die(die.roll, DIE, colour, INK if die.damage < 4 else TEXT), at)
    below = Point(at.x, at.y + 42)
    if die.target is None:
        return
    if volley.round < 0:
        square = TILES[fight.number].squares[die.target] if die.target < len(TILES[fight.number].squares) else None
        name, advanced = (square.kind, square.advanced) if square else ("orbital", False)
        canvas.centred(look.square(name, advanced, 26), below)
        return
    target = fight.ships[die.target]
    number = sum(one.party == target.party and one.ship == target.ship for one in fight.ships[: die.target + 1])
    sign = canvas.centred(look.ship(target.ship, 26, _looks(view, target.party)), Point(below.x - 10, below.y))
    canvas.write(str(number), sign.right + 3, below.y, 22, GOLD if target.fallen else GOOD, text.Font.BOLD)
    canvas.mark("hit", f"{die.target}", str(die.damage), sign)
