"""What the cards and units are called, and what the cards do, in a few words."""

from functools import cache
from pathlib import Path

import msgspec

from .look import rank_of


class EndWords(msgspec.Struct, frozen=True):
    """The name of a card's end, and its effect in each phase."""

    name: str
    alive: str = ""
    dead: str = ""


@cache
def _words() -> dict[str, EndWords]:
    return msgspec.toml.decode((Path(__file__).parent / "cards.toml").read_bytes(), type=dict[str, EndWords])


def card_name(end: str) -> str:
    """What the end is called."""
    words = _words().get(end)
    return words.name if words else end.replace("_", " ").title()


def effect(end: str, alive: bool) -> str:
    """What the end does while the Emperor lives or after his death."""
    words = _words().get(end)
    return (words.alive if alive else words.dead) if words else ""


def unit_name(token: str) -> str:
    """What a unit is called; whether it is the head of its family is drawn, not said."""
    return rank_of(token).replace("_", " ").title()
