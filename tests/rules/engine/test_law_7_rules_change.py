"""Law 7: when the rules changed, old checkpoints are upgraded, and what no longer fits falls back, openly."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.engine import Change, Damaged, Flow, Game, Illegal, Table, choose
from rules.engine.log import Marked, Undone, effective
from rules.verify import export, read_export, verify

from .helpers import Mini, State, kinds, options, reopened, stands


class NewState(msgspec.Struct):
    """The state of version 2: one field more."""

    part: int = 0
    n: int = 0
    notes: list[str] = []
    done: bool = False
    extra: int = 0


def old(game: Game[State]) -> Flow[None]:
    """A die at the segment's start, then three questions."""
    game.state.n += game.roll()
    for _ in range(3):
        what = yield from choose(0, "go", lambda: options("on", "roll", "end"))
        game.state.notes.append(what)
        if what == "roll":
            game.state.n += game.roll()
        game.state.done = what == "end"
    game.state.part += 1


def other_dice(game: Game[State]) -> Flow[None]:
    """As `old`, with two dice at the start."""
    game.state.n += game.roll() + game.roll()
    for _ in range(3):
        what = yield from choose(0, "go", lambda: options("on", "roll", "end"))
        game.state.notes.append(what)
        game.state.done = what == "end"
    game.state.part += 1


def other_options(game: Game[State]) -> Flow[None]:
    """As `old`, but "roll" is no more."""
    game.state.n += game.roll()
    for _ in range(3):
        what = yield from choose(0, "go", lambda: options("on", "end"))
        game.state.notes.append(what)
        game.state.done = what == "end"
    game.state.part += 1


def failing(game: Game[State]) -> Flow[None]:
    """Fails wherever it is."""
    raise KeyError("never")
    yield


def up(state: dict[str, Any]) -> dict[str, Any]:
    """From version 1 to 2."""
    return {**state, "extra": state["n"]}


OLD = Mini(old)
SAME_BUMPED = Mini(old, version=2, upgraders={1: lambda state: state})
WIDER = Mini(old, version=2, upgraders={1: up}, state=NewState)
UNBUMPED = Mini(other_dice)
NO_ROLL = Mini(other_options, version=2, upgraders={1: lambda state: state})


def played(*answers: str) -> Table:
    table = OLD.table()
    for answer in answers:
        table.answer(0, (answer,))
    return table


def changed(table: Table, rules: Mini) -> tuple[Table, Change]:
    position = table.position()
    tail = [table.log[seq] for seq in position.tail]
    opened, change = Table.open(rules, table.header, table.secret, position, table.checkpoints[position.base], tail)
    assert change is not None
    opened.recall([*table.log, *change.records], {**table.checkpoints, **dict(change.checkpoints)})
    return opened, change


def mark(change: Change) -> Marked:
    (record,) = change.records
    assert isinstance(record.what, Marked)
    return record.what


def finish(table: Table) -> None:
    table.answer(0, ("end",))
    verify(read_export(export(table)), table.rules)


def test_the_same_rules_under_a_new_version_only_leave_a_mark() -> None:
    table = played("on", "roll", "on", "roll")
    opened, change = changed(table, SAME_BUMPED)
    assert mark(change).dropped == ()
    assert mark(change).version == opened.version == 2
    assert kinds(change.events) == ["rules_new"]
    assert change.events[0].args == {"version": 2, "dropped": 0}
    assert opened.epoch == table.epoch
    assert msgspec.to_builtins(opened.state) == msgspec.to_builtins(table.state)
    assert opened.number(0) > table.number(0)
    assert stands(reopened(opened)) == stands(opened)
    finish(opened)


@pytest.mark.parametrize("rules", [SAME_BUMPED, WIDER])
def test_a_game_that_has_ended_is_looked_at_as_it_ended(rules: Mini) -> None:
    table = played("on", "roll", "end")
    position, base = table.position(), table.checkpoints[table.base]
    tail = [table.log[seq] for seq in position.tail]
    opened, change = Table.open(rules, table.header, table.secret, position, base, tail, ended=True)
    assert change is None
    assert opened.over
    assert opened.view(0) == table.view(0)
    opened.recall(table.log, table.checkpoints)
    with pytest.raises(Damaged, match="version"):
        verify(read_export(export(opened)), rules)
    _, change = Table.open(NO_ROLL, table.header, table.secret, position, base, tail, ended=True)
    assert change is not None, "these rules do not lead there"


def test_an_upgraded_state_falls_back_to_the_segments_start() -> None:
    table = played("on", "on", "on", "roll", "on")
    opened, change = changed(table, WIDER)
    assert mark(change).dropped == (4, 5)
    assert kinds(change.events) == ["rules_changed"]
    assert opened.state.extra > 0
    assert opened.state.notes == ["on"] * 3
    assert opened.epoch == table.epoch + 1
    assert effective(opened.log) == [1, 2, 3]
    assert change.events[0].args["dropped"] == 2
    assert stands(reopened(opened)) == stands(opened)
    finish(opened)


