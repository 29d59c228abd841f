"""The odds of a battle that is fought to the end: worked out exactly where that is feasible, else sampled.

Both sides assign dice by the rule for Ancients; nobody retreats but ships that have announced it. A stalemate counts as
lost by the attacker, who must withdraw or is destroyed."""

import re
from bisect import bisect
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import accumulate, combinations
from math import comb

import msgspec

from rules.engine.chance import WIDEST, value
from rules.engine.errors import Illegal
from rules.engine.questions import Arg

from .battles import KIN
from .components import SPECIES
from .dice import DEFENDER, SIDES, activation_order
from .ships import ANCIENT, BLUEPRINTS, GCDS, PARTS, SHIP_TYPES, Parts, Totals, fault, totals, totals_of
from .solver import Course, Fleet, Squad, TooLarge, classes, ended
from .views import BattleView, HexView, Party, View

LIMIT = 200_000
"""Outcomes worked out before the odds are sampled instead: about a second."""
BATTLES = 10_000
"""Battles in a sample: a standard error of half a percent at most."""
_squad = re.compile(r"(?:(\d+)\s*x?\s+)?([a-z_' ]*[a-z])\s*(?:\{([^{}]*)\})?").fullmatch
MOST_SHIPS = 21
"""The most ships of a kind that there could be: the Ancients."""


class Odds(msgspec.Struct, frozen=True):
    """Who is left in the end. `error`: the standard error of both, 0 if they are exact."""

    attacker_wins: float
    defender_wins: float
    exact: bool
    error: float


def of_sides(
    attacker: Sequence[Squad], defender: Sequence[Squad], *, order: Sequence[tuple[int, int]] = (), at: int = 0,
    missiles: bool = True, limit: int = LIMIT,
) -> Odds:  # fmt: skip
    """The odds of a battle. `order`: the activations of a round as (side, squad), by initiative unless given; `at`: the
    one that is next, in the missile step if `missiles`, else in a round."""
    sides = attacker, defender
    order = order or activation_order([[(squad.ship, squad.totals) for squad in side] for side in sides])
    try:
        course = Course(sides, order, limit)
        wins = min(1.0, course.attacker_wins(course.start(), at, missiles))  # sums may end just above 1
        return Odds(wins, 1 - wins, True, 0.0)
    except (TooLarge, RecursionError):  # each point of damage may be a step deeper
        sample = Sample(sides, order)
        wins = sum(sample.battle(at, missiles) for _ in range(BATTLES)) / BATTLES
        return Odds(wins, 1 - wins, False, (wins * (1 - wins) / BATTLES) ** 0.5)


class Sample(Course):
    """Battles with dice. They come from a chance of its own, which follows from the battle: the same one each time."""

    draws = 0

    def battle(self, at: int, missiles: bool) -> bool:
        """Whether the attacker wins one more battle."""
        state, idle = self.start(), 0
        while not ended(state) and idle < len(self.order):
            if at == len(self.order):
                at, missiles = 0, False
            salvo = self.salvo(state, *self.order[at], missiles)
            idle = 0 if salvo or missiles else idle + 1
            state = salvo[0][0] if salvo else state
            at += 1
        return not any(state[DEFENDER])

    def outcomes(self, side: int, n: int, ships: int, enemy: Fleet, missiles: bool) -> list[tuple[Fleet, float]]:
        """What happened to fall."""
        needed = self.needed(side, n)
        least = classes(needed, enemy)
        one, two, four = (self.roll(dice, least) for dice in self.dice(side, n, ships, missiles))
        return [(self.damaged(1 - side, enemy, needed, least, (one, two, four)), 1.0)]

    def roll(self, dice: int, least: tuple[int, ...]) -> tuple[int, ...]:
        """So many dice, as counts by class."""
        counts, above = [], SIDES + 1
        for low in reversed(least):
            self.draws += 1
            drawn = value(self.seed, 0, self.draws, WIDEST) / WIDEST
            counts.append(min(bisect(binomial(dice, above - low, above - 1), drawn), dice) if dice else 0)
            dice, above = dice - counts[-1], low
        return tuple(reversed(counts))

    @cached_property
    def seed(self) -> bytes:
        """What the chance starts from."""
        return repr((self.sides, self.order)).encode()


