"""What must still be sent, and what stands in Discord.

A sender takes a row from `due`, calls `attempt`, sends what *that* returns (the row may have been replaced in between)
and calls `sent`. A row with tries is one that may already stand in Discord: it is never replaced, only followed.
"""

import secrets
import sqlite3
from collections.abc import Collection, Iterable

from db.part import Part
from db.rows import NewOutbox, OutboxRow, Slot, columns, many, one
from db.table import put_timing

ROWS = f"SELECT {columns(OutboxRow)} FROM outbox"
SLOTS = f"SELECT {columns(Slot)} FROM slots"
# Rows of one channel, or of one user's DMs, are sent in the order of their ids: only the first is ever due.
HEADS = f"{ROWS} WHERE id IN (SELECT MIN(id) FROM outbox GROUP BY channel_id, user_id)"

# Latest wins; it keeps the place of what it replaces, since what was queued after that may build on it.
INSERT = """
INSERT INTO outbox (game_id, channel_id, user_id, slot, payload, nonce, tries, not_before_ms, created_ms, "delete")
VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
"""
ENQUEUE = f"""{INSERT}
ON CONFLICT (game_id, channel_id, user_id, slot) WHERE tries = 0 DO UPDATE SET
    payload = excluded.payload, nonce = excluded.nonce, not_before_ms = excluded.not_before_ms,
    created_ms = excluded.created_ms, "delete" = excluded."delete"
"""

FILL_SLOT = """
INSERT INTO slots (game_id, slot, channel_id, message_id, created_ms, digest) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (game_id, slot) DO UPDATE SET
    channel_id = excluded.channel_id, digest = excluded.digest, message_id = excluded.message_id,
    created_ms = CASE WHEN message_id = excluded.message_id THEN created_ms ELSE excluded.created_ms END
"""


