"""Law 4: the log is append-only; undo deletes nothing; redo only while nothing else was recorded."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Act, Answer, Chance, Flow, Game, Illegal, NeedsHistory, Table, choose, decode_record, encode
from rules.engine.log import Answered, Redone, Undone, chain, effective

from .helpers import Mini, State, kinds, options, reopened, stands, toy, wander


def counting(game: Game[State]) -> Flow[None]:
    """Three questions to seat 0 a segment; "roll" draws, "show" tells a secret of seat 1."""
    for _ in range(3):
        what = yield from choose(0, "go", lambda: options("on", "roll", "end"))
        game.state.n = game.state.n * 3 + len(what)
        if what == "roll":
            game.state.n += game.roll()
        if what == "end":
            game.state.done = True
            yield from choose(0, "never", lambda: options("on"))
    game.state.part += 1


def bump(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    game.state.n += 1


RULES = Mini(counting, lambda state, seat: [Act("bump", bump)])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(1, 80))
def test_records_are_numbered_chained_and_never_touched_again(seed: int, steps: int) -> None:
    table, chance = toy(), Chance(b"%d" % seed)
    seen: list[bytes] = []
    for _ in range(steps):
        wander(table, chance, 1)
        stored = [encode(record) for record in table.log]
        assert stored[: len(seen)] == seen
        seen = stored
    head = chain(table.header)
    for at, record in enumerate(table.log):
        assert (record.seq, record.prev) == (at, head)
        assert decode_record(encode(record)) == record
        head = chain(record)
    assert (table.head, table.length) == (head, len(table.log))


def test_an_answer_given_for_somebody_is_recorded_as_such_and_others_as_ever() -> None:
    table = RULES.table()
    own = table.answer(0, ("on",)).records[0]
    given_for = table.answer(0, ("on",), away=True).records[0]
    assert own.what == Answered("go", ("on",))
    assert given_for.what == Answered("go", ("on",), away=True)
    assert b"away" not in encode(own)
    assert decode_record(encode(given_for)) == given_for
    assert table.plan_undo(0).records == (given_for,)


def test_undo_leads_back_to_every_point_and_redo_forward_again() -> None:
    table = RULES.table()
    points = [stands(table)]
    for at in range(8):
        if at % 4 == 3:
            table.act(0, "bump")
        else:
            table.answer(0, ("on",))
        points.append(stands(table))
    line = list(effective(table.log))
    for at, seq in reversed(list(enumerate(line))):
        before = stands(table)
        change = table.undo(0, seq)
        assert stands(table)[0] == points[at][0]
        assert kinds(change.events) == ["undone"]
        assert change.events[0].args["steps"] == len(line) - at
        assert stands(reopened(table)) == stands(table)
        table.redo(0)
        assert stands(table)[0] == before[0]
        assert stands(reopened(table)) == stands(table)
        assert effective(table.log) == line


def test_redo_only_while_nothing_else_was_recorded() -> None:
    def undone() -> Table:
        table = RULES.table()
        table.answer(0, ("on",))
        table.undo(0)
        return table

    undone().redo(0)
    with pytest.raises(Illegal, match="nothing_to_redo"):
        undone().redo(1)  # another's undo
    for other in (
        lambda table: table.answer(0, ("on",)),
        lambda table: table.act(1, "bump"),
        lambda table: table.stand(1, "ambush", True),
        lambda table: table.seat_change(2, "bot"),
        lambda table: table.redo(0),
    ):
        table = undone()
        other(table)
        with pytest.raises(Illegal, match="nothing_to_redo"):
            table.redo(0)


def test_redo_crosses_segments() -> None:
    table = RULES.table()
    for _ in range(7):
        table.answer(0, ("on",))
    was = stands(table)
    table.undo(0, 2)
    change = table.redo(0)
    assert stands(table)[0] == was[0]
    assert isinstance(table.log[-1].what, Redone)
    assert table.position().base in dict(change.checkpoints)
    assert stands(reopened(table)) == stands(table)


def test_checkpoints_of_an_undone_future_are_never_used() -> None:
    table = RULES.table()
    for answer in ("on", "on", "on", "on"):
        table.answer(0, (answer,))
    assert 3 in table.checkpoints
    table.undo(0, 2)
    for answer in ("end",):
        table.answer(0, (answer,))
    table.undo(0, 6)
    assert table.base == 0
    table.answer(0, ("on",))
    table.answer(0, ("on",))
    now = table.state.n
    table.undo(0, table.log[-1].seq)
    table.answer(0, ("on",))
    assert table.state.n == now
    assert stands(reopened(table)) == stands(table)


def test_an_undo_that_reaches_behind_memory_asks_for_the_log() -> None:
    table = RULES.table()
    for _ in range(8):
        table.answer(0, ("on",))
    log, checkpoints = list(table.log), dict(table.checkpoints)
    opened = reopened(table)
    assert opened.plan_undo(0).to == 8
    for step in (lambda: opened.undo(0, 2), lambda: opened.undo(1), lambda: opened.step_back(8)):
        with pytest.raises(NeedsHistory):
            step()
    opened.recall(log, checkpoints)
    opened.undo(0, 2)
    table.undo(0, 2)
    assert stands(opened) == stands(table)
    for one in (opened, table):
        one.answer(0, ("on",))
    assert stands(opened) == stands(table)


def test_redo_after_reopening_needs_the_log() -> None:
    table = RULES.table()
    for _ in range(5):
        table.answer(0, ("on",))
    table.undo(0, 2)
    log, checkpoints = list(table.log), dict(table.checkpoints)
    opened = reopened(table)
    with pytest.raises(NeedsHistory):
        opened.redo(0)
    opened.recall(log, checkpoints)
    opened.redo(0)
    table.redo(0)
    assert stands(opened) == stands(table)


def test_with_checkpoints_missing_the_way_leads_over_older_ones_and_is_stored() -> None:
    table = RULES.table()
    for _ in range(8):
        table.answer(0, ("on",))
    log, first = list(table.log), {0: table.checkpoints[0]}
    opened = reopened(table)
    opened.recall(log, first)
    change = opened.undo(0, 6)
    table.undo(0, 6)
    assert stands(opened) == stands(table)
    assert opened.base == 3
    assert opened.base in dict(change.checkpoints)


def test_forgetting_changes_nothing_but_memory() -> None:
    table = RULES.table()
    for _ in range(4):
        table.answer(0, ("on",))
    was = stands(table)
    table.forget()
    assert stands(table) == was
    table.undo(0)
    table.redo(0) if table._whole else None
    with pytest.raises(NeedsHistory):
        table.undo(0, 1)


def test_a_foreign_log_is_not_recalled() -> None:
    table, other = RULES.table(), toy()
    table.answer(0, ("on",))
    wander(other, Chance(b"x"), 5)
    for records in (table.log[:1], other.log[:2]):
        with pytest.raises(Exception, match="damaged"):
            table.recall(records, {})


def test_stepping_back_counts_answers_and_acts() -> None:
    table = RULES.table()
    for _ in range(3):
        table.answer(0, ("on",))
    table.seat_change(1, "bot")
    table.act(1, "bump")
    assert [table.step_back(n) for n in (1, 2, 9)] == [5, 3, 1]
    with pytest.raises(Illegal):
        table.step_back(0)


def test_a_digest_tells_nothing_without_the_key_and_stands_for_the_state_and_its_draws() -> None:
    one, other, third = toy(), toy(secret=b"x" * 32), toy()
    assert one.log[0].digest != other.log[0].digest
    assert one.log[0].digest == third.log[0].digest
    digests = [record.digest for record in one.log]
    wander(one, Chance(b"d"), 30)
    assert all(len(record.digest) == 16 for record in one.log)
    assert len({record.digest for record in one.log}) > len(digests)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_numbers_of_questions_are_the_same_after_reopening_and_never_come_twice(seed: int) -> None:
    table, chance = toy(), Chance(b"%d" % seed)
    shown: dict[tuple[int, int], object] = {}
    for _ in range(60):
        if table.over:
            break
        opened = reopened(table)
        for seat, question in table.asked.items():
            number = table.number(seat)
            assert opened.number(seat) == number
            assert shown.setdefault((seat, number), question) == question
        wander(table, chance, 1)


def test_undone_records_hold_what_they_took_back() -> None:
    table = RULES.table()
    table.answer(0, ("on",))
    change = table.undo(0)
    assert change.records[0].what == Undone(1, 0)
    assert msgspec.to_builtins(change.records[0].what)["type"] == "undone"
