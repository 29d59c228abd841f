"""The log of each game, and what is derived from it."""

import sqlite3
from collections.abc import Sequence

from db.errors import Conflict, NotFound
from db.games import GAMES, members_of, one_open_game_a_channel, put_members, status_of
from db.outbox import enqueue
from db.part import Part, apply_once
from db.rows import Commit, Game, Loaded, NewOutbox, one
from db.seats import clear_invitations
from db.spectators import LOOK, TURN
from db.table import put_timing
from db.votes import clear_ballots

LENGTH = "SELECT COALESCE(MAX(seq) + 1, 0) FROM records WHERE game_id = ?"
PUT_RECORD = "INSERT INTO records (game_id, seq, data) VALUES (?, ?, ?)"
# An upgraded checkpoint takes the place of the one it was made from.
PUT_CHECKPOINT = "INSERT OR REPLACE INTO checkpoints (game_id, seq, data) VALUES (?, ?, ?)"
PUT_EVENT = "INSERT INTO events (game_id, seq, n, data) VALUES (?, ?, ?, ?)"


class Log(Part):
    async def start(
        self,
        game_id: int,
        *,
        header: bytes,
        position: bytes,
        checkpoint: bytes,
        records: Sequence[tuple[int, bytes]] = (),
        events: Sequence[tuple[int, int, bytes]] = (),
        outbox: Sequence[NewOutbox] = (),
        timing: bytes | None = None,
        interaction_id: int | None = None,
        now_ms: int,
    ) -> None:
        """Turn the lobby into a running game, with the records (seq from 0, data) and checkpoint 0 that setup made.

        `AlreadyApplied` if the interaction has had its effect, `Conflict` if the game isn't in its lobby.
        """

        def work(connection: sqlite3.Connection) -> None:
            status = status_of(connection, game_id)
            apply_once(connection, interaction_id, now_ms)
            if status != "lobby":
                raise Conflict(f"game {game_id} is {status}, not in its lobby")
            connection.executemany(PUT_RECORD, [(game_id, *record) for record in records])
            connection.execute(PUT_CHECKPOINT, (game_id, 0, checkpoint))
            connection.execute(TURN, (game_id, 0, 1))
            connection.executemany(PUT_EVENT, [(game_id, *event) for event in events])
            enqueue(connection, game_id, outbox, now_ms)
            put_timing(connection, game_id, timing)
            connection.execute(
                "UPDATE games SET status = 'running', header = ?, position = ?, updated_ms = ? WHERE id = ?",
                (header, position, now_ms, game_id),
            )

        await self._db.write(work)

    async def commit(self, commit: Commit) -> None:
        """Apply everything an accepted answer changes; when this returns, it is durable.

        `AlreadyApplied` if the interaction has had its effect; `Conflict` if the log has another length than expected
        or the game is neither running nor ended (an end can be undone). Nothing has changed then.
        """
        await self._db.write(lambda connection: _apply(connection, commit))

    async def load(self, game_id: int, base: int | None = None, tail: Sequence[int] | None = None) -> Loaded:
        """What it takes to open a game: its checkpoint `base` (None: the last) and the records numbered in `tail`
        (None: all after `base`), in that order. `NotFound` if one of them is missing.
        """

        def work(connection: sqlite3.Connection) -> Loaded:
            game = one(Game, connection.execute(f"{GAMES} WHERE id = ?", (game_id,)))
            found = _checkpoint(connection, game_id, base)
            if game is None or found is None or base not in (None, found[0]):
                raise NotFound(f"game {game_id} has no checkpoint {'' if base is None else base}")
            length = _length(connection, game_id)
            wanted = range(found[0] + 1, length) if tail is None else tail
            records = _records(connection, game_id, min(wanted, default=0), max(wanted, default=-1))
            try:
                ordered = [(seq, records[seq]) for seq in wanted]
            except KeyError as error:
                raise NotFound(f"game {game_id} has no record {error}") from None
            return Loaded(game, members_of(connection, game_id), *found, length, ordered)

        return await self._db.read(work)

    async def length(self, game_id: int) -> int:
        """How many records the log holds."""
        return await self._db.read(lambda c: _length(c, game_id))

    async def records(self, game_id: int, first: int = 0, last: int | None = None) -> list[tuple[int, bytes]]:
        """The records from `first` to `last`, both included, as (seq, data)."""
        return list((await self._db.read(lambda c: _records(c, game_id, first, last))).items())

    async def checkpoint(self, game_id: int, at_or_before: int | None = None) -> tuple[int, bytes] | None:
        """The last checkpoint (seq, data) made at or before that record; without one, the last of all."""
        return await self._db.read(lambda c: _checkpoint(c, game_id, at_or_before))

    async def checkpoints(self, game_id: int) -> list[int]:
        """The seqs of all checkpoints, ascending."""
        sql = "SELECT seq FROM checkpoints WHERE game_id = ? ORDER BY seq"
        return await self._db.read(lambda c: [seq for (seq,) in c.execute(sql, (game_id,)).fetchall()])

    async def events(self, game_id: int, first: int, last: int | None = None) -> list[tuple[int, int, bytes]]:
        """The events (seq, n, data) from seq `first` to `last`, both included, in order."""
        sql = (
            "SELECT seq, n, data FROM events WHERE game_id = ?1 AND seq >= ?2 AND (?3 IS NULL OR seq <= ?3)"
            " ORDER BY seq, n"
        )
        return await self._db.read(lambda c: c.execute(sql, (game_id, first, last)).fetchall())

    async def seen(self, interaction_id: int) -> bool:
        """Whether the interaction has had its effect."""
        sql = "SELECT 1 FROM interactions WHERE id = ?"
        return await self._db.read(lambda c: c.execute(sql, (interaction_id,)).fetchone() is not None)

    async def forget_interactions(self, before_ms: int) -> int:
        """Forget those applied before; how many. Discord repeats none once its token is dead, after 15 minutes."""
        sql = "DELETE FROM interactions WHERE applied_ms < ?"
        return await self._db.write(lambda c: c.execute(sql, (before_ms,)).rowcount)


