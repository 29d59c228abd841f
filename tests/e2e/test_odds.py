"""The odds of Eclipse's battles: beside the question whether to retreat, and by `/eclipse odds`."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from rules.eclipse import odds

from .playing import battle
from .world import ECLIPSE, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_question_whether_to_retreat_shows_the_odds(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await battle(here, monkeypatch)
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
    game = await battle(here, monkeypatch)
    game.live.remarks = {}  # as if the turn's message were not composed yet
    panel = (await game.command(game.person_at(game.unanswered), "table turn")).reply
    assert re.findall(r"(\d+\.\d) %", panel.text)


@pytest.mark.parametrize("slow", [True, False])
async def test_a_question_does_not_depend_on_its_odds(here: World, monkeypatch: pytest.MonkeyPatch, slow: bool):
    def worked_out(*given: Any) -> None:
        if not slow:
            raise RuntimeError("the odds cannot be worked out")
        time.sleep(0.5)

    monkeypatch.setattr("cogs.live.REMARK_SECONDS", 0.05)
    monkeypatch.setattr(odds, "of_battle", worked_out)
    game = await battle(here, monkeypatch)
    turn = await game.turn()
    assert "retreat" in (turn.text + str(turn.raw)).lower()
    assert " %" not in turn.text
    panel = (await game.command(game.person_at(game.unanswered), "table turn")).reply
    assert any("etreat" in button.label for button in panel.buttons)


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
