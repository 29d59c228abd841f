"""Server and bot as processes of their own; the bot is killed and comes back."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from sandbox.__main__ import main
from sandbox.client import SandboxClient

from .conftest import WAIT

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def url() -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sandbox", "serve", "--port", "0", "--seed-people", "3"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), WAIT)).decode()
    yield line.split()[-1]
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), WAIT) == 0


async def start_bot(url: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.sandbox.bot"), cwd=ROOT, env={**os.environ, "DISCORD_SANDBOX": url}
    )


async def test_everything_old_works_after_a_kill(url: str) -> None:
    async with SandboxClient(url) as client:
        north, east, _ = await client.people()
        bot = await start_bot(url)
        try:
            assert await client.ready()
            shown = (await north.command("game board")).reply
            modal = (await east.press(shown.id, "act:modal:7")).modal
            assert modal is not None
            bot.kill()
            await bot.wait()
            pressing = asyncio.create_task(north.press(shown.id, "act:hand:7"))
            while not pressing.done():
                await client.advance(1)
            assert not (await pressing).ack
            bot = await start_bot(url)
            assert await client.ready()
            moved = await north.press(shown.id, "act:move:7")
            assert f"pid={bot.pid}" in moved.reply.text
            assert (await east.choose(shown.id, "pick:7", ["s2"])).reply.text == "picked ['s2']"
            assert "hello" in (await east.submit(modal, {"kind": ["z"], "note": "hello"})).reply.text
            assert (await client.stats())["rejected"] == 0
        finally:
            bot.kill()
            await bot.wait()


async def test_loopback_only(url: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(url) as page:
        assert page.status == 200
    assert url.startswith("http://127.0.0.1:")


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "serve" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([])
