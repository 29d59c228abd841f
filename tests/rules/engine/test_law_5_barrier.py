"""Law 5: undo is instant back to a draw, a secret told, or another's answer; beyond, their owners must consent."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import Act, Answer, Chance, Flow, Game, Illegal, Table, ask_all, choose

from .helpers import Mini, State, options, question, reopened, stands, toy, wander

WHATS = ("on", "roll", "peek", "look", "own", "reveal", "pass")


def telling(game: Game[State]) -> Flow[None]:
    """Seat 0 does things that concern others; "pass" lets seat 1 answer once."""
    while True:
        what = yield from choose(0, "what", lambda: options(*WHATS))
        game.state.n += 1
        if what == "roll":
            game.roll()
        if what == "peek":
            game.tell("peeked", to=[0])
        if what == "look":
            game.tell("looked", to=[0], owner=2)
        if what == "own":
            game.tell("noted", to=[0], owner=0)
        if what == "reveal":
            game.tell("revealed", owner=1)
        if what == "pass":
            yield from choose(1, "too", lambda: options("on"))


OWNERS = {"on": (), "roll": (1, 2), "peek": (1, 2), "look": (2,), "own": (), "reveal": (1,), "pass": (1,)}


def played(what: str) -> Table:
    table = Mini(telling).table()
    table.answer(0, (what,))
    if what == "pass":
        table.answer(1, ("on",))
    return table


@pytest.mark.parametrize("what", WHATS)
def test_who_must_consent(what: str) -> None:
    table = played(what)
    owners = OWNERS[what]
    assert table.plan_undo(0).owners == owners
    if owners:
        was = stands(table)
        with pytest.raises(Illegal) as refused:
            table.undo(0, consents=owners[1:])
        assert refused.value.args_ == {"seats": owners[:1]}
        assert stands(table) == was
    table.undo(0, consents=owners)
    assert (table.state.n, table.log[-1].what.consents) == (0, owners)  # type: ignore[union-attr]
    if owners:
        with pytest.raises(Illegal, match="nothing_to_redo"):
            table.redo(0)
    else:
        table.redo(0)
        assert table.state.n == 1


@pytest.mark.parametrize("what", WHATS)
def test_a_host_rewinds_without_consent(what: str) -> None:
    table = played(what)
    change = table.undo(None, 1, host=True)
    assert table.state.n == 0
    assert change.records[0].seat is None
    assert change.events[0].args == {"seat": None, "steps": 1 + (what == "pass"), "host": True}


def test_instant_back_to_the_barrier_and_no_further() -> None:
    table = Mini(telling).table()
    for what in ("on", "roll", "on", "on"):
        table.answer(0, (what,))
    assert table.plan_undo(0, 3).owners == ()
    assert table.plan_undo(0, 2).owners == (1, 2)
    table.undo(0, 3)
    with pytest.raises(Illegal, match="consent"):
        table.undo(0, 2)


def test_the_epoch_rises_only_across_a_draw() -> None:
    for what in WHATS:
        table = played(what)
        table.undo(0, consents=[1, 2])
        assert table.epoch == (what == "roll")
        table.answer(0, ("roll",))
        assert {draw.epoch for draw in table.log[-1].draws} == {table.epoch}


@pytest.mark.parametrize("seed", range(25))
def test_no_draw_is_ever_made_twice(seed: int) -> None:
    table = toy(rounds=6, secret=bytes([seed]) * 32)
    wander(table, Chance(b"epochs%d" % seed), 250)
    draws = [(draw.epoch, draw.n) for record in table.log for draw in record.draws]
    assert len(draws) == len(set(draws))
    assert max(epoch for epoch, _ in draws) == table.epoch or table.epoch


def sealing() -> tuple[Table, Table]:
    """Two tables, one of which holds a sealed answer of seat 1."""

    def flow(game: Game[State]) -> Flow[None]:
        while True:
            yield from choose(0, "open", lambda: options("on"))
            yield from ask_all([0, 1, 2], lambda seat: question("all", "a", "b"))

    def act(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
        game.state.n += 1

    rules = Mini(flow, lambda state, seat: [Act("harmless", act, harmless=True), Act("other", act)])
    quiet, told = rules.table(), rules.table()
    for table in (quiet, told):
        table.answer(0, ("on",))
    told.answer(1, ("a",))
    told.answer(1, ("b",))
    return quiet, told


def test_undo_does_not_tell_who_has_answered() -> None:
    answers: list[Any] = []
    for table in sealing():
        with pytest.raises(Illegal) as refused:
            table.undo(0, 1)
        steps = table.undo(0, 1, consents=[1, 2]).events[0].args["steps"]
        answers.append((refused.value.args_, steps))
    assert answers[0] == answers[1] == ({"seats": (1, 2)}, 1)


def test_acts_do_not_tell_who_has_answered() -> None:
    for table in sealing():
        assert [act.name for act in table.acts(0)] == ["harmless"]
        with pytest.raises(Illegal, match="no_such_act"):
            table.act(0, "other")
        number = table.number(0)
        table.act(0, "harmless")
        assert table.number(0) == number
    assert dict(sealing()[1].sealed) == {1: ("b",)}


def test_what_lies_under_an_act_that_asks_is_as_protected() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        yield from ask_all([0, 1, 2], lambda seat: question("all", "a", "b"))

    def asks(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
        yield from choose(seat, "sure", lambda: options("yes"))

    table = Mini(flow, lambda state, seat: [Act("asks", asks, harmless=True), Act("other", asks)]).table()
    table.answer(1, ("a",))
    before = {seat: table.number(seat) for seat in table.asked}
    table.act(0, "asks")
    assert [act.name for act in table.acts(2)] == ["asks"]
    assert table.plan_undo(0).owners == (1, 2)
    table.answer(0, ("yes",))
    assert dict(table.sealed) == {1: ("a",)}
    assert all(table.number(seat) > before[seat] for seat in table.asked)


def test_nothing_before_the_start_can_be_taken_back() -> None:
    table = Mini(telling).table()
    for to in (None, 0, 1, -5, 99):
        with pytest.raises(Illegal, match="nothing_to_undo"):
            table.undo(0, to)
    table.answer(0, ("on",))
    assert table.plan_undo(0, -3).to == 1


def test_an_answer_whose_options_change_is_asked_again() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        state = game.state
        answers = yield from ask_all([0, 1], lambda seat: question("all", "a", *["b"] * (seat == 0 and state.n > 0)))
        state.notes = [answers[0][0], answers[1][0]]
        yield from choose(0, "end", lambda: options("on"))

    def more(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
        game.state.n += 1

    table = Mini(flow, lambda state, seat: [Act("more", more, harmless=True)]).table()
    table.answer(0, ("a",))
    numbers = [table.number(seat) for seat in (0, 1)]
    table.act(1, "more")
    assert dict(table.sealed) == {}
    assert table.number(0) > numbers[0]
    assert table.number(1) == numbers[1]
    table.answer(1, ("a",))
    table.answer(0, ("b",))
    assert table.state.notes == ["b", "a"]
    assert stands(reopened(table)) == stands(table)
