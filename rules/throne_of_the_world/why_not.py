"""Why something cannot be chosen: by question, the conditions under which it could be.

Only what the seat itself may know is looked at: its own hand, what lies open, and how many cards others hold.
"""

from rules.engine.questions import SKIP, Question
from rules.engine.words import Words
from rules.why_not import Explain, Reason, because, meant

from . import action_cards, how_to_play, playing_units, skill_cards, special_abilities
from .attack import PAY
from .components import DOUBLE, GENERAL, PLAY, PROFESSIONS, SKILLS, UNITS
from .races import covers, has, number
from .royal_family import ROYAL_FAMILY
from .spending import cost_of
from .state import State, can_spend, hand_size, money_of, opponents
from .unit_cards import room_for, size_of

ABILITIES = (special_abilities.BREATH, special_abilities.BARTER, special_abilities.INFILTRATE)


def why_not(s: State, seat: int, question: Question, wanted: str, words: Words) -> Reason | None:
    """What stands against it; None when nothing is known that does."""
    explain = REASONS.get(question.key)
    kinds = ("move",) if question.key == "move" else ("card", "profession")
    return explain(s, seat, question, meant(words, wanted, *kinds)) if explain else None


def is_card(wanted: str) -> bool:
    """Whether there is a card with that id."""
    return wanted in UNITS or wanted in GENERAL or wanted in DOUBLE or wanted in SKILLS


def poor(s: State, seat: int, coins: int) -> Reason | None:
    """What is paid of one's own will leaves the team a coin."""
    return None if can_spend(s, seat, coins) else because("no_coins", n=coins, money=money_of(s, seat))


# Phase 2


