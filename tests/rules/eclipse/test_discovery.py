"""Discovery tiles."""

import pytest

from rules.eclipse import RULES
from rules.eclipse.components import DISCOVERIES
from rules.eclipse.state import State, fleet
from rules.engine.pile import Pile

from .helpers import DIRECTORATE, DRACO, ERIDANI, UNION, Played, position, put, turned

SOUTH = "0,-1"


def find(tile: str, *species: str) -> State:
    """Seat 0 is about to put a disc on hex 206 with this discovery; there is a technology to be had, too."""
    s = position(*(species or (DIRECTORATE, UNION)))
    for board in s.boards:
        board.colony_ships = 0
    put(s, "206", SOUTH, turned("206", 0))
    s.discoveries = Pile.of([tile])
    s.supply = {"monolith": 1}
    return s


def taken(s: State) -> Played:
    """The disc is put there."""
    return Played(s)(0, "influence", "track", "206")


def test_ruling_40_the_side_is_chosen_at_once() -> None:
    game = taken(find("money_8"))
    assert game.ids(0) == ["use", "points"]
    assert not game.s.hexes[SOUTH].discovery
    game(0, "points")
    assert game.s.boards[0].discoveries == ["money_8"]
    assert game.s.boards[0].storage["money"] == 2
    assert len(game.s.discoveries) == 0


@pytest.mark.parametrize(
    ("tile", "kind", "n"), [("money_8", "money", 10), ("science_5", "science", 8), ("materials_6", "materials", 9)]
)
def test_ruling_40_resources(tile: str, kind: str, n: int) -> None:
    game = taken(find(tile))(0, "use")
    assert game.s.boards[0].storage[kind] == n
    assert (game.s.boards[0].discoveries, game.s.supply) == ([], {"monolith": 1})


def test_ruling_40_not_before_ancients_are_gone() -> None:
    s = find("money_8")
    s.hexes[SOUTH].ancients = 1
    game = Played(s)(0, "influence")
    assert "track" not in game.ids(0)


def test_ruling_41_draco_get_none_beside_ancients() -> None:
    s = find("money_8", DRACO, UNION)
    s.hexes[SOUTH].ancients = 1
    game = taken(s)
    assert game.s.hexes[SOUTH].disc == 0
    assert game.s.hexes[SOUTH].discovery
    game.s.hexes[SOUTH].ancients = 0
    game(0, "206", "track")(1, "pass")
    assert game.s.hexes[SOUTH].discovery
    game(0, "influence", "track", "206")
    assert game.asked(0) == "discovery.side", "lifted and placed again"


def test_ruling_42_the_cheapest_by_printed_price_that_is_lacking() -> None:
    s = find("ancient_technology", ERIDANI, UNION)
    s.supply = {"gauss_shield": 1, "improved_hull": 1, "plasma_missile": 1, "starbase": 1}
    game = taken(s)(0, "use")
    assert game.ids(0) == ["improved_hull", "starbase"], "equally cheap; gauss_shield is no longer lacking"
    game(0, "starbase")
    assert "starbase" in game.s.boards[0].technologies
    assert "starbase" not in game.s.supply
    assert game.s.boards[0].storage["science"] == 2


def test_ruling_42_it_works_as_if_researched_and_may_be_nothing() -> None:
    s = find("ancient_technology")
    s.supply = {"advanced_robotics": 1}
    game = taken(s)(0, "use")
    assert game.s.boards[0].reserve == 2
    s = find("ancient_technology")
    s.supply = {}
    game = taken(s)(0, "use")
    assert [event.kind for event in game.told("discovery.nothing")] == ["discovery.nothing"]


def test_ruling_42_full_tracks_are_passed_over() -> None:
    s = find("ancient_technology")
    grid = ["gauss_shield", "improved_hull", "fusion_source", "positron_computer", "advanced_economy", "tachyon_drive"]
    s.boards[0].technologies += [*grid, "antimatter_cannon"]
    s.supply = {"quantum_grid": 1, "wormhole_generator": 1}
    game = taken(s)(0, "use")
    assert game.s.boards[0].technologies[-1] == "wormhole_generator"


def test_ruling_43_a_cruiser_into_the_hex() -> None:
    game = taken(find("ancient_cruiser"))(0, "use")
    assert fleet(game.s.hexes[SOUTH], 0) == {"cruiser": 1}
    s = find("ancient_cruiser")
    put(s, "305", "5,0", ships={0: {"cruiser": 4}}, ancients=0)
    game = taken(s)(0, "use")
    assert fleet(game.s.hexes[SOUTH], 0) == {}
    assert game.told("discovery.nothing")


def test_ruling_44_an_ancient_part_is_placed_now() -> None:
    game = taken(find("part_ion_turret"))(0, "use")
    assert game.asked(0) == "discovery.square"
    assert "interceptor.1" in game.ids(0)
    assert not [id for id in game.ids(0) if id == "interceptor.3"], "without a drive the blueprint would not be allowed"
    game(0, "interceptor.1")
    assert game.s.boards[0].blueprints["interceptor"] == ["", "ion_turret", "", ""]


def test_ruling_44_in_place_of_a_tile_or_kept_aside() -> None:
    s = find("part_shard_hull")
    s.boards[0].blueprints["interceptor"][0] = "hull"
    game = taken(s)(0, "use", "interceptor.0")
    assert game.s.boards[0].blueprints["interceptor"][0] == "shard_hull"
    game = taken(find("part_shard_hull"))(0, "use", "aside")
    assert game.s.boards[0].parts == ["shard_hull"]
    assert game.s.boards[0].discoveries == []


def test_ruling_44_equal_tiles_over_different_parts_are_different_places() -> None:
    s = find("part_shard_hull")
    s.boards[0].blueprints["cruiser"] = ["", "hull", "", "", "hull", ""]
    game = taken(s)(0, "use")
    label = {option.id: RULES.words.option(game.table.asked[0], option) for option in game.table.asked[0].options}
    assert label["cruiser.1"] == "Cruiser 2: in place of the Hull tile"
    assert label["cruiser.4"] == "Cruiser 5: for Hull over Electron Computer"


def test_ruling_44_a_part_kept_aside_is_a_part_of_a_later_upgrade_and_lost_when_replaced() -> None:
    game = taken(find("part_shard_hull"))(0, "use", "aside", "done")(1, "pass")
    game(0, "upgrade", "shard_hull", "interceptor.0", "skip")(1, "skip")
    assert game.s.boards[0].blueprints["interceptor"][0] == "shard_hull"
    assert game.s.boards[0].parts == []
    game(0, "upgrade", "interceptor.0", "skip")
    assert game.s.boards[0].blueprints["interceptor"][0] == ""
    assert game.s.boards[0].parts == [], "off the blueprint it is gone"


def test_every_tile_can_be_used() -> None:
    for tile in DISCOVERIES:
        game = taken(find(tile))(0, "use")
        while game.asked(0) == "discovery.square":
            game(0, "aside")
        assert game.asked(0) == "influence.from"