class Outbox(Part):
    async def queue(self, game_id: int, rows: Iterable[NewOutbox], now_ms: int, *, timing: bytes | None = None) -> None:
        """Queue messages outside a commit: repairs, lobbies. `timing`: what is kept with them of the game's clocks."""
        whole = list(rows)

        def work(connection: sqlite3.Connection) -> None:
            enqueue(connection, game_id, whole, now_ms)
            put_timing(connection, game_id, timing)

        await self._db.write(work)

    async def queue_anew(self, game_id: int, row: NewOutbox, now_ms: int) -> None:
        """Queue what was sent before once more; whatever waits for its slot by now is newer and stays."""
        sql = f"{INSERT} ON CONFLICT DO NOTHING"
        await self._db.write(lambda c: c.execute(sql, values_of(game_id, row, now_ms)).rowcount)

    async def redirect(self, game_id: int, old: int, new: int) -> None:
        """What a game has queued for one channel goes to another, as if it had never been tried."""
        sql = (
            "UPDATE OR REPLACE outbox SET channel_id = ?, tries = 0, first_try_ms = NULL, not_before_ms = 0"
            " WHERE game_id = ? AND channel_id = ?"
        )
        await self._db.write(lambda c: c.execute(sql, (new, game_id, old)).rowcount)

    async def due(self, now_ms: int, limit: int = 100) -> list[OutboxRow]:
        """The first row of each channel whose time has come, oldest first. A first row not yet due holds up its
        channel, no other.
        """
        sql = f"{HEADS} AND not_before_ms <= ? ORDER BY id LIMIT ?"
        return await self._db.read(lambda c: many(OutboxRow, c.execute(sql, (now_ms, limit))))

    async def next_due(self, besides: Collection[tuple[int, int]] = ()) -> int | None:
        """When the next row will be due, maybe in the past, in any place but those (channel, user); None: never."""
        sql = f"SELECT channel_id, user_id, not_before_ms FROM ({HEADS})"

        def work(connection: sqlite3.Connection) -> int | None:
            heads = connection.execute(sql).fetchall()
            return min((when for channel, user, when in heads if (channel, user) not in besides), default=None)

        return await self._db.read(work)

    async def queued(self, game_id: int | None = None) -> list[OutboxRow]:
        """All rows, of one game or of all, in order."""
        sql = f"{ROWS} WHERE ?1 IS NULL OR game_id = ?1 ORDER BY id"
        return await self._db.read(lambda c: many(OutboxRow, c.execute(sql, (game_id,))))

    async def outbox_size(self) -> tuple[int, int | None]:
        """How many rows there are, and when the oldest was queued."""
        sql = "SELECT COUNT(*), MIN(created_ms) FROM outbox"
        found: tuple[int, int | None] = await self._db.read(lambda c: c.execute(sql).fetchone())
        return found

    async def attempt(self, row_id: int, now_ms: int) -> OutboxRow | None:
        """Note that a try begins, and return the row to send; None if it is gone. `tries` counts this one, and
        `first_try_ms` is the time of the first.
        """

        def work(connection: sqlite3.Connection) -> OutboxRow | None:
            connection.execute(
                "UPDATE outbox SET tries = tries + 1, first_try_ms = COALESCE(first_try_ms, ?) WHERE id = ?",
                (now_ms, row_id),
            )
            return one(OutboxRow, connection.execute(f"{ROWS} WHERE id = ?", (row_id,)))

        return await self._db.write(work)

    async def sent(self, row_id: int, message_id: int, digest: str, now_ms: int, channel_id: int | None = None) -> bool:
        """The row's message stands (or is deleted): drop the row and note it in its slot. False if the row is gone.

        `channel_id` is where it stands, for a DM.
        """

        def work(connection: sqlite3.Connection) -> bool:
            row = one(OutboxRow, connection.execute(f"{ROWS} WHERE id = ?", (row_id,)))
            if row is None:
                return False
            connection.execute("DELETE FROM outbox WHERE id = ?", (row_id,))
            if row.delete:
                connection.execute("DELETE FROM slots WHERE game_id = ? AND slot = ?", (row.game_id, row.slot))
            else:
                where = row.channel_id if channel_id is None else channel_id
                connection.execute(FILL_SLOT, (row.game_id, row.slot, where, message_id, now_ms, digest))
            return True

        return await self._db.write(work)

    async def drop(self, row_id: int) -> None:
        """Give the row up: its channel is gone, its user's DMs are closed."""
        await self._db.write(lambda c: c.execute("DELETE FROM outbox WHERE id = ?", (row_id,)).rowcount)

    async def later(self, row_id: int, not_before_ms: int) -> None:
        """Try the row again then, and nothing behind it in its channel before."""
        sql = "UPDATE outbox SET not_before_ms = ? WHERE id = ?"
        await self._db.write(lambda c: c.execute(sql, (not_before_ms, row_id)).rowcount)

    async def slot(self, game_id: int, slot: str) -> Slot | None:
        """The message that stands for the slot, or None."""
        sql = f"{SLOTS} WHERE game_id = ? AND slot = ?"
        return await self._db.read(lambda c: one(Slot, c.execute(sql, (game_id, slot))))

    async def slots(self, game_id: int) -> list[Slot]:
        """All messages that stand for the game, oldest first."""
        sql = f"{SLOTS} WHERE game_id = ? ORDER BY message_id"
        return await self._db.read(lambda c: many(Slot, c.execute(sql, (game_id,))))

    async def forget_slot(self, game_id: int, slot: str, message_id: int | None = None) -> bool:
        """The slot's message is gone: the next one is sent anew. False when it is forgotten already, or another message
        than that one stands there by now."""
        sql = "DELETE FROM slots WHERE game_id = ?1 AND slot = ?2 AND (?3 IS NULL OR message_id = ?3)"
        return await self._db.write(lambda c: c.execute(sql, (game_id, slot, message_id)).rowcount) > 0


def enqueue(connection: sqlite3.Connection, game_id: int, rows: Iterable[NewOutbox], now_ms: int) -> None:
    """Queue the messages in this transaction."""
    connection.executemany(ENQUEUE, [values_of(game_id, row, now_ms) for row in rows])


def values_of(game_id: int, row: NewOutbox, now_ms: int) -> tuple[object, ...]:
    """What is inserted for a new row."""
    # Random, not counted: a database put back from a backup must not repeat the nonces of what it forgot.
    nonce = row.nonce or secrets.token_hex(12)
    place = (game_id, row.channel_id, row.user_id, row.slot)
    return (*place, row.payload, nonce, row.not_before_ms, now_ms, row.delete)
