"""Upgrade: returning, taking and placing parts, and the rules on energy and drives."""

import random
from collections import Counter

from rules.eclipse import RULES
from rules.eclipse.ships import BLUEPRINTS, PART_TILES, PARTS, SHIP_TYPES, fault, lying, may_take
from rules.eclipse.state import State
from rules.eclipse.upgrade import net, shortage
from rules.engine.questions import SKIP

from .helpers import DIRECTORATE, MECHANEMA, ORION, UNION, Played, position

MANY = ("gauss_shield", "improved_hull", "fusion_source", "plasma_cannon", "fusion_drive", "positron_computer")


def upgrading(
    *technologies: str, species: str = DIRECTORATE, kept: tuple[str, ...] = (), **blueprints: dict[int, str]
) -> Played:
    """Seat 0 upgrades, with these technologies, ancient parts kept aside, and tiles on its blueprints by square."""
    s = position(species, UNION)
    board = s.boards[0]
    board.technologies += technologies
    board.parts += kept
    for ship, tiles in blueprints.items():
        for at, part in tiles.items():
            board.blueprints[ship][at] = part
    return Played(s)(0, "upgrade")


def parts(game: Played, ship: str) -> tuple[str, ...]:
    """What is to be seen on the seat's blueprint."""
    board = game.s.boards[0]
    return lying(board.species, ship, board.blueprints[ship])


def faults(s: State, seat: int) -> list[object]:
    """What is wrong with the seat's blueprints."""
    board = s.boards[seat]
    found = [fault(board.species, ship, lying(board.species, ship, board.blueprints[ship])) for ship in SHIP_TYPES]
    return [one for one in found if one]


# What may be taken


def test_ruling_52_the_basic_parts_and_those_of_own_technologies() -> None:
    game = upgrading("gauss_shield", "plasma_missile")
    basic = ["ion_cannon", "plasma_missile", "hull", "nuclear_drive", "electron_computer", "nuclear_source"]
    assert game.ids(0) == [*basic, "gauss_shield", SKIP]
    assert "fusion_drive" not in game.ids(0)


def test_ruling_52_better_parts_do_not_include_lesser_ones() -> None:
    assert "positron_computer" not in upgrading("gluon_computer").ids(0)


def test_ruling_52_preprinted_parts_need_nothing() -> None:
    game = upgrading(species=ORION)
    assert "gauss_shield" in parts(game, "cruiser")


# How many, and where


def test_ruling_49_two_parts_on_empty_and_printed_squares() -> None:
    game = upgrading("gauss_shield")
    assert game.table.asked[0].args["n"] == 2
    game(0, "gauss_shield")
    squares = game.ids(0)
    assert {"interceptor.0", "cruiser.0", "cruiser.1", "dreadnought.2", "starbase.3"} <= {*squares}
    game(0, "cruiser.1")
    game(0, "hull")
    assert "cruiser.1" not in game.ids(0), "not on a tile"
    game(0, "cruiser.4")
    assert parts(game, "cruiser") == (
        "hull", "gauss_shield", "ion_cannon", "nuclear_source", "hull", "nuclear_drive",
    )  # fmt: skip
    assert game.asked(1) == "action.choose"


def test_ruling_49_mechanema_take_three() -> None:
    game = upgrading(species=MECHANEMA)(0, "hull", "interceptor.0", "hull", "cruiser.1")
    assert game.asked(0) == "upgrade.take"
    game(0, "hull", "starbase.3")
    assert game.asked(1) == "action.choose"


def test_ruling_49_a_reaction_takes_one_but_returns_any() -> None:
    s = position(MECHANEMA, UNION)
    s.boards[0].blueprints["cruiser"][1] = "hull"
    s.boards[0].blueprints["interceptor"][0] = "hull"
    game = Played(s)(0, "pass")(1, "influence", "done")(0, "upgrade", "interceptor.0", "cruiser.1")
    assert game.table.asked[0].args["n"] == 1
    game(0, "electron_computer", "interceptor.0")
    assert game.asked(1) == "action.choose"
    assert game.s.boards[0].reactions == {"upgrade": 1}


