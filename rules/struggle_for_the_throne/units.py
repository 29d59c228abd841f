"""Groups of units on planets, flags, and the head of a family.

A unit is named by a *token*: its rank's id, or `head.` and that id for the head of its family. A Thought Admiral is head
as long as it lives, so only with two sets of forces, where there are two, does its token carry the prefix.
"""

from collections.abc import Iterable, Sequence

from . import home_control
from .components import COMMANDER, FLAGS, LOYAL_COMMANDER, RANKS, SQUADRON, THOUGHT_ADMIRAL, UNITS
from .state import State

HEAD = "head."
_RANK_OF = {f"{prefix}{rank}": i for i, rank in enumerate(RANKS) for prefix in ("", HEAD)}


def rank_of(token: str) -> int:
    """The rank (index in RANKS) of the unit with this token."""
    return _RANK_OF[token]


def head_token(s: State, rank: int) -> str:
    """The token of a head of this rank."""
    return RANKS[rank] if rank == THOUGHT_ADMIRAL and not s.options.double_forces else HEAD + RANKS[rank]


def is_head(s: State, token: str) -> bool:
    """Whether the token is that of a head."""
    return token.startswith(HEAD) or token == head_token(s, THOUGHT_ADMIRAL)


def head_is_among(s: State, seat: int, planet: str, rank: int) -> bool:
    """Whether the head of the family is one of its units of this rank on this planet."""
    head = s.heads[seat]
    return head is not None and head.planet == planet and head.rank == rank


def expendable(s: State, seat: int, planet: str, rank: int) -> int:
    """How many units of this rank the seat has there, the head not counted."""
    return s.groups[seat][planet][rank] - head_is_among(s, seat, planet, rank)


def expendable_at(s: State, seat: int, rank: int) -> dict[str, int]:
    """Planets with units of this rank other than the head, and how many."""
    found = {planet: expendable(s, seat, planet, rank) for planet in sorted(s.groups[seat])}
    return {planet: n for planet, n in found.items() if n}


def tokens(s: State, seat: int, planet: str) -> dict[str, int]:
    """The units of a group by token, the strongest first."""
    found: dict[str, int] = {}
    for rank, n in enumerate(s.groups[seat][planet]):
        if n and head_is_among(s, seat, planet, rank):
            found[head_token(s, rank)] = 1
            n -= 1
        if n:
            found[RANKS[rank]] = found.get(RANKS[rank], 0) + n
    return found


def add(s: State, seat: int, planet: str, rank: int, n: int = 1) -> None:
    """Units join the seat's group on the planet, or form one."""
    group = s.groups[seat].get(planet)
    if group is None:
        group = s.groups[seat][planet] = [0] * len(RANKS)
        home_control.arrive(s, seat, planet)
    group[rank] += n


def remove(s: State, seat: int, planet: str, rank: int, n: int = 1) -> None:
    """Units leave the planet; Squadrons do not return to the supply by this alone."""
    group = s.groups[seat][planet]
    group[rank] -= n
    if not any(group):
        del s.groups[seat][planet]
        s.begun = [battle for battle in s.begun if battle[0] != planet or seat not in battle[1:]]
        home_control.leave(s, seat, planet)


def destroy(s: State, seat: int, planet: str, rank: int, n: int = 1) -> None:
    """Units are out; Squadrons go back to the supply, others do not return."""
    remove(s, seat, planet, rank, n)
    if rank == SQUADRON:
        s.supply += n


def disband(s: State, seat: int) -> list[str]:
    """All units of a seat leave the board. Returns the planets they left."""
    planets = sorted(s.groups[seat])
    for planet in planets:
        for rank, n in enumerate(list(s.groups[seat][planet])):
            if n:
                destroy(s, seat, planet, rank, n)
    return planets


# Flags


def needs_flag(group: Sequence[int]) -> bool:
    """Whether nothing in a group shows its owner."""
    return not group[THOUGHT_ADMIRAL] and not group[LOYAL_COMMANDER] and bool(group[COMMANDER] or group[SQUADRON])


def flag_limit(s: State) -> int:
    """How many flags each seat has."""
    return FLAGS * s.options.sets


def flags_used(s: State, seat: int) -> int:
    """How many of the seat's groups need a flag."""
    return sum(map(needs_flag, s.groups[seat].values()))


def flags_free(s: State, seat: int) -> int:
    """How many flags the seat has left."""
    return max(0, flag_limit(s) - flags_used(s, seat))


def may_join(s: State, seat: int, planet: str) -> bool:
    """Whether Squadrons or Commanders may be placed on the planet: with an own group, or under a free flag."""
    return planet in s.groups[seat] or flags_free(s, seat) > 0


def may_move(s: State, seat: int, start: str, goal: str, moved: Sequence[int]) -> bool:
    """Whether flags suffice after these units (how many of each rank) moved; having too many already is no reason."""
    used = flags_used(s, seat)
    here = s.groups[seat][start]
    there = s.groups[seat].get(goal, [0] * len(RANKS))
    after = used - needs_flag(here) - needs_flag(there)
    after += needs_flag([a - b for a, b in zip(here, moved, strict=True)])
    after += needs_flag([a + b for a, b in zip(there, moved, strict=True)])
    return after <= max(flag_limit(s), used)


# For telling


def counted(things: Iterable[str]) -> tuple[str, ...]:
    """Things as an argument of a text, equal ones put together: `3.squadron` has its words at `unit.3.squadron`."""
    counts: dict[str, int] = {}
    for thing in things:
        counts[thing] = counts.get(thing, 0) + 1
    return tuple(thing if n == 1 else f"{n}.{thing}" for thing, n in counts.items())


def bonus(token: str) -> int:
    """The combat bonus of the unit with this token."""
    return UNITS[rank_of(token)].bonus
