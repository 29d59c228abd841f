"""Races: their powers are asked for by name, never by race."""

from .components import POWERS, Power
from .state import State


def power(s: State, seat: int, name: str) -> Power | None:
    """The seat's power of this name."""
    race = s.races[seat]
    return POWERS[race].get(name) if race else None


def has(s: State, seat: int, name: str) -> bool:
    """Whether the seat's race has this power."""
    return power(s, seat, name) is not None


def covers(s: State, seat: int, name: str, profession: str) -> bool:
    """Whether the seat has this power and it is about this profession."""
    found = power(s, seat, name)
    return found is not None and profession in found.professions


def number(s: State, seat: int, name: str, which: str, otherwise: int = 0) -> int:
    """A number of the seat's power; without the power, the printed figure or none."""
    found = power(s, seat, name)
    return otherwise if found is None else found.n.get(which, otherwise)
