"""Law 3: the end is noticed after every answer and act, at any depth, and every flow is closed."""

from __future__ import annotations

import pytest

from rules.engine import Act, Answer, Flow, Game, Illegal, ask_all, choose
from rules.verify import export

from .helpers import Mini, State, options, question, reopened, stands


def finish(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> None:
    game.state.done = True


def ending(closed: list[str]) -> Mini:
    """Every answer "end" ends the game where it is, two flows deep in the segment and one or more acts above."""

    def watched(game: Game[State], seat: int, key: str) -> Flow[None]:
        try:
            while True:
                if (yield from choose(seat, key, lambda: options("on", "end"))) == "end":
                    game.state.done = True
        except GeneratorExit:
            closed.append(key)
            raise

    def segment(game: Game[State]) -> Flow[None]:
        try:
            yield from watched(game, 0, "inner")
        except GeneratorExit:
            closed.append("segment")
            raise

    def deeper(game: Game[State], seat: int, fields: tuple[Answer, ...]) -> Flow[None]:
        return watched(game, seat, f"act{seat}")

    return Mini(segment, lambda state, seat: [Act("finish", finish), Act("deeper", deeper)])


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("by", ["answer", "act"])
def test_all_flows_are_closed_the_innermost_first(depth: int, by: str) -> None:
    closed: list[str] = []
    table = ending(closed).table()
    for seat in range(1, depth + 1):
        table.act(seat, "deeper")
    assert list(table.asked) == [depth]
    if by == "answer":
        table.answer(depth, ("end",))
    else:
        table.act(0, "finish")
    assert closed == [*(f"act{seat}" for seat in range(depth, 0, -1)), "inner", "segment"]
    assert table.over
    assert (table.asked, dict(table.sealed), table.acts(0)) == ({}, {}, [])
    assert stands(reopened(table)) == stands(table)
    for step in (lambda: table.answer(depth, ("on",)), lambda: table.act(0, "finish")):
        with pytest.raises(Illegal, match="over"):
            step()


def test_the_end_is_noticed_before_the_next_segment_starts() -> None:
    started: list[int] = []

    def segment(game: Game[State]) -> Flow[None]:
        started.append(game.state.part)
        yield from choose(0, "go", lambda: options("on"))
        game.state.part += 1
        game.state.done = game.state.part == 2

    table = Mini(segment).table()
    table.answer(0, ("on",))
    change = table.answer(0, ("on",))
    assert table.over
    assert started == [0, 1]
    assert change.checkpoints == ()


def test_an_act_can_end_the_game_while_answers_are_sealed() -> None:
    def segment(game: Game[State]) -> Flow[None]:
        yield from ask_all([0, 1, 2], lambda seat: question("go", "on"))

    table = Mini(segment, lambda state, seat: [Act("finish", finish, harmless=True)]).table()
    table.answer(0, ("on",))
    table.act(1, "finish")
    assert table.over
    table.undo(1, consents=[0, 2])
    assert not table.over
    assert (list(table.asked), dict(table.sealed)) == ([0, 1, 2], {0: ("on",)})


def test_the_export_waits_for_the_end() -> None:
    table = ending([]).table()
    with pytest.raises(Illegal, match="not_over"):
        export(table)
