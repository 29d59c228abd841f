"""A bot player by simple policy: it plays the card that is worth most, attacks where it hurts, and minds its coins.

It keeps no memory: every answer follows from the view and the question, so the parts of one move agree.
"""

from collections.abc import Callable

from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Option, Question
from rules.engine.rules import Decision, random_player

from .appraisal import POINT, POOR, Sight, size
from .attack import PAY
from .common import BACK
from .components import DOUBLE, GENERAL, MODES, PLAY, POWERS, PROFESSIONS, UNITS
from .views import SeatView

RESTLESS = 60
"""One move in so many is any legal one, so that no bots can keep each other busy for ever."""
EXCHANGE = 2.2
"""How much better a card of the trading area must be for each coin it costs."""
UNIT_LOSS = 1.9
"""What it costs to take a unit back to hand."""


def policy(decision: Decision, chance: Chance) -> Answer:
    """A sensible answer."""
    question = decision.question
    if question.key == "move" and not chance.below(RESTLESS):
        return random_player(decision, chance)
    answer = ANSWERS.get(question.key, first_ones)(Sight(decision.view, decision.seat), question, chance)
    return question.check(answer)


def ids(question: Question) -> list[str]:
    """The options that are neither a way back nor a pass."""
    return [option.id for option in question.options if option.id not in (BACK, SKIP)]


def best(question: Question, value: Callable[[str], float], least: float = float("-inf")) -> Answer:
    """The option of the highest value; the way out when none reaches `least`, or there is none."""
    found = max(ids(question), key=lambda id: (value(id), id), default="")
    ways_out = [option.id for option in question.options if option.id in (BACK, SKIP)]
    if ways_out and (not found or value(found) < least):
        return (ways_out[0],)
    return (found,)


def first_ones(sight: Sight, question: Question, chance: Chance) -> Answer:
    """As many as must be."""
    picked = [option.id for option in question.options if option.id not in (BACK, SKIP) for _ in range(option.count)]
    return tuple(picked[: question.least])


