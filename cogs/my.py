"""`/my`: what concerns a person in all games and on all servers. Other cogs add to the group (`cogs.groups`)."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.ext import commands


class MyCog(commands.Cog):
    """The group by itself; it works on servers and in direct messages."""

    my = app_commands.Group(name="my", description="What concerns you in all games, for your eyes only")

    def __init__(self, bot: Any) -> None:
        self.bot = bot


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(MyCog(bot))