def test_ruling_49_returning_lays_the_printed_part_bare_and_is_enough() -> None:
    game = upgrading(cruiser={0: "electron_computer", 1: "hull"})
    assert game.ids(0) == ["cruiser.0", "cruiser.1", SKIP]
    game(0, "cruiser.0")
    assert parts(game, "cruiser")[:2] == ("hull", "hull")
    game(0, SKIP, SKIP)
    assert game.asked(1) == "action.choose"


def test_ruling_14_nothing_need_be_done() -> None:
    assert upgrading()(0, SKIP).asked(1) == "action.choose"


def test_ruling_53_moving_a_part_is_returning_and_taking_it() -> None:
    game = upgrading("gauss_shield", cruiser={1: "gauss_shield"})(0, "cruiser.1", "gauss_shield", "interceptor.0", SKIP)
    assert (parts(game, "cruiser")[1], parts(game, "interceptor")[0]) == ("", "gauss_shield")
    lost = upgrading(cruiser={1: "axion_computer"})(0, "cruiser.1")
    assert "axion_computer" not in lost.ids(0), "an ancient part is gone"
    assert lost.s.boards[0].parts == []


def test_ruling_44_a_part_kept_aside_counts_as_one_taken() -> None:
    game = upgrading(kept=("axion_computer",))
    assert "axion_computer" in game.ids(0)
    game(0, "axion_computer", "cruiser.1")
    assert game.s.boards[0].parts == []
    assert game.table.asked[0].args["n"] == 1
    assert "axion_computer" not in game.ids(0)


# Energy and drives


def test_ruling_50_a_blueprint_may_be_wrong_in_between() -> None:
    """The Plasma Cannon needs one more energy than there is until the better source comes."""
    game = upgrading("plasma_cannon", "fusion_source")(0, "plasma_cannon", "interceptor.0")
    assert faults(game.s, 0)
    assert SKIP not in game.ids(0), "not allowed in that form"
    assert "still lacks energy" in RULES.words.question(game.table.asked[0])
    assert game.ids(0)[-1] == "fusion_source"
    game(0, "fusion_source")
    asked = game.table.asked[0]
    assert RULES.words.option(asked, asked.option("interceptor.2")) == "Interceptor 3: over Nuclear Source"
    game(0, "interceptor.2")
    assert not faults(game.s, 0)


def test_ruling_50_what_could_not_be_mended_is_not_offered() -> None:
    assert "antimatter_cannon" in upgrading("antimatter_cannon").ids(0), "a second source can follow"
    assert "antimatter_cannon" not in upgrading("antimatter_cannon")(0, "hull", "cruiser.1").ids(0)
    last = upgrading("plasma_cannon", "fusion_source")(0, "hull", "cruiser.1")
    last(0, "plasma_cannon")
    assert "interceptor.0" not in last.ids(0), "no part is left to mend it"
    assert "interceptor.1" in last.ids(0), "in place of the Ion Cannon it has energy enough"


def test_ruling_50_an_ancient_source_kept_aside_can_mend_too() -> None:
    for kept in ((), ("hypergrid_source",)):
        s = position(DIRECTORATE, UNION)
        s.boards[0].blueprints["cruiser"][1:4] = ["antimatter_cannon", "antimatter_cannon", "tachyon_source"]
        s.boards[0].parts = list(kept)
        game = Played(s)(0, "pass")(1, "influence", "done")(0, "upgrade", "cruiser.3")
        assert (SKIP in game.ids(0)) == bool(kept), "without it two parts would be needed"
        if kept:
            assert game(0, SKIP).ids(0) == ["cruiser.0", "cruiser.3", "cruiser.4"], "the one part there is"
            assert game.table.asked[0].args["part"] == "hypergrid_source"


