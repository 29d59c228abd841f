"""The components: board, cards, influence table, units, houses; read from `data/`, each entry with its source."""

from functools import cache

import msgspec

from rules.components import load
from rules.engine import Colour


class Card(msgspec.Struct, frozen=True):
    """A piece of cardboard: what it is while the Emperor lives and after his death, and how many there are."""

    alive: str
    dead: str
    count: int
    source: str

    @property
    def id(self) -> str:
        return self.alive if self.alive == self.dead else f"{self.alive}.{self.dead}"


class End(msgspec.Struct, frozen=True):
    """One end of a card. `actions` is what playing it costs; `countered_by` the end that stops it."""

    id: str
    role: str
    alive: int
    alive_source: str
    dead: int
    dead_source: str
    actions: int
    source: str
    countered_by: str = ""
    combat_bonus: int = 0
    combat_side: str = ""


class _Cards(msgspec.Struct, frozen=True):
    hand_size: int
    hand_size_source: str
    kept_after_capture: int
    kept_after_capture_source: str
    cards: tuple[Card, ...]
    ends: tuple[End, ...]


class Direction(msgspec.Struct, frozen=True):
    """A step from a tile to the next; its number is its place in the list."""

    q: int
    r: int
    source: str


class Tile(msgspec.Struct, frozen=True):
    """A tile at its axial hex coordinates, in the centre, the edge ring or the outer ring."""

    id: str
    ring: str
    q: int
    r: int
    source: str


class Homes(msgspec.Struct, frozen=True):
    """Which tiles are homes for so many players with so many sets of forces each."""

    players: int
    sets: int
    tiles: tuple[str, ...]
    source: str


class _Board(msgspec.Struct, frozen=True):
    throne: str
    throne_source: str
    directions: tuple[Direction, ...]
    tiles: tuple[Tile, ...]
    homes: tuple[Homes, ...]


class Result(msgspec.Struct, frozen=True):
    """What the influence table says for roll + column."""

    sum: int
    squadrons: int
    source: str


class _Influence(msgspec.Struct, frozen=True):
    least_column: int
    most_column: int
    columns_source: str
    results: tuple[Result, ...]


class Unit(msgspec.Struct, frozen=True):
    """A rank of units: its combat bonus, how many each set of forces has, how many one box holds."""

    id: str
    bonus: int
    per_set: int
    total: int
    source: str


class _Units(msgspec.Struct, frozen=True):
    flags: int
    flags_source: str
    actions: int
    actions_source: str
    units: tuple[Unit, ...]


class House(Colour, frozen=True):
    """A family and its colour."""

    source: str
    colour_source: str


class _Houses(msgspec.Struct, frozen=True):
    houses: tuple[House, ...]


_cards = load(__file__, "cards.toml", _Cards)
_board = load(__file__, "board.toml", _Board)
_influence = load(__file__, "influence_table.toml", _Influence)
_units = load(__file__, "units.toml", _Units)

HAND_SIZE = _cards.hand_size
KEPT_AFTER_CAPTURE = _cards.kept_after_capture
CARDS = {card.id: card for card in _cards.cards}
ENDS = {end.id: end for end in _cards.ends}
COUNTERS = {end.id: end.countered_by for end in _cards.ends if end.countered_by}
EMPEROR_DIES = "emperor_dies"
INFLUENCE = "influence"

UNITS = _units.units
FLAGS = _units.flags
ACTIONS = _units.actions
RANKS = tuple(unit.id for unit in UNITS)
THOUGHT_ADMIRAL, LOYAL_COMMANDER, COMMANDER, SQUADRON = range(len(RANKS))

HOUSES = load(__file__, "houses.toml", _Houses).houses
ONE_BOX_SEATS = 6

THRONE = _board.throne


class Board:
    """Tiles, planets and which planets touch."""

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self.tiles = tiles
        at = {(tile.q, tile.r): tile.id for tile in tiles}
        self.adjacent: dict[str, tuple[str, ...]] = {}
        for tile in tiles:
            self.adjacent[f"{tile.id}.c"] = tuple(f"{tile.id}.{i}" for i in range(6))
            for i, step in enumerate(_board.directions):
                across = at.get((tile.q + step.q, tile.r + step.r))
                ring = [f"{tile.id}.{(i - 1) % 6}", f"{tile.id}.{(i + 1) % 6}", f"{tile.id}.c"]
                self.adjacent[f"{tile.id}.{i}"] = tuple(sorted(ring + ([f"{across}.{(i + 3) % 6}"] if across else [])))
        self.planets = tuple(self.adjacent)
        self.centre = tuple(planet for planet in self.planets if tile_of(planet) == tiles[0].id)

    @cache  # noqa: B019 - there are two boards, alive as long as the program
    def distances(self, start: str) -> dict[str, int]:
        """Steps from `start` to every planet."""
        steps = {start: 0}
        queue = [start]
        for planet in queue:
            for neighbour in self.adjacent[planet]:
                if neighbour not in steps:
                    steps[neighbour] = steps[planet] + 1
                    queue.append(neighbour)
        return steps


def tile_of(planet: str) -> str:
    """The tile that a planet lies on."""
    return planet.partition(".")[0]


BOARD = Board(tuple(tile for tile in _board.tiles if tile.ring != "outer"))
GREAT_BOARD = Board(_board.tiles)


def home_tiles(players: int, sets: int) -> tuple[str, ...]:
    """The home tiles for so many players with so many sets of forces each."""
    return next(homes.tiles for homes in _board.homes if homes.players == players and homes.sets == sets)


_by_sum = {result.sum: result.squadrons for result in _influence.results}


def influence_result(roll: int, column: int) -> int:
    """The influence table: Squadrons gained or lost for a roll of two dice and a column, which is limited to the table's."""
    return _by_sum[roll + max(_influence.least_column, min(_influence.most_column, column))]
