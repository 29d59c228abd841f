"""Piles: bags without order, drawn from by chance."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Chance, Pile, ScriptedChance

moves = st.lists(st.tuples(st.sampled_from(["draw", "top", "below", "shuffle"]), st.sampled_from("abc")), max_size=40)


@given(st.lists(st.sampled_from("abc")), moves, st.binary(min_size=1, max_size=4))
def test_no_card_is_lost_or_made(cards: list[str], moves: list[tuple[str, str]], seed: bytes) -> None:
    pile, chance = Pile.of(cards), Chance(seed)
    left = Counter(cards)
    for move, card in moves:
        if move == "draw":
            drawn = pile.draw(chance)
            assert (drawn is None) == (not +left)
            if drawn is not None:
                left[drawn] -= 1
        else:
            left[card] += 1
            if move == "top":
                pile.put_on_top(card)
            elif move == "below":
                pile.put_below(card)
            else:
                pile.shuffle_in([card])
        assert pile.counts() == dict(sorted((+left).items()))
        assert len(pile) == left.total()
        assert all(pile.layers)


def test_known_cards_come_without_chance_in_their_place() -> None:
    pile, chance = Pile.of("aabb"), ScriptedChance([0, 0, 0])
    pile.put_on_top("x")
    pile.put_on_top("y")
    pile.put_below("z")
    assert [pile.draw(chance) for _ in range(2)] == ["y", "x"]
    assert chance.n == 0
    assert [pile.draw(chance) for _ in range(6)] == ["a", "a", "b", "b", "z", None]
    assert chance.n == 3  # the last card of a bag is no choice


def test_each_card_is_as_likely() -> None:
    chance = Chance(b"pile")
    drawn = Counter(Pile.of("aaab").draw(chance) for _ in range(4000))
    assert 2850 < drawn["a"] < 3150


def test_shuffling_in_forgets_what_was_known() -> None:
    pile = Pile.of("ab")
    pile.put_on_top("b")
    pile.shuffle_in("c")
    assert pile.layers == [{"a": 1, "b": 2, "c": 1}]
    assert Pile.of("").layers == []


@given(st.lists(st.sampled_from("abcd")))
def test_a_bag_has_no_order(cards: list[str]) -> None:
    one, other = Pile.of(cards), Pile.of(reversed(cards))
    assert msgspec.msgpack.encode(one) == msgspec.msgpack.encode(other)
    assert [one.draw(Chance(b"x")) for _ in cards[:1]] == [other.draw(Chance(b"x")) for _ in cards[:1]]
