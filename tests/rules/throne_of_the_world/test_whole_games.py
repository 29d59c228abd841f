"""Whole games: what must hold at every step, that they end, that everything has words, and how the bots do."""

import re
from pathlib import Path

import msgspec
import pytest

import rules.throne_of_the_world
from rules.bots import play_out
from rules.engine.chance import Chance
from rules.engine.questions import SKIP
from rules.engine.rules import Decision, random_player
from rules.engine.table import Table
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.components import COUNTS, POWERS, PROFESSIONS, RACES, UNITS
from rules.throne_of_the_world.options import Options
from rules.throne_of_the_world.state import State
from rules.throne_of_the_world.unit_cards import size_of
from tests.conformance.cases import Case
from tests.conformance.test_conformance import play

from .helpers import ALL_CARDS, totals

FOLDER = Path(rules.throne_of_the_world.__file__).parent
POLICY = RULES.bots["policy"]
RAW = re.compile(r"[{}]|[a-z]_[a-z]|\b(event|ask|option|card|power|race|mode)\.[a-z]|\b\d\.[a-z]")
TEXT_LIMIT = 1900
LABEL_LIMIT = 50
"""So that with people's names for seats it still fits a button."""


def start(seats: int, seed: int, options: Options | None = None) -> Table:
    return Table.start(RULES, options, seats=seats, secret=seed.to_bytes(32, "big"))[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"races": "documented"}, {"round_limit": 3}])
def test_conformance(seats: int, options: dict[str, object]) -> None:
    for seed in range(2):
        play(Case(RULES, seats, options), f"{seats}/{options}/{seed}")
    play(Case(RULES, seats, options), f"undo/{seats}/{options}", undo=True)


def check_state(s: State) -> None:
    """What is true at every step."""
    assert totals(s) == ALL_CARDS or s.phase == "draft"
    for seat in range(len(s.teams)):
        for profession in PROFESSIONS:
            assert size_of(s, seat, profession) <= UNITS[profession].set_size
        assert all(n > 0 for counts in (s.hands[seat], s.units[seat]) for n in counts.values())
        if s.teams[seat] in s.out:
            assert not s.hands[seat]
            assert not s.units[seat]
    for team, coins in enumerate(s.money):
        assert coins >= 0
        assert (coins == 0) == (team in s.out)
    for viewer, known in enumerate(s.known):
        for seat, sure in enumerate(known):
            assert all(0 < n <= s.hands[seat].get(card, 0) for card, n in sure.items()), (viewer, seat)
    assert bool(s.winners) == (s.phase == "over") == bool(s.victory)


def shown(text: str, key: str) -> None:
    assert text, key
    assert not RAW.search(text), (key, text)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("level", ["random", "policy"])
def test_every_step_of_a_game(seats: int, level: str) -> None:
    words, chance = RULES.words, Chance(b"steps")
    for seed in range(4):
        table = start(seats, seed)
        while not table.over:
            seat, question = next((seat, asked) for seat, asked in table.asked.items() if seat not in table.sealed)
            assert table.state.teams[seat] not in table.state.out
            shown(words.question(question), question.key)
            for option in question.options:
                label = words.option(question, option)
                shown(label, f"{question.key} {option.id}")
                assert len(label) <= LABEL_LIMIT, label
            assert question.private == (f"public.{question.key}" in words), question.key
            assert f"step.{question.key}" in words, question.key
            assert question.check(RULES.safe(question)) == RULES.safe(question)
            player = POLICY if level == "policy" else random_player
            change = table.answer(seat, player(Decision(seat, table.view(seat), question), chance))
            for event in change.events:
                shown(words.event(event), event.kind)
            check_state(table.state)
            assert len(msgspec.msgpack.encode(table.state)) < 4096
            if table.length % 7 == 0:
                for viewer in (None, *range(seats)):
                    board = RULES.board(table.view(viewer), words)
                    shown(board, "board")
                    assert len(board) < TEXT_LIMIT, board
                    assert len(RULES.hand(table.view(viewer), words)) < TEXT_LIMIT
        shown(RULES.board(table.view(0), words), "board")


