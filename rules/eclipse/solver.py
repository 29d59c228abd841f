"""The exact course of a battle that is fought to the end, as a chain of states of damage (Combat Phase).

Both sides assign dice by the rule for Ancients, so damage only grows: each state is solved once those after it are. A
round in which everybody misses leads back to the same state; that loop is solved algebraically."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, product
from math import ceil, comb, prod
from typing import NamedTuple

from .dice import ATTACKER, DEFENDER, SIDES, least_roll
from .ships import SIZE, Totals

DAMAGES = (1, 2, 4)
"""What the dice of the three colours do."""

Fleet = tuple[tuple[int, ...], ...]
"""The damage of the living ships of each type of a side, the most damaged first."""
State = tuple[Fleet, Fleet]
Hits = tuple[tuple[int, ...], ...]
"""How many dice of each colour fell into each class of rolls, the highest class last; misses are left out."""
Rolls = tuple[tuple[int, ...], float]
"""How many dice of one colour fall into each class of rolls, and how often they do."""


class Squad(NamedTuple):
    """All ships of one type of a side. `damage` of each ship; `retreating`: it leaves when it is activated next."""

    ship: str
    totals: Totals
    damage: tuple[int, ...]
    retreating: bool = False


class TooLarge(Exception):
    """The battle has more outcomes than were allowed to be worked out."""


@cache
def subset(points: int, ones: int, twos: int, fours: int) -> tuple[int, int, int] | None:
    """How many of the dice of each colour destroy a ship of so many points with the least total, as many small ones as
    possible on equal totals; None if all together are too few."""
    best = None
    for four, two in product(range(fours + 1), range(twos + 1)):
        one = max(0, points - 4 * four - 2 * two)
        if one <= ones:
            rank = (one + 2 * two + 4 * four, -one, -two)
            best = rank if best is None else min(best, rank)
    return None if best is None else (-best[1], -best[2], (best[0] + best[1] + 2 * best[2]) // 4)


@cache
def rolled(dice: int, least: tuple[int, ...]) -> tuple[Rolls, ...]:
    """How often that many dice fall into the classes of rolls that begin at `least` (rising)."""
    if not least:
        return (((), 1.0),)
    chances = [(above - low) / SIDES for low, above in zip(least, (*least[1:], SIDES + 1), strict=True)]
    miss = (least[0] - 1) / SIDES

    def spread(left: int, classes: int) -> Iterator[Rolls]:
        if classes == 0:
            yield (), miss**left
            return
        for n in range(left + 1):
            here = comb(left, n) * chances[classes - 1] ** n
            for counts, chance in spread(left - n, classes - 1):
                yield (*counts, n), here * chance

    return tuple(spread(dice, len(least)))


def up_to(most: Sequence[int], rolls: Iterable[Rolls]) -> list[Rolls]:
    """The same rolls, where no more than `most` dice of each class are told apart."""
    found: dict[tuple[int, ...], float] = {}
    for counts, chance in rolls:
        told = tuple(map(min, counts, most))
        found[told] = found.get(told, 0.0) + chance
    return list(found.items())


class Course:
    """A battle between two sides (attacker, defender). `order`: the activations of a round as (side, squad). `limit`:
    how many outcomes of dice may be worked out before TooLarge."""

    def __init__(self, sides: Sequence[Sequence[Squad]], order: Sequence[tuple[int, int]], limit: int = 10**9) -> None:
        self.sides, self.order, self.limit = sides, order, limit
        self.by_size = [sorted(range(len(side)), key=lambda n: -SIZE[side[n].ship]) for side in sides]
        self.solved: dict[State, tuple[float, ...]] = {}
        self.salvos: dict[tuple[int, int, int, Fleet, bool], list[tuple[Fleet, float]]] = {}
        self.results: dict[tuple[int, Fleet, tuple[int, ...], Hits], Fleet] = {}

    def start(self) -> State:
        """The state before anybody has fired."""
        attacker, defender = (tuple(tuple(sorted(squad.damage, reverse=True)) for squad in side) for side in self.sides)
        return attacker, defender

    def attacker_wins(self, state: State, at: int = 0, missiles: bool = True) -> float:
        """The chance that the attacker alone remains, when activation `at` of the missile step or of a round is next."""
        while missiles and not ended(state) and at < len(self.order):
            salvo = self.salvo(state, *self.order[at], missiles=True)
            at += 1
            if salvo:
                return sum(chance * self.attacker_wins(after, at) for after, chance in salvo)
        return self.solve(state)[0 if missiles else at]

    def solve(self, state: State) -> tuple[float, ...]:
        """The attacker's chance before each activation of a round. If nobody can hurt anybody any more the attacker has
        lost, whether by retreat or destruction (ruling 84)."""
        size = len(self.order)
        if ended(state):
            return (float(not any(state[DEFENDER])),) * size
        if (known := self.solved.get(state)) is not None:
            return known
        self.work(size)
        stays, gains = [1.0] * size, [0.0] * size
        for at, (side, n) in enumerate(self.order):
            if salvo := self.salvo(state, side, n):
                stays[at] = sum(chance for after, chance in salvo if after == state)
                following = (at + 1) % size
                gains[at] = sum(chance * self.solve(after)[following] for after, chance in salvo if after != state)
        chance, loop = 0.0, 1.0
        for stay, gain in zip(reversed(stays), reversed(gains), strict=True):
            chance, loop = gain + stay * chance, loop * stay
        values = [chance / (1 - loop) if loop < 1 else 0.0] * size
        for at in range(size - 1, 0, -1):
            values[at] = gains[at] + stays[at] * values[(at + 1) % size]
        self.solved[state] = tuple(values)
        return self.solved[state]

    def salvo(self, state: State, side: int, n: int, missiles: bool = False) -> list[tuple[State, float]]:
        """What one activation leads to, with the chance of each; empty if the squad does nothing."""
        squad, ships = self.sides[side][n], len(state[side][n])
        if not ships:
            return []
        if squad.retreating and not missiles:
            left = (*state[side][:n], (), *state[side][n + 1 :])
            return [((left, state[DEFENDER]) if side == ATTACKER else (state[ATTACKER], left), 1.0)]
        if not (squad.totals.missiles if missiles else squad.totals.cannons):
            return []
        outcomes = self.outcomes(side, n, ships, state[1 - side], missiles)
        if side == ATTACKER:
            return [((state[ATTACKER], after), chance) for after, chance in outcomes]
        return [((after, state[DEFENDER]), chance) for after, chance in outcomes]

    def outcomes(self, side: int, n: int, ships: int, enemy: Fleet, missiles: bool) -> list[tuple[Fleet, float]]:
        """What the dice of a squad of so many ships do to the enemy."""
        key = (side, n, ships, enemy, missiles)
        if (known := self.salvos.get(key)) is not None:
            return known
        needed = self.needed(side, n)
        least = classes(needed, enemy)
        dice = self.dice(side, n, ships, missiles)
        self.work(sum(comb(one + len(least), one) for one in dice))
        tables = [
            up_to(self.enough(1 - side, enemy, needed, least, damage), rolled(one, least))
            for one, damage in zip(dice, DAMAGES, strict=True)
        ]
        self.work(prod(map(len, tables)))
        sums: dict[Fleet, float] = {}
        for one, two, four in product(*tables):
            after = self.damaged(1 - side, enemy, needed, least, (one[0], two[0], four[0]))
            sums[after] = sums.get(after, 0.0) + one[1] * two[1] * four[1]
        self.salvos[key] = list(sums.items())
        return self.salvos[key]

    def enough(
        self, side: int, fleet: Fleet, needed: tuple[int, ...], least: tuple[int, ...], damage: int
    ) -> list[int]:
        """How many dice of a colour in each class destroy all ships they hit, whatever the others do; one more would
        change nothing, since no ship ever takes more of them than destroy it alone."""
        alone = [
            sum(ceil((squad.totals.hull + 1 - hurt) / damage) for hurt in damages)
            for squad, damages in zip(self.sides[side], fleet, strict=True)
        ]
        return [sum(n for n, roll in zip(alone, needed, strict=True) if roll <= low) for low in least]

    def work(self, outcomes: int) -> None:
        """So much more has to be worked out."""
        self.limit -= outcomes
        if self.limit < 0:
            raise TooLarge

    def needed(self, side: int, n: int) -> tuple[int, ...]:
        """The least roll with which this squad hits each enemy squad."""
        computer = self.sides[side][n].totals.computer
        return tuple(least_roll(computer, enemy.totals.shield) for enemy in self.sides[1 - side])

    def dice(self, side: int, n: int, ships: int, missiles: bool) -> tuple[int, ...]:
        """How many dice of each colour so many ships of this squad roll."""
        totals = self.sides[side][n].totals
        return tuple(ships * (totals.missiles if missiles else totals.cannons).count(damage) for damage in DAMAGES)

    def damaged(self, side: int, fleet: Fleet, needed: tuple[int, ...], least: tuple[int, ...], hits: Hits) -> Fleet:
        """The fleet after these hits, assigned by the rule for Ancients (ruling 80)."""
        key = (side, fleet, needed, hits)
        if (known := self.results.get(key)) is None:
            lowest = [least.index(roll) if roll in least else len(least) for roll in needed]
            known = self.results[key] = self.assign(side, fleet, lowest, hits)
        return known

    def assign(self, side: int, fleet: Fleet, lowest: list[int], hits: Hits) -> Fleet:
        """`lowest`: the lowest class of rolls that hits each squad."""
        # of each colour the dice of a class and all higher ones: those that hit what this class hits
        pool = [[*accumulate(reversed(colour), initial=0)][::-1] for colour in hits]
        ships = [list(damages) for damages in fleet]
        for n in self.by_size[side]:
            low, hull = lowest[n], self.sides[side][n].totals.hull
            while ships[n] and (spent := subset(hull - ships[n][0] + 1, *(colour[low] for colour in pool))):
                for colour, count in zip(pool, spent, strict=True):
                    spend(colour, low, count)
                del ships[n][0]
        for n in self.by_size[side]:
            if ships[n]:
                for colour, damage in zip(pool, DAMAGES, strict=True):
                    ships[n][0] += damage * colour[lowest[n]]
                    spend(colour, lowest[n], colour[lowest[n]])
        return tuple(map(tuple, ships))


def classes(needed: Sequence[int], enemy: Fleet) -> tuple[int, ...]:
    """The least rolls at which one more of the living squads is hit, rising."""
    return tuple(sorted({roll for roll, damages in zip(needed, enemy, strict=True) if damages}))


def ended(state: State) -> bool:
    """Whether one side is gone."""
    return not (any(state[ATTACKER]) and any(state[DEFENDER]))


def spend(colour: list[int], low: int, count: int) -> None:
    """Take dice of a colour, the lowest rolls that hit first; `colour[n]` are those of class n and all higher ones."""
    if count:
        left = colour[low] - count
        colour[:] = [n - count if at <= low else min(n, left) for at, n in enumerate(colour)]
