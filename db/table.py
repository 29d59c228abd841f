"""What lies on the table beside the game, and small things that outlive a restart."""

import json
import sqlite3

from db.errors import Conflict
from db.part import Part
from db.rows import Draft, Report, UndoRequest, columns, one

DRAFTS = f"SELECT {columns(Draft)} FROM drafts"
REPORTS = f"SELECT {columns(Report)} FROM reports"
UNDOS = f"SELECT {columns(UndoRequest)} FROM undo_requests"


class Table(Part):
    async def draft(self, game_id: int, seat: int) -> Draft | None:
        """The seat's half-made selection, or None. It may be for a question that has gone: compare its number."""
        sql = f"{DRAFTS} WHERE game_id = ? AND seat = ?"
        return await self._db.read(lambda c: one(Draft, c.execute(sql, (game_id, seat))))

    async def set_draft(self, game_id: int, seat: int, question: int, data: bytes) -> None:
        """Keep the seat's half-made selection, instead of any before."""
        sql = f"INSERT OR REPLACE INTO drafts ({columns(Draft)}) VALUES (?, ?, ?, ?)"
        await self._db.write(lambda c: c.execute(sql, (game_id, seat, question, data)).rowcount)

    async def undo_request(self, game_id: int) -> UndoRequest | None:
        """The game's open request, or None."""
        return await self._db.read(lambda c: _undo_request(c, game_id))

    async def set_undo_request(self, request: UndoRequest) -> None:
        """Open a request; `Conflict` if the game has one already."""
        sql = f"INSERT INTO undo_requests ({columns(UndoRequest)}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        r = request
        values = (r.game_id, r.seat, r.to_seq, r.head_seq, json.dumps(r.needed), json.dumps(r.consents), r.created_ms)

        def work(connection: sqlite3.Connection) -> None:
            if connection.execute(sql, values).rowcount == 0:
                raise Conflict(f"game {r.game_id} has an open undo request")

        await self._db.write(work)

    async def consent(self, game_id: int, seat: int) -> UndoRequest | None:
        """Add the seat's consent and return the request as it is then; None if there is none."""

        def work(connection: sqlite3.Connection) -> UndoRequest | None:
            request = _undo_request(connection, game_id)
            if request is not None and seat not in request.consents:
                consents = json.dumps([*request.consents, seat])
                connection.execute("UPDATE undo_requests SET consents = ? WHERE game_id = ?", (consents, game_id))
            return _undo_request(connection, game_id)

        return await self._db.write(work)

    async def clear_undo_request(self, game_id: int) -> None:
        """Close the game's request. `Commit.clear_undo` does so together with the undo itself."""
        await self._db.write(lambda c: c.execute("DELETE FROM undo_requests WHERE game_id = ?", (game_id,)).rowcount)

    async def timing(self, game_id: int) -> bytes | None:
        """The game's pace and how its clocks stand, or None."""

        def work(connection: sqlite3.Connection) -> bytes | None:
            found = connection.execute("SELECT data FROM timings WHERE game_id = ?", (game_id,)).fetchone()
            return None if found is None else bytes(found[0])

        return await self._db.read(work)

    async def set_timing(self, game_id: int, data: bytes) -> None:
        """Keep them outside a commit."""
        await self._db.write(lambda c: put_timing(c, game_id, data))

    async def add_report(self, report_id: str, game_id: int | None, data: bytes, now_ms: int) -> None:
        """Keep what reproduces a fault."""
        sql = f"INSERT INTO reports ({columns(Report)}) VALUES (?, ?, ?, ?)"
        await self._db.write(lambda c: c.execute(sql, (report_id, game_id, data, now_ms)).rowcount)

    async def report(self, report_id: str) -> Report | None:
        """The report, or None."""
        return await self._db.read(lambda c: one(Report, c.execute(f"{REPORTS} WHERE id = ?", (report_id,))))

    async def settings(self, user_id: int) -> dict[str, str]:
        """All of a user's settings."""
        sql = "SELECT key, value FROM settings WHERE user_id = ? ORDER BY key"
        return dict(await self._db.read(lambda c: c.execute(sql, (user_id,)).fetchall()))

    async def set_setting(self, user_id: int, key: str, value: str | None) -> None:
        """Set one of a user's settings; None forgets it."""
        await self._db.write(lambda c: _put(c, "settings", {"user_id": user_id, "key": key}, value))

    async def meta(self, key: str) -> str | None:
        """What the bot noted under that key, or None."""

        def work(connection: sqlite3.Connection) -> str | None:
            found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
            return None if found is None else str(found[0])

        return await self._db.read(work)

    async def set_meta(self, key: str, value: str | None) -> None:
        """Note something under that key; None forgets it."""
        await self._db.write(lambda c: _put(c, "meta", {"key": key}, value))


def put_timing(connection: sqlite3.Connection, game_id: int, data: bytes | None) -> None:
    """Keep a game's timing in this transaction; None: there is nothing new."""
    if data is not None:
        connection.execute("INSERT OR REPLACE INTO timings (game_id, data) VALUES (?, ?)", (game_id, data))


def _undo_request(connection: sqlite3.Connection, game_id: int) -> UndoRequest | None:
    found = connection.execute(f"{UNDOS} WHERE game_id = ?", (game_id,)).fetchone()
    if found is None:
        return None
    game, seat, to_seq, head_seq, needed, consents, created_ms = found
    return UndoRequest(game, seat, to_seq, head_seq, tuple(json.loads(needed)), tuple(json.loads(consents)), created_ms)


def _put(connection: sqlite3.Connection, table: str, key: dict[str, int | str], value: str | None) -> None:
    where = " AND ".join(f"{name} = ?" for name in key)
    connection.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))
    if value is not None:
        names = ", ".join((*key, "value"))
        marks = ", ".join("?" for _ in (*key, value))
        connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", (*key.values(), value))
