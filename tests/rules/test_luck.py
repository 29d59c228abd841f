"""Luck: dice and cards against what could be expected, and that the games say what is luck in them."""

from __future__ import annotations

from typing import Any

import pytest

from rules import GAMES, luck, rules_of
from rules.bots import play_out
from rules.engine import Answer, Chance, Change, Draw, Event, Rules, Table
from rules.luck import Cards, Dice

LUCK = {
    "fought": (Dice("seat", "dice"), Dice("rival", "theirs", 10)),
    "drew": (Cards("seat", "cards"),),
    "took": (Cards("seat", "card"),),
}


def test_dice_against_their_mean() -> None:
    events = [
        Event("fought", {"seat": 1, "dice": ("6", "5"), "rival": 0, "theirs": 1}),
        Event("fought", {"seat": 1, "dice": (4, 5), "rival": "ancient", "theirs": 10}),
        Event("other", {"seat": 1, "dice": (6,)}),
    ]
    low, high = luck.rolled(LUCK, events)
    assert (low.seat, low.dice, low.total, low.expected) == (0, 1, 1, 5.5)
    assert (high.seat, high.dice, high.total, high.expected) == (1, 4, 20, 14.0)
    assert low.above < 0.1
    assert high.above == pytest.approx(0.9605, abs=0.0005)  # 6 above the mean, a sigma of sqrt(4 * 35 / 12)


def test_average_dice_are_in_the_middle() -> None:
    (found,) = luck.rolled(LUCK, [Event("fought", {"seat": 0, "dice": tuple(range(1, 7)), "rival": None})])
    assert found.above == 0.5


def test_cards_against_an_equal_share() -> None:
    events = [
        Event("drew", {"seat": 0, "cards": ("3.sword", "shield")}),
        Event("drew", {"seat": 1, "cards": ("sword", "3.shield")}),
        Event("took", {"seat": 1, "card": "x.y"}),
    ]
    found = {(drew.seat, drew.kind): (drew.got, drew.expected) for drew in luck.drew(LUCK, events)}
    assert found[0, "sword"] == (3, pytest.approx(4 * 4 / 9))
    assert found[1, "sword"] == (1, pytest.approx(4 * 5 / 9))
    assert found[0, "x.y"] == (0, pytest.approx(4 / 9))
    for kind in ("sword", "shield", "x.y"):
        assert sum(found[seat, kind][0] for seat in (0, 1)) == pytest.approx(sum(found[s, kind][1] for s in (0, 1)))


def test_the_evenness_of_all_draws() -> None:
    chance = Chance(b"seed")
    for n in range(4000):
        chance.below(1 + n % 12)
    mean, margin = luck.evenness(chance.draws)
    assert abs(mean - 0.5) < margin < 0.02
    assert luck.evenness([Draw(0, n, 6, 5) for n in range(100)])[0] == 1.0
    assert luck.evenness([Draw(0, 0, 1, 0)]) == (0.5, 0.0)


def told(rules: Rules[Any, Any, Any], secret: bytes) -> list[Event]:
    """The events of a game of bot players."""
    table, change = Table.start(rules, seats=rules.seats[0], secret=secret)
    events, answer = list(change.events), table.answer

    def heard(seat: int, given: Answer) -> Change:
        change = answer(seat, given)
        events.extend(change.events)
        return change

    table.answer = heard  # type: ignore[method-assign]
    play_out(table, ["policy"] * rules.seats[0], Chance(secret), limit=1500)
    return events


@pytest.mark.parametrize("key", GAMES)
def test_what_a_game_says_is_luck_is_there(key: str) -> None:
    """Every dice and every card that it names are found in its events, and as many dice as were drawn."""
    rules, declared = rules_of(key), luck.declared(rules_of(key))
    assert declared
    events = [event for seed in range(3) for event in told(rules, bytes([seed]) * 32)]
    for kind, chances in declared.items():
        found = [event for event in events if event.kind == kind]
        if kind in ("combat.missiles", "population.cannons"):
            continue  # rare
        assert found, kind
        for event in found:
            assert all(chance.seat in event.args and chance.got in event.args for chance in chances)
    dice = [chance for chances in declared.values() for chance in chances if isinstance(chance, Dice)]
    rolled = luck.rolled(declared, events)
    assert bool(rolled) == bool(dice)
    assert all(one.dice <= one.total <= 6 * one.dice for one in rolled)
    drew = luck.drew(declared, events)
    if any(isinstance(chance, Cards) for chances in declared.values() for chance in chances):
        assert drew
        assert all(f"card.{one.kind}" in rules.words for one in drew)
