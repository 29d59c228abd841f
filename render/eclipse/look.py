"""How everything looks: seats, kinds of population, ships, parts, technologies, dice."""

from functools import cache, lru_cache
from pathlib import Path

import msgspec
from PIL import Image

from rules.eclipse.components import TECHNOLOGIES
from rules.eclipse.ships import PARTS
from rules.eclipse.views import View

from .. import sprites, text
from ..palette import DANGER, GOLD, INK, MUTED, PANEL, RGB, TEXT, TILE, ink_on, luminance, mix, shade
from ..sprites import Sprite
from . import shapes as shapes


class Look(msgspec.Struct, frozen=True):
    """A colour and a sign."""

    colour: RGB
    sign: str


class Colour(msgspec.Struct, frozen=True):
    """What a seat plays in: the colour, the ground of its emblem, the rim of its pieces."""

    rgb: RGB
    ground: str
    rim: RGB


class SeatLook(msgspec.Struct, frozen=True):
    """The looks of a seat."""

    colour: Colour
    sign: str

    @property
    def rgb(self) -> RGB:
        return self.colour.rgb

    @property
    def line(self) -> RGB:
        """The colour of lines and texts of this seat: one that is seen on a dark ground."""
        return self.rgb if luminance(self.rgb) > 0.15 else mix(self.rgb, self.colour.rim, 0.45)


class _Looks(msgspec.Struct, frozen=True):
    colours: dict[str, Colour]
    species: dict[str, str]
    kinds: dict[str, Look]
    parts: dict[str, Look]
    categories: dict[str, Look]
    technologies: dict[str, str]
    dice: dict[str, RGB]
    actions: dict[str, str]


NOBODY = SeatLook(Colour((178, 92, 214), "disc", (232, 206, 255)), "ancient")
"""Ancients and the defence system."""
LEAST_FIGURE = 16
"""Smaller ones cannot be read on a phone."""
DICE = {1: "yellow", 2: "orange", 4: "red"}
"""The dice by the damage they do."""


@cache
def _looks() -> _Looks:
    return msgspec.toml.decode((Path(__file__).parent / "palette.toml").read_bytes(), type=_Looks)


@cache
def of(colour: str, species: str) -> SeatLook:
    """The looks of a colour with a species' sign; before it is chosen a plain one."""
    return SeatLook(_looks().colours[colour], _looks().species.get(species, "any"))


def seats(view: View) -> dict[int, SeatLook]:
    """The looks of every seat."""
    return {seat.seat: of(seat.colour, seat.species) for seat in view.seats}


def emblem(looks: SeatLook, size: int, faded: bool = False) -> Sprite:
    """A seat's emblem: its species' sign on its colour's own ground; `faded` when it is out."""
    colour = shade(looks.rgb, -0.65) if faded else looks.rgb
    ink = MUTED if faded else ink_on(colour)
    return sprites.badge(looks.colour.ground, looks.sign, size, colour, ink, MUTED if faded else looks.colour.rim)


def disc(looks: SeatLook, size: int) -> Sprite:
    """An influence disc."""
    return sprites.badge("disc", looks.sign, size, looks.rgb, ink_on(looks.rgb), looks.colour.rim)


def ship(kind: str, size: int, looks: SeatLook, faded: bool = False) -> Sprite:
    """A ship in its owner's colour with its owner's rim."""
    rim = 2 if size >= 24 else 1
    if faded:
        return sprites.sprite(kind, size, shade(looks.rgb, -0.5), mix(TILE, looks.colour.rim, 0.4), rim)
    return sprites.sprite(kind, size, looks.rgb, looks.colour.rim, rim)


def kind_colour(kind: str) -> RGB:
    """The colour of a kind of population or resource."""
    return _looks().kinds[kind].colour


def kind(name: str, size: int, colour: RGB | None = None) -> Sprite:
    """The sign of a kind of population or resource."""
    return sprites.sprite(_looks().kinds[name].sign, size, colour or kind_colour(name))


@lru_cache(maxsize=256)
def square(name: str, advanced: bool, size: int, cube: SeatLook | None = None) -> Sprite:
    """A population square: hollow in its kind's colour, or with somebody's cube on it; starred when advanced."""
    colour = kind_colour(name)
    rim = max(2, size // 11)
    fill, ink = (cube.rgb, ink_on(cube.rgb)) if cube else (mix(TILE, INK, 0.6), colour)
    image = sprites.plate(size, size, max(3, size // 6), fill, colour, rim).image.copy()
    if cube:
        inner = sprites.frame(size - 2 * rim + 2, size - 2 * rim + 2, max(2, size // 8), cube.colour.rim, 2)
        image.alpha_composite(inner.image, (rim - 1, rim - 1))
    sign = kind(name, round(size * (0.56 if cube else 0.62)), ink)
    at = (size - sign.width) // 2
    image.alpha_composite(sign.image, (at, at))
    if advanced:
        star = sprites.sprite("star", round(size * 0.58), TEXT, INK, 2)
        whole = Image.new("RGBA", (size + size // 5, size + size // 5), (0, 0, 0, 0))
        whole.alpha_composite(image, (0, size // 5))
        whole.alpha_composite(star.image, (whole.width - star.width, 0))
        image = whole
    return Sprite(image, image.width, image.height)


def part_colour(id: str) -> RGB:
    """The colour of a part's kind."""
    return _looks().parts[PARTS[id].kind].colour


def part(id: str, size: int, colour: RGB | None = None) -> Sprite:
    """The sign of a part's kind."""
    return sprites.sprite(_looks().parts[PARTS[id].kind].sign, size, colour or part_colour(id))


def part_kind(kind: str, size: int, colour: RGB | None = None) -> Sprite:
    """The sign of a kind of part."""
    looks = _looks().parts[kind]
    return sprites.sprite(looks.sign, size, colour or looks.colour)


def category(name: str) -> Look:
    """The looks of a category of technologies."""
    return _looks().categories[name]


def technology(id: str, size: int, colour: RGB | None = None) -> Sprite:
    """The sign of a technology: that of its part, or its own."""
    shown = colour or category(TECHNOLOGIES[id].category).colour
    if TECHNOLOGIES[id].kind == "part":
        return part(id, size, shown)
    return sprites.sprite(_looks().technologies[id], size, shown)


def action(name: str, size: int, colour: RGB = TEXT) -> Sprite:
    """The sign of an action."""
    return sprites.sprite(_looks().actions[name], size, colour)


def die_colour(damage: int) -> RGB:
    """The colour of the die that does so much damage."""
    return _looks().dice[DICE[damage]]


@lru_cache(maxsize=64)
def points(value: int, size: int) -> Sprite:
    """A pentagon with victory points in it."""
    image = sprites.sprite("pentagon", size, mix(PANEL, INK, 0.3), GOLD, max(2, size // 14)).image.copy()
    height = max(LEAST_FIGURE, round(size * (0.6 if value < 10 else 0.5)))
    figure = text.label(str(value), height, GOLD if value >= 0 else DANGER, text.Font.BOLD)
    image.alpha_composite(figure.image, ((size - figure.width) // 2, round(size * 0.54 - figure.height / 2)))
    return Sprite(image, size, size)
