"""What everything is called: the game's own words."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rules.engine.words import Words
from rules.throne_of_the_world import components
from rules.throne_of_the_world.texts import load_words
from rules.throne_of_the_world.views import SeatView, View

from .. import text


@cache
def words() -> Words:
    """The texts of the game."""
    return load_words(Path(components.__file__).parent / "words.toml")


def say(kind: str, id: str) -> str:
    """The text about one thing: `say("card", "farmers")`."""
    return words().say(f"{kind}.{id}")


def name_of(view: View, names: Mapping[int, str], seat: int) -> str:
    """A seat's name; its colour when nobody's name is known."""
    return text.clean(names.get(seat, "")) or say("colour", view.seats[seat].colour)


def names_of(view: View, names: Mapping[int, str], seats: tuple[int, ...]) -> str:
    """The names of several seats."""
    return " and ".join(name_of(view, names, seat) for seat in seats)


def race_name(seat: SeatView) -> str:
    """The race, with a mark if its figures are our own."""
    if not seat.race:
        return words().say("board.hidden_race")
    return say("race", seat.race) + (words().say("board.mark") if seat.reconstructed else "")


def team_name(team: int) -> str:
    """A team's letter."""
    return f"Team {chr(ord('A') + team)}"


def turn_words(view: View, names: Mapping[int, str]) -> str:
    """Who does what now, or who has won."""
    if view.winners:
        verb = "wins" if len(view.winners) == 1 else "win"
        return f"{names_of(view, names, view.winners)} {verb}"
    if view.active is None:
        return words().say("board.draft")
    return f"{name_of(view, names, view.active)}: {say('phase', view.phase)}"


def source_name(source: str) -> str:
    """What attacks: a profession or a power."""
    return say("source", source)


@cache
def _short() -> Words:
    return Words.load(Path(__file__).parent / "short.toml")


def in_short(skill: str) -> str:
    """What a skill card does, in few words."""
    return _short().say(skill, {"n": components.SKILLS[skill].n})
