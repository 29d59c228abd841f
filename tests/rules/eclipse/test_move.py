"""Move: how far and through what, and pinning."""

from typing import Any

import pytest

from rules.eclipse import RULES
from rules.eclipse.components import SPECIES
from rules.eclipse.state import State, add_ship, place_of

from .helpers import DIRECTORATE, DRACO, ERIDANI, UNION, Played, home, position, put, turned

INNER, CENTRE, BEYOND = "0,-1", "0,0", "0,1"


def line(species: str = DIRECTORATE, **inner: Any) -> State:
    """221 (or the species' home), 106, the centre without its defence, 103, and the other home in a line."""
    s = position(species, UNION)
    put(s, "106", INNER, turned("106", 0, 3), **inner)
    put(s, "103", BEYOND, turned("103", 0, 3))
    s.hexes[CENTRE].gcds = False
    return s


def moving(s: State) -> Played:
    """Seat 0 moves."""
    return Played(s)(0, "move")


def faster(s: State, seat: int = 0) -> State:
    """The seat's Interceptors go two hexes."""
    s.boards[seat].blueprints["interceptor"][0] = "nuclear_drive"
    return s


def goals(game: Played, ship: str) -> list[str]:
    """Where the ship may go; it goes there if there is no other place."""
    told = len(game.told("move.moved"))
    game(0, ship)
    return [str(event.args["goal"]) for event in game.told("move.moved")[told:]] or game.ids(0)


# Distance and connections


@pytest.mark.parametrize("species", [DIRECTORATE, ERIDANI, DRACO])
def test_ruling_57_moves_by_species_the_same_ship_again(species: str) -> None:
    game = moving(line(species))
    at = SPECIES[species].home
    way = ["106", at, "106"] if species == DIRECTORATE else ["106", at]
    for to in way:
        assert game.asked(0) == "move.ship"
        if species == ERIDANI:
            assert game.ids(0) == [f"{at}.interceptor", "skip"]
        game(0, f"{at}.interceptor", *([to] if at == "106" else []))
        at = to
    assert game.ships(0, at) == {"interceptor": 1}
    assert game.asked(1) == "action.choose"


def test_ruling_57_movement_value() -> None:
    assert goals(moving(line()), "221.interceptor") == ["106"]
    assert sorted(goals(moving(faster(line())), "221.interceptor")) == ["001", "106"]
    s = faster(line())
    s.boards[0].blueprints["interceptor"][3] = "fusion_drive"
    assert sorted(goals(moving(s), "221.interceptor")) == ["001", "103", "106"]


def test_ruling_57_only_through_wormholes_on_both_sides() -> None:
    s = line()
    s.hexes[INNER].rotation = turned("106", 3, shut=[0])
    assert "move" not in Played(s).ids(0)
    s = line()
    s.hexes[INNER].rotation = turned("106", 3, shut=[0])
    s.boards[0].technologies.append("wormhole_generator")
    assert goals(moving(s), "221.interceptor") == ["106"]


def test_ruling_10_without_any_wormhole_there_is_no_way() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].technologies.append("wormhole_generator")
    put(s, "106", "1,-2", turned("106", 0, shut=[5]))
    assert "move" not in Played(s).ids(0), "221 has none on its edge 2"


def test_ruling_57_starbases_stay_and_there_is_no_limit_to_ships_in_a_hex() -> None:
    s = line()
    add_ship(s.hexes[home(s, 0)], 0, "starbase")
    add_ship(s.hexes[home(s, 0)], 0, "cruiser")
    put_ships = {"interceptor": 7, "cruiser": 3, "dreadnought": 2}
    for ship, n in put_ships.items():
        add_ship(s.hexes[INNER], 0, ship, n)
    game = moving(s)
    assert [id for id in game.ids(0) if id.startswith("221")] == ["221.interceptor", "221.cruiser"]
    game(0, "221.cruiser", "221.interceptor")
    assert game.ships(0, "106") == {"interceptor": 8, "cruiser": 4, "dreadnought": 2}


def test_ruling_14_moves_may_be_left_out() -> None:
    game = moving(line())(0, "skip")
    assert game.asked(1) == "action.choose"


def test_ruling_16_a_reaction_moves_one_ship_once() -> None:
    game = Played(line())(0, "pass")(1, "influence", "done")(0, "move", "221.interceptor")
    assert game.ships(0, "106") == {"interceptor": 1}
    assert game.s.boards[0].reactions == {"move": 1}
    assert game.asked(1) == "action.choose"


def test_ruling_08_the_only_goal_is_named_with_the_ship_and_not_asked() -> None:
    game = moving(line())
    asked = game.table.asked[0]
    assert RULES.words.option(asked, asked.options[0]) == "Interceptor at 221 (1 there) to 106 Capella"
    game(0, "221.interceptor")
    assert (game.asked(0), game.ships(0, "106")) == ("move.ship", {"interceptor": 1})


# Pinning


