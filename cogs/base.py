"""What cogs have in common: the way to the tables, and to what every game's commands start from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.ext import commands

if TYPE_CHECKING:
    from .lobby import LobbyCog
    from .table import TableCog
    from .tables import Tables


class TablesCog(commands.Cog):
    """A cog that works on the tables."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables


class GuestCog(TablesCog):
    """A cog with commands beside those of `/table` and `/game`."""

    @property
    def table(self) -> TableCog:
        table: TableCog = self.bot.get_cog("TableCog")
        return table

    @property
    def lobbies(self) -> LobbyCog:
        lobbies: LobbyCog = self.bot.get_cog("LobbyCog")
        return lobbies
