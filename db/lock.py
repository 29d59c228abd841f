"""One process at a time."""

import sqlite3
from pathlib import Path

from db.errors import AlreadyRunning


def lock(path: Path) -> sqlite3.Connection:
    """Hold the database for this process until the returned connection is closed, or raise `AlreadyRunning`.

    An operating-system lock on a side file, rather than a row with an expiry: a killed process frees it at once, a
    suspended or slow one never loses it, and no clock or timer has a part in it. SQLite takes the lock for us, which
    works on every system. Unlike a `flock` it isn't inherited, so a worker process that outlives us keeps nobody out.
    """
    side = sqlite3.connect(f"{path}.lock", isolation_level=None, timeout=0, check_same_thread=False)
    try:
        side.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        side.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise AlreadyRunning(f"{path} is in use by another process: is the bot running already?") from None
    return side
