"""The program itself: started as a process, against a sandbox, and ended in every way it can end."""

import asyncio
import base64
import json
import os
import random
import signal
import socket
import sqlite3
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import discord
import pytest

import bot
import db
from cogs.config import Config, Database, Discord, Secret, load
from cogs.sync import payload
from sandbox.client import SandboxClient
from sandbox.connect import TOKEN
from sandbox.driver import GameDriver
from sandbox.server import Sandbox

ROOT = Path(__file__).parents[1]
REAL = base64.b64encode(b"123456789012345678").decode().rstrip("=") + ".Gabcde.abcdefghijklmnopqrstuvwxyz0123456789"
STARTED = 90.0
ENDED = 30.0
PLAYED = 180.0
SLOW = "the event loop was held up"
"""What a bot says that is not to blame for it."""


class Running:
    """A bot in a process of its own. Its log is JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.out = ""
        self.log: list[dict[str, Any]] = []
        self._news = asyncio.Condition()
        self._readers = [asyncio.create_task(self._read_out()), asyncio.create_task(self._read_log())]

    async def _read_out(self) -> None:
        async for line in self.process.stdout:
            self.out += line.decode()
            await self._tell()

    async def _read_log(self) -> None:
        async for line in self.process.stderr:
            text = line.decode().rstrip()
            self.log.append(json.loads(text) if text.startswith("{") else {"message": text, "level": "none"})
            await self._tell()

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def until(self, condition: Callable[["Running"], object], seconds: float = STARTED) -> None:
        """Wait until what was written so far fulfils the condition."""
        async with self._news:
            try:
                await asyncio.wait_for(self._news.wait_for(lambda: condition(self)), seconds)
            except TimeoutError:
                pytest.fail(f"it never said so: {self.out}{self.text}")

    async def said(self, text: str) -> None:
        """Wait for a message of the log that holds this."""
        await self.until(lambda running: text in running.text)

    async def end(self, number: signal.Signals | None = None, seconds: float = STARTED) -> int:
        """The exit code, after that signal if any."""
        if number is not None:
            self.process.send_signal(number)
        code = await asyncio.wait_for(self.process.wait(), ENDED if number else seconds)
        await asyncio.gather(*self._readers)
        return code

    @property
    def text(self) -> str:
        """All messages of the log."""
        return "".join(f"{line['level']}: {line['message']} {line.get('error', '')}\n" for line in self.log)


@asynccontextmanager
async def started(folder: Path, *arguments: str, **environ: str) -> AsyncIterator[Running]:
    """`python bot.py` in that folder, killed at the end if it still runs."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "BOT_", "CRASH_"))}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        ROOT / "bot.py",
        *arguments,
        cwd=folder,
        env=clean | environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    running = Running(process)
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await running.end()


def on(sandbox: Sandbox) -> dict[str, str]:
    """The environment of a bot that plays there."""
    return {"DISCORD_SANDBOX": sandbox.url}


def connected(running: Running) -> bool:
    return any(line["message"] == "connected" for line in running.log)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as opened:
        yield opened


@pytest.fixture
def port() -> int:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    configure(tmp_path)
    return tmp_path


def configure(folder: Path, more: str = "") -> None:
    text = f'[log]\nformat = "json"\n[play]\nbot_pause_seconds = 0\nedit_seconds = 0\n{more}\n'
    (folder / "config.toml").write_text(text, encoding="utf-8")


async def healthy(folder: Path) -> str:
    """What a running bot's state of health is said to be; nothing while it is not well."""
    async with started(folder, "--health") as asked:
        return asked.out if await asked.end() == 0 else ""


async def http(url: str) -> bytes:
    def get() -> bytes:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return bytes(answer.read())

    return await asyncio.to_thread(get)


# ---------------------------------------------------------------- starting and ending


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_connects_and_a_signal_ends_it_cleanly(folder, sandbox, number):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert {"game", "table"} <= {command["name"] for command in sandbox.core.world.commands[None].values()}
        while not (health := await healthy(folder)):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        assert health == "connected\n"
        assert await running.end(number) == 0
        bad = [
            line["level"] for line in running.log if line["message"] != SLOW and line["level"] not in ("debug", "info")
        ]
        assert bad == [], running.text
        assert "Traceback" not in running.text
    assert sandbox.core.stats.unknown_routes == []
    assert sandbox.core.stats.rejected == []
    assert not (folder / "data" / "games.sqlite3-wal").exists()
    async with started(folder, "--health") as asked:
        assert await asked.end() == 1
    async with await db.Store.open(folder / "data" / "games.sqlite3"):
        pass


