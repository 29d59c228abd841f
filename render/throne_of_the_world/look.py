"""How seats, professions and cards look: colours, emblems, signs."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from rules.throne_of_the_world.components import UNITS
from rules.throne_of_the_world.views import CardView, SeatView

from .. import sprites
from ..palette import INK, MUTED, PANEL, RGB, SEATS, TEXT, ink_on, mix, shade
from ..sprites import Sprite
from . import emblems


class SeatLook(msgspec.Struct, frozen=True):
    """A seat's colour, and the ground of its emblem."""

    colour: str
    ground: str

    @property
    def rgb(self) -> RGB:
        return SEATS[self.colour]


class Look(msgspec.Struct, frozen=True):
    """A colour and a sign."""

    colour: RGB
    sign: str


class _Looks(msgspec.Struct, frozen=True):
    seats: dict[str, SeatLook]
    races: dict[str, str]
    kinds: dict[str, Look]
    cards: dict[str, Look]


class Face(NamedTuple):
    """The front of a card: the colour of its kind and the shape on it."""

    colour: RGB
    shape: str


@cache
def _looks() -> _Looks:
    return msgspec.toml.decode((Path(__file__).parent / "palette.toml").read_bytes(), type=_Looks)


def seat_look(seat: SeatView) -> SeatLook:
    """The looks of a seat."""
    return _looks().seats[seat.colour]


def emblem(seat: SeatView, size: int) -> Sprite:
    """A seat's emblem: its race's sign on its own ground; faded when it is out."""
    looks = seat_look(seat)
    colour = looks.rgb if seat.playing else shade(looks.rgb, -0.65)
    return sprites.badge(
        looks.ground, race_sign(seat.race), size, colour, ink_on(colour) if seat.playing else MUTED, INK
    )


def race_sign(race: str) -> str:
    """The shape of a race; a card while it is not revealed."""
    return _looks().races.get(race, "card")


def kind_of(profession: str) -> Look:
    """The looks of what a profession does: attack, produce or capture."""
    return _looks().kinds[UNITS[profession].kind]


def profession(name: str, size: int, dim: bool = False) -> Sprite:
    """The emblem of a profession in the colour of what it does."""
    colour = mix(PANEL, TEXT, 0.22) if dim else kind_of(name).colour
    return sprites.sprite(name, size, colour)


def gives(name: str, size: int) -> Sprite:
    """The sign of what a profession gives: damage, coins or cards."""
    looks = kind_of(name)
    return sprites.sprite(looks.sign, size, looks.colour)


def source(name: str, size: int) -> Sprite:
    """The sign of what attacks: a profession's, or that of a power."""
    return (
        profession(name, size)
        if name in emblems.PROFESSIONS
        else sprites.sprite("flame", size, _looks().kinds["attack"].colour)
    )


def face_of(card: CardView) -> Face:
    """The front of a card."""
    if card.kind == "unit":
        return Face(kind_of(card.profession).colour, card.profession)
    looks = _looks().cards[card.kind]
    return Face(looks.colour, card.profession if card.kind == "double" else looks.sign)


def kind_sign(kind: str, size: int, colour: RGB) -> Sprite:
    """The sign of a kind of card."""
    return sprites.sprite(_looks().cards[kind].sign, size, colour)


def kind_colour(kind: str) -> RGB:
    """The colour of a kind of card."""
    return _looks().cards[kind].colour
