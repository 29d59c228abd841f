"""What everything is called: the game's own words."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rules.eclipse import components
from rules.eclipse.views import BattleView, Party, SeatView, View
from rules.engine.words import Words

from .. import text


@cache
def words() -> Words:
    """The texts of the game."""
    return Words.load(Path(components.__file__).parent / "words.toml")


def say(kind: str, id: str) -> str:
    """The text about one thing: `say("ship", "cruiser")`."""
    return words().say(f"{kind}.{id}")


def species_name(seat: SeatView) -> str:
    """The species of a seat; its colour until it is chosen."""
    return say("species", seat.species) if seat.species else say("colour", seat.colour)


def name_of(view: View, names: Mapping[int, str], seat: int) -> str:
    """A seat's name; its species when nobody's name is known."""
    return text.clean(names.get(seat, "")) or species_name(view.seats[seat])


def party_name(view: View, names: Mapping[int, str], party: Party) -> str:
    """Who fights: a seat's name, or what the Ancients and the defence system are called."""
    return name_of(view, names, party) if isinstance(party, int) else say("seat", party)


def names_of(view: View, names: Mapping[int, str], seats: Iterable[int]) -> str:
    """The names of several seats."""
    return " and ".join(name_of(view, names, seat) for seat in seats)


def sides(view: View, fight: BattleView) -> list[Party]:
    """The attacker and the defender; who has cubes there, when there is nobody else to fight."""
    if fight.attacker != -1:
        return [fight.attacker, fight.defender]
    disc = next(one.disc for one in view.hexes if one.place == fight.place)
    owner = [] if disc is None or disc in fight.parties else [disc]
    return [*fight.parties, *owner][:2]


def turn_words(view: View, names: Mapping[int, str]) -> str:
    """Who does what now, or who has won."""
    if view.winners:
        return f"{names_of(view, names, view.winners)} {'wins' if len(view.winners) == 1 else 'win'}"
    if view.battle is not None:
        told = " against ".join(party_name(view, names, party) for party in sides(view, view.battle))
        return f"{told} at {view.battle.number}"
    if view.active is None:
        return say("phase", view.phase)
    name = name_of(view, names, view.active)
    return f"{name}: {say('action', view.action)}" if view.action else f"{name} to act"
