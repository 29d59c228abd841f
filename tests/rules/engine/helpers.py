"""Small rules made on the spot, and ways to walk and compare tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from rules.engine import (
    Act,
    Broken,
    Chance,
    Decision,
    Flow,
    Game,
    Illegal,
    Option,
    Question,
    Rules,
    Standing,
    Table,
    Words,
    random_player,
)
from tests.rules.toy import RULES
from tests.rules.toy import Options as ToyOptions

SECRET = bytes(range(32))


class Options(msgspec.Struct, frozen=True):
    """Nothing to choose."""


class State(msgspec.Struct):
    """Whatever the tests note down."""

    part: int = 0
    n: int = 0
    notes: list[str] = []
    done: bool = False


class View(msgspec.Struct, frozen=True):
    """What everybody sees."""

    n: int


Segment = Callable[[Game[State]], Flow[None]]


class Mini(Rules[State, Options, View]):
    """A game whose only segment is the given flow."""

    key, title, seats, options, state, words = "mini", "Mini", range(1, 7), Options, State, Words({})

    def __init__(
        self,
        flow: Segment,
        acts: Callable[[State, int], list[Act]] = lambda state, seat: [],
        *,
        seats: int = 3,
        **more: Any,
    ) -> None:
        self.flow, self.act_list, self.n = flow, acts, seats
        for name, value in more.items():
            setattr(self, name, value)

    def setup(self, chance: Chance, options: Options, seats: int, wishes: Any) -> State:
        return State(notes=[])

    def segment(self, game: Game[State]) -> Flow[None]:
        return self.flow(game)

    def acts(self, state: State, seat: int) -> list[Act]:
        return self.act_list(state, seat)

    def over(self, state: State) -> bool:
        return state.done

    def view(self, state: State, seat: int | None) -> View:
        return View(state.n)

    def standings(self, state: State) -> list[Standing]:
        return [Standing(seat, seat + 1, state.n) for seat in range(self.n)]

    def resample(self, state: State, viewer: int | None, chance: Chance) -> State:
        return state

    def board(self, view: View, words: Words) -> str:
        return str(view.n)

    def playing(self, state: State) -> tuple[int, ...]:
        return tuple(range(self.n))

    def table(self) -> Table:
        return Table.start(self, seats=self.n, secret=SECRET)[0]


def options(*ids: str) -> list[Option]:
    return [Option(id) for id in ids]


def question(key: str, *ids: str, **more: Any) -> Question:
    return Question(key, tuple(options(*ids)), **more)


def toy(rounds: int = 3, seats: int = 3, secret: bytes = SECRET) -> Table:
    salts = [f"salt{seat}" for seat in range(seats)]
    return Table.start(RULES, ToyOptions(rounds), seats=seats, secret=secret, salts=salts)[0]


def wander(table: Table, chance: Chance, steps: int = 10_000, *, undo: bool = True, acts: bool = True) -> int:
    """Random answers, acts, undos and redos; returns how many steps were accepted."""
    seats = range(table.header.seats)
    taken = 0
    for _ in range(steps):
        if table.over:
            break
        kind = chance.below(12)
        try:
            if kind == 0 and undo:
                table.undo(chance.pick(seats), consents=list(seats))
            elif kind == 1 and undo:
                table.redo(chance.pick(seats))
            elif kind == 2 and acts:
                do_an_act(table, chance.pick(seats), chance)
            else:
                seat = chance.pick(list(table.asked))
                table.answer(seat, random_player(Decision(seat, table.view(seat), table.asked[seat]), chance))
        except Illegal:
            continue
        taken += 1
    return taken


def do_an_act(table: Table, seat: int, chance: Chance) -> None:
    """Any act the seat may do, if there is one."""
    acts = table.acts(seat)
    if acts:
        act = chance.pick(acts)
        table.act(seat, act.name, [random_player(Decision(seat, None, field), chance) for field in act.fields])


def stands(table: Table) -> Any:
    """Everything by which two tables at the same point are equal."""
    asked = {seat: (table.number(seat), asked) for seat, asked in table.asked.items()}
    position = msgspec.to_builtins(table.position())
    return msgspec.to_builtins(table.state), asked, dict(table.sealed), table.over, position, table._chance.n


def reopened(table: Table) -> Table:
    """The table as it is after a restart of the process: from stored bytes only."""
    position = msgspec.msgpack.decode(msgspec.msgpack.encode(table.position()), type=type(table.position()))
    by_seq = {record.seq: record for record in [*table.log, *table.tail]}
    tail = [by_seq[seq] for seq in position.tail]
    checkpoint = table.checkpoints[position.base]
    opened, change = Table.open(table.rules, table.header, table.secret, position, checkpoint, tail)
    assert change is None
    return opened


def broken(step: Callable[[], Any]) -> Broken:
    """What a failing step raises."""
    try:
        step()
    except Broken as error:
        return error
    raise AssertionError("it did not fail")


def kinds(events: Iterable[Any]) -> list[str]:
    return [event.kind for event in events]
