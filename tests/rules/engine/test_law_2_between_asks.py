"""Law 2: a table that is built again from what is stored equals the live one, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Answer, Chance, Flow, Game, Rules, ask_all, choose, encode

from .helpers import Mini, State, options, question, reopened, stands, toy, wander

PRINT = """
from rules.engine import Chance
from tests.rules.engine.helpers import stands, toy, wander
table = toy(secret=bytes([{seed}]) * 32)
wander(table, Chance(b"walk{seed}"), {steps})
print(table.head.hex(), table.position().digest.hex(), {{seat: table.number(seat) for seat in table.asked}})
"""


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 60), seats=st.integers(2, 4))
def test_reopening_leads_to_the_same_table(seed: int, steps: int, seats: int) -> None:
    table, chance = toy(seats=seats), Chance(b"%d" % seed)
    wander(table, chance, steps)
    opened = reopened(table)
    assert stands(opened) == stands(table)
    ahead = Chance(b"ahead")
    wander(table, ahead, 20, undo=False)
    wander(opened, Chance(b"ahead"), 20, undo=False)
    assert stands(opened) == stands(table)


def test_a_process_with_other_hashes_plays_the_same_game() -> None:
    for seed, steps in ((1, 17), (2, 40)):
        told = {
            subprocess.run(
                [sys.executable, "-c", PRINT.format(seed=seed, steps=steps)],
                env={**os.environ, "PYTHONHASHSEED": hashes},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for hashes in ("0", "1", "4242")
        }
        assert len(told) == 1
        assert told != {""}


def test_a_segment_goes_on_from_what_was_stored_not_from_the_live_object() -> None:
    kept: list[State] = []

    def flow(game: Game[State]) -> Flow[None]:
        assert all(game.state is not old for old in kept)
        kept.append(game.state)
        yield from choose(0, "go", lambda: options("on"))
        game.state.part += 1

    table = Mini(flow).table()
    for _ in range(3):
        table.answer(0, ("on",))
    assert table.state is kept[-1]
    kept[0].n = 99
    assert table.state.n == 0


def test_builders_cannot_draw() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        yield from choose(0, "go", lambda: options(str(game.roll())))

    with pytest.raises(RuntimeError, match="locked"):
        Mini(flow).table()


def test_acts_cannot_draw_while_they_are_listed() -> None:
    table = toy()
    rules: Rules = table.rules  # type: ignore[type-arg]

    class Drawing(type(rules)):  # type: ignore[misc]
        def acts(self, state: object, seat: int) -> list[object]:
            table._chance.roll()
            return []

    table.rules = Drawing()
    with pytest.raises(RuntimeError, match="locked"):
        table.acts(0)


def test_answers_come_in_the_order_asked_not_in_the_order_given() -> None:
    def flow(game: Game[State]) -> Flow[None]:
        answers = yield from ask_all([2, 0, 1], lambda seat: question("go", "on"))
        game.state.notes = [str(seat) for seat in answers]
        yield from choose(0, "end", lambda: options("on"))

    orders: Sequence[Sequence[int]] = ([0, 1, 2], [2, 1, 0], [1, 2, 0])
    for order in orders:
        table = Mini(flow).table()
        for seat in order:
            answer: Answer = ("on",)
            table.answer(seat, answer)
        assert table.state.notes == ["2", "0", "1"]


@pytest.mark.parametrize("steps", [0, 3, 9, 25])
def test_a_copy_is_independent(steps: int) -> None:
    table, chance = toy(), Chance(b"copy")
    wander(table, chance, steps)
    was, draws = stands(table), list(table._chance.draws)
    twin = table.copy()
    assert stands(twin) == was
    wander(twin, Chance(b"elsewhere"), 30, undo=False)
    assert (stands(table), table._chance.draws) == (was, draws)
    assert encode(twin.state) != encode(table.state)
