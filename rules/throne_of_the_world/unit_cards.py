"""Unit cards: sets of one profession each, how much they achieve and how much they endure."""

from .components import PROFESSIONS, UNITS
from .races import covers, number
from .state import State


def units_of(s: State, seat: int, profession: str) -> int:
    """The seat's real units of a profession."""
    return s.units[seat].get(profession, 0)


def virtual_of(s: State, seat: int, profession: str) -> int:
    """Units of a profession that are not cards."""
    return number(s, seat, "agriculture", "units") if covers(s, seat, "agriculture", profession) else 0


def size_of(s: State, seat: int, profession: str) -> int:
    """How many units the set has."""
    return units_of(s, seat, profession) + virtual_of(s, seat, profession)


def room_for(s: State, seat: int, profession: str) -> int:
    """How many units may still join the set."""
    return UNITS[profession].set_size - size_of(s, seat, profession)


def is_complete(s: State, seat: int, profession: str) -> bool:
    """Whether the set is complete."""
    return room_for(s, seat, profession) <= 0


def complete_sets(s: State, seat: int) -> list[str]:
    """The professions whose set is complete."""
    return [profession for profession in PROFESSIONS if is_complete(s, seat, profession)]


def professions_in_play(s: State, seat: int) -> int:
    """How many professions the seat has units of."""
    return sum(size_of(s, seat, profession) > 0 for profession in PROFESSIONS)


def efficiency(s: State, seat: int, profession: str) -> int:
    """What one activation gives: coins, points of damage or demands, with the powers of the seat's race."""
    size = size_of(s, seat, profession)
    if not size:
        return 0
    bonus = sum(number(s, seat, name, "bonus") for name in ("ferocity", "coven") if covers(s, seat, name, profession))
    return UNITS[profession].efficiency[size - 1] + bonus


def tolerance(s: State, seat: int, profession: str) -> int:
    """How much damage each of the seat's units of a profession counts for."""
    return UNITS[profession].tolerance + number(s, seat, "scales", "bonus")
