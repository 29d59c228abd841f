"""The numbered migrations, and the check every file passes before anything is done with it."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from db.errors import CorruptDatabase, NewerDatabase, translating

FOLDER = Path(__file__).parent / "migrations"
APPLICATION_ID = 0x42474231


def migrations() -> list[str]:
    """The migrations' SQL in order: the first makes version 1 of an empty file."""
    files = sorted(FOLDER.glob("*.sql"))
    if not files or [int(file.name[:4]) for file in files] != list(range(1, len(files) + 1)):
        raise RuntimeError(f"the files in {FOLDER} are not numbered 0001, 0002, ...")
    return [file.read_text(encoding="utf-8") for file in files]


def inspect(connection: sqlite3.Connection, path: Path, *, thorough: bool = False) -> int:
    """The file's version (0: empty), or an error that says why the bot must not touch it. Changes nothing.

    Only a thorough look compares each index with its table; it takes several times as long.
    """
    known = len(migrations())
    with translating(path):
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (objects,) = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        if version == application == objects == 0:
            return 0
        if application != APPLICATION_ID:
            raise CorruptDatabase(f"{path} is not a database of this bot.")
        if version > known:
            raise NewerDatabase(path, version, known)
        (verdict,) = connection.execute(f"PRAGMA {'integrity' if thorough else 'quick'}_check(1)").fetchone()
        if verdict == "ok" and thorough and connection.execute("PRAGMA foreign_key_check").fetchone():
            verdict = "a row refers to one that is missing"
    if verdict != "ok":
        raise CorruptDatabase(f"{path} is damaged ({verdict}). Restore a backup.")
    return int(version)


def touch_private(path: Path) -> None:
    """Make the file if it is not there, for its owner alone: it will hold hands and secrets. SQLite has what it puts
    beside a database be as this is."""
    if not path.exists():
        path.touch(mode=0o600)


def keep_private(path: Path) -> None:
    """Take from all but its owner what earlier versions let them read: the file, and what SQLite has put beside it."""
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with suppress(OSError):  # it is not there, or somebody else's
            file.chmod(file.stat().st_mode & 0o700)
