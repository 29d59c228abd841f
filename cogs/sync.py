"""Telling Discord about the slash commands: only when they changed, since it counts how often."""

import asyncio
import hashlib
import itertools
import json
import logging
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from db import Store, StoreError

log = logging.getLogger(__name__)

KEY: Final = "commands"
RETRY_SECONDS: Final = (60, 600, 3600)
Tree = app_commands.CommandTree[Any]


def payload(tree: Tree) -> list[dict[str, Any]]:
    """All global commands as they are sent, in a fixed order."""
    found: list[dict[str, Any]] = [dict(command.to_dict(tree)) for command in tree.get_commands()]
    return sorted(found, key=lambda command: (command["type"], command["name"]))


def fingerprint(tree: Tree, application_id: int | None) -> str:
    """A hash that changes with the commands and with the application they belong to."""
    data = json.dumps([application_id, payload(tree)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data.encode()).hexdigest()


async def sync(tree: Tree, store: Store) -> bool | None:
    """Send the commands if they changed. True: sent; False: nothing to send; None: it failed and may be tried again.

    Never raises: the bot works with the commands that Discord knows, and a failure says itself in the log.
    """
    try:
        mine = fingerprint(tree, tree.client.application_id)
        if await store.meta(KEY) == mine:
            return False
        sent = await tree.sync()
        await store.set_meta(KEY, mine)
    except app_commands.CommandSyncFailure as error:
        # Sending them again would be refused again: they have to be mended.
        log.error("Discord refused the slash commands: %s", error)
        return False
    except (app_commands.AppCommandError, discord.DiscordException, aiohttp.ClientError, OSError, StoreError) as error:
        log.error("the slash commands could not be sent: %s: %s", type(error).__name__, error)
        return None
    log.info("slash commands sent", extra={"commands": len(sent)})
    return True


async def keep_trying(tree: Tree, store: Store, waits: tuple[float, ...] = RETRY_SECONDS) -> None:
    """Sync after each of these waits, the last of them again and again, until it has worked."""
    for attempt in itertools.count():
        await asyncio.sleep(waits[min(attempt, len(waits) - 1)])
        if await sync(tree, store) is not None:
            return
