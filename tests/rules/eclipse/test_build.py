"""Build: what, how much, where."""

import pytest

from rules.eclipse.state import add_ship

from .helpers import DIRECTORATE, MECHANEMA, PLANTA, UNION, Played, home, position, put, turned

TERRAN_COSTS = {"interceptor": 3, "cruiser": 5, "dreadnought": 8, "starbase": 3, "orbital": 5, "monolith": 10}


def building(*technologies: str, species: str = DIRECTORATE, materials: int = 40) -> Played:
    """Seat 0 builds with these technologies."""
    s = position(species, UNION)
    s.boards[0].technologies += technologies
    s.boards[0].storage = {"money": 0, "science": 0, "materials": materials}
    return Played(s)(0, "build")


@pytest.mark.parametrize("item", TERRAN_COSTS)
def test_ruling_54_prices(item: str) -> None:
    game = building("orbital", "monolith")(0, item)
    assert game.s.boards[0].storage["materials"] == 40 - TERRAN_COSTS[item]
    hex_ = game.s.hexes[home(game.s, 0)]
    if item in ("orbital", "monolith"):
        assert getattr(hex_, item)
    else:
        assert game.ships(0, "221")[item] == 1 + (item == "interceptor")


def test_ruling_54_mechanema_build_three_and_cheaper() -> None:
    game = building("monolith", species=MECHANEMA)
    for item in ("cruiser", "dreadnought", "monolith"):
        assert game.asked(0) == "build.item"
        game(0, item)
    assert game.s.boards[0].storage["materials"] == 40 - 4 - 7 - 8
    assert game.asked(1) == "action.choose"


def test_ruling_54_two_items_and_one_more_with_nanorobots() -> None:
    plain = building()(0, "interceptor", "interceptor")
    assert plain.asked(1) == "action.choose"
    more = building("nanorobots")(0, "interceptor", "interceptor")
    assert more.asked(0) == "build.item"
    more(0, "interceptor")
    assert more.ships(0, "221") == {"interceptor": 4}
    assert more.asked(1) == "action.choose"


def test_ruling_17_nanorobots_do_not_help_a_reaction() -> None:
    s = position(MECHANEMA, UNION)
    s.boards[0].technologies.append("nanorobots")
    s.boards[0].storage["materials"] = 20
    game = Played(s)(0, "pass")(1, "influence", "done")(0, "build", "interceptor")
    assert game.asked(1) == "action.choose"
    assert game.ships(0, "230") == {"interceptor": 2}
    assert game.s.boards[0].reactions == {"build": 1}


def test_ruling_14_fewer_may_be_built_or_nothing() -> None:
    game = building()(0, "skip")
    assert (game.s.boards[0].actions, game.ships(0, "221")) == ({"build": 1}, {"interceptor": 1})
    assert game.asked(1) == "action.choose"


def test_ruling_54_technologies() -> None:
    assert building(species=MECHANEMA).ids(0) == ["interceptor", "cruiser", "dreadnought", "trade", "skip"]
    assert building("orbital", species=PLANTA).ids(0)[3:5] == ["starbase", "orbital"]


def test_ruling_54_only_what_can_be_paid_and_trade_is_possible_in_between() -> None:
    game = building(materials=3)
    assert game.ids(0) == ["interceptor", "starbase", "trade", "skip"]
    game.s.boards[0].storage["money"] = 6
    game(0, "interceptor")
    assert game.ids(0) == ["trade", "skip"]
    game.act(0, "trade", "money.materials")
    game(0, "trade", "money.materials", "trade", "money.materials", "starbase")
    assert game.ships(0, "221") == {"interceptor": 2, "starbase": 1}


def test_ruling_54_only_in_own_hexes_and_enemy_ships_do_not_matter() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].technologies.append("monolith")
    s.boards[0].storage["materials"] = 40
    put(s, "106", "0,-1", turned("106", 0, 3), ships={0: {"interceptor": 1}})
    add_ship(s.hexes[home(s, 0)], 1, "cruiser", 2)
    game = Played(s)(0, "build", "monolith", "cruiser")
    assert game.s.hexes[home(game.s, 0)].monolith


def test_ruling_03_ships_run_out() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].storage["materials"] = 40
    put(s, "106", "0,-1", turned("106", 0, 3), ships={0: {"dreadnought": 1, "interceptor": 6}})
    game = Played(s)(0, "build", "dreadnought")
    assert game.ids(0) == ["interceptor", "cruiser", "starbase", "trade", "skip"]
    game(0, "interceptor")(1, "influence", "done")(0, "build")
    assert game.ids(0) == ["cruiser", "starbase", "trade", "skip"]


def test_ruling_55_one_of_each_structure_in_a_hex() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].technologies += ["orbital", "monolith"]
    s.boards[0].storage["materials"] = 40
    put(s, "106", "0,-1", turned("106", 0, 3), disc=0, orbital=True)
    game = Played(s)(0, "build", "orbital")
    assert game.s.hexes[home(game.s, 0)].orbital, "106 has one, whoever built it, so no hex is asked for"
    assert "orbital" not in game.ids(0)
    game(0, "monolith", "221")
    hex_ = game.s.hexes[home(game.s, 0)]
    assert hex_.orbital
    assert hex_.monolith


def test_ruling_56_a_built_ship_enters_now() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].storage["materials"] = 40
    put(s, "106", "0,-1", turned("106", 0, 3), disc=0, ships={1: {"interceptor": 1}})
    game = Played(s)(0, "build", "cruiser", "106", "interceptor", "106")
    assert [fleet.seat for fleet in game.s.hexes["0,-1"].fleets] == [1, 0]
    assert game.ships(0, "106") == {"interceptor": 1, "cruiser": 1}
