"""What the sandbox does wrong when asked."""

from __future__ import annotations

import asyncio
import time

import aiohttp
import discord
import pytest

from sandbox.client import Person, SandboxClient, SandboxError
from sandbox.server import Sandbox

from .bot import Bot
from .conftest import WAIT, until

SENDING = r"/channels/\d+/messages$"


@pytest.mark.parametrize("status", [500, 502])
async def test_retried(bot: Bot, client: SandboxClient, north: Person, status: int) -> None:
    await client.fault(method="POST", path=SENDING, status=status)
    await bot.place("games").send("x")
    assert len(await north.visible("games")) == 1
    stats = await client.stats()
    assert stats["statuses"][str(status)] == 1


async def test_limited(bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.fault(method="POST", path=SENDING, status=429, retry_after=0.2)
    start = time.monotonic()
    await bot.place("games").send("x")
    assert time.monotonic() - start >= 0.2


async def test_lost_answer_doubles_without_a_nonce(bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.fault(method="POST", path=SENDING, status=502, after=True)
    # discord.py gives every message a nonce; only a bare request lacks one
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=bot.place("games").id)
    await bot.http.request(route, json={"content": "twice"})
    assert len(await north.visible("games")) == 2
    await client.fault(method="POST", path=SENDING, status=502, after=True)
    await bot.place("lobby").send("once", nonce="n1")
    assert len(await north.visible("lobby")) == 1


async def test_lost_answer_of_a_callback(bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.fault(path="/callback$", status=502, after=True)
    out = await north.command("game late", seconds=0)
    assert out.ack
    assert await asyncio.wait_for(bot.results.get(), WAIT) == "400 40060"


async def test_dropped_connection(bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.fault(method="POST", path=SENDING, drop=True)
    with pytest.raises(aiohttp.ClientError):
        await bot.place("games").send("x")
    assert len(await north.visible("games")) == 1


async def test_delays(sandbox: Sandbox, bot: Bot) -> None:
    messages = sandbox.core.world.messages
    fault = sandbox.core.faults.add({"method": "POST", "path": SENDING, "delay": 0.3})
    sending = asyncio.create_task(bot.place("games").send("x"))
    await until(lambda: fault.hits)
    assert not messages
    await sending
    assert len(messages) == 1
    sandbox.core.faults.add({"method": "POST", "path": SENDING, "delay_answer": 0.3})
    sending = asyncio.create_task(bot.place("games").send("y"))
    await until(lambda: len(messages) == 2)
    assert not sending.done()
    await sending


async def test_times_and_chance(bot: Bot, client: SandboxClient) -> None:
    number = await client.fault(path="/users/@me$", status=404, times=2)
    for _ in range(2):
        with pytest.raises(discord.NotFound):
            await bot.http.request(discord.http.Route("GET", "/users/@me"))
    await bot.http.request(discord.http.Route("GET", "/users/@me"))
    number = await client.fault(path="/users/@me$", status=404, times=None, chance=0.5)
    failed = 0
    for _ in range(40):
        try:
            await bot.http.request(discord.http.Route("GET", "/users/@me"))
        except discord.NotFound:
            failed += 1
    assert 5 < failed < 35
    await client.clear_faults(number)
    await bot.http.request(discord.http.Route("GET", "/users/@me"))


async def test_wrong_faults(client: SandboxClient) -> None:
    with pytest.raises(SandboxError, match="a fault has no"):
        await client.fault(staus=500)
