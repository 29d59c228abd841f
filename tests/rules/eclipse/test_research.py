"""Research: prices, what may be bought, and what technologies do at once."""

import pytest

from rules.eclipse.common import discount, price
from rules.eclipse.components import TECHNOLOGIES
from rules.eclipse.research import has_room

from .helpers import DIRECTORATE as TERRANS
from .helpers import ERIDANI, FEDERATION, HYDRAN, UNION, Played, home, position, put, turned

NANO = [id for id, technology in TECHNOLOGIES.items() if technology.category == "nano"]


def researching(*technologies: str, species: str = TERRANS, science: int = 30, has: tuple[str, ...] = ()) -> Played:
    """Seat 0 researches with these tiles on the supply board."""
    s = position(species, UNION)
    s.supply = dict.fromkeys(technologies, 1)
    s.boards[0].technologies += has
    s.boards[0].storage = {"money": 0, "science": science, "materials": 0}
    return Played(s)(0, "research")


@pytest.mark.parametrize(("owned", "off"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8)])
def test_ruling_45_the_discount_of_the_category(owned: int, off: int) -> None:
    game = researching("wormhole_generator", has=tuple(NANO[:owned]))
    assert discount(game.s, 0, "nano") == off
    game(0, "wormhole_generator")
    assert game.s.boards[0].storage["science"] == 30 - (16 - off)
    assert game.told("research.bought")[0].args["n"] == 16 - off


def test_ruling_45_never_under_the_minimum() -> None:
    game = researching("fusion_drive", science=3, has=("monolith", "orbital"))
    question = game.table.asked[0]
    assert (question.option("fusion_drive").args["n"], game.ids(0)) == (3, ["fusion_drive", "trade", "skip"])
    game(0, "fusion_drive")
    assert game.s.boards[0].storage["science"] == 0


def test_ruling_45_preprinted_technologies_count() -> None:
    s = position(ERIDANI, UNION)
    assert [price(s, 0, id) for id in ("phase_shield", "improved_hull", "advanced_robotics")] == [7, 3, 5]
    assert price(s, 1, "phase_shield") == 7, "Starbase is preprinted"


def test_ruling_45_the_eighth_of_a_category_is_not_to_be_had() -> None:
    six = researching(NANO[7], "gauss_shield", has=tuple(NANO[:6]))
    assert NANO[7] in six.ids(0)
    seven = researching(NANO[7], "gauss_shield", has=tuple(NANO[:7]))
    assert seven.ids(0) == ["gauss_shield", "trade", "skip"]
    assert not has_room(seven.s, 0, NANO[7])


def test_what_is_too_dear_is_not_offered_but_trade_is() -> None:
    game = researching("advanced_robotics", science=5)
    assert game.ids(0) == ["trade", "skip"]
    game.s.boards[0].storage["money"] = 2
    game(0, "trade", "money.science")
    assert game.ids(0) == ["advanced_robotics", "trade", "skip"]


def test_ruling_46_nobody_has_a_technology_twice_and_tiles_run_out() -> None:
    s = position(TERRANS, UNION)
    s.supply = {"neutron_bombs": 2, "starbase": 1}
    for board in s.boards:
        board.storage["science"] = 9
    game = Played(s)(0, "research")
    assert game.ids(0) == ["neutron_bombs", "trade", "skip"], "Terrans begin with Starbase"
    game(0, "neutron_bombs")
    assert game.s.supply == {"neutron_bombs": 1, "starbase": 1}
    game(1, "research", "neutron_bombs")
    assert game.s.supply == {"starbase": 1}
    assert game.s.boards[1].technologies == ["starbase", "neutron_bombs"]


def test_ruling_47_hydran_buy_two_and_the_first_counts_for_the_second() -> None:
    game = researching("nanorobots", "monolith", species=HYDRAN, science=13)
    assert game.table.asked[0].option("monolith").args["n"] == 11, "Advanced Labs are preprinted"
    game(0, "nanorobots")
    assert game.s.boards[0].storage["science"] == 11
    assert game.table.asked[0].option("monolith").args["n"] == 10
    game(0, "monolith")
    assert game.s.boards[0].storage["science"] == 1
    assert game.asked(1) == "action.choose"
    none = researching("nanorobots", "monolith", species=HYDRAN, science=13)(0, "skip")
    assert (none.asked(1), none.s.boards[0].technologies) == ("action.choose", ["advanced_labs"])


def test_ruling_47_trade_and_colony_ships_between_the_two() -> None:
    s = position(HYDRAN, UNION)
    s.supply = {"nanorobots": 1, "gauss_shield": 1}
    s.boards[0].storage = {"money": 6, "science": 2, "materials": 0}
    put(s, "106", "0,-1", disc=0)
    game = Played(s)(0, "research", "nanorobots")
    assert game.ids(0) == ["trade", "skip"]
    game.act(0, "colonize", "106.0.science")
    assert (game.s.hexes["0,-1"].cubes, game.s.boards[0].colony_ships) == ([0], 2)
    game(0, "trade", "money.science", "trade", "money.science")
    assert game.ids(0) == ["gauss_shield", "skip"]
    game(0, "gauss_shield")
    assert game.s.boards[0].technologies == ["advanced_labs", "nanorobots", "gauss_shield"]


def test_others_buy_one() -> None:
    game = researching("nanorobots", "gauss_shield")(0, "nanorobots")
    assert game.asked(1) == "action.choose"


def test_discs_of_advanced_robotics_and_quantum_grid() -> None:
    game = researching("advanced_robotics")
    discs = game.s.boards[0].discs
    game(0, "advanced_robotics")
    assert (game.s.boards[0].discs, game.s.boards[0].reserve) == (discs + 1, 2)
    game = researching("quantum_grid")(0, "quantum_grid")
    assert (game.s.boards[0].discs, game.s.boards[0].reserve) == (discs + 2, 1)


def test_ruling_48_the_artifact_key_pays_for_each_artifact_separately() -> None:
    s = position(TERRANS, FEDERATION)
    s.supply = {"artifact_key": 1}
    s.boards[0].storage = {"money": 0, "science": 14, "materials": 1}
    put(s, "102", "0,-1", turned("102", 0, 3), disc=0)
    put(s, "105", "1,-1", disc=1)
    game = Played(s)(0, "research", "artifact_key")
    question = game.table.asked[0]
    assert (question.key, question.least, question.most) == ("research.artifacts", 2, 2), "home and 102, not 105"
    game(0, ("science", "materials"))
    assert game.s.boards[0].storage == {"money": 0, "science": 5, "materials": 6}


def test_ruling_48_without_artifacts_nothing_and_later_ones_bring_nothing() -> None:
    s = position(TERRANS, FEDERATION)
    s.supply = {"artifact_key": 1}
    s.boards[0].storage = {"money": 0, "science": 14, "materials": 0}
    put(s, "106", "0,-1", turned("106", 0, 3), disc=0)
    put(s, "102", "1,-1", turned("102", 1, 4), ships={0: {"interceptor": 1}})
    s.hexes[home(s, 0)].disc = None
    game = Played(s)(0, "research", "artifact_key")
    assert sum(game.s.boards[0].storage.values()) == 0
    assert game.asked(0) != "research.artifacts"
    game(0, "skip") if game.asked(0) == "action.end" else None
    game(1, "pass")(0, "influence", "track", "102")
    assert sum(game.s.boards[0].storage.values()) == 0
