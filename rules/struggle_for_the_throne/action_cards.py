"""Action cards played in one's own turn: attacks and their counters, Emperor Dies, Free Move, Build Squadron."""

from collections.abc import Callable

from rules.engine.flow import Flow, Game, Offer, choose, choose_many, play_card, window
from rules.engine.questions import Option

from . import trading
from .common import BACK, back, exactly, may_join, one_or_ask, planets_with
from .components import COMMANDER, COUNTERS, EMPEROR_DIES, ENDS, KEPT_AFTER_CAPTURE, LOYAL_COMMANDER, RANKS, SQUADRON
from .hands import (
    card_option,
    card_options,
    discard,
    discard_down,
    draw,
    end_of_label,
    labels,
    learn_hand,
    lose,
    pass_on,
    spread,
)
from .movement import move
from .state import State, hand_size, others_from
from .units import add, counted, destroy, expendable_at, remove

TARGETS = {
    "assassinate_commander": (LOYAL_COMMANDER, COMMANDER),
    "bribe_commander": (COMMANDER,),
    "sabotage_squadron": (SQUADRON,),
}
"""The ranks that an attack on a unit may hit; the head of a family is never hit."""


def play(game: Game[State], seat: int) -> Flow[None]:
    """Choose a card and play it, or go back."""
    s = game.state
    label = yield from choose(seat, "card", lambda: playable(s, seat), private=True)
    if label != BACK:
        yield from PLAYS[end_of_label(s, label)](game, seat, label)


def playable(s: State, seat: int) -> list[Option]:
    """The cards that can be played now, each kind once, and the way back."""
    found = [card_option(s, label) for label in labels(s, seat) if may_play(s, seat, end_of_label(s, label))]
    return [*found, back()]


def may_play(s: State, seat: int, end: str) -> bool:
    """Whether this end can be played now: actions are left, and there is a target."""
    if end not in PLAYS or ENDS[end].actions > s.actions_left:
        return False
    if end in TARGETS:
        return bool(victims(s, seat, end))
    if end == "build_squadron":
        return bool(building_sites(s, seat))
    return True


def spend(game: Game[State], seat: int, label: str) -> None:
    """The card goes to the discards, and the action with it."""
    s = game.state
    s.actions_left -= ENDS[end_of_label(s, label)].actions
    discard(s, seat, label)


# Emperor Dies, Free Move, Build Squadron


def play_emperor_dies(game: Game[State], seat: int, label: str) -> Flow[None]:
    """Emperor Dies as a card chosen in the turn."""
    emperor_dies(game, seat)
    yield from ()


def emperor_dies(game: Game[State], seat: int) -> None:
    """The Emperor is dead: every card's other end counts from now on. The card leaves the game; another is drawn."""
    s = game.state
    card = lose(s, seat, EMPEROR_DIES)
    s.removed[card] = s.removed.get(card, 0) + 1
    s.emperor_alive, s.due = False, False
    trading.lapse(game)
    game.tell("emperor_dies", seat=seat)
    draw(game, seat, 1)


def free_move(game: Game[State], seat: int, label: str) -> Flow[None]:
    """A move that costs no action."""
    if (yield from move(game, seat, private=True)):
        spend(game, seat, label)
        game.tell("free_move", seat=seat)


def building_sites(s: State, seat: int) -> list[str]:
    """Home planets that a Squadron can be built on."""
    return [planet for planet in s.homes[seat] if s.supply and may_join(s, seat, planet)]


def build_squadron(game: Game[State], seat: int, label: str) -> Flow[None]:
    """A Squadron from the supply onto a home planet."""
    s = game.state
    sites = dict.fromkeys(building_sites(s, seat), 1)
    planet = yield from one_or_ask(seat, "build.place", lambda: planets_with(sites), private=True)
    if planet != BACK:
        spend(game, seat, label)
        s.supply -= 1
        add(s, seat, planet, SQUADRON)
        game.tell("built", seat=seat, planet=planet, places=(planet,))


# Attacks on units


def victims(s: State, seat: int, end: str) -> list[int]:
    """The rivals that have a unit this attack may hit."""
    return [rival for rival in others_from(s, seat) if targets(s, rival, end)]


def targets(s: State, rival: int, end: str) -> list[Option]:
    """The units of a rival that this attack may hit, as `rank.planet`."""
    return [
        Option(f"{RANKS[rank]}.{planet}", "option.target", {"unit": RANKS[rank], "planet": planet}, planet)
        for rank in TARGETS[end]
        for planet in expendable_at(s, rival, rank)
    ]


def seat_options(seats: list[int]) -> list[Option]:
    """Seats as options."""
    return [Option(str(seat), "option.seat", {"seat": seat}) for seat in seats]


def attack_unit(game: Game[State], seat: int, label: str) -> Flow[None]:
    """Assassinate, Bribe or Sabotage: name the victim and the unit; the victim may counter."""
    s = game.state
    end = end_of_label(s, label)
    victim = yield from one_or_ask(
        seat, "card.victim", lambda: seat_options(victims(s, seat, end)), private=True, card=end
    )
    if victim == BACK:
        return
    rival = int(victim)
    target = yield from one_or_ask(
        seat, "card.target", lambda: targets(s, rival, end), private=True, card=end, rival=rival
    )
    if target == BACK:
        return
    unit, _, planet = target.partition(".")

    def announce() -> None:
        spend(game, seat, label)
        game.tell("attack", seat=seat, card=end, rival=rival, unit=unit, planet=planet)

    yield from play_card(
        announce,
        lambda: counter(game, seat, rival, end, unit, planet),
        lambda: hit(game, seat, rival, end, RANKS.index(unit), planet),
    )


