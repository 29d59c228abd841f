"""Who sits where while the game runs: leaving a seat."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.ext import commands

import db

from .groups import add_under
from .items import Interaction
from .live import BOT, HUMAN
from .replies import attend, tell
from .table import TableCog
from .tables import Refused, Tables
from .texts import say


class AbsenceCog(commands.Cog):
    """`/table leave`."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    @property
    def table(self) -> TableCog:
        table: TableCog = self.bot.get_cog("TableCog")
        return table

    @app_commands.command(name="leave", description="Leave the game; a bot player takes your seat")
    @app_commands.describe(sure="There is no way back: say yes")
    async def leave(self, interaction: Interaction, sure: bool = False) -> None:
        async def work() -> None:
            live, seat = await self.table.seat_here(interaction)
            if not sure:
                raise Refused(say("seat.sure"))
            level = next(iter(live.rules.bots), "random")
            member = db.Member(live.id, seat, None, BOT, level, say("seat.bot", n=seat + 1))
            await self.tables.hand_over(live, seat, member, interaction.id)
            heirs = [member.user_id for member in live.members.values() if member.kind == HUMAN and member.user_id]
            if live.game.host_id == interaction.user.id and heirs:
                await self.tables.set_host(live.id, heirs[0])
            await tell(interaction, say("seat.left"))

        await attend(interaction, work)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", AbsenceCog(bot))
