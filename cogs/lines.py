"""Slash commands that give several answers at once: all or nothing, each argument completed from what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, ClassVar, TypeVar

from discord import app_commands

from rules.choices import way_back
from rules.engine import Answer, Change, Event, Illegal, Line, Question, Table, read
from rules.engine.questions import SKIP
from rules.why_not import chapter, explained, explained_act

from .base import TablesCog
from .errors import Refused
from .items import Interaction
from .live import Live
from .replies import attend, show_outcome
from .table import none_here
from .tables import Tables
from .texts import say
from .writing import by_name, choices, written

Complete = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]
Meant = Callable[[Question, str], str]
Command = TypeVar("Command")
NOTHING = "-"
"""What is written for a parameter for which there is nothing to choose."""


class Steps:
    """A command's answers in the order they are asked: first fixed ones by value, then others by the command's parameter.

    `Steps(fixed={"action": ("move",)}, asks={"move.from": "source", "move.to": ("to", "then_to")})`: question key ->
    parameter; of several ones, the second for the same question asked again, and so on. A parameter in `series` answers one
    question after another with its parts, joined by +. One in `spared` may be left out: its question is passed, where
    that is possible, as soon as a later parameter is given.
    """

    def __init__(
        self,
        fixed: Mapping[str, Answer],
        asks: Mapping[str, str | tuple[str, ...]],
        series: Collection[str] = (),
        spared: Collection[str] = (),
    ) -> None:
        self.fixed = dict(fixed)
        self.asks = {key: (names,) if isinstance(names, str) else names for key, names in asks.items()}
        self.series = frozenset(series)
        self.spared = frozenset(spared)
        self.times: dict[str, int] = {}  # how often its question was put before
        for n, names in enumerate(zip_longest(*self.asks.values())):
            for name in filter(None, names):
                self.times.setdefault(name, n)
        self.names = list(self.times)

    def line(
        self, line: Line, given: Mapping[str, Any], focused: str = "", meant: Meant = lambda question, text: text
    ) -> Question | str | None:
        """Answer as far as answers are given; Illegal when one does not fit or is left over. With `focused`, stop before
        that parameter, as far as it is written, and return the question that it would answer, or NOTHING when the line
        came past it without asking. `meant` turns what was written into ids."""
        left = {name: self._parts(name, given, focused) for name in self.names}
        fixed = dict(self.fixed)
        answered: Counter[str] = Counter()
        told: dict[str, list[str]] = {}
        events: Sequence[Event] = ()
        last = ""
        while (question := line.question) is not None:
            name = self._name(question, answered)
            if name:
                self._pass(self._before(name), told, line.seat, question, events)
            if focused and name == focused and not left[name]:
                return question
            try:
                if question.key in fixed:
                    events = line.answer(fixed.pop(question.key))
                elif left.get(name):
                    events = line.answer(read(question, meant(question, left[name].pop(0))))
                    answered[question.key] += 1
                    last = name
                    fixed.clear()
                elif name in self.spared and self._later(name, left, focused) and question.skippable:
                    events = line.answer((SKIP,))
                else:
                    break
            except Illegal as refusal:
                raise explained(line.copy, line.seat, question, refusal) from refusal
        if focused:
            return NOTHING if focused in told else None
        if not self._name(question, answered):
            self._pass(self._after(last), told, line.seat, question, events)
        over = [name for name, parts in left.items() if parts and not said(parts, told.get(name, ()))]
        if over and line.answers:
            name = over[0]
            if NOTHING not in told.get(name, ()):
                raise self._left_over(question, self._name(question, answered), name)
            raise Illegal("line.only_way", name=name, given="+".join(left[name]))
        return None

    def _pass(
        self, names: Iterable[str], told: dict[str, list[str]], seat: int, question: Question | None,
        events: Iterable[Event],
    ) -> None:  # fmt: skip
        """The line comes past these parameters. What the rules chose by themselves for one, since there was only one way,
        stands in the next question, or in what the last answer told."""
        news = [NOTHING, *map(str, question.args.values() if question else ())]
        news += [arg for one in events if one.seen_by(seat) for arg in one.args.values() if isinstance(arg, str)]
        for name in names:
            if name not in told or name in self.series:
                told[name] = told.get(name, []) + news

    def _before(self, name: str) -> list[str]:
        """The parameters before this one."""
        return self.names[: self.names.index(name)]

    def _after(self, name: str) -> list[str]:
        """The parameters after this one that are not for questions put again ("": from the first)."""
        after = self.names[self.names.index(name) + 1 if name else 0 :]
        return [other for other in after if self.times[other] <= self.times.get(name, 0)]

    def begin(self, table: Table, seat: int, given: Mapping[str, Any]) -> Line:
        """A line for the command. Inside another choice, or past its own beginning, it first takes back what was begun,
        as far as that is possible at no cost."""
        line = Line(table, seat)
        while (question := line.question) is not None and self._past(question, given):
            back = way_back(question)
            if back is None:
                return line if question.key in self.asks else Line(table, seat)
            line.answer((back,))
        return line

    def _past(self, question: Question, given: Mapping[str, Any]) -> bool:
        """Whether the question does not belong to the command, or comes after one that the command answers."""
        if question.key in self.fixed or not self.fixed:
            return False
        names = self.asks.get(question.key, ())
        return not names or any(given.get(name) for name in self._before(names[0]))

    def _later(self, name: str, left: Mapping[str, list[str]], focused: str) -> bool:
        """Whether a parameter after this one is given, or being written."""
        return any(left[other] or other == focused for other in self.names[self.names.index(name) + 1 :])

    def _name(self, question: Question | None, answered: Mapping[str, int]) -> str:
        """The parameter that answers the question, when so many with its key have been answered; "": none."""
        if question is None:
            return ""
        names = self.asks.get(question.key, ())
        at = answered.get(question.key, 0) if len(names) > 1 else 0
        return names[at] if at < len(names) else ""

    def _left_over(self, question: Question | None, missing: str, name: str) -> Illegal:
        """Why a parameter's answer was not asked for: too early, one before it is missing, or there is no choice."""
        if question is None:
            return Illegal("engine.line")
        if missing and self.names.index(missing) < self.names.index(name):
            return Illegal("line.missing", name=missing, later=name)
        return Illegal("line.left_over", name=name)

    def _parts(self, name: str, given: Mapping[str, Any], focused: str) -> list[str]:
        """The answers that a parameter holds; of the focused one, those that are complete."""
        value = "" if given.get(name) is None else str(given[name])
        if name == focused:
            value = value.rpartition("+")[0] if name in self.series else ""
        return [] if not value else value.split("+") if name in self.series else [value]


