"""Those who watch a game."""

import sqlite3

import msgspec

from db.outbox import enqueue
from db.part import Part
from db.rows import Follower, NewOutbox, columns, many, marks, one

FOLLOWERS = f"SELECT {columns(Follower)} FROM followers"
LOOK = "INSERT OR REPLACE INTO looks (game_id, user_id, seq) VALUES (?, ?, ?)"
TURN = "INSERT OR REPLACE INTO turns (game_id, first, number) VALUES (?, ?, ?)"


class Spectators(Part):
    async def followers(self, game_id: int | None = None) -> list[Follower]:
        """The followers of a game; of all games."""
        sql = f"{FOLLOWERS} WHERE ?1 IS NULL OR game_id = ?1 ORDER BY game_id, user_id"
        return await self._db.read(lambda c: many(Follower, c.execute(sql, (game_id,))))

    async def follower(self, game_id: int, user_id: int) -> Follower | None:
        """This person as a follower, or None."""
        sql = f"{FOLLOWERS} WHERE game_id = ? AND user_id = ?"
        return await self._db.read(lambda c: one(Follower, c.execute(sql, (game_id, user_id))))

    async def follow(self, follower: Follower) -> None:
        """Have this person told, instead of any wish of his before."""
        sql = f"INSERT OR REPLACE INTO followers ({columns(Follower)}) VALUES ({marks(Follower)})"
        await self._db.write(lambda c: c.execute(sql, msgspec.structs.astuple(follower)).rowcount)

    async def unfollow(self, game_id: int, user_id: int) -> bool:
        """Have this person told no more; False if he was not."""
        sql = "DELETE FROM followers WHERE game_id = ? AND user_id = ?"
        return await self._db.write(lambda c: c.execute(sql, (game_id, user_id)).rowcount) == 1

    async def tell(self, follower: Follower, row: NewOutbox, seq: int, now_ms: int) -> None:
        """Queue a message to the follower that tells of everything before that record. In a channel it takes the place
        of the one before."""
        game_id, user_id = follower.game_id, follower.user_id

        def work(connection: sqlite3.Connection) -> None:
            sql = "SELECT slot, channel_id FROM slots WHERE game_id = ? AND slot LIKE ?"
            for slot, channel_id in connection.execute(sql, (game_id, f"follow{user_id}.%")).fetchall():
                if follower.place == "channel":
                    gone = NewOutbox(channel_id, slot, row.payload, delete=True)
                    enqueue(connection, game_id, [gone], now_ms)
                else:
                    connection.execute("DELETE FROM slots WHERE game_id = ? AND slot = ?", (game_id, slot))
            enqueue(connection, game_id, [row], now_ms)
            sql = "UPDATE followers SET told_seq = ?, told_ms = ? WHERE game_id = ? AND user_id = ?"
            connection.execute(sql, (seq, now_ms, game_id, user_id))

        await self._db.write(work)

    async def look(self, game_id: int, user_id: int) -> int:
        """How many records the log held when this person last looked; 0 if he never has."""
        sql = "SELECT seq FROM looks WHERE game_id = ? AND user_id = ?"
        found = await self._db.read(lambda c: c.execute(sql, (game_id, user_id)).fetchone())
        return 0 if found is None else int(found[0])

    async def set_look(self, game_id: int, user_id: int, seq: int) -> None:
        """The person has looked when the log held so many records."""
        await self._db.write(lambda c: c.execute(LOOK, (game_id, user_id, seq)).rowcount)

    async def turns(self, game_id: int) -> list[tuple[int, int]]:
        """The turns' messages: the first record each tells, and its number, in order."""
        sql = "SELECT first, number FROM turns WHERE game_id = ? ORDER BY first"
        return await self._db.read(lambda c: c.execute(sql, (game_id,)).fetchall())

    async def open_hands(self, game_id: int) -> tuple[bool, int | None]:
        """Whether spectators are shown hands, and how many turns late (None: when the game is over)."""
        sql = "SELECT behind FROM open_hands WHERE game_id = ?"
        found = await self._db.read(lambda c: c.execute(sql, (game_id,)).fetchone())
        return (False, None) if found is None else (True, found[0])

    async def set_open_hands(self, game_id: int, shown: bool, behind: int | None) -> None:
        """Show hands to spectators so many turns late (None: when the game is over), or do not."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM open_hands WHERE game_id = ?", (game_id,))
            if shown:
                connection.execute("INSERT INTO open_hands (game_id, behind) VALUES (?, ?)", (game_id, behind))

        await self._db.write(work)

    async def read_hands(self, game_id: int, user_id: int) -> None:
        """Note that this person is shown hands of a running game."""
        sql = "INSERT OR IGNORE INTO hand_readers (game_id, user_id) VALUES (?, ?)"
        await self._db.write(lambda c: c.execute(sql, (game_id, user_id)).rowcount)

    async def has_read_hands(self, game_id: int, user_id: int) -> bool:
        """Whether this person was shown hands of the game while it ran."""
        sql = "SELECT 1 FROM hand_readers WHERE game_id = ? AND user_id = ?"
        return await self._db.read(lambda c: c.execute(sql, (game_id, user_id)).fetchone() is not None)

    async def has_sat(self, game_id: int, user_id: int) -> bool:
        """Whether this person has ever sat in the game since it began."""
        sql = "SELECT 1 FROM seatings WHERE game_id = ? AND user_id = ?"
        return await self._db.read(lambda c: c.execute(sql, (game_id, user_id)).fetchone() is not None)
