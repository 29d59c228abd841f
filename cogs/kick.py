"""`/game kick`: those in charge give the seat of who has long been away to a bot player; others are voted out."""

from __future__ import annotations

import contextlib
from typing import Any, Final

from discord import app_commands
from discord.ext import commands

import db

from .absence import AWAY_MS, DAY_MS, AbsenceCog, seat_choices
from .ballot import may_vote
from .errors import Refused
from .groups import add_under
from .items import Interaction
from .live import Live
from .replies import attend, tell
from .rights import in_charge
from .tables import Tables
from .texts import say
from .votes import Kind, kinds

LEAST_VOTERS: Final = 2
"""Nobody is voted out by one person alone."""


async def kicked(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The table has voted somebody out: a bot player goes on, and the seat is not kept."""
    seat = int(vote.subject["seat"])
    user = live.members[seat].user_id
    absence: Any = tables.bot.get_cog("AbsenceCog")
    if user is not None and live.mark((seat, user)) == vote.subject["who"]:  # else he is not there any more
        with contextlib.suppress(Refused):
            await absence.take_over(live, seat, user, kept=False)


class KickCog(commands.Cog):
    """`/game kick`."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        kinds["kick"] = Kind(kicked)

    @property
    def absence(self) -> AbsenceCog:
        absence: AbsenceCog = self.bot.get_cog("AbsenceCog")
        return absence

    @app_commands.command(name="kick", description="A bot player takes the seat of who is away or is voted out")
    @app_commands.describe(seat="Whose seat")
    async def kick(self, interaction: Interaction, seat: str) -> None:
        await attend(interaction, lambda: self._kick(interaction, seat))

    @kick.autocomplete("seat")
    async def seats(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The seats of people by their names."""
        live = self.absence.tables.in_channel(interaction.channel_id)
        return seat_choices(live, [seat for seat in live.members if not live.is_bot(seat)], current) if live else []

    async def _kick(self, interaction: Interaction, text: str) -> None:
        """A bot player takes the seat: at once if its person is gone or has long been away and somebody in charge wants
        it (or anybody of the table, when it is the host), else when the table votes for it."""
        absence, tables = self.absence, self.absence.tables
        live = await absence.table.here(interaction, ended=False)
        seat = absence.seat_named(live, interaction, text)
        own, user = live.seat_of(interaction.user.id), live.members[seat].user_id
        may = in_charge(live.game, interaction)
        if own is None and not may:
            raise Refused(say("game.watching"))
        if own == seat or live.is_bot(seat):
            raise Refused(say("seat.leave_instead" if own == seat else "seat.is_bot"))
        if (may or user == live.game.host_id) and (absence.is_away(live, seat) or await absence.is_gone(live, seat)):
            await absence.take_over(live, seat, user, interaction.id)
            await tell(interaction, say("seat.bot_plays", seat=live.name(seat)))
            return
        voters = may_vote(live, [seat])
        if len(voters) < LEAST_VOTERS:
            raise Refused(say("seat.too_few", seat=live.name(seat), days=AWAY_MS // DAY_MS))
        subject: dict[str, int | str] = {"seat": seat, "who": live.mark((seat, user))}
        await tables.votes.open(live, "kick", subject, opener=own, voters=voters)
        await tell(interaction, say("undo.asked"))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "game", KickCog(bot))
