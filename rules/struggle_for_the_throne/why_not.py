"""Why something cannot be chosen: by question, the conditions under which it could be.

Only what the seat itself may know is looked at: its own hand, the board, and how many cards others hold.
"""

from collections.abc import Callable

from rules.engine.questions import Question
from rules.engine.words import Words
from rules.why_not import Explain, Reason, because, meant

from . import action_cards, battle, trading
from .components import BOARD, CARDS, COUNTERS, EMPEROR_DIES, ENDS, INFLUENCE, RANKS, tile_of
from .hands import can_draw, end_of_label, labels
from .state import State, board_of, hand_size, others_from
from .units import HEAD, expendable_at, flags_free, rank_of, tokens


def why_not(s: State, seat: int, question: Question, wanted: str, words: Words) -> Reason | None:
    """What stands against it; None when nothing is known that does."""
    explain = REASONS.get(question.key)
    kinds = ("action",) if question.key == "action" else ("card", "unit", "units", "place")
    return explain(s, seat, question, meant(words, wanted, *kinds)) if explain else None


# What is wanted


def planet_named(s: State, wanted: str) -> str | None:
    """The planet of the board in use that is written so."""
    return next((planet for planet in board_of(s).planets if planet.casefold() == wanted.casefold()), None)


def seat_named(wanted: str) -> int | None:
    """The seat of that number."""
    return int(wanted) if wanted.isdecimal() else None


def held(s: State, seat: int, wanted: str) -> str | None:
    """The label in the seat's hand with that id, or whose end that counts now has it."""
    return next((label for label in labels(s, seat) if wanted in (label, end_of_label(s, label))), None)


def is_card(wanted: str) -> bool:
    """Whether there is a card, or an end of one, with that id."""
    return wanted in {*CARDS, *ENDS}


# The turn


