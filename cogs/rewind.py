"""`/game rewind`: the host or a moderator takes the game back to an earlier turn, chosen from a list, for all to see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord
import msgspec
from discord import app_commands, ui

from rules.engine import Event, Illegal, decode_record
from rules.engine.log import effective

from . import undo
from .base import GuestCog
from .errors import Refused
from .forms import DANGER, MENU, page_of
from .groups import add_under
from .items import Interaction, Press, button, menu, verbs
from .live import Live
from .panels import page_row, taken_back, text_panel
from .payloads import Saying
from .replies import attend, show, tell
from .rights import in_charge_only
from .steps import Preview
from .texts import plain, say


class Start(NamedTuple):
    """A turn or phase that the game can be taken back to: its number among all there have been (that of a record would
    tell how much was done in secret), the first record after its start, and what was told there."""

    n: int
    to: int
    label: str


class RewindCog(GuestCog):
    """Taking the game back, whoever did the steps."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["rewindpage"] = self.page_press
        verbs["rewindto"] = self.choose_press
        verbs["rewind"] = self.confirm_press

    @app_commands.command(name="rewind", description="The host or a moderator takes the game back to an earlier turn")
    @app_commands.describe(steps="So many steps instead, whoever did them")
    async def rewind(self, interaction: Interaction, steps: app_commands.Range[int, 1, 100] | None = None) -> None:
        async def work() -> None:
            await undo.not_over(self.tables, interaction)
            live = await self.lobbies.hosted_here(interaction)
            if steps is None:
                await self.show_turns(interaction, live, 0)
                return
            async with live.lock:
                to = await self.tables.steps.recalling(live, lambda table: table.step_back(steps, sealed=False))
                shown = await self.tables.steps.preview_undo(live, None, None, to)
                await self.take_back(interaction, live, shown)

        await attend(interaction, work)

    async def of_press(self, interaction: Interaction, press: Press) -> Live:
        """The running game of a press, for those in charge."""
        live: Live | None = self.tables.live.get(press.game)
        if live is None:
            raise Refused(say("game.gone"))
        in_charge_only(live.game, interaction)
        return live

    async def starts(self, live: Live) -> list[Start]:
        """The turns there were, the last first, without those that were taken back, and without the present one as long
        as nothing has happened in it that all may know."""
        records = [decode_record(data) for _, data in await self.tables.store.records(live.id)]
        line = effective(records)
        told: dict[int, list[Event]] = {}
        for seq, _, data in await self.tables.store.events(live.id, 0):
            told.setdefault(seq, []).append(msgspec.msgpack.decode(data, type=Event))
        last = next((seq for seq in reversed(line) if any(event.audience is None for event in told.get(seq, []))), 0)
        found = []
        for n, seq in enumerate(await self.tables.store.checkpoints(live.id)):
            at = bisect_right(line, seq)
            if seq < last and (seq == 0 or (at and line[at - 1] == seq)):
                lines = live.told(told.get(seq, []), None)
                found.append(Start(n, line[at], lines[-1] if lines else say("rewind.start", n=n)))
        return found[::-1]

    async def start_of(self, live: Live, n: str) -> Start:
        """The turn of that number; Refused when it is not on the list (any more)."""
        found = next((start for start in await self.starts(live) if str(start.n) == n), None)
        if found is None:
            raise Refused(say("rewind.stale"))
        return found

    async def show_turns(self, interaction: Interaction, live: Live, page: int) -> None:
        """The list to choose from."""
        starts = await self.starts(live)
        if not starts:
            raise Illegal("engine.nothing_to_undo")
        page, listed = page_of(starts, page)
        entries = [discord.SelectOption(label=start.label[:100], value=str(start.n)) for start in listed]
        rows: list[ui.Item[Any]] = [ui.ActionRow(menu(Press(live.id, 0, 0, "rewindto"), entries))]
        if len(starts) > MENU:
            rows.append(page_row(live.id, "rewindpage", page, -(-len(starts) // MENU)))
        await show(interaction, text_panel(say("rewind.choose"), None, rows))

    async def page_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Another page of the list."""

        async def work() -> None:
            await self.show_turns(interaction, await self.of_press(interaction, press), int(press.arg))

        await attend(interaction, work)

    async def choose_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A turn was chosen: show what that takes back."""

        async def work() -> None:
            live = await self.of_press(interaction, press)
            start = await self.start_of(live, values[0])
            async with live.lock:
                shown = await self.tables.steps.preview_undo(live, None, None, start.to)
            lines = [
                say("undo.preview"),
                taken_back(shown.lines),
                *([say("undo.redraws")] if shown.plan.redraws else []),
            ]
            confirm = button(Press(live.id, 0, shown.mark, "rewind", str(start.n)), say("button.rewind"), DANGER)
            await show(interaction, text_panel("\n".join(lines), None, [ui.ActionRow(confirm)]))

        await attend(interaction, work)

    async def confirm_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Do it as previewed."""

        async def work() -> None:
            live = await self.of_press(interaction, press)
            start = await self.start_of(live, press.arg)
            async with live.lock:
                shown = await self.tables.steps.preview_undo(live, None, None, start.to)
                if shown.mark != press.number:
                    raise Refused(say("rewind.stale"))
                await self.take_back(interaction, live, shown, start)

        await attend(interaction, work)

    async def take_back(self, interaction: Interaction, live: Live, shown: Preview, start: Start | None = None) -> None:
        """Take it back, under the game's lock, and say in the channel who did and how far."""
        change = await undo.rewind(self.tables, live, shown.plan.to, interaction.id)
        steps = next(event.args["steps"] for event in change.events if event.kind == "undone")
        what = say("rewind.steps", n=steps) if start is None else say("rewind.turn", turn=start.label)
        by = plain(interaction.user.display_name)
        said = Saying(say("rewind.note", by=by, what=what))
        await self.tables.sender.post(live.id, live.channel_id, f"rewind{live.table.length}", said)
        await tell(interaction, say("undo.done"))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "game", RewindCog(bot))
