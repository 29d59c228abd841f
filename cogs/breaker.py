"""The circuit breaker: when Discord fails again and again, nothing is sent for a while, and then one message tries."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator
from enum import IntEnum
from typing import Final

log = logging.getLogger(__name__)

FAILURES: Final = 6
"""So many in a row open it: more than one unlucky message with its retries."""
FIRST_SECONDS: Final = 2.0
LONGEST_SECONDS: Final = 60.0


class State(IntEnum):
    """Closed: everything is sent; open: nothing; half open: one message tries."""

    CLOSED = 0
    HALF_OPEN = 1
    OPEN = 2


class Breaker:
    """Told of each request for a message whether Discord did its part; what waits stays in the outbox meanwhile."""

    def __init__(self) -> None:
        self.state = State.CLOSED
        self.opened = 0  # how often in all
        self._failures = 0
        self._trips = 0  # how often since it was last closed
        self._until = 0.0
        self._changed = asyncio.Event()
        self._stopped = False

    def report(self, *, ok: bool) -> None:
        """A request was answered (refused counts: Discord is there), or it failed."""
        if ok:
            if self.state is not State.CLOSED:
                log.info("Discord works again, messages are sent")
            self._failures = self._trips = 0
            self._turn_to(State.CLOSED)
            return
        self._failures += 1
        if self.state is State.HALF_OPEN or (self.state is State.CLOSED and self._failures >= FAILURES):
            self._open()

    def _open(self) -> None:
        seconds = min(LONGEST_SECONDS, FIRST_SECONDS * 2**self._trips) * random.uniform(0.75, 1.0)
        self._until = asyncio.get_running_loop().time() + seconds
        self._trips += 1
        self.opened += 1
        log.warning("Discord fails, no messages are sent for a while", extra={"seconds": round(seconds, 1)})
        self._turn_to(State.OPEN)

    def _turn_to(self, state: State) -> None:
        self.state = state
        self._changed.set()

    def stop(self) -> None:
        """Let everybody pass who waits: nothing is sent any more."""
        self._stopped = True
        self._changed.set()

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Entered when a message may be sent."""
        probing = await self._admitted()
        try:
            yield
        finally:
            if probing and self.state is State.HALF_OPEN:  # it has come to no request
                self._until = 0.0
                self._turn_to(State.OPEN)

    async def _admitted(self) -> bool:
        """Wait for one's turn; whether one is the message that tries."""
        loop = asyncio.get_running_loop()
        while self.state is not State.CLOSED and not self._stopped:
            if self.state is State.OPEN and loop.time() >= self._until:
                self._turn_to(State.HALF_OPEN)
                return True
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._until if self.state is State.OPEN else None):
                    await self._changed.wait()
        return False
