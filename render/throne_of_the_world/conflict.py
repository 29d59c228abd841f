"""What is going on inside a turn: an attack and its settlement, a demand, the card being resolved."""

from collections import Counter
from collections.abc import Mapping

from rules.throne_of_the_world.components import PLAY, PROFESSIONS, UNITS
from rules.throne_of_the_world.views import AttackView, DemandView, View

from .. import sprites, text
from ..canvas import Canvas
from ..geometry import Box, Point
from ..palette import DANGER, GOLD, INK, MUTED, PANEL, RGB, TEXT, mix
from ..panels import panel, write_fitting
from . import look
from .frame import GAP, WIDTH
from .wording import name_of, say, source_name

ATTACK_HEIGHT = 188
DEMAND_HEIGHT = 112
NOTE_HEIGHT = 42
BAR_HEIGHT = 50


def going_on_height(view: View) -> int:
    """How high the part is; nothing when nothing is going on."""
    high = ATTACK_HEIGHT if view.attack is not None else DEMAND_HEIGHT if view.demand is not None else 0
    return (high + GAP if high else 0) + (NOTE_HEIGHT if notes(view) else 0)


def notes(view: View) -> list[str]:
    """The card being resolved, the skill cards played this turn, and whether units need be paid."""
    found = []
    if view.card:
        found.append(f"Being played: {say('card', view.card)}")
    done = [skill for skill in view.skills if skill != view.card]
    if done:
        found.append(f"Played: {', '.join(say('card', skill) for skill in done)}")
    if view.harvest:
        found.append("No pay for units")
    return found


def draw_going_on(canvas: Canvas, view: View, names: Mapping[int, str], top: float) -> None:
    """Everything that is going on, from this height on."""
    said = " · ".join(notes(view))
    if said:
        box = write_fitting(
            canvas, said, GAP + 6, top + NOTE_HEIGHT / 2, 25, WIDTH - 2 * GAP - 12, GOLD, text.Font.MEDIUM
        )
        canvas.mark("notes", "", said, box)
        top += NOTE_HEIGHT
    if view.attack is not None:
        draw_attack(canvas, view, view.attack, names, top + GAP)
    elif view.demand is not None:
        draw_demand(canvas, view, view.demand, names, top + GAP)


def _draw_sides(canvas: Canvas, view: View, attacker: int, victim: int, names: Mapping[int, str], y: float) -> None:
    """Who against whom: the attacker at the left, the victim at the right."""
    for seat, left in ((attacker, True), (victim, False)):
        sign = look.emblem(view.seats[seat], 58)
        x = 22 if left else WIDTH - 22 - 58
        canvas.put(sign, x, y - 29)
        edge, anchor = (94.0, "l") if left else (WIDTH - 94.0, "r")
        write_fitting(
            canvas, name_of(view, names, seat), edge, y, 30, WIDTH / 2 - 94 - 90, TEXT, anchor=anchor, least=24
        )


def draw_attack(canvas: Canvas, view: View, attack: AttackView, names: Mapping[int, str], top: float) -> None:
    """The attack: who, with what, how much damage, and how it is settled so far."""
    box = Box(GAP, top, WIDTH - GAP, top + ATTACK_HEIGHT - GAP)
    panel(canvas, box, DANGER, mix(PANEL, DANGER, 0.16), 3)
    y = top + 44
    _draw_sides(canvas, view, attack.attacker, attack.victim, names, y)
    number = canvas.write(str(attack.damage), WIDTH / 2 + 22, y, 46, TEXT, text.Font.BOLD, anchor="m")
    canvas.centred(look.source(attack.source, 50), Point(WIDTH / 2 - 36, y))
    canvas.centred(sprites.sprite("arrow", 24, DANGER), Point(number.right + 22, y))
    canvas.mark("attack", "", f"{attack.attacker}:{attack.source}:{attack.damage}:{attack.victim}", box)
    _draw_bar(canvas, attack, Box(box.left + 14, top + 84, box.right - 14, top + 84 + BAR_HEIGHT))
    says = [f"{len(attack.returned)} back to hand: {attack.tolerance}"] if attack.returned else []
    says += [f"paid: {attack.coins}"] if attack.coins else []
    below = top + 84 + BAR_HEIGHT + 24
    if says:
        canvas.write(" · ".join(says), box.left + 16, below, 25, MUTED)
    left = f"{attack.missing} to settle" if attack.missing else "settled"
    shown = canvas.write(left, box.right - 16, below, 27, GOLD if attack.missing else MUTED, text.Font.BOLD, anchor="r")
    canvas.mark("missing", "", str(attack.missing), shown)


