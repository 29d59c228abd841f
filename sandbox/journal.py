"""Everything that was ever sent, in order, with who could see it."""

from __future__ import annotations

import asyncio
import zlib
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


@dataclass(slots=True, frozen=True)
class Match:
    """Which entries a reader wants."""

    viewer: str | None = None
    channel: str | None = None
    kinds: frozenset[str] | None = None

    def __call__(self, e: Entry) -> bool:
        return (
            (self.viewer is None or self.viewer in e.audience)
            and (self.channel is None or e.channel_id == self.channel)
            and (not self.kinds or e.kind in self.kinds)
        )


class Journal:
    """An append-only list whose length is the cursor that readers wait with."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._waiting: dict[asyncio.Future[None], Match] = {}

    def __len__(self) -> int:
        return len(self.entries)

    def add(self, kind: str, at: float, real: float, audience: frozenset[str], body: Json, **fields: Any) -> Entry:
        """Append an entry and wake those who wait for such a one."""
        entry = Entry(len(self.entries) + 1, kind, at, real, audience, raw=orjson.dumps(body), **fields)
        self.entries.append(entry)
        if len(self.entries) > RECENT:
            self.entries[-RECENT - 1].pack()
        for future, match in self._waiting.items():
            if not future.done() and match(entry):
                future.set_result(None)
        return entry

    def select(self, since: int, match: Match) -> list[Entry]:
        """The entries after a cursor that match."""
        return [e for e in self.entries[since:] if match(e)]

    async def wait(self, since: int, seconds: float, match: Match) -> tuple[int, list[Entry]]:
        """The new cursor and what matches after the old one, as soon as anything does."""
        if not (found := self.select(since, match)):
            future = asyncio.get_running_loop().create_future()
            self._waiting[future] = match
            try:
                await asyncio.wait([future], timeout=seconds)
            finally:
                del self._waiting[future]
            found = self.select(since, match)
        return len(self.entries), found