def _apply(connection: sqlite3.Connection, commit: Commit) -> None:
    game_id = commit.game_id
    status = status_of(connection, game_id)
    apply_once(connection, commit.interaction_id, commit.now_ms)
    if status not in ("running", "ended"):
        raise Conflict(f"game {game_id} is {status}")
    length = _length(connection, game_id)
    if length != commit.expected:
        raise Conflict(f"the log of game {game_id} holds {length} records, not {commit.expected}")
    connection.executemany(PUT_RECORD, [(game_id, *record) for record in commit.records])
    connection.executemany(PUT_CHECKPOINT, [(game_id, *checkpoint) for checkpoint in commit.checkpoints])
    connection.executemany(PUT_EVENT, [(game_id, *event) for event in commit.events])
    enqueue(connection, game_id, commit.outbox, commit.now_ms)
    put_timing(connection, game_id, commit.timing)
    put_members(connection, game_id, commit.members)
    if commit.turn is not None:
        connection.execute(TURN, (game_id, *commit.turn))
    if commit.looked is not None:
        connection.execute(LOOK, (game_id, commit.looked, commit.expected + len(commit.records)))
    changed = tuple(member.seat for member in commit.members)
    clear_invitations(connection, game_id, changed)
    if changed:
        clear_ballots(connection, game_id, changed)
    connection.executemany(
        "DELETE FROM drafts WHERE game_id = ? AND seat = ?", [(game_id, seat) for seat in commit.clear_drafts]
    )
    if commit.clear_undo:
        connection.execute("DELETE FROM undo_requests WHERE game_id = ?", (game_id,))
    with one_open_game_a_channel():
        connection.execute(
            "UPDATE games SET position = ?, status = COALESCE(?, status), result = COALESCE(?, result), updated_ms = ?"
            " WHERE id = ?",
            (commit.position, commit.status, commit.result, commit.now_ms, game_id),
        )


def _length(connection: sqlite3.Connection, game_id: int) -> int:
    (length,) = connection.execute(LENGTH, (game_id,)).fetchone()
    return int(length)


def _records(connection: sqlite3.Connection, game_id: int, first: int, last: int | None) -> dict[int, bytes]:
    sql = "SELECT seq, data FROM records WHERE game_id = ?1 AND seq >= ?2 AND (?3 IS NULL OR seq <= ?3) ORDER BY seq"
    return dict(connection.execute(sql, (game_id, first, last)).fetchall())


def _checkpoint(connection: sqlite3.Connection, game_id: int, at_or_before: int | None) -> tuple[int, bytes] | None:
    sql = "SELECT seq, data FROM checkpoints WHERE game_id = ?1 AND (?2 IS NULL OR seq <= ?2) ORDER BY seq DESC LIMIT 1"
    found: tuple[int, bytes] | None = connection.execute(sql, (game_id, at_or_before)).fetchone()
    return found
