"""The odds of Eclipse's battles: beside the question whether to retreat, and by `/eclipse odds`."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from rules import rules_of
from rules.bots import bot_player
from rules.eclipse import odds
from rules.engine import Chance, Decision, Table, encode

from .world import ECLIPSE, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
RULES = rules_of(ECLIPSE)
SEATS = 3


def before_a_battle() -> Any:
    """The state at the start of the combat in a hex in which somebody may retreat at once."""
    players = [bot_player(RULES, "policy"), bot_player(RULES, "random")]
    for seed in range(200):
        table, _ = Table.start(RULES, seats=SEATS, secret=bytes([seed]) * 32)
        chance = Chance(b"walk %d" % seed)
        while not table.over:
            seat = next(seat for seat in table.asked if seat not in table.sealed)
            if table.asked[seat].key == "combat.action" and len(table.tail) == 0:
                state = msgspec.msgpack.decode(encode(table.state), type=RULES.state)
                state.battle = None
                return state
            player = players[chance.below(4) == 3]
            table.answer(seat, player(Decision(seat, table.view(seat), table.asked[seat]), chance))
    raise AssertionError("no battle")


async def fight(here: World, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that begins with a battle."""
    begun = before_a_battle()
    game = await here.lobby(SEATS, key=ECLIPSE)
    with monkeypatch.context() as patched:
        patched.setattr(type(RULES), "setup", lambda self, *given: begun)
        assert "started" in await game.says(here.people[0], "game start")
    await game.settled()
    return game


async def test_the_question_whether_to_retreat_shows_the_odds(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await fight(here, monkeypatch)
    seat = game.unanswered
    question = game.table.asked[seat]
    assert question.key == "combat.action"
    assert any(option.id.startswith("retreat") for option in question.options)
    found = odds.of_battle(game.table.view(None))
    assert found is not None
    percents = [f"{100 * chance:.1f}" for chance in (found.attacker_wins, found.defender_wins)]
    turn = await game.turn()
    assert re.findall(r"(\d+\.\d) %", turn.text) == percents
    panel = (await game.command(game.people[seat], "table turn")).reply
    assert re.findall(r"(\d+\.\d) %", panel.text) == percents
    said = await game.says(game.people[4], "eclipse odds")  # somebody who only watches
    assert re.findall(r"(\d+\.\d) %", said) == percents


async def test_the_answer_to_a_command_shows_the_odds_at_once(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await fight(here, monkeypatch)
    game.live.remarks = {}  # as if the turn's message were not composed yet
    panel = (await game.command(game.person_at(game.unanswered), "table turn")).reply
    assert re.findall(r"(\d+\.\d) %", panel.text)


async def test_the_odds_of_any_ships(here: World):
    game = await here.game(2, key=ECLIPSE)
    person = game.people[0]
    said = await game.says(person, "eclipse odds", attacker="3 terran interceptors", defender="1 ancient")
    assert "46.5 %" in said
    assert "No battle is coming" in await game.says(person, "eclipse odds")
    assert "No battle is coming" in await game.says(person, "eclipse odds", hex="001")
    assert "There is no hex 999" in await game.says(person, "eclipse odds", hex="999")
    assert "Name a hex" in await game.says(person, "eclipse odds", attacker="1 ancient")
    bad = await game.says(person, "eclipse odds", attacker="1 terran cruiser{plasma cannon}", defender="1 ancient")
    assert "energy" in bad
