"""What-if, on every game: the clone looks to its seat as the true game does, plays on, and knows nothing more."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from rules import GAMES, rules_of
from rules.engine import Chance, Illegal, Table, encode, random_player
from rules.engine.rules import Decision
from rules.what_if import WhatIf, clone

from .toy import RULES as LANTERNS

RULES = [LANTERNS, *(rules_of(key) for key in GAMES)]
GAME = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.key)
SEED = b"what if all of this were not so?"


def started(rules, seed: int = 1) -> Table:
    return Table.start(rules, seats=max(rules.seats[0], 3), secret=bytes([seed]) * 32)[0]


def stroll(table: Table, chance: Chance, steps: int) -> Iterator[Table]:
    """Random play; the table after each step."""
    for _ in range(steps):
        if table.over:
            return
        seat = chance.pick([seat for seat in table.asked if seat not in table.sealed])
        answer = random_player(Decision(seat, None, table.asked[seat]), chance)
        if "surrender" not in answer:
            table.answer(seat, answer)
        yield table


@GAME
def test_the_clone_looks_like_the_true_game_and_goes_on(rules):
    chance, there, began = Chance(b"stroll"), 0, 0
    for n, table in enumerate(stroll(started(rules), chance, 150)):
        if n % 9 or table.over:
            continue
        before = encode(table.position())
        for seat in range(table.header.seats):
            tried = WhatIf(table.copy(), seat, SEED)
            began += 1
            if tried.there:
                there += 1
                assert encode(tried.table.view(seat)) == encode(table.view(seat))
                assert set(tried.table.asked) == set(table.asked)
                assert tried.table.asked.get(seat) == table.asked.get(seat)
            for _ in range(3):
                if not tried.advance() or tried.table.over:
                    break
                asked = tried.asked
                tried.answer(asked, random_player(Decision(asked, None, tried.table.asked[asked]), chance))
            assert tried.table.secret != table.secret
            assert tried.table._chance.seed != table._chance.seed
        assert encode(table.position()) == before, "a trace in the true game"
    assert there > 0.9 * began, f"{there} of {began} began where the game stands"


def twins(rules, viewer: int, seed: int) -> tuple[Table, Table]:
    """Two games whose true states look the same to the viewer."""
    chance, starts = Chance(b"twins%d" % seed), 0
    for table in stroll(started(rules, seed), chance, 10**6):
        starts += not table.tail
        if starts == 2 * seed:
            break
    stored = table._read(table.checkpoints[table.base]).state
    one = msgspec.msgpack.decode(stored, type=rules.state)
    two = rules.resample(one, viewer, chance)
    return Table.at(rules, one, Chance(b"same")), Table.at(rules, two, Chance(b"same"))


def alike(pair: tuple[Table, Table], viewer: int) -> bool:
    """Whether the viewer sees no difference."""
    seen = [[encode(table.view(viewer)), list(table.asked), table.asked.get(viewer)] for table in pair]
    return seen[0] == seen[1]


@GAME
def test_twins_cannot_be_told_apart_by_what_if(rules):
    compared = differing = there = 0
    for seed in range(1, 7):
        for viewer in range(2):
            pair = twins(rules, viewer, seed)
            for n in range(25):
                if pair[0].over or not alike(pair, viewer):
                    break
                differing += encode(pair[0].state) != encode(pair[1].state)
                made = [clone(table.copy(), viewer, SEED) for table in pair]
                assert made[0][1] == made[1][1]
                there += made[0][1]
                assert encode(made[0][0].state) == encode(made[1][0].state)
                for _ in stroll(made[0][0], Chance(b"%d" % n), 12):
                    pass
                for _ in stroll(made[1][0], Chance(b"%d" % n), 12):
                    pass
                assert encode(made[0][0].state) == encode(made[1][0].state), "what lies in a flow tells them apart"
                compared += 1
                seat = next(seat for seat in pair[0].asked if seat not in pair[0].sealed)
                changes = [table.answer(seat, chosen(table, seat)) for table in pair]
                told = [[event for event in change.events if event.seen_by(viewer)] for change in changes]
                if told[0] != told[1]:
                    break
    print(compared, differing, there)
    assert compared >= 20
    assert min(differing, there) > compared / 3


def chosen(table: Table, seat: int):
    """The same answer in both, if it was public."""
    question = table.asked[seat]
    if question.private:
        return table.rules.safe(question)
    answer = random_player(Decision(seat, None, question), Chance(b"%d" % table.length))
    return table.rules.safe(question) if "surrender" in answer else answer


def test_a_clone_that_knows_the_true_state_is_found(monkeypatch):
    monkeypatch.setattr("rules.what_if.Builder.resampled", lambda self, state: state)
    with pytest.raises(AssertionError):
        test_twins_cannot_be_told_apart_by_what_if(LANTERNS)


def test_undo_goes_back_to_the_last_own_answer():
    rules = rules_of("struggle_for_the_throne")
    for table in stroll(started(rules), Chance(b"undo"), 200):
        if [q.key for q in table.asked.values()] == ["action"]:
            break
    seat = next(iter(table.asked))
    tried = WhatIf(table.copy(), seat, SEED)
    before = encode(tried.table.view(seat))
    with pytest.raises(Illegal):
        tried.undo()
    tried.answer(seat, ("end",))
    tried.advance()
    assert tried.events
    assert tried.line() == [("action", ("end",))]
    tried.undo()
    assert encode(tried.table.view(seat)) == before
    assert not tried.events
    assert tried.line() == []


def test_one_who_plays_alone_is_asked_for_all():
    table = started(LANTERNS)
    tried = WhatIf(table.copy(), 1, SEED)
    assert tried.asked == 1
    tried.answer(1, (tried.table.asked[1].options[0].id,))
    assert tried.asked is None
    tried.alone = True
    assert tried.asked == 0
