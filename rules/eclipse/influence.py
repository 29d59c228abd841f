"""Influence: discs go between the track and hexes; used colony ships turn face up."""

from rules.choices import BACK, back
from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Option

from . import discovery
from .common import hex_options, must_choose, return_cube
from .components import kinds_of
from .hexes import links_for, squares_of
from .state import Hex, State, controlled, enemies, place_of, ships_in, species

TRACK, REFRESH, DONE = "track", "refresh", "done"


def influence(game: Game[State], seat: int) -> Flow[None]:
    """Up to two disc moves, one after the other, and two colony ships turned up at any point (rulings 22 and 32)."""
    s = game.state
    left = species(s, seat).actions.influence
    while left:
        source = yield from must_choose(seat, "influence.from", lambda: sources(s, seat), left=left)
        if source == DONE:
            break
        if source == REFRESH:
            refresh(game, seat, 1)
        else:
            left -= yield from move_disc(game, seat, source)
    refresh(game, seat, species(s, seat).actions.refresh)


def sources(s: State, seat: int) -> list[Option]:
    """The discs that can be moved, and what else can be done."""
    found = hex_options(s, controlled(s, seat))
    if s.boards[seat].discs and goals(s, seat):
        found.append(Option(TRACK, "option.influence.track"))
    if refreshable(s, seat):
        found.append(Option(REFRESH, "option.influence.refresh"))
    return [*found, Option(DONE, "option.influence.done")]


def refreshable(s: State, seat: int) -> int:
    """How many colony ships may still be turned up in this action."""
    return min(species(s, seat).actions.refresh - s.refreshed, s.boards[seat].used_ships)


def refresh(game: Game[State], seat: int, n: int) -> None:
    """Up to `n` used colony ships turn face up, within the limit of the action."""
    s, board = game.state, game.state.boards[seat]
    n = min(n, refreshable(s, seat))
    if n:
        board.used_ships -= n
        board.colony_ships += n
        s.refreshed += n
        game.tell("influence.refreshed", seat=seat, n=n)


def move_disc(game: Game[State], seat: int, source: str) -> Flow[bool]:
    """Choose the goal and move the disc; False if it is left where it was."""
    s = game.state
    lifted = "" if source == TRACK else place_of(s, source)

    def to() -> list[Option]:
        track = [Option(TRACK, "option.influence.track")] if lifted else []
        return [*hex_options(s, goals(s, seat, lifted)), *track, back()]

    goal = yield from choose(seat, "influence.to", to)
    if goal == BACK:
        return False
    if lifted:
        yield from remove_disc(game, lifted)
    if goal != TRACK:
        yield from place_disc(game, seat, place_of(s, goal))
    return True


def goals(s: State, seat: int, lifted: str = "") -> list[str]:
    """Where the seat may put a disc (rulings 33 to 36), `lifted` being the place it comes from: no disc, no enemy ship,
    and own ships there or a connection to a hex with an own disc or ship. The lifted disc connects nothing."""
    found: dict[str, None] = {}
    for place, hex_ in s.hexes.items():
        ships = ships_in(hex_, seat) > 0
        if ships:
            found[place] = None
        if ships or (hex_.disc == seat and place != lifted):
            found.update(dict.fromkeys(links_for(s, place, seat)))
    return [place for place in found if may_hold(s, s.hexes[place], seat)]


def may_hold(s: State, hex_: Hex, seat: int) -> bool:
    """Whether nothing in a hex bars the seat's disc: no other disc, no enemy ship; Ancients do not bar their kin."""
    return hex_.disc is None and not enemies(s, hex_, seat)


def place_disc(game: Game[State], seat: int, place: str) -> Flow[None]:
    """A disc from the track takes control of a hex, and the discovery there is taken (ruling 40)."""
    hex_ = game.state.hexes[place]
    game.state.boards[seat].discs -= 1
    hex_.disc = seat
    game.tell("influence.placed", seat=seat, number=hex_.number, places=[place])
    if hex_.discovery and not hex_.ancients and not hex_.gcds:
        yield from discovery.take(game, seat, place)


def remove_disc(game: Game[State], place: str) -> Flow[None]:
    """All cubes of a hex go back to their tracks, then the disc to its own (ruling 37)."""
    s, seat = game.state, game.state.hexes[place].disc
    assert seat is not None
    squares = squares_of(s.hexes[place].number, s.hexes[place].orbital)
    while s.hexes[place].cubes:
        yield from return_cube(game, seat, kinds_of(squares[s.hexes[place].cubes.pop()].kind))
    s.hexes[place].disc = None
    s.boards[seat].discs += 1
    game.tell("influence.removed", seat=seat, number=s.hexes[place].number, places=[place])
