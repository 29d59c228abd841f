"""Influence."""

from rules.eclipse import influence
from rules.eclipse.state import State, add_ship, remove_ship

from .helpers import DIRECTORATE, DRACO, UNION, Played, home, position, put, turned

SOUTH, SOUTH_WEST = "0,-1", "-1,-1"


def realm(*species: str) -> State:
    """Seat 0 to move; hex 106 lies south of its home, connected, without a disc."""
    s = position(*species)
    for board in s.boards:
        board.colony_ships, board.used_ships = 0, 0
    put(s, "106", SOUTH, turned("106", 0, 3))
    return s


def numbers(s: State, lifted: str = "") -> list[str]:
    """The goals of seat 0 by number."""
    return sorted(s.hexes[place].number for place in influence.goals(s, 0, lifted))


def test_ruling_32_two_moves_one_after_the_other() -> None:
    s = realm(DIRECTORATE, UNION)
    game = Played(s)(0, "influence", "track", "106")
    assert game.s.boards[0].discs == 10
    game(0, "106", "track")
    assert game.asked(1) == "action.choose"
    assert (game.s.boards[0].discs, game.s.hexes[SOUTH].disc) == (11, None)


def test_ruling_32_from_hex_to_hex() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "201", SOUTH_WEST, turned("201", 1), disc=0)
    game = Played(s)(0, "influence", "201", "106")
    assert game.s.hexes[SOUTH].disc == 0
    assert game.s.hexes[SOUTH_WEST].disc is None
    assert game.s.boards[0].discs == 10
    assert game.asked(0) == "influence.from"


def test_ruling_32_the_last_disc_lies_on_the_action_and_going_back_is_no_move() -> None:
    s = realm(DIRECTORATE, UNION)
    game = Played(s)(0, "influence", "track", "back")
    assert game.table.asked[0].args["left"] == 2
    s.boards[0].discs = 1
    assert Played(s)(0, "influence").ids(0) == ["221", "done"]


def test_ruling_33_connected_hexes_without_disc_and_enemy_ships() -> None:
    s = realm(DIRECTORATE, UNION)
    assert numbers(s) == ["106"]
    add_ship(s.hexes[SOUTH], 1, "interceptor")
    assert numbers(s) == []
    remove_ship(s.hexes[SOUTH], 1, "interceptor")
    s.hexes[SOUTH].disc = 1
    assert numbers(s) == []
    s.hexes[SOUTH].disc, s.hexes[SOUTH].rotation = None, turned("106", shut=[0])
    assert numbers(s) == []
    s.boards[0].technologies.append("wormhole_generator")
    assert numbers(s) == ["106"]


def test_ruling_33_where_only_the_player_has_ships() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "304", "5,-1", ships={0: {"interceptor": 1}})
    assert numbers(s) == ["106", "304"]
    s.hexes["5,-1"].disc = 1
    assert numbers(s) == ["106"], "a foreign disc bars it"


def test_ruling_34_a_disc_cannot_use_the_connection_it_provides() -> None:
    s = realm(DIRECTORATE, UNION)
    remove_ship(s.hexes[home(s, 0)], 0, "interceptor")
    assert numbers(s) == ["106"]
    assert numbers(s, home(s, 0)) == []
    add_ship(s.hexes[home(s, 0)], 0, "interceptor")
    assert numbers(s, home(s, 0)) == ["106"], "a ship provides it, too"


def test_ruling_34_pinned_ships_connect() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "201", "3,-2", ships={0: {"interceptor": 1}, 1: {"cruiser": 1}})
    put(s, "202", "4,-3", turned("202", 4))
    s.hexes["3,-2"].rotation = turned("201", 1)
    assert numbers(s) == ["106", "202"]


def test_ruling_35_ancients_and_the_defence_system() -> None:
    s = realm(DIRECTORATE, UNION)
    s.hexes[SOUTH].disc = 0
    put(s, "203", SOUTH_WEST, turned("203", 1))
    assert numbers(s) == []
    s.hexes["0,0"].gcds = False
    assert numbers(s) == ["001"]
    draco = realm(DRACO, UNION)
    draco.hexes[SOUTH].disc = 0
    put(draco, "203", SOUTH_WEST, turned("203", 1))
    assert numbers(draco) == ["203"]


def test_ruling_36_back_on_the_same_hex_takes_both_moves() -> None:
    s = realm(DIRECTORATE, UNION)
    s.hexes[SOUTH].disc = 0
    s.boards[0].discs -= 1
    game = Played(s)(0, "influence", "106")
    assert "106" not in game.ids(0)
    game(0, "track", "track", "106")
    assert game.asked(1) == "action.choose"
    assert game.s.hexes[SOUTH].disc == 0


def test_ruling_37_cubes_go_home_with_the_disc() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "211", SOUTH_WEST, turned("211", 1), disc=0, ancients=0, cubes=[0, 2, 3], orbital=True)
    s.boards[0].tracks = {"money": 8, "science": 9, "materials": 10}
    game = Played(s)(0, "influence", "211", "track")
    assert game.asked(0) == "cube.track"
    assert game.ids(0) == ["money", "science"], "from the Orbital"
    game(0, "science")
    assert game.ids(0) == ["money", "science", "materials"], "from the gray square"
    game(0, "materials")
    assert game.s.boards[0].tracks == {"money": 9, "science": 10, "materials": 11}
    assert game.s.hexes[SOUTH_WEST].cubes == []


def test_ruling_37_a_full_track_sends_the_cube_to_another() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "206", SOUTH_WEST, turned("206", 1), disc=0, cubes=[0], discovery=False)
    s.boards[0].tracks["materials"] = 12
    game = Played(s)(0, "influence", "206", "track")
    assert game.ids(0) == ["money", "science"]


def test_ruling_38_structures_stay() -> None:
    s = realm(DIRECTORATE, UNION)
    put(s, "206", SOUTH_WEST, turned("206", 1), disc=0, discovery=False, orbital=True, monolith=True)
    game = Played(s)(0, "influence", "206", "track")
    assert game.s.hexes[SOUTH_WEST].orbital
    assert game.s.hexes[SOUTH_WEST].monolith


def test_ruling_39_discs_beyond_the_last_circle() -> None:
    s = realm(DIRECTORATE, UNION)
    s.boards[0].discs = 14
    game = Played(s)(0, "influence", "track", "106")
    assert game.s.boards[0].discs == 12


def test_the_track_is_offered_only_if_a_disc_has_somewhere_to_go() -> None:
    s = realm(DIRECTORATE, UNION)
    s.hexes[SOUTH].disc = 1
    assert Played(s)(0, "influence").ids(0) == ["221", "done"]
    game = Played(realm(DIRECTORATE, UNION))(0, "influence", "track", "back")
    assert game.asked(0) == "influence.from"
