"""Invitations to take over a seat while the game runs."""

import sqlite3

from db.part import Part
from db.rows import Invitation, columns, many, marks, one

INVITATIONS = f"SELECT {columns(Invitation)} FROM invitations"


class Seats(Part):
    async def invite(self, invitation: Invitation) -> None:
        """Open an invitation, instead of any before to that seat."""
        sql = f"INSERT OR REPLACE INTO invitations ({columns(Invitation)}) VALUES ({marks(Invitation)})"
        values = tuple(getattr(invitation, field) for field in invitation.__struct_fields__)
        await self._db.write(lambda c: c.execute(sql, values).rowcount)

    async def invitation(self, game_id: int, seat: int) -> Invitation | None:
        """The open invitation to the seat, or None."""
        sql = f"{INVITATIONS} WHERE game_id = ? AND seat = ?"
        return await self._db.read(lambda c: one(Invitation, c.execute(sql, (game_id, seat))))

    async def invitations(self, game_id: int) -> list[Invitation]:
        """The open invitations of the game, in order of seats."""
        sql = f"{INVITATIONS} WHERE game_id = ? ORDER BY seat"
        return await self._db.read(lambda c: many(Invitation, c.execute(sql, (game_id,))))

    async def uninvite(self, game_id: int, seat: int) -> bool:
        """Close the invitation to the seat; whether there was one. A change of the seat does so by itself."""
        return await self._db.write(lambda c: clear_invitations(c, game_id, (seat,))) > 0


def clear_invitations(connection: sqlite3.Connection, game_id: int, seats: tuple[int, ...]) -> int:
    """Close the invitations to these seats; how many there were."""
    sql = "DELETE FROM invitations WHERE game_id = ? AND seat = ?"
    return sum(connection.execute(sql, (game_id, seat)).rowcount for seat in seats)