def action(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Each kind of action has its conditions, all of them public."""
    if wanted not in ACTIONS:
        return None
    free = wanted == "card" and s.emperor_alive and not s.options.leave_emperor_dies_out
    if not s.actions_left and not free:
        return because("no_actions")
    return ACTIONS[wanted](s, seat)


def no_battle(s: State, seat: int) -> Reason | None:
    """No rival stands where the seat does, or not where it may be fought."""
    found = [no_battle_at(s, seat, planet) for planet in sorted(s.groups[seat])]
    telling = [reason for reason in found if reason and reason[0] != "why.nobody_there"]
    return telling[0] if telling else because("no_rival_met")


def no_battle_at(s: State, seat: int, planet: str) -> Reason | None:
    """What keeps a battle from a planet where the seat stands."""
    if all(planet not in s.groups[rival] for rival in others_from(s, seat)):
        return because("nobody_there", planet=planet)
    if s.emperor_alive and tile_of(planet) == BOARD.tiles[0].id:
        return because("centre_peace", planet=planet)
    return None if battle.foes(s, seat, planet) else because("no_ambush", planet=planet)


def no_cards(s: State, seat: int) -> Reason | None:
    return None if hand_size(s, seat) else because("no_cards")


def emperor_dead(s: State, seat: int) -> Reason | None:
    return None if s.emperor_alive else because("emperor_dead")


def no_swap(s: State, seat: int) -> Reason | None:
    return no_cards(s, seat) or (None if can_draw(s) else because("nothing_to_draw"))


ACTIONS: dict[str, Callable[[State, int], Reason | None]] = {
    "battle": no_battle,
    "card": no_cards,
    "influence": emperor_dead,
    "accuse": emperor_dead,
    "discard": no_swap,
    "move": lambda s, seat: None,
    "surrender": lambda s, seat: None,
}


# Movement and places


def no_group(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """One of the own groups is asked for."""
    planet = planet_named(s, wanted)
    return because("no_group", planet=planet) if planet and planet not in s.groups[seat] else None


def move_to(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A step goes to an adjacent planet, and flags must suffice."""
    planet, start = planet_named(s, wanted), str(question.args["planet"])
    if planet is None:
        return None
    if planet not in board_of(s).adjacent[start]:
        return because("not_adjacent", planet=planet, start=start)
    return because("no_flags", planet=planet)


def not_there(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Units are asked for that stand on the planet."""
    planet = str(question.args["planet"])
    if wanted.removeprefix(HEAD) not in RANKS or wanted in tokens(s, seat, planet):
        return None
    return because("no_such_unit", unit=wanted, planet=planet)


def centre_only(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """What the Emperor gives comes to the Center Tile, and flags must suffice."""
    planet = planet_named(s, wanted)
    if planet is None:
        return None
    if planet not in board_of(s).centre:
        return because("centre_only")
    return None if planet in s.groups[seat] or flags_free(s, seat) else because("no_flags", planet=planet)


def no_squadron(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Squadrons that are not the head of a family: the seat's own, or those of the rival that is named."""
    planet, rival = planet_named(s, wanted), question.args.get("rival")
    owner = rival if isinstance(rival, int) else seat
    if planet is None or expendable_at(s, owner, RANKS.index("squadron")).get(planet):
        return None
    return because("no_squadron", seat=owner, planet=planet)


def build_place(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Squadrons are built on home planets."""
    planet = planet_named(s, wanted)
    if planet is None:
        return None
    return because("no_flags", planet=planet) if planet in s.homes[seat] else because("not_home", planet=planet)


# Battle


def battle_where(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Both stand there, and it is no peaceful place."""
    planet = planet_named(s, wanted)
    return no_group(s, seat, question, wanted) or (no_battle_at(s, seat, planet) if planet else None)


def battle_whom(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The rival stands there."""
    rival, planet = seat_named(wanted), str(question.args["planet"])
    if rival not in others_from(s, seat):
        return because("no_rival")
    if planet not in s.groups[rival]:
        return because("rival_elsewhere", rival=rival, planet=planet)
    return because("no_ambush", planet=planet)


def battle_size(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """As many as both have there."""
    planet, rival = str(question.args["planet"]), question.args["rival"]
    assert isinstance(rival, int)
    most = min(sum(s.groups[seat][planet]), sum(s.groups[rival][planet]))
    return because("battle_size", most=most) if wanted.strip().isdecimal() else None


def battle_card(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A card of the own side, on a combat that has none yet."""
    card, _, number = wanted.rpartition(".")
    side = question.key.rpartition(".")[2]
    label = held(s, seat, card if number.isdecimal() else wanted)
    if label is None:
        return not_held(s, seat, question, card if number.isdecimal() else wanted)
    if ENDS[end_of_label(s, label)].combat_side != side:
        return because("other_side", card=end_of_label(s, label))
    return because("combat_taken") if number.isdecimal() else because("which_combat", card=end_of_label(s, label))


# Cards


def not_held(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The card is not in the hand."""
    return because("not_held", card=wanted) if is_card(wanted) and held(s, seat, wanted) is None else None


def card(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Cards of the own turn, with an action left where they take one, and something they can be played on."""
    label = held(s, seat, wanted)
    if label is None:
        return not_held(s, seat, question, wanted)
    end = end_of_label(s, label)
    if end not in action_cards.PLAYS:
        return other_moment(s, end)
    if ENDS[end].actions > s.actions_left:
        return because("no_actions")
    if end in action_cards.TARGETS and not action_cards.victims(s, seat, end):
        return because("no_target", card=end)
    if end == "build_squadron":
        return because("no_flags", planet=s.homes[seat][0]) if s.supply else because("supply_empty")
    return None


def other_moment(s: State, end: str) -> Reason:
    """When a card is used that is not played by itself."""
    if end in COUNTERS.values():
        return because("only_counters", card=end)
    if end == INFLUENCE:
        return because("only_before_emperor", card=end)
    return because("only_to_begin" if s.emperor_alive else "only_in_battle", card=end)


def victim(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A rival in the game who has a unit that the card may hit."""
    rival, end = seat_named(wanted), str(question.args["card"])
    if rival not in others_from(s, seat):
        return because("no_rival")
    return because("no_target_of", card=end, rival=rival)


def target(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """A unit that the card may hit, and that is not the head of a family."""
    rival, end = question.args["rival"], str(question.args["card"])
    unit, _, place = wanted.partition(".")
    planet = planet_named(s, place)
    if not isinstance(rival, int) or unit not in RANKS or planet is None:
        return None
    if rank_of(unit) not in action_cards.TARGETS[end]:
        return because("wrong_rank", card=end, unit=unit)
    return because("head_or_none", unit=unit, planet=planet, rival=rival)


def influence_only(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Only Influence cards count here."""
    name = wanted.partition(".")[2] if wanted.startswith(("accuser.", "accused.")) else wanted
    return not_held(s, seat, question, name) or (
        because("not_influence") if held(s, seat, name) not in (None, *labels(s, seat, INFLUENCE)) else None
    )


def the_counter(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """One card stops each attack."""
    end = str(question.args["card"])
    if not is_card(wanted):
        return None
    return not_held(s, seat, question, wanted) or because("wrong_counter", card=end, counter=COUNTERS[end])


def ambush(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """An Ambush starts the battle."""
    planet = str(question.args["planet"])
    return not_held(s, seat, question, wanted) or (because("no_ambush", planet=planet) if is_card(wanted) else None)


def discarded(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Emperor Dies is never discarded."""
    if held(s, seat, wanted) == EMPEROR_DIES:
        return because("never_discarded")
    return not_held(s, seat, question, wanted)


def taken(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The card is not in the hand that was looked at."""
    rival = question.args["rival"]
    assert isinstance(rival, int)
    if not is_card(wanted) or held(s, rival, wanted) is not None:
        return None
    return because("not_held_by", card=wanted, rival=rival)


def other_player(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Somebody else, who is in the game."""
    return because("no_rival") if seat_named(wanted) is not None else None


def head(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """The chain of command goes by rank."""
    planet = planet_named(s, wanted)
    if planet is None:
        return None
    if planet not in s.groups[seat]:
        return because("no_group", planet=planet)
    return because("chain_of_command", unit=question.args.get("unit", RANKS[0]))


# Trading


def act(s: State, seat: int, question: Question, wanted: str) -> Reason | None:
    """Trading is an optional rule, outside actions, and an offer must lie there."""
    if wanted not in ("trade_offer", "trade_accept", "trade_withdraw"):
        return None
    if not s.options.trading:
        return because("no_trading")
    if s.busy:
        return because("trade_busy")
    return because("most_offers", most=trading.MOST_OFFERS) if wanted == "trade_offer" else because("no_offer")


REASONS: dict[str, Explain[State]] = {
    "action": action,
    "move.from": no_group,
    "move.units": not_there,
    "move.to": move_to,
    "battle.where": battle_where,
    "battle.whom": battle_whom,
    "battle.size": battle_size,
    "battle.ambush": ambush,
    "battle.order": not_there,
    "battle_cards.attacker": battle_card,
    "battle_cards.defender": battle_card,
    "card": card,
    "card.victim": victim,
    "card.target": target,
    "counter": the_counter,
    "bribe.place": no_group,
    "build.place": build_place,
    "steal.take": taken,
    "steal.give": not_held,
    "discard": discarded,
    "prize.discard": discarded,
    "influence.cards": influence_only,
    "influence.counter": influence_only,
    "accuse.whom": other_player,
    "accuse.cards": influence_only,
    "bid": influence_only,
    "squadrons.place": centre_only,
    "squadrons.lose": no_squadron,
    "squadrons.take": no_squadron,
    "squadrons.join": no_group,
    "head": head,
    "head.first": head,
    "surrender": other_player,
    "act": act,
}