def _draw_bar(canvas: Canvas, attack: AttackView, box: Box) -> None:
    """The damage as a bar: units returned with what they count, coins, and what is missing."""
    total = max(1, attack.damage, attack.tolerance + attack.coins)
    canvas.plate(box, 10, mix(PANEL, INK, 0.5), mix(DANGER, PANEL, 0.4), 2)
    x = box.left
    counts = Counter(attack.returned)
    worth = _worth(attack)
    for profession in PROFESSIONS:
        for _ in range(counts[profession]):
            x = _draw_piece(canvas, box, x, worth[profession] / total, profession, look.kind_of(profession).colour)
    if attack.coins:
        x = _draw_piece(canvas, box, x, attack.coins / total, "coin", GOLD)
    if attack.missing:
        at = (x + box.right) / 2
        canvas.write(str(attack.missing), at, box.centre.y, 30, TEXT, text.Font.BOLD, anchor="m")


def _worth(attack: AttackView) -> dict[str, float]:
    """What a returned unit of each profession counted: its printed tolerance, and an equal share of what powers add."""
    printed = sum(UNITS[profession].tolerance for profession in attack.returned)
    more = (attack.tolerance - printed) / max(1, len(attack.returned))
    return {profession: UNITS[profession].tolerance + more for profession in attack.returned}


def _draw_piece(canvas: Canvas, bar: Box, x: float, share: float, shape: str, colour: RGB) -> float:
    """A piece of the bar with a sign; returns where the next one begins."""
    end = x + bar.width * share
    box = Box(round(x) + 2, bar.top + 3, round(end) - 1, bar.bottom - 3)
    if box.width > 6:
        canvas.plate(box, 8, mix(PANEL, colour, 0.6))
        size = round(min(34, box.width - 4))
        if size >= 10:
            canvas.centred(sprites.sprite(shape, size, INK), box.centre)
    canvas.mark("piece", "", shape, box)
    return end


def draw_demand(canvas: Canvas, view: View, demand: DemandView, names: Mapping[int, str], top: float) -> None:
    """A demand: who asks whom, and how it can be answered."""
    box = Box(GAP, top, WIDTH - GAP, top + DEMAND_HEIGHT - GAP)
    colour = look.kind_of("royal_family").colour
    panel(canvas, box, colour, mix(PANEL, colour, 0.16), 3)
    y = top + 38
    _draw_sides(canvas, view, demand.attacker, demand.victim, names, y)
    canvas.centred(look.profession("royal_family", 46), Point(WIDTH / 2 - 26, y))
    canvas.centred(sprites.sprite("arrow", 26, colour), Point(WIDTH / 2 + 30, y))
    canvas.mark("demand", "", f"{demand.attacker}:{demand.victim}:{demand.left}", box)
    more = f" · {demand.left} more after it" if demand.left else ""
    says = f"A card of the victim's choice, or {PLAY.royal_buyoff} coins{more}"
    canvas.write(says, WIDTH / 2, top + 82, 25, MUTED, anchor="m", room=box.width - 24)


def attack_words(view: View, names: Mapping[int, str]) -> str:
    """What is going on between two players, in words."""
    if view.attack is not None:
        attack = view.attack
        units = ", ".join(say("card", unit) for unit in attack.returned) or "no unit"
        return (
            f"{name_of(view, names, attack.attacker)} attacks {name_of(view, names, attack.victim)} with "
            f"{source_name(attack.source)} for {attack.damage} damage: {units} back to hand ({attack.tolerance}), "
            f"{attack.coins} paid, {attack.missing} to settle."
        )
    if view.demand is not None:
        demand = view.demand
        return (
            f"{name_of(view, names, demand.attacker)} asks {name_of(view, names, demand.victim)} for a card or "
            f"{PLAY.royal_buyoff} coins, {demand.left} more after it."
        )
    return ""
