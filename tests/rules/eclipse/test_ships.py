"""Upgrade: what blueprints add up to and which are allowed. Ship parts and blueprints are data."""

import pytest

from rules.eclipse.components import SPECIES
from rules.eclipse.ships import (
    ANCIENT_PARTS,
    BLUEPRINTS,
    PART_TILES,
    PARTS,
    REPUTATION,
    SHIP_LIMITS,
    SHIP_TYPES,
    SIZE,
    fault,
    lying,
    may_take,
    no_tiles,
    totals,
    totals_of,
)  # fmt: skip

TERRAN = "terran_union"
TOTALS = {
    # species: initiative, computer, shield, hull, movement, production, consumption, dice of each type
    "terran": ((3, 0, 0, 0, 1, 3, 2, 1), (2, 1, 0, 1, 1, 3, 2, 1), (1, 1, 0, 2, 1, 3, 3, 2), (4, 1, 0, 2, 0, 3, 1, 1)),
    "eridani": ((3, 0, 0, 0, 1, 3, 2, 1), (2, 1, 0, 1, 1, 3, 2, 1), (1, 1, 0, 2, 1, 4, 3, 2), (4, 1, 0, 2, 0, 3, 1, 1)),
    "planta": ((1, 1, 0, 0, 1, 5, 2, 1), (1, 1, 0, 1, 1, 5, 2, 1), (1, 1, 0, 2, 1, 5, 3, 2), (2, 2, 0, 2, 0, 5, 1, 1)),
    "orion": ((4, 0, 1, 0, 1, 4, 2, 1), (3, 1, 1, 1, 1, 5, 2, 1), (2, 1, 1, 2, 1, 6, 3, 2), (5, 1, 1, 2, 0, 3, 1, 1)),
}  # fmt: skip
SQUARES = {"interceptor": 4, "cruiser": 6, "dreadnought": 8, "starbase": 5}


@pytest.mark.parametrize("species", list(BLUEPRINTS))
def test_printed_blueprints_add_up_as_on_the_boards_and_are_allowed(species: str) -> None:
    known = next((TOTALS[word] for word in species.split("_") if word in TOTALS), TOTALS["terran"])
    for ship, expected in zip(SHIP_TYPES, known, strict=True):
        found = totals(species, ship)
        assert (*found[:7], len(found.cannons)) == expected
        assert found.missiles == ()
        assert fault(species, ship, BLUEPRINTS[species][ship].parts) is None
        assert len(BLUEPRINTS[species][ship].parts) == SQUARES[ship] - (species == "planta")


def test_every_species_has_blueprints_whose_printed_parts_it_may_take() -> None:
    assert sorted(BLUEPRINTS) == sorted(SPECIES)
    for species, blueprints in BLUEPRINTS.items():
        for blueprint in blueprints.values():
            assert all(may_take(part, SPECIES[species].technologies) for part in blueprint.parts if part)


def test_numbers_of_the_rulebook() -> None:
    assert (len(PART_TILES), len(ANCIENT_PARTS)) == (17, 6)
    assert SHIP_LIMITS == {"interceptor": 8, "cruiser": 4, "dreadnought": 2, "starbase": 4}
    assert REPUTATION == {"interceptor": 1, "cruiser": 2, "dreadnought": 3, "starbase": 1, "ancient": 1, "gcds": 3}
    assert sorted(SHIP_TYPES, key=lambda ship: -SIZE[ship]) == ["dreadnought", "cruiser", "starbase", "interceptor"]
    assert totals_of("ancient")[:4] == (2, 1, 0, 1)
    assert totals_of("ancient").cannons == (1, 1)
    assert totals_of("gcds")[:4] == (0, 1, 0, 7)
    assert totals_of("gcds").cannons == (1, 1, 1, 1)


def test_parts_add_up() -> None:
    """Several equal parts count several times: two Fusion Drives move 4, as the rulebook has it."""
    parts = ("fusion_drive", "fusion_drive", "fusion_source", "plasma_missile", "plasma_cannon", "ion_turret")
    found = totals(TERRAN, "cruiser", parts)
    assert (found.movement, found.initiative, found.consumption) == (4, 5, 7)
    assert found.missiles == (2, 2)
    assert found.cannons == (1, 1, 2)


@pytest.mark.parametrize(
    ("ship", "parts", "reason"),
    [
        ("interceptor", ("ion_cannon", "ion_cannon", "nuclear_source", "nuclear_drive"), None),
        ("interceptor", ("plasma_cannon", "ion_cannon", "nuclear_source", "nuclear_drive"), "blueprint.energy"),
        ("interceptor", ("", "ion_cannon", "nuclear_source", ""), "blueprint.no_drive"),
        ("interceptor", ("conformal_drive", "ion_cannon", "nuclear_source", ""), None),
        ("starbase", ("hull", "ion_cannon", "hull", "", ""), None),
        ("starbase", ("hull", "ion_cannon", "hull", "nuclear_drive", ""), "blueprint.drive"),
        ("starbase", ("antimatter_cannon", "", "", "", ""), "blueprint.energy"),
    ],
)
def test_ruling_51_energy_and_drives(ship: str, parts: tuple[str, ...], reason: str | None) -> None:
    found = fault(TERRAN, ship, parts)
    assert (found and found[0]) == reason


def test_ruling_51_extra_bonuses_outside_the_squares_stay() -> None:
    bare = ("nuclear_drive", "", "", "", "")
    assert totals("planta", "cruiser", bare).production == 2
    assert totals("planta", "cruiser", bare).computer == 1
    assert fault("planta", "cruiser", bare) is None


def test_ruling_52_parts_and_technologies() -> None:
    basic = [part for part in PART_TILES if may_take(part, ())]
    assert sorted(basic) == ["electron_computer", "hull", "ion_cannon", "nuclear_drive", "nuclear_source"]
    assert not may_take("positron_computer", ("gluon_computer",))
    assert may_take("gluon_computer", ("gluon_computer",))
    assert not any(may_take(part, tuple(PARTS)) for part in ANCIENT_PARTS)


def test_a_tile_hides_the_printed_part() -> None:
    tiles = no_tiles(TERRAN, "interceptor")
    assert lying(TERRAN, "interceptor", tiles) == BLUEPRINTS[TERRAN]["interceptor"].parts
    tiles[1] = "plasma_missile"
    assert lying(TERRAN, "interceptor", tiles) == ("", "plasma_missile", "nuclear_source", "nuclear_drive")
