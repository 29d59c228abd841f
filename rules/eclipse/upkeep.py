"""Upkeep Phase: colony ships, then money, with bankruptcy where it is short, then science and materials."""

from msgspec.structs import replace

from rules.engine.flow import Flow, Game, ask_all, choose
from rules.engine.questions import SKIP, Option, Question

from . import colony_ships, influence, scoring, trade
from .common import hex_options, income, upkeep
from .components import RESOURCES
from .state import Cleanup, State, controlled, place_of, playing_from

MONEY = "money"


def upkeep_phase(game: Game[State]) -> Flow[None]:
    """The whole phase (ruling 101). After the last round the game is over (ruling 106)."""
    s = game.state
    s.phase, s.active = "upkeep", None
    yield from last_colonies(game)
    for seat in playing_from(s, s.start):
        yield from pay(game, seat)
    for seat in playing_from(s, s.start):
        produce(game, seat)
    if scoring.last_round(s) or not playing_from(s, 0):
        scoring.end(game)
    else:
        s.next = Cleanup()


def last_colonies(game: Game[State]) -> Flow[None]:
    """Colony ships still face up may be used, by all at the same time, but not where enemy ships are (ruling 21)."""
    s = game.state
    left = [seat for seat in playing_from(s, s.start) if colony_ships.can_land(s, seat, upkeep=True)]
    while left:
        answers = yield from ask_all(left, lambda seat: colony_question(s, seat))
        for seat in left:
            if answers[seat][0] != SKIP:
                colony_ships.land(game, seat, answers[seat][0])
        left = [seat for seat in left if answers[seat][0] != SKIP and colony_ships.can_land(s, seat, upkeep=True)]


def colony_question(s: State, seat: int) -> Question:
    """Where a colony ship goes before upkeep."""
    options = (*colony_ships.options(s, seat, upkeep=True), Option(SKIP, "option.colony.done"))
    return Question("colony.upkeep", options, args={"ships": s.boards[seat].colony_ships})


def balance(s: State, seat: int) -> int:
    """The money the seat would be left with."""
    board = s.boards[seat]
    return board.storage[MONEY] + income(board, MONEY) - upkeep(board)


def pay(game: Game[State], seat: int) -> Flow[None]:
    """Money income less upkeep; where it is not enough, trade or give up hexes until it is (ruling 102). If nothing is
    left that helps, the civilization collapses (ruling 103)."""
    s = game.state
    while balance(s, seat) < 0:
        if not (ways := remedies(s, seat)):
            yield from scoring.leave(game, seat, "collapsed")
            return
        short = -balance(s, seat)
        if len(ways) > 1:
            way = yield from choose(seat, "upkeep.short", lambda: remedies(s, seat), short=short)
        else:
            way = ways[0].id
        if "." in way:
            trade.exchange(game, seat, way)
        else:
            yield from influence.remove_disc(game, place_of(s, way))
    s.boards[seat].storage[MONEY] = balance(s, seat)


def remedies(s: State, seat: int) -> list[Option]:
    """What brings money: trading for it, or giving up a hex."""
    hexes = [replace(option, words="option.upkeep.hex") for option in hex_options(s, controlled(s, seat))]
    return [*trade.options(s, seat, (MONEY,)), *hexes]


def produce(game: Game[State], seat: int) -> None:
    """Science and materials; one line tells the whole upkeep of the seat."""
    board = game.state.boards[seat]
    gains = {kind: income(board, kind) for kind in RESOURCES}
    for kind in ("science", "materials"):
        board.storage[kind] += gains[kind]
    game.tell(
        "upkeep.done", seat=seat, money=gains[MONEY], due=upkeep(board), left=board.storage[MONEY],
        science=gains["science"], materials=gains["materials"],
    )  # fmt: skip
