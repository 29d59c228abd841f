"""Runs the bot: on Discord when it has a token, else in a Discord look-alike on this machine."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import logging
import os
import secrets
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
from discord.ext import commands
from msgspec.structs import replace

import db
from cogs import EXTENSIONS, check, logs, metrics, sync, upkeep, vitals
from cogs.breaker import Breaker
from cogs.clock import Clock
from cogs.config import Config, ConfigError, Secret, load
from cogs.memory import keep_small
from cogs.tables import Tables
from db.lock import lock
from sandbox import connect
from sandbox.server import Sandbox

log = logging.getLogger("bot")

DRAIN_SECONDS: Final = 8.0
SYNC_SECONDS: Final = 30.0
RECONNECT_SECONDS: Final = 5.0
SANDBOX_PAUSE: Final = 1.0
SANDBOX_WINDOW: Final = 2.0


class Ended(Exception):
    """The bot cannot go on; the text says why to whoever runs it."""


class TableBot(commands.Bot):
    """The connection to Discord, the store, and the tables."""

    tables: Tables

    def __init__(self, config: Config, store: db.Store, clock: Clock) -> None:
        breaker = Breaker()
        super().__init__(
            commands.when_mentioned,  # the one prefix that discord.py doesn't want to read messages for
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=60,
            http_trace=metrics.tracing(breaker),
        )
        self.breaker = breaker
        self.started = time.monotonic()
        self.config = config
        self.store = store
        self.clock = clock
        self.entropy: Callable[[int], bytes] = secrets.token_bytes  # so many bytes; all chance comes from them
        self.online: Callable[[], None] = lambda: None
        self.offline_since: float | None = time.monotonic()
        self.opened = False
        self._drained: asyncio.Task[None] | None = None
        self._syncing: asyncio.Task[None] | None = None

    async def load(self) -> None:
        """Make the tables and the commands; needs no connection."""
        self.tables = Tables(self, self.config, self.store)
        for extension in EXTENSIONS:
            await self.load_extension(extension)

    async def setup_hook(self) -> None:
        """After login, before the first event: everything is in place when a button is pressed."""
        await self.load()
        await self.tables.open_all()
        self.opened = True
        await self._sync()

    async def _sync(self) -> None:
        """Have the commands there when the bot comes online, but let it come online without them too."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SYNC_SECONDS):
                if await sync.sync(self.tree, self.store) is not None:
                    return
        self._syncing = asyncio.create_task(sync.keep_trying(self.tree, self.store), name="sync")

    async def close(self) -> None:
        """Let what is under way end, then let go of Discord and of the database."""
        if self._drained is None:
            self._drained = asyncio.create_task(self._drain(), name="drain")
        await asyncio.shield(self._drained)

    async def _drain(self) -> None:
        if self._syncing is not None:
            self._syncing.cancel()
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(self.store.close)
            stack.push_async_callback(super().close)
            if hasattr(self, "tables"):
                stack.push_async_callback(self.tables.close)

    async def on_message(self, message: discord.Message) -> None:
        """Do nothing: the bot is played with slash commands and buttons."""

    async def on_connect(self) -> None:
        """A new session with Discord: from now on presses and commands arrive."""
        self.offline_since = None
        log.info("connected", extra={"user": str(self.user), "servers": len(self.guilds)})
        self.online()

    async def on_resumed(self) -> None:
        """The old session goes on."""
        self.offline_since = None
        log.info("connected again")

    async def on_disconnect(self) -> None:
        """The connection is gone; discord.py tries to get it back."""
        if self.offline_since is None and not self.is_closed():
            self.offline_since = time.monotonic()
            log.warning("disconnected")


def build_bot(config: Config, store: db.Store, clock: Clock | None = None) -> TableBot:
    """The bot, neither loaded nor connected yet. `clock`: instead of the wall clock alone."""
    # It never speaks, so nobody needs to hear which libraries that would take.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    return TableBot(config, store, clock or Clock())