def move(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """What each move takes, all of it public."""
    if wanted in ABILITIES:
        return ability(s, seat, wanted)
    if wanted not in ("card", "exchange"):
        return None
    if not hand_size(s, seat):
        return because("no_cards")
    if wanted == "card":
        return because("no_points") if s.points < PLAY.card_cost else None
    if not s.area:
        return because("area_empty")
    return poor(s, seat, how_to_play.exchange_cost(s, seat))


def ability(s: State, seat: int, name: str) -> Reason | None:
    """An ability belongs to a race, works once a turn, and has its price."""
    if not has(s, seat, name):
        return because("not_your_race", power=name)
    if name in s.used:
        return because("used", power=name)
    if name != special_abilities.INFILTRATE:
        return because("too_few_cards", n=number(s, seat, name, "discard"))
    robbable = special_abilities.robbable(s, seat)
    return poor(s, seat, number(s, seat, name, "coins")) if robbable else because("nobody_holds_cards")


def not_held(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The card is not in the hand."""
    return because("not_held", card=wanted) if is_card(wanted) and not s.hands[seat].get(wanted) else None


def card(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A card in hand that there are points for, and that has something to do."""
    if not is_card(wanted) or not s.hands[seat].get(wanted):
        return not_held(s, seat, question, wanted)
    if cost_of(s, seat, wanted) > s.points:
        return because("no_points")
    if wanted in UNITS:
        return no_room(s, seat, wanted)
    if wanted in SKILLS:
        return no_skill(s, seat, wanted)
    reasons = [idle(s, seat, wanted, profession) for profession in PROFESSIONS]
    if wanted in DOUBLE:
        return idle(s, seat, wanted, DOUBLE[wanted].profession)
    return because("nobody_acts", card=wanted) if all(reasons) else None


def no_room(s: State, seat: int, unit: str) -> Reason | None:
    """A set holds so many units."""
    return None if room_for(s, seat, unit) > 0 else because("set_full", profession=unit, n=UNITS[unit].set_size)


def no_skill(s: State, seat: int, skill: str) -> Reason | None:
    """Each type once a turn, and only on somebody."""
    if s.skills.count(skill) >= SKILLS[skill].per_turn:
        return because("once_a_turn", card=skill)
    if skill == "assemble" and not playing_units.playable_units(s, seat):
        return because("nothing_to_assemble")
    if skill not in skill_cards.AIMS or skill_cards.AIMS[skill](s, seat):
        return None
    return (poor(s, seat, SKILLS[skill].n) if skill == "purchase" else None) or because(f"no_aim_{skill}")


def idle(s: State, seat: int, card: str, profession: str) -> Reason | None:
    """Why the card does not activate the profession."""
    if card in DOUBLE and profession != DOUBLE[card].profession:
        return because("other_profession", card=card, profession=profession)
    excluded = card in GENERAL and profession in GENERAL[card].excluded
    if excluded and not action_cards.ignores_excluded(s, seat, profession):
        return because("excluded", card=card, profession=profession)
    if not size_of(s, seat, profession):
        return because("no_units", profession=profession)
    if profession in s.acted and not covers(s, seat, "diligence", profession):
        return because("has_acted", profession=profession)
    return None if action_cards.goals(s, seat, profession) else because("nothing_to_do", profession=profession)


def profession(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A profession that the card may activate."""
    return idle(s, seat, str(question.args["card"]), wanted) if wanted in PROFESSIONS else None


def goal(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An opponent; or producing, for those who can; the Royal Family asks only who holds cards."""
    name = str(question.args.get("profession", ROYAL_FAMILY))
    if wanted == action_cards.PRODUCE:
        return because("does_not_produce", profession=name)
    return opponent(s, seat, question, wanted) or (
        because("holds_no_cards", seat=int(wanted)) if wanted.isdecimal() and UNITS[name].kind == "capture" else None
    )


def opponent(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Somebody of another team who is in the game."""
    return because("no_opponent") if wanted.isdecimal() and int(wanted) not in opponents(s, seat) else None


def robbed(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An opponent who holds cards."""
    return opponent(s, seat, question, wanted) or (
        because("holds_no_cards", seat=int(wanted)) if wanted.isdecimal() and not hand_size(s, int(wanted)) else None
    )


def aim(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """What the skill card may be played on."""
    skill = str(question.args["card"])
    owner, _, unit = wanted.partition(".")
    if not owner.isdecimal() or int(owner) not in opponents(s, seat):
        return because("no_opponent") if owner.isdecimal() else None
    if skill == "steal":
        return because("holds_no_cards", seat=int(owner))
    if skill == "hunger" or unit not in PROFESSIONS:
        return because("has_no_units", seat=int(owner)) if skill == "hunger" else None
    if not s.units[int(owner)].get(unit):
        return because("has_no_such_unit", seat=int(owner), profession=unit)
    if has(s, int(owner), "shadow"):
        return because("shadow", seat=int(owner))
    return no_room(s, seat, unit) if skill == "purchase" else None


def units(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Units in hand that there is room for."""
    return not_held(s, seat, question, wanted) or (no_room(s, seat, wanted) if wanted in UNITS else None)


# Answers to others


def demand(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A card of the hand, or the price while a coin remains."""
    return poor(s, seat, PLAY.royal_buyoff) if wanted == PAY else not_held(s, seat, question, wanted)


def defend(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Units in play of which none is given in vain, or all that is missing in coins."""
    if wanted == PAY and s.attack is not None:
        return because("cannot_pay", n=s.attack.missing, money=money_of(s, seat))
    if wanted not in PROFESSIONS:
        return None
    in_play = s.units[seat].get(wanted)
    return because("in_vain", profession=wanted) if in_play else because("no_units", profession=wanted)


def returned(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A unit that the attack has sent back."""
    return because("not_returned", profession=wanted) if wanted in PROFESSIONS else None


# Exchanging, paying, discarding


def area(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A card of the trading area."""
    return because("not_in_area", card=wanted) if is_card(wanted) else None


def payment(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Units that must be paid for; more of them when the coins do not do for all."""
    if wanted == SKIP:
        return because("cannot_pay_all", n=question.least)
    if wanted not in PROFESSIONS:
        return None
    in_play = s.units[seat].get(wanted)
    return because("not_paid", profession=wanted) if in_play else because("no_units", profession=wanted)


def discard(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The hand limit at the turn's end."""
    return because("hand_limit", n=question.least) if wanted == SKIP else not_held(s, seat, question, wanted)


REASONS: dict[str, Explain[State]] = {
    "move": move,
    "card": card,
    "card.profession": profession,
    "card.goal": goal,
    "again": goal,
    "demand.next": goal,
    "card.aim": aim,
    "card.units": units,
    "demand": demand,
    "defend": defend,
    "rend": returned,
    "seduction": opponent,
    "breath.goal": opponent,
    "breath.card": not_held,
    "barter.card": not_held,
    "infiltrate.whom": robbed,
    "exchange.give": not_held,
    "exchange.take": area,
    "payment": payment,
    "discard": discard,
}
