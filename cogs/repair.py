"""When messages or the channel of a game are gone or closed to the bot: what it hears of it, and what people can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import db

from .base import GuestCog
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, verbs
from .live import Live
from .payloads import Saying
from .replies import attend, tell
from .rights import in_charge_only, playable_only
from .texts import say
from .threads import open_thread, unarchive


class RepairCog(GuestCog):
    """Listens for what opens or closes a channel; `/table repair`."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["reopen"] = self.reopen_press
        verbs["giveup"] = self.give_up_press

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
                await self.move_to_thread(live, live.game.home_channel_id)
            await tell(interaction, say("trouble.moved", channel=f"<#{live.channel_id}>"))

        await attend(interaction, work, fresh=True)

    async def move_to_thread(self, live: Live, channel_id: int) -> None:
        """Let the game go on in a new thread of that channel; Refused when there can be none."""
        try:
            home = await self.bot.fetch_channel(channel_id)
            thread = await open_thread(home, say("lobby.thread", title=live.rules.title, game=live.id))
        except (discord.HTTPException, AttributeError):
            raise Refused(say("trouble.no_channel")) from None
        await self.move(live, thread.id)

    async def move(self, live: Live, channel_id: int) -> None:
        """Let the game go on in that channel; Refused when another is played there."""
        try:
            await self.tables.move(live, channel_id)
        except db.Conflict:
            raise Refused(say("lobby.busy")) from None
        await self.tables.sender.refusals.withdraw_notices(live.id)

    # ---------------------------------------------------------------- /table

    @app_commands.command(
        name="repair", description="Put back what is missing of this game: its question, pictures, pins"
    )
    async def repair(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.table.here(interaction)
            if not await self._opened(live.channel_id):
                await tell(interaction, say("repair.locked"))
                return
            missing = await self.tables.sender.refusals.restore(live)
            await tell(interaction, say("repair.done" if missing else "repair.fine", n=missing))

        await attend(interaction, work)

    async def _opened(self, channel_id: int) -> bool:
        """Open the game's thread again if it is archived; False when only a moderator can."""
        try:
            await unarchive(self.bot, channel_id)
        except discord.Forbidden:
            return False
        return True

    async def give_up_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """End a game whose channel was deleted."""

        async def work() -> None:
            game = await self._hosted(interaction, press)
            await self.tables.abandon(game.id)
            await self.tables.sender.refusals.withdraw_notices(game.id)
            await tell(interaction, say("game.abandoned", game=game.id))

        await attend(interaction, work, fresh=True)


class MoveCog(commands.Cog):
    """`/game move`."""

    def __init__(self, bot: Any, repair: RepairCog) -> None:
        self.bot = bot
        self.repair = repair
        self.tables = repair.tables

    @app_commands.command(name="move", description="The host moves a game to another channel")
    @app_commands.describe(
        channel="Where it goes on: in a new thread there, or in this thread", game="Its number, elsewhere"
    )
    async def move(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | discord.Thread,
        game: app_commands.Range[int, 1] | None = None,
    ) -> None:
        async def work() -> None:
            live = await self._to_move(interaction, game)
            in_charge_only(live.game, interaction)
            await self._may_play_in(channel.id)
            old = live.channel_id
            if isinstance(channel, discord.Thread):
                await self.repair.move(live, channel.id)
            else:
                await self.repair.move_to_thread(live, channel.id)
            moved = say("trouble.moved", channel=f"<#{live.channel_id}>")
            if await self._open(old):
                await self.tables.sender.post(live.id, old, f"moved{old}", Saying(moved))
            await tell(interaction, moved)

        await attend(interaction, work)

    async def _may_play_in(self, channel_id: int) -> None:
        """Refused, with what is missing, when the bot cannot play in the channel."""
        try:
            channel = await self.bot.fetch_channel(channel_id)
        except discord.HTTPException:
            raise Refused(say("lobby.permissions", missing="view channel")) from None
        if not isinstance(channel, discord.TextChannel | discord.Thread):
            raise Refused(say("repair.no_channel"))
        playable_only(channel.permissions_for(channel.guild.me))

    async def _to_move(self, interaction: Interaction, game_id: int | None) -> Live:
        """The running game of that number in this server; without one, that of the channel."""
        if game_id is None:
            return await self.repair.table.here(interaction, ended=False)
        live = self.tables.live.get(game_id)
        if live is None or live.game.guild_id != interaction.guild_id:
            raise Refused(say("game.gone"))
        return live

    async def _open(self, channel_id: int) -> bool:
        """Whether something can be said there."""
        try:
            channel = await self.bot.fetch_channel(channel_id)
        except discord.HTTPException:
            return False
        return not (isinstance(channel, discord.Thread) and channel.locked)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    repair = RepairCog(bot)
    await add_under(bot, "table", repair)
    await add_under(bot, "game", MoveCog(bot, repair))