async def test_it_asks_for_no_more_than_the_servers(folder, sandbox):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
    assert [identify["intents"] for identify in sandbox.core.gateway.identifies] == [1]


async def test_a_signal_during_the_start_ends_it_too(folder, sandbox):
    sandbox.core.faults.add({"path": "/users/@me", "delay": 20.0})
    async with started(folder, **on(sandbox)) as running:
        while sandbox.core.stats.requests == 0:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        assert await running.end(signal.SIGTERM) == 0


async def test_a_second_instance_says_so_and_leaves_the_first_alone(folder, sandbox):
    async with started(folder, **on(sandbox)) as first:
        await first.until(connected)
        async with started(folder, **on(sandbox)) as second:
            assert await second.end() == 1
            (line,) = second.log
            assert line["level"] == "critical"
            assert "in use by another process: is the bot running already?" in line["message"]
        assert len(sandbox.core.gateway.identifies) == 1
        assert await first.end(signal.SIGTERM) == 0


async def test_after_sigkill_it_starts_again(folder, sandbox):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert await running.end(signal.SIGKILL) == -signal.SIGKILL
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert await running.end(signal.SIGTERM) == 0


async def test_a_game_stopped_in_the_middle_goes_on_after_the_next_start(folder):
    async with Sandbox(speed=1000.0) as sandbox, SandboxClient(sandbox.url) as client:
        people = (await client.people())[:2]
        driver = GameDriver(client, people, random.Random(1), stall_seconds=PLAYED)
        async with started(folder, **on(sandbox)) as running:
            await running.until(connected)
            await driver.create("struggle_for_the_throne")
            await asyncio.wait_for(driver.run(most=12), PLAYED)
            assert await running.end(signal.SIGTERM) == 0
        async with started(folder, **on(sandbox)) as running:
            await running.until(connected)
            (opened,) = [line for line in running.log if line["message"] == "tables open"]
            assert (opened["games"], opened["broken"]) == (1, 0), running.text
            await asyncio.wait_for(driver.run(most=24), PLAYED)
            assert await running.end(signal.SIGTERM) == 0
            assert "error: " not in running.text
        assert driver.errors == []
        assert sandbox.core.stats.rejected == []


# ---------------------------------------------------------------- Discord's side


async def test_commands_are_sent_only_when_they_changed(folder, sandbox):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert "slash commands sent" in running.text
    counted = sandbox.core.faults.add({"method": "PUT", "path": "/commands", "times": None})
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert "slash commands sent" not in running.text
        assert await running.end(signal.SIGTERM) == 0
    assert counted.hits == 0


async def test_it_comes_online_though_the_commands_cannot_be_sent(folder, sandbox):
    sandbox.core.faults.add({"method": "PUT", "path": "/commands", "status": 403, "code": 50001, "times": None})
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        assert "error: the slash commands could not be sent: Forbidden" in running.text
        assert await running.end(signal.SIGTERM) == 0


async def test_a_wrong_token_is_said_clearly(folder, sandbox):
    sandbox.core.faults.add({"path": "/users/@me", "status": 401, "times": None})
    async with started(folder, **on(sandbox)) as running:
        assert await running.end() == 1
        assert "critical: Discord refused the token from the sandbox. Has it been reset?" in running.text
        assert "Traceback" not in running.text


async def test_a_token_reset_while_running_ends_it(folder, sandbox):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        sandbox.core.gateway.drop(4004)
        assert await running.end() == 1
        assert "critical: Discord refused the token from the sandbox (gateway code 4004)." in running.text


async def test_without_discord_it_says_so(folder):
    with closing(socket.socket()) as deaf:
        deaf.bind(("127.0.0.1", 0))
        async with started(folder, DISCORD_SANDBOX=f"http://127.0.0.1:{deaf.getsockname()[1]}") as running:
            assert await running.end() == 1
        assert "critical: Discord cannot be reached: " in running.text
        assert "Traceback" not in running.text


async def test_a_lost_connection_is_taken_up_again(folder, sandbox):
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        sandbox.core.gateway.drop(4000)
        await running.said("connected again")
        assert "warning: disconnected" in running.text
        assert await running.end(signal.SIGTERM) == 0
    assert sandbox.core.gateway.resumes == 1


