"""What the store holds about one person: all of it together, and gone."""

import sqlite3
from typing import Any, Final

from db.errors import Conflict
from db.part import Part

SEATS: Final = "SELECT game_id, seat FROM members WHERE user_id = ?1"
PURPOSE: Final = "CASE WHEN slot LIKE 'follow%' THEN 'follow' ELSE slot END AS slot"

HELD: Final = {
    "settings": "SELECT key, value FROM settings WHERE user_id = ?1",
    "games_hosted": (
        "SELECT id, key, guild_id, home_channel_id, channel_id, status, created_ms, ended_ms FROM games WHERE host_id = ?1"
    ),
    "seats": (
        "SELECT game_id, seat, kind, name, preference, salt, dm_closed, kept_for FROM members"
        " WHERE user_id = ?1 OR kept_for = ?1"
    ),
    "seatings": "SELECT game_id, seat FROM seatings WHERE user_id = ?1",
    "invitations": "SELECT game_id, seat, user_id, by_id, created_ms FROM invitations WHERE user_id = ?1 OR by_id = ?1",
    "followed": "SELECT game_id, moments, place, told_ms FROM followers WHERE user_id = ?1",
    "looks": "SELECT game_id FROM looks WHERE user_id = ?1",
    "hands_shown": "SELECT game_id FROM hand_readers WHERE user_id = ?1",
    "drafts": f"SELECT game_id, seat, hex(data) AS data FROM drafts WHERE (game_id, seat) IN ({SEATS})",
    "votes": (
        "SELECT game_id, votes.kind, seat, created_ms, seat IN (SELECT value FROM json_each(ayes)) AS aye,"
        " seat IN (SELECT value FROM json_each(nays)) AS nay FROM votes JOIN members USING (game_id)"
        " WHERE user_id = ?1 AND seat IN (SELECT value FROM json_each(voters)) AND NOT EXISTS"
        " (SELECT 1 FROM seatings WHERE game_id = votes.game_id AND seat = members.seat AND user_id IS NOT ?1)"
    ),
    "undo_requests": f"SELECT game_id, seat, created_ms FROM undo_requests WHERE (game_id, seat) IN ({SEATS})",
    "messages": (
        f"SELECT game_id, {PURPOSE}, channel_id, message_id, created_ms FROM slots"
        " WHERE slot LIKE 'hand%.' || ?1 OR slot LIKE 'follow' || ?1 || '.%' OR slot LIKE 'dm%.' || ?1 || '.%'"
    ),
    "messages_to_be_sent": f"SELECT game_id, {PURPOSE}, created_ms FROM outbox WHERE user_id = ?1",
}
"""What is told of each kind. Of games only what concerns the person: a secret or a state holds other people's hands, and
the number of a record, or the time of the last one, tells how much others have done in secret. Of votes only those that
nobody else can have given in that seat."""

FORGET: Final = (
    "DELETE FROM settings WHERE user_id = ?1",
    "DELETE FROM followers WHERE user_id = ?1",
    "DELETE FROM looks WHERE user_id = ?1",
    # else he could sit down in a game whose hands he has seen; goes with the game's end
    "DELETE FROM hand_readers WHERE user_id = ?1 AND game_id NOT IN (SELECT id FROM games WHERE status = 'running')",
    "DELETE FROM invitations WHERE user_id = ?1 OR by_id = ?1",
    "DELETE FROM outbox WHERE user_id = ?1 OR slot LIKE 'hand%.' || ?1 OR slot LIKE 'follow' || ?1 || '.%'",
    "DELETE FROM slots WHERE slot LIKE 'hand%.' || ?1 OR slot LIKE 'follow' || ?1 || '.%' OR slot LIKE 'dm%.' || ?1 || '.%'",
    "UPDATE members SET user_id = NULL, name = ?2, preference = '' WHERE user_id = ?1",
    "UPDATE members SET kept_for = NULL WHERE kept_for = ?1",
    "UPDATE seatings SET user_id = NULL WHERE user_id = ?1",
    "UPDATE games SET host_id = 0 WHERE host_id = ?1",
)
"""`?1` the person, `?2` what stands for his name."""


class Personal(Part):
    async def held(self, user_id: int) -> dict[str, list[dict[str, Any]]]:
        """Everything that is held about the person, by kind; the log knows seats only."""

        def work(connection: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
            found = {}
            for kind, sql in HELD.items():
                rows = connection.execute(sql, (user_id,))
                names = [column[0] for column in rows.description]
                found[kind] = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
            return found

        return await self._db.read(work)

    async def forget_person(self, user_id: int, stand_in: str) -> None:
        """Take the person's id and name out of everything; the games stay. `Conflict` while he sits in an open game."""

        def work(connection: sqlite3.Connection) -> None:
            sql = f"SELECT COUNT(*) FROM games WHERE status IN ('lobby', 'running') AND id IN ({SEATS.replace(', seat', '')})"
            if connection.execute(sql, (user_id,)).fetchone() != (0,):
                raise Conflict(f"user {user_id} sits in an open game")
            for statement in FORGET:
                connection.execute(statement, (user_id, stand_in) if "?2" in statement else (user_id,))

        await self._db.write(work)
