"""Rate limits and the sped-up clock."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import discord
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.clock import Clock
from sandbox.connect import TOKEN, redirect
from sandbox.server import Sandbox

from .bot import Bot
from .conftest import running


class Raw:
    """Requests without discord.py's own waiting."""

    def __init__(self, client: SandboxClient) -> None:
        self.client = client

    async def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], Any]:
        url = f"{self.client.url}/api/v10{path}"
        headers = {"Authorization": f"Bot {TOKEN}"}
        async with self.client.session.request(method, url, json=body, headers=headers) as response:
            data = await response.json() if response.status != 204 else None
            return response.status, dict(response.headers), data


@pytest.fixture
def raw(client: SandboxClient) -> Raw:
    return Raw(client)


async def test_five_messages_in_five_seconds(sandbox: Sandbox, client: SandboxClient, raw: Raw) -> None:
    games = sandbox.core.world.find_channel("games")
    left = []
    for n in range(5):
        status, headers, _ = await raw("POST", f"/channels/{games.id}/messages", {"content": str(n)})
        assert status == 200
        left.append(headers["X-RateLimit-Remaining"])
    assert left == ["4", "3", "2", "1", "0"]
    status, headers, body = await raw("POST", f"/channels/{games.id}/messages", {"content": "6"})
    assert status == 429
    assert headers["Via"]
    assert headers["X-RateLimit-Scope"] == "user"
    assert 4 < body["retry_after"] <= 5
    assert body["global"] is False
    lobby = sandbox.core.world.find_channel("lobby")
    assert (await raw("POST", f"/channels/{lobby.id}/messages", {"content": "x"}))[0] == 200
    await client.advance(5)
    assert (await raw("POST", f"/channels/{games.id}/messages", {"content": "6"}))[0] == 200
    stats = await client.stats()
    assert (stats["rate_limited"], stats["invalid_requests"]) == (1, 1)


async def test_global_limit_exempts_interactions(sandbox: Sandbox, raw: Raw) -> None:
    answers = [(await raw("GET", "/users/@me"))[0] for _ in range(60)]
    assert answers[:50] == [200] * 50
    assert 429 in answers
    status, _, body = await raw("GET", "/users/@me")
    assert status == 429
    assert body["global"] is True
    assert (await raw("POST", "/interactions/1/x/callback", {"type": 6}))[0] == 404


async def test_renames(sandbox: Sandbox, bot: Bot, client: SandboxClient) -> None:
    thread = await bot.place("games").create_thread(name="a", type=discord.ChannelType.public_thread)
    await thread.edit(name="b")
    await thread.edit(name="c")
    await thread.edit(auto_archive_duration=60)
    bot.http.max_ratelimit_timeout = 30.0
    with pytest.raises(discord.RateLimited) as caught:
        await thread.edit(name="d")
    assert 590 < caught.value.retry_after <= 600
    await client.advance(601)
    await thread.edit(name="d")


async def test_edits_of_old_messages(sandbox: Sandbox, client: SandboxClient, raw: Raw) -> None:
    games = sandbox.core.world.find_channel("games")
    message = (await raw("POST", f"/channels/{games.id}/messages", {"content": "x"}))[2]
    path = f"/channels/{games.id}/messages/{message['id']}"
    assert [(await raw("PATCH", path, {"content": str(n)}))[0] for n in range(4)] == [200] * 4
    await client.advance(3601)
    assert [(await raw("PATCH", path, {"content": str(n)}))[0] for n in range(3)] == [200] * 3
    status, _, body = await raw("PATCH", path, {"content": "y"})
    assert (status, body["code"]) == (429, 30046)


async def test_many_new_direct_channels(sandbox: Sandbox, client: SandboxClient, raw: Raw) -> None:
    codes = []
    for n in range(45):
        person = await client.add_person(f"Guest {n}")
        codes.append((await raw("POST", "/users/@me/channels", {"recipient_id": person.id}))[2].get("code"))
    assert codes == [None] * 40 + [40003] * 5


async def test_discord_py_waits_as_it_is_told() -> None:
    async with Sandbox(speed=20) as sandbox, SandboxClient(sandbox.url) as client:
        redirect(sandbox.url)
        bot = Bot()
        async with running(bot, sandbox):
            channel = bot.place("games")
            start = time.monotonic()
            for n in range(11):
                await channel.send(str(n))
            assert 0.3 < time.monotonic() - start < 9, "ten seconds, at this speed"
            assert (await client.stats())["rejected"] == 0


async def test_fast_clock() -> None:
    async with Sandbox(speed=1000) as sandbox, SandboxClient(sandbox.url) as client:
        redirect(sandbox.url)
        bot = Bot()
        async with running(bot, sandbox):
            channel = bot.place("games")
            await asyncio.gather(*(channel.send(str(n)) for n in range(40)))
            north: Person = (await client.people())[0]
            assert (await north.command("game late", seconds=0.3)).ack, "three seconds stay three seconds"
            out = await north.command("game slow", finish=60)
            assert out.done


def test_clock() -> None:
    clock = Clock(100)
    now, steady = clock.now(), clock.steady()
    clock.advance(1000)
    assert clock.now() - now >= 1000
    assert 1000 <= clock.steady() - steady < 1001
    assert clock.real(500) == 5
    assert clock.at_least(900, 30) == 3000
    for bad in (lambda: Clock(0), lambda: clock.advance(-1)):
        with pytest.raises(ValueError, match=r"positive|backwards"):
            bad()
