"""Slash commands that give several answers at once: all or nothing, each argument completed from what is legal."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, ClassVar

from discord import app_commands
from discord.ext import commands

from rules.engine import Answer, Illegal, Line, Question, read

from .items import Interaction
from .live import Live
from .panels import seat_panel
from .replies import attend, show
from .table import choices
from .tables import Refused, Tables
from .texts import cut, say

Complete = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


class Steps:
    """A command's answers in the order they are asked: fixed ones by value, the others by the command's parameter.

    `Steps(fixed={"action": ("move",)}, asks={"move.from": "source", "move.to": "to"})`: question key -> parameter.
    """

    def __init__(self, fixed: Mapping[str, Answer], asks: Mapping[str, str]) -> None:
        self.fixed = dict(fixed)
        self.asks = dict(asks)

    def line(self, line: Line, given: Mapping[str, Any]) -> None:
        """Answer as far as answers are given; Illegal when one does not fit or is left over."""
        left = {name for name in self.asks.values() if given.get(name) not in (None, "")}
        fixed = dict(self.fixed)
        while (question := line.question) is not None:
            name = self.asks.get(question.key, "")
            if question.key in fixed:
                line.answer(fixed.pop(question.key))
            elif name in left:
                left.discard(name)
                line.answer(read(question, str(given[name])))
            else:
                break
        if left:
            raise Illegal("engine.line")

    def question(self, line: Line, given: Mapping[str, Any], focused: str) -> Question | None:
        """The question that the focused parameter answers, after those given before it."""
        left = {name: given[name] for name in self.asks.values() if given.get(name) not in (None, "")}
        fixed = dict(self.fixed)
        while (question := line.question) is not None:
            name = self.asks.get(question.key, "")
            if name == focused:
                return question
            if question.key in fixed:
                line.answer(fixed.pop(question.key))
            elif name in left:
                line.answer(read(question, str(left.pop(name))))
            else:
                return None
        return None


async def complete(
    tables: Tables, interaction: Interaction, steps: Steps, focused: str, current: str
) -> list[app_commands.Choice[str]]:
    """Autocomplete: the legal options for the focused parameter, from memory."""
    live = tables.in_channel(interaction.channel_id)
    seat = live.seat_of(interaction.user.id) if live else None
    if live is None or seat is None or seat not in live.table.asked:
        return []
    given = {name: value for name, value in interaction.namespace}  # noqa: C416 (it has no keys())
    try:
        question = steps.question(Line(live.table, seat), given, focused)
    except Illegal:
        return []
    return choices(live, question, current) if question else []


def complete_field(
    tables: Tables, interaction: Interaction, name: str, at: int, current: str
) -> list[app_commands.Choice[str]]:
    """Autocomplete for the field of an act, from memory."""
    live = tables.in_channel(interaction.channel_id)
    seat = live.seat_of(interaction.user.id) if live else None
    if live is None or seat is None:
        return []
    act = next((act for act in live.table.acts(seat) if act.name == name), None)
    return choices(live, act.fields[at], current) if act else []


def tried(live: Live, seat: int, steps: Steps, given: Mapping[str, Any]) -> Line:
    """The command as a line, tried on a copy."""
    if seat not in live.table.asked:
        raise Illegal("engine.not_asked")
    line = Line(live.table, seat)
    steps.line(line, given)
    if not line.answers:
        raise Illegal("engine.other_question", asked=live.words.question(live.table.asked[seat]), given="")
    return line


def legal(steps: Steps, parameter: str) -> Complete:
    """Autocomplete for a parameter, from what is legal."""

    async def offered(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await complete(interaction.client.tables, interaction, steps, parameter, current)

    return offered


def field(act: str, at: int) -> Complete:
    """Autocomplete for a field of an act."""

    async def offered(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return complete_field(interaction.client.tables, interaction, act, at, current)

    return offered


def written(text: str) -> Answer:
    """The ids in a written field: joined by +, or - for none."""
    return () if text.strip() in ("", "-") else tuple(part.strip() for part in text.split("+") if part.strip())


class GameCog(commands.Cog):
    """A game's own commands. Each gives its answers in one go; `/table answer` takes any single one. `key`: the game."""

    key: ClassVar[str]

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    def here(self, interaction: Interaction) -> tuple[Live, int]:
        """The game of the channel and the person's seat in it."""
        live = self.tables.in_channel(interaction.channel_id)
        if live is None or live.game.key != self.key:
            raise Refused(say("game.none_here"))
        seat = live.seat_of(interaction.user.id)
        if seat is None:
            raise Refused(say("game.watching"))
        return live, seat

    async def play(self, interaction: Interaction, steps: Steps, **given: str | int | None) -> None:
        """Play a command's line and show what came of it."""

        async def work() -> None:
            live, seat = self.here(interaction)
            line = tried(live, seat, steps, given)
            if len(line.answers) == 1:
                number = live.table.number(seat)
                change = await self.tables.answer(live, seat, number, line.answers[0], interaction.id)
            else:
                change = await self.tables.play_line(live, line, interaction.id)
            told = [] if change is None else [t for e in change.events if (t := live.tell(0, e, seat))]
            note = say("panel.held") if change is None else cut("\n".join(told), 1500)
            await show(interaction, seat_panel(live, seat, note=note))

        await attend(interaction, work, fresh=True)

    async def act(self, interaction: Interaction, name: str, *texts: str) -> None:
        """Do an act with its fields in writing."""

        async def work() -> None:
            live, seat = self.here(interaction)
            act = next((act for act in live.table.acts(seat) if act.name == name), None)
            if act is None:
                raise Illegal("engine.no_such_act", act=name)
            fields = tuple(written(text) for text in texts)
            change = await self.tables.step(live, lambda table: table.act(seat, name, fields), interaction.id)
            told = "\n".join(t for e in change.events if (t := live.tell(0, e, seat)))
            await show(interaction, seat_panel(live, seat, note=told))

        await attend(interaction, work, fresh=True)
