"""What must hold at any moment of any game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rules.bots import bot_player
from rules.engine import SKIP, Chance, Decision, Event, Question, Table, Words, encode, random_player, read, write
from tests.rules.engine.helpers import reopened, stands

ENGINE_EVENTS = ("undone", "redone", "rules_changed", "rules_new", "seat_changed")
"""Told by the engine; their words are the bot's own, not a game's."""

PLAIN = frozenset({str, int, bool, float, type(None)})


def check_moment(table: Table, chance: Chance) -> None:
    """Everything below."""
    check_state(table)
    check_questions(table)
    check_purity(table, chance)
    check_views(table)
    check_answers(table, chance)
    check_words(table)
    assert stands(reopened(table)) == stands(table)
    check_copy(table, chance)


def check_state(table: Table) -> None:
    """The state is plain data that is the same after encoding and decoding."""
    state = table.state
    assert msgspec.msgpack.decode(encode(state), type=table.rules.state) == state
    for thing in inside(state):
        assert isinstance(thing, (list, tuple, dict, msgspec.Struct)), type(thing)


def check_questions(table: Table) -> None:
    """Exactly the asked seats have options, written by unique ids."""
    assert bool(table.asked) != table.over
    assert set(table.sealed) < set(table.asked) or not table.asked
    for seat, question in table.asked.items():
        assert seat in range(table.header.seats)
        assert question.options
        assert question.problem() is None
        assert 0 <= table.number(seat) < table.length
        assert len({option.id for option in question.options}) == len(question.options)
    for seat in range(table.header.seats):
        for act in table.acts(seat):
            assert all(field.options and field.problem() is None for field in act.fields), act.name
        names = [act.name for act in table.acts(seat)]
        assert len(set(names)) == len(names)
    assert set(table.rules.playing(table.state)) <= set(range(table.header.seats))


def check_purity(table: Table, chance: Chance) -> None:
    """Listing, looking and imagining change nothing."""
    rules, state = table.rules, table.state
    before, n = encode(state), table._chance.n
    asked = dict(table.asked)
    ask = table._frames[-1].ask if table._frames else None
    with table._chance.locked():
        for seat in range(table.header.seats):
            if ask is not None and seat in asked:
                assert ask.build(seat) == asked[seat]
            assert acts_of(table, seat) == acts_of(table, seat)
            rules.view(state, seat)
        for viewer in (None, *range(table.header.seats)):
            view = rules.view(state, viewer)
            assert encode(view) == encode(rules.view(state, viewer))
            assert rules.board(view, rules.words).strip()
            if hasattr(view, "hand"):
                assert isinstance(rules.hand(view, rules.words), str)
        rules.over(state)
        rules.standings(state)
        rules.playing(state)
        twin = rules.resample(state, chance.below(table.header.seats), Chance(b"twin"))
    assert not changeable(twin) & changeable(state)
    assert (encode(state), table._chance.n) == (before, n)


def acts_of(table: Table, seat: int) -> list[Any]:
    """The acts without their flows."""
    return [(act.name, act.fields, act.harmless, dict(act.args)) for act in table.acts(seat)]


def check_views(table: Table) -> None:
    """A view holds view types only, and nothing of it is part of the state."""
    view_type, of_state = type(table.view(None)), changeable(table.state)
    assert view_type is not table.rules.state
    for viewer in (None, *range(table.header.seats)):
        view = table.view(viewer)
        assert type(view) is view_type
        for thing in inside(view):
            assert isinstance(thing, (tuple, dict, msgspec.Struct)), type(thing)
            assert not isinstance(thing, table.rules.state)
            assert not isinstance(thing, msgspec.Struct) or type(thing).__struct_config__.frozen, type(thing)
        assert not changeable(view) & of_state
        assert msgspec.msgpack.decode(encode(view), type=view_type) == view


def check_answers(table: Table, chance: Chance) -> None:
    """Safe answers and every bot's are legal; answers are read back from their notation."""
    for seat, question in table.asked.items():
        decision = Decision(seat, table.view(seat), question)
        answers = [table.rules.safe(question), random_player(decision, chance)]
        answers += [bot_player(table.rules, level)(decision, chance) for level in table.rules.bots]
        for answer in answers:
            assert question.check(answer) == answer
            assert read(question, write(question, answer)) == answer


def check_words(table: Table) -> None:
    """Every question, option and act can be told."""
    words: Words = table.rules.words
    for question in table.asked.values():
        assert f"ask.{question.key}" in words, question.key
        assert complete(words.question(question))
        assert all(f"window.{name}" in words for name in question.windows), question.windows
        check_options(words, question)
    for seat in range(table.header.seats):
        for act in table.acts(seat):
            assert f"act.{act.name}" in words, act.name
            for field in act.fields:
                assert f"ask.{field.key}" in words, field.key
                check_options(words, field)


def check_options(words: Words, question: Question) -> None:
    for option in question.options:
        label = words.option(question, option)
        assert complete(label), (question.key, option.id)
        known = option.words or f"{question.key}.{option.id}", f"option.{option.id}"
        says_it = not option.words and (option.place is not None or is_number(option.id))
        assert says_it or any(key in words for key in known), (question.key, option.id)
        assert option.id != SKIP or option.words
    labels = [words.option(question, option) for option in question.options]
    assert len(set(labels)) == len(labels), (question.key, labels)


def check_event(words: Words, event: Event) -> None:
    """The event can be told."""
    if event.kind not in ENGINE_EVENTS:
        assert f"event.{event.kind}" in words, event.kind
        assert complete(words.event(event)), event


def check_copy(table: Table, chance: Chance) -> None:
    """What happens to a copy does not happen to the table."""
    was, log = stands(table), len(table.log)
    twin = table.copy()
    assert stands(twin) == was
    for _ in range(3):
        if not twin.over:
            seat = next(iter(twin.asked))
            twin.answer(seat, random_player(Decision(seat, twin.view(seat), twin.asked[seat]), chance))
    assert (stands(table), len(table.log), table._chance.draws) == (was, log, [])


def inside(thing: Any) -> Iterator[Any]:
    """The thing and everything it is made of, without plain values."""
    todo = [thing]
    while todo:
        thing = todo.pop()
        yield thing
        if isinstance(thing, msgspec.Struct):
            parts = [getattr(thing, name) for name in thing.__struct_fields__]
        elif isinstance(thing, dict):
            parts = [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple):
            parts = list(thing)
        else:
            continue
        todo += [part for part in parts if type(part) not in PLAIN]


def changeable(whole: Any) -> set[int]:
    """Which objects in it can be changed."""
    return {
        id(thing)
        for thing in inside(whole)
        if isinstance(thing, list | dict | msgspec.Struct)
        and not (isinstance(thing, msgspec.Struct) and type(thing).__struct_config__.frozen)
    }


def complete(text: str) -> bool:
    """Whether every argument of a text was filled in."""
    return bool(text.strip()) and "{" not in text


def is_number(id: str) -> bool:
    """Whether the id speaks for itself."""
    return id.lstrip("-").isdigit()
