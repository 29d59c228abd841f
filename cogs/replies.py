"""Answering interactions: defer first, then say what is durable, privately where it concerns one person."""

from __future__ import annotations

import logging
import re
import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import ui

import db
from rules.engine import Broken, Change, TableError, Words

from . import logs, metrics
from .errors import Refused, Stale
from .items import TEMPLATE, Interaction
from .live import Live
from .messages import Message, files_of
from .panels import seat_panel, text_panel
from .texts import WORDS, cut, say

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
NOTE_LENGTH = 1500


async def acknowledge(interaction: Interaction, *, fresh: bool) -> bool:
    """Defer; False when Discord does not wait for this interaction (any more), so that nothing must be done.

    `fresh`: a new private reply will follow; otherwise the message pressed on may be edited.
    """
    note(interaction)
    command = interaction.type is discord.InteractionType.application_command
    interaction.extras["fresh"] = fresh = command or (fresh and not in_private(interaction))
    begun = time.perf_counter()
    try:
        if fresh:
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await interaction.response.defer()
    except discord.HTTPException as error:
        return acknowledged(error)
    metrics.acknowledged.observe(time.perf_counter() - begun)
    return True


def note(interaction: Interaction) -> None:
    """What is logged about it from here on says so; and how long it was on its way is counted."""
    data: Any = interaction.data or {}
    match = re.match(TEMPLATE, data.get("custom_id", ""))
    game = int(match["game"]) if match else interaction.client.tables.by_channel.get(interaction.channel_id or 0)
    logs.bind(interaction=interaction.id, **({} if game is None else {"game": game}))
    metrics.late.observe(max(0.0, (discord.utils.utcnow() - interaction.created_at).total_seconds()))


def acknowledged(error: discord.HTTPException) -> bool:
    """Whether a first answer has reached Discord although this error came back."""
    if error.code == ALREADY_ACKNOWLEDGED:  # an earlier try got through, and only its answer was lost
        return True
    late = error.code == UNKNOWN_INTERACTION
    what = "an interaction came too late" if late else "an interaction could not be acknowledged"
    log.warning("%s: %s %s", what, error.status, error.code)
    return False


async def ask_in_modal(interaction: Interaction, modal: ui.Modal) -> None:
    """Open a modal, which is the answer to the interaction."""
    note(interaction)
    try:
        await interaction.response.send_modal(modal)
    except discord.HTTPException as error:
        acknowledged(error)


def in_private(interaction: Interaction) -> bool:
    """Whether the press came from a private panel, which may be edited in place."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def show(interaction: Interaction, message: Message | ui.LayoutView) -> None:
    """Show a private panel: in place of the one pressed on, or as a new one."""
    whole = message if isinstance(message, Message) else Message(message)
    if interaction.extras["fresh"] or in_private(interaction):
        await interaction.edit_original_response(view=whole.view, attachments=files_of(whole))
    else:
        await interaction.followup.send(view=whole.view, files=files_of(whole), ephemeral=True)


async def tell(interaction: Interaction, text: str) -> None:
    """Say something to the person alone."""
    await show(interaction, text_panel(text))


async def show_outcome(interaction: Interaction, live: Live, seat: int, change: Change | None) -> None:
    """What came of a step (None: it is held until its window closes), and what the seat is asked now."""
    told = [say("panel.held")] if change is None else live.told(change.events, seat)
    await live.work_out_for(seat)
    await show(interaction, seat_panel(live, seat, note=cut("\n".join(told), NOTE_LENGTH)))


async def attend(interaction: Interaction, work: Callable[[], Awaitable[Any]], *, fresh: bool = False) -> None:
    """Acknowledge, do the work, and turn every refusal into a private message."""
    tables = interaction.client.tables
    tables.attending.add(interaction.id)
    try:
        if await acknowledge(interaction, fresh=fresh):
            await _work(interaction, work, stopping=tables.stopping)
        else:
            metrics.interactions.labels("late").inc()
    finally:
        tables.attending.discard(interaction.id)


async def _work(interaction: Interaction, work: Callable[[], Awaitable[Any]], *, stopping: bool) -> None:
    try:
        if stopping:
            raise Refused(say("trouble.stopping"))
        await work()
        metrics.interactions.labels("done").inc()
    except Exception as error:
        try:
            await excuse(interaction, error)
        except discord.HTTPException as failed:
            metrics.interactions.labels("failed").inc()
            log.warning("a reply was refused: %s %s", failed.status, failed.code)


async def excuse(interaction: Interaction, error: Exception) -> None:
    """Say why nothing was done. A private panel stays, with the reason above it."""
    live: Live | None = interaction.client.tables.in_channel(interaction.channel_id)
    if isinstance(error, db.AlreadyApplied):
        log.info("an interaction came twice")
        return
    if isinstance(error, discord.HTTPException):
        raise error
    text, outcome = reason(error, live)
    metrics.interactions.labels(outcome).inc()
    seat = None if live is None else live.seat_of(interaction.user.id)
    if live is not None and seat is not None and (isinstance(error, Stale) or in_private(interaction)):
        await show(interaction, seat_panel(live, seat, note=text))
    elif in_private(interaction) and not interaction.extras["fresh"]:
        await interaction.followup.send(view=text_panel(text), ephemeral=True)
    else:
        await tell(interaction, text)


def reason(error: Exception, live: Live | None) -> tuple[str, str]:
    """What the person is told, and as what it counts."""
    match error:
        case Stale():
            return say("game.stale"), "stale"
        case Refused():
            return str(error), "refused"
        case Broken():
            return say("trouble.broken", report=error.args_.get("report", "?")), "failed"
        case TableError():
            return refusal(live.words if live is not None else WORDS, error), "refused"
        case db.Conflict():
            return say("trouble.conflict"), "refused"
        case db.StoreError() | sqlite3.Error():
            log.error("a step could not be stored", exc_info=error)
            return say("trouble.store"), "failed"
        case _:
            log.error("an interaction failed", exc_info=error)
            return say("trouble.bug"), "failed"


def refusal(words: Words, error: TableError) -> str:
    """What the engine or a rule says, and the chapter of the rulebook where that stands, if it is known."""
    text = words.say(error.key, error.args_)
    chapter = error.args_.get("chapter")
    return text + "\n" + say("line.chapter", chapter=chapter) if chapter else text