@pytest.mark.parametrize("answers", [(), ("on",), ("roll", "on"), ("on", "on", "on"), ("on", "on", "roll", "roll")])
def test_an_unbumped_change_is_found_by_the_digest(answers: tuple[str, ...]) -> None:
    table = played(*answers)
    opened, change = changed(table, UNBUMPED)
    assert mark(change).version == 1
    assert mark(change).dropped == table.position().tail
    assert opened.epoch == table.epoch + 1
    assert {draw.epoch for draw in change.records[0].draws} == {opened.epoch}
    assert stands(reopened(opened)) == stands(opened)
    finish(opened)


def test_answers_that_fit_no_longer_are_dropped_but_stay_on_record() -> None:
    table = played("on", "roll")
    opened, change = changed(table, NO_ROLL)
    assert mark(change).dropped == (1, 2)
    assert [record.seq for record in opened.log] == [0, 1, 2, 3]
    assert opened.state.notes == []
    finish(opened)


def test_draws_are_never_made_twice_after_a_change() -> None:
    table = played("roll", "roll")
    opened, _ = changed(table, UNBUMPED)
    for _ in range(7):
        opened.answer(0, ("roll",))
    opened.undo(0, 5, consents=[1, 2])
    opened.answer(0, ("end",))
    draws = [(draw.epoch, draw.n) for record in opened.log for draw in record.draws]
    assert len(set(draws)) == len(draws)
    verify(read_export(export(opened)), UNBUMPED)


@pytest.mark.parametrize(("to", "base"), [(1, 0), (2, 0), (3, 0), (4, 3), (5, 3), (6, 3)])
def test_undo_past_the_mark_goes_to_a_segments_start(to: int, base: int) -> None:
    table = played("on", "on", "on", "on", "on")
    opened, _ = changed(table, SAME_BUMPED)
    opened.answer(0, ("on",))
    plan = opened.plan_undo(0, to)
    assert (plan.to, plan.redraws) == (base + 1, True)
    change = opened.undo(0, to, consents=[1, 2])
    what = change.records[0].what
    assert isinstance(what, Undone)
    assert (what.to, what.base, bool(what.state), what.epoch) == (base + 1, base, True, 1)
    assert opened.state.notes == ["on"] * base
    assert stands(reopened(opened)) == stands(opened)
    for _ in range(5):
        opened.answer(0, ("on",))
    with pytest.raises(Illegal):
        opened.redo(0)
    opened.undo(0)
    opened.redo(0)
    finish(opened)


def test_undo_after_the_mark_is_as_ever_and_redo_does_not_cross_it() -> None:
    table = played("on", "on")
    table.undo(0)
    opened, _ = changed(table, SAME_BUMPED)
    with pytest.raises(Illegal, match="nothing_to_redo"):
        opened.redo(0)
    opened.answer(0, ("on",))
    plan = opened.plan_undo(0)
    assert (len(plan.records), plan.redraws) == (1, False)
    opened.undo(0)
    opened.redo(0)
    finish(opened)


def test_several_changes_one_after_the_other() -> None:
    table = played("on", "roll", "on", "on")
    second, _ = changed(table, SAME_BUMPED)
    second.answer(0, ("on",))
    third, change = changed(second, Mini(other_dice, version=3, upgraders={1: dict, 2: dict}))
    assert mark(change).dropped == (4, 6)
    third.answer(0, ("on",))
    third.undo(0, 2, consents=[1, 2])
    assert third.state.notes == []
    third.answer(0, ("on",))
    finish(third)
    with pytest.raises(Damaged, match="version"):
        verify(read_export(export(third)), SAME_BUMPED)


def test_what_cannot_be_opened_is_damaged_not_half_open() -> None:
    table = played("on")
    for rules in (
        Mini(failing),
        Mini(old, version=2),
        Mini(old, version=2, upgraders={1: lambda state: {}}, state=View),
        Mini(old, version=0),
    ):
        with pytest.raises(Damaged):
            changed(table, rules)


class View(msgspec.Struct):
    """A state that nothing upgrades to."""

    needed: int


def test_an_undo_that_the_new_rules_cannot_follow_changes_nothing() -> None:
    table = played("on", "on", "on", "on")
    opened, _ = changed(table, Mini(old, version=2, upgraders={1: dict}))
    was, log, checkpoints = stands(opened), list(opened.log), dict(opened.checkpoints)
    fine = opened.rules.flow

    def fails_early(game: Game[State]) -> Flow[None]:
        if game.state.part == 0:
            raise KeyError
        yield from fine(game)

    opened.rules.flow = fails_early
    with pytest.raises(Illegal, match="cannot_undo"):
        opened.undo(0, 1, consents=[1, 2])
    assert (stands(opened), opened.log, opened.checkpoints) == (was, log, checkpoints)
    opened.rules.flow = fine
    opened.undo(0, 1, consents=[1, 2])


def test_other_draws_are_found_even_if_the_state_shows_no_difference() -> None:
    def dice(sides: int) -> Mini:
        def flow(game: Game[State]) -> Flow[None]:
            while True:
                yield from choose(0, "go", lambda: options("on"))
                game.roll(sides)

        return Mini(flow)

    table = dice(6).table()
    table.answer(0, ("on",))
    assert mark(changed(table, dice(8))[1]).dropped == (1,)
    assert stands(reopened(table)) == stands(table)
