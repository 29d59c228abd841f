"""The sandbox and the real bot as processes of their own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from .client import SandboxClient
from .connect import ENVIRONMENT

ROOT = Path(__file__).resolve().parent.parent
QUICK = """
[database]
path = "{folder}/games.sqlite3"
backup_hours = 0

[play]
bot_pause_seconds = 0
window_seconds = [0, 0]
edit_seconds = 0
max_games_per_host = 1000

[log]
level = "warning"
"""


class Stalled(Exception):
    """Nothing moves any more."""


class BotProcess:
    """The real bot in a process of its own, that can be killed and started again."""

    def __init__(self, url: str, folder: Path, config: str = QUICK, **environment: str) -> None:
        self.url = url
        self.folder = folder
        self.environment = environment
        self.config = folder / "config.toml"
        self.config.write_text(config.format(folder=folder), encoding="utf-8")
        self.log = folder / "bot.log"
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, **environment: str) -> None:
        """Start it; it connects in its own time."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("DISCORD_")}
        env = {**inherited, ENVIRONMENT: self.url, **self.environment, **environment}
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, str(ROOT / "bot.py"), "--config", str(self.config), env=env, stdout=log, stderr=log
            )

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it by a signal; its exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)
        return await self.process.wait()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def sandbox_process(speed: float = 1000.0, people: int = 12) -> AsyncIterator[SandboxClient]:
    """A sandbox server in a process of its own, and its client."""
    port = free_port()
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sandbox", "serve",
        "--port", str(port), "--speed", str(speed), "--seed-people", str(people),
        cwd=ROOT, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with SandboxClient(f"http://127.0.0.1:{port}") as client:
            await _answers(client, server)
            yield client
    finally:
        if server.returncode is None:
            server.terminate()
        await server.wait()


async def _answers(client: SandboxClient, server: asyncio.subprocess.Process) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            await client.stats()
        except OSError:
            if server.returncode is not None or time.monotonic() > deadline:
                raise Stalled("the sandbox does not start") from None
            await asyncio.sleep(0.05)
        else:
            return


@contextlib.asynccontextmanager
async def running(
    *, speed: float = 1000.0, people: int = 12, config: str = QUICK, **environment: str
) -> AsyncIterator[tuple[SandboxClient, BotProcess]]:
    """The sandbox and the bot as separate processes with a fresh database; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="sandbox-") as name:
        async with sandbox_process(speed, people) as client:
            bot = BotProcess(client.url, Path(name), config, **environment)
            await bot.start()
            try:
                if not await client.ready(60):
                    raise Stalled(f"the bot does not connect: {bot.log.read_text(errors='replace')[-2000:]}")
                await _commands_there(client)
                yield client, bot
            finally:
                await bot.stop()


async def _commands_there(client: SandboxClient) -> None:
    """Wait until the bot's commands are known."""
    person = (await client.people())[0]
    deadline = time.monotonic() + 30
    while not await person.commands():
        if time.monotonic() > deadline:
            raise Stalled("the bot offers no commands")
        await asyncio.sleep(0.05)
