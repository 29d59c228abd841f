"""Private threads between seats of a game."""

import json
from typing import Any

from db.part import Part
from db.rows import Talk

SELECT = "SELECT thread_id, game_id, seats, members FROM talks"


class Talks(Part):
    async def set_talk(self, talk: Talk) -> None:
        """Note an open thread, with those who are in it now."""
        sql = "INSERT OR REPLACE INTO talks (thread_id, game_id, seats, members) VALUES (?, ?, ?, ?)"
        values = (talk.thread_id, talk.game_id, json.dumps(talk.seats), json.dumps(talk.members))
        await self._db.write(lambda c: c.execute(sql, values).rowcount)

    async def talk(self, thread_id: int) -> Talk | None:
        """The open thread, or None."""
        found = await self._db.read(lambda c: c.execute(f"{SELECT} WHERE thread_id = ?", (thread_id,)).fetchone())
        return None if found is None else _read(found)

    async def talks(self, game_id: int | None = None) -> list[Talk]:
        """The open threads of one game, or of all."""
        sql = f"{SELECT} WHERE ?1 IS NULL OR game_id = ?1 ORDER BY thread_id"
        return [_read(row) for row in await self._db.read(lambda c: c.execute(sql, (game_id,)).fetchall())]

    async def end_talk(self, thread_id: int) -> None:
        """The thread is closed."""
        await self._db.write(lambda c: c.execute("DELETE FROM talks WHERE thread_id = ?", (thread_id,)).rowcount)


def _read(row: tuple[Any, ...]) -> Talk:
    thread_id, game_id, seats, members = row
    return Talk(thread_id, game_id, tuple(json.loads(seats)), tuple(json.loads(members)))
