"""Pictures that were late or could not be drawn: they follow the message that had to go without them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import db
from render import Picture

from .messages import Message
from .payloads import AnyPayload

HEAL_SECONDS: Final = (5.0, 30.0, 120.0)
"""After how long a picture that could not be drawn is tried again."""


class Healing:
    """Has messages put anew, by `put_anew`, when their pictures may be there."""

    def __init__(self, put_anew: Callable[[db.OutboxRow, AnyPayload], None]) -> None:
        self._put_anew = put_anew
        self._tries: dict[tuple[int, str], int] = {}

    def sent(self, row: db.OutboxRow, payload: AnyPayload, message: Message) -> None:
        """The message stands: see to it that a missing picture follows."""
        if message.late is not None:
            message.late.add_done_callback(lambda late: self._drawn(row, payload, late))
        elif message.lacking:
            self._draw_later(row, payload)
        else:
            self._tries.pop((row.game_id, row.slot), None)

    def _drawn(self, row: db.OutboxRow, payload: AnyPayload, late: asyncio.Task[Picture]) -> None:
        if late.cancelled() or late.exception() is not None:
            self._draw_later(row, payload)
        else:
            self._put_anew(row, payload)

    def _draw_later(self, row: db.OutboxRow, payload: AnyPayload) -> None:
        tried = self._tries.get((row.game_id, row.slot), 0)
        self._tries[row.game_id, row.slot] = tried + 1
        if tried < len(HEAL_SECONDS):
            asyncio.get_running_loop().call_later(HEAL_SECONDS[tried], self._put_anew, row, payload)
