"""A way to play through small positions, for the tests of every game."""

from typing import Any, Generic, Self, TypeVar

import msgspec

from rules.engine.chance import ScriptedChance
from rules.engine.flow import Event
from rules.engine.rules import Rules
from rules.engine.table import Table

S = TypeVar("S", bound=msgspec.Struct)
DRAWS = 400
"""Enough zeros behind the scripted draws for whatever is drawn afterwards."""


class PlayedPosition(Generic[S]):
    """A table at a position, played by short answers; remembers the events. A game's own tests set `rules`."""

    rules: Rules[Any, Any, Any]

    def __init__(self, s: S, *draws: int) -> None:
        options: Any = s
        self.table = Table.at(self.rules, s, ScriptedChance([*draws, *[0] * DRAWS]), options.options)
        self.events: list[Event] = []

    @property
    def s(self) -> S:
        state: S = self.table.state
        return state

    def asked(self, seat: int) -> str:
        """The key of the seat's question, empty when it is not asked."""
        question = self.table.asked.get(seat)
        return question.key if question else ""

    def ids(self, seat: int) -> list[str]:
        """The options of the seat's question."""
        return [option.id for option in self.table.asked[seat].options]

    def __call__(self, seat: int, *answers: str | tuple[str, ...]) -> Self:
        """One answer after the other: an id, or a tuple of ids."""
        for answer in answers:
            change = self.table.answer(seat, answer if isinstance(answer, tuple) else (answer,))
            self.events += change.events
        return self

    def act(self, seat: int, name: str, *fields: str | tuple[str, ...]) -> Self:
        """An act with its fields."""
        given = [field if isinstance(field, tuple) else (field,) for field in fields]
        self.events += self.table.act(seat, name, given).events
        return self

    def acts(self, seat: int) -> list[str]:
        """The names of the acts the seat may do."""
        return [act.name for act in self.table.acts(seat)]

    def told(self, kind: str) -> list[Event]:
        """The events of this kind so far."""
        return [event for event in self.events if event.kind == kind]
