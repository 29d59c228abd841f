"""Upkeep Phase."""

import pytest

from rules.eclipse import colony_ships
from rules.eclipse.common import income, upkeep
from rules.eclipse.components import RESOURCES
from rules.eclipse.state import State, add_ship, on_board, remove_ship

from .helpers import DIRECTORATE, FEDERATION, ORION, UNION, Played, home, position, put

FAR = "5,-2"


def last_pass(*species: str) -> State:
    """Only seat 0 has not passed; nobody has colony ships."""
    s = position(*species)
    for board in s.boards:
        board.colony_ships, board.used_ships = 0, board.colony_ships
        board.passed = True
    s.boards[0].passed = False
    return s


def poor(s: State, seat: int, discs: int, money: int = 0, science: int = 0, materials: int = 0) -> None:
    """So many discs left on the track, the others on the Move action, and these resources."""
    board = s.boards[seat]
    board.actions, board.discs = {"move": board.discs - discs}, discs
    board.storage = {"money": money, "science": science, "materials": materials}


@pytest.mark.parametrize(("cubes", "gain"), [(12, 0), (11, 2), (10, 3), (6, 10), (1, 24), (0, 28)])
def test_income(cubes: int, gain: int) -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].tracks["money"] = cubes
    assert income(s.boards[0], "money") == gain


@pytest.mark.parametrize(("discs", "due"), [(0, 30), (1, 25), (8, 3), (11, 0), (12, 0), (13, 0), (16, 0)])
def test_upkeep_by_discs(discs: int, due: int) -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[0].discs = discs
    assert upkeep(s.boards[0]) == due


def test_ruling_101_money_then_science_and_materials() -> None:
    s = last_pass(DIRECTORATE, UNION)
    poor(s, 0, 7, money=4)
    game = Played(s)(0, "pass")
    assert [event.args for event in game.told("upkeep.done")] == [
        {"seat": 0, "money": 3, "due": 5, "left": 2, "science": 3, "materials": 3},
        {"seat": 1, "money": 3, "due": 0, "left": 5, "science": 3, "materials": 3},
    ]
    assert game.s.boards[0].storage == {"money": 4 + 3 - 5, "science": 3, "materials": 3}
    assert game.s.boards[1].storage == {"money": 5, "science": 6, "materials": 6}


def test_ruling_101_colony_ships_come_first_and_all_place_them_together() -> None:
    s = last_pass(DIRECTORATE, UNION)
    for seat, number, place in ((0, "201", FAR), (1, "210", "-5,2")):
        put(s, number, place, disc=seat)
        s.boards[seat].colony_ships, s.boards[seat].used_ships = 1, 2
    game = Played(s)(0, "colony", "back", "pass")
    assert list(game.table.asked) == [0, 1], "ruling 8: it concerns nobody else"
    game(1, "210.0.money")
    assert game.s.hexes["-5,2"].cubes == []
    game(0, "skip")
    assert game.s.hexes["-5,2"].cubes == [0]
    assert game.s.boards[1].storage["money"] == 2 + 4, "the cube already counts"


def test_ruling_21_no_colony_ships_where_enemy_ships_are() -> None:
    s = last_pass(DIRECTORATE, UNION)
    s.boards[1].blueprints["interceptor"] = ["", "hull", "", ""]  # unarmed: the population survives
    put(s, "201", FAR, disc=0, ships={1: {"interceptor": 1}}, cubes=[0])
    put(s, "206", "-5,2", disc=0)
    s.boards[0].colony_ships, s.boards[0].used_ships = 3, 0
    blockaded = Played(s)(0, "pass")
    assert (blockaded.asked(0), blockaded.ids(0)) == ("colony.upkeep", ["206.0.materials", "skip"])
    blockaded(0, "206.0.materials")
    assert blockaded.s.round == 2, "nothing is asked about what is left"
    s.hexes["-5,2"].cubes = [0]
    assert Played(s)(0, "pass").s.round == 2


def test_ruling_08_who_decides_first() -> None:
    s = last_pass(DIRECTORATE, UNION, FEDERATION)
    s.start = 2
    for seat in range(3):
        poor(s, seat, 9, money=0, science=4)
        s.boards[seat].tracks["money"] = 12
    game = Played(s)(0, "pass")
    order = []
    while game.s.phase == "upkeep" and game.table.asked:
        (seat,) = game.table.asked
        order.append(seat)
        game(seat, game.ids(seat)[0])
    assert order == [2, 2, 0, 0, 1, 1]
    assert game.s.start == 0, "the marker won this round counts from the next on"


