"""Games and members."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypedDict, Unpack

import msgspec

from db.errors import Conflict, NotFound
from db.part import Part, apply_once
from db.rows import Game, Member, Status, columns, many, marks, one

GAMES = f"SELECT {columns(Game)} FROM games"
MEMBERS = f"SELECT {columns(Member)} FROM members"
PUT_MEMBER = f"INSERT OR REPLACE INTO members ({columns(Member)}) VALUES ({marks(Member)})"


class GameChanges(TypedDict, total=False):
    """What of a game can be changed."""

    guild_id: int | None
    home_channel_id: int
    channel_id: int | None
    host_id: int
    status: Status
    options: bytes
    secret: bytes
    header: bytes
    position: bytes
    result: bytes


class MemberChanges(TypedDict, total=False):
    """What of a member can be changed."""

    user_id: int | None
    kind: str
    bot: str
    name: str
    preference: str
    salt: str
    dm_closed: bool
    kept_for: int | None


class Games(Part):
    async def create_game(
        self,
        *,
        key: str,
        guild_id: int | None,
        home_channel_id: int,
        host_id: int,
        options: bytes,
        secret: bytes,
        now_ms: int,
        channel_id: int | None = None,
        members: Iterable[Member] = (),
        interaction_id: int | None = None,
    ) -> int:
        """Open a lobby and return the game's id. The members' own game_id is ignored.

        `AlreadyApplied` if the interaction has created it before, `Conflict` if the channel has an open game.
        """

        def work(connection: sqlite3.Connection) -> int:
            apply_once(connection, interaction_id, now_ms)
            game = (key, guild_id, home_channel_id, channel_id, host_id, options, secret, now_ms, now_ms)
            with one_open_game_a_channel():
                done = connection.execute(
                    "INSERT INTO games (key, guild_id, home_channel_id, channel_id, host_id, status,"
                    " options, secret, header, position, created_ms, updated_ms, result)"
                    " VALUES (?, ?, ?, ?, ?, 'lobby', ?, ?, x'', x'', ?, ?, x'')",
                    game,
                )
            game_id = done.lastrowid
            assert game_id is not None
            put_members(connection, game_id, (msgspec.structs.replace(m, game_id=game_id) for m in members))
            return game_id

        return await self._db.write(work)

    async def update_game(
        self,
        game_id: int,
        *,
        now_ms: int,
        if_status: Status | None = None,
        if_updated_ms: int | None = None,
        **changes: Unpack[GameChanges],
    ) -> Game:
        """Change some fields and return the game as it is then.

        `NotFound` without such a game, `Conflict` if its status isn't `if_status`, it was changed since `if_updated_ms`, or
        its new channel has an open game.
        """

        def work(connection: sqlite3.Connection) -> Game:
            status = status_of(connection, game_id)
            if if_status not in (None, status):
                raise Conflict(f"game {game_id} is {status}, not {if_status}")
            sql = "SELECT updated_ms FROM games WHERE id = ?"
            if if_updated_ms not in (None, *connection.execute(sql, (game_id,)).fetchone()):
                raise Conflict(f"game {game_id} has changed meanwhile")
            with one_open_game_a_channel():
                _update(connection, "games", {**changes, "updated_ms": now_ms}, {"id": game_id})
            game = one(Game, connection.execute(f"{GAMES} WHERE id = ?", (game_id,)))
            assert game is not None
            return game

        return await self._db.write(work)

    async def game(self, game_id: int) -> Game | None:
        """The game, or None."""
        return await self._db.read(lambda c: one(Game, c.execute(f"{GAMES} WHERE id = ?", (game_id,))))

    async def game_in_channel(self, channel_id: int, *, played: bool = False) -> Game | None:
        """The game whose own channel this is: the open one, else the last there was. `played`: of those that run or
        have been played to the end."""
        sql = (
            f"{GAMES} WHERE channel_id = ?1 AND (NOT ?2 OR status IN ('running', 'ended'))"
            " ORDER BY status IN ('lobby', 'running') DESC, id DESC LIMIT 1"
        )
        return await self._db.read(lambda c: one(Game, c.execute(sql, (channel_id, played))))

    async def games(
        self, status: Status | None = None, guild_id: int | None = None, user_id: int | None = None
    ) -> list[Game]:
        """The games of that status, in that server, in which that user has a seat; oldest first."""
        sql = (
            f"{GAMES} WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR guild_id = ?2)"
            " AND (?3 IS NULL OR id IN (SELECT game_id FROM members WHERE user_id = ?3)) ORDER BY id"
        )
        return await self._db.read(lambda c: many(Game, c.execute(sql, (status, guild_id, user_id))))

    async def members(self, game_id: int) -> list[Member]:
        """Who sits there, in order of seats."""
        return await self._db.read(lambda c: members_of(c, game_id))

    async def update_member(self, game_id: int, seat: int, **changes: Unpack[MemberChanges]) -> None:
        """Change some fields of whoever has the seat; `NotFound` if nobody has."""

        def work(connection: sqlite3.Connection) -> None:
            if not _update(connection, "members", changes, {"game_id": game_id, "seat": seat}):
                raise NotFound(f"game {game_id} has no seat {seat}")

        await self._db.write(work)

    async def set_members(
        self, game_id: int, members: Iterable[Member], *, now_ms: int = 0, interaction_id: int | None = None
    ) -> None:
        """Replace the whole table: for joining, leaving, swapping and renumbering at once. `Conflict` if the game does not
        wait for players (any more)."""
        whole = list(members)

        def work(connection: sqlite3.Connection) -> None:
            if (status := status_of(connection, game_id)) != "lobby":
                raise Conflict(f"game {game_id} is {status}, not in its lobby")
            apply_once(connection, interaction_id, now_ms)
            connection.execute("UPDATE games SET updated_ms = MAX(updated_ms, ?) WHERE id = ?", (now_ms, game_id))
            connection.execute("DELETE FROM members WHERE game_id = ?", (game_id,))
            put_members(connection, game_id, whole)

        await self._db.write(work)


@contextmanager
def one_open_game_a_channel() -> Iterator[None]:
    """Turn a breach of the index of that name into `Conflict`."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if "games.channel_id" in str(error):
            raise Conflict("the channel has an open game already") from error
        raise


def status_of(connection: sqlite3.Connection, game_id: int) -> Status:
    """The game's status, or `NotFound`."""
    found = connection.execute("SELECT status FROM games WHERE id = ?", (game_id,)).fetchone()
    if found is None:
        raise NotFound(f"there is no game {game_id}")
    status: Status = found[0]
    return status


def members_of(connection: sqlite3.Connection, game_id: int) -> list[Member]:
    """Who sits in the game, in order of seats."""
    return many(Member, connection.execute(f"{MEMBERS} WHERE game_id = ? ORDER BY seat", (game_id,)))


def put_members(connection: sqlite3.Connection, game_id: int, members: Iterable[Member]) -> None:
    """Write each member into his seat."""
    for member in members:
        if member.game_id != game_id:
            raise ValueError(f"{member} is not of game {game_id}")
        connection.execute(PUT_MEMBER, msgspec.structs.astuple(member))


def _update(connection: sqlite3.Connection, table: str, changes: Mapping[str, object], key: Mapping[str, int]) -> bool:
    """Set the named columns of one row; False if there is no such row. Names come from our own TypedDicts only."""
    to = ", ".join(f"{name} = ?" for name in changes)
    where = " AND ".join(f"{name} = ?" for name in key)
    values = (*changes.values(), *key.values())
    return connection.execute(f"UPDATE {table} SET {to} WHERE {where}", values).rowcount == 1
