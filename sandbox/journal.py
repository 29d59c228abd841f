"""Everything that was ever sent, in order, with who could see it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .errors import Json


@dataclass(slots=True)
class Entry:
    """One thing that appeared on somebody's screen."""

    n: int
    kind: str  # message, edit, delete, modal, choices, typing, reaction, channel, thread, read
    at: float  # sandbox clock
    real: float  # wall clock
    audience: frozenset[str]
    channel_id: str | None = None
    message_id: str | None = None
    author_id: str | None = None
    body: Json = field(default_factory=dict)
    attachments: list[Json] = field(default_factory=list)
    pings: list[str] = field(default_factory=list)

    def json(self) -> Json:
        """The entry as the control API shows it."""
        return {
            "n": self.n,
            "kind": self.kind,
            "at": self.at,
            "real": self.real,
            "audience": sorted(self.audience, key=int),
            "channel_id": self.channel_id,
            "message_id": self.message_id,
            "author_id": self.author_id,
            "body": self.body,
            "attachments": self.attachments,
            "pings": self.pings,
        }


class Journal:
    """An append-only list whose length is the cursor that readers wait with."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._waiting: set[asyncio.Future[None]] = set()

    def __len__(self) -> int:
        return len(self.entries)

    def add(self, kind: str, at: float, real: float, audience: frozenset[str], **fields: Any) -> Entry:
        """Append an entry and wake whoever waits."""
        entry = Entry(len(self.entries) + 1, kind, at, real, audience, **fields)
        self.entries.append(entry)
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()
        return entry

    def select(
        self,
        since: int = 0,
        *,
        viewer: str | None = None,
        channel: str | None = None,
        kinds: frozenset[str] | None = None,
    ) -> list[Entry]:
        """The entries after a cursor that match."""
        return [
            e
            for e in self.entries[since:]
            if (viewer is None or viewer in e.audience)
            and (channel is None or e.channel_id == channel)
            and (not kinds or e.kind in kinds)
        ]

    async def changed(self) -> None:
        """Return when the next entry is added."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await future
        finally:
            self._waiting.discard(future)

    async def wait(self, since: int, seconds: float, match: Callable[[int], list[Entry]]) -> tuple[int, list[Entry]]:
        """What `match(cursor)` finds, as soon as it finds anything, and the new cursor."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := match(since)):
                    since = max(since, len(self.entries))
                    await self.changed()
                return len(self.entries), found
        except TimeoutError:
            return since, []
