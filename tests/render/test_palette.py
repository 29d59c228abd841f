"""The fixed palette, and colours that everybody can tell apart."""

from itertools import combinations

import pytest
from PIL import Image

from render import palette
from render.struggle_for_the_throne import look
from rules.struggle_for_the_throne import components

from .vision import KINDS, distance


def test_the_palette_fits_and_holds_the_main_colours() -> None:
    assert len(set(palette.fixed())) == len(palette.fixed()) <= 256
    for colour in (*palette.SEATS.values(), palette.SPACE, palette.TEXT, palette.GOLD, palette.TARGET, palette.CHANGED):
        assert palette.quantise(Image.new("RGB", (2, 2), colour)).convert("RGB").getpixel((0, 0)) == colour


def test_no_colour_is_far_from_its_nearest() -> None:
    """Blends of a seat colour with the ground, as edges have them, stay close."""
    for colour in palette.SEATS.values():
        for share in (0.3, 0.5, 0.7):
            wanted = palette.mix(palette.TILE, colour, share)
            got = palette.quantise(Image.new("RGB", (1, 1), wanted)).convert("RGB").getpixel((0, 0))
            assert sum(abs(a - b) for a, b in zip(wanted, got, strict=True)) <= 60


@pytest.mark.parametrize("kind", KINDS)
def test_six_houses_differ_for_every_kind_of_colour_vision(kind: str) -> None:
    colours = [look.house(house.id).rgb for house in components.HOUSES[:6]]
    assert min(distance(a, b, KINDS[kind]) for a, b in combinations(colours, 2)) > 18


def test_every_house_has_its_own_emblem() -> None:
    looks = [look.house(house.id) for house in components.HOUSES]
    assert look.STRANGER not in looks
    assert len({house.sign for house in looks}) == len({house.colour for house in looks}) == len(looks) == 12
    assert len({house.ground for house in looks[:6]} & {house.ground for house in looks[6:]}) == 0


def test_every_rank_has_its_own_shape() -> None:
    assert len({look.unit(rank, 24).image.tobytes() for rank in components.RANKS}) == len(components.RANKS)
    assert look.unit("head.commander", 24) == look.unit("commander", 24, head=True) != look.unit("commander", 24)
