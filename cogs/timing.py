"""What people do about the time at the table: its pace, pauses, votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands
from msgspec.structs import replace

import db

from .ballot import may_vote
from .base import GuestCog, TablesCog
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, verbs
from .live import Live
from .lobby import PACE_CHOICES
from .payloads import Joining, Saying
from .replies import attend, tell
from .rights import in_charge_only
from .tables import Tables
from .texts import say
from .waits import Timing, pace_text

MISS_CHOICES = [app_commands.Choice(name=say(f"miss.{name}"), value=name) for name in ("safe", "vote")]


class TimingCog(GuestCog):
    """`/table pause` and `resume`, and presses on votes."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["voteaye"] = verbs["votenay"] = self.vote_press
        verbs["keepgame"] = self.keep_press

    async def vote_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody votes."""

        async def work() -> None:
            live, seat = await self.table.seat_of(interaction, press)
            aye = press.verb == "voteaye"
            await self.tables.votes.cast(live, seat, press.number, aye=aye)
            await self.tables.deadlines.present(live, seat)
            await tell(interaction, say("vote.aye" if aye else "vote.nay"))

        await attend(interaction, work)

    async def keep_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody is still there."""

        async def work() -> None:
            game = await self.tables.store.game(press.game)
            if game is None or game.status not in ("lobby", "running"):
                raise Refused(say("game.gone"))
            members = await self.tables.store.members(game.id)
            if interaction.user.id not in [game.host_id, *(m.user_id or m.kept_for for m in members)]:
                raise Refused(say("game.watching"))
            await self.tables.idle.keep(game)
            await tell(interaction, say("idle.kept"))

        await attend(interaction, work)

    @app_commands.command(name="pause", description="Ask the table to let the clocks stand still")
    async def pause(self, interaction: Interaction) -> None:
        await attend(interaction, lambda: self._ask(interaction, paused=True))

    @app_commands.command(name="resume", description="Ask the table to let the clocks go on")
    async def resume(self, interaction: Interaction) -> None:
        await attend(interaction, lambda: self._ask(interaction, paused=False))

    async def _ask(self, interaction: Interaction, *, paused: bool) -> None:
        live, seat = await self.table.seat_here(interaction)
        if live.timing.full_ms is None and paused:
            raise Refused(say("pause.no_clock"))
        if (live.timing.paused_ms is not None) == paused:
            raise Refused(say("pause.on_already" if paused else "pause.not_on"))
        away = live.timing.everybody_away
        await self.tables.deadlines.present(live, seat)
        if away:
            await tell(interaction, say("vote.resume.passed"))
            return
        await self.tables.votes.open(live, "pause" if paused else "resume", {}, opener=seat, voters=may_vote(live))
        await tell(interaction, say("pause.asked"))


class PaceCog(TablesCog):
    """`/game pace`."""

    @app_commands.command(name="pace", description="How long an answer may take, and what happens then")
    @app_commands.describe(
        pace="How long an answer may take; sleeping hours and vacations do not count",
        miss="What happens when the time is over",
        grace="Half as much time again when it is over for the first time",
    )
    @app_commands.choices(pace=PACE_CHOICES, miss=MISS_CHOICES)
    async def pace(
        self, interaction: Interaction, pace: str | None = None, miss: str | None = None, grace: bool | None = None
    ) -> None:
        async def work() -> None:
            game = await self.tables.store.game_in_channel(interaction.channel_id or 0)
            if game is None or game.status not in ("lobby", "running"):
                raise Refused(say("game.none_here"))
            given = {"pace": pace, "miss": miss, "grace": grace}
            changes = {name: value for name, value in given.items() if value is not None}
            if changes:
                in_charge_only(game, interaction)
                await set_pace(self.tables, game, changes)
            await tell(interaction, pace_text(await self.tables.timing(game.id)))

        await attend(interaction, work)


async def set_pace(tables: Tables, game: db.Game, changes: dict[str, Any]) -> None:
    """Change the pace of a game, and show it where it is played."""
    live: Live | None = tables.live.get(game.id)
    if live is not None:
        await tables.deadlines.set_pace(live, lambda timing: replace(timing, **changes))
        said = Saying(say("pace.changed", pace=pace_text(live.timing)))
        await tables.sender.post(live.id, live.channel_id, f"pace{tables.clock.now_ms()}", said)
        return
    timing = replace(Timing.of(await tables.store.timing(game.id)), **changes)
    await tables.store.set_timing(game.id, timing.stored())
    if game.status == "lobby" and game.channel_id is not None:
        await tables.sender.post(game.id, game.channel_id, "lobby", Joining())


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", TimingCog(bot))
    await add_under(bot, "game", PaceCog(bot))
