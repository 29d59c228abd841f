"""Slash commands that give several answers at once: all or nothing, each argument completed from what is legal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discord import app_commands

from rules.engine import Answer, Illegal, Line, Question, read

from .items import Interaction
from .live import Live
from .table import choices
from .tables import Tables


class Steps:
    """A command's answers in the order they are asked: fixed ones by value, the others by the command's parameter.

    `Steps(fixed={"action": ("move",)}, asks={"move.from": "source", "move.to": "to"})`: question key -> parameter.
    """

    def __init__(self, fixed: Mapping[str, Answer], asks: Mapping[str, str]) -> None:
        self.fixed = dict(fixed)
        self.asks = dict(asks)

    def line(self, table_line: Line, given: Mapping[str, Any]) -> None:
        """Answer as far as answers are given; Illegal when one does not fit or is left over."""
        left = {name for name in self.asks.values() if given.get(name) not in (None, "")}
        while (question := table_line.question) is not None:
            if question.key in self.fixed and question.key not in self.asks:
                if not (left or not table_line.answers):
                    break
                table_line.answer(self.fixed[question.key])
                continue
            name = self.asks.get(question.key)
            if name is None or name not in left:
                break
            left.discard(name)
            table_line.answer(read(question, str(given[name])))
        if left:
            raise Illegal("engine.line")

    def question(self, table_line: Line, given: Mapping[str, Any], focused: str) -> Question | None:
        """The question that the focused parameter answers, after those given before it."""
        while (question := table_line.question) is not None:
            name = self.asks.get(question.key)
            if name == focused:
                return question
            value = given.get(name) if name else None
            if question.key in self.fixed:
                table_line.answer(self.fixed[question.key])
            elif value not in (None, ""):
                table_line.answer(read(question, str(value)))
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
    given = dict(interaction.namespace)
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
