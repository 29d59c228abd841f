"""Cleanup Phase and game end."""

import pytest

from rules.eclipse import RULES, scoring
from rules.eclipse.state import State
from rules.engine.pile import Pile

from .helpers import DIRECTORATE, DRACO, FEDERATION, PLANTA, UNION, Played, position, put

FAR = "5,-2"


def last_pass(*species: str, round: int = 1) -> State:
    """Only seat 0 has not passed; nobody has colony ships."""
    s = position(*species)
    for board in s.boards:
        board.colony_ships, board.used_ships = 0, board.colony_ships
        board.passed = True
    s.boards[0].passed, s.round = False, round
    return s


@pytest.mark.parametrize(("seats", "n"), [(2, 4), (3, 6), (4, 7)])
def test_ruling_105_new_technologies(seats: int, n: int) -> None:
    s = last_pass(*(DIRECTORATE, UNION, FEDERATION, PLANTA if seats < 4 else DRACO)[:seats])
    game = Played(s)(0, "pass")
    assert sum(game.s.supply.values()) == n
    assert len(game.told("cleanup.technologies")[0].args["technologies"]) == n  # type: ignore[arg-type]


def test_ruling_105_an_emptier_bag_gives_what_it_has() -> None:
    s = last_pass(DIRECTORATE, UNION)
    s.bag = Pile.of(["starbase", "starbase", "orbital"])
    game = Played(s)(0, "pass")
    assert game.s.supply == {"orbital": 1, "starbase": 2}
    assert len(game.s.bag) == 0


def test_ruling_105_everything_goes_back() -> None:
    s = last_pass(DIRECTORATE, UNION)
    board = s.boards[0]
    board.actions, board.reactions, board.discs = {"build": 2}, {"move": 1}, 9
    board.tracks, board.graveyard = (
        {"money": 8, "science": 10, "materials": 10},
        {"money": 2, "science": 0, "materials": 0},
    )
    game = Played(s)(0, "pass")
    board = game.s.boards[0]
    assert (board.discs, board.actions, board.reactions) == (12, {}, {})
    assert board.tracks["money"] == 10
    assert sum(board.graveyard.values()) == 0
    assert (board.colony_ships, board.used_ships, board.passed) == (3, 0, False)
    assert game.s.round == 2


def test_ruling_105_a_full_track_sends_the_cube_to_another() -> None:
    s = last_pass(DIRECTORATE, UNION)
    board = s.boards[0]
    board.tracks, board.graveyard = (
        {"money": 12, "science": 9, "materials": 8},
        {"money": 1, "science": 0, "materials": 0},
    )
    game = Played(s)(0, "pass")
    assert game.asked(0) == "cube.track"
    assert game.ids(0) == ["science", "materials"]
    game(0, "materials")
    assert game.s.boards[0].tracks == {"money": 12, "science": 9, "materials": 9}


def test_ruling_106_round_nine_ends_after_upkeep() -> None:
    s = last_pass(DIRECTORATE, UNION, round=9)
    s.boards[0].actions, s.boards[0].discs = {"build": 2}, 10
    game = Played(s)(0, "pass")
    assert game.table.over
    assert game.told("upkeep.done")
    assert not game.told("cleanup.technologies")
    assert game.s.boards[0].actions == {"build": 2}
    assert Played(last_pass(DIRECTORATE, UNION, round=8))(0, "pass").s.round == 9


def test_ruling_107_what_scores() -> None:
    s = position(DIRECTORATE, UNION)
    board = s.boards[0]
    board.reputation, board.ambassadors, board.discoveries = [4, 1], [1], ["money_8", "money_8"]
    put(s, "211", FAR, disc=0, monolith=True)
    put(s, "106", "5,-3", monolith=True)
    board.technologies += ["neutron_bombs", "plasma_cannon", "phase_shield"]
    s.traitor = 0
    assert scoring.points(s, 0) == {
        "reputation": 5, "ambassadors": 1, "hexes": 3 + 2, "discoveries": 4, "monoliths": 3, "technologies": 1,
        "traitor": -2, "species": 0,
    }  # fmt: skip
    assert sum(scoring.points(s, 1).values()) == 3, "a Monolith in nobody's hex is nobody's"


@pytest.mark.parametrize(("n", "points"), [(3, 0), (4, 1), (5, 2), (6, 3), (7, 5)])
def test_ruling_107_technology_tracks(n: int, points: int) -> None:
    s = position(DIRECTORATE, UNION)
    nano = ["nanorobots", "fusion_drive", "advanced_robotics", "orbital", "advanced_labs", "monolith", "artifact_key"]
    s.boards[0].technologies = nano[:n]
    assert scoring.points(s, 0)["technologies"] == points


def test_ruling_107_species() -> None:
    s = position(PLANTA, DRACO)
    put(s, "106", FAR, disc=0)
    put(s, "203", "5,-3")
    assert scoring.points(s, 0)["species"] == 2, "the home counts, too"
    assert scoring.points(s, 1)["species"] == 2, "both Ancients, not the defence system"


def test_ruling_108_ties_by_resources_then_shared() -> None:
    s = position(DIRECTORATE, UNION, FEDERATION)
    s.phase = "over"
    s.boards[1].storage["money"] += 1
    ranks = [(standing.seat, standing.rank, standing.winner) for standing in scoring.standings(s)]
    assert ranks == [(1, 1, True), (0, 2, False), (2, 2, False)]
    s.boards[0].storage["science"] += 1
    assert scoring.winners(s) == (0, 1)
    assert [standing.rank for standing in scoring.standings(s)] == [1, 1, 3]


def test_standings_of_a_running_game_do_not_tell_hidden_tiles() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[1].reputation = [4, 4]
    assert {standing.score for standing in RULES.standings(s)} == {3}
    assert scoring.winners(s) == (), "nobody has won yet"
    s.phase = "over"
    assert RULES.standings(s)[0].score == 11
    assert RULES.tally(s) == (f"species.{UNION}",)


def test_every_part_of_a_score_has_its_words() -> None:
    assert RULES.words.say("part.hexes", {"n": 7}) == "7 from hexes"
    assert all(f"part.{part}" in RULES.words and f"score.{part}" in RULES.words for part in scoring.PARTS)
