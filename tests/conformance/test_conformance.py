"""Random legal play of every game to its end, with everything checked that must hold for every game."""

from __future__ import annotations

from typing import Any

import pytest

from rules.bots import bot_player, play_out
from rules.engine import Answer, Chance, Decision, Illegal, Question, Rules, Table, encode, random_player
from rules.verify import export, read_export, verify
from rules.what_if import load
from tests.rules.engine.helpers import do_an_act, reopened, stands

from .cases import DEEP, EVERY, LONGEST, RULES, Case, every_case, every_deep_case, every_game, plain_case, some, values
from .checks import check_event, check_moment

KEPT = 200


def play(case: Case, seed: str, *, every: int = EVERY, undo: bool = False, shunned: tuple[str, ...] = ()) -> Table:
    """A whole game of random answers and acts, checked at every `every`-th step; some options are `shunned`."""
    table, chance = case.start(seed), Chance(seed.encode())
    rules, step = case.rules, 0
    totals = getattr(rules, "totals", None)
    kept = totals(table.state) if totals else None
    while not table.over:
        step += 1
        assert step < LONGEST, "the game does not end"
        if step % every == 0:
            check_moment(table, chance)
        seat = chance.below(case.seats)
        seen = table.length
        try:
            if undo and chance.below(9) == 0:
                there_and_back(table, seat, chance)
            elif chance.below(8) == 0:
                do_an_act(table, seat, chance)
            else:
                seat = chance.pick(list(table.asked))
                before = stands(table) if step % every == 0 else None
                decision = Decision(seat, table.view(seat), table.asked[seat])
                answer = random_player(decision, chance)
                while len(decision.question.options) > 1 and is_shunned(decision.question, answer, shunned):
                    answer = random_player(decision, chance)
                change = table.answer(seat, answer)
                assert before is None or stands(table) != before
                for event in change.events:
                    check_event(rules.words, event)
        except Illegal:
            assert table.length == seen
        if totals:
            assert totals(table.state) == kept
    check_moment(table, chance)
    return table


def is_shunned(question: Question, answer: Answer, shunned: tuple[str, ...]) -> bool:
    """Whether the answer holds an option that is shunned, everywhere or in this question."""
    return any(option in shunned or f"{question.key}={option}" in shunned for option in answer)


def there_and_back(table: Table, seat: int, chance: Chance) -> None:
    """Undo some steps; if it can be done, redo them, and half the time undo them once more."""
    was = encode(table.state)
    everybody = list(range(table.header.seats))
    to = table.step_back(chance.roll())
    plan = table.plan_undo(seat, to)
    table.undo(seat, to, everybody)
    assert stands(reopened(table)) == stands(table)
    if plan.owners or plan.redraws:
        with pytest.raises(Illegal):
            table.redo(seat)
        return
    table.redo(seat)
    assert encode(table.state) == was
    assert stands(reopened(table)) == stands(table)
    if chance.below(2):
        table.undo(seat, to, everybody)


@every_deep_case
def test_deep_play(case: Case) -> None:
    table = play(case, f"deep/{case.name}", every=5 * EVERY, shunned=DEEP[case.rules.key][1])
    assert table.length > 100


@every_case
@some
def test_random_play(case: Case, seed: int) -> None:
    table = play(case, f"{case.name}/{seed}")
    standings = table.standings()
    assert sorted(standing.seat for standing in standings) == list(range(case.seats))
    assert [standing.rank for standing in standings] == sorted(standing.rank for standing in standings)
    assert standings[0].rank == 1
    assert all(standing.rank == 1 for standing in standings if standing.winner)
    again = verify(read_export(export(table)), case.rules, table.header.commitment)
    assert stands(again)[0] == stands(table)[0]


@every_game
@some
def test_undo_and_redo_walks(rules: Rules[Any, Any, Any], seed: int) -> None:
    for seats in (None, max(rules.seats)):
        fitting = [case for case in [plain_case(rules)] if seats in (None, case.seats)]
        for case in fitting or [plain_case(rules)]:
            table = play(case, f"undo/{seats}/{seed}", every=EVERY * 2, undo=True)
            verify(read_export(export(table)), rules)


@every_game
@some
def test_bots_play_whole_games(rules: Rules[Any, Any, Any], seed: int) -> None:
    case = plain_case(rules)
    for level in ("random", "policy", *rules.bots):
        table = case.start(f"{level}/{seed}")
        play_out(table, [level] * case.seats, Chance(b"bots"), limit=LONGEST)
        assert table.over
        assert table.log == verify(read_export(export(table)), rules).log


@every_game
def test_the_same_answers_lead_to_the_same_game(rules: Rules[Any, Any, Any]) -> None:
    def log() -> list[bytes]:
        table = plain_case(rules).start("same")
        play_out(table, ["random"] * table.header.seats, Chance(b"same"), limit=200)
        return [encode(record) for record in table.log]

    assert log() == log()


@every_game
def test_flows_keep_no_part_of_the_state(rules: Rules[Any, Any, Any]) -> None:
    """What a flow still holds of the state when it asks may be out of date when it is answered: law 2."""
    players = [bot_player(rules, "policy"), bot_player(rules, "random")]
    for seed in range(3):
        chance, case = Chance(b"%d" % seed), plain_case(rules)
        table, other = (case.start(f"kept/{seed}") for _ in "ab")
        for _ in range(KEPT):
            if table.over:
                break
            seat = chance.pick([seat for seat in table.asked if seat not in table.sealed])
            question = table.asked[seat]
            answer = players[seat % 2](Decision(seat, table.view(seat), question), chance)
            load(other._game, encode(other.state))  # all its parts are others from now on
            for each in (table, other):
                each.answer(seat, answer)
            assert encode(other.state) == encode(table.state), question.key
            assert other.asked == table.asked, question.key


@every_game
def test_what_is_declared(rules: Rules[Any, Any, Any]) -> None:
    assert rules.key.isidentifier()
    assert rules.title
    assert min(rules.seats) >= 1
    assert rules.version >= 1
    assert all(version in rules.upgraders for version in range(1, rules.version))
    rules.options()
    for name, others in values(rules):
        assert any(Case(rules, seats, {name: value}).allowed() for seats in rules.seats for value in others), (
            f"{name} can never be chosen"
        )
    for seats in (min(rules.seats) - 1, max(rules.seats) + 1):
        assert rules.problems(rules.options(), seats)
        with pytest.raises(Illegal):
            Table.start(rules, seats=seats, secret=b"s" * 32)
    assert len({colour.id for colour in rules.colours}) == len(rules.colours)
    assert not rules.colours or len(rules.colours) >= max(rules.seats)


@every_game
def test_wishes_for_colours_are_kept_where_they_can_be(rules: Rules[Any, Any, Any]) -> None:
    case = plain_case(rules)

    def dealt(*wishes: str) -> list[str]:
        table, _ = Table.start(rules, seats=case.seats, secret=b"s" * 32, wishes=wishes)
        return [rules.colour(table.view(None), seat) for seat in range(case.seats)]

    first = dealt()[0]
    for wishes in (["", first], [first], [first] * case.seats):
        given = dealt(*wishes, *[""] * (case.seats - len(wishes)))
        assert not rules.colours or len(set(given)) == case.seats
        assert given[wishes.index(first)] == first or wishes.count(first) > 1
        assert first in given


def test_every_game_is_here() -> None:
    from rules import GAMES

    assert [rules.key for rules in RULES[1:]] == list(GAMES)
