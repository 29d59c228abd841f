"""Answering interactions: defer first, then say what is durable, privately where it concerns one person."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import ui

import db
from rules.engine import Broken, TableError, Words

from .items import Interaction
from .panels import text_panel
from .sender import Message, files_of
from .tables import Refused
from .texts import WORDS, say, why

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060


async def acknowledge(interaction: Interaction, *, fresh: bool) -> bool:
    """Defer; False when Discord no longer waits for this interaction, so that nothing must be done.

    `fresh`: a new private reply will follow; otherwise the message pressed on may be edited.
    """
    try:
        if fresh or interaction.type is discord.InteractionType.application_command:
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await interaction.response.defer()
    except discord.HTTPException as error:
        if error.code == UNKNOWN_INTERACTION:
            log.warning("an interaction came too late", extra={"interaction": interaction.id})
            return False
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
    return True


def in_private(interaction: Interaction) -> bool:
    """Whether the press came from a private panel, which may be edited in place."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def show(interaction: Interaction, message: Message | ui.LayoutView) -> None:
    """Show a private panel: in place of the one pressed on, or as a new one."""
    whole = message if isinstance(message, Message) else Message(message)
    replied = interaction.type is discord.InteractionType.application_command or in_private(interaction)
    thinking = interaction.extras.get("fresh", False)
    if replied or thinking:
        await interaction.edit_original_response(view=whole.view, attachments=files_of(whole))
    else:
        await interaction.followup.send(view=whole.view, files=files_of(whole), ephemeral=True)


async def tell(interaction: Interaction, text: str) -> None:
    """Say something to the person alone."""
    await show(interaction, text_panel(text))


async def attend(
    interaction: Interaction, work: Callable[[], Awaitable[Any]], *, fresh: bool = False, words: Words = WORDS
) -> None:
    """Acknowledge, do the work, and turn every refusal into a private message."""
    interaction.extras["fresh"] = fresh
    if not await acknowledge(interaction, fresh=fresh):
        return
    try:
        await work()
    except Broken as broken:
        await tell(interaction, say("trouble.broken", report=broken.args_.get("report", "?")))
    except TableError as error:
        await tell(interaction, why(error, words))
    except Refused as refused:
        await tell(interaction, str(refused))
    except db.AlreadyApplied:
        log.info("an interaction came twice", extra={"interaction": interaction.id})
    except db.Conflict:
        await tell(interaction, say("trouble.conflict"))
    except db.StoreError:
        log.exception("a step could not be stored", extra={"interaction": interaction.id})
        await tell(interaction, say("trouble.store"))
    except discord.HTTPException as error:
        log.warning("a reply was refused: %s %s", error.status, error.code, extra={"interaction": interaction.id})
    except Exception:
        log.exception("an interaction failed", extra={"interaction": interaction.id})
        await tell(interaction, say("trouble.bug"))
