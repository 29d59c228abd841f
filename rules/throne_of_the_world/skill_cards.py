"""Skill cards: each has an effect of its own, and each type may be played once a turn."""

from collections.abc import Callable

from rules.engine.flow import Flow, Game, choose_many, play_card
from rules.engine.questions import SKIP, Answer, Option

from .common import BACK, one_or_ask, place, seat_options
from .components import PLAY, PROFESSIONS, SKILLS
from .hands import draw, put, take_at_random
from .object_of_the_game import pay
from .playing_units import enter, playable_units
from .races import has, number
from .special_abilities import nameable, robbable
from .spending import finish, nobody, spend
from .state import State, can_spend, opponents, real_units
from .unit_cards import room_for

Aim = Answer
"""What a card is aimed at: nothing, a seat, a unit as `seat.profession`, or units in hand."""


def may_play(s: State, seat: int, card: str) -> bool:
    """Whether the card's type may still be played this turn, and has something to be aimed at."""
    if s.skills.count(card) >= SKILLS[card].per_turn:
        return False
    if card == "assemble":
        return bool(playable_units(s, seat))
    return card not in AIMS or bool(AIMS[card](s, seat))


def play(game: Game[State], seat: int, card: str) -> Flow[None]:
    """Choose what the card is aimed at, or go back; then it is played."""
    aim = yield from choose_aim(game, seat, card)
    if aim in ((BACK,), (SKIP,)):
        return

    def announce() -> None:
        spend(game, seat, card)
        tell_skill(game, seat, card, aim)

    yield from play_card(announce, nobody, lambda: resolve(game, seat, card, aim))


def choose_aim(game: Game[State], seat: int, card: str) -> Flow[Aim]:
    """What the card is aimed at, or BACK or SKIP."""
    s = game.state
    if card == "assemble":
        return (yield from choose_units(game, seat, card))
    if card not in AIMS:
        return ()
    return ((yield from one_or_ask(seat, "card.aim", lambda: AIMS[card](s, seat), private=True, card=card)),)


def choose_units(game: Game[State], seat: int, card: str) -> Flow[Aim]:
    """The units to be played at once."""
    s, most = game.state, SKILLS[card].n

    def build() -> list[Option]:
        return [Option(unit, f"card.{unit}", count=n) for unit, n in playable_units(s, seat).items()]

    return (
        yield from choose_many(
            seat, "card.units", build, 1, most, skip="option.back", private=True, card=card, up_to=most
        )
    )


def tell_skill(game: Game[State], seat: int, card: str, aim: Aim) -> None:
    """Tell which card is played on whom."""
    if card not in AIMS:
        game.tell("skill_played", seat=seat, card=card)
        return
    rival, _, unit = aim[0].partition(".")
    if unit:
        game.tell("skill_on_unit", seat=seat, card=card, rival=int(rival), unit=unit)
    else:
        game.tell("skill_on_seat", seat=seat, card=card, rival=int(rival))


def resolve(game: Game[State], seat: int, card: str, aim: Aim) -> Flow[None]:
    """The card takes effect."""
    s = game.state
    if has(s, seat, "brew"):
        pay(game, number(s, seat, "brew", "coins"), "brewed", to=seat, seat=seat)
    yield from EFFECTS[card](game, seat, aim) or ()
    finish(game)


# What cards are aimed at


def foreign_units(s: State, seat: int) -> list[Option]:
    """Real units of opponents."""
    return [
        Option(place(rival, unit), "option.unit_of", {"seat": rival, "unit": unit}, place(rival, unit))
        for rival in nameable(s, seat)
        for unit in PROFESSIONS
        if s.units[rival].get(unit)
    ]


def for_sale(s: State, seat: int) -> list[Option]:
    """Units of opponents that the seat can pay for and has room for."""
    if not can_spend(s, seat, SKILLS["purchase"].n):
        return []
    return [option for option in foreign_units(s, seat) if room_for(s, seat, option.id.partition(".")[2])]


def with_cards(s: State, seat: int) -> list[Option]:
    """Opponents from whose hands a card may be taken."""
    return seat_options(robbable(s, seat))


def with_units(s: State, seat: int) -> list[Option]:
    """Opponents who have units to pay."""
    return [
        Option(str(rival), "option.hunger", {"seat": rival, "n": real_units(s, rival) * PLAY.unit_payment})
        for rival in opponents(s, seat)
        if real_units(s, rival)
    ]


AIMS: dict[str, Callable[[State, int], list[Option]]] = {
    "assassinate": foreign_units,
    "purchase": for_sale,
    "steal": with_cards,
    "hunger": with_units,
}

# What they do


def supply(game: Game[State], seat: int, aim: Aim) -> None:
    """Draw cards."""
    draw(game, seat, SKILLS["supply"].n)


def assemble(game: Game[State], seat: int, aim: Aim) -> Flow[None]:
    """Play several units at once."""
    for unit in aim:
        yield from enter(game, seat, unit, from_hand=True)


def harvest(game: Game[State], seat: int, aim: Aim) -> None:
    """No units need be paid this turn."""
    game.state.harvest = True


def assassinate(game: Game[State], seat: int, aim: Aim) -> None:
    """A unit in play is discarded."""
    s = game.state
    victim, unit = owner_and_unit(aim)
    put(s.units[victim], unit, -1)
    put(s.discard, unit)
    game.tell("assassinated", seat=victim, unit=unit, places=aim)


def purchase(game: Game[State], seat: int, aim: Aim) -> None:
    """A unit in play changes sides, and its owner is paid."""
    s = game.state
    victim, unit = owner_and_unit(aim)
    put(s.units[victim], unit, -1)
    put(s.units[seat], unit)
    game.tell("purchased", seat=seat, rival=victim, unit=unit, places=(*aim, place(seat, unit)))
    pay(game, SKILLS["purchase"].n, "purchase_paid", by=seat, to=victim, seat=seat, rival=victim)


def steal(game: Game[State], seat: int, aim: Aim) -> None:
    """Take a random card from a hand."""
    for _ in range(SKILLS["steal"].n):
        take_at_random(game, seat, int(aim[0]))


def hunger(game: Game[State], seat: int, aim: Aim) -> None:
    """An opponent pays all units again, at the full price."""
    victim = int(aim[0])
    due = real_units(game.state, victim) * PLAY.unit_payment
    pay(game, due, "starved", by=victim, seat=victim)


def owner_and_unit(aim: Aim) -> tuple[int, str]:
    """The unit a card is aimed at."""
    victim, _, unit = aim[0].partition(".")
    return int(victim), unit


EFFECTS: dict[str, Callable[[Game[State], int, Aim], Flow[None] | None]] = {
    "supply": supply,
    "assemble": assemble,
    "harvest": harvest,
    "assassinate": assassinate,
    "purchase": purchase,
    "steal": steal,
    "hunger": hunger,
}
