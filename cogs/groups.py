"""Slash commands that several cogs put under one name, such as `/table`."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.ext import commands


async def add_under(bot: Any, name: str, cog: commands.Cog) -> None:
    """Add the cog with its commands (`@app_commands.command`) as subcommands of `/name`, a group that is there already."""
    group = bot.tree.get_command(name)
    assert isinstance(group, app_commands.Group)
    for command in cog.__cog_app_commands__:
        group.add_command(command)
    cog.__cog_app_commands__ = []  # else they would stand at the top too
    await bot.add_cog(cog)