def test_ruling_102_trading_or_giving_up_hexes_as_the_player_likes() -> None:
    s = last_pass(DIRECTORATE, UNION)
    poor(s, 0, 6, science=4, materials=2)
    put(s, "201", FAR, disc=0, cubes=[0])
    s.boards[0].discs, s.boards[0].tracks["money"] = 6, 9
    game = Played(s)(0, "pass")
    assert game.asked(0) == "upkeep.short"
    assert game.table.asked[0].args == {"short": 7 - 4}
    assert sorted(game.ids(0)) == sorted(["science.money", "materials.money", "221", "201"])
    game(0, "science.money")
    assert game.table.asked[0].args == {"short": 2}
    game(0, "201")
    assert game.s.boards[0].tracks["money"] == 10, "the cube came home, and the income fell"
    assert game.table.asked[0].args == {"short": 5 - 3 - 1}
    game(0, "materials.money")
    assert game.s.round == 2
    assert game.s.boards[0].storage == {"money": 0, "science": 2 + 3, "materials": 0 + 3}


def test_ruling_102_nothing_is_given_up_when_there_is_enough() -> None:
    s = last_pass(DIRECTORATE, UNION)
    poor(s, 0, 9, money=0)
    game = Played(s)(0, "pass")
    assert game.s.round == 2
    assert game.s.boards[0].storage["money"] == 3 - 2


def test_ruling_102_at_the_species_rate_from_what_is_stored() -> None:
    s = last_pass(ORION, UNION)
    poor(s, 0, 8, science=4, materials=3)
    game = Played(s)(0, "pass")
    assert sorted(game.ids(0)) == ["232", "science.money"], "three materials are less than the rate of four"


def test_ruling_103_when_nothing_helps_the_civilization_collapses() -> None:
    s = last_pass(DIRECTORATE, UNION, FEDERATION)
    s.hexes[home(s, 0)].disc, s.hexes[home(s, 0)].cubes = None, []
    put(s, "206", FAR, ships={0: {"cruiser": 1}}, monolith=True, disc=0, discovery=False)
    poor(s, 0, 0)
    s.boards[0].discoveries = ["money_8"]
    s.boards[0].ambassadors, s.boards[1].ambassadors = [1], [0]
    s.boards[1].tracks["money"] -= 1
    s.traitor = 0
    game = Played(s)
    assert game.asked(1) == "cube.track", "the partner takes the ambassador home; the only hex was given up before"
    game(1, "money")
    board = game.s.boards[0]
    assert board.out == "collapsed"
    assert board.score["discoveries"] == 2
    assert board.score["hexes"] == board.score["monoliths"] == 0
    assert board.score["ambassadors"] == 1
    assert board.score["traitor"] == -2
    assert not on_board(game.s, 0)
    assert game.s.boards[1].ambassadors == []
    assert game.s.traitor is None
    assert game.s.hexes[FAR].monolith, "structures stay"
    assert game.s.round == 2
    assert game.asked(1) == "action.choose", "the place of the one who is gone is skipped"
    assert [standing.score for standing in game.table.standings() if standing.seat == 0] == [1]


def test_ruling_103_not_while_a_trade_or_a_hex_is_left() -> None:
    s = last_pass(DIRECTORATE, UNION)
    poor(s, 0, 8, science=2)
    s.boards[0].tracks["money"] = 12
    game = Played(s)(0, "pass")
    assert sorted(game.ids(0)) == ["221", "science.money"]
    game(0, "221")
    assert game.s.boards[0].out == ""
    assert game.s.boards[0].storage["money"] >= 0


def test_ruling_104_without_discs_and_ships_on_the_board() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    s.hexes[at].disc, s.hexes[at].cubes = None, []
    remove_ship(s.hexes[at], 0, "interceptor")
    s.boards[0].tracks = dict.fromkeys(RESOURCES, 11)
    game = Played(s)
    assert game.ids(0) == ["research", "trade", "pass", "give_up"]
    game(0, "pass")(1, "pass")
    assert game.s.boards[0].storage == {"money": 4, "science": 5, "materials": 5}, "it goes on producing"
    assert colony_ships.can_land(game.s, 0) is False


def test_ruling_104_giving_up() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    s.hexes[at].disc, s.hexes[at].cubes = None, []
    remove_ship(s.hexes[at], 0, "interceptor")
    s.boards[0].reputation = [3]
    game = Played(s)(0, "give_up")
    assert game.s.boards[0].out == "gave_up"
    assert game.asked(1) == "action.choose"
    assert game.table.view(1).seats[0].total == 3, "its tiles are open now"
    add_ship(s.hexes[at], 0, "interceptor")
    assert "give_up" not in Played(s).ids(0), "only for those without anything on the board"


def test_when_all_are_gone_the_game_is_over() -> None:
    s = position(DIRECTORATE, UNION)
    for seat in (0, 1):
        at = home(s, seat)
        s.hexes[at].disc, s.hexes[at].cubes, s.hexes[at].fleets = None, [], []
    game = Played(s)(0, "give_up")(1, "give_up")
    assert game.table.over
    assert len(game.table.standings()) == 2
