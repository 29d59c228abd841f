"""What each person has set for himself: pings, reminders, sleeping hours, vacations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

import db

from .hours import DAY_MS, Hours

Ping = Literal["mention", "dm", "both", "none"]
Remind = Literal["off", "half", "quarter", "tenth"]
SHARES: Final[dict[Remind, int]] = {"half": 2, "quarter": 4, "tenth": 10}
"""Which part of the time is left when the reminder comes: one in so many."""
YEAR_MS: Final = 365 * DAY_MS


class Person(msgspec.Struct, frozen=True):
    """The settings of one person."""

    ping: Ping = "mention"
    next: bool = False  # whether to be told who comes next
    remind: Remind = "quarter"
    zone: str = "UTC"
    sleep: tuple[int, int] | None = None
    vacations: tuple[tuple[int, int], ...] = ()

    @property
    def hours(self) -> Hours:
        """When the person is awake."""
        return Hours(self.zone, self.sleep, self.vacations)

    @property
    def mentioned(self) -> bool:
        """Whether a mention in the channel shall ping."""
        return self.ping in ("mention", "both")

    @property
    def messaged(self) -> bool:
        """Whether to be told by direct message."""
        return self.ping in ("dm", "both")

    def vacation(self, now_ms: int) -> tuple[int, int] | None:
        """The vacation that lasts or comes."""
        return next((span for span in self.vacations if span[1] > now_ms), None)

    def away_for(self, span: tuple[int, int] | None, now_ms: int) -> Person:
        """With this vacation (None: without any) instead of what is left of the one before."""
        kept = [(begin, min(end, now_ms)) for begin, end in self.vacations if begin < now_ms]
        recent = [(begin, end) for begin, end in kept if end > now_ms - YEAR_MS and end > begin]
        return msgspec.structs.replace(self, vacations=(*recent, *(() if span is None else (span,))))

    def days_away(self, now_ms: int) -> float:
        """How many days of vacation there are within a year of now, taken or planned."""
        return sum(max(0, end - max(begin, now_ms - YEAR_MS)) for begin, end in self.vacations) / DAY_MS


class People:
    """The settings of everybody who sits in a running game, in memory."""

    def __init__(self, store: db.Store) -> None:
        self.store = store
        self._known: dict[int, Person] = {}

    def known(self, user_id: int | None) -> Person:
        """The person's settings; the defaults of somebody not loaded."""
        return self._known.get(user_id or 0, Person())

    async def load(self, users: Iterable[int | None]) -> None:
        """Have these people's settings in memory."""
        for user in users:
            if user is not None and user not in self._known:
                await self.of(user)

    async def of(self, user_id: int) -> Person:
        """The person's settings, as stored."""
        stored = await self.store.settings(user_id)
        values = {
            name: msgspec.json.decode(value) for name, value in stored.items() if name in Person.__struct_fields__
        }
        self._known[user_id] = msgspec.convert(values, Person)
        return self._known[user_id]

    async def set(self, user_id: int, person: Person) -> None:
        """Keep the person's settings."""
        plain = Person()
        for name in Person.__struct_fields__:
            value = getattr(person, name)
            text = None if value == getattr(plain, name) else msgspec.json.encode(value).decode()
            await self.store.set_setting(user_id, name, text)
        self._known[user_id] = person

    def forget(self, user_id: int) -> None:
        """The stored settings have changed or gone."""
        self._known.pop(user_id, None)
