"""Explore: turn a tile for an unexplored space, place it or discard it, and take control of it at once."""

from .hexes import EDGES, edges, explores_from, neighbours, ring
from .state import State, has


def spaces(s: State, seat: int) -> list[str]:
    """The spaces the seat may explore (rulings 23 and 27)."""
    half = has(s, seat, "wormhole_generator")
    found: dict[str, None] = {}
    for place, hex_ in s.hexes.items():
        around = neighbours(place)
        if all(space in s.hexes for space in around) or not explores_from(s, hex_, seat):
            continue
        holes = edges(hex_.number, hex_.rotation)
        for edge in EDGES:
            space = around[edge]
            if space not in s.hexes and (half or holes[edge]) and is_left(s, ring(space)):
                found[space] = None
    return list(found)


def is_left(s: State, at: str) -> bool:
    """Whether there is a tile to turn for this sector, discards included."""
    return len(s.stacks[at].pile) > 0 or bool(s.stacks[at].discards)
