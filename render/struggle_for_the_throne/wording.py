"""What cards, units and houses are called: the game's own words."""

from functools import cache
from pathlib import Path

from rules.engine.words import Words
from rules.struggle_for_the_throne import components

from .look import rank_of


@cache
def words() -> Words:
    """The texts of the game."""
    return Words.load(Path(components.__file__).parent / "words.toml")


def end_of(card: str) -> str:
    """The end that a card played in a battle shows."""
    return card if card in components.ENDS else card.rpartition(".")[2]


def card_name(end: str) -> str:
    """What the end of a card is called."""
    return words().say(f"card.{end}")


def effect(end: str) -> str:
    """What the end of a card does."""
    return words().say(f"card_text.{end}")


def unit_name(token: str) -> str:
    """What a unit is called; whether it is the head of its family is drawn, not said."""
    return words().say(f"unit.{rank_of(token)}")


def house_name(house: str) -> str:
    """What a house is called; its id when the game does not know it."""
    key = f"house.{house}"
    return words().say(key) if key in words() else house.title()
