"""Battles seen from the state: who fights whom and where, who stands, who is next, where ships may retreat to."""

from collections.abc import Iterator

from .dice import least_roll, type_order
from .hexes import links_for
from .move import IMMOBILE
from .ships import ANCIENT, GCDS, SHIP_TYPES, Totals, lying, totals, totals_of
from .state import Battle, Hex, Party, State, Warship, enemies, has

KIN = "ancient_kin"
TypeOf = tuple[Party, str]
"""All ships of a type of a party."""


def battle(s: State) -> Battle:
    """What is being fought out."""
    assert s.battle is not None
    return s.battle


def hostile(s: State, seat: int, hex_: Hex) -> bool:
    """Whether Ancients or the defence system would fight the seat here (ruling 73)."""
    return hex_.gcds or (hex_.ancients > 0 and not has(s, seat, KIN))


def in_line(hex_: Hex) -> list[Party]:
    """The parties in a hex in the order they fight, the latest to enter first, the disc's owner last of the players, and
    then the Ancients or the defence system (ruling 71)."""
    seats = [fleet.seat for fleet in reversed(hex_.fleets)]
    seats.sort(key=lambda seat: seat == hex_.disc)
    others = ([GCDS] if hex_.gcds else []) + ([ANCIENT] if hex_.ancients else [])
    return [*seats, *others]


def is_fought_over(s: State, hex_: Hex) -> bool:
    """Whether there is a battle in a hex. A disc without ships is no party (ruling 74)."""
    return len(hex_.fleets) > 1 or any(hostile(s, fleet.seat, hex_) for fleet in hex_.fleets)


def warships(hex_: Hex) -> list[Warship]:
    """All ships in a hex, undamaged, each player's small ones first."""
    ships = [
        Warship(fleet.seat, ship)
        for fleet in hex_.fleets
        for ship in SHIP_TYPES
        for _ in range(fleet.ships.get(ship, 0))
    ]
    others = [ANCIENT] * hex_.ancients + [GCDS] * hex_.gcds
    return ships + [Warship(party, party) for party in others]


def totals_for(s: State, party: Party, ship: str) -> Totals:
    """What a party's ships of a type add up to."""
    if isinstance(party, str):
        return totals_of(party)
    board = s.boards[party]
    return totals(board.species, ship, lying(board.species, ship, board.blueprints[ship]))


# Who stands


def stands(b: Battle, at: int) -> bool:
    """Whether the ship is neither destroyed nor away."""
    return at not in b.fallen and not b.ships[at].away


def standing(b: Battle, party: Party, ship: str = "") -> list[int]:
    """The ships of a party, or of one type of it, that are still there."""
    return [at for at, one in enumerate(b.ships) if one.party == party and ship in ("", one.ship) and stands(b, at)]


def enemy(b: Battle, party: Party) -> Party:
    """The other one of the two."""
    return b.defender if party == b.attacker else b.attacker


def is_over(b: Battle) -> bool:
    """Whether one side is gone."""
    return not (standing(b, b.attacker) and standing(b, b.defender))


def armed(s: State, b: Battle, party: Party) -> bool:
    """Whether a side has a cannon left."""
    return any(totals_for(s, party, b.ships[at].ship).cannons for at in standing(b, party))


# Whose turn it is


def types(b: Battle) -> Iterator[TypeOf]:
    """The types of both sides that are still there."""
    yield from dict.fromkeys(
        (one.party, one.ship)
        for at, one in enumerate(b.ships)
        if one.party in (b.attacker, b.defender) and stands(b, at)
    )


def next_types(s: State, b: Battle) -> list[TypeOf]:
    """The types whose turn it is: those of highest initiative, the defender's if both sides have some; in the order in
    which they act unless their player wants another (ruling 76)."""

    def rank(one: TypeOf) -> tuple[int, bool]:
        return -totals_for(s, *one).initiative, one[0] == b.attacker

    waiting = [one for one in types(b) if one not in b.acted]
    first = min((rank(one) for one in waiting), default=None)
    return sorted((one for one in waiting if rank(one) == first), key=lambda one: type_order(one[1]))


# Where to


def goals(s: State, b: Battle, seat: int, ship: str) -> list[str]:
    """Where a type may retreat to: connected hexes with an own disc and no enemy ship (ruling 82)."""
    if ship == IMMOBILE:
        return []
    own = (place for place in links_for(s, b.place, seat) if s.hexes[place].disc == seat)
    return [place for place in own if not enemies(s, s.hexes[place], seat)]


# What can be hit


def least_rolls(s: State, b: Battle, party: Party, ship: str) -> dict[int, int]:
    """The least roll with which a type hits each enemy ship there."""
    computer = totals_for(s, party, ship).computer
    foes = standing(b, enemy(b, party))
    return {at: least_roll(computer, totals_for(s, b.ships[at].party, b.ships[at].ship).shield) for at in foes}


def points(s: State, b: Battle, at: int) -> int:
    """How many more points of damage destroy a ship; it is doomed if there are none (ruling 79)."""
    one = b.ships[at]
    return totals_for(s, one.party, one.ship).hull - one.damage + 1
