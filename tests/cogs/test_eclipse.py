"""`/eclipse` covers every decision of the game, within Discord's limits; several answers fit into one command."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from cogs import eclipse as commands
from cogs.lines import Steps
from rules.bots import bot_player
from rules.eclipse import RULES
from rules.eclipse.options import Options
from rules.engine import Illegal, Line, Question
from rules.engine.chance import Chance
from rules.engine.rules import Decision
from rules.engine.table import Table
from sandbox import limits

STEPS = {name: value for name, value in vars(commands).items() if isinstance(value, Steps)}
KEYS = {key.removeprefix("ask.") for key in RULES.words.texts if key.startswith("ask.")}
OF_ACTS = {"colony.where", "diplomacy.with"}
"""Fields of acts; they have commands of their own."""
ASKED: dict[str, list[tuple[Steps, str]]] = {}
for one in STEPS.values():
    for question_key, names in one.asks.items():
        ASKED.setdefault(question_key, []).append((one, names[0]))
FIXED = {(key, answer) for steps in STEPS.values() for key, (answer,) in steps.fixed.items()}


def start(seats: int, seed: int) -> Table:
    return Table.start(RULES, Options(), seats=seats, secret=seed.to_bytes(32, "big"))[0]


def decisions(table: Table, seed: int, most: int = 400) -> Iterator[tuple[int, Question]]:
    """Every decision of a game of bot players, before they make it."""
    chance, policy, chaos = Chance(b"walk %d" % seed), bot_player(RULES, "policy"), bot_player(RULES, "random")
    for n in range(most):
        if table.over:
            return
        seat, question = next((s, q) for s, q in table.asked.items() if s not in table.sealed)
        yield seat, question
        if seat in table.asked and table.asked[seat] is question:
            player = chaos if n % 5 == 4 else policy
            table.answer(seat, player(Decision(seat, table.view(seat), question), chance))
        chance.draws.clear()


def at_question(key: str, options: int = 0) -> tuple[Table, int]:
    """A table where this is asked, with so many options at least."""
    for seed in range(40):
        table = start(2 + seed % 3, seed)
        for seat, question in decisions(table, seed):
            if question.key == key and len(question.options) >= options:
                return table, seat
    raise AssertionError(key)


def test_every_question_is_answered_by_a_command() -> None:
    assert KEYS - OF_ACTS - {"action.choose"} <= set(ASKED)
    options = {key.split(".")[2] for key in RULES.words.texts if key.startswith("option.action.")}
    covered = {answer for key, answer in FIXED if key in ("action.choose", "reaction.choose")}
    by_other_commands = {"colony", "trade", "end", "no_reaction"}
    assert options - by_other_commands <= covered


def test_whole_games_can_be_played_by_commands_only() -> None:
    """Each answer that a bot player gives is written down and given by a command that is for it."""
    for seed in range(6):
        table = start(2 + seed % 5, seed)
        chance, policy = Chance(b"commands %d" % seed), bot_player(RULES, "policy")
        for seat, question in decisions(table, seed, 250):
            if question.key == "action.choose":
                continue
            answer = policy(Decision(seat, table.view(seat), question), chance)
            for steps, name in ASKED[question.key]:
                written = "+".join(answer) or "-"
                if name not in steps.series or "+" not in written:
                    line = Line(table, seat)
                    steps.line(line, {name: written})
                    assert line.answers == [answer], (question.key, name)
                    assert steps.line(Line(table, seat), {}, name) == question


def test_two_things_are_built_in_one_command() -> None:
    for seed in range(40):
        table = start(2, seed)
        for seat, question in decisions(table, seed):
            if question.key != "action.choose" or table.state.boards[seat].storage["materials"] < 6:
                continue
            line = Line(table, seat)
            home = next(h.number for h in table.view(None).hexes if h.disc == seat)
            given = {"first": "interceptor", "first_at": home, "second": "interceptor", "second_at": home}
            if len(table.view(seat).seats[seat].hexes) < 2:
                continue
            commands.BUILD.line(line, given)
            expected = [("build",), ("interceptor",), (home,), ("interceptor",), (home,)]
            assert line.answers[:5] == expected
            line.submit()
            return
    raise AssertionError("nobody could build twice")


def test_a_place_is_completed_from_what_is_legal() -> None:
    table, seat = at_question("action.choose")
    asked = commands.EXPLORE.line(Line(table, seat), {}, "space")
    assert asked is not None
    assert asked.key == "explore.place"
    assert all(option.place for option in asked.options)


def test_a_draw_ends_the_command() -> None:
    table, seat = at_question("action.choose")
    asked = commands.EXPLORE.line(Line(table, seat), {}, "space")
    assert asked is not None
    line = Line(table, seat)
    commands.EXPLORE.line(line, {"space": asked.options[0].id})
    assert line.question is None
    with pytest.raises(Illegal):
        line.answer(("discard",))


def test_the_group_is_within_discords_limits() -> None:
    client = discord.Client(intents=discord.Intents.none())
    body: dict[str, Any] = commands.EclipseCog.eclipse.to_dict(app_commands.CommandTree(client))
    assert limits.command(body) == []
    assert len(body["options"]) <= 25
    free = {("odds", "attacker"), ("odds", "defender"), ("diplomacy", "kind")}
    for command in body["options"]:
        for option in command.get("options", ()):
            assert option["description"] not in ("", "…"), (command["name"], option["name"])
            assert option.get("autocomplete") or (command["name"], option["name"]) in free


def test_every_parameter_belongs_to_its_steps() -> None:
    special = {"colonize": "LAND", "trade": "EXCHANGE", "diplomacy": "DIPLOMACY", "odds": ""}
    for command in commands.EclipseCog.eclipse.commands:
        steps = special.get(command.name, command.name.upper().replace("-", "_"))
        if steps and command.name != "diplomacy":
            assert {parameter.name for parameter in command.parameters} == set(STEPS[steps].names), command.name
