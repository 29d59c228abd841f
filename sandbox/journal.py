"""Everything that was ever sent, in order, with who could see it."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from .errors import Json

RECENT = 1000  # entries whose bodies are kept ready to send; older ones are compressed


@dataclass(slots=True)
class Entry:
    """One thing that appeared on somebody's screen. Its body is a snapshot, kept as JSON."""

    n: int
    kind: str  # message, edit, delete, modal, choices, typing, reaction, channel, thread, read
    at: float  # sandbox clock
    real: float  # wall clock
    audience: frozenset[str]
    channel_id: str | None = None
    message_id: str | None = None
    author_id: str | None = None
    attachments: list[Json] = field(default_factory=list)
    pings: list[str] = field(default_factory=list)
    raw: bytes = b"{}"
    packed: bool = False

    @property
    def body(self) -> bytes:
        """The JSON of the body."""
        return zlib.decompress(self.raw) if self.packed else self.raw

    def pack(self) -> None:
        """Take less memory."""
        if not self.packed:
            self.raw, self.packed = zlib.compress(self.raw, 1), True

    def json(self) -> Json:
        """The entry as the control API shows it, for orjson."""
        return {
            "n": self.n,
            "kind": self.kind,
            "at": self.at,
            "real": self.real,
            "audience": sorted(self.audience, key=int),
            "channel_id": self.channel_id,
            "message_id": self.message_id,
            "author_id": self.author_id,
            "body": orjson.Fragment(self.body),
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

    def add(self, kind: str, at: float, real: float, audience: frozenset[str], body: Json, **fields: Any) -> Entry:
        """Append an entry and wake whoever waits."""
        entry = Entry(len(self.entries) + 1, kind, at, real, audience, raw=orjson.dumps(body), **fields)
        self.entries.append(entry)
        if len(self.entries) > RECENT:
            self.entries[-RECENT - 1].pack()
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
