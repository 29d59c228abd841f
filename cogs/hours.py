"""Waking hours: how much of a span of time counts for a person who sleeps and goes on vacation."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import msgspec

DAY: Final = datetime.timedelta(days=1)
DAY_MS: Final = 86_400_000
DAY_MINUTES: Final = 1440
LONGEST_SLEEP: Final = 14 * 60
"""Minutes of a day that may be slept through: a deadline must come closer on every day."""
_SPAN = re.compile(r"(\d{1,2})(?::(\d\d))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d\d))?")


class Hours(msgspec.Struct, frozen=True):
    """When a person is awake. `sleep`: minutes of the local day, from and until; `vacations`: milliseconds since 1970,
    from and until."""

    zone: str = "UTC"
    sleep: tuple[int, int] | None = None
    vacations: tuple[tuple[int, int], ...] = ()

    def after(self, start_ms: int, amount_ms: int) -> int:
        """The time at which that much waking time has passed since the start."""
        for begin, end in self._awake(start_ms):
            if end is None or amount_ms <= end - begin:
                return begin + amount_ms
            amount_ms -= end - begin
        raise AssertionError("nobody sleeps for ever")

    def between(self, start_ms: int, end_ms: int) -> int:
        """How much waking time there is between the two."""
        total = 0
        for begin, end in self._awake(start_ms):
            if begin >= end_ms:
                break
            total += (end_ms if end is None else min(end, end_ms)) - begin
            if end is None:
                break
        return total

    def _awake(self, now: int) -> Iterator[tuple[int, int | None]]:
        """The spans of waking time from now on; the last of them, without an end, if there is a last."""
        while True:
            while (end := self._asleep_until(now)) is not None:
                now = end
            following = self._next_sleep(now)
            yield now, following
            if following is None:
                return
            now = following

    def _asleep_until(self, now: int) -> int | None:
        ends = [end for begin, end in (*self.vacations, *self._nights(now)) if begin <= now < end]
        return max(ends, default=None)

    def _next_sleep(self, now: int) -> int | None:
        return min((begin for begin, end in (*self.vacations, *self._nights(now)) if now < begin < end), default=None)

    def _nights(self, now: int) -> tuple[tuple[int, int], ...]:
        """The nights around that time."""
        return () if self.sleep is None else _nights(self.zone, self.sleep, now // DAY_MS)


@lru_cache(maxsize=4096)
def _nights(zone: str, sleep: tuple[int, int], day: int) -> tuple[tuple[int, int], ...]:
    """The nights that touch that day of UTC or follow it."""
    local, date = ZoneInfo(zone), datetime.date(1970, 1, 1) + day * DAY

    def moment(of: datetime.date, minute: int) -> int:
        time = datetime.datetime(of.year, of.month, of.day, minute // 60, minute % 60, tzinfo=local)
        return int(time.timestamp() * 1000)

    begin, end = sleep
    over = DAY if end <= begin else 0 * DAY
    return tuple((moment(date + n * DAY, begin), moment(date + n * DAY + over, end)) for n in range(-2, 4))


def read_sleep(text: str) -> tuple[int, int]:
    """A night as it is written, such as `23:00-7:30`; ValueError when it is none, or too long."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    hours, minutes = (int(found[1]), int(found[3])), (int(found[2] or 0), int(found[4] or 0))
    begin, end = (hour % 24 * 60 + minute for hour, minute in zip(hours, minutes, strict=True))
    if max(hours) > 24 or max(minutes) > 59 or not 0 < (end - begin) % DAY_MINUTES <= LONGEST_SLEEP:
        raise ValueError(text)
    return begin, end


def write_sleep(sleep: tuple[int, int]) -> str:
    """The night in writing."""
    return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in sleep)


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The names of all time zones, as people know them: `Europe/Berlin`."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def midnight(zone: str, date: datetime.date) -> int:
    """When that day begins there, in milliseconds since 1970."""
    return int(datetime.datetime(date.year, date.month, date.day, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def local_date(zone: str, when_ms: int) -> datetime.date:
    """Which day it is there then."""
    return datetime.datetime.fromtimestamp(when_ms / 1000, ZoneInfo(zone)).date()
