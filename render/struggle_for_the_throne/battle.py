"""A battle as its pairs: units, cards, dice, bonuses, totals, winners."""

from collections.abc import Mapping
from typing import NamedTuple

from rules.struggle_for_the_throne.views import BattleView, CombatView, View

from .. import dice, sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import DANGER, INK, MUTED, PANEL, PANEL_EDGE, SPACE, TEXT, mix, shade
from .alt import battle_alt
from .look import House, emblem, houses, unit
from .seats import name_of
from .wording import card_name, end_of, unit_name

WIDTH = 1200
MIDDLE = WIDTH / 2
HEAD_HEIGHT = 130
ROW_HEIGHT, LOW_ROW_HEIGHT = 128, 80
#: with more pairs than this the rows are lower
HIGH_ROWS = 6
GAP = 10
DIE = 58


class Side(NamedTuple):
    """One unit of a pair with all that counts for it."""

    seat: int
    looks: House
    unit: str
    card: str
    dice: tuple[int, ...]
    bonus: int
    won: bool | None

    @property
    def total(self) -> int:
        return sum(self.dice) + self.bonus


def battle(view: View, *, names: Mapping[int, str]) -> Picture:
    """The battle under way, else the last one; a plain note when there is none."""
    return draw_battle(view, names).picture("battle.png", battle_alt(view, names))


def draw_battle(view: View, names: Mapping[int, str]) -> Canvas:
    """The battle before it is encoded."""
    fight = view.battle or view.fought
    if fight is None:
        canvas = Canvas(WIDTH, HEAD_HEIGHT)
        canvas.write("No battle under way", MIDDLE, HEAD_HEIGHT / 2, 34, MUTED, anchor="m")
        return canvas
    combats = fight.combats
    hidden = max(0, fight.size - len(combats)) if view.battle else 0
    high = ROW_HEIGHT if len(combats) <= HIGH_ROWS else LOW_ROW_HEIGHT
    bottom = HEAD_HEIGHT + GAP + len(combats) * (high + GAP)
    canvas = Canvas(WIDTH, bottom + (LOW_ROW_HEIGHT + GAP if hidden else 0))
    looks = houses(view)
    _draw_head(canvas, view, fight, names, looks)
    for k, pair in enumerate(combats):
        _draw_pair(canvas, HEAD_HEIGHT + GAP + k * (high + GAP), high, k, fight, pair, looks)
    if hidden:
        words = f"{hidden} more {'pair' if hidden == 1 else 'pairs'} not laid open yet"
        canvas.plate(Box(GAP, bottom, WIDTH - GAP, bottom + LOW_ROW_HEIGHT), 14, mix(SPACE, PANEL, 0.5), PANEL_EDGE)
        canvas.write(words, MIDDLE, bottom + LOW_ROW_HEIGHT / 2, 28, MUTED, anchor="m")
        canvas.mark("hidden", "", str(hidden), canvas.box)
    return canvas


def _draw_head(
    canvas: Canvas, view: View, fight: BattleView, names: Mapping[int, str], looks: Mapping[int, House]
) -> None:
    canvas.plate(Box(0, 0, WIDTH, HEAD_HEIGHT), 0, PANEL)
    y = HEAD_HEIGHT / 2
    canvas.centred(sprites.sprite("swords", 56, DANGER), Point(MIDDLE, y - 22))
    canvas.write(fight.planet, MIDDLE, y + 34, 32, TEXT, text.Font.BOLD, anchor="m")
    for seat, what, left in ((fight.attacker, "attacks", True), (fight.defender, "defends", False)):
        sign = emblem(looks[seat], 76)
        x = 20 if left else WIDTH - 96
        canvas.put(sign, x, y - 38)
        edge, anchor = (112.0, "l") if left else (WIDTH - 112.0, "r")
        name = name_of(view, names, seat)
        canvas.write(name, edge, y - 18, 34, TEXT, text.Font.BOLD, anchor=anchor, room=MIDDLE - 180)
        canvas.write(what, edge, y + 24, 26, MUTED, anchor=anchor)


