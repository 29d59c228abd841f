"""Small positions and a way to play through them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules.eclipse import RULES
from rules.eclipse.components import SPECIES
from rules.eclipse.hexes import EDGES, STEPS, edges
from rules.eclipse.options import Options
from rules.eclipse.setup import new_hex, set_up, settle
from rules.eclipse.state import Hex, State, Turn, add_ship, fleet, place_of
from rules.engine.chance import Chance, ScriptedChance
from rules.engine.flow import Event, Game
from rules.engine.table import Table

NO_OPTIONS = Options()
DRAWS = 400
"""Enough zeros behind the scripted draws for whatever is drawn afterwards."""
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


class Played:
    """A table at a position, played by short answers; remembers the events."""

    def __init__(self, s: State, *draws: int) -> None:
        self.table = Table.at(RULES, s, ScriptedChance([*draws, *[0] * DRAWS]), s.options)
        self.events: list[Event] = []

    @property
    def s(self) -> State:
        state = self.table.state
        assert isinstance(state, State)
        return state

    def asked(self, seat: int) -> str:
        """The key of the seat's question, empty when it is not asked."""
        question = self.table.asked.get(seat)
        return question.key if question else ""

    def ids(self, seat: int) -> list[str]:
        """The options of the seat's question."""
        return [option.id for option in self.table.asked[seat].options]

    def __call__(self, seat: int, *answers: str | tuple[str, ...]) -> "Played":
        """One answer after the other: an id, or a tuple of ids."""
        for answer in answers:
            change = self.table.answer(seat, answer if isinstance(answer, tuple) else (answer,))
            self.events += change.events
        return self

    def act(self, seat: int, name: str, *fields: str | tuple[str, ...]) -> "Played":
        """An act with its fields."""
        given = [field if isinstance(field, tuple) else (field,) for field in fields]
        self.events += self.table.act(seat, name, given).events
        return self

    def acts(self, seat: int) -> list[str]:
        """The names of the acts the seat may do."""
        return [act.name for act in self.table.acts(seat)]

    def told(self, kind: str) -> list[Event]:
        """The events of this kind so far."""
        return [event for event in self.events if event.kind == kind]

    def ships(self, seat: int, number: str) -> dict[str, int]:
        """The seat's ships in a hex."""
        return dict(fleet(self.s.hexes[place_of(self.s, number)], seat))
