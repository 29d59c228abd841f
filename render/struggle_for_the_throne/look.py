"""How houses and units look: colours, emblems, signs."""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from rules.struggle_for_the_throne.views import View

from .. import sprites
from ..palette import GOLD, INK, MUTED, RGB, ROCK, SEATS, TEXT, ink_on, shade
from ..sprites import Sprite


class House(NamedTuple):
    """A house's colour and emblem."""

    colour: RGB
    ground: str
    sign: str


@cache
def _data() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads((Path(__file__).parent / "palette.toml").read_text(encoding="utf-8"))


@cache
def ranks() -> tuple[str, ...]:
    """The ranks of units, the highest first."""
    return tuple(_data()["units"])


@lru_cache(maxsize=64)
def house(id: str) -> House:
    """The looks of a house; one whose id carries a mark of the second set gets the second look."""
    houses, grounds = _data()["houses"], _data()["grounds"]
    first = re.sub(r"[^a-z].*$|second$", "", id)
    entry = houses.get(first)
    if entry is None:
        return House(ROCK, str(grounds["first"]), "cross")
    number = "first" if id == first else "second"
    colour = SEATS[entry["colour" if number == "first" else "second"]]
    return House(colour, str(grounds[number]), entry["sign"])


def houses(view: View) -> dict[int, House]:
    """The looks of every seat."""
    return {h.seat: house(h.house) for h in view.houses}


def emblem(looks: House, size: int, faded: bool = False) -> Sprite:
    """The emblem at a size; `faded` for a seat that is out."""
    colour = shade(looks.colour, -0.65) if faded else looks.colour
    return sprites.badge(looks.ground, looks.sign, size, colour, MUTED if faded else ink_on(colour), INK)


def unit(rank: str, size: int, colour: RGB = TEXT, head: bool = False) -> Sprite:
    """The sign of a rank; the head of a family is golden."""
    shape = str(_data()["units"].get(rank, "disc"))
    return sprites.sprite(shape, size, GOLD if head else colour)
