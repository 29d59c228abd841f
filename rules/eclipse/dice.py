"""Dice in battle: who acts when, which rolls hit, and the fixed rule by which Ancients assign them (Combat Phase)."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from .ships import SHIP_TYPES, SIZE, Totals

ATTACKER, DEFENDER = 0, 1
SIDES = 6


class Die(NamedTuple):
    """A rolled die and the points of damage it does if it hits."""

    roll: int
    damage: int


class Target(NamedTuple):
    """A ship that may be shot at. `needed`: the least roll that hits it; `points`: what destroys it now."""

    ship: str
    needed: int
    points: int
    damage: int


def least_roll(computer: int, shield: int) -> int:
    """The least roll that hits: a 6 always does, a 1 never (ruling 78)."""
    return max(2, min(SIDES, SIDES - computer + shield))


def type_order(ship: str) -> int:
    """Where a type comes among equal initiatives of one side (ruling 76)."""
    return SHIP_TYPES.index(ship) if ship in SHIP_TYPES else 0


def activation_order(sides: Sequence[Sequence[tuple[str, Totals]]]) -> list[tuple[int, int]]:
    """The types of both sides (attacker, defender) in order of activation, as (side, place in that side's list)."""
    types = [(side, n) for side, fleet in enumerate(sides) for n in range(len(fleet))]

    def rank(type_: tuple[int, int]) -> tuple[int, int, int]:
        ship, totals = sides[type_[0]][type_[1]]
        return -totals.initiative, -type_[0], type_order(ship)

    return sorted(types, key=rank)


def size_order(target: Target) -> tuple[int, int]:
    """The largest first, within a type the most damaged first."""
    return -SIZE[target.ship], -target.damage


def allocate(dice: Sequence[Die], targets: Sequence[Target]) -> list[int | None]:
    """The target of each die by the rule for Ancients (ruling 80); None for dice that are lost."""
    chosen: list[int | None] = [None] * len(dice)
    order = sorted(range(len(targets)), key=lambda n: size_order(targets[n]))
    unused = sorted(range(len(dice)), key=lambda n: dice[n].roll)
    alive = list(order)
    while True:
        kills = ((n, cheapest(dice, hitting(dice, unused, targets[n]), targets[n].points)) for n in alive)
        target, spent = next(((n, spent) for n, spent in kills if spent), (0, ()))
        if not spent:
            break
        for die in spent:
            chosen[die] = target
            unused.remove(die)
        alive.remove(target)
    for die in unused:
        chosen[die] = next((n for n in alive if dice[die].roll >= targets[n].needed), None)
    return chosen


def hitting(dice: Sequence[Die], unused: Sequence[int], target: Target) -> list[int]:
    """The unused dice that hit the target."""
    return [n for n in unused if dice[n].roll >= target.needed]


def cheapest(dice: Sequence[Die], hits: Sequence[int], points: int) -> tuple[int, ...]:
    """Those of the hits (lowest rolls first) that do at least so many points with the least total; on equal totals as
    many small ones as possible, the lowest rolls of each colour. Empty if all together are too few."""
    colours = {damage: [n for n in hits if dice[n].damage == damage] for damage in sorted({d.damage for d in dice})}
    best: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    for counts in product(*(range(len(those) + 1) for those in colours.values())):
        total = sum(n * damage for n, damage in zip(counts, colours, strict=True))
        rank = (total, *(-n for n in counts))
        if total >= points and (not best or rank < least):
            least = rank
            best = tuple(n for those, k in zip(colours.values(), counts, strict=True) for n in those[:k])
    return best