def test_ruling_50_all_four_blueprints_are_checked() -> None:
    game = upgrading("fusion_source", "plasma_cannon", cruiser={1: "plasma_cannon", 3: "fusion_source"})
    game(0, "cruiser.3")
    assert SKIP in game.ids(0), "one source is enough"
    game(0, SKIP, "fusion_source", "cruiser.3", SKIP)
    assert not faults(game.s, 0)


def test_ruling_51_ships_need_a_drive_and_starbases_have_none() -> None:
    game = upgrading("fusion_drive")(0, "fusion_drive")
    assert not any(square.startswith("starbase") for square in game.ids(0))
    game = upgrading()(0, "hull")
    assert "interceptor.3" in game.ids(0), "a drive can still be taken"
    game(0, "interceptor.3")
    assert game.table.asked[0].args["part"] == "nuclear_drive", "nothing else helps"
    assert game.asked(0) == "upgrade.square"
    last = upgrading()(0, "hull", "cruiser.1", "electron_computer")
    assert "interceptor.3" not in last.ids(0)


def test_ruling_51_a_returned_drive_must_be_replaced() -> None:
    game = upgrading(interceptor={0: "nuclear_drive", 3: "hull"})(0, "interceptor.0", SKIP)
    assert SKIP not in game.ids(0)
    game(0, "nuclear_drive", "interceptor.0")
    assert SKIP in game.ids(0)


def test_ruling_51_equal_parts_add_up() -> None:
    game = upgrading("fusion_source", "fusion_drive")(0, "fusion_source", "cruiser.3", "fusion_drive", "cruiser.1")
    game(1, "pass")
    view = game.table.view(0).seats[0].blueprints[1]
    assert (view.movement, view.initiative, view.consumption) == (3, 4, 4)


def test_nobody_gets_stuck() -> None:
    """Random upgrades from random allowed blueprints always end in allowed ones."""
    dice = random.Random(5)
    for n in range(150):
        technologies = [id for id in MANY if dice.random() < 0.5]
        game = upgrading(*technologies, species=dice.choice((DIRECTORATE, MECHANEMA, ORION, "planta")))
        if dice.random() < 0.5:
            game.s.boards[0].parts += ["hypergrid_source", "ion_turret"]
        for _ in range(6):
            while game.asked(0):
                options = game.ids(0)
                game(0, "upgrade" if "upgrade" in options else dice.choice(options))
            assert not faults(game.s, 0), n
            assert all(part in PARTS for ship in SHIP_TYPES for part in parts(game, ship) if part)
            game(1, "influence", "done")
            game.s.boards[0].discs = game.s.boards[1].discs = 9


def least_parts(species: str, ship: str, tiles: list[str], supply: list[str], most: int) -> int:
    """By trying everything: how many parts make the blueprint allowed."""
    if fault(species, ship, lying(species, ship, tiles)) is None:
        return 0
    if not most:
        return 1
    tried = [
        least_parts(species, ship, [*tiles[:at], part, *tiles[at + 1 :]], supply, most - 1)
        for at, tile in enumerate(tiles)
        if not tile
        for part in supply
        if ship != "starbase" or PARTS[part].kind != "drive"
    ]
    return 1 + min(tried, default=most)


def test_the_least_number_of_parts_agrees_with_trying_everything() -> None:
    dice = random.Random(6)
    seen: Counter[int] = Counter()
    for _ in range(400):
        species, ship = dice.choice((DIRECTORATE, ORION, "planta")), dice.choice(SHIP_TYPES[:2])
        technologies = [id for id in MANY if dice.random() < 0.4]
        supply = [part for part in PART_TILES if may_take(part, technologies)]
        anything = [part for part in PARTS if PARTS[part].consumption > 1 or dice.random() < 0.2]
        tiles = [dice.choice(anything) if dice.random() < 0.35 else "" for _ in BLUEPRINTS[species][ship].parts]
        most = dice.randint(0, 2)
        expected = least_parts(species, ship, tiles, supply, most)
        assert shortage(species, ship, tiles, [max(net(part) for part in supply)] * most) == expected
        seen[expected] += 1
    assert {0, 1, 2, 3} <= {*seen}
