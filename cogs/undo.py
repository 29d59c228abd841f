"""`/table undo` and `redo`: a preview first, then at once or with the consent of those it touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands, ui

import db
from rules.engine import Change, Plan

from .base import GuestCog
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, button, verbs
from .live import Live
from .panels import seat_panel, taken_back, text_panel
from .payloads import Consenting, Saying
from .replies import attend, show, show_outcome, tell
from .rows import undo_slot
from .tables import Tables
from .texts import say


def bots_of(live: Live, plan: Plan) -> list[int]:
    """The bot players whose consent it needs; they give it."""
    return [owner for owner in plan.owners if live.is_bot(owner)]


async def offer(tables: Tables, interaction: Interaction, live: Live, seat: int) -> None:
    """Show the seat what taking back its last step means, with a button to do or to ask for it."""
    async with live.lock:
        tables.steps.check_seat(live, seat, interaction.user.id)
        shown = await tables.steps.preview_undo(live, seat, seat)
    people = [live.name(owner) for owner in shown.plan.owners if not live.is_bot(owner)]
    text = [say("undo.preview"), taken_back(shown.lines)]
    text += [say("undo.redraws")] if shown.plan.redraws else []
    text += [say("undo.consent", seats=", ".join(people))] if people else []
    label = say("button.ask" if people else "button.undo")
    confirm = button(Press(live.id, seat, shown.mark, "undo"), label, discord.ButtonStyle.danger)
    await show(interaction, text_panel("\n".join(text), None, [ui.ActionRow(confirm)]))


async def confirm(tables: Tables, interaction: Interaction, live: Live, seat: int, mark: int) -> None:
    """Do the undo as previewed, or ask the others for it."""
    async with live.lock:
        tables.steps.check_seat(live, seat, interaction.user.id)
        shown = await tables.steps.preview_undo(live, seat, seat)
        if shown.mark != mark:
            raise Refused(say("undo.stale"))
        bots = bots_of(live, shown.plan)
        if len(bots) == len(shown.plan.owners):
            await _undo(tables, live, seat, shown.plan.to, bots, interaction.id)
            note, asked = say("undo.done"), False
        else:
            await _ask(tables, live, seat, shown.plan, bots)
            note, asked = say("undo.asked"), True
    await (tell(interaction, note) if asked else show(interaction, seat_panel(live, seat, note=note)))


async def _undo(tables: Tables, live: Live, seat: int, to: int, consents: Sequence[int], interaction_id: int) -> Change:
    return await tables.steps.apply(live, lambda table: table.undo(seat, to, consents), interaction_id)


async def _ask(tables: Tables, live: Live, seat: int, plan: Plan, bots: Sequence[int]) -> None:
    """Ask the others in the channel, instead of any wish before."""
    public = await tables.steps.preview_undo(live, seat, None, plan.to)
    request = db.UndoRequest(
        live.id, seat, plan.to, public.mark, plan.owners, tuple(bots), created_ms=tables.clock.now_ms()
    )
    if live.wish is not None:
        await _close(tables, live, live.wish)
    await tables.store.set_undo_request(request)
    live.wish = public.mark
    await tables.sender.post(live.id, live.channel_id, undo_slot(public.mark), Consenting())


async def _close(tables: Tables, live: Live, wish: int) -> None:
    """Forget the wish, and delete its message."""
    await tables.store.clear_undo_request(live.id)
    live.wish = None
    await tables.sender.withdraw(live.id, live.channel_id, undo_slot(wish))


async def consent(tables: Tables, interaction: Interaction, live: Live, seat: int, press: Press) -> None:
    """Somebody agrees to a wish, or refuses it; with the last consent it is done."""
    async with live.lock:
        tables.steps.check_seat(live, seat, interaction.user.id)
        request = await tables.store.undo_request(live.id)
        if request is None or request.head_seq != press.number:
            raise Refused(say("undo.stale"))
        if seat not in request.needed and not (press.verb == "refuse" and seat == request.seat):
            raise Refused(say("undo.not_asked"))
        if press.verb == "refuse":
            await _close(tables, live, request.head_seq)
            if seat != request.seat:
                said = Saying(say("undo.turned_down", seat=live.name(request.seat), by=live.name(seat)))
                await tables.sender.post(live.id, live.channel_id, f"refused{request.head_seq}", said)
            await tell(interaction, say("undo.refused"))
            return
        if (await tables.steps.preview_undo(live, request.seat, None, request.to_seq)).mark != request.head_seq:
            await _close(tables, live, request.head_seq)
            raise Refused(say("undo.stale"))
        agreed = await tables.store.consent(live.id, seat)
        assert agreed is not None
        bots = [owner for owner in agreed.needed if live.is_bot(owner)]  # somebody may have left meanwhile
        if set(agreed.needed) <= {*agreed.consents, *bots}:
            await _undo(tables, live, agreed.seat, agreed.to_seq, (*agreed.consents, *bots), interaction.id)
        else:
            await tables.sender.post(live.id, live.channel_id, undo_slot(agreed.head_seq), Consenting())


async def not_over(tables: Tables, interaction: Interaction) -> None:
    """Refused, with the reason, when the game of the channel has ended."""
    live = await tables.find_in(interaction.channel_id)
    if live is not None and live.table.over:
        raise Refused(say("undo.over"))


async def rewind(tables: Tables, live: Live, to: int, interaction_id: int) -> Change:
    """The host takes back everything from record `to` on, whoever did it; for who holds the game's lock."""
    return await tables.steps.apply(live, lambda table: table.undo(None, to, host=True), interaction_id)


class UndoCog(GuestCog):
    """Takes steps back, and does them again."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["undo"] = self.on_undo
        verbs["agree"] = verbs["refuse"] = self.on_consent

    @app_commands.command(name="undo", description="Take back your last step, after a look at what that means")
    async def undo(self, interaction: Interaction) -> None:
        async def work() -> None:
            await not_over(self.tables, interaction)
            await offer(self.tables, interaction, *await self.table.seat_here(interaction))

        await attend(interaction, work)

    @app_commands.command(name="redo", description="Do again what you have just taken back")
    async def redo(self, interaction: Interaction) -> None:
        async def work() -> None:
            await not_over(self.tables, interaction)
            live, seat = await self.table.seat_here(interaction)
            change = await self.tables.steps.step(
                live, seat, interaction.user.id, lambda table: table.redo(seat), interaction.id
            )
            await show_outcome(interaction, live, seat, change)

        await attend(interaction, work)

    async def on_undo(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The undo as previewed, or the request for it."""

        async def work() -> None:
            live, seat = await self.table.seat_of(interaction, press, own=True)
            await confirm(self.tables, interaction, live, seat, press.number)

        await attend(interaction, work)

    async def on_consent(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody agrees to an undo, or refuses it."""

        async def work() -> None:
            live, seat = await self.table.seat_of(interaction, press)
            await consent(self.tables, interaction, live, seat, press)

        await attend(interaction, work)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", UndoCog(bot))
