"""How the bot is at this moment: for its owner, and for the figures."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from . import logs, upkeep
from .breaker import State

if TYPE_CHECKING:
    from bot import TableBot


class Vitals(msgspec.Struct, frozen=True):
    """Numbers of one moment. Times are in seconds, sizes in bytes; None: not known or not there."""

    up: float
    running: int
    broken: int
    lobbies: int
    servers: int
    latency: float | None  # of the gateway
    lag: float  # of the event loop, the longest of the last minute
    attending: int  # interactions being worked on
    sending: int  # messages on their way or waiting for their turn
    drawing: int  # pictures waiting
    unpinged: int  # people awaited for long whose ping has not arrived
    outbox: int  # messages to be sent
    oldest: float | None  # how long the first of them has waited
    database: int
    backup: float | None  # how long ago
    memory: int
    breaker: State
    breaks: int  # how often it has opened
    errors: tuple[tuple[float, str], ...]  # how long ago, and what; the latest last

    def gauges(self) -> dict[str, tuple[float, str]]:
        """What is a number, with what it is."""
        nan = float("nan")
        return {
            "up_seconds": (self.up, "Since the start"),
            "games_running": (self.running, "Games under way"),
            "games_broken": (self.broken, "Games that do not open"),
            "games_waiting": (self.lobbies, "Games that wait for players"),
            "servers": (self.servers, "Servers the bot is in"),
            "gateway_latency_seconds": (nan if self.latency is None else self.latency, "Discord's gateway"),
            "loop_lag_seconds": (self.lag, "The longest hold-up of the event loop in the last minute"),
            "interactions_open": (self.attending, "Interactions being worked on"),
            "messages_sending": (self.sending, "Messages on their way or waiting for their turn"),
            "pictures_waiting": (self.drawing, "Pictures waiting to be drawn"),
            "people_unpinged": (self.unpinged, "People awaited for long whose ping has not arrived"),
            "outbox_messages": (self.outbox, "Messages to be sent"),
            "outbox_oldest_seconds": (self.oldest or 0.0, "How long the first of them has waited"),
            "database_bytes": (self.database, "The database with its write-ahead log"),
            "backup_age_seconds": (nan if self.backup is None else self.backup, "Since the last backup"),
            "memory_bytes": (self.memory, "Resident memory"),
            "breaker_state": (self.breaker, "0: messages are sent, 1: one tries, 2: none is sent"),
            "breaker_openings": (self.breaks, "How often Discord failed so that nothing was sent"),
        }


async def look(bot: TableBot) -> Vitals:
    """How the bot is now."""
    tables, store, now = bot.tables, bot.store, bot.clock.now_ms() / 1000
    outbox, oldest_ms = await store.outbox_size()
    backup_ms = await store.meta(upkeep.BACKUP_KEY)
    offline = bot.offline_since is not None
    breaker = bot.breaker
    return Vitals(
        up=time.monotonic() - bot.started,
        running=len(tables.live),
        broken=len(tables.broken),
        lobbies=len(tables.lobbies),
        servers=len(bot.guilds),
        latency=None if offline else bot.latency,
        lag=max(upkeep.lags, default=0.0),
        attending=len(tables.attending),
        sending=tables.sender.load,
        drawing=tables.painter.waiting,
        unpinged=tables.pings.unpinged(),
        outbox=outbox,
        oldest=None if oldest_ms is None else max(0.0, now - oldest_ms / 1000),
        database=sum(size_of(Path(f"{store.path}{end}")) for end in ("", "-wal")),
        backup=None if backup_ms is None else now - int(backup_ms) / 1000,
        memory=memory(),
        breaker=breaker.state,
        breaks=breaker.opened,
        errors=tuple((time.time() - when, text) for when, text in logs.errors),
    )


def size_of(file: Path) -> int:
    """The file's size; 0 when there is none."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def memory() -> int:
    """The process's resident memory; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        return 0