def _sides(fight: BattleView, pair: CombatView, looks: Mapping[int, House]) -> tuple[Side, Side]:
    known = pair.winner is not None
    return (
        Side(
            fight.attacker,
            looks[fight.attacker],
            pair.attacker_unit,
            pair.attacker_card,
            pair.attacker_dice,
            pair.attacker_bonus,
            pair.winner == fight.attacker if known else None,
        ),
        Side(
            fight.defender,
            looks[fight.defender],
            pair.defender_unit,
            pair.defender_card,
            pair.defender_dice,
            pair.defender_bonus,
            pair.winner == fight.defender if known else None,
        ),
    )


def _draw_pair(
    canvas: Canvas, top: float, high: int, number: int, fight: BattleView, pair: CombatView, looks: Mapping[int, House]
) -> None:
    y = top + high / 2
    for side, left in zip(_sides(fight, pair, looks), (True, False), strict=True):
        box = Box(GAP, top, MIDDLE - 34, top + high) if left else Box(MIDDLE + 34, top, WIDTH - GAP, top + high)
        _draw_side(canvas, box, side, left)
        canvas.mark("side", str(number), f"{side.seat}:{side.unit}:{side.card}:{side.total}:{side.won}", box)
    canvas.write(str(number + 1), MIDDLE, y - (high * 0.22 if pair.winner is not None else 0), 28, MUTED, anchor="m")
    if pair.winner is not None:
        won_left = pair.winner == fight.attacker
        arrow = sprites.sprite("arrow_left" if won_left else "arrow", 34, looks[pair.winner].rgb)
        canvas.centred(arrow, Point(MIDDLE, y + high * 0.16))


def _draw_side(canvas: Canvas, box: Box, side: Side, left: bool) -> None:
    """From the outer edge to the middle: unit with card, dice, bonus, total."""
    lost = side.won is False
    fill = mix(PANEL, side.looks.rgb, 0.3) if side.won else mix(PANEL, INK, 0.4 if lost else 0)
    canvas.plate(box, 14, fill, PANEL_EDGE if lost else side.looks.rgb, 4 if side.won else 2)
    ink = MUTED if lost else TEXT
    y = box.centre.y

    def x(inwards: float) -> float:
        return box.left + inwards if left else box.right - inwards

    anchor = "l" if left else "r"
    tint = shade(side.looks.rgb, -0.4 if lost else 0.45)
    canvas.centred(unit(side.unit, 54, tint), Point(x(44), y))
    if lost:
        canvas.centred(sprites.sprite("cross", 58, DANGER), Point(x(44), y))
    room = 216.0
    lines = text.wrap(unit_name(side.unit), 26, room, text.Font.BOLD, 1 if side.card else 2)
    words = [(line, 26, ink, text.Font.BOLD) for line in lines]
    if side.card:
        words += [
            (line, 23, mix(ink, side.looks.rgb, 0.5), text.Font.MEDIUM)
            for line in text.wrap(card_name(end_of(side.card)), 23, room, lines=2)
        ]
    start = y - 15 * (len(words) - 1)
    for k, (line, size, colour, font) in enumerate(words):
        canvas.write(line, x(86), start + 30 * k, size, colour, font, anchor=anchor, room=room)
    if not side.dice:
        canvas.centred(dice.die(0, DIE, mix(PANEL, TEXT, 0.25)), Point(x(342), y))
        return
    _draw_result(
        canvas,
        side,
        [Point(x(d), y) for d in ((342,) if len(side.dice) == 1 else (314, 374))],
        Point(x(430), y),
        Point(x(505), y),
        ink,
    )


def _draw_result(
    canvas: Canvas, side: Side, at: list[Point], bonus: Point, total: Point, ink: tuple[int, int, int]
) -> None:
    size = DIE if len(side.dice) == 1 else 50
    ground = side.looks.rgb if side.won else mix(PANEL, TEXT, 0.6)
    for value, point in zip(side.dice, at, strict=False):
        canvas.centred(dice.die(value, size, mix(ground, TEXT, 0.5) if side.won else ground), point)
    canvas.write(f"+{side.bonus}", bonus.x, bonus.y, 30, MUTED, anchor="m")
    canvas.write(str(side.total), total.x, total.y, 50, ink, text.Font.BOLD, anchor="m")
