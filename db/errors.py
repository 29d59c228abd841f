"""What the store raises. Everything else that comes out of it is a bug."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(Exception):
    """The base of all errors of the store."""


class AlreadyRunning(StoreError):
    """Another process has this database open."""


class NewerDatabase(StoreError):
    """The file was written by a newer version of the bot."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} has database version {found}, but this version of the bot knows only up to {known}. "
            "Update the bot, or restore a backup taken before the update. Nothing was changed."
        )
        self.found = found
        self.known = known


class CorruptDatabase(StoreError):
    """The file is damaged, or is no database of ours."""


class DiskFull(StoreError):
    """There was no room; the transaction was rolled back."""


class AlreadyApplied(StoreError):
    """This interaction has had its effect before; nothing was changed."""


class Conflict(StoreError):
    """The game is no longer as the caller believed; nothing was changed."""


class NotFound(StoreError, LookupError):
    """No such game, member or checkpoint."""


@contextmanager
def translating(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about the file or the disk into ours; leave the others as they are."""
    try:
        yield
    except sqlite3.Error as error:
        match getattr(error, "sqlite_errorcode", 0) & 0xFF:
            case sqlite3.SQLITE_FULL:
                raise DiskFull(f"No room left for {path}: {error}. Nothing was changed.") from error
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                raise CorruptDatabase(f"{path} is damaged ({error}). Restore a backup.") from error
        raise
