"""When a game's channel is gone or closed to the bot: what it hears of it, and what its host can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ext import commands

import db

from .items import Interaction, Press, verbs
from .replies import attend, tell
from .tables import Refused, Tables
from .texts import say

ARCHIVE_MINUTES = 10080


class RepairCog(commands.Cog):
    """Listens for what opens or closes a channel, and moves a game whose channel was deleted."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        verbs["reopen"] = self.reopen_press
        verbs["giveup"] = self.give_up_press

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    # ---------------------------------------------------------------- what is heard

    @commands.Cog.listener()
    async def on_guild_channel_update(self, before: Any, after: Any) -> None:
        await self.tables.sender.refusals.permissions_changed()

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: Any, after: Any) -> None:
        await self.tables.sender.refusals.permissions_changed()

    @commands.Cog.listener()
    async def on_member_update(self, before: Any, after: discord.Member) -> None:
        if after.id == self.bot.user.id:
            await self.tables.sender.refusals.permissions_changed()

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.tables.sender.refusals.permissions_changed()

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        await self.tables.sender.refusals.permissions_changed()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._gone(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: Any) -> None:
        await self._gone(channel.id)

    async def _gone(self, channel_id: int) -> None:
        game = await self.tables.store.game_in_channel(channel_id)
        if game is not None:
            await self.tables.sender.refusals.channel_gone(game.id, channel_id)

    # ---------------------------------------------------------------- what the host can do

    async def _hosted(self, interaction: Interaction, press: Press) -> db.Game:
        game = await self.tables.store.game(press.game)
        if game is None or game.status != "running":
            raise Refused(say("game.gone"))
        if interaction.user.id != game.host_id:
            raise Refused(say("trouble.not_host", host=f"<@{game.host_id}>"))
        return game

    async def reopen_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Open a new thread for a game whose channel was deleted."""

        async def work() -> None:
            game = await self._hosted(interaction, press)
            live = self.tables.live.get(game.id)
            if live is None:
                raise Refused(say("game.broken"))
            try:
                await self.bot.fetch_channel(live.channel_id)
            except discord.NotFound:
                await self._move(live)
            await tell(interaction, say("trouble.moved", channel=f"<#{live.channel_id}>"))

        await attend(interaction, work, fresh=True)

    async def _move(self, live: Any) -> None:
        try:
            home = await self.bot.fetch_channel(live.game.home_channel_id)
            thread = await home.create_thread(
                name=say("lobby.thread", title=live.rules.title, game=live.id)[:100],
                type=discord.ChannelType.public_thread,
                auto_archive_duration=ARCHIVE_MINUTES,
            )
        except (discord.HTTPException, AttributeError):
            raise Refused(say("trouble.no_channel")) from None
        await self.tables.move(live, thread.id)
        await self.tables.sender.refusals.withdraw_notices(live.id)

    async def give_up_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """End a game whose channel was deleted."""

        async def work() -> None:
            game = await self._hosted(interaction, press)
            await self.tables.abandon(game.id)
            await self.tables.sender.refusals.withdraw_notices(game.id)
            await tell(interaction, say("game.abandoned", game=game.id))

        await attend(interaction, work, fresh=True)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(RepairCog(bot))
