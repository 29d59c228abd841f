"""Copies of the database: taken while the bot runs, rotated, and put back."""

import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from db.errors import NotFound, StoreError, translating
from db.lock import lock
from db.schema import inspect, touch_private

PAGES_A_STEP = 256


def connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection that cannot change the file; an error if there is none."""
    if not path.is_file():
        raise NotFound(f"There is no file {path}.")
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)


def copy(source: Path, target: Path, stop: Callable[[], bool] = lambda: False) -> None:
    """Copy the database as it is at this moment into the file `target`, which appears whole or not at all.

    The copy reads one snapshot of the write-ahead log, so writers neither wait for it nor make it start again.
    """
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)

    def progress(status: int, remaining: int, total: int) -> None:
        if stop():
            raise StoreError("The backup was stopped.")

    try:
        with translating(source), closing(connect_read_only(source)) as old:
            old.execute("BEGIN")
            inspect(old, source)
            touch_private(part)
            with translating(part), closing(sqlite3.connect(part, isolation_level=None)) as new:
                old.backup(new, pages=PAGES_A_STEP, progress=progress)
                new.execute("PRAGMA journal_mode = DELETE")  # one file, readable from anywhere
                inspect(new, part)
        os.replace(part, target)
        sync(target.parent)
    finally:
        part.unlink(missing_ok=True)


def rotate(source: Path, folder: Path, keep: int, now_ms: int, stop: Callable[[], bool] = lambda: False) -> Path:
    """Copy into `folder` under a name with the time; of such copies only the newest `keep` are left."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now_ms // 1000))
    target = folder / f"{source.stem}-{stamp}-{now_ms % 1000:03}.backup"
    copy(source, target, stop)
    ours = re.compile(re.escape(source.stem) + r"-\d{8}-\d{6}-\d{3}\.backup")
    # The new one is not among these, whatever a clock set back has called it.
    older = sorted(file for file in folder.iterdir() if ours.fullmatch(file.name) and file != target)
    for file in older[: max(len(older) - keep + 1, 0)]:
        file.unlink()
    return target


def restore(backup: Path, path: Path) -> Path | None:
    """Put a backup in the place of the database, which no process may have open. The old files are kept beside it.

    Returns the folder they were moved to, None if there were none.
    """
    path = path.resolve()
    with closing(lock(path)):
        fresh = path.with_name(f"{path.name}.restored")
        copy(backup, fresh)
        # The write-ahead log goes first: left behind, it would be applied to the file that doesn't belong to it.
        old = [file for end in ("-wal", "-shm", "") if (file := Path(f"{path}{end}")).exists()]
        aside = path.with_name(f"{path.name}.replaced-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
        if old:
            aside.mkdir()
        for file in old:
            os.replace(file, aside / file.name)
        os.replace(fresh, path)
        sync(path.parent)
    return aside if old else None


def check(path: Path) -> str:
    """Look at every page, index and reference of the file; return a line about what it holds."""
    with translating(path), closing(connect_read_only(path)) as connection:
        version = inspect(connection, path, thorough=True)
        if version == 0:
            return f"{path}: empty"
        (games,) = connection.execute("SELECT COUNT(*) FROM games").fetchone()
        (running,) = connection.execute("SELECT COUNT(*) FROM games WHERE status = 'running'").fetchone()
        return f"{path}: sound, version {version}, {games} games, {running} of them running"


def report(path: Path, report_id: str) -> bytes:
    """What reproduces the fault with that id; `NotFound` names those there are."""
    with translating(path), closing(connect_read_only(path)) as connection:
        inspect(connection, path)
        found = connection.execute("SELECT data FROM reports WHERE id = ?", (report_id,)).fetchone()
        ids = [row[0] for row in connection.execute("SELECT id FROM reports ORDER BY created_ms")]
    if found is None:
        raise NotFound(f"{path} has no report {report_id}; there are: {', '.join(ids) or 'none'}")
    return bytes(found[0])


def sync(folder: Path) -> None:
    """Make a renaming in the folder outlast a power cut, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
