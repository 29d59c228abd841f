"""Trade: so many of one resource, by the species' rate, for one of another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rules.choices import BACK, back
from rules.engine.flow import Act, Flow, Game, choose
from rules.engine.questions import Answer, Option, Question

from .common import must_choose
from .components import RESOURCES
from .state import State, species

TRADE = "trade"


def options(s: State, seat: int, gets: Iterable[str] = RESOURCES) -> list[Option]:
    """The trades the seat can make for these resources."""
    storage, rate = s.boards[seat].storage, species(s, seat).trade_rate
    return [
        Option(f"{give}.{get}", "option.trade.rate", {"rate": rate, "give": give, "get": get})
        for get in gets
        for give in RESOURCES
        if give != get and storage[give] >= rate
    ]


def can_trade(s: State, seat: int) -> bool:
    """Whether the seat has enough of anything."""
    rate = species(s, seat).trade_rate
    return any(n >= rate for n in s.boards[seat].storage.values())


def exchange(game: Game[State], seat: int, id: str) -> None:
    """Carry a trade out."""
    give, _, get = id.partition(".")
    board, rate = game.state.boards[seat], species(game.state, seat).trade_rate
    board.storage[give] -= rate
    board.storage[get] += 1
    game.tell("trade.done", seat=seat, rate=rate, give=give, get=get)


def trade(game: Game[State], seat: int) -> Flow[None]:
    """One trade, or none after all."""
    id = yield from choose(seat, "trade.what", lambda: [*options(game.state, seat), back()])
    if id != BACK:
        exchange(game, seat, id)


def or_trade(
    game: Game[State], seat: int, key: str, build: Callable[[], Sequence[Option]], *, skip: str, **args: Any
) -> Flow[str]:
    """Ask what to pay for, or trade first, as often as wished; nothing where neither is possible."""

    def offered() -> list[Option]:
        return [*build(), *([Option(TRADE, "option.action.trade")] if can_trade(game.state, seat) else [])]

    while (chosen := (yield from must_choose(seat, key, offered, skip=skip, **args))) == TRADE:
        yield from trade(game, seat)
    return chosen


def acts(s: State, seat: int) -> list[Act]:
    """Trade at any time, also in other players' turns (ruling 18). In Upkeep only a bankrupt player trades, when asked."""
    if s.phase in ("beginning", "upkeep", "over") or s.boards[seat].out or not can_trade(s, seat):
        return []
    return [Act("trade", do_trade, (Question("trade.what", tuple(options(s, seat))),))]


def do_trade(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    """The act."""
    exchange(game, seat, fields[0][0])
