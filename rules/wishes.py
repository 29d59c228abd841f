"""What each seat wishes for before a game, such as a colour."""

from collections.abc import Iterable, Sequence

from .engine.chance import Chance


def grant(chance: Chance, seats: int, wishes: Sequence[str], ids: Iterable[str]) -> list[str]:
    """One of the ids each: the one wished for where it is free, first come first served, else any."""
    left = list(ids)
    granted: dict[int, str] = {}
    for seat, wish in enumerate(wishes):
        if wish in left:
            left.remove(wish)
            granted[seat] = wish
    for seat in range(seats):
        if seat not in granted:
            granted[seat] = chance.pick(left)
            left.remove(granted[seat])
    return [granted[seat] for seat in range(seats)]
