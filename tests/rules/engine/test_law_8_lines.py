"""Law 8: lines are tried on a copy, all or nothing, and end before anything new could be learnt."""

from __future__ import annotations

import pytest

from rules.engine import Flow, Game, Illegal, Line, ask_all, choose

from .helpers import Mini, State, options, question, stands

WHATS = ("on", "roll", "peek", "reveal", "mine", "hand", "all")


def flow(game: Game[State]) -> Flow[None]:
    while True:
        what = yield from choose(0, "what", lambda: options(*WHATS))
        game.state.n += 1
        if what == "roll":
            game.roll()
        if what == "peek":
            game.tell("peeked", to=[0], owner=0)
        if what == "reveal":
            game.tell("revealed", owner=1)
        if what == "mine":
            game.tell("showed", owner=0)
        if what == "hand":
            yield from choose(1, "too", lambda: options("on"))
        if what == "all":
            answers = yield from ask_all([1, 0], lambda seat: question("all", "a", "b"))
            game.state.notes = [answers[1][0]]


@pytest.mark.parametrize("what", ["roll", "peek", "reveal", "hand"])
def test_what_shows_something_ends_the_line(what: str) -> None:
    table = Mini(flow).table()
    was = stands(table)
    line = Line(table, 0)
    line.answer(("on",))
    assert line.question is not None
    line.answer((what,))
    assert line.question is None
    for more in (("on",), ("nonsense",)):
        with pytest.raises(Illegal) as refused:
            line.answer(more)
        assert (refused.value.key, refused.value.args_) == ("engine.line", {})
    assert stands(table) == was
    change = line.submit()
    assert len(change.records) == 2
    assert table.state.n == 2


def test_what_only_concerns_the_seat_goes_on() -> None:
    table = Mini(flow).table()
    line = Line(table, 0)
    for what in ("on", "mine", "on"):
        line.answer((what,))
    line.submit()
    assert table.state.n == 3


@pytest.mark.parametrize("answered", [True, False])
def test_a_sealed_answer_ends_the_line_whether_or_not_it_was_the_last(answered: bool) -> None:
    table = Mini(flow).table()
    table.answer(0, ("all",))
    if answered:
        table.answer(1, ("a",))
    line = Line(table, 0)
    line.answer(("b",))
    assert line.question is None
    with pytest.raises(Illegal, match=r"engine\.line"):
        line.answer(("on",))
    line.submit()
    assert (table.state.notes == ["a"]) == answered


def test_a_line_needs_a_question_and_answers_that_fit() -> None:
    table = Mini(flow).table()
    with pytest.raises(Illegal, match="not_asked"):
        Line(table, 1).answer(("on",))
    line = Line(table, 0)
    with pytest.raises(Illegal, match="no_such_option"):
        line.answer(("nonsense",))
    assert line.answers == []


def test_all_or_nothing_when_the_table_has_moved_on() -> None:
    table = Mini(flow).table()
    line = Line(table, 0)
    line.answer(("on",))
    line.answer(("hand",))
    table.answer(0, ("hand",))
    was, log = stands(table), list(table.log)
    with pytest.raises(Illegal, match="not_asked"):
        line.submit()
    assert (stands(table), table.log) == (was, log)
