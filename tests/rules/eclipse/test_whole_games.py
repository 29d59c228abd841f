"""Whole games: what must hold at every step, that they end, that everything has words, how fast it goes.

ECLIPSE_GAMES sets how many random games are played for each number of players (1,000 in the long test)."""

import os
import re
import time

import msgspec
import pytest

from rules.bots import play_out
from rules.eclipse import RULES
from rules.eclipse.options import Options
from rules.eclipse.state import State
from rules.engine.chance import Chance
from rules.engine.log import encode
from rules.engine.questions import SKIP
from rules.engine.rules import Decision
from rules.engine.table import Table

from .walks import check_components, lasting, start, step

GAMES = int(os.environ.get("ECLIPSE_GAMES", "20"))
RAW = re.compile(r"[{}]|[a-z]_[a-z]|\b(event|ask|option|species|technology|part|ship|hex|action)\.[a-z]")
LABEL_LIMIT = 60
ASKED_ANYWAY = ("explore.place", "move.to", "diplomacy.return")
"""What is asked with a single option, too (ruling 8)."""
BOARD_LIMIT = 7000
DECISIONS_A_SECOND = 3000
OPENING = 0.010


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_end(seats: int) -> None:
    for seed in range(GAMES):
        table = start(seats, seed)
        play_out(table, ["random"] * seats, Chance(b"%d" % seed), limit=20_000)
        assert table.over, (seats, seed)


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("options", [Options(), Options("terrans", "random"), Options("no_draco_planta")])
def test_lasting_games_lose_no_component(seats: int, options: Options) -> None:
    """Players who keep house reach the ninth round; all the while nothing is lost or multiplied."""
    rounds = []
    for seed in range(max(1, GAMES // 20)):
        table, chance = start(seats, seed, options), Chance(b"%d" % seed)
        while not table.over:
            step(table, chance, acts=True)
            check_components(table)
        rounds.append(table.state.round)
    assert max(rounds) == 9


def test_games_of_the_bot_player_lose_no_component_either() -> None:
    """With battles, reputation and relations; one answer in twelve is a random one."""
    table, chance, met = start(4, 100), Chance(b"bots"), set()
    while not table.over:
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        question = table.asked[seat]
        bold = chance.below(12) == 0
        player = RULES.bots["policy"]
        decision = Decision(seat, table.view(seat), question)
        answer = lasting(seat, question, chance) if bold else player(decision, chance)
        met |= {event.kind for event in table.answer(seat, answer).events}
        check_components(table)
    assert {"combat.destroyed", "reputation.kept", "influence.placed", "discovery.found"} <= met


def shown(text: str, key: str) -> None:
    assert text.strip(), key
    assert not RAW.search(text), (key, text)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_everything_has_words(seats: int) -> None:
    words, chance = RULES.words, Chance(b"words")
    table, met = start(seats, seats), set()
    while not table.over:
        for asked in table.asked.values():
            shown(words.question(asked), asked.key)
            assert f"step.{asked.key}" in words, asked.key
            assert asked.private == (f"public.{asked.key}" in words), asked.key
            assert len(asked.options) > 1 or asked.key in ASKED_ANYWAY, asked.key
            assert asked.check(RULES.safe(asked)) == RULES.safe(asked)
            for option in asked.options:
                label = words.option(asked, option)
                shown(label, f"{asked.key} {option.id}")
                assert len(label) <= LABEL_LIMIT, label
            met.add(asked.key)
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        for event in table.answer(seat, lasting(seat, table.asked[seat], chance)).events:
            shown(words.event(event), event.kind)
        if table.length % 25 == 0:
            for viewer in (None, *range(seats)):
                board = RULES.board(table.view(viewer), words)
                shown(board, "board")
                assert len(board) < BOARD_LIMIT
    assert len(met) > 20


def test_a_decoded_state_lists_its_hexes_and_ships_in_the_same_order() -> None:
    table, chance = start(4, 3), Chance(b"order")
    while not table.over:
        step(table, chance)
        live: State = table.state
        stored = msgspec.msgpack.decode(encode(live), type=State)
        if live.phase != "beginning":
            assert list(live.hexes) == list(stored.hexes)
            assert list(live.supply) == list(stored.supply)
            for place, hex_ in live.hexes.items():
                assert [list(one.ships) for one in hex_.fleets] == [
                    list(one.ships) for one in stored.hexes[place].fleets
                ]
            assert encode(RULES.view(live, 0)) == encode(RULES.view(stored, 0))


def test_safe_answers_alone_play_a_game_to_its_end() -> None:
    table = start(3, 1)
    while not table.over:
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        table.answer(seat, RULES.safe(table.asked[seat]))
    assert table.state.round == 9
    assert not any(board.out for board in table.state.boards)


def test_a_reaction_is_only_ever_declined_by_skip() -> None:
    table, chance, seen = start(3, 2), Chance(b"skip"), 0
    while not table.over:
        for question in table.asked.values():
            if question.key == "reaction.choose":
                seen += 1
                assert question.options[-1].id == SKIP
                assert len(question.options) > 1, "nobody is asked who cannot do anything"
        step(table, chance)
    assert seen


def busy(seats: int, seed: int) -> tuple[int, float]:
    """Decisions of a lasting game and the processor's seconds for them."""
    table, chance, decisions = start(seats, seed), Chance(b"busy"), 0
    begun = time.process_time()
    while not table.over:
        step(table, chance)
        chance.draws.clear()
        decisions += 1
    return decisions, time.process_time() - begun


def test_speed() -> None:
    decisions, seconds = map(sum, zip(*(busy(6, seed) for seed in range(3)), strict=True))
    assert decisions / seconds > DECISIONS_A_SECOND, decisions / seconds


def test_opening_a_late_game() -> None:
    table, chance = start(6, 7), Chance(b"late")
    while table.state.round < 9 or len(table.tail) < 4:
        step(table, chance)
        assert not table.over
    position, stored, tail = table.position(), table.checkpoints[table.base], list(table.tail)
    times = []
    for _ in range(20):
        begun = time.process_time()
        Table.open(RULES, table.header, table.secret, position, stored, tail)
        times.append(time.process_time() - begun)
    assert sorted(times)[10] < OPENING
    assert len(encode(table.state)) < 9000


def test_a_game_of_the_first_rules_version_is_brought_up_to_date() -> None:
    state = start(4, 1).state
    old = msgspec.to_builtins(state)
    del old["declined"]
    assert msgspec.convert(RULES.upgraders[1](old), State) == state
