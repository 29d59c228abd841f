"""Ships: their parts and blueprints, what these add up to, and which blueprints are allowed (Upgrade)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from rules.components import load
from rules.engine.questions import Arg

Parts = tuple[str, ...]
"""What lies on the squares of a blueprint, in their order; "" on an empty one."""


class Part(msgspec.Struct, frozen=True):
    """A ship part. `kind`: cannon, missile, hull, drive, computer, source or shield. `technology` is needed to take a
    tile of it. `shield` is what it takes off the enemy's roll; `dice` of `damage` points each are rolled for a weapon."""

    id: str
    kind: str
    source: str
    technology: str = ""
    production: int = 0
    consumption: int = 0
    initiative: int = 0
    computer: int = 0
    shield: int = 0
    hull: int = 0
    movement: int = 0
    dice: int = 0
    damage: int = 0


class _Parts(msgspec.Struct, frozen=True):
    parts: tuple[Part, ...]
    ancient_parts: tuple[Part, ...]


class Bonus(msgspec.Struct, frozen=True):
    """What is printed outside the squares of a blueprint."""

    initiative: int = 0
    production: int = 0
    computer: int = 0


class Blueprint(msgspec.Struct, frozen=True):
    """A ship on a player board as it is printed."""

    parts: Parts
    bonus: Bonus = Bonus()


class Ship(msgspec.Struct, frozen=True):
    """A kind of ship: how many a player has, the draws for destroying one, and its size among targets."""

    id: str
    count: int
    reputation: int
    size: int
    source: str
    size_source: str


class _Board(msgspec.Struct, frozen=True):
    species: tuple[str, ...]
    source: str
    blueprints: dict[str, Blueprint]


class _Other(msgspec.Struct, frozen=True):
    id: str
    reputation: int
    parts: Parts
    source: str
    bonus: Bonus = Bonus()


class _Blueprints(msgspec.Struct, frozen=True):
    ships: tuple[Ship, ...]
    boards: tuple[_Board, ...]
    others: tuple[_Other, ...]


class Totals(NamedTuple):
    """What a ship's parts and bonus add up to. `cannons` and `missiles`: the damage of each die that one ship rolls,
    the smallest first."""

    initiative: int
    computer: int
    shield: int
    hull: int
    movement: int
    production: int
    consumption: int
    cannons: tuple[int, ...]
    missiles: tuple[int, ...]


_parts = load(__file__, "ship_parts.toml", _Parts)
_blueprints = load(__file__, "blueprints.toml", _Blueprints)
_OTHERS = {other.id: other for other in _blueprints.others}

PARTS = {part.id: part for part in (*_parts.parts, *_parts.ancient_parts)}
"""All parts by id."""
PART_TILES = tuple(part.id for part in _parts.parts)
"""The parts whose tiles lie on the supply board, without limit."""
ANCIENT_PARTS = tuple(part.id for part in _parts.ancient_parts)
"""The parts found as discoveries, one of each."""
SHIPS = {ship.id: ship for ship in _blueprints.ships}
SHIP_TYPES = tuple(SHIPS)
"""The players' ships; among equal initiatives of a side the earlier goes first (ruling 76)."""
SHIP_LIMITS = {ship.id: ship.count for ship in SHIPS.values()}
ANCIENT, GCDS = "ancient", "gcds"
REPUTATION = {ship.id: ship.reputation for ship in SHIPS.values()} | {x.id: x.reputation for x in _OTHERS.values()}
"""Reputation tiles drawn for destroying one."""
SIZE = {ship.id: ship.size for ship in SHIPS.values()} | dict.fromkeys(_OTHERS, 0)
"""The largest is destroyed first by Ancients and the defence system (ruling 80)."""
BLUEPRINTS = {species: board.blueprints for board in _blueprints.boards for species in board.species}
"""Each species' blueprints as printed, by type of ship."""


def lying(species: str, ship: str, tiles: Sequence[str]) -> Parts:
    """What is to be seen on the squares: a tile ("": none there) hides the printed part."""
    return tuple(tile or printed for tile, printed in zip(tiles, BLUEPRINTS[species][ship].parts, strict=True))


def no_tiles(species: str, ship: str) -> list[str]:
    """A blueprint without any tiles on it."""
    return [""] * len(BLUEPRINTS[species][ship].parts)


def totals(species: str, ship: str, parts: Parts | None = None) -> Totals:
    """What the parts (those printed, if none are given) and the bonus of a player's ship add up to."""
    printed = BLUEPRINTS[species][ship]
    return add_up(printed.parts if parts is None else parts, printed.bonus)


def totals_of(party: str) -> Totals:
    """The totals of an Ancient or of the defence system."""
    return add_up(_OTHERS[party].parts, _OTHERS[party].bonus)


@cache
def add_up(parts: Parts, bonus: Bonus) -> Totals:
    """Parts and bonus summed up."""
    lie = [PARTS[id] for id in parts if id]

    def dice(kind: str) -> tuple[int, ...]:
        return tuple(sorted(part.damage for part in lie if part.kind == kind for _ in range(part.dice)))

    return Totals(
        initiative=bonus.initiative + sum(part.initiative for part in lie),
        computer=bonus.computer + sum(part.computer for part in lie),
        shield=sum(part.shield for part in lie),
        hull=sum(part.hull for part in lie),
        movement=sum(part.movement for part in lie),
        production=bonus.production + sum(part.production for part in lie),
        consumption=sum(part.consumption for part in lie),
        cannons=dice("cannon"),
        missiles=dice("missile"),
    )


def fault(species: str, ship: str, parts: Parts) -> tuple[str, Mapping[str, Arg]] | None:
    """Why a blueprint is not allowed, as a words key and its arguments; None if it is (rulings 50 and 51)."""
    sum_ = totals(species, ship, parts)
    drives = any(PARTS[id].kind == "drive" for id in parts if id)
    if sum_.consumption > sum_.production:
        args: dict[str, Arg] = {"ship": ship, "needed": sum_.consumption, "produced": sum_.production}
        return "blueprint.energy", args
    if drives == (ship == "starbase"):
        return ("blueprint.drive" if drives else "blueprint.no_drive"), {"ship": ship}
    return None


def may_take(part: str, technologies: Sequence[str]) -> bool:
    """Whether a tile of this part may be taken with these technologies (ruling 52)."""
    return part in PART_TILES and (not PARTS[part].technology or PARTS[part].technology in technologies)
