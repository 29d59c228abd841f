"""What the parts of the store have in common."""

import sqlite3

from db.connection import Database
from db.errors import AlreadyApplied


class Part:
    """A group of the store's methods, working on the one database."""

    _db: Database


def apply_once(connection: sqlite3.Connection, interaction_id: int | None, now_ms: int) -> None:
    """Note that the interaction has its effect in this transaction, or raise `AlreadyApplied`."""
    if interaction_id is None:
        return
    sql = "INSERT INTO interactions (id, applied_ms) VALUES (?, ?) ON CONFLICT DO NOTHING"
    done = connection.execute(sql, (interaction_id, now_ms))
    if done.rowcount == 0:
        raise AlreadyApplied(f"interaction {interaction_id} has been applied before")