async def run(config: Config, online: Callable[[], None] = lambda: None) -> int:
    """Run the bot with the configured token until a signal comes or it can't go on; returns the exit code."""
    stop = _stopped_by_signals()
    keep_small()
    try:
        store = await _open_store(config.database.path)
        bot = build_bot(config, store)
        bot.online = online
        await _supervise(bot, stop)
    except (Ended, db.StoreError) as error:
        log.critical("%s", error)
        return 1
    except Exception:
        log.critical("the bot ends on an error", exc_info=True)
        return 1
    return 0


def _stopped_by_signals() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set; the second of them ends the process as if there were no handler."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def handle(number: int, frame: object) -> None:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, handle)
    return stop


async def _open_store(path: Path) -> db.Store:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return await db.Store.open(path)
    except (OSError, sqlite3.Error) as error:
        raise Ended(f"The database {path} cannot be opened: {error}") from None


async def _supervise(bot: TableBot, stop: asyncio.Event) -> None:
    """Run the bot and what goes with it until the first of them ends, then drain."""
    connection = asyncio.create_task(_connected(bot), name="connection")
    jobs: list[Coroutine[Any, Any, Any]] = [
        stop.wait(),
        _watched(bot),
        upkeep.beat(bot, bot.config.health),
        upkeep.backups(bot.store, bot.config.database),
        upkeep.sweep(bot.store),
        _measured(bot),
    ]
    tasks = [connection, *map(asyncio.create_task, jobs)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        log.info("stopping")
    finally:
        if not bot.opened:  # closing tables that are still being opened would leave some open
            connection.cancel()
            await asyncio.wait([connection])
        await _drain(bot)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _drain(bot: TableBot) -> None:
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            await bot.close()
    except TimeoutError:
        # Whatever was acknowledged is durable, and the rest is taken up again at the next start.
        log.warning("some work was left unfinished after %g seconds", DRAIN_SECONDS)
    except Exception:
        log.exception("closing failed")


async def _watched(bot: TableBot) -> None:
    minutes = bot.config.discord.offline_minutes
    await upkeep.watch(bot, minutes)
    raise Ended(f"There has been no connection to Discord for {minutes:g} minutes.")


async def _measured(bot: TableBot) -> None:
    """Offer the figures if that is wished for. Never ends: a port that is taken is told of in the log."""
    port = bot.config.metrics.port
    if port:
        try:
            runner = await metrics.serve(lambda: vitals.look(bot), port)
        except OSError as error:
            log.error("the figures cannot be offered at port %s: %s", port, error)
        else:
            log.info("figures offered", extra={"address": f"http://{metrics.ADDRESS}:{port}/metrics"})
            try:
                await asyncio.Event().wait()
            finally:
                await runner.cleanup()
    await asyncio.Event().wait()


async def _connected(bot: TableBot) -> None:
    """Log in and stay connected; `Ended` if Discord doesn't want us or isn't there."""
    token = bot.config.discord.token
    if token is None:
        raise Ended("There is no token: set DISCORD_TOKEN, or discord.token_file in the configuration.")
    try:
        await bot.login(token.reveal())
        while True:
            try:
                return await bot.connect()
            except AttributeError:
                if bot.ws is not None:
                    raise
                # discord.py trips over the missing websocket when the very first one cannot be had.
                log.warning("the gateway cannot be reached, trying again")
                await asyncio.sleep(RECONNECT_SECONDS)
    except discord.LoginFailure:
        raise Ended(f"Discord refused the token from {token.source}. Has it been reset?") from None
    except discord.ConnectionClosed as error:
        why = f"the token from {token.source}" if error.code == 4004 else "the connection"
        raise Ended(f"Discord refused {why} (gateway code {error.code}).") from None
    except (discord.HTTPException, discord.GatewayNotFound, discord.RateLimited) as error:
        raise Ended(f"Discord does not let the bot in: {error}") from None
    except (aiohttp.ClientError, OSError) as error:
        raise Ended(f"Discord cannot be reached: {error}") from None


# ---------------------------------------------------------------- the sandbox


async def run_in_sandbox(config: Config) -> int:
    """Start the sandbox in this process and run the same bot in it."""
    port = config.sandbox.port
    try:
        server = Sandbox(port, speed=config.sandbox.speed, people=config.sandbox.people)
        await server.start()
    except OSError as error:
        used = "it is in use; does a sandbox run already?" if error.errno == errno.EADDRINUSE else str(error)
        log.critical("The sandbox cannot have port %s: %s Another one is set by sandbox.port.", port, used)
        return 1
    try:
        connect.redirect(server.url)
        config = in_sandbox(config)
        _start_afresh(config.database.path)
        return await run(config, lambda: print(f"Open {server.url}", flush=True))
    except (Ended, db.AlreadyRunning) as error:
        log.critical("%s", error)
        return 1
    finally:
        await server.stop()


def in_sandbox(config: Config) -> Config:
    """The configuration with the sandbox's token, a database of its own and short pauses."""
    play = config.play
    low, high = play.window_seconds
    pauses = replace(
        play,
        bot_pause_seconds=min(play.bot_pause_seconds, SANDBOX_PAUSE),
        window_seconds=(min(low, SANDBOX_WINDOW / 2), min(high, SANDBOX_WINDOW)),
    )
    database = replace(config.database, path=config.database.path.with_name("sandbox.sqlite3"), backup_hours=0.0)
    return replace(with_sandbox_token(config), play=pauses, database=database)


def with_sandbox_token(config: Config) -> Config:
    """The configuration for a sandbox, which must never see the real token."""
    return replace(config, discord=replace(config.discord, token=Secret(connect.TOKEN, "the sandbox")))


def _start_afresh(path: Path) -> None:
    """Remove the database of an earlier sandbox, whose world is gone; `AlreadyRunning` if it isn't."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(lock(path)):
            for end in ("", "-wal", "-shm"):
                Path(f"{path}{end}").unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        raise Ended(f"The database {path} cannot be opened: {error}") from None


# ---------------------------------------------------------------- the command line


async def check_all(config: Config) -> int:
    """Print what `--check` finds; 1 if there is a problem."""

    async def commands_of(store: db.Store) -> list[dict[str, Any]]:
        async with build_bot(config, store) as bot:
            await bot.load()
            return sync.payload(bot.tree)

    findings = await check.check(config, commands_of)
    for finding in findings:
        print(finding)
    return 0 if all(finding.ok for finding in findings) else 1


def invite(config: Config) -> int:
    """Print the address at which a server's owner adds the bot."""
    try:
        if config.discord.token is None:
            raise ValueError("There is no token: set DISCORD_TOKEN, or discord.token_file in the configuration.")
        print(check.invitation(config.discord.token))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def health(config: Config) -> int:
    """Say whether the bot that runs with this configuration is connected; 1 if it isn't."""
    fine = upkeep.healthy(config.health)
    print("connected" if fine else "not connected")
    return 0 if fine else 1


def main(argv: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python bot.py", description="Board games on Discord. Without a token: in a sandbox on this machine."
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="instead of config.toml")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--sandbox", action="store_true", help="run in the sandbox even if there is a token")
    what.add_argument("--check", action="store_true", help="look for problems and say what they are")
    what.add_argument("--health", action="store_true", help="say whether the running bot is connected")
    what.add_argument("--invite", action="store_true", help="print the address that adds the bot to a server")
    chosen = parser.parse_args(argv)
    try:
        config = load(chosen.config)
    except ConfigError as error:
        for problem in error.problems:
            print(f"problem: {problem}", file=sys.stdout if chosen.check else sys.stderr)
        return 1
    token = config.discord.token
    logs.setup(config.log.level, config.log.format, secrets=[token.reveal()] if token else [])
    if chosen.check:
        return asyncio.run(check_all(config))
    if chosen.health:
        return health(config)
    if chosen.invite:
        return invite(config)
    elsewhere = os.environ.get(connect.ENVIRONMENT)
    if elsewhere and not chosen.sandbox:
        connect.redirect(elsewhere)
        return asyncio.run(run(with_sandbox_token(config)))
    return asyncio.run(run_in_sandbox(config) if chosen.sandbox or token is None else run(config))


if __name__ == "__main__":
    sys.exit(main())
