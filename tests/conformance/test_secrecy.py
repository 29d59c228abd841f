"""Twins: games that differ only in what a viewer cannot know look the same to him, whatever is played."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules.engine import Chance, Change, Decision, Event, Illegal, Rules, Table, encode, random_player
from tests.rules import toy

from .cases import LONGEST, TWINS, Case, every_game, plain_case, some
from .checks import acts_of

MOST_GAMES = 40


def sees(table: Table, viewer: int | None) -> Any:
    """Everything the viewer gets."""
    rules = table.rules
    view = table.view(viewer)
    question = table.asked.get(viewer) if viewer is not None else None
    own: Any = None
    if viewer is not None:
        labels = question and [rules.words.option(question, option) for option in question.options]
        number = question and table.number(viewer)
        own = (question, labels, number, acts_of(table, viewer), rules.hand(view, rules.words))
    public = {seat: open_part(asked) for seat, asked in table.asked.items()}
    return encode(view), rules.board(view, rules.words), list(table.asked), public, own, table.over


def open_part(question: Any) -> Any:
    """What the channel shows of somebody's question."""
    return None if question.private else question


def told(change: Change, viewer: int | None) -> list[Event]:
    """The events the viewer learns of."""
    return [event for event in change.events if event.seen_by(viewer)]


def learns(events: list[Event]) -> bool:
    """Whether something hidden is shown or drawn by these, so that twins may part."""
    return any(event.drawn or event.owner is not None or event.audience is not None for event in events)


def compare(
    rules: Rules[Any, Any, Any], state: Any, viewer: int | None, chance: Chance, steps: int
) -> tuple[int, bool]:
    """Play a state and its twin side by side; how many steps they looked the same, and whether they differed at all."""
    seed = str(chance.below(1 << 30)).encode()
    hidden = rules.resample(state, viewer, Chance(seed))
    assert encode(rules.view(state, viewer)) == encode(rules.view(hidden, viewer))
    differ = encode(state) != encode(hidden)
    one, other = (Table.at(rules, start, Chance(b"twin" + seed)) for start in (state, hidden))
    if one.log[0].draws:
        return 0, differ  # the segment's first draw may have come out of what is hidden
    assert sees(one, viewer) == sees(other, viewer)
    for step in range(steps):
        if one.over:
            return step, differ
        waiting = [seat for seat in one.asked if seat not in one.sealed]
        seat = chance.pick(waiting)
        both = {option.id for option in other.asked[seat].options}
        question = one.asked[seat]
        options = tuple(option for option in question.options if option.id in both)
        question = msgspec.structs.replace(question, options=options)
        if question.problem():
            return step, differ
        answer = random_player(Decision(seat, one.view(seat), question), chance)
        change = one.answer(seat, answer)
        try:
            same = other.answer(seat, answer)
        except Illegal:
            return step, differ
        events, again = told(change, viewer), told(same, viewer)
        if (events != again or sees(one, viewer) != sees(other, viewer)) and learns(events + again):
            return step, differ
        assert events == again
        assert sees(one, viewer) == sees(other, viewer)
    return steps, differ


def walk(case: Case, seed: str, steps: int = 12) -> tuple[int, int]:
    """Compare twins at every segment's start of a game, for each viewer in turn."""
    table, chance = case.start(seed), Chance(seed.encode())
    viewers = [None, *range(case.seats)]
    base, same, different = -1, 0, 0
    for step in range(LONGEST):
        if table.over:
            break
        if table.base != base:
            base = table.base
            state = table._decode(table._read(table.checkpoints[base]).state)
            lasted, differ = compare(case.rules, state, viewers[step % len(viewers)], chance, steps)
            same, different = same + lasted, different + differ
        seat = chance.pick(list(table.asked))
        table.answer(seat, random_player(Decision(seat, table.view(seat), table.asked[seat]), chance))
    return same, different


@every_game
@some
def test_twins_look_the_same(rules: Rules[Any, Any, Any], seed: int) -> None:
    case, same, different = plain_case(rules), 0, 0
    for n in range(MOST_GAMES):
        more, differing = walk(case, f"twins/{seed}/{n}")
        same, different = same + more, different + differing
        if same >= TWINS:
            break
    assert different > 5, "the twins do not differ: nothing was compared"
    if rules is not toy.RULES:
        assert same >= TWINS, "the twins part at once: nothing was compared"


class Leaky(toy.Lanterns):
    """A view that tells how many thieves seat 1 holds."""

    def view(self, state: toy.State, seat: int | None) -> toy.View:
        view = super().view(state, seat)
        return msgspec.structs.replace(view, hand=(*view.hand, *["leak"] * state.hands[1].count("thief")))


class Telling(toy.Lanterns):
    """An option list that depends on another's hand."""

    def acts(self, state: toy.State, seat: int) -> list[Any]:
        return super().acts(state, seat)[: 1 + ("thief" in state.hands[1 - seat])]


@pytest.mark.parametrize("leaky", [Leaky(), Telling()])
def test_a_leak_is_found(leaky: Any) -> None:
    found = 0
    for seed in range(10):
        try:
            walk(Case(leaky, 2, {}), f"leak/{seed}")
        except AssertionError:
            found += 1
    assert found > 5