@cache
def binomial(dice: int, hits: int, faces: int) -> list[float]:
    """The chance that at most 0, 1, 2 ... of the dice show one of `hits` of their `faces`."""
    chance = hits / faces
    return list(accumulate(comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(dice + 1)))


# From what a viewer sees: blueprints, ships and damage are open to all


def of_battle(view: View, limit: int = LIMIT) -> Odds | None:
    """The odds of the battle under way, fought on by all ships that have not announced their retreat; None if there is
    none. Dice on the table that are not assigned yet do not count."""
    b = view.battle
    if b is None or b.step not in ("missiles", "engagement"):
        return None
    types = [
        list(dict.fromkeys(one.ship for one in b.ships if one.party == party)) for party in (b.attacker, b.defender)
    ]
    sides = [
        [fighting(view, b, party, ship) for ship in ships]
        for party, ships in zip((b.attacker, b.defender), types, strict=True)
    ]
    usual = activation_order([[(squad.ship, squad.totals) for squad in side] for side in sides])
    acted = [(int(party == b.defender), types[party == b.defender].index(ship)) for party, ship in b.acted]
    order = [*acted, *(one for one in usual if one not in acted)]
    missiles = b.step == "missiles"
    at = len(acted) if missiles else len(acted) % len(order)
    return of_sides(sides[0], sides[1], order=order, at=at, missiles=missiles, limit=limit)


def of_hex(view: View, place: str, limit: int = LIMIT) -> list[tuple[Party, Party, Odds]]:
    """(attacker, defender, odds) for each two parties in a hex that may meet there, in the order of the battles, as if
    both came to it undamaged."""
    at = next(hex_ for hex_ in view.hexes if hex_.place == place)
    latest_first = at.fleets[::-1]
    fleets: dict[Party, list[Squad]] = {
        fleet.seat: [squad(view, fleet.seat, ship, n) for ship, n in fleet.ships]
        for fleet in sorted(latest_first, key=lambda fleet: fleet.seat == at.disc)
    }
    if at.ancients:
        fleets[ANCIENT] = [squad(view, ANCIENT, ANCIENT, at.ancients)]
    if at.gcds:
        fleets[GCDS] = [squad(view, GCDS, GCDS, 1)]
    pairs = [pair for pair in combinations(fleets, 2) if not at_peace(view, *pair)]
    return [(one, other, of_sides(fleets[one], fleets[other], limit=limit)) for one, other in pairs]


def contested(hex_: HexView) -> bool:
    """Whether two parties are in a hex that may come to fight."""
    return len(hex_.fleets) + bool(hex_.ancients) + hex_.gcds > 1


def coming(view: View, number: str = "", limit: int = LIMIT) -> list[tuple[Party, Party, Odds]]:
    """(attacker, defender, odds) for the battle under way, or for those that may come in the hex of this number ("": in
    all hexes). Illegal when there is no such hex."""
    if not number and (now := of_battle(view, limit)) is not None and view.battle is not None:
        return [(view.battle.attacker, view.battle.defender, now)]
    hexes = [hex_ for hex_ in view.hexes if number in ("", hex_.number)]
    if not hexes:
        raise Illegal("odds.no_hex", text=number)
    return [found for hex_ in hexes if contested(hex_) for found in of_hex(view, hex_.place, limit)]


def described(attacker: Party, defender: Party, found: Odds) -> tuple[str, dict[str, Arg]]:
    """The words and their arguments for the chances of two sides, in percent."""
    wins, loses = (f"{100 * chance:.1f}" for chance in (found.attacker_wins, found.defender_wins))
    args: dict[str, Arg] = {"attacker": attacker, "defender": defender, "wins": wins, "loses": loses}
    return ("odds.exact", args) if found.exact else ("odds.sampled", args | {"error": f"{100 * found.error:.1f}"})