def counter(game: Game[State], seat: int, victim: int, end: str, unit: str, planet: str) -> Flow[bool]:
    """The victim's chance to stop the attack with the card against it. Anybody who holds a card is asked."""
    s = game.state
    answer = COUNTERS.get(end)
    if answer is None or not hand_size(s, victim):
        return False
    stopped: list[str] = []

    def build(asked: int) -> list[Option]:
        return [card_option(s, label) for label in labels(s, asked, answer)]

    def resolve(asked: int, label: str) -> Flow[None]:
        discard(s, asked, label)
        stopped.append(label)
        game.tell("countered", seat=asked, card=answer)
        yield from ()

    yield from window(
        lambda: (victim,),
        Offer(f"counter.{end}", build, resolve),
        key="counter",
        skip="option.pass",
        once=True,
        seat=seat,
        card=end,
        unit=unit,
        planet=planet,
    )
    return bool(stopped)


def hit(game: Game[State], seat: int, rival: int, end: str, rank: int, planet: str) -> Flow[None]:
    """The attack succeeds."""
    s = game.state
    unit = RANKS[rank]
    if end != "bribe_commander":
        destroy(s, rival, planet, rank)
        game.tell("destroyed", seat=rival, unit=unit, planet=planet, places=(planet,))
        return
    groups = dict.fromkeys(sorted(s.groups[seat]), 1)
    goal = (yield from exactly(seat, "bribe.place", lambda: planets_with(groups), 1))[0]
    remove(s, rival, planet, rank)
    add(s, seat, goal, rank)
    game.tell("bribed", seat=seat, rival=rival, planet=planet, goal=goal, places=(planet, goal))


# Attacks on hands


def name_victim(game: Game[State], seat: int, label: str) -> Flow[int | None]:
    """Choose whose hand to look at and spend the card; None when the player went back."""
    s = game.state
    end = end_of_label(s, label)
    victim = yield from one_or_ask(
        seat, "card.victim", lambda: seat_options(others_from(s, seat)), private=True, card=end
    )
    if victim == BACK:
        return None
    spend(game, seat, label)
    game.tell(end, seat=seat, rival=int(victim))
    return int(victim)


def see_hand(game: Game[State], seat: int, rival: int) -> None:
    """Look at a rival's hand."""
    s = game.state
    learn_hand(s, seat, rival)
    cards = counted(label for label in spread(s.hands[rival]))
    game.tell("saw_hand", to=(seat,), owner=rival, seat=seat, rival=rival, cards=cards)


def plant_spy(game: Game[State], seat: int, label: str) -> Flow[None]:
    """Look at a rival's hand."""
    rival = yield from name_victim(game, seat, label)
    if rival is not None:
        see_hand(game, seat, rival)


def steal_plans(game: Game[State], seat: int, label: str) -> Flow[None]:
    """Look at a rival's hand and swap cards with it, as many as one likes."""
    s = game.state
    rival = yield from name_victim(game, seat, label)
    if rival is None:
        return
    see_hand(game, seat, rival)
    keeps = s.options.keep_all_captured_cards or s.options.keep_ten_captured_cards
    most = hand_size(s, rival) if keeps else min(hand_size(s, seat), hand_size(s, rival))
    if not most:
        return
    taken = yield from choose_many(
        seat, "steal.take", lambda: card_options(s, labels(s, rival)), 0, most, private=True, rival=rival
    )
    given: tuple[str, ...] = ()
    if taken and not keeps:
        n = len(taken)
        given = yield from choose_many(
            seat, "steal.give", lambda: card_options(s, labels(s, seat)), n, n, private=True, rival=rival, n=n
        )
    swap(game, seat, rival, list(taken), list(given))
    if s.options.keep_ten_captured_cards:
        yield from discard_down(game, seat, KEPT_AFTER_CAPTURE)


def swap(game: Game[State], seat: int, rival: int, taken: list[str], given: list[str]) -> None:
    """Stolen cards change hands, and others for them."""
    s = game.state
    pass_on(s, rival, seat, taken)
    pass_on(s, seat, rival, given)
    learn_hand(s, seat, rival)
    if not taken:
        game.tell("stole_nothing", seat=seat, rival=rival)
    else:
        game.tell("stole", seat=seat, rival=rival, taken=len(taken), given=len(given))
        told_taken, told_given = counted(sorted(taken)), counted(sorted(given))
        game.tell(
            "stole_cards", to=(seat, rival), owner=rival, seat=seat, rival=rival, taken=told_taken, given=told_given
        )


PLAYS: dict[str, Callable[[Game[State], int, str], Flow[None]]] = {
    "assassinate_commander": attack_unit,
    "bribe_commander": attack_unit,
    "sabotage_squadron": attack_unit,
    "plant_spy": plant_spy,
    "steal_plans": steal_plans,
    "build_squadron": build_squadron,
    "free_move": free_move,
    EMPEROR_DIES: play_emperor_dies,
}
"""How each card is played that is played by itself."""
