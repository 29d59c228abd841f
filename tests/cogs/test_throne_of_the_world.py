"""`/world` covers every decision of the game, within Discord's limits."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from cogs import throne_of_the_world as commands
from cogs.lines import Steps, complete
from rules.engine import Illegal, Line, Question
from rules.engine.chance import Chance
from rules.engine.questions import SKIP
from rules.engine.rules import Decision, random_player
from rules.engine.table import Table
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.options import Options
from sandbox import limits

STEPS = {name: value for name, value in vars(commands).items() if isinstance(value, Steps)}
KEYS = {key.removeprefix("ask.") for key in RULES.words.texts if key.startswith("ask.")}
ASKED = {key: (steps, names[0]) for steps in STEPS.values() for key, names in steps.asks.items()}
FIXED = {(key, answer): steps for steps in STEPS.values() for key, (answer,) in steps.fixed.items()}
RARE = {"demand.next", "rend", "seduction", "prospecting"}
"""Questions that need not come up in the games walked here."""


def start(seats: int, seed: int) -> Table:
    return Table.start(RULES, Options(), seats=seats, secret=seed.to_bytes(32, "big"))[0]


def decisions(table: Table, chance: Chance, most: int = 700) -> Iterator[tuple[int, Question]]:
    """Every decision of a game; whoever gets it answers it."""
    for _ in range(most):
        if table.over:
            return
        yield next((seat, question) for seat, question in table.asked.items() if seat not in table.sealed)
        chance.draws.clear()


def at_question(key: str, options: int = 0) -> tuple[Table, int]:
    """A table where this is asked, with so many options at least."""
    for seed in range(60):
        table, chance = start(2 + seed % 3, seed), Chance(b"walk %d" % seed)
        for seat, question in decisions(table, chance):
            if question.key == key and len(question.options) >= options:
                return table, seat
            table.answer(seat, random_player(Decision(seat, None, question), chance))
    raise AssertionError(key)


def payload() -> dict[str, Any]:
    client = discord.Client(intents=discord.Intents.none())
    return commands.WorldCog.world.to_dict(app_commands.CommandTree(client))


def test_every_question_is_answered_by_a_command() -> None:
    covered = set(ASKED) | {key for key, _ in FIXED}
    assert covered == KEYS


def test_every_choice_of_phase_1_and_every_move_has_its_command() -> None:
    for key in ("mode", "move"):
        parts = [name.removeprefix("option.").split(".") for name in RULES.words.texts]
        options = {part[1] for part in parts if part[0] == key and len(part) == 2}
        assert {answer for asked, answer in FIXED if asked == key} == options


def test_whole_games_can_be_played_by_commands_only() -> None:
    """Each answer that a random player gives is written down and given by the command that is for it."""
    seen: set[str] = set()
    for seed in range(24):
        table, chance = start(2 + seed % 3, seed), Chance(b"commands %d" % seed)
        for seat, question in decisions(table, chance):
            seen.add(question.key)
            answer = random_player(Decision(seat, None, question), chance)
            line = Line(table, seat)
            if question.key in ASKED:
                steps, name = ASKED[question.key]
                assert steps.line(Line(table, seat), {}, name) == question
                steps.line(line, {name: "+".join(answer) or "-"})
            else:
                FIXED[question.key, answer[0]].line(line, {})
            assert line.answers == [answer]
            line.submit()
    assert KEYS - seen <= RARE


def test_a_move_and_its_choices_are_one_command() -> None:
    table, seat = at_question("move", 3)
    assert "card" in [option.id for option in table.asked[seat].options]
    card = commands.CARD.line(Line(table, seat), {}, "card")
    assert card is not None
    assert card.key == "card"
    assert commands.CARD.line(Line(table, seat), {"card": "back"}) is None
    with pytest.raises(Illegal):
        commands.CARD.line(Line(table, seat), {"card": "back", "units": "soldiers"})


def test_an_attack_is_settled_by_one_command() -> None:
    table, seat = at_question("defend", 3)
    given = []
    copy = table.copy()
    while seat in copy.asked and copy.asked[seat].key == "defend":
        given.append(copy.asked[seat].options[0].id)
        copy.answer(seat, (given[-1],))
    line = Line(table, seat)
    commands.DEFEND.line(line, {"give": "+".join(given)})
    assert line.answers == [(id,) for id in given]
    with pytest.raises(Illegal):
        commands.DEFEND.line(Line(table, seat), {"give": "+".join([*given, "pay", "pay"])})


def test_breath_takes_both_cards_at_once() -> None:
    table, seat = at_question("breath.card", 3)
    first, second = (option.id for option in table.asked[seat].options[:2])
    asked = commands.BREATH.line(Line(table, seat), {"cards": f"{first}+"}, "cards")
    assert asked is not None
    assert asked.args["left"] == 1
    line = Line(table, seat)
    commands.BREATH.line(line, {"cards": f"{first}+{second}"})
    assert line.answers == [(first,), (second,)]


async def test_a_series_is_completed_part_by_part() -> None:
    table, seat = at_question("breath.card", 3)
    live = SimpleNamespace(table=table, words=RULES.words, labels=RULES.words, seat_of=lambda user: seat)
    tables: Any = SimpleNamespace(in_channel=lambda channel: live)
    first = table.asked[seat].options[0].id

    async def offered(current: str) -> list[str]:
        interaction: Any = SimpleNamespace(channel_id=1, user=SimpleNamespace(id=1), namespace=[("cards", current)])
        return [choice.value for choice in await complete(tables, interaction, commands.BREATH, "cards", current)]

    assert await offered("") == [option.id for option in table.asked[seat].options]
    more = await offered(f"{first}+")
    assert more
    assert all(value.startswith(f"{first}+") for value in more)
    assert await offered("nonsense+") == []


def test_nothing_is_passed_by_mistake() -> None:
    """Commands whose answer may be to pass ask for it in words."""
    table, seat = at_question("payment")
    line = Line(table, seat)
    commands.PAY.line(line, {})
    assert not line.answers
    if any(option.id == SKIP for option in table.asked[seat].options):
        commands.PAY.line(line, {"discard": SKIP})
        assert line.answers == [(SKIP,)]


def test_the_group_is_within_discords_limits() -> None:
    body = payload()
    assert limits.command(body) == []
    assert body["name"] == "world"
    assert len(body["options"]) <= 25
    for command in body["options"]:
        assert len(command["description"]) <= 100
        for option in command.get("options", ()):
            assert option["description"] not in ("", "…"), (command["name"], option["name"])
            assert option["autocomplete"]


def test_every_parameter_belongs_to_its_steps() -> None:
    for name, command in ((command.name, command) for command in commands.WorldCog.world.commands):
        steps = STEPS[name.upper()]
        assert {parameter.name for parameter in command.parameters} == set(steps.names), name
