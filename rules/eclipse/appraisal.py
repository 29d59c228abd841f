"""What things are worth to a bot player: hexes, cubes, technologies and actions, in points at the end of the game."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from rules.engine.questions import Arg

from .components import (
    ADVANCED,
    INFLUENCE,
    POPULATION,
    RESOURCES,
    SCORING,
    SPECIES,
    TECHNOLOGIES,
    TECHNOLOGY_TRACK,
    TILES,
    Tile,
    kinds_of,
    stack_of,
)
from .hexes import EDGES, neighbours, opposite
from .views import HexView, SeatView, SquareView, TrackView, View

UNIT = {"money": 0.14, "science": 0.11, "materials": 0.12}
"""What one of a resource is worth."""
SCARCE = 0.26
"""What money is worth while there is too little."""
MOST_TRADED = 3
"""So much money may be traded for in a round."""
DISC = 0.16
"""What it costs each round to have a disc in a hex rather than for an action."""
ABROAD = 0.3
"""The share of a hex's worth that counts while Ancients hold it."""
CONTACT = 0.4
"""What it costs to become another's neighbour."""
HOLE = 0.18
"""What a way into unexplored space is worth, by the rounds left."""
MILITARY = {
    "plasma_cannon": 1.2, "gauss_shield": 0.8, "improved_hull": 1.5, "fusion_source": 1.0, "positron_computer": 1.3,
    "fusion_drive": 0.6, "phase_shield": 0.8, "tachyon_source": 0.6, "plasma_missile": 1.4, "gluon_computer": 1.1,
    "tachyon_drive": 0.3, "antimatter_cannon": 0.7, "neutron_bombs": 0.3, "starbase": 0.2, "nanorobots": 0.5,
    "wormhole_generator": 0.7,
}  # fmt: skip
"""What technologies for war and movement are worth in the first round; nothing in the last."""


