"""What fighting is worth to a bot player: chances, targets, fleets, and better blueprints."""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations
from math import log, sqrt
from typing import NamedTuple

from .appraisal import Sight
from .components import SPECIES
from .dice import SIDES, activation_order, least_roll
from .odds import totals_seen
from .ships import (
    ANCIENT,
    ANCIENT_PARTS,
    GCDS,
    PART_TILES,
    REPUTATION,
    SHIP_LIMITS,
    SHIP_TYPES,
    Totals,
    fault,
    lying,
    may_take,
    totals,
)
from .solver import Course, Squad, TooLarge
from .views import HexView

EXACT = 2500
"""Outcomes worked out before the chance is estimated instead."""
BEST_OF = (0.0, 2.1, 2.65, 2.98, 3.2, 3.35)
"""The best of so many reputation tiles on average."""
MATERIAL = 0.13
"""What a ship is worth by its cost."""
FAIR = 0.4
"""With a smaller chance to win there is no attack."""
FAR = 3
"""How many hexes away targets are looked for."""
MOST_BUILT = 4
WEIGHT = {"interceptor": 0.6, "cruiser": 1.0, "dreadnought": 1.1, "starbase": 0.1}
"""How much a better blueprint of a type counts."""

Side = tuple[tuple[str, Totals, int], ...]
"""Ships by type: what they add up to, and how many."""


class Target(NamedTuple):
    """A hex that could be attacked: what winning it brings, what it takes, who defends it, and the seat's ships that
    can go there with one move, the strongest first, as (place, type)."""

    hex: HexView
    prize: float
    defender: Side
    cubes: int
    kills: int
    near: tuple[tuple[str, str], ...]


class Upgrade(NamedTuple):
    """Parts for a blueprint, as (square, part), and how much stronger it gets."""

    ship: str
    parts: tuple[tuple[int, str], ...]
    gain: float


# Chances


@lru_cache(20_000)
def chance(attacker: Side, defender: Side) -> float:
    """The attacker's chance to win: exact where that is quick, else by strength."""
    if not attacker or not defender:
        return float(bool(attacker))
    sides = [[Squad(ship, sum_, (0,) * n) for ship, sum_, n in side] for side in (attacker, defender)]
    order = activation_order([[(squad.ship, squad.totals) for squad in side] for side in sides])
    try:
        course = Course(sides, order, EXACT)
        return course.attacker_wins(course.start())
    except TooLarge:
        one, other = power(attacker, defender), power(defender, attacker)
        return 1 / (1 + (other / one) ** 1.6) if one else 0.0


def power(side: Side, enemy: Side) -> float:
    """Damage a round times the damage it stands."""
    ships = sum(n for _, _, n in enemy)
    shield = round(sum(sum_.shield * n for _, sum_, n in enemy) / ships)
    damage = sum(n * (sum(sum_.cannons) + sum(sum_.missiles)) * hits(sum_.computer, shield) for _, sum_, n in side)
    return damage * sum(n * (sum_.hull + 1) for _, sum_, n in side)


def hits(computer: int, shield: int) -> float:
    """The chance of a die to hit."""
    return (SIDES + 1 - least_roll(computer, shield)) / SIDES


@cache
def strength(sum_: Totals) -> float:
    """How good a ship is against a middling enemy."""
    damage = (sum(sum_.cannons) + 0.9 * sum(sum_.missiles)) * hits(sum_.computer, 0) + 0.02
    lasting = (sum_.hull + 1) / (hits(1, sum_.shield) + hits(2, sum_.shield))
    return sqrt(damage * lasting) * (1 + 0.05 * sum_.initiative) * (1 + 0.04 * min(3, sum_.movement))


