"""Colony ships."""

from rules.eclipse import colony_ships
from rules.eclipse.state import add_ship

from .helpers import DIRECTORATE, DRACO, UNION, Played, home, position, put, step, turned


def ids(game: Played, seat: int = 0) -> list[str]:
    """Where the seat's colony ships may go."""
    return [landing.id for landing in colony_ships.landings(game.s, seat)]


def test_ruling_19_before_between_and_after_the_parts_of_an_action() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", "1,-2", disc=0)
    put(s, "210", "-1,-1", disc=0)
    game = Played(s)
    game(0, "colony", "201.0.money")
    assert game.asked(0) == "action.choose"
    game(0, "build").act(0, "colonize", "201.1.materials")
    assert game.asked(0) == "build.item"
    game(0, "skip")
    assert game.asked(0) == "action.end"
    game(0, "210.0.money")
    assert game.asked(1) == "action.choose", "no ship left, so the turn ends by itself"
    assert (game.s.boards[0].colony_ships, game.s.boards[0].used_ships) == (0, 3)
    assert game.s.hexes["1,-2"].cubes == [0, 1]
    assert game.s.boards[0].tracks == {"money": 8, "science": 10, "materials": 9}


def test_ruling_19_also_when_passing_again_but_not_in_others_turns() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", "1,-2", disc=0)
    s.boards[0].discs = 0
    game = Played(s)(0, "colony", "201.0.money", "pass")
    assert "colonize" not in game.acts(0)
    game(1, "build", "skip")
    assert game.ids(0) == ["colony", "trade", "skip"]
    game(0, "colony", "201.1.materials")
    assert game.asked(1) == "action.choose", "without a disc nothing else is left"
    assert game.s.hexes["1,-2"].cubes == [0, 1]


def test_ruling_19_not_in_combat() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", "1,-2", disc=0)
    s.active = 0
    assert colony_ships.acts(s, 0)
    s.phase = "combat"
    assert colony_ships.acts(s, 0) == []


def test_ruling_20_which_squares_and_from_which_tracks() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "211", "1,-2", disc=0, ancients=0)
    put(s, "106", "0,-1", disc=0, cubes=[0, 1], orbital=True)
    put(s, "201", "2,-2", disc=1)
    game = Played(s)
    grays = [f"211.2.{kind}" for kind in ("money", "science", "materials")]
    assert sorted(ids(game)) == sorted(["211.0.money", *grays, "106.2.money", "106.2.science"])
    game.s.boards[0].technologies.append("advanced_mining")
    assert "211.1.materials" in ids(game)
    game.s.boards[0].tracks["money"] = 0
    assert not any(id.endswith("money") for id in ids(game)), "no other track stands in"


def test_ruling_20_an_empty_track_gives_no_cube() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", "1,-2", disc=0)
    s.boards[0].tracks["money"] = 0
    assert ids(Played(s)) == ["201.1.materials"]


def test_equal_squares_are_offered_once() -> None:
    s = position(DIRECTORATE, UNION)
    s.hexes["0,0"].disc = 0
    offered = ids(Played(s))
    assert [id for id in offered if id.endswith("money")] == ["001.4.money"], "one of two gray squares"


def test_ruling_21_enemy_ships_matter_only_before_upkeep() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", "1,-2", disc=0, ships={1: {"interceptor": 1}})
    assert colony_ships.can_land(s, 0)
    assert not colony_ships.can_land(s, 0, upkeep=True)


def test_ruling_21_to_draco_ancients_are_no_enemies() -> None:
    s = position(DRACO, UNION)
    put(s, "203", "1,-2", disc=0)
    assert s.hexes["1,-2"].ancients == 2
    assert colony_ships.can_land(s, 0, upkeep=True)


def test_ruling_22_influence_turns_up_two_at_any_point() -> None:
    s = position(DIRECTORATE, UNION)
    board = s.boards[0]
    board.colony_ships, board.used_ships = 0, 3
    put(s, "201", "1,-2", disc=0)
    game = Played(s)(0, "influence", "refresh")
    game.act(0, "colonize", "201.0.money")
    game(0, "refresh").act(0, "colonize", "201.1.materials")
    assert (game.s.boards[0].colony_ships, game.s.boards[0].used_ships) == (0, 3)
    assert "refresh" not in game.ids(0), "a ship turned up twice counts twice"
    game(0, "done")
    assert (game.s.boards[0].colony_ships, game.s.boards[0].used_ships) == (0, 3)


def test_ruling_22_the_rest_is_turned_up_at_the_end() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].colony_ships, s.boards[0].used_ships = 0, 3
    game = Played(s)(0, "influence", "done")
    assert (game.s.boards[0].colony_ships, game.s.boards[0].used_ships) == (2, 1)
    assert [event.args["n"] for event in game.told("influence.refreshed")] == [2]


def test_who_enters_does_not_hinder_colonies_in_the_action_phase() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "201", step(home(s, 0), 4), turned("201", 1), disc=0)
    add_ship(s.hexes["-1,-1"], 1, "cruiser")
    assert "201.0.money" in ids(Played(s))
