"""What runs beside the games: the watch over the connection, the sign of life, the backups, the sweeping."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import sqlite3
import time
from collections import deque
from pathlib import Path
from typing import Final, Protocol

from cogs.config import Database
from db import Store, StoreError

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 1.0
LAG_SECONDS: Final = 0.5
STUCK_SECONDS: Final = 300.0
HEALTHY_SECONDS: Final = 60.0
BACKUP_KEY: Final = "backup_ms"
RETRY_SECONDS: Final = 600.0
SWEEP_SECONDS: Final = 86_400.0

lags: deque[float] = deque(maxlen=60)
"""How long the event loop was held up in each of the last seconds."""


class Connected(Protocol):
    """A bot that knows since when it has been offline, on the monotonic clock; None: it is online."""

    offline_since: float | None


async def watch(bot: Connected, minutes: float) -> None:
    """Return once the bot has been offline for so long that a new process may do better."""
    while True:
        if bot.offline_since is not None and time.monotonic() - bot.offline_since > minutes * 60:
            return
        await asyncio.sleep(BEAT_SECONDS)


async def beat(bot: Connected, file: Path) -> None:
    """Touch the file as long as the bot is online; tell of a loop that was held up, end the process if it hangs."""
    try:
        while True:
            faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
            if bot.offline_since is None:
                _touch(file)
            due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            lag = time.monotonic() - due
            lags.append(lag)
            if lag > LAG_SECONDS:
                log.warning("the event loop was held up", extra={"seconds": round(lag, 2)})
    finally:
        faulthandler.cancel_dump_traceback_later()
        _remove(file)


def _touch(file: Path) -> None:
    # A full disk is told of by what needs the room.
    with contextlib.suppress(OSError):
        file.touch()


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)


def healthy(file: Path) -> bool:
    """Whether the file was touched a short while ago."""
    try:
        return time.time() - file.stat().st_mtime < HEALTHY_SECONDS
    except OSError:
        return False


async def backups(store: Store, settings: Database) -> None:
    """Copy the database every so many hours, counted across restarts. Never ends, never raises."""
    period = settings.backup_hours * 3600
    while period:
        try:
            now = time.time_ns() // 1_000_000
            last = int(await store.meta(BACKUP_KEY) or 0)
            # A clock that was set back must not put the next copy off for longer than usual.
            wait = min(last / 1000 + period - now / 1000, period)
            if wait <= 0:
                made = await store.backup_rotating(settings.backup_folder, keep=settings.backup_keep, now_ms=now)
                await store.set_meta(BACKUP_KEY, str(now))
                log.info("backup made", extra={"file": str(made)})
                wait = period
        except (StoreError, OSError, sqlite3.Error) as error:
            log.error("no backup could be made: %s", error)
            wait = RETRY_SECONDS
        await asyncio.sleep(wait)
    await asyncio.Event().wait()


async def sweep(store: Store) -> None:
    """Once a day forget the interactions that Discord cannot repeat any more. Never ends, never raises."""
    while True:
        try:
            await store.forget_interactions(time.time_ns() // 1_000_000 - int(SWEEP_SECONDS * 1000))
        except (StoreError, OSError, sqlite3.Error) as error:
            log.error("old interactions could not be forgotten: %s", error)
        await asyncio.sleep(SWEEP_SECONDS)
