"""Hexes: coordinates, sectors, wormholes and connections.

Hexes are flat-topped. Edges and directions are 0..5 clockwise from the top: N, NE, SE, S, SW, NW. A place is `"q,r"`, axial
coordinates with the centre at `"0,0"`; one step N is (0, -1), NE (1, -1), SE (1, 0). A tile turned by `rotation` sixths
clockwise has the wormhole printed at edge e on edge (e + rotation) % 6.
"""

from collections.abc import Iterator
from functools import cache

from .components import ORBITAL_SQUARE, PLAYERS, TILES, Square
from .state import Hex, State, has, ships_in, unpinned

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
CENTRE = "0,0"
START_DISTANCE = 2
EDGES = range(6)


@cache
def coordinates(place: str) -> tuple[int, int]:
    """The axial coordinates (q, r) of a place."""
    q, r = place.split(",")
    return int(q), int(r)


@cache
def neighbours(place: str) -> tuple[str, ...]:
    """The six places around, by direction."""
    q, r = coordinates(place)
    return tuple(f"{q + dq},{r + dr}" for dq, dr in STEPS)


@cache
def distance(place: str) -> int:
    """How many steps from the centre."""
    q, r = coordinates(place)
    return max(abs(q), abs(r), abs(q + r))


@cache
def ring(place: str) -> str:
    """The sector a place belongs to: centre, I, II or III (ruling 11)."""
    return ("centre", "I", "II")[distance(place)] if distance(place) < 3 else "III"


@cache
def start_places(players: int) -> tuple[tuple[str, int], ...]:
    """Where each seat's start hex lies, and its rotation (ruling 1)."""
    spots = []
    for start in PLAYERS[players].starts:
        q, r = STEPS[start.direction]
        spots.append((f"{START_DISTANCE * q},{START_DISTANCE * r}", start.rotation))
    return tuple(spots)


@cache
def edges(number: str, rotation: int) -> tuple[bool, ...]:
    """Which edges of a tile have a wormhole when it is turned so."""
    printed = TILES[number].wormholes
    return tuple((edge - rotation) % 6 in printed for edge in EDGES)


def opposite(edge: int) -> int:
    """The same edge as the neighbour there sees it."""
    return (edge + 3) % 6


def connected(s: State, place: str, edge: int, half: bool = False) -> bool:
    """Whether the hex at `place` connects over this edge to a placed hex; `half`: one wormhole is enough (ruling 10)."""
    here, there = s.hexes[place], s.hexes.get(neighbours(place)[edge])
    if there is None:
        return False
    one, other = edges(here.number, here.rotation)[edge], edges(there.number, there.rotation)[opposite(edge)]
    return one or other if half else one and other


def links(s: State, place: str, half: bool = False) -> Iterator[str]:
    """The placed hexes that the hex at `place` connects to."""
    around = neighbours(place)
    for edge in EDGES:
        if around[edge] in s.hexes and connected(s, place, edge, half):
            yield around[edge]


def links_for(s: State, place: str, seat: int) -> Iterator[str]:
    """The placed hexes that connect for this seat: with the Wormhole Generator one wormhole is enough."""
    return links(s, place, has(s, seat, "wormhole_generator"))


def present(hex_: Hex, seat: int) -> bool:
    """Whether the seat has a disc or a ship in a hex."""
    return hex_.disc == seat or ships_in(hex_, seat) > 0


def explores_from(s: State, hex_: Hex, seat: int) -> bool:
    """Whether the seat may explore from a hex: it has a disc or an unpinned ship there (ruling 23)."""
    return hex_.disc == seat or unpinned(s, hex_, seat) > 0


@cache
def squares_of(number: str, orbital: bool) -> tuple[Square, ...]:
    """The population squares of a hex, by index: the printed ones, then the Orbital's."""
    printed = TILES[number].squares
    return (*printed, ORBITAL_SQUARE) if orbital else printed
