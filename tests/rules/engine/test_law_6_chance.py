"""Law 6: chance is committed to, drawn by HMAC with rejection, logged, and verified with and without the rules."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import Chance, Draw, Illegal, ScriptedChance, Table, commitment
from rules.engine.chance import mix, value
from rules.verify import export, read_export, verify
from tests.rules.toy import RULES
from tests.rules.toy import Options as ToyOptions

from .helpers import SECRET, toy, wander


@given(st.binary(min_size=1, max_size=40), st.integers(0, 9), st.integers(0, 999), st.integers(1, 2**64))
def test_a_draw_is_the_first_number_inside_a_whole_multiple(seed: bytes, epoch: int, n: int, below: int) -> None:
    limit = 2**64 // below * below
    k = 0
    while True:
        number = int.from_bytes(hmac.new(seed, f"{epoch}/{n}/{k}".encode(), hashlib.sha256).digest()[:8], "big")
        if number < limit:
            break
        k += 1
    assert value(seed, epoch, n, below) == number % below


@pytest.mark.parametrize("below", [0, -1, 2**64 + 1])
def test_impossible_ranges_are_refused(below: int) -> None:
    with pytest.raises(ValueError, match="below"):
        value(b"seed", 0, 0, below)


def test_a_die_is_fair() -> None:
    chance = Chance(b"fair")
    counts = Counter(chance.roll() for _ in range(12_000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert sum((n - 2000) ** 2 / 2000 for n in counts.values()) < 25  # chi-square, 5 degrees: p < 0.0002


def test_rejection_keeps_wide_ranges_even() -> None:
    below = (
        2**63 + 2**62
    )  # a quarter of all numbers is rejected; without that the lower third would come twice as often
    low = sum(value(b"wide", 0, n, below) < below // 3 for n in range(3000))
    assert 900 < low < 1100


def test_shuffles_and_picks_are_even() -> None:
    chance = Chance(b"shuffle")
    counts = Counter("".join(chance.shuffled("abc")) for _ in range(3000))
    assert len(counts) == 6
    assert min(counts.values()) > 400
    assert Counter(chance.pick("xy") for _ in range(1000)).most_common()[0][1] < 560


def test_every_draw_is_noted_and_numbered() -> None:
    chance = Chance(b"seed", 3, 5)
    results = [chance.below(10), chance.roll(6) - 1]
    assert chance.draws == [Draw(3, 5, 10, results[0]), Draw(3, 6, 6, results[1])]
    assert (chance.epoch, chance.n) == (3, 7)


def test_locked_chance_cannot_be_drawn_not_even_when_scripted() -> None:
    for chance in (Chance(b"seed"), ScriptedChance([0])):
        with chance.locked(), pytest.raises(RuntimeError), chance.locked():
            chance.roll()
        with chance.locked(), pytest.raises(RuntimeError):
            chance.roll()
        assert chance.draws == []
        chance.roll()


def test_scripted_chance() -> None:
    chance = ScriptedChance([2, 0, 9])
    assert (chance.roll(), chance.below(1)) == (3, 0)
    with pytest.raises(ValueError, match="scripted"):
        chance.roll()


def test_the_seed_needs_the_secret_and_every_salt() -> None:
    seeds = {mix(b"a", ["1", "2"]), mix(b"a", ["2", "1"]), mix(b"b", ["1", "2"]), mix(b"a", ["1", "3"])}
    assert len(seeds) == 4
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_draws_of_the_log_follow_from_the_seed() -> None:
    table = toy()
    wander(table, Chance(b"log"), 60)
    seed = mix(SECRET, table.header.salts)
    draws = [draw for record in table.log for draw in record.draws]
    assert len(draws) > 10
    for draw in draws:
        assert value(seed, draw.epoch, draw.n, draw.range) == draw.result


def test_a_refused_start_draws_nothing() -> None:
    with pytest.raises(Illegal, match="seats"):
        Table.start(RULES, ToyOptions(), seats=9, secret=SECRET)


@pytest.mark.parametrize("seed", range(20))
def test_finished_games_are_verified(seed: int) -> None:
    table = toy(secret=bytes([seed]) * 32)
    wander(table, Chance(b"verify%d" % seed))
    finished = read_export(export(table))
    again = verify(finished, RULES, table.header.commitment)
    assert again.log == table.log
    assert again.standings() == table.standings()