class Sight:
    """The table as its seat sees it. `rounds`: upkeeps still to come, this round's included."""

    def __init__(self, view: View, seat: int) -> None:
        self.view, self.seat = view, seat
        self.me: SeatView = view.seats[seat]
        self.rounds = view.rounds - view.round + 1
        self.rate = SPECIES[self.me.species].trade_rate if self.me.species else 0

    @cached_property
    def hexes(self) -> dict[str, HexView]:
        """All placed hexes by place."""
        return {hex_.place: hex_ for hex_ in self.view.hexes}

    @cached_property
    def numbers(self) -> dict[str, HexView]:
        """All placed hexes by printed number."""
        return {hex_.number: hex_ for hex_ in self.view.hexes}

    @cached_property
    def technologies(self) -> tuple[str, ...]:
        """The seat's technologies."""
        return tuple(id for _, ids in self.me.technologies for id in ids)

    def has(self, name: str) -> bool:
        """Whether the seat has a technology or a power."""
        return name in self.technologies or name in SPECIES[self.me.species].powers

    def track(self, kind: str) -> TrackView:
        """The seat's population track of a kind."""
        return self.me.tracks[RESOURCES.index(kind)]

    def stored(self, kind: str) -> int:
        """What the seat has of a resource."""
        return self.track(kind).stored

    # Hexes

    @cached_property
    def own(self) -> list[HexView]:
        """The hexes with the seat's disc."""
        return [self.hexes[place] for place in self.me.hexes]

    def links(self, place: str) -> Iterator[HexView]:
        """The hexes that connect with the one at a place, for this seat."""
        here, half = self.hexes[place].wormholes, self.has("wormhole_generator")
        for edge, place_ in zip(EDGES, neighbours(place), strict=True):
            there = self.hexes.get(place_)
            if there is not None:
                both = (edge in here) + (opposite(edge) in there.wormholes)
                if both == 2 or (both and half):
                    yield there

    def foes(self, hex_: HexView) -> int:
        """How many enemy ships are in a hex."""
        others = sum(n for fleet in hex_.fleets if fleet.seat != self.seat for _, n in fleet.ships)
        return others + (0 if self.has("ancient_kin") else hex_.ancients) + hex_.gcds

    def ships(self, hex_: HexView) -> dict[str, int]:
        """The seat's ships in a hex."""
        return next((dict(fleet.ships) for fleet in hex_.fleets if fleet.seat == self.seat), {})

    @cached_property
    def goals(self) -> list[HexView]:
        """The hexes where the seat could put a disc by Influence."""
        found: dict[str, HexView] = {}
        for hex_ in self.view.hexes:
            if (ships := self.ships(hex_)) or hex_.disc == self.seat:
                found |= {to.place: to for to in self.links(hex_.place)}
            if ships:
                found[hex_.place] = hex_
        return [hex_ for hex_ in found.values() if hex_.disc is None and not self.foes(hex_)]

    # Money

    @cached_property
    def all_discs(self) -> int:
        """The discs that lie on the track when those of the actions are back."""
        used = (*self.me.actions, *self.me.reactions)
        return self.me.discs + sum(n for _, n in used)

    def left_after(self, discs: int, gain: int = 0) -> int:
        """The money left after this upkeep if so many more discs leave the track."""
        money = self.track("money")
        return money.stored + money.income + gain - upkeep_of(self.me.discs - discs)

    def balance(self, discs: int, gain: int = 0) -> int:
        """The same, with a little traded for money."""
        by_trade = sum(self.stored(kind) // self.rate for kind in RESOURCES if kind != "money")
        return self.left_after(discs, gain) + min(MOST_TRADED, by_trade)

    def can_spare(self, discs: int, gain: int = 0) -> bool:
        """Whether so many more discs can be paid this round."""
        return self.me.discs >= discs and self.balance(discs, gain) >= 0

    def sustains(self, hexes: int = 1, gain: int = 0) -> bool:
        """Whether so many more hexes can be held to the end with two actions a round, half of the other production being
        traded if need be."""
        traded = sum(self.track(kind).income for kind in RESOURCES if kind != "money") // (2 * self.rate)
        each = self.track("money").income + gain + traded - upkeep_of(self.all_discs - hexes - 2)
        return self.balance(hexes, gain) + (self.rounds - 1) * each >= 0

    def price_of_disc(self) -> float:
        """What using one more disc this round costs, in points: its money, of use until the last round, and what must be
        traded for it."""
        price = upkeep_of(self.me.discs - 1) - upkeep_of(self.me.discs)
        traded = min(price, max(0, -self.left_after(1)))
        money = UNIT["money"] if self.rounds > 1 else 0.0
        return money * (price - traded) + UNIT["science"] * self.rate * traded

    @cached_property
    def debt(self) -> int:
        """The money that must be traded for this round, the disc of an action being chosen included."""
        return max(0, -self.left_after(0 if self.view.action else 1))

    def available(self, kind: str) -> int:
        """What of science or materials is left beside the money to be traded for, which comes from the other first."""
        other = next(other for other in RESOURCES if other not in (kind, "money"))
        return max(0, self.stored(kind) - self.rate * max(0, self.debt - self.stored(other) // self.rate))

    def fundable(self, kind: str) -> int:
        """How much of science or materials the seat could have by trading what it can spare."""
        other = next(other for other in RESOURCES if other not in (kind, "money"))
        keeps = 12 if self.rounds > 3 else 0
        spare = (
            self.stored(other) - self.debt * self.rate - keeps,
            min(self.stored("money"), self.left_after(1)) - keeps,
        )
        return self.available(kind) + sum(max(0, n) // self.rate for n in spare)

    # Cubes

    @cached_property
    def is_poor(self) -> bool:
        """Whether the income of money does not pay for four actions a round."""
        return self.track("money").income < upkeep_of(self.all_discs - 4)

    @cached_property
    def open_squares(self) -> list[SquareView]:
        """The squares of own hexes that could be filled."""
        return [square for hex_ in self.own for square in hex_.squares if self.fits(square)]

    def fits(self, square: SquareView) -> bool:
        """Whether the seat could fill this square if the hex were its own."""
        return not square.filled and (not square.advanced or self.has(ADVANCED[square.kind]))

    def step(self, kind: str, nth: int = 0) -> int:
        """What the next cube (or one after it) taken off a track brings each round."""
        cubes = self.track(kind).cubes - nth
        return income_of(cubes - 1) - income_of(cubes) if cubes > 0 else 0

    def cube(self, kind: str, nth: int = 0) -> float:
        """What a cube off this track is worth, by the rounds left and what the track brings already."""
        saturation = 1 + self.track(kind).income / 20
        unit = SCARCE if kind == "money" and self.is_poor else UNIT[kind]
        return unit * self.step(kind, nth) * self.rounds / saturation

    def best_track(self, square: str) -> tuple[float, str]:
        """The track that serves a kind of square best, and what that is worth."""
        return max((self.cube(kind), kind) for kind in kinds_of(square))

    def squares_worth(self, squares: Iterable[SquareView]) -> float:
        """What squares are worth when filled; those that wait for colony ships or technologies less."""
        waiting, total = len(self.open_squares), 0.0
        for square in squares:
            value = self.best_track(square.kind)[0]
            if not self.fits(square):
                total += 0.25 * value
                continue
            wait = max(0, waiting - self.me.colony_ships) / 4
            total += value * max(0.0, 1 - wait / self.rounds)
            waiting += 1
        return total

    # Hexes

    def hex_worth(self, hex_: HexView) -> float:
        """What it is worth to control a hex, its cubes gone."""
        squares = (SquareView(square.kind, square.advanced, False) for square in hex_.squares)
        more = (SCORING.monolith if hex_.monolith else 0) + (SCORING.discovery if hex_.discovery else 0)
        return self.land_worth(hex_.points + more, hex_.artifact, squares)

    def tile_worth(self, tile: Tile) -> float:
        """What it is worth to place a tile: less while Ancients hold it."""
        squares = [SquareView(square.kind, square.advanced, False) for square in tile.squares]
        bonus = SCORING.discovery if tile.discovery else 0
        if tile.ancients and self.has("ancient_kin"):
            return self.land_worth(tile.points + tile.ancients, tile.artifact, squares)
        worth = self.land_worth(tile.points + bonus, tile.artifact, squares)
        return ABROAD * worth if tile.ancients else worth

    def land_worth(self, points: int, artifact: bool, squares: Iterable[SquareView]) -> float:
        """Points, income and the cost of the disc."""
        bonus = SCORING.species_bonus if SPECIES[self.me.species].bonus == "controlled_hexes" else 0
        return points + bonus + 0.1 * artifact + self.squares_worth(squares) - DISC * self.rounds

    def money_of(self, squares: Iterable[SquareView]) -> int:
        """The money that colony ships at hand would bring at once from these squares."""
        n = sum(square.kind in ("money", "gray", "orbital") and self.fits(square) for square in squares)
        return sum(self.step("money", nth) for nth in range(min(n, self.me.colony_ships)))

    def explore_worth(self, ring: str) -> float:
        """What exploring a sector brings on average."""
        gone = {hex_.number for hex_ in self.view.hexes}
        tiles = [TILES[number] for number in stack_of(ring) if number not in gone]
        return sum(max(0.0, self.tile_worth(tile)) for tile in tiles) / len(tiles) if tiles else 0.0

    # Technologies

    def technology_worth(self, id: str) -> float:
        """What a technology is worth: its points, its place on the track, what it does."""
        technology = TECHNOLOGIES[id]
        n = sum(TECHNOLOGIES[other].category == technology.category for other in self.technologies)
        points = TECHNOLOGY_TRACK.points
        now = points[n + 1] - points[n] if n + 1 < len(points) else 0
        later = 0.12 * min(self.rounds - 1, 5) + (0.1 if n else 0)
        return now + later + self.effect(id)

    def effect(self, id: str) -> float:
        """What a technology does for the seat."""
        share = (self.rounds - 1) / 8
        if id in ADVANCED.values():
            kind = next(kind for kind, technology in ADVANCED.items() if technology == id)
            n = sum(s.kind == kind and s.advanced and not s.filled for hex_ in self.own for s in hex_.squares)
            return sum(self.cube(kind, nth) for nth in range(min(n, 3))) * 0.9 + 0.5 * share
        if id in TECHNOLOGY_TRACK.extra_discs:
            return TECHNOLOGY_TRACK.extra_discs[id] * 0.28 * self.rounds
        if id == "artifact_key":
            return sum(hex_.artifact for hex_ in self.own) * TECHNOLOGY_TRACK.artifact_gain * 0.12
        if id == "orbital":
            room = sum(not hex_.orbital for hex_ in self.own)
            return min(room, 3) * 0.5 * self.cube("money") if self.rounds > 2 else 0.0
        if id == "monolith":
            return 0.55 * SCORING.monolith * self.monoliths_to_come()
        return MILITARY.get(id, 0.0) * share

    def monoliths_to_come(self) -> float:
        """How many Monoliths the seat could still build."""
        cost = SPECIES[self.me.species].costs["monolith"]
        room = sum(not hex_.monolith for hex_ in self.own)
        coming = self.fundable("materials") + self.track("materials").income * (self.rounds - 1) * 0.8
        return float(min(room, int(coming) // cost, 2 * (self.rounds - 1) + 1))


def upkeep_of(discs: int) -> int:
    """The money due with so many discs on the track."""
    table = INFLUENCE.upkeep
    return table[discs] if 0 <= discs < len(table) else (table[0] + 10 if discs < 0 else 0)


def income_of(cubes: int) -> int:
    """What a population track brings with so many cubes on it."""
    off = POPULATION.squares - cubes
    return POPULATION.income[off - 1] if off else 0


def number_of(value: Arg) -> int:
    """An argument that is a number."""
    return value if isinstance(value, int) else 0