def test_the_bot_beats_the_random_player() -> None:
    won = 0
    for seed in range(100):
        table = start(2, seed)
        play_out(table, ["policy", "random"] if seed % 2 else ["random", "policy"], Chance(b"%d" % seed))
        won += table.state.winners == [seed % 2 == 0]
    assert won >= 90


def test_four_bots_play_a_sensible_team_game() -> None:
    decisions = []
    for seed in range(12):
        table = start(4, seed)
        decisions.append(play_out(table, ["policy"] * 4, Chance(b"%d" % seed), limit=4000))
        assert table.over
        assert table.state.round < 40
    assert sum(decisions) / len(decisions) < 700


def test_the_bot_finds_what_it_set_out_to_play() -> None:
    """It never says it will play a card and then finds none, and plays no card against its own side."""
    chance = Chance(b"bot")
    for seed in range(6):
        table = start(2 + seed % 3, seed)
        while not table.over:
            seat, question = next((seat, asked) for seat, asked in table.asked.items() if seat not in table.sealed)
            decision = Decision(seat, table.view(seat), question)
            answer = POLICY(decision, chance)
            if question.key == "card" and len(question.options) > 1:
                assert answer != ("back",)
            table.answer(seat, answer)


def test_safe_answers_alone_come_to_an_end() -> None:
    table = start(3, 1, Options(round_limit=5))
    for _ in range(400):
        if table.over:
            break
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        table.answer(seat, RULES.safe(table.asked[seat]))
    assert table.over


def test_words_for_all_components_and_options() -> None:
    words = RULES.words
    keys = [f"{table}.{card}" for card in COUNTS for table in ("card", "card_text")]
    keys += [f"{table}.{race}" for race in RACES for table in ("race", "race_text")]
    keys += [f"{table}.{power}" for powers in POWERS.values() for power in powers for table in ("power", "power_text")]
    keys += [f"profession.{profession}" for profession in PROFESSIONS]
    keys += [f"{table}.{name}" for name in Options.__struct_fields__ for table in ("option_name", "option_text")]
    keys += [f"colour.{colour.id}" for colour in RULES.colours]
    keys += [
        f"{table}{v}"
        for v in ("money", "sets", "professions", "last", "round_limit")
        for table in ("victory.", "event.won.")
    ]
    keys += [f"part.{part}" for part in ("coins", "sets", "professions", "units")]
    for key in keys:
        assert key in words, key
        assert "{" not in words.texts[key] or key.startswith(("event.", "part.")), key
    assert all(len(words.texts[f"option_text.{name}"]) <= 100 for name in Options.__struct_fields__)
    for race in RACES.values():
        assert race.reconstructed == ("reconstruction" in words.texts[f"race_text.{race.id}"])


def source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))


def test_every_kind_and_key_in_the_source_has_words() -> None:
    text = source()
    kinds = re.findall(r'game\.tell\(\s*"([a-z_.]+)"', text)
    kinds += re.findall(r'pay\(\s*game,.*?"([a-z_]+)",\s*(?:by|to)=', text, re.S)
    asks = re.findall(r'(?:choose|choose_many|one_or_ask|must_choose)\(\s*\w+,\s*"([a-z_.]+)"', text)
    asks += re.findall(r'Question\(\s*"([a-z_.]+)"', text)
    assert len(set(kinds)) > 35
    assert len(set(asks)) > 15
    missing = [f"event.{kind}" for kind in kinds] + [f"{table}.{ask}" for ask in asks for table in ("ask", "step")]
    assert [key for key in missing if key not in RULES.words] == []


def test_every_ruling_has_a_test() -> None:
    rulings = (FOLDER / "rulings.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^(\d+)\. \([RD]\) ", rulings, re.M)
    assert numbers == [str(n) for n in range(1, 65)]
    tests = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))
    tested = set(re.findall(r"^def test_ruling_(\d\d)_", tests, re.M))
    assert tested == {f"{int(n):02}" for n in numbers}


def test_passing_is_no_answer_to_what_must_be_answered() -> None:
    table = start(2, 0)
    assert all(option.id != SKIP for question in table.asked.values() for option in question.options)
