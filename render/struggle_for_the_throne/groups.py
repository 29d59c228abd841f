"""Whose units are where, ready to be drawn."""

from collections.abc import Mapping
from typing import NamedTuple

from rules.struggle_for_the_throne.views import View

from .look import RANKS, House

LETTERS = {"thought_admiral": "A", "loyal_commander": "L", "commander": "C", "squadron": "S"}


class Group(NamedTuple):
    """One owner's units on one planet; `head`: the rank of the head of family if it stands here."""

    planet: str
    seat: int
    looks: House
    units: tuple[tuple[str, int], ...]
    head: str

    @property
    def total(self) -> int:
        return sum(count for _, count in self.units)

    @property
    def lines(self) -> int:
        """How many lines it takes with two ranks on each."""
        return (len(self.units) + 1) // 2

    def __str__(self) -> str:
        """The units as text, highest rank first: A1 L2 C3 S20."""
        return " ".join(f"{LETTERS.get(rank, rank)}{count}" for rank, count in self.units)


def groups_of(view: View, looks: Mapping[int, House]) -> dict[str, list[Group]]:
    """The groups on each planet, in seat order, ranks from high to low."""
    heads = {(h.seat, h.head_at): h.head for h in view.houses if h.playing}
    found: dict[str, list[Group]] = {}
    for group in sorted(view.groups, key=lambda g: g.seat):
        units = tuple((rank, group.units[rank]) for rank in RANKS if group.units.get(rank))
        if units:
            head = heads.get((group.seat, group.planet), "")
            found.setdefault(group.planet, []).append(Group(group.planet, group.seat, looks[group.seat], units, head))
    return found
