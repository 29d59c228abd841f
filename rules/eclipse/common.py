"""Small things every chapter uses: options for hexes and seats, the tracks, paying."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Arg, Option

from .components import INFLUENCE, POPULATION, RESOURCES, TECHNOLOGIES, TECHNOLOGY_TRACK
from .hexes import ring
from .state import PlayerBoard, State, in_category


def must_choose(
    seat: int, key: str, build: Callable[[], Sequence[Option]], *, skip: str | None = None, **args: Any
) -> Flow[str]:
    """The only option there is, or the one chosen; there is no way back. `skip`: to pass is an option, too (SKIP)."""
    options = build()
    if skip and not options:
        return SKIP
    if not skip and len(options) == 1:
        return options[0].id
    return (yield from choose(seat, key, build, skip=skip, **args))


def hex_option(s: State, place: str) -> Option:
    """A placed hex, by its printed number."""
    number = s.hexes[place].number
    return Option(number, "option.hex", {"number": number}, place)


def hex_options(s: State, places: Iterable[str]) -> list[Option]:
    """Placed hexes, by their printed numbers."""
    return [hex_option(s, place) for place in places]


def space_option(place: str) -> Option:
    """An unexplored space."""
    return Option(place, "option.space", {"place": place, "ring": ring(place)}, place)


def seat_options(seats: Iterable[int]) -> list[Option]:
    """Seats as options."""
    return [Option(str(seat), "option.seat", {"seat": seat}) for seat in seats]


def income(board: PlayerBoard, kind: str, more: int = 0) -> int:
    """What a population track produces, or would with so many `more` cubes: the leftmost number no cube covers."""
    off = POPULATION.squares - board.tracks[kind] - more
    return POPULATION.income[off - 1] if off else 0


def track_option(board: PlayerBoard, kind: str, more: int) -> Option:
    """A population track, which gets so many `more` cubes."""
    args: dict[str, Arg] = {"track": kind, "before": income(board, kind), "after": income(board, kind, more)}
    return Option(kind, "option.track", args)


def upkeep(board: PlayerBoard) -> int:
    """The money due: the leftmost number no disc covers."""
    return INFLUENCE.upkeep[board.discs] if board.discs < len(INFLUENCE.upkeep) else 0


def discount(s: State, seat: int, category: str) -> int | None:
    """What the seat's next technology of a category costs less; None when the track is full."""
    n = in_category(s, seat, category)
    return TECHNOLOGY_TRACK.discount[n] if n < TECHNOLOGY_TRACK.slots else None


def price(s: State, seat: int, technology: str) -> int | None:
    """What a technology costs the seat (ruling 45); None if it has it or has no room for it."""
    if technology in s.boards[seat].technologies:
        return None
    return reduced(technology, discount(s, seat, TECHNOLOGIES[technology].category))


def reduced(technology: str, off: int | None) -> int | None:
    """What a technology costs at a discount; None without room for it."""
    tile = TECHNOLOGIES[technology]
    return None if off is None else max(tile.least, tile.price - off)


def tracks_with_room(board: PlayerBoard, kinds: Iterable[str]) -> list[str]:
    """Which of these population tracks can take a cube back; if all of them are full, any that can."""
    room = [kind for kind in RESOURCES if board.tracks[kind] < POPULATION.squares]
    return [kind for kind in kinds if kind in room] or room


def return_cube(game: Game[State], seat: int, kinds: Iterable[str] = RESOURCES) -> Flow[None]:
    """A cube goes back to one of these tracks, its owner's choice; a full one sends it to another (ruling 37)."""
    s, allowed = game.state, tuple(kinds)

    def tracks() -> list[Option]:
        board = s.boards[seat]
        return [track_option(board, kind, 1) for kind in tracks_with_room(board, allowed)]

    kind = yield from must_choose(seat, "cube.track", tracks)
    s.boards[seat].tracks[kind] += 1
