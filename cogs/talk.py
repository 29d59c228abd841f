"""`/talk`: private threads between seats of a game. Who takes a seat over comes in, who leaves it goes out."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Sequence
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

import db

from .absence import UNKNOWN_PERSON
from .base import GuestCog
from .errors import Refused
from .items import Interaction, Press, verbs
from .live import Live
from .messages import UNKNOWN_CHANNEL
from .payloads import Saying
from .replies import attend, tell
from .texts import say
from .threads import open_thread

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 120.0
FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)


class TalkCog(GuestCog):
    """Opens and closes the threads, and keeps those in them who sit in their seats."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._locks: dict[int, asyncio.Lock] = {}
        self._again: set[int] = set()
        verbs["talkclose"] = self.close_press

    # ---------------------------------------------------------------- opening and closing

    @app_commands.guild_only()
    @app_commands.command(name="talk", description="Open a private thread with other players of this game")
    @app_commands.rename(first="with", second="and", third="third", fourth="fourth", fifth="fifth")
    @app_commands.describe(first="With whom")
    async def talk(
        self,
        interaction: Interaction,
        first: discord.User,
        second: discord.User | None = None,
        third: discord.User | None = None,
        fourth: discord.User | None = None,
        fifth: discord.User | None = None,
    ) -> None:
        async def work() -> None:
            live, own = await self.table.seat_here(interaction)
            others = [user for user in (first, second, third, fourth, fifth) if user is not None]
            seats = tuple(sorted({own, *(self.seat_of(live, user) for user in others)}))
            if seats == (own,):
                raise Refused(say("talk.alone"))
            thread_id = await self.open(live, seats)
            await tell(interaction, say("talk.opened", thread=f"<#{thread_id}>"))

        await attend(interaction, work)

    def seat_of(self, live: Live, user: discord.abc.User) -> int:
        """The seat of that person; Refused when he has none."""
        seat = live.seat_of(user.id)
        if seat is None:
            raise Refused(say("talk.not_seated", user=f"<@{user.id}>"))
        return seat

    async def open(self, live: Live, seats: tuple[int, ...]) -> int:
        """The thread between these seats, opened if there is none yet."""
        async with self._locks.setdefault(live.id, asyncio.Lock()):
            standing = [talk for talk in await self.tables.store.talks(live.id) if talk.seats == seats]
            for talk in standing:
                if await self.sync(talk):
                    return talk.thread_id
            thread = await self.new_thread(live, seats)
            talk = db.Talk(thread.id, live.id, seats)
            await self.tables.store.set_talk(talk)
            names = ", ".join(live.mention(seat) for seat in seats)
            text = say("talk.welcome", seats=names, channel=f"<#{live.channel_id}>", title=live.rules.title)
            await self.tables.sender.post(live.id, thread.id, f"talk{thread.id}", Saying(text, ("talkclose",)))
            await self.sync(talk)
            return thread.id

    async def new_thread(self, live: Live, seats: Sequence[int]) -> discord.Thread:
        """A private thread beside the game's; Refused when the bot may not open one."""
        name = say("talk.name", game=live.id, seats=" · ".join(live.names[seat] for seat in seats))
        try:
            channel = await self.bot.fetch_channel(live.channel_id)
            parent = await self.bot.fetch_channel(channel.parent_id) if isinstance(channel, discord.Thread) else channel
            return await open_thread(parent, name, private=True)
        except (discord.HTTPException, AttributeError):
            raise Refused(say("talk.permission")) from None

    async def close_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody in the thread closes it."""

        async def work() -> None:
            talk = await self.tables.store.talk(interaction.channel_id or 0)
            if talk is None:
                raise Refused(say("talk.closed_already"))
            if interaction.user.id not in talk.members:
                raise Refused(say("game.watching"))
            await tell(interaction, say("talk.closing"))
            await self.close(talk)

        await attend(interaction, work, fresh=True)

    async def close(self, talk: db.Talk) -> None:
        """Archive the thread; lock it too, where the bot may."""
        try:
            thread = await self.bot.fetch_channel(talk.thread_id)
            try:
                await thread.edit(archived=True, locked=True)
            except discord.Forbidden:
                await thread.edit(archived=True)
        except FAILURES as error:
            if getattr(error, "code", None) != UNKNOWN_CHANNEL:
                self._failed(talk, error)
                return
        await self.tables.store.end_talk(talk.thread_id)

    # ---------------------------------------------------------------- who is in it

    async def sync(self, talk: db.Talk) -> bool:
        """Bring in who sits in the seats now and take out who does not; close it when the game runs no more. False when
        there is no such thread any more."""
        live = self.tables.live.get(talk.game_id)
        if live is None:
            if talk.game_id not in self.tables.broken:
                await self.close(talk)
            return False
        wanted = [user for seat in talk.seats if (user := live.members[seat].user_id) is not None]
        try:
            thread = await self.bot.fetch_channel(talk.thread_id)
            if thread.archived:
                await thread.edit(archived=False)
        except FAILURES as error:
            if getattr(error, "code", None) == UNKNOWN_CHANNEL:
                await self.tables.store.end_talk(talk.thread_id)
                return False
            self._failed(talk, error)
            return True
        members = list(talk.members)
        for user in [user for user in members if user not in wanted]:
            if await self._done(talk, thread.remove_user(discord.Object(user))):
                members.remove(user)
        for user in [user for user in wanted if user not in members]:
            if await self._done(talk, thread.add_user(discord.Object(user))):
                members.append(user)
        await self.tables.store.set_talk(replace(talk, members=tuple(members)))
        return True

    async def _done(self, talk: db.Talk, request: Awaitable[None]) -> bool:
        """Whether Discord did that; one person's refusal keeps no other in or out."""
        try:
            await request
        except FAILURES as error:
            if getattr(error, "code", None) in UNKNOWN_PERSON:
                return True  # who is not on the server is not in the thread
            self._failed(talk, error)
            return False
        return True

    def _failed(self, talk: db.Talk, error: Exception) -> None:
        """Try again in a while: who sits there no more must not stay in."""
        log.warning("a private thread is not as it should be: %r", error, extra={"game": talk.game_id})
        if talk.game_id not in self._again:
            self._again.add(talk.game_id)
            asyncio.get_running_loop().call_later(RETRY_SECONDS, self.bot.dispatch, "talk_failed", talk.game_id)

    async def sync_all(self, game_id: int | None = None) -> None:
        """Do so for all threads of the game, or of all games."""
        try:
            for talk in await self.tables.store.talks(game_id):
                async with self._locks.setdefault(talk.game_id, asyncio.Lock()):
                    await self.sync(talk)
        except (db.StoreError, sqlite3.Error):
            log.exception("the private threads cannot be read")

    @commands.Cog.listener()
    async def on_talk_failed(self, game_id: int) -> None:
        self._again.discard(game_id)
        await self.sync_all(game_id)

    @commands.Cog.listener()
    async def on_seat_changed(self, live: Live) -> None:
        await self.sync_all(live.id)

    @commands.Cog.listener()
    async def on_game_over(self, live: Live) -> None:
        await self.sync_all(live.id)
        self._locks.pop(live.id, None)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self.sync_all()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.tables.store.end_talk(payload.thread_id)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(TalkCog(bot))
