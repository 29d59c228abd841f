"""Whom a table waits for and until when: plain data, kept with the game."""

from __future__ import annotations

from typing import Final, Literal, Self

import msgspec

from .people import SHARES, Person
from .texts import say

HOUR_MS: Final = 3_600_000
PACES: Final[dict[str, float | None]] = {
    "none": None,
    "relaxed": 72.0,
    "day": 24.0,
    "half": 12.0,
    "hour": 1.0,
    "live": 1 / 6,
}
"""The hours that an answer may take, by pace."""
LEAST_MS: Final = 5 * 60_000
Miss = Literal["safe", "vote"]


class Wait(msgspec.Struct, frozen=True):
    """A seat that is awaited. `left_ms` of waking time were left at `from_ms`; None: as long as it takes."""

    number: int  # of its question
    since_ms: int  # when it became awaited, or last did something since
    from_ms: int
    allowed_ms: int | None = None
    left_ms: int | None = None
    due_ms: int | None = None  # None also while the clocks stand still
    remind_ms: int | None = None
    extended: bool = False  # the time is over, and there was more
    pinged: bool = False
    here: bool = False  # not pinged since he had just done something, and has done nothing since
    notes: tuple[str, ...] = ()  # slots of messages that go when it has answered


class Timing(msgspec.Struct, frozen=True):
    """The pace of one game and how its clocks stand."""

    pace: str = "none"
    miss: Miss = "safe"  # at a deadline the game's own safe answer is given, or the table votes about it
    grace: bool = True  # the first time that a deadline passes there is half as much time again
    paused_ms: int | None = None
    everybody_away: bool = False  # paused because nobody has acted
    voting: bool = False  # about those whose time is over
    misses: dict[int, int] = {}  # how often in a row a seat has let a public question pass
    waits: dict[int, Wait] = {}
    missed: tuple[int, ...] = ()  # the seats that were answered for since a person has acted
    acted_ms: int = 0  # when a person last acted
    asked_ms: int | None = None  # when it was asked whether anybody is still there
    told_next: int | None = None  # the seat that was told that it is next
    next_note: str = "next"  # by which message

    def stored(self) -> bytes:
        """What the store keeps."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def of(cls, stored: bytes | None) -> Self:
        """The timing that was stored; the defaults when none was."""
        return cls() if stored is None else msgspec.msgpack.decode(stored, type=cls)

    @property
    def full_ms(self) -> int | None:
        """The time an answer may take."""
        hours = PACES.get(self.pace)
        return None if hours is None else int(hours * HOUR_MS)

    def allowed_ms(self, seat: int) -> int | None:
        """The time the seat's next answer may take: half as long for each one missed in a row."""
        full = self.full_ms
        return None if full is None else min(full, max(LEAST_MS, full >> min(self.misses.get(seat, 0), 20)))

    @property
    def due_ms(self) -> int | None:
        """When the time of all who are awaited is over. It is one for all of them, so that it does not tell who of
        several has answered."""
        dues = [wait.due_ms for wait in self.waits.values() if wait.due_ms is not None]
        return max(dues) if dues and not self.voting else None


def begin(timing: Timing, seat: int, person: Person, number: int, now: int) -> Wait:
    """A seat becomes awaited."""
    allowed = timing.allowed_ms(seat)
    return planned(Wait(number, now, now, allowed), timing, person, now, allowed)


def left_at(wait: Wait, person: Person, now: int) -> int | None:
    """The waking time left then."""
    if wait.left_ms is None or wait.due_ms is None:
        return wait.left_ms
    return max(0, wait.left_ms - person.hours.between(wait.from_ms, now))


def planned(wait: Wait, timing: Timing, person: Person, now: int, left: int | None) -> Wait:
    """The wait with that much waking time left from now on."""
    if left is None or timing.paused_ms is not None:
        return msgspec.structs.replace(wait, from_ms=now, left_ms=left, due_ms=None, remind_ms=None)
    remind = None
    if person.remind != "off" and "remind" not in wait.notes and left > 0:
        remind = person.hours.after(now, max(0, left - (wait.allowed_ms or left) // SHARES[person.remind]))
    due = person.hours.after(now, left)
    return msgspec.structs.replace(wait, from_ms=now, left_ms=left, due_ms=due, remind_ms=remind)


def pace_text(timing: Timing) -> str:
    """The pace in a line."""
    if timing.full_ms is None:
        return say("pace.shown_none")
    grace = say("pace.grace") if timing.grace else ""
    return say("pace.shown", pace=say(f"pace.{timing.pace}"), miss=say(f"miss.{timing.miss}"), grace=grace)
