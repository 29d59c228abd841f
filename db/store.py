"""The store: everything that must outlive the process."""

import asyncio
import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from db import backup
from db.connection import Database
from db.games import Games
from db.log import Log
from db.outbox import Outbox
from db.personal import Personal
from db.records import Records
from db.seats import Seats
from db.spectators import Spectators
from db.table import Table
from db.talks import Talks
from db.votes import Votes

T = TypeVar("T")


class Store(Games, Log, Outbox, Personal, Records, Seats, Spectators, Table, Talks, Votes):
    """One open database. Every method is one transaction; what a method that writes has returned is durable.

    >>> async with await Store.open("bot.db") as store:
    ...     games = await store.games("running")
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    @classmethod
    async def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open the database, making or migrating it as needed, and keep other processes out of it.

        Raises `AlreadyRunning`, `NewerDatabase`, `CorruptDatabase` or `DiskFull`; the file is as it was then.
        """
        return cls(await Database.open(Path(path)))

    async def close(self) -> None:
        """Finish what is being written and let go of the file."""
        await self._db.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def path(self) -> Path:
        """The database's file."""
        return self._db.path

    async def backup(self, path: str | os.PathLike[str]) -> None:
        """Copy the database as it is now into one file, while reading and writing go on."""
        await _in_thread(partial(backup.copy, self.path, Path(path)))

    async def backup_rotating(self, folder: str | os.PathLike[str], *, keep: int, now_ms: int) -> Path:
        """Copy the database into the folder, leave the newest `keep` copies there and return the new one."""
        return await _in_thread(partial(backup.rotate, self.path, Path(folder), keep, now_ms))


async def _in_thread(work: Callable[[Callable[[], bool]], T]) -> T:
    """Run a copy on a thread; it is told to stop when its task is cancelled, else it would hold up the exit."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop.is_set)
    finally:
        stop.set()
