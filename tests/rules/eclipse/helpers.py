"""Small positions and a way to play through them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.eclipse import RULES
from rules.eclipse.components import SPECIES
from rules.eclipse.hexes import EDGES, STEPS, edges
from rules.eclipse.options import Options
from rules.eclipse.setup import new_hex, set_up, settle
from rules.eclipse.state import Hex, State, Turn, add_ship, fleet, place_of
from rules.engine.chance import Chance
from rules.engine.flow import Game
from tests.rules.playing import PlayedPosition

NO_OPTIONS = Options()
DIRECTORATE, UNION, FEDERATION = "terran_directorate", "terran_union", "terran_federation"
REPUBLIC, CONGLOMERATE, ALLIANCE = "terran_republic", "terran_conglomerate", "terran_alliance"
ERIDANI, HYDRAN, PLANTA, DRACO = "eridani_empire", "hydran_progress", "planta", "descendants_of_draco"
MECHANEMA, ORION = "mechanema", "orion_hegemony"


def position(*species: str, active: int = 0, options: Options = NO_OPTIONS) -> State:
    """The start of the first Action Phase, one species a seat, with these at their usual start spots; the supply board
    is empty, so that each test puts there what it needs."""
    chance = Chance(b"position")
    s = set_up(chance, options, len(species), [""] * len(species))
    for seat, id in enumerate(species):
        settle(Game(s, chance), seat, SPECIES[id])
    for technology, n in s.supply.items():
        s.bag.shuffle_in([technology] * n)
    s.supply = {}
    s.start, s.phase, s.next = active, "action", Turn(active)
    return s


def home(s: State, seat: int) -> str:
    """The place of the seat's start hex."""
    return place_of(s, SPECIES[s.boards[seat].species].home)


def put(
    s: State, number: str, place: str, rotation: int = 0, *, disc: int | None = None,
    ships: Mapping[int, Mapping[str, int]] | None = None, cubes: Iterable[int] = (), **more: Any,
) -> Hex:  # fmt: skip
    """A hex placed here, with a disc and cubes off the owner's tracks, ships in this order of entry, and more as named."""
    hex_ = s.hexes[place] = new_hex(number, rotation)
    for stack in s.stacks.values():
        if number in stack.pile.counts():
            left = stack.pile.counts()
            del left[number]
            stack.pile.layers = [left] if left else []
    if disc is not None:
        hex_.disc = disc
        s.boards[disc].discs -= 1
    for seat, counts in (ships or {}).items():
        for ship, n in counts.items():
            add_ship(hex_, seat, ship, n)
    for name, value in more.items():
        setattr(hex_, name, value)
    hex_.cubes = list(cubes)
    return hex_


def step(place: str, direction: int, n: int = 1) -> str:
    """The place so many steps away in a direction."""
    q, r = (int(part) for part in place.split(","))
    return f"{q + n * STEPS[direction][0]},{r + n * STEPS[direction][1]}"


def turned(number: str, *open_: int, shut: Sequence[int] = ()) -> int:
    """A rotation in which the tile has wormholes on these edges, and none on the `shut` ones."""
    return next(
        rotation
        for rotation in EDGES
        if all(edges(number, rotation)[edge] for edge in open_)
        and not any(edges(number, rotation)[edge] for edge in shut)
    )


class Played(PlayedPosition[State]):
    """A position of this game."""

    rules = RULES

    def ships(self, seat: int, number: str) -> dict[str, int]:
        """The seat's ships in a hex."""
        return dict(fleet(self.s.hexes[place_of(self.s, number)], seat))
