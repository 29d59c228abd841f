"""Explore: turn a tile for an unexplored space, place it or discard it, and take control of it at once."""

from rules.engine.flow import Flow, Game, choose
from rules.engine.pile import Pile
from rules.engine.questions import SKIP, Option

from . import influence
from .common import must_choose, space_option
from .hexes import EDGES, edges, explores_from, neighbours, opposite, ring
from .setup import new_hex
from .state import State, has, place_hex, species

DISCARD, ANOTHER = "discard", "another"


def explore(game: Game[State], seat: int) -> Flow[bool]:
    """All explorations of an action; whether the last tile was discarded, which ends the turn (rulings 29 and 30). A
    single space is asked for, too: the tile that is turned for it cannot be turned back (ruling 8)."""
    s = game.state
    discarded, most = False, species(s, seat).actions.explore
    for n in range(most):
        if not spaces(s, seat):
            return False
        skip = "option.explore.stop" if n else None
        place = yield from choose(
            seat, "explore.place", lambda: [space_option(space) for space in spaces(s, seat)], skip=skip
        )
        if place == SKIP:
            return False
        discarded = yield from explore_space(game, seat, place, last=n == most - 1)
    return discarded


def explore_space(game: Game[State], seat: int, place: str, *, last: bool) -> Flow[bool]:
    """One exploration; whether it ended with a discard, which ends the turn if it is the `last` one."""
    s = game.state
    s.exploring = place
    turn_tile(game, seat)
    kept = yield from must_choose(seat, "explore.keep", lambda: fates(s, seat, last), tiles=tuple(s.turned))
    if kept == ANOTHER:
        turn_tile(game, seat)
        kept = yield from must_choose(seat, "explore.keep", lambda: fates(s, seat, last), tiles=tuple(s.turned))
    for number in s.turned:
        if number != kept:
            s.stacks[ring(place)].discards.append(number)
            game.tell("explore.discarded", number=number)
    s.turned = [number for number in s.turned if number == kept]
    if s.turned:
        rotation = yield from must_choose(seat, "explore.orientation", lambda: turns(s, seat, kept), tile=kept)
        place_hex(s, place, new_hex(kept, int(rotation)))
        game.tell("explore.placed", number=kept, place=place, turn=rotation, places=[place])
    s.exploring, s.turned = "", []
    if place in s.hexes and s.boards[seat].discs and influence.may_hold(s, s.hexes[place], seat):
        yield from offer_disc(game, seat, place)
    return place not in s.hexes


def turn_tile(game: Game[State], seat: int) -> None:
    """The next tile of the stack, which an empty stack's discards renew first (ruling 27)."""
    s = game.state
    stack = s.stacks[ring(s.exploring)]
    if not len(stack.pile):
        stack.pile, stack.discards, stack.known = Pile.of(stack.discards), [], True
        game.tell("explore.renewed", ring=ring(s.exploring))
    if len(stack.pile) == 1:
        game.chance.below(1)  # the last tile was hidden, too: turning it is a draw, and a barrier to undo
    number = stack.pile.draw(game.chance)
    assert number is not None
    s.turned.append(number)
    game.tell("explore.turned", seat=seat, place=s.exploring, number=number)


def fates(s: State, seat: int, last: bool) -> list[Option]:
    """The tiles that can be placed, discarding, and for some species a second tile (rulings 26 and 31)."""
    found = [
        Option(number, "option.explore.tile", {"number": number}, s.exploring)
        for number in s.turned
        if rotations(s, seat, s.exploring, number)
    ]
    if len(s.turned) == 1 and has(s, seat, "second_tile") and is_left(s, ring(s.exploring)):
        found.append(Option(ANOTHER, "option.explore.another"))
    return [*found, Option(DISCARD, "option.explore.discard" if last else "option.explore.discard_first")]


def rotations(s: State, seat: int, space: str, number: str) -> list[int]:
    """How the tile may lie in a space (ruling 25), equal patterns of wormholes once: one of its wormholes connects with a
    hex the seat may explore from; with the Wormhole Generator a half connection is enough."""
    half = has(s, seat, "wormhole_generator")
    around = neighbours(space)
    facing = {
        edge: edges(hex_.number, hex_.rotation)[opposite(edge)]
        for edge in EDGES
        if (hex_ := s.hexes.get(around[edge])) is not None and explores_from(s, hex_, seat)
    }
    found: list[int] = []
    seen: list[tuple[bool, ...]] = []
    for rotation in EDGES:
        holes = edges(number, rotation)
        if holes in seen:
            continue
        seen.append(holes)
        if any((holes[edge] or there) if half else (holes[edge] and there) for edge, there in facing.items()):
            found.append(rotation)
    return found


def turns(s: State, seat: int, number: str) -> list[Option]:
    """The rotations as options."""
    found = rotations(s, seat, s.exploring, number)
    return [Option(str(n), "option.explore.rotation", {"n": n}, s.exploring) for n in found]


def offer_disc(game: Game[State], seat: int, place: str) -> Flow[None]:
    """The disc may be placed now, or later by Influence (ruling 28)."""
    disc = Option("disc", "option.explore.disc", place=place)
    hex_ = game.state.hexes[place]
    tile, turn = hex_.number, str(hex_.rotation)
    chosen = yield from choose(
        seat, "explore.disc", lambda: [disc], skip="option.explore.no_disc", tile=tile, turn=turn
    )
    if chosen != SKIP:
        yield from influence.place_disc(game, seat, place)


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
