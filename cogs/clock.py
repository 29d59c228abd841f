"""The bot's clock: the wall time by which everything that outlives a restart is counted. Tests move it forward."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final

LONGEST_WAIT: Final = 60.0
"""Waits are cut into pieces no longer than this, since a machine's clock may be set."""


class Clock:
    """Milliseconds since 1970. One that is handed from a bot to the next goes on where it stood."""

    def __init__(self) -> None:
        self._skipped = 0
        self._waiting: set[asyncio.Event] = set()

    def now_ms(self) -> int:
        """The present in milliseconds since 1970."""
        return time.time_ns() // 1_000_000 + self._skipped

    def skip(self, seconds: float) -> None:
        """Let that much time pass at once; who waits looks again."""
        self._skipped += int(seconds * 1000)
        for event in self._waiting:
            event.set()

    async def wait(self, event: asyncio.Event, until_ms: int | None = None) -> None:
        """Return when the event is set, at the time given, or some time before: look again then."""
        left = LONGEST_WAIT if until_ms is None else max(0.01, (until_ms - self.now_ms()) / 1000)
        self._waiting.add(event)
        try:
            # not wait_for, which may swallow a cancellation
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, LONGEST_WAIT)):
                    await event.wait()
        finally:
            self._waiting.discard(event)
