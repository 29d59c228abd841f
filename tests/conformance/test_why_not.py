"""Whatever somebody wanted that cannot be: the reason is in words, names the rulebook's chapter, and gives nothing away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from rules import GAMES, rules_of
from rules.engine import Chance, Illegal, Line, Question, Rules, Table, encode, random_player
from rules.engine.rules import Decision
from rules.why_not import ACT, chapter, explained, explained_act

from .cases import DEEP, plain_case

every_game = pytest.mark.parametrize("rules", [rules_of(key) for key in GAMES], ids=list(GAMES))
STEPS = 160
GAMES_EACH = 3


def moments(rules: Rules[Any, Any, Any], seed: str, seats: int) -> Iterator[tuple[Table, int, Question]]:
    """Random play, moment by moment."""
    table, chance = plain_case(rules, seats).start(seed), Chance(seed.encode())
    shunned = {(id,) for id in DEEP.get(rules.key, ({}, ()))[1]}
    for _ in range(STEPS):
        if table.over:
            return
        seat, question = next((s, q) for s, q in table.asked.items() if s not in table.sealed)
        yield table, seat, question
        answer = random_player(Decision(seat, None, question), chance)
        while answer in shunned:
            answer = random_player(Decision(seat, None, question), chance)
        table.answer(seat, answer)


def vocabulary(rules: Rules[Any, Any, Any]) -> list[str]:
    """What somebody may write: ids and names of all there is, seats, numbers, and nonsense."""
    kinds = ("card", "unit", "action", "move", "profession", "place", "option", "race")
    named = [(key.partition(".")[2], text) for key, text in rules.words.texts.items() if key.partition(".")[0] in kinds]
    plain = [word for pair in named for word in pair if "{" not in word]
    return [*dict.fromkeys(plain), *map(str, range(-1, 8)), "99", "skip", "back", "pay", "C.0", "c.c", "?", "", "x.y.z"]


@every_game
def test_reasons_are_words_and_change_nothing(rules: Rules[Any, Any, Any]) -> None:
    told: set[str] = set()
    words, wanted = rules.words, vocabulary(rules)
    for n in range(GAMES_EACH):
        chance = Chance(f"wanted{n}".encode())
        for table, seat, question in moments(rules, f"why/{n}", rules.seats[n % 2]):
            before = encode(table.state)
            ids = [o.id for o in question.options]
            for word in {*chance.shuffled(wanted)[:40], *seen(question.key, ids)} - {*ids}:
                found = rules.why_not(table.state, seat, question, word)
                if found is None:
                    continue
                key, args = found
                assert key in words, key
                text = words.say(key, args)
                assert not re.search(r"[{}]|_|\bNone\b", text), (question.key, word, text)
                told.add(key)
            assert encode(table.state) == before
    assert len(told) > 8, f"hardly any condition is told: {sorted(told)}"


_seen: dict[str, dict[str, None]] = {}


def seen(key: str, ids: list[str]) -> dict[str, None]:
    """What was to be chosen at such questions so far."""
    known = _seen.setdefault(key, {})
    known.update(dict.fromkeys(ids))
    return known


@every_game
def test_every_question_and_every_reason_has_its_chapter(rules: Rules[Any, Any, Any]) -> None:
    keys = {question.key for n in range(GAMES_EACH) for _, _, question in moments(rules, f"why/{n}", rules.seats[0])}
    keys |= {key.removeprefix("ask.") for key in rules.words.texts if key.startswith("ask.")}
    assert [key for key in sorted(keys) if not chapter(rules.words, key) and not key.startswith("trade.")] == []
    named = [key.removeprefix("chapters.") for key in rules.words.texts if key.startswith("chapters.why.")]
    assert [key for key in named if key not in rules.words] == [], "a chapter of a reason that there is not"


@every_game
def test_a_refused_answer_names_its_chapter(rules: Rules[Any, Any, Any]) -> None:
    for table, seat, question in moments(rules, "why/0", rules.seats[0]):
        with pytest.raises(Illegal) as refused:
            table.answer(seat, ("nonsense",))
        why = explained(table, seat, question, refused.value)
        assert why.args_["chapter"] == chapter(rules.words, why.key, question.key)
        if question.least == question.most and len(question.options) > 1:
            with pytest.raises(Illegal) as refused:
                question.check(tuple(o.id for o in question.options if o.id != "skip" for _ in range(o.count)) * 2)
            assert explained(table, seat, question, refused.value).args_["chapter"]
    act = explained_act(table, 0, "nonsense", Illegal("engine.no_such_act", act="nonsense"))
    assert act.key == "engine.no_such_act"
    assert act.args_.get("chapter", "") == chapter(rules.words, f"{ACT}.nonsense")


@every_game
def test_reasons_tell_nothing_that_the_seat_does_not_know(rules: Rules[Any, Any, Any]) -> None:
    """Twins that differ only in what the seat cannot know give the same reasons."""
    wanted = vocabulary(rules)
    compared = 0
    for n in range(GAMES_EACH):
        for at, (table, seat, question) in enumerate(moments(rules, f"twin/{n}", rules.seats[0])):
            if at % 5:
                continue
            twin = rules.resample(table.state, seat, Chance(f"{n}/{at}".encode()))
            compared += encode(twin) != encode(table.state)
            for word in (*wanted, *seen(question.key, [])):
                one, other = (rules.why_not(state, seat, question, word) for state in (table.state, twin))
                assert one == other, (question.key, word)
    assert compared > 10


def test_a_line_tells_where_it_fails() -> None:
    """The reason is that of the moment which the line has come to, not of its beginning."""
    rules = rules_of(next(iter(GAMES)))
    for table, seat, question in moments(rules, "why/0", 2):
        if question.key == "action" and "move" in [option.id for option in question.options]:
            line = Line(table, seat)
            line.answer(("move",))
            assert line.question is not None
            assert line.copy.asked[seat] == line.question != table.asked[seat]
            return
    pytest.fail("nobody could move")
