"""Colony ships: a cube from a population track to an empty square of an own hex."""

from collections.abc import Iterator
from typing import NamedTuple

from rules.choices import BACK, back
from rules.engine.flow import Act, Flow, Game, choose
from rules.engine.questions import Answer, Arg, Option, Question

from .common import income
from .components import ADVANCED, kinds_of
from .hexes import squares_of
from .state import State, enemies, has


class Landing(NamedTuple):
    """A square a colony ship may fill: where, its index, its kind as words, and the track the cube comes from."""

    place: str
    number: str
    square: int
    kind: str
    track: str

    @property
    def id(self) -> str:
        """The option's id."""
        return f"{self.number}.{self.square}.{self.track}"


def landings(s: State, seat: int, *, upkeep: bool = False) -> Iterator[Landing]:
    """The squares the seat's colony ships may fill (rulings 20 and 21), equal ones of a hex once. Before `upkeep` not in
    hexes with enemy ships."""
    board = s.boards[seat]
    if not board.colony_ships:
        return
    for place, hex_ in s.hexes.items():
        if hex_.disc != seat or (upkeep and enemies(s, hex_, seat)):
            continue
        seen = []
        for at, square in enumerate(squares_of(hex_.number, hex_.orbital)):
            if at in hex_.cubes or square in seen or (square.advanced and not has(s, seat, ADVANCED[square.kind])):
                continue
            seen.append(square)
            kind = "advanced" if square.advanced else square.kind if square.kind in ("gray", "orbital") else "plain"
            for track in kinds_of(square.kind):
                if board.tracks[track]:
                    yield Landing(place, hex_.number, at, kind, track)


def can_land(s: State, seat: int, *, upkeep: bool = False) -> bool:
    """Whether a colony ship could be used."""
    return next(landings(s, seat, upkeep=upkeep), None) is not None


def options(s: State, seat: int, *, upkeep: bool = False) -> list[Option]:
    """The landings as options."""
    board, found = s.boards[seat], []
    for one in landings(s, seat, upkeep=upkeep):
        gain = income(board, one.track, -1) - income(board, one.track)
        args: dict[str, Arg] = {"number": one.number, "track": one.track, "n": gain}
        found.append(Option(one.id, f"option.colony.{one.kind}", args, one.place))
    return found


def land(game: Game[State], seat: int, id: str) -> None:
    """The colony ship is turned face down and the cube moved."""
    s, board = game.state, game.state.boards[seat]
    landing = next(one for one in landings(s, seat) if one.id == id)
    hex_ = s.hexes[landing.place]
    board.colony_ships -= 1
    board.used_ships += 1
    board.tracks[landing.track] -= 1
    hex_.cubes = sorted([*hex_.cubes, landing.square])
    game.tell("colony.settled", seat=seat, number=hex_.number, track=landing.track, places=[landing.place])


def use(game: Game[State], seat: int) -> Flow[None]:
    """One colony ship, or none after all."""
    s, ships = game.state, game.state.boards[seat].colony_ships
    id = yield from choose(seat, "colony.square", lambda: [*options(s, seat), back()], ships=ships)
    if id != BACK:
        land(game, seat, id)


def may_use(s: State, seat: int) -> bool:
    """Whether it is the seat's own turn, in which its colony ships may be used at any time (ruling 19)."""
    return s.phase == "action" and s.active == seat


def acts(s: State, seat: int) -> list[Act]:
    """Use one at any time in one's own turn."""
    if not may_use(s, seat):
        return []
    found = tuple(options(s, seat))
    return [Act("colonize", do_colonize, (Question("colony.where", found),))] if found else []


def do_colonize(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """The act."""
    land(game, seat, fields[0][0])
