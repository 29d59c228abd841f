"""`/admin`: for whoever runs the bot."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from . import vitals
from .breaker import State
from .errors import Refused
from .items import Interaction
from .replies import attend, tell
from .texts import say
from .vitals import Vitals

UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))
SLOW_LOOP = 1.0
LONG_WAIT = 60.0
ERROR_LENGTH = 300


class AdminCog(commands.Cog):
    """Commands for the owner of the application, its team, and those the configuration names."""

    admin = app_commands.Group(
        name="admin",
        description="For whoever runs the bot",
        default_permissions=discord.Permissions(administrator=True),
    )

    def __init__(self, bot: Any) -> None:
        self.bot = bot

    async def _owner_only(self, interaction: Interaction) -> None:
        user = interaction.user
        if user.id not in self.bot.config.discord.owners and not await self.bot.is_owner(user):
            raise Refused(say("admin.not_owner"))

    @admin.command(name="status", description="How the bot is: games, delays, queues, database, errors")
    async def status(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self._owner_only(interaction)
            await tell(interaction, status_text(await vitals.look(self.bot)))

        await attend(interaction, work)


def status_text(now: Vitals) -> str:
    """The state of the bot in words."""
    latency = say("admin.offline") if now.latency is None else say("admin.online", ms=round(now.latency * 1000))
    errors = [say("admin.errors" if now.errors else "admin.no_errors")]
    for ago, text in reversed(now.errors):
        errors.append(say("admin.error", time=span(ago), text=discord.utils.escape_markdown(text[:ERROR_LENGTH])))
    return say(
        "admin.status",
        mood=say("admin.well" if well(now) else "admin.ill"),
        up=span(now.up),
        servers=now.servers,
        running=now.running,
        lobbies=now.lobbies,
        broken=now.broken,
        latency=latency,
        lag=f"{now.lag * 1000:.0f} ms",
        breaker=say(f"breaker.{now.breaker}"),
        attending=now.attending,
        sending=now.sending,
        drawing=now.drawing,
        outbox=now.outbox,
        unpinged=say("admin.unpinged", n=now.unpinged) if now.unpinged else "",
        oldest="" if now.oldest is None else say("admin.since", time=span(now.oldest)),
        database=size(now.database),
        backup=say("admin.never") if now.backup is None else say("admin.ago", time=span(now.backup)),
        memory=size(now.memory),
        errors="\n".join(errors),
    ).strip()


def well(now: Vitals) -> bool:
    """Whether nothing needs a look."""
    return not (
        now.broken
        or now.unpinged
        or now.errors
        or now.latency is None
        or now.breaker is not State.CLOSED
        or now.lag > SLOW_LOOP
        or (now.oldest or 0.0) > LONG_WAIT
    )


def span(seconds: float) -> str:
    """A time in its largest unit, or two of them: 3 d 4 h."""
    left = max(0, round(seconds))
    parts: list[str] = []
    for length, unit in UNITS:
        if left >= length and len(parts) < 2:
            parts.append(f"{left // length} {unit}")
            left %= length
    return " ".join(parts) or "0 s"


def size(n: int) -> str:
    """Bytes as people read them."""
    return f"{n / (1 << 20):.1f} MiB"


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(AdminCog(bot))
