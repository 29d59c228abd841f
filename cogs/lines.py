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
