"""Points discord.py at the sandbox."""

from __future__ import annotations

from typing import Any

import discord
import yarl
from discord import gateway, http

from .core import TOKEN

ENVIRONMENT = "DISCORD_SANDBOX"
__all__ = ["ENVIRONMENT", "TOKEN", "redirect"]


async def _no_pause(*args: Any, **kwargs: Any) -> None:
    """Discord wants 5 seconds between two IDENTIFYs; the sandbox does not."""


def redirect(url: str) -> None:
    """Make discord.py talk to the sandbox at that address instead of Discord. Call it before login."""
    url = url.rstrip("/")
    http.Route.BASE = f"{url}/api/v10"
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws", 1) + "/gateway")
    discord.Asset.BASE = f"{url}/cdn"
    discord.Client.before_identify_hook = _no_pause  # type: ignore[method-assign]