async def test_it_ends_with_an_error_when_it_was_offline_for_too_long(folder, sandbox):
    configure(folder, "[discord]\noffline_minutes = 0.03")
    async with started(folder, **on(sandbox)) as running:
        await running.until(connected)
        sandbox.core.gateway.refusing = True
        sandbox.core.gateway.drop(1001)
        assert await running.end() == 1
        assert "critical: There has been no connection to Discord for 0.03 minutes." in running.text


async def test_a_gateway_that_never_answers_is_tried_again_until_it_is_too_late(folder, sandbox):
    configure(folder, "[discord]\noffline_minutes = 0.05")
    sandbox.core.gateway.refusing = True
    async with started(folder, **on(sandbox)) as running:
        assert await running.end() == 1
        assert "critical: There has been no connection" in running.text


# ---------------------------------------------------------------- the database


async def test_a_newer_database_is_left_as_it_is(folder, sandbox):
    path = folder / "data" / "games.sqlite3"
    path.parent.mkdir()
    await (await db.Store.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = path.read_bytes()
    async with started(folder, **on(sandbox)) as running:
        assert await running.end() == 1
        (line,) = running.log
        assert "has database version 999" in line["message"]
    assert path.read_bytes() == before
    assert sandbox.core.stats.requests == 0


async def test_a_damaged_database_is_left_as_it_is(folder, sandbox):
    path = folder / "data" / "games.sqlite3"
    path.parent.mkdir()
    path.write_bytes(b"no database at all " * 500)
    async with started(folder, **on(sandbox)) as running:
        assert await running.end() == 1
        (line,) = running.log
        assert "is damaged" in line["message"]
    assert path.read_bytes() == b"no database at all " * 500


async def test_a_database_that_cannot_be_made_is_said(folder, sandbox):
    (folder / "data").write_text("a file where the folder should be")
    async with started(folder, **on(sandbox)) as running:
        assert await running.end() == 1
        (line,) = running.log
        assert line["message"].startswith(f"The database {folder / 'data' / 'games.sqlite3'} cannot be opened: ")


@pytest.fixture
def signals():
    """Leave the signals as they were."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def test_a_full_disk_at_the_start_is_said(tmp_path, monkeypatch, caplog, signals):
    async def full(path: Path) -> db.Store:
        raise db.DiskFull(f"No room left for {path}: database or disk is full. Nothing was changed.")

    monkeypatch.setattr(db.Store, "open", full)
    token = Secret(TOKEN, "a test")
    config = Config(discord=Discord(token=token), database=Database(path=tmp_path / "games.sqlite3"))
    assert await bot.run(config) == 1
    assert "No room left" in caplog.text


# ---------------------------------------------------------------- the sandbox


async def test_without_a_token_it_plays_in_the_sandbox(folder, port):
    configure(folder, f"[sandbox]\nport = {port}\npeople = 3")
    data = folder / "data"
    async with started(folder) as running:
        await running.until(lambda r: r.out)
        assert running.out == f"Open http://127.0.0.1:{port}\n"
        people = json.loads(await http(f"http://127.0.0.1:{port}/sandbox/people"))
        assert len(people) == 3
        assert json.loads(await http(f"http://127.0.0.1:{port}/sandbox/gateway"))["connected"]
        assert (data / "sandbox.sqlite3").exists()
        assert await running.end(signal.SIGINT) == 0
        assert "Traceback" not in running.text
    assert not (data / "games.sqlite3").exists()
    assert not (data / "backups").exists()


async def test_each_sandbox_starts_with_a_fresh_database(folder, port):
    configure(folder, f"[sandbox]\nport = {port}")
    path = folder / "data" / "sandbox.sqlite3"
    path.parent.mkdir()
    async with await db.Store.open(path) as store:
        await store.set_meta("left", "over")
    async with started(folder, "--sandbox", DISCORD_TOKEN=REAL) as running:
        await running.until(lambda r: r.out)
        assert await running.end(signal.SIGTERM) == 0
        assert REAL not in running.text
    async with await db.Store.open(path) as store:
        assert await store.meta("left") is None


async def test_a_port_in_use_is_said(folder, port):
    configure(folder, f"[sandbox]\nport = {port}")
    path = folder / "data" / "sandbox.sqlite3"
    path.parent.mkdir()
    path.write_bytes(b"another's")
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        async with started(folder) as running:
            assert await running.end() == 1
            (line,) = running.log
            assert f"The sandbox cannot have port {port}: it is in use" in line["message"]
            assert running.out == ""
    assert path.read_bytes() == b"another's"


async def test_a_second_sandbox_on_another_port_leaves_the_first_its_database(folder, port, sandbox):
    configure(folder, f"[sandbox]\nport = {port}")
    path = folder / "data" / "sandbox.sqlite3"
    path.parent.mkdir()
    async with await db.Store.open(path) as store:
        async with started(folder) as running:
            assert await running.end() == 1
            assert "in use by another process" in running.text
        await store.set_meta("still", "here")


async def test_a_sandbox_without_a_folder_for_its_database_says_so(folder, port):
    configure(folder, f"[sandbox]\nport = {port}")
    (folder / "data").write_text("not a folder")
    async with started(folder) as running:
        assert await running.end() == 1
    assert "sandbox.sqlite3 cannot be opened" in running.text
    assert "Traceback" not in running.text


def test_in_the_sandbox_pauses_are_short_and_no_token_gets_there():
    config = bot.in_sandbox(Config(discord=Discord(token=Secret(REAL, "a test"))))
    assert config.discord.token.reveal() == TOKEN
    assert config.play.bot_pause_seconds == 1.0
    assert config.play.window_seconds == (1.0, 2.0)
    assert config.database.path.name == "sandbox.sqlite3"
    assert config.database.backup_hours == 0


# ---------------------------------------------------------------- the command line


async def test_what_is_wrong_in_the_configuration_is_said(folder):
    (folder / "config.toml").write_text("[play]\nedit_secnds = 1\n[sandbox]\nport = 0\n")
    said = [
        "problem: config.toml: unknown key play.edit_secnds; did you mean play.edit_seconds?",
        "problem: config.toml: sandbox.port: Expected int >= 1",
    ]
    async with started(folder) as running:
        assert await running.end() == 1
        assert [line["message"] for line in running.log] == said
    async with started(folder, "--check") as running:
        assert await running.end() == 1
        assert running.out.splitlines() == said
    assert not (folder / "data").exists()


async def test_a_config_file_that_is_named_must_be_there(folder):
    async with started(folder, "--config", "other.toml") as running:
        assert await running.end() == 1
        assert "other.toml: there is no such file" in running.text
    async with started(folder, BOT_CONFIG="other.toml") as running:
        assert await running.end() == 1


async def test_check_says_that_all_is_well_or_what_is_not(folder):
    async with started(folder, "--check", DISCORD_TOKEN=REAL) as running:
        assert await running.end() == 0
        assert {line.split(":")[0] for line in running.out.splitlines()} == {"ok"}
        assert REAL not in running.out
    (folder / "data").mkdir()
    (folder / "data" / "games.sqlite3").write_bytes(b"nothing of ours" * 400)
    async with started(folder, "--check", DISCORD_TOKEN="a.b.c") as running:
        assert await running.end() == 1
        problems = [line for line in running.out.splitlines() if line.startswith("problem: ")]
        assert len(problems) == 2


async def test_the_invitation_is_printed(folder):
    async with started(folder, "--invite", DISCORD_TOKEN=REAL) as running:
        assert await running.end() == 0
        assert running.out.startswith("https://discord.com/oauth2/authorize?client_id=123456789012345678&")
    async with started(folder, "--invite") as running:
        assert await running.end() == 1
        assert "There is no token" in running.text


async def test_a_wrong_argument_is_refused(folder):
    async with started(folder, "--chekc") as running:
        assert await running.end() == 2
    async with started(folder, "--check", "--sandbox") as running:
        assert await running.end() == 2


# ---------------------------------------------------------------- the bot as an object


@pytest.fixture
async def offline(tmp_path) -> AsyncIterator[bot.TableBot]:
    store = await db.Store.open(tmp_path / "games.sqlite3")
    async with bot.build_bot(load(environ={}), store) as built:
        yield built


async def test_it_can_ping_nobody_by_accident_and_remembers_no_messages(offline):
    assert offline.intents == discord.Intents(guilds=True)
    assert offline.allowed_mentions.to_dict() == {"parse": []}
    assert offline.help_command is None
    assert list(offline.cached_messages) == []


async def test_the_commands_are_the_same_each_time_they_are_built(tmp_path):
    found = []
    for n in range(2):
        store = await db.Store.open(tmp_path / f"{n}.sqlite3")
        async with bot.build_bot(load(environ={}), store) as built:
            await built.load()
            found.append(payload(built.tree))
    assert found[0] == found[1]
    assert found[0]


async def test_closing_twice_is_closing_once(offline):
    await asyncio.gather(offline.close(), offline.close())
    await offline.close()
    assert offline.is_closed()