def at_peace(view: View, one: Party, other: Party) -> bool:
    """Whether the two never fight: Ancients and their kin (ruling 73)."""
    kin = isinstance(one, int) and KIN in SPECIES[view.seats[one].species].powers
    return isinstance(one, str) or (other == ANCIENT and kin)


def squad(view: View, party: Party, ship: str, count: int) -> Squad:
    """So many undamaged ships of a type, as their owner's blueprint is now."""
    return Squad(ship, totals_seen(view, party, ship), (0,) * count)


def fighting(view: View, b: BattleView, party: Party, ship: str) -> Squad:
    """The ships of a type that are still in a battle."""
    left = [one for one in b.ships if (one.party, one.ship) == (party, ship) and not one.fallen and not one.away]
    damage = tuple(one.damage for one in left)
    return Squad(ship, totals_seen(view, party, ship), damage, any(one.retreat for one in left))


def totals_seen(view: View, party: Party, ship: str) -> Totals:
    """What a party's ships of a type add up to."""
    if isinstance(party, str):
        return totals_of(party)
    seen = next(blueprint for blueprint in view.seats[party].blueprints if blueprint.ship == ship)
    return Totals(*(getattr(seen, field) for field in Totals._fields))


# From texts


def of_texts(attacker: str, defender: str, limit: int = LIMIT) -> Odds:
    """The odds of a battle between two sides as written on a command line; Illegal says what is wrong with them."""
    return of_sides(read_side(attacker), read_side(defender), limit=limit)


def read_side(text: str) -> list[Squad]:
    """The squads of `COUNT SPECIES SHIP, COUNT SPECIES SHIP{part; part; ...}, COUNT ancient, COUNT gcds`. Equal ships
    that are listed apart are one squad all the same."""
    squads: dict[str, Squad] = {}
    for part in re.split(r",(?![^{]*\})", text):
        squad = read_squad(part)
        there = squads.setdefault(squad.ship, squad._replace(damage=()))
        if there.totals != squad.totals:
            raise Illegal("odds.two_blueprints", ship=squad.ship)
        squads[squad.ship] = squad._replace(damage=there.damage + squad.damage)
    return list(squads.values())


def read_squad(text: str) -> Squad:
    """One of them. Without a count it is one ship."""
    found = _squad(" ".join(text.lower().split()))
    if not found:
        raise Illegal("odds.not_a_squad", text=text.strip())
    count, names, parts = int(found[1] or 1), found[2].split(), found[3]
    if not 1 <= count <= MOST_SHIPS:
        raise Illegal("odds.count", count=count, most=MOST_SHIPS)
    ship = next((ship for ship in (*SHIP_TYPES, ANCIENT, GCDS) if names[-1] in (ship, ship + "s")), None)
    if ship is None:
        raise Illegal("odds.no_ship", text=names[-1])
    if ship in (ANCIENT, GCDS):
        if names[:-1] or parts is not None:
            raise Illegal("odds.no_blueprint", ship=ship)
        return Squad(ship, totals_of(ship), (0,) * count)
    species = find_species("_".join(names[:-1]))
    return Squad(ship, totals(species, ship, read_parts(species, ship, parts)), (0,) * count)


def find_species(name: str) -> str:
    """A species by its id or one of the words in it; the Terran factions are all alike here."""
    for species in BLUEPRINTS:
        if name == species or name in species.split("_"):
            return species
    raise Illegal("odds.no_species", text=name.replace("_", " "))


def read_parts(species: str, ship: str, text: str | None) -> Parts:
    """All squares of a blueprint, those printed if there is no text; Illegal if it is not allowed."""
    printed = BLUEPRINTS[species][ship].parts
    if text is None:
        return printed
    parts = tuple(part for name in text.split(";") if (part := re.sub(r"[\s-]+", "_", name.strip())))
    if unknown := [part for part in parts if part not in PARTS]:
        raise Illegal("odds.no_part", text=unknown[0])
    if len(parts) > len(printed):
        raise Illegal("odds.squares", ship=ship, squares=len(printed), parts=len(parts))
    if found := fault(species, ship, parts):
        raise Illegal(found[0], **found[1])
    return parts