def draft(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Either."""
    return (chance.pick(question.options).id,)


# Phase 1


def mode(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Recover with an empty hand; many points when there is much to play, else cards."""
    points = {option.id: int(str(option.args["points"])) for option in question.options}
    plays = useful_plays(sight)
    if plays <= 1 and len(sight.hand) <= PLAY.hand_limit:
        return ("recover",)
    if plays > points["march"] or len(sight.hand) >= PLAY.hand_limit:
        return ("charge" if wanted(sight) or points["charge"] != points["trade"] else "trade",)
    return ("march",)


def useful_plays(sight: Sight) -> int:
    """How many cards in hand are worth an action point."""
    sight = Sight(sight.view, sight.me.seat, points=MODES["march"].points)
    used: list[str] = []
    plays = 0
    for card in sight.hand:
        if card not in GENERAL and card not in DOUBLE:
            plays += sight.worth(card) >= POINT
            continue
        value, profession = sight.action(card)
        if value >= POINT and (profession not in used or sight.has("diligence")):
            used.append(profession)
            plays += 1
    return plays


def wanted(sight: Sight) -> bool:
    """Whether something in the trading area is worth its price."""
    return exchange(sight)[0] > 0


# Phase 2


def move(sight: Sight, question: Question, chance: Chance) -> Answer:
    """What to do next."""
    options = ids(question)
    if "infiltrate" in options and sight.me.money > POOR:
        return ("infiltrate",)
    if "card" in options and sight.plan:
        return ("card",)
    if "exchange" in options and exchange(sight)[0] > 0:
        return ("exchange",)
    if "breath" in options and breath_worth(sight) > 0:
        return ("breath",)
    if "barter" in options and min(sight.keeping(card) for card in sight.hand) < 2.2 * sight.coin:
        return ("barter",)
    return ("end",)


def card(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card that was planned."""
    if sight.plan in ids(question):
        return (sight.plan,)
    return best(question, sight.urgency)


def profession(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The profession that achieves most."""
    return best(question, lambda id: sight.activation(id, sight.sets[id].efficiency))


def goal(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Producing, or the player whom it hurts most."""
    name = str(question.args["profession"])
    n = sight.sets[name].efficiency
    least = 0.1 if question.key == "again" else float("-inf")
    return best(question, lambda id: goal_worth(sight, name, id, n), least)


def goal_worth(sight: Sight, name: str, id: str, n: int) -> float:
    """What a goal of an activation is worth."""
    if not id.isdigit():
        return sight.win_coins(n)
    rival = sight.view.seats[int(id)]
    if UNITS[name].kind == "capture":
        return 1.0 + sight.spite(rival)
    return sight.attack(rival, n - sight.bark(rival))


def aim(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The unit or player that it hurts most."""
    name = str(question.args["card"])

    def value(id: str) -> float:
        seat, _, unit = id.partition(".")
        rival = sight.view.seats[int(seat)]
        if not unit:
            return sight.starve(rival) if name == "hunger" else sight.spite(rival) + rival.cards / 10
        one = next(one for one in rival.sets if one.profession == unit)
        return sight.bought_unit(rival, one) if name == "purchase" else sight.victim_unit(rival, one)

    return best(question, value)


def units(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The units worth playing at once."""
    offered = [option.id for option in question.options if option.id != SKIP for _ in range(option.count)]
    chosen: list[str] = []
    for unit in sight.units_to_assemble:
        if chosen.count(unit) < offered.count(unit):
            chosen.append(unit)
    return tuple(chosen) or (offered[0],)


def exchange(sight: Sight) -> tuple[float, str, str]:
    """What the best exchange gains beyond its price, what is given, and what is taken."""
    cost = 1 if sight.has("swimming") else PLAY.exchange_cost
    if not sight.hand or sight.me.money <= POOR + cost or sight.points < PLAY.card_cost:
        return (0.0, "", "")
    give = min(sight.hand, key=lambda card: (sight.keeping(card), card))
    gains = []
    for area in dict.fromkeys(card.id for card in sight.view.area):
        hand = [*sight.hand, area]
        hand.remove(give)
        with_it = Sight(sight.view, sight.me.seat, hand, sight.points)
        if with_it.playable(area):
            gains.append((with_it.worth(area), area))
    worth, take = max(gains, default=(0.0, ""))
    return worth - max(POINT, sight.keeping(give)) - cost * EXCHANGE, give, take


def exchange_give(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card least worth holding."""
    give = exchange(sight)[1]
    return (give,) if give in ids(question) else best(question, lambda id: -sight.keeping(id))


def exchange_take(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card that was wanted."""
    take = exchange(sight)[2]
    return (take,) if take in ids(question) else best(question, sight.keeping)


def least_kept(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The card least worth holding."""
    return best(question, lambda id: -sight.keeping(id))


def breath_worth(sight: Sight) -> float:
    """What a breath brings beyond the cards it takes."""
    breath = POWERS[sight.me.race]["breath"].n
    cheapest = sorted(sight.keeping(card) for card in sight.hand)[: breath["discard"]]
    return sight.best_attack(breath["damage"])[0] - 1.3 * sum(cheapest)


def breath_goal(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The player whom it hurts most."""
    damage = POWERS[sight.me.race]["breath"].n["damage"]
    return best(question, lambda id: sight.attack(sight.view.seats[int(id)], damage))


def hurt(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The player whose coins matter most."""
    return best(
        question, lambda id: sight.spite(sight.view.seats[int(id)]) + (sight.view.seats[int(id)].money < 2) * 50
    )


def rob(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The player whose hand is largest."""
    return best(question, lambda id: sight.view.seats[int(id)].cards + 3 * sight.spite(sight.view.seats[int(id)]))


# Being asked


def demand(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The worst card, or coins when all are good."""
    price = (1 + 0.6) * PLAY.royal_buyoff * sight.coin
    return best(question, lambda id: -price if id == PAY else -sight.keeping(id) - 0.8)


def defend(sight: Sight, question: Question, chance: Chance) -> Answer:
    """What costs least for each point it settles."""
    attacked = sight.view.attack
    if attacked is None:
        return first_ones(sight, question, chance)
    return best(question, lambda id: -price_of(sight, id, attacked.missing, sight.view.seats[attacked.attacker]))


def price_of(sight: Sight, id: str, missing: int, attacker: SeatView) -> float:
    """What it costs to settle a point in this way."""
    if id == PAY:
        left = sight.me.money - missing
        fear = 50.0 if left <= 0 else 2.5 if left < POOR else 1.0
        return fear + 0.6 + (5.0 if attacker.money + missing >= 40 else 0.0)
    one = sight.sets[id]
    steps = UNITS[id].efficiency
    lost = steps[size(one) - 1] - (steps[size(one) - 2] if size(one) > 1 else 0)
    return (UNIT_LOSS + 0.3 * lost) / min(one.tolerance, missing)


def least_unit(sight: Sight, question: Question, chance: Chance) -> Answer:
    """The unit that is easiest to spare."""
    return best(question, lambda id: -sight.keeping(id))


# Phases 3 and 4


def payment(sight: Sight, question: Question, chance: Chance) -> Answer:
    """Pay for all where that leaves coins enough; the idle units go first."""
    offered = [option.id for option in question.options if option.id != SKIP for _ in range(option.count)]
    spared = question.args["spared"]
    drop = max(question.least, spared if isinstance(spared, int) else 0)
    offered.sort(key=lambda unit: (sight.unit_in_play(unit), PROFESSIONS.index(unit)))
    if sight.me.money <= POOR:
        drop = max(drop, sum(sight.unit_in_play(unit) < 1.5 for unit in offered) if sight.me.money < 5 else drop)
    return tuple(offered[:drop]) or (SKIP,)


def discard(sight: Sight, question: Question, chance: Chance) -> Answer:
    """As few as may be, the least useful first."""
    cards: list[Option] = [o for o in question.options if o.id != SKIP for _ in range(o.count)]
    cards.sort(key=lambda option: sight.keeping(option.id))
    return tuple(option.id for option in cards[: question.least]) or (SKIP,)


ANSWERS: dict[str, Callable[[Sight, Question, Chance], Answer]] = {
    "draft": draft,
    "mode": mode,
    "move": move,
    "card": card,
    "card.profession": profession,
    "card.goal": goal,
    "again": goal,
    "card.aim": aim,
    "card.units": units,
    "demand": demand,
    "demand.next": rob,
    "infiltrate.whom": rob,
    "defend": defend,
    "rend": least_unit,
    "seduction": hurt,
    "prospecting": lambda sight, question, chance: ("draw",),
    "breath.goal": breath_goal,
    "breath.card": least_kept,
    "barter.card": least_kept,
    "exchange.give": exchange_give,
    "exchange.take": exchange_take,
    "payment": payment,
    "discard": discard,
}
