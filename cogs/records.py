"""Results and ratings, computed from the games that were played to their end. Pure.

Rated are people among themselves: bot players are taken out of the order, and a game in which fewer than two people
can be rated changes nobody's rating. Who sits from the first record to the last is rated by his rank. Who has given his
seat up before the end is rated as last. Who came later is not rated: the position was not his. Games that were
abandoned count for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal, NamedTuple

import msgspec
from openskill.models import PlackettLuce, PlackettLuceRating

from db.records import Ended
from rules.engine import Standing

MODEL: Final = PlackettLuce()
Part = Literal["whole", "left", "came"]


class Result(NamedTuple):
    """What a game was for one of its people. `part`: he played it whole, left before the end, or came later.
    `standing`: how his seat ended; `of`: how many seats there were; None as `user`: he wanted to be forgotten."""

    game: int
    key: str
    ended_ms: int
    user: int | None
    part: Part
    standing: Standing
    of: int

    @property
    def won(self) -> bool:
        """Whether it is a victory of his."""
        return self.standing.winner and self.part != "left"


class Place(NamedTuple):
    """A person's place in a ladder. `rating` is what he is at least, almost certainly."""

    user: int
    rating: float
    played: int
    won: int


def standings_of(game: Ended) -> list[Standing]:
    """How the seats of the game ended, the best first."""
    return msgspec.msgpack.decode(game.result, type=list[Standing])


def results(game: Ended) -> list[Result]:
    """What the game was for each person who has sat in it, by seat."""
    standings = {standing.seat: standing for standing in standings_of(game)}
    found = []
    for seat, seatings in groupby(game.seatings, attrgetter("seat")):
        sat = list(seatings)
        for user in dict.fromkeys(sitting.user_id for sitting in sat if sitting.kind == "human"):
            part = _part([sitting.user_id if sitting.kind == "human" else 0 for sitting in sat], user)
            found.append(Result(game.id, game.key, game.ended_ms, user, part, standings[seat], len(standings)))
    return found


def _part(sat: Sequence[int | None], user: int | None) -> Part:
    if sat[-1] != user:
        return "left"
    return "whole" if sat[0] == user else "came"


def rated(game: Ended) -> list[Result]:
    """What the game was for those who are rated for it; empty when it is not rated."""
    found = [result for result in results(game) if result.part != "came"]
    return found if len(found) > 1 else []


def ratings(games: Iterable[Ended]) -> tuple[dict[int, PlackettLuceRating], dict[int, list[float]]]:
    """Each person's rating after these games, and his way there: what it was after each game that was rated."""
    now: dict[int, PlackettLuceRating] = {}
    way: dict[int, list[float]] = {}
    for game in games:
        those = rated(game)
        if not those:
            continue
        # a forgotten person is a stranger each time
        before = [now.get(r.user, MODEL.rating()) if r.user is not None else MODEL.rating() for r in those]
        ranks = [result.of + 1 if result.part == "left" else result.standing.rank for result in those]
        after = MODEL.rate([[rating] for rating in before], ranks=[float(rank) for rank in ranks])
        for result, (rating,) in zip(those, after, strict=True):
            if result.user is not None:
                now[result.user] = rating
                way.setdefault(result.user, []).append(shown(rating))
    return now, way


def shown(rating: PlackettLuceRating) -> float:
    """A rating as one number: 1000 at first, more for what is known to be better."""
    return 1000.0 + 40.0 * float(rating.ordinal())


def ladder(games: Sequence[Ended]) -> list[Place]:
    """Everybody who was rated in these games, the best first."""
    now, way = ratings(games)
    wins = Counter(result.user for game in games for result in rated(game) if result.won)
    places = [Place(user, shown(rating), len(way[user]), wins[user]) for user, rating in now.items()]
    return sorted(places, key=lambda place: (-place.rating, place.user))
