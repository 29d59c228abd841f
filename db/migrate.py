"""Bringing a file to the newest version."""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from db.backup import copy
from db.errors import StoreError, translating
from db.schema import inspect, keep_private, migrations, touch_private


def prepare(path: Path) -> None:
    """Check the file and migrate it, after a backup if it holds anything. Each migration is all or nothing."""
    scripts = migrations()
    with suppress(OSError):  # SQLite says what is wrong
        touch_private(path)
    with translating(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        version = inspect(connection, path)
        if 0 < version < len(scripts):
            stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
            copy(path, path.with_name(f"{path.name}.before-migration-{version}-{stamp}"))
            keep_private(path)
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise StoreError(f"{path} must lie on a local disk: its file system has no shared memory.")
        connection.execute("PRAGMA synchronous = FULL")
        for number, script in enumerate(scripts[version:], start=version + 1):
            _migrate(connection, number, script)


def _migrate(connection: sqlite3.Connection, number: int, script: str) -> None:
    # Foreign keys are off here: rebuilding a table would otherwise count as deleting its rows.
    try:
        connection.executescript("BEGIN IMMEDIATE;\n" + script)
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise RuntimeError(f"migration {number} leaves broken references: {broken[:3]}")
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
