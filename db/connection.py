"""One SQLite file, opened by one process: a writer, a reader, and the rules by which they are used."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import aiosqlite

from db.crash import crash_point
from db.errors import translating
from db.lock import lock
from db.migrate import prepare

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

WRITER = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "journal_size_limit = 16777216")
BUSY_SECONDS = 5.0


class Database:
    """A writer and a reader connection, each on its own thread. All work on them is one hop to that thread."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._side = lock(self.path)
        self._turn = asyncio.Lock()
        self._writer = self._connection(partial(self._connect_writer, self.path))
        self._reader = self._connection(partial(self._connect_reader, self.path))

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Lock, check and migrate the file, then connect to it."""
        database = cls(path)
        try:
            await asyncio.to_thread(prepare, database.path)
            with translating(database.path):
                await database._writer
                await database._reader
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Let the write in progress end, then close. Harmless when closed already."""
        async with self._turn:
            try:
                await self._reader.close()
                await self._writer.close()
            finally:
                self._side.close()

    async def write(self, work: Work[T]) -> T:
        """Run `work` as one transaction: all of it happens or, if it raises, nothing. Cancelling cannot split it."""
        async with self._turn:
            # Once on its way, it happens, and what comes next queues behind it on the thread: nothing to wait for.
            return await asyncio.shield(_hop(self._writer, partial(self._transaction, work)))

    async def read(self, work: Work[T]) -> T:
        """Run `work` on one consistent snapshot, without waiting for writes."""
        return await _hop(self._reader, partial(self._snapshot, work))

    def _transaction(self, work: Work[T]) -> T:
        connection = self._writer._conn
        crash_point("store.before_begin")
        with translating(self.path):
            try:
                connection.execute("BEGIN IMMEDIATE")
                crash_point("store.after_begin")
                result = work(connection)
                crash_point("store.before_commit")
                connection.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself after some errors, a full disk among them.
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                raise
        crash_point("store.after_commit")
        return result

    def _snapshot(self, work: Work[T]) -> T:
        connection = self._reader._conn
        with translating(self.path):
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                # An unfinished read would keep the write-ahead log from shrinking.
                connection.execute("ROLLBACK")

    @staticmethod
    def _connection(connector: Callable[[], sqlite3.Connection]) -> aiosqlite.Connection:
        connection = aiosqlite.Connection(connector, iter_chunk_size=64)
        # A process that ends without closing, after an exception say, must end all the same.
        connection._thread.daemon = True
        return connection

    @staticmethod
    def _connect_writer(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
        for pragma in WRITER:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    @staticmethod
    def _connect_reader(path: Path) -> sqlite3.Connection:
        return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=BUSY_SECONDS)


async def _hop(connection: aiosqlite.Connection, work: Callable[[], T]) -> T:
    """Run `work` on the connection's thread: aiosqlite's own way of doing so, which has no public name."""
    result: T = await connection._execute(work)  # type: ignore[no-untyped-call]
    return result
