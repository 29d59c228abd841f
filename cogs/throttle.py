"""How many messages a second the bot sends, and which of them go first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from typing import Final

A_SECOND: Final = 40
"""Discord allows a bot 50 requests a second, and some go elsewhere."""
BURST: Final = 8
PATIENT_SECONDS: Final = 4.0
"""How much longer than others a message waits that no person waits for."""


class Throttle:
    """Lets so many go a second, the urgent ones first."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = itertools.count()
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def seconds(self) -> float:
        """How long it takes until everything that waits now is sent."""
        return len(self._waiting) / A_SECOND

    async def turn(self, *, urgent: bool) -> None:
        """Return when it is this one's turn."""
        loop = asyncio.get_running_loop()
        due = loop.time() + (0.0 if urgent else PATIENT_SECONDS)
        turn: asyncio.Future[None] = loop.create_future()
        heapq.heappush(self._waiting, (due, next(self._count), turn))
        self._admit()
        await turn

    def _admit(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting and self._next <= loop.time():
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                self._next = max(loop.time() - BURST / A_SECOND, self._next) + 1 / A_SECOND
        if self._waiting and self._timer is None:
            self._timer = loop.call_at(self._next, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._admit()