def test_ruling_58_one_ship_stays_for_each_enemy_ship() -> None:
    game = moving(line(ships={0: {"interceptor": 3}, 1: {"interceptor": 1, "starbase": 1}}))
    game(0, "106.interceptor", "001")
    assert "106.interceptor" not in game.ids(0), "two are held"
    game(0, "221.interceptor", "106.interceptor", "221")


def test_ruling_58_ships_of_all_opponents_and_ancients_are_added_up() -> None:
    ships = {0: {"interceptor": 1, "cruiser": 2}, 1: {"interceptor": 1}}
    game = moving(line(ships=ships, ancients=1))
    assert "106.interceptor" in game.ids(0), "any one of the three may go"
    game(0, "106.cruiser", "001")
    assert {*game.ids(0)} == {"001.cruiser", "221.interceptor", "skip"}, "two are held"


def test_ruling_58_starbases_hold_enemies_too() -> None:
    game = moving(line(ships={0: {"starbase": 1, "interceptor": 1}, 1: {"dreadnought": 1}}))
    assert "106.interceptor" in game.ids(0)


def test_ruling_59_who_passes_through_needs_others_that_hold_the_enemy() -> None:
    assert goals(moving(faster(line(ships={1: {"interceptor": 1}}))), "221.interceptor") == ["106"]
    free = moving(faster(line(ships={1: {"interceptor": 1}, 0: {"cruiser": 1}})))
    assert sorted(goals(free, "221.interceptor")) == ["001", "106"]
    two = moving(faster(line(ships={1: {"interceptor": 2}, 0: {"cruiser": 1}})))
    assert goals(two, "221.interceptor") == ["106"]


def test_ruling_59_the_example_of_the_rulebook() -> None:
    """Two Interceptors with movement 2: the first is held by one enemy, so the second passes."""
    s = faster(line(ships={1: {"interceptor": 1}}))
    add_ship(s.hexes[home(s, 0)], 0, "interceptor")
    game = moving(s)(0, "221.interceptor", "221.interceptor", "001", "skip")
    assert (game.ships(0, "106"), game.ships(0, "001")) == ({"interceptor": 1}, {"interceptor": 1})


def test_ruling_60_the_defence_system_holds_everything() -> None:
    s = faster(line())
    s.hexes[CENTRE].gcds = True
    add_ship(s.hexes[CENTRE], 0, "interceptor", 3)
    s.boards[0].blueprints["interceptor"][3] = "fusion_drive"
    game = moving(s)
    assert game.ids(0) == ["221.interceptor", "skip"]
    assert sorted(goals(game, "221.interceptor")) == ["001", "106"], "nobody passes through"


def test_ruling_60_arriving_and_built_ships_relieve_others() -> None:
    s = line(ships={0: {"cruiser": 1}, 1: {"interceptor": 1}})
    s.hexes[INNER].disc = 0
    s.boards[0].colony_ships, s.boards[0].storage["materials"] = 0, 3
    game = moving(s)
    assert game.ids(0) == ["221.interceptor", "skip"]
    game(0, "221.interceptor", "106.cruiser", "001", "skip")
    built = Played(s)(0, "build", "interceptor", "106", "skip")(1, "pass")(0, "move")
    assert "106.cruiser" in built.ids(0)


def test_ruling_61_ancients_neither_hold_draco_nor_are_held() -> None:
    s = faster(line(DRACO, ships={0: {"interceptor": 1}}, ancients=2))
    game = moving(s)
    assert "106.interceptor" in game.ids(0)
    assert sorted(goals(game, "228.interceptor")) == ["001", "106"]
    mixed = moving(line(DRACO, ships={0: {"interceptor": 2}, 1: {"cruiser": 1}}, ancients=2))
    mixed(0, "106.interceptor", "001")
    assert "106.interceptor" not in mixed.ids(0), "the other player's ship holds one"


def test_ruling_61_against_others_ancients_hold_as_usual() -> None:
    assert moving(line(ships={0: {"interceptor": 1}}, ancients=1)).ids(0) == ["221.interceptor", "skip"]


def test_ruling_62_a_disc_and_population_hold_nobody() -> None:
    s = faster(line(disc=1, cubes=[0, 1]))
    assert sorted(goals(moving(s), "221.interceptor")) == ["001", "106"]


def test_ruling_63_entry_is_when_the_first_ship_came() -> None:
    s = line(ships={1: {"cruiser": 2}})
    game = moving(s)(0, "221.interceptor")(1, "build", "skip")

    def order() -> list[int]:
        return [fleet.seat for fleet in game.s.hexes[place_of(game.s, "106")].fleets]

    assert order() == [1, 0]
    game(0, "pass")(1, "move", "106.cruiser", "001", "001.cruiser", "106", "skip")
    assert order() == [1, 0], "one of them stayed all the time"


def test_ruling_63_who_left_and_came_back_is_the_last() -> None:
    s = line(ships={0: {"interceptor": 1}})
    game = moving(s)(0, "106.interceptor", "221", "skip")(1, "build", "skip")
    add_ship(game.s.hexes[INNER], 1, "cruiser")
    game(0, "move", "221.interceptor", "skip")
    assert [fleet.seat for fleet in game.s.hexes[INNER].fleets] == [1, 0]
