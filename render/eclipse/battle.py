"""A battle: both sides with every ship, its hull and damage, what their types add up to, and all rolls of late."""

from collections.abc import Mapping
from typing import NamedTuple

from rules.eclipse.ships import Totals, totals_of
from rules.eclipse.views import BattleView, BlueprintView, Party, View

from .. import sprites, text
from ..canvas import Canvas, Picture
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, MUTED, PANEL, PANEL_EDGE, TEXT, TILE, mix
from ..panels import panel, write_fitting
from . import look
from .alt import battle_alt
from .head import GAP, WIDTH, draw_plate
from .parts import draw_figures, draw_weapons, total_figures
from .volleys import draw_volleys, volleys_height
from .wording import party_name, say, sides

HEAD = 118
TYPE_HEAD, SHIP, NO_BATTLE = 92, 74, 120
SIDE = (WIDTH - 3 * GAP) / 2
ON_A_ROW = 8
NOTE = 44


class Squad(NamedTuple):
    """All ships of a type on one side: their numbers among the battle's ships, and what each adds up to."""

    party: Party
    ship: str
    members: tuple[int, ...]
    sums: BlueprintView | Totals

    @property
    def height(self) -> int:
        return TYPE_HEAD + SHIP * -(-len(self.members) // ON_A_ROW) + 8


def battle(view: View, *, names: Mapping[int, str]) -> Picture:
    """The battle under way; a plain note when there is none."""
    return draw_battle(view, names).picture("battle.png", battle_alt(view, names))


def squads_of(view: View, party: Party) -> list[Squad]:
    """The types of a side, those that act first at the top."""
    fight = view.battle
    assert fight is not None
    types = dict.fromkeys(one.ship for one in fight.ships if one.party == party)
    found = []
    for ship in types:
        members = tuple(k for k, one in enumerate(fight.ships) if one.party == party and one.ship == ship)
        found.append(Squad(party, ship, members, _sums(view, party, ship)))
    return sorted(found, key=lambda squad: -squad.sums.initiative)


def _sums(view: View, party: Party, ship: str) -> BlueprintView | Totals:
    if isinstance(party, str):
        return totals_of(party)
    return next(plan for plan in view.seats[party].blueprints if plan.ship == ship)


def looks_of(view: View, party: Party) -> look.SeatLook:
    """The looks of a side."""
    return look.NOBODY if isinstance(party, str) else look.of(view.seats[party].colour, view.seats[party].species)


def draw_battle(view: View, names: Mapping[int, str]) -> Canvas:
    """The battle before it is encoded."""
    fight = view.battle
    if fight is None:
        canvas = Canvas(WIDTH, NO_BATTLE)
        canvas.write("No battle under way", WIDTH / 2, NO_BATTLE / 2, 34, MUTED, anchor="m")
        return canvas
    fighting = sides(view, fight)
    squads = [squads_of(view, party) for party in fighting]
    high = max(sum(squad.height + GAP for squad in side) for side in squads)
    waiting = [party for party in fight.parties if party not in fighting]
    notes = NOTE if waiting else 0
    bottom = HEAD + GAP + high + notes
    canvas = Canvas(WIDTH, bottom + volleys_height(fight))
    _draw_head(canvas, view, fight, names)
    for k, side in enumerate(squads):
        top = HEAD + GAP
        left = round(GAP + k * (SIDE + GAP))
        for squad in side:
            box = Box(left, top, left + round(SIDE), top + squad.height)
            _draw_squad(canvas, box, view, fight, squad)
            top += squad.height + GAP
    if waiting:
        _draw_waiting(canvas, view, waiting, names, HEAD + GAP + high + NOTE / 2)
    draw_volleys(canvas, view, fight, bottom)
    return canvas


def _draw_head(canvas: Canvas, view: View, fight: BattleView, names: Mapping[int, str]) -> None:
    canvas.plate(Box(0, 0, WIDTH, HEAD), 0, PANEL)
    middle = WIDTH / 2
    canvas.centred(sprites.sprite("swords", 48, DANGER), Point(middle, 30))
    canvas.write(
        f"{fight.number} {say('hex', fight.number)}", middle, 72, 26, TEXT, text.Font.BOLD, anchor="m", room=280
    )
    step = f"Round {fight.round}" if fight.step == "engagement" else say("step_name", fight.step)
    canvas.write(step, middle, 101, 23, MUTED, anchor="m")
    canvas.mark("step", fight.place, step, Box(middle - 100, 86, middle + 100, HEAD))
    for party, role in zip(sides(view, fight), ("attacker", "defender"), strict=False):
        left = role == "attacker"
        looks = looks_of(view, party)
        x = 16 if left else WIDTH - 92
        canvas.put(look.emblem(looks, 76), x, HEAD / 2 - 38)
        edge, anchor = (106.0, "l") if left else (WIDTH - 106.0, "r")
        name = party_name(view, names, party)
        write_fitting(canvas, name, edge, HEAD / 2 - 16, 34, middle - 250, TEXT, anchor=anchor, least=26)
        canvas.write(role, edge, HEAD / 2 + 24, 25, mix(TEXT, looks.line, 0.5), anchor=anchor)
        canvas.mark("side", role, f"{party}", Box(x, 0, x + 76, HEAD))


def _draw_squad(canvas: Canvas, box: Box, view: View, fight: BattleView, squad: Squad) -> None:
    """One type: what it adds up to, and its ships with their damage."""
    looks = looks_of(view, squad.party)
    acting = fight.acting == (squad.party, squad.ship)
    alive = [k for k in squad.members if not (fight.ships[k].fallen or fight.ships[k].away)]
    fill = mix(TILE, looks.rgb, 0.22) if acting else PANEL
    panel(canvas, box, GOLD if acting else looks.line if alive else PANEL_EDGE, fill, 5 if acting else 2)
    y = box.top + 26
    name = canvas.write(say("ship", squad.ship), box.left + 14, y, 27, TEXT if alive else MUTED, text.Font.BOLD)
    if acting:
        draw_plate(canvas, "now", name.right + 74, y, GOLD, 22)
    draw_weapons(canvas, squad.sums, box.left + 300, y, 27)
    x = box.left + 14.0
    shown = [
        figure for figure in total_figures(squad.sums) if figure.kind in ("initiative", "computer", "shield", "hull")
    ]
    for figure in shown:
        draw_figures(canvas, [figure], x, box.top + 66, 27)
        x += 132
    canvas.mark("squad", f"{squad.party}.{squad.ship}", f"{len(alive)}/{len(squad.members)}", box)
    pitch = (box.width - 16) / ON_A_ROW
    for n, k in enumerate(squad.members):
        at = Point(box.left + 8 + (n % ON_A_ROW + 0.5) * pitch, box.top + TYPE_HEAD + SHIP * (n // ON_A_ROW + 0.45))
        _draw_ship(canvas, at, fight, k, n + 1, looks)


def _draw_ship(canvas: Canvas, at: Point, fight: BattleView, k: int, number: int, looks: look.SeatLook) -> None:
    """One ship with its number, hit points left as bars, a cross when it fell, an arrow when it retreats."""
    one = fight.ships[k]
    box = canvas.centred(look.ship(one.ship, 44, looks, faded=one.fallen or one.away), Point(at.x - 4, at.y - 6))
    canvas.write(str(number), box.right + 2, at.y - 18, 20, MUTED)
    if one.fallen:
        canvas.centred(sprites.sprite("cross", 40, DANGER), Point(at.x - 4, at.y - 6))
    elif one.retreat or one.away:
        canvas.centred(sprites.sprite("thrust", 26, GOLD, PANEL, 3), Point(box.right + 2, at.y + 8))
    points = one.hull + 1
    width = min(12, 56 / points)
    left = at.x - 4 - width * points / 2
    for n in range(points):
        lost = one.fallen or n >= points - one.damage
        bar = (round(left + n * width), round(at.y + 22), round(left + (n + 1) * width) - 3, round(at.y + 30))
        canvas.pen.rectangle(bar, fill=mix(PANEL, DANGER, 0.7) if lost else (110, 226, 140))
    canvas.mark(
        "warship", str(k), f"{one.party}:{one.ship}:{one.damage}/{points}:{one.fallen}:{one.retreat}:{one.away}", box
    )


def _draw_waiting(canvas: Canvas, view: View, waiting: list[Party], names: Mapping[int, str], y: float) -> None:
    """Who fights the winner."""
    x = canvas.write("then against", 16, y, 25, MUTED).right + 14
    for party in waiting:
        sign = canvas.put(look.emblem(looks_of(view, party), 34), x, y - 17)
        x = canvas.write(party_name(view, names, party), sign.right + 8, y, 26, TEXT, room=340).right + 20
        canvas.mark("waiting", str(party), "", sign)
