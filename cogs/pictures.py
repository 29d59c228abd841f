"""`/table picture`: the other pictures of a game, such as another player's board, privately."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.ext import commands

from render import painter_for
from render.worker import PictureFailed

from . import panels
from .groups import add_under
from .items import Interaction
from .replies import attend, show
from .sender import Message
from .table import TableCog
from .tables import Refused, Tables
from .texts import plain, say


class PicturesCog(commands.Cog):
    """`/table picture`."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    @app_commands.command(name="picture", description="Show another picture of the game as you see it")
    @app_commands.describe(which="Which one")
    async def picture(self, interaction: Interaction, which: str) -> None:
        async def work() -> None:
            cog: TableCog = self.bot.get_cog("TableCog")
            live = await cog.here(interaction)
            kinds = painter_for(live.game.key).EXTRAS
            if which not in kinds:
                raise Refused(say("picture.unknown", which=plain(which), kinds=", ".join(kinds)))
            view = live.table.view(live.seat_of(interaction.user.id))
            try:
                drawn = await self.tables.painter.extra(live.game.key, which, view, names=live.names)
            except PictureFailed:
                raise Refused(say("picture.failed")) from None
            items = panels.board_items(drawn, "")
            await show(interaction, Message(panels.layout(items, live.colour(None)), drawn))

        await attend(interaction, work)

    @picture.autocomplete("which")
    async def pictures(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The pictures that the game of the channel has."""
        live = self.tables.in_channel(interaction.channel_id)
        kinds = painter_for(live.game.key).EXTRAS if live is not None else {}
        return [app_commands.Choice(name=kind, value=kind) for kind in kinds if current.lower() in kind][:25]


async def setup(bot: Any) -> None:
    """Add the command to `/table`."""
    await add_under(bot, "table", PicturesCog(bot))