def said(parts: Iterable[str], told: Iterable[str]) -> bool:
    """Whether this is what the rules have chosen by themselves, or says that there is nothing to choose."""
    return {part.casefold() for part in parts} <= {text.casefold() for text in told}


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
        line = steps.begin(live.table, seat, {**given, focused: None})
        question = steps.line(line, given, focused, partial(by_name, live))
    except Illegal:
        return []
    if question is None or isinstance(question, str):
        return [app_commands.Choice(name=say("line.nothing"), value=NOTHING)] if question else []
    if focused not in steps.series:
        return choices(live, question, current)
    done, joint, typed = current.rpartition("+")
    return [
        app_commands.Choice(name=f"{done}{joint}{choice.name}"[-100:], value=value)
        for choice in choices(live, question, typed)
        if len(value := f"{done}{joint}{choice.value}") <= 100
    ]


def complete_field(
    tables: Tables, interaction: Interaction, name: str, at: int, current: str
) -> list[app_commands.Choice[str]]:
    """Autocomplete for the field of an act, from memory."""
    live = tables.in_channel(interaction.channel_id)
    seat = live.seat_of(interaction.user.id) if live else None
    if live is None or seat is None:
        return []
    act = next((act for act in live.table.acts(seat) if act.name == name), None)
    return choices(live, act.fields[at], current) if act and at < len(act.fields) else []


def tried(live: Live, seat: int, steps: Steps, given: Mapping[str, Any]) -> Line:
    """The command as a line, tried on a copy."""
    if seat not in live.table.asked:
        raise Illegal("engine.not_asked")
    line = steps.begin(live.table, seat, given)
    begun = len(line.answers)
    steps.line(line, given, meant=partial(by_name, live))
    if len(line.answers) == begun:
        asked = live.table.asked[seat]
        more = {"chapter": found} if (found := chapter(live.words, asked.key)) else {}
        raise Illegal("engine.other_question", asked=live.words.question(asked), given="", **more)
    return line


def legal(steps: Steps, parameter: str) -> Complete:
    """Autocomplete for a parameter, from what is legal."""

    async def offered(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await complete(interaction.client.tables, interaction, steps, parameter, current)

    return offered


def completed(steps: Steps) -> Callable[[Command], Command]:
    """Autocomplete for all parameters of a command, which are those of its steps, from what is legal."""
    return app_commands.autocomplete(**{name: legal(steps, name) for name in steps.names})


def field(act: str, at: int) -> Complete:
    """Autocomplete for a field of an act."""

    async def offered(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return complete_field(interaction.client.tables, interaction, act, at, current)

    return offered


class GameCog(TablesCog):
    """A game's own commands. Each gives its answers in one go; `/table answer` takes any single one. `key`: the game."""

    key: ClassVar[str]

    async def here(self, interaction: Interaction) -> tuple[Live, int]:
        """The game of the channel and the person's seat in it."""
        live = self.tables.in_channel(interaction.channel_id)
        if live is None:
            raise await none_here(self.tables, interaction)
        if live.game.key != self.key:
            raise Refused(say("game.other", title=live.rules.title))
        seat = live.seat_of(interaction.user.id)
        if seat is None:
            raise Refused(say("game.watching"))
        return live, seat

    async def play(self, interaction: Interaction, steps: Steps, **given: str | int | None) -> None:
        """Play a command's line and show what came of it."""

        async def work() -> None:
            live, seat = await self.here(interaction)
            line = tried(live, seat, steps, given)
            change = await self.tables.steps.play_line(live, line, live.token(seat), interaction.id)
            await show_outcome(interaction, live, seat, change)

        await attend(interaction, work)

    async def act(self, interaction: Interaction, name: str, *texts: str) -> None:
        """Do an act with its fields in writing."""

        async def work() -> None:
            live, seat = await self.here(interaction)
            try:
                change = await self._act(interaction, live, seat, name, texts)
            except Illegal as refusal:
                raise explained_act(live.table, seat, name, refusal) from refusal
            await show_outcome(interaction, live, seat, change)

        await attend(interaction, work)

    async def _act(self, interaction: Interaction, live: Live, seat: int, name: str, texts: tuple[str, ...]) -> Change:
        act = next((act for act in live.table.acts(seat) if act.name == name), None)
        if act is None:
            raise Illegal("engine.no_such_act", act=name)
        fields = tuple(
            written(by_name(live, act.fields[n], text) if n < len(act.fields) else text) for n, text in enumerate(texts)
        )
        return await self.tables.steps.step(
            live, seat, interaction.user.id, lambda table: table.act(seat, name, fields), interaction.id
        )
