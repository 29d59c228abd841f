"""Threads: those that the bot opens, and those that have been archived meanwhile."""

from __future__ import annotations

from typing import Any, Final

import discord

WEEK_MINUTES: Final = 10080
"""The longest after which Discord archives a thread that nobody writes in."""
NAME_LENGTH: Final = 100


async def open_thread(channel: Any, name: str, *, private: bool = False) -> discord.Thread:
    """A new thread in the channel; a private one only those see whom the bot adds. `discord.HTTPException` when the bot
    may not open it."""
    thread: discord.Thread = await channel.create_thread(
        name=name[:NAME_LENGTH],
        type=discord.ChannelType.private_thread if private else discord.ChannelType.public_thread,
        auto_archive_duration=WEEK_MINUTES,
        invitable=not private,
    )
    return thread


async def unarchive(bot: Any, channel_id: int) -> None:
    """Open the thread again if it is archived; `discord.HTTPException` when only a moderator can."""
    channel = await bot.fetch_channel(channel_id)
    if isinstance(channel, discord.Thread) and channel.archived:
        await channel.edit(archived=False)
