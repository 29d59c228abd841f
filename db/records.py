"""Games that were played to their end, and who has sat in them."""

import sqlite3
from itertools import groupby
from operator import attrgetter

import msgspec

from db.part import Part
from db.rows import columns, many

ENDED = "SELECT id, key, guild_id, ended_ms, result FROM games WHERE ended_ms IS NOT NULL"


class Seating(msgspec.Struct, frozen=True, array_like=True):
    """Somebody who has sat in a seat from record `seq` on, until the next one there."""

    game_id: int
    seat: int
    seq: int
    user_id: int | None  # None: a bot player, or a person who wanted to be forgotten
    kind: str


class Ended(msgspec.Struct, frozen=True):
    """A game that was played to its end; abandoned ones are none. `seatings` by seat and record."""

    id: int
    key: str
    guild_id: int | None
    ended_ms: int
    result: bytes
    seatings: tuple[Seating, ...]


class Records(Part):
    async def seatings(self, game_id: int) -> list[Seating]:
        """Who has sat in that game, by seat and record."""
        sql = f"SELECT {columns(Seating)} FROM seatings WHERE game_id = ? ORDER BY seat, seq"
        return await self._db.read(lambda c: many(Seating, c.execute(sql, (game_id,))))

    async def ended(self, *, guild_id: int | None = None, user_id: int | None = None) -> list[Ended]:
        """The games played to their end, in the order in which they ended: all, those of that server, those in which
        that person has sat at any time.
        """
        where = (
            "(?1 IS NULL OR guild_id = ?1) AND (?2 IS NULL OR id IN (SELECT game_id FROM seatings WHERE user_id = ?2))"
        )

        def work(connection: sqlite3.Connection) -> list[Ended]:
            games = connection.execute(f"{ENDED} AND {where} ORDER BY ended_ms, id", (guild_id, user_id)).fetchall()
            sql = (
                f"SELECT {columns(Seating)} FROM seatings WHERE game_id IN"
                f" (SELECT id FROM games WHERE ended_ms IS NOT NULL AND {where}) ORDER BY game_id, seat, seq"
            )
            seatings = many(Seating, connection.execute(sql, (guild_id, user_id)))
            of = {game: tuple(found) for game, found in groupby(seatings, attrgetter("game_id"))}
            return [Ended(id, key, guild, when, result, of.get(id, ())) for id, key, guild, when, result in games]

        return await self._db.read(work)
