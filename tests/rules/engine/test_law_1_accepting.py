"""Law 1: an answer is accepted only when the flow has reached its next question or end."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.engine import Act, Answer, Broken, Chance, Flow, Game, Illegal, Line, Question, ask_all, choose
from rules.engine.log import Answered, Faulted

from .helpers import Mini, State, broken, options, question, reopened, stands, toy, wander

FAULTS = ("value", "illegal", "twice", "empty", "nobody", "set", "chance", "segment")


def faulty(game: Game[State]) -> Flow[None]:
    """Asks what to fail at; "fine" goes on."""
    state = game.state
    if state.part == 1:
        raise KeyError("at the segment's start")
    while True:
        what = yield from choose(0, "what", lambda: options("fine", *FAULTS))
        state.n += 1
        game.roll()
        game.tell("was", what=what)
        state.notes.append(what)
        if what == "value":
            raise ValueError("a bug")
        if what == "illegal":
            raise Illegal("engine.whatever")
        if what == "twice":
            yield from choose(0, "bad", lambda: options("a", "a"))
        if what == "empty":
            yield from choose(0, "bad", lambda: [])
        if what == "nobody":
            yield from ask_all(iter([0]), lambda _: Question("bad", ()))
        if what == "set":
            state.notes = object()  # type: ignore[assignment]
            yield from choose(0, "next", lambda: options("a"))
        if what == "chance":
            yield from choose(0, "bad", lambda: options(str(game.roll())))
        if what == "segment":
            state.part = 1
            return


@pytest.mark.parametrize("what", FAULTS)
@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_failing_rule_changes_nothing(what: str, before: int) -> None:
    table = Mini(faulty, seats=2).table()
    for _ in range(before):
        table.answer(0, ("fine",))
    was, log, checkpoints = stands(table), list(table.log), dict(table.checkpoints)
    error = broken(lambda: table.answer(0, (what,)))
    record = table.log[-1]
    assert table.log[:-1] == log
    assert error.change.records == (record,)
    assert (error.change.events, error.change.checkpoints) == ((), ())
    assert isinstance(record.what, Faulted)
    assert record.what.tried == Answered("what", (what,))
    assert (record.draws, record.digest) == ((), log[-1].digest)
    assert table.checkpoints == checkpoints
    now = stands(table)
    assert (now[:4], now[5]) == (was[:4], was[5])
    assert stands(reopened(table)) == now
    table.answer(0, ("fine",))
    assert table.state.n == before + 1


def test_the_report_reproduces_the_failure() -> None:
    table = Mini(faulty, seats=2).table()
    table.answer(0, ("fine",))
    report = msgspec.msgpack.decode(broken(lambda: table.answer(0, ("value",))).report)
    assert report["tried"]["tried"] == {"type": "answered", "key": "what", "answer": ["value"]}
    assert [record["what"]["answer"] for record in report["tail"]] == [["fine"]]
    assert report["at"] == table.checkpoints[0]


def test_what_does_not_fit_is_refused_before_the_flow_is_sent_anything() -> None:
    table = toy()
    was, log = stands(table), list(table.log)
    for seat, answer in (
        (0, ("nothing",)),
        (0, ()),
        (0, ("one", "two")),
        (9, ("one",)),
        (-1, ("one",)),
        (0, ("skip",)),
    ):
        with pytest.raises(Illegal):
            table.answer(seat, answer)
    for seat, name, fields in (
        (0, "fly", ()),
        (0, "tip", ()),
        (0, "tip", [("0",)]),
        (9, "tip", [("1",)]),
        (-1, "wager", ()),
    ):
        with pytest.raises(Illegal):
            table.act(seat, name, fields)
    assert (stands(table), table.log) == (was, log)


def asking(game: Game[State]) -> Flow[None]:
    while True:
        yield from choose(0, "go", lambda: options("on"))


def acting(late: bool, drawn: bool = False) -> Mini:
    def refuse(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
        if late:
            game.state.n += 1
        if drawn:
            game.roll()
        game.tell("tried")
        raise Illegal("no")

    return Mini(asking, lambda state, seat: [Act("try", refuse)])


def test_an_act_that_is_refused_leaves_nothing() -> None:
    table = acting(late=False).table()
    was, log = stands(table), list(table.log)
    with pytest.raises(Illegal, match="no"):
        table.act(1, "try")
    assert (stands(table), table.log) == (was, log)
    assert table.answer(0, ("on",)).events == ()


@pytest.mark.parametrize(("late", "drawn"), [(True, False), (False, True)])
def test_an_act_that_refuses_after_a_change_is_a_bug(late: bool, drawn: bool) -> None:
    table = acting(late, drawn).table()
    was = stands(table)
    error = broken(lambda: table.act(1, "try"))
    assert "after it had changed" in error.args_["fault"]
    assert (stands(table)[0], table._chance.n) == (was[0], was[5])


def test_illegal_out_of_an_act_that_had_asked_is_a_bug() -> None:
    def asks(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
        yield from choose(seat, "sure", lambda: options("yes"))
        raise Illegal("too_late")

    table = Mini(asking, lambda state, seat: [Act("try", asks)]).table()
    table.act(1, "try")
    was = stands(table)[:3]
    broken(lambda: table.answer(1, ("yes",)))
    assert stands(table)[:3] == was
    assert list(table.asked) == [1]


def test_a_line_that_fails_is_taken_back_whole_and_recorded_once() -> None:
    table = Mini(faulty_line, seats=2).table()
    was = stands(table)
    line = Line(table, 0)
    for _ in range(2):
        line.answer(("on",))
    line.answer(("fail",))
    assert line.question is None
    assert stands(table) == was
    error = broken(line.submit)
    faulted = error.change.records[0].what
    assert isinstance(faulted, Faulted)
    assert (faulted.tried, len(faulted.after)) == (Answered("go", ("fail",)), 2)
    assert (len(table.log), table.state.n) == (2, 0)
    assert stands(reopened(table)) == stands(table)


def faulty_line(game: Game[State]) -> Flow[None]:
    while True:
        what = yield from choose(0, "go", lambda: options("on", "fail"))
        game.state.n += 1
        if what == "fail":
            raise ZeroDivisionError


def test_an_answer_that_does_not_fit_takes_the_whole_line_back() -> None:
    table = Mini(faulty_line, seats=2).table()
    was, log = stands(table), list(table.log)
    with pytest.raises(Illegal):
        table.play(0, [("on",), ("on",), ("nothing",)])
    assert (stands(table), table.log) == (was, log)
    assert len(table.play(0, [("on",), ("on",)]).records) == 2


def test_a_segment_that_never_asks_is_a_bug_not_a_hang() -> None:
    def idle(game: Game[State]) -> Flow[None]:
        if game.state.n == 0:
            yield from choose(0, "go", lambda: options("on"))
        game.state.n += 1

    table = Mini(idle).table()
    assert "RuntimeError" in broken(lambda: table.answer(0, ("on",))).args_["fault"]


def test_an_ask_of_nobody_is_a_bug() -> None:
    def nobody(game: Game[State]) -> Flow[None]:
        from rules.engine import Ask

        yield from choose(0, "go", lambda: options("on"))
        yield Ask((), lambda _: question("x", "a"))

    table = Mini(nobody).table()
    broken(lambda: table.answer(0, ("on",)))
    assert list(table.asked) == [0]


@pytest.mark.parametrize("seed", range(10))
def test_faults_at_the_end_of_a_segment_leave_a_real_game_playable(seed: int, monkeypatch: Any) -> None:
    table, chance = toy(rounds=4, secret=bytes([seed]) * 32), Chance(b"fault%d" % seed)
    wander(table, chance, 12)
    with monkeypatch.context() as patch:
        patch.setattr("tests.rules.toy.Tidy", lambda round: 1 // 0)
        with pytest.raises(Broken):
            wander(table, chance, 300, undo=False)
    assert isinstance(table.log[-1].what, Faulted)
    assert table.log[-1].digest == table.log[-2].digest
    assert stands(reopened(table)) == stands(table)
    wander(table, chance)
    assert table.over
