"""Movement: one group, or part of one, goes to an adjacent planet."""

from collections.abc import Sequence

from rules.engine.flow import Flow, Game, choose, choose_many
from rules.engine.questions import Option, places

from .common import BACK, back, one_or_ask
from .components import RANKS
from .state import Head, State, board_of
from .units import add, counted, is_head, may_move, rank_of, remove, tokens


def move(game: Game[State], seat: int, *, private: bool = False) -> Flow[bool]:
    """Move units one step. False when the player went back. `private`: until it is done nobody sees what is chosen."""
    s = game.state
    start = yield from one_or_ask(seat, "move.from", lambda: places(sorted(s.groups[seat])), private=private)
    if start == BACK:
        return False
    units = yield from choose_units(s, seat, start, private)
    if not units:
        return False
    goal = yield from choose(
        seat,
        "move.to",
        lambda: [*places(goals(s, seat, start, units)), back()],
        private=private,
        planet=start,
        units=counted(units),
    )
    if goal == BACK:
        return False
    shift(s, seat, start, goal, units)
    game.tell("moved", seat=seat, planet=start, goal=goal, units=counted(units), places=(start, goal))
    return True


def choose_units(s: State, seat: int, start: str, private: bool) -> Flow[tuple[str, ...]]:
    """Which units of a group to move, at least one; none when the player went back."""
    here = tokens(s, seat, start)
    total = sum(here.values())
    if total == 1:
        return tuple(here)
    answer = yield from choose_many(
        seat,
        "move.units",
        lambda: [*unit_options(tokens(s, seat, start)), back()],
        1,
        total,
        private=private,
        planet=start,
    )
    return () if BACK in answer else answer


def unit_options(units: dict[str, int]) -> list[Option]:
    """Units by token as options that may be chosen as often as they are there."""
    return [Option(token, f"unit.{token}", count=n) for token, n in units.items()]


def goals(s: State, seat: int, start: str, units: Sequence[str]) -> list[str]:
    """The adjacent planets that these units may go to."""
    moved = by_rank(units)
    return [planet for planet in board_of(s).adjacent[start] if may_move(s, seat, start, planet, moved)]


def by_rank(units: Sequence[str]) -> list[int]:
    """How many units of each rank."""
    counts = [0] * len(RANKS)
    for token in units:
        counts[rank_of(token)] += 1
    return counts


def shift(s: State, seat: int, start: str, goal: str, units: Sequence[str]) -> None:
    """Units go from one planet to another, the head among them if its token is."""
    for rank, n in enumerate(by_rank(units)):
        if n:
            remove(s, seat, start, rank, n)
            add(s, seat, goal, rank, n)
    for token in units:
        if is_head(s, token):
            s.heads[seat] = Head(rank_of(token), goal)
