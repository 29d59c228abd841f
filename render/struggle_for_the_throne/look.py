"""How houses and units look: colours, emblems, signs."""

from functools import cache
from pathlib import Path

import msgspec

from rules.struggle_for_the_throne.components import RANKS
from rules.struggle_for_the_throne.views import View

from .. import sprites
from ..palette import GOLD, INK, MUTED, RGB, SEATS, TEXT, ink_on, shade
from ..sprites import Sprite

HEAD = "head."


class House(msgspec.Struct, frozen=True):
    """A house's colour, and the sign and ground of its emblem."""

    colour: str
    sign: str
    ground: str

    @property
    def rgb(self) -> RGB:
        return SEATS[self.colour]


class _Looks(msgspec.Struct, frozen=True):
    houses: dict[str, House]
    units: dict[str, str]


STRANGER = House("grey", "cross", "octagon")


@cache
def _looks() -> _Looks:
    return msgspec.toml.decode((Path(__file__).parent / "palette.toml").read_bytes(), type=_Looks)


def house(id: str) -> House:
    """The looks of a house."""
    return _looks().houses.get(id, STRANGER)


def houses(view: View) -> dict[int, House]:
    """The looks of every seat."""
    return {h.seat: house(h.house) for h in view.houses}


def rank_of(token: str) -> str:
    """The rank of a unit, whether or not it is named as the head of its family."""
    return token.removeprefix(HEAD)


def emblem(looks: House, size: int, faded: bool = False) -> Sprite:
    """The emblem at a size; `faded` for a seat that is out."""
    colour = shade(looks.rgb, -0.65) if faded else looks.rgb
    return sprites.badge(looks.ground, looks.sign, size, colour, MUTED if faded else ink_on(colour), INK)


def unit(token: str, size: int, colour: RGB = TEXT, head: bool = False) -> Sprite:
    """The sign of a unit; the head of a family is golden."""
    golden = head or token.startswith(HEAD)
    return sprites.sprite(_looks().units.get(rank_of(token), "disc"), size, GOLD if golden else colour)


__all__ = ["HEAD", "RANKS", "House", "emblem", "house", "houses", "rank_of", "unit"]
