"""Small things every chapter uses: the way back out of a choice, and choices that answer themselves."""

from collections.abc import Callable, Sequence
from typing import Any

from rules.choices import BACK as BACK
from rules.choices import back as back
from rules.choices import one_or_ask as one_or_ask
from rules.engine.flow import Flow, Game, choose, choose_many
from rules.engine.questions import Answer, Option, places

from .state import State, board_of
from .units import flags_free, may_join


def exactly(seat: int, key: str, build: Callable[[], Sequence[Option]], n: int, **args: Any) -> Flow[Answer]:
    """Exactly `n` of the options, without asking where there is only one way."""
    options = build()
    if len(options) == 1:
        return (options[0].id,) * n
    if sum(option.count for option in options) == n:
        return tuple(option.id for option in options for _ in range(option.count))
    return (yield from choose_many(seat, key, build, n, n, n=n, **args))


def planets_with(counts: dict[str, int]) -> list[Option]:
    """Planets as options that may be chosen as often as said."""
    return [Option(planet, place=planet, count=n) for planet, n in counts.items()]


def place_in_centre(game: Game[State], seat: int, n: int) -> Flow[list[str]]:
    """Where `n` Squadrons of the Emperor's come: planets of the Center Tile, else any own group when flags are short."""
    s = game.state
    chosen: list[str] = []

    def free() -> list[str]:
        planned = len({planet for planet in chosen if planet not in s.groups[seat]})
        spare = flags_free(s, seat) - planned
        found = [p for p in board_of(s).centre if p in s.groups[seat] or p in chosen or spare > 0]
        return found or sorted(s.groups[seat])

    planets = free()
    new = [planet for planet in planets if planet not in s.groups[seat]]
    if not new or flags_free(s, seat) >= min(n, len(new)):
        return list((yield from exactly(seat, "squadrons.place", lambda: planets_with(dict.fromkeys(free(), n)), n)))
    for left in range(n, 0, -1):
        options = places(free())
        if len(options) == 1:
            chosen.append(options[0].id)
        else:
            chosen.append((yield from choose(seat, "squadrons.place", lambda: places(free()), n=left)))
    return chosen


__all__ = ["BACK", "back", "exactly", "may_join", "one_or_ask", "place_in_centre", "planets_with"]
