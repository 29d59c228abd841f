"""What people do about the time at the table: they vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord.ext import commands

from .errors import Refused
from .items import Interaction, Press, verbs
from .live import Live
from .replies import attend, tell
from .tables import Tables
from .texts import say


class TimingCog(commands.Cog):
    """Presses on votes."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        verbs["voteaye"] = verbs["votenay"] = self.vote_press

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    def seat_in(self, live: Live | None, user_id: int) -> tuple[Live, int]:
        """The running game, and the person's seat in it; Refused otherwise."""
        if live is None:
            raise Refused(say("game.gone"))
        seat = live.seat_of(user_id)
        if seat is None:
            raise Refused(say("game.watching"))
        return live, seat

    async def vote_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody votes."""

        async def work() -> None:
            live, seat = self.seat_in(self.tables.live.get(press.game), interaction.user.id)
            aye = press.verb == "voteaye"
            await self.tables.votes.cast(live, seat, press.number, aye=aye)
            await tell(interaction, say("vote.aye" if aye else "vote.nay"))

        await attend(interaction, work)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(TimingCog(bot))
