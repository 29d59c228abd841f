"""Ratings: who is rated for a game, and that they follow from the results alone."""

import msgspec

from cogs import records
from db.records import Ended, Seating
from rules.engine import Standing


def ended(number: int, *seats: list[int | None], ranks: list[int] | None = None, key: str = "toy") -> Ended:
    """A game: for each seat who has sat there (None: a bot player, 0: forgotten), the last one at its end."""
    ranks = ranks or list(range(1, len(seats) + 1))
    result = [Standing(seat, rank, 10 - rank, winner=rank == 1) for seat, rank in enumerate(ranks)]
    seatings = tuple(
        Seating(number, seat, seq, user or None, "bot" if user is None else "human")
        for seat, sat in enumerate(seats)
        for seq, user in enumerate(sat)
    )
    return Ended(number, key, 7, number, msgspec.msgpack.encode(result), seatings)


def rated(*games: Ended) -> dict[int, int]:
    return {place.user: round(place.rating) for place in records.ladder(games)}


def test_the_better_rank_gives_the_better_rating():
    found = rated(ended(1, [11], [12], [13], ranks=[2, 1, 3]))
    assert list(found) == [12, 11, 13]
    assert found[12] > 1000 > found[13]


def test_bot_players_change_nothing():
    assert rated(ended(1, [11], [None], [12], [None])) == rated(ended(1, [11], [12]))
    assert rated(ended(1, [11], [None])) == {}


def test_who_leaves_is_last_and_who_comes_is_not_rated():
    found = rated(ended(1, [11, 14], [12], [13], ranks=[1, 2, 3]))
    assert list(found) == [12, 13, 11]
    assert found == rated(ended(1, [12], [13], [11]))


def test_who_lets_a_bot_play_for_a_while_and_comes_back_has_played_the_whole_game():
    assert rated(ended(1, [11, None, 11], [12])) == rated(ended(1, [11], [12]))
    (first, _) = records.results(ended(1, [11, None, 11], [12]))
    assert first.part == "whole"


def test_who_lets_a_bot_end_the_game_has_left():
    assert list(rated(ended(1, [11, None], [12]))) == [12, 11]
    left, _ = records.results(ended(1, [11, None], [12]))
    assert (left.part, left.won) == ("left", False)


def test_a_victory_in_a_seat_taken_over_counts_but_not_for_the_ladder():
    games = [ended(1, [11, 14], [12], [13]), ended(2, [14], [12], ranks=[2, 1])]
    came = next(result for result in records.results(games[0]) if result.user == 14)
    assert (came.part, came.won) == ("came", True)
    assert [(place.user, place.played, place.won) for place in records.ladder(games) if place.user == 14] == [
        (14, 1, 0)
    ]


def test_a_forgotten_person_is_a_stranger_each_time():
    games = [ended(n, [0], [12]) for n in range(1, 20)]
    found = rated(*games, ended(30, [11], [12], ranks=[1, 2]))
    assert set(found) == {11, 12}
    known = rated(*(ended(n, [99], [12]) for n in range(1, 20)))
    assert known[99] > 1000


def test_shared_ranks_are_draws():
    found = rated(ended(1, [11], [12], [13], ranks=[1, 1, 3]))
    assert found[11] == found[12] > found[13]


def test_ratings_follow_from_the_results_alone():
    games = [ended(n, [11 + n % 3], [11 + (n + 1) % 3], ranks=[1 + n % 2, 2 - n % 2]) for n in range(30)]
    now, way = records.ratings(games)
    again, _ = records.ratings(list(games))
    assert {user: rating.mu for user, rating in now.items()} == {user: rating.mu for user, rating in again.items()}
    assert sum(map(len, way.values())) == 60
    assert all(records.shown(now[user]) == values[-1] for user, values in way.items())
