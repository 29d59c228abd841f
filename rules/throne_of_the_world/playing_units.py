"""Playing unit cards: they join the player's set of their profession."""

from rules.engine.flow import Flow, Game, play_card

from .common import kinds, place
from .components import UNITS
from .hands import lose, put
from .object_of_the_game import settle
from .special_abilities import prospect
from .spending import nobody, spend
from .state import State
from .unit_cards import room_for


def playable_units(s: State, seat: int) -> dict[str, int]:
    """The units in hand that there is room for, and how many of each."""
    found = {unit: min(s.hands[seat][unit], room_for(s, seat, unit)) for unit in kinds(s.hands[seat]) if unit in UNITS}
    return {unit: n for unit, n in found.items() if n > 0}


def play(game: Game[State], seat: int, unit: str) -> Flow[None]:
    """Play a unit card."""
    yield from play_card(lambda: spend(game, seat, unit), nobody, lambda: enter(game, seat, unit))


def enter(game: Game[State], seat: int, unit: str, *, from_hand: bool = False) -> Flow[None]:
    """The card on the table, or one more out of the hand, joins its set."""
    s = game.state
    if from_hand:
        lose(s, seat, unit)
    else:
        s.card = ""
    put(s.units[seat], unit)
    game.tell("unit_played", seat=seat, unit=unit, places=(place(seat, unit),))
    settle(game)
    yield from prospect(game, seat, unit)
