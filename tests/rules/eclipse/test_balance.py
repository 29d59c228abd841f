"""How well the policy bot plays: against random players, and among its kind. BALANCE_GAMES sets how many games."""

import os

import pytest

from rules.bots import play_out
from rules.eclipse import RULES
from rules.engine.chance import Chance
from rules.engine.table import Table

GAMES = int(os.environ.get("BALANCE_GAMES", "2"))
LEAST_WON = 0.95
SCORES = range(18, 41)
"""Where the average of a six-player game lies."""


def played(game: int, levels: list[str]) -> Table:
    """A whole game."""
    table = Table.start(RULES, None, seats=len(levels), secret=b"balance%025d" % game)[0]
    play_out(table, levels, Chance(b"balance%d" % game), limit=20_000)
    assert table.over
    return table


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_it_beats_random_players(seats: int) -> None:
    won = 0
    for game in range(GAMES):
        levels = ["random"] * seats
        levels[game % seats] = "policy"
        won += played(game, levels).standings()[0].seat == game % seats
    assert won >= LEAST_WON * GAMES


def test_it_reaches_the_scores_people_reach() -> None:
    scores: list[int] = []
    for game in range(GAMES):
        table = played(game, ["policy"] * 6)
        assert not any(board.out for board in table.state.boards), "nobody collapses"
        scores += [standing.score for standing in table.standings()]
    print(sorted(scores))
    assert SCORES[0] <= sum(scores) / len(scores) <= SCORES[-1]
