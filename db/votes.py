"""Votes of the table."""

import sqlite3
from typing import Any

import msgspec

from db.errors import Conflict
from db.part import Part
from db.rows import Vote, columns, marks

VOTES = f"SELECT {columns(Vote)} FROM votes"
JSON = ("subject", "voters", "ayes", "nays")


class Votes(Part):
    async def open_vote(self, vote: Vote) -> Vote:
        """Open the vote and return it with its id; `Conflict` if one about the same is open in the game."""
        sql = f"INSERT INTO votes ({columns(Vote)}) VALUES ({marks(Vote)})"
        values = {**msgspec.structs.asdict(vote), "id": None}
        values |= {name: msgspec.json.encode(values[name], order="sorted").decode() for name in JSON}

        def work(connection: sqlite3.Connection) -> Vote:
            try:
                done = connection.execute(sql, tuple(values.values()))
            except sqlite3.IntegrityError as error:
                if "votes.subject" in str(error):
                    raise Conflict(f"game {vote.game_id} votes on that already") from error
                raise
            return msgspec.structs.replace(vote, id=done.lastrowid)

        return await self._db.write(work)

    async def vote(self, vote_id: int) -> Vote | None:
        """The vote, or None."""
        return await self._db.read(lambda c: _vote(c, vote_id))

    async def votes(self, game_id: int | None = None) -> list[Vote]:
        """The votes of one game or of all that are not closed, oldest first."""
        sql = f"{VOTES} WHERE state <> 'closed' AND (?1 IS NULL OR game_id = ?1) ORDER BY id"
        return await self._db.read(lambda c: [_read(row) for row in c.execute(sql, (game_id,))])

    async def cast_vote(self, vote_id: int, seat: int, *, aye: bool) -> Vote | None:
        """Count the seat's vote, instead of any it has given before; None unless it is open and the seat may vote."""

        def work(connection: sqlite3.Connection) -> Vote | None:
            vote = _vote(connection, vote_id)
            if vote is None or vote.state != "open" or seat not in vote.voters:
                return None
            ayes, nays = ([other for other in side if other != seat] for side in (vote.ayes, vote.nays))
            (ayes if aye else nays).append(seat)
            given = tuple(msgspec.json.encode(side).decode() for side in (ayes, nays))
            connection.execute("UPDATE votes SET ayes = ?, nays = ? WHERE id = ?", (*given, vote_id))
            return msgspec.structs.replace(vote, ayes=tuple(ayes), nays=tuple(nays))

        return await self._db.write(work)

    async def put_off_votes(self, by_ms: int) -> None:
        """Let all open votes end so much later."""
        sql = "UPDATE votes SET expires_ms = expires_ms + ? WHERE state = 'open'"
        await self._db.write(lambda c: c.execute(sql, (by_ms,)).rowcount)

    async def end_vote(self, vote: Vote, state: str) -> bool:
        """Take the vote on to another state; False when it has left the one it is known in."""
        sql = "UPDATE votes SET state = ? WHERE id = ? AND state = ?"
        return await self._db.write(lambda c: c.execute(sql, (state, vote.id, vote.state)).rowcount == 1)


def clear_ballots(connection: sqlite3.Connection, game_id: int, seats: tuple[int, ...]) -> None:
    """What was voted in these seats so far was somebody else's vote."""
    for row in connection.execute(f"{VOTES} WHERE game_id = ? AND state = 'open'", (game_id,)).fetchall():
        vote = _read(row)
        kept = [[seat for seat in side if seat not in seats] for side in (vote.ayes, vote.nays)]
        given = (msgspec.json.encode(side).decode() for side in kept)
        connection.execute("UPDATE votes SET ayes = ?, nays = ? WHERE id = ?", (*given, vote.id))


def _vote(connection: sqlite3.Connection, vote_id: int) -> Vote | None:
    found = connection.execute(f"{VOTES} WHERE id = ?", (vote_id,)).fetchone()
    return None if found is None else _read(found)


def _read(row: tuple[Any, ...]) -> Vote:
    values = dict(zip(Vote.__struct_fields__, row, strict=True))
    values |= {name: msgspec.json.decode(values[name]) for name in JSON}
    return msgspec.convert(values, Vote)