class War:
    """Fighting as a seat sees it."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.moves = SPECIES[sight.me.species].actions.move
        self.sums = {ship: totals_seen(sight.view, sight.seat, ship) for ship in SHIP_TYPES}
        self.costs = SPECIES[sight.me.species].costs

    # Targets

    @cached_property
    def targets(self) -> list[Target]:
        """The hexes worth attacking."""
        return [target for hex_ in self.sight.view.hexes if (target := self.target(hex_)) is not None]

    def target(self, hex_: HexView) -> Target | None:
        """The hex as a target; None if it is none."""
        sight, seat = self.sight, self.sight.seat
        others = [fleet.seat for fleet in hex_.fleets if fleet.seat != seat]
        foreign = hex_.disc not in (None, seat)
        if not (sight.foes(hex_) or foreign) or any(other in sight.me.ambassadors for other in (*others, hex_.disc)):
            return None
        if hex_.ancients and sight.has("ancient_kin"):
            return None
        near = self.reach(hex_)
        if not near and not sight.ships(hex_) and not self.neighbours_own(hex_):
            return None
        defender = self.defender(hex_)
        kills = sum(REPUTATION[ship] * n for ship, _, n in defender)
        prize = sight.hex_worth(hex_) if hex_.disc != seat else 1.5
        prize += 0.5 * hex_.points if foreign else 0.0
        cubes = sum(square.filled for square in hex_.squares) if foreign else 0
        return Target(hex_, prize, defender, cubes, kills, near)

    def neighbours_own(self, hex_: HexView) -> bool:
        """Whether an own hex connects, so that ships built there could come."""
        return any(there.disc == self.sight.seat for there in self.sight.links(hex_.place))

    def defender(self, hex_: HexView) -> Side:
        """All who would have to be beaten in the hex, as one side."""
        found: list[tuple[str, Totals, int]] = []
        for fleet in hex_.fleets:
            if fleet.seat != self.sight.seat:
                found += [(ship, totals_seen(self.sight.view, fleet.seat, ship), n) for ship, n in fleet.ships]
        if hex_.ancients:
            found.append((ANCIENT, totals_seen(self.sight.view, ANCIENT, ANCIENT), hex_.ancients))
        if hex_.gcds:
            found.append((GCDS, totals_seen(self.sight.view, GCDS, GCDS), 1))
        return tuple(found)

    def reach(self, target: HexView) -> tuple[tuple[str, str], ...]:
        """The seat's ships that can go to a hex with one move."""
        sight, found = self.sight, list[tuple[str, str]]()
        seen, edge = {target.place}, [target]
        for away in range(1, FAR + 1):
            following = []
            for at in edge:
                for hex_ in sight.links(at.place):
                    if hex_.place not in seen:
                        seen.add(hex_.place)
                        found += [(hex_.place, ship) for ship in self.free(hex_) if self.sums[ship].movement >= away]
                        if not sight.foes(hex_) and hex_.disc not in sight.me.ambassadors:
                            following.append(hex_)
            edge = following
        return tuple(sorted(found, key=lambda one: (-strength(self.sums[one[1]]), one)))

    def free(self, hex_: HexView) -> list[str]:
        """The ships in a hex that are free to go, the best first."""
        if hex_.gcds:
            return []
        ships = [ship for ship, n in self.sight.ships(hex_).items() for _ in range(n)]
        held = self.sight.foes(hex_)
        ships.sort(key=lambda ship: -strength(self.sums[ship]))
        mobile = [ship for ship in ships if ship != "starbase"]
        return mobile[: max(0, len(ships) - held)]

    # What an attack is worth

    def side(self, ships: Iterable[str], sums: dict[str, Totals] | None = None) -> Side:
        """Ships as a side."""
        listed = list(ships)
        return tuple((ship, (sums or self.sums)[ship], listed.count(ship)) for ship in SHIP_TYPES if ship in listed)

    def worth(self, target: Target, ships: Sequence[str], sums: dict[str, Totals] | None = None) -> float:
        """What fighting there with these ships is worth: the prize, reputation, and the ships that may be lost."""
        if not ships:
            return 0.0
        side = self.side(ships, sums)
        wins = chance(side, target.defender) if target.defender else 1.0
        risk = sum(self.costs[ship] for ship in ships) * MATERIAL
        if wins < FAIR:
            return -risk
        prize = target.prize * self.conquers(target, side)
        fame = self.fame(1 + round(target.kills * wins)) if target.defender else 0.0
        kept = 0.25 * risk if self.sight.rounds > 1 else 0.0
        return wins * prize + fame - (1 - wins) * risk - (risk - kept) * 0.2 * wins

    def conquers(self, target: Target, side: Side) -> float:
        """The chance that the population there falls, so that the hex changes hands."""
        if not target.cubes or self.sight.has("neutron_bombs"):
            return 1.0
        damage = sum(n * sum(sum_.cannons) * hits(sum_.computer, 0) for _, sum_, n in side)
        return min(1.0, damage / target.cubes) ** 2

    def fame(self, draws: int) -> float:
        """What so many reputation tiles to choose from bring."""
        best = BEST_OF[min(draws, len(BEST_OF) - 1)]
        free = any(slot.kind != "ambassador" and not slot.holds for slot in self.sight.me.slots)
        return best if free else max(0.0, 0.7 * (best - min(self.sight.view.hand, default=4)))

    def there(self, target: Target) -> list[str]:
        """The seat's ships that are in the hex already."""
        return [ship for ship, n in self.sight.ships(target.hex).items() for _ in range(n)]

    # Plans

    def at_hand(self, target: Target) -> list[tuple[str, str]]:
        """The ships near a target that have nothing better to do where they are."""
        return [(place, ship) for place, ship in target.near if place not in self.engaged]

    @cached_property
    def engaged(self) -> list[str]:
        """The places where the seat's ships are about to win something."""
        return [target.hex.place for target in self.targets if self.worth(target, self.there(target)) > 0]

    def attack(self, moves: int) -> tuple[float, Target | None]:
        """The best target for so many moves now, and what it brings beyond what happens anyway; two actions in a row
        count where they can be paid."""
        best: tuple[float, Target | None] = (0.0, None)
        again = moves + self.moves if self.sight.can_spare(2) else moves
        for target in self.targets:
            here, near = self.there(target), [ship for _, ship in self.at_hand(target)]
            now = self.worth(target, here)
            gain = max((self.worth(target, here + near[:n]) for n in range(1, min(moves, len(near)) + 1)), default=now)
            if len(near) > moves:
                gain = max(gain, now + 0.6 * (self.worth(target, here + near[:again]) - now))
            if gain - now > best[0]:
                best = gain - now, target
        return best

    def prospect(self, built: Sequence[str] = (), sums: dict[str, Totals] | None = None) -> tuple[float, Target | None]:
        """What the best attack in the next turns is worth with all ships near it and these built beside them."""
        best: tuple[float, Target | None] = (0.0, None)
        for target in self.targets:
            ships = self.there(target) + [ship for _, ship in target.near[: 2 * self.moves]]
            if built and self.neighbours_own(target.hex):
                ships = ships + list(built)
            value = self.worth(target, ships, sums)
            if value > best[0]:
                best = value, target
        return best

    def purchase(self, items: int) -> tuple[float, tuple[str, ...]]:
        """The best ships to build for an attack, and what they add to it."""
        materials = self.sight.available("materials")
        before = self.prospect()[0]
        best: tuple[float, tuple[str, ...]] = (0.0, ())
        left = {blueprint.ship: blueprint.left for blueprint in self.sight.me.blueprints}
        for ship in ("interceptor", "cruiser", "dreadnought"):
            n = min(items, MOST_BUILT, materials // self.costs[ship], left[ship])
            for count in range(1, n + 1):
                built = (ship,) * count
                gain = self.prospect(built)[0] - before - 0.08 * self.costs[ship] * count
                if gain > best[0]:
                    best = gain, built
        return best

    # Blueprints

    def upgrade(self, n: int) -> tuple[float, Upgrade | None]:
        """The best use of so many parts, and what it is worth."""
        best: tuple[float, Upgrade | None] = (0.0, None)
        me, view = self.sight.me, self.sight
        for blueprint in me.blueprints:
            tiles = tuple(square.part if square.tile else "" for square in blueprint.squares)
            plan = improvement(
                me.species, blueprint.ship, tiles, tuple(sorted(view.technologies)), tuple(sorted(me.parts)), n
            )
            if plan is None:
                continue
            owned = SHIP_LIMITS[blueprint.ship] - blueprint.left
            use = 0.35 + min(3, owned) * 0.6 + (self.sight.stored("materials") >= 2 * self.costs[blueprint.ship]) * 0.5
            worth = 0.28 * WEIGHT[blueprint.ship] * use * plan.gain * min(1.0, self.sight.rounds / 4)
            if worth > 0.02:
                worth += 0.5 * self.edge(plan, tiles)
            if worth > best[0]:
                best = worth, plan
        return best

    def with_part(self, part: str, square: str) -> float:
        """How much stronger a ship gets by a part on this square."""
        ship, _, at = square.partition(".")
        blueprint = next(blueprint for blueprint in self.sight.me.blueprints if blueprint.ship == ship)
        parts = [one.part for one in blueprint.squares]
        before = strength(self.sums[ship])
        parts[int(at)] = part
        return WEIGHT[ship] * log(strength(totals(self.sight.me.species, ship, tuple(parts))) / before)

    def edge(self, plan: Upgrade, tiles: Sequence[str]) -> float:
        """How much better the next attack gets by an upgrade."""
        after = list(tiles)
        for at, part in plan.parts:
            after[at] = part
        species = self.sight.me.species
        sums = self.sums | {plan.ship: totals(species, plan.ship, lying(species, plan.ship, after))}
        built = (plan.ship,) * min(2, self.sight.stored("materials") // self.costs[plan.ship])
        built = () if plan.ship == "starbase" else built
        return max(0.0, self.prospect(built, sums)[0] - self.prospect(built)[0])


@lru_cache(5_000)
def improvement(
    species: str, ship: str, tiles: tuple[str, ...], technologies: tuple[str, ...], kept: tuple[str, ...], n: int
) -> Upgrade | None:
    """The strongest allowed blueprint that so many parts make, tiles of the supply board being returned where others go;
    None if there is no better one."""
    parts = [part for part in PART_TILES if may_take(part, technologies)] + list(dict.fromkeys(kept))
    printed = lying(species, ship, tiles)
    start = strength(totals(species, ship, printed))
    spots = [at for at, tile in enumerate(tiles) if tile not in ANCIENT_PARTS]
    single = [((at, part),) for at in spots for part in parts if printed[at] != part]
    best: tuple[float, tuple[tuple[int, str], ...]] = (start * 1.001, ())
    rounds: list[Sequence[tuple[tuple[int, str], ...]]] = [single]
    if n > 1:
        rounds.append([one + other for one, other in combinations(single, 2) if one[0][0] != other[0][0]])
    for placings in rounds:
        for placing in placings:
            if sum(part in kept for _, part in placing) > len({part for _, part in placing if part in kept}):
                continue
            after = list(printed)
            for at, part in placing:
                after[at] = part
            value = strength(totals(species, ship, tuple(after))) - 0.004 * len(placing)
            if value > best[0] and fault(species, ship, tuple(after)) is None:
                best = value, placing
    return Upgrade(ship, best[1], log(best[0] / start)) if best[1] else None
