"""Sessions: dropping, resuming, invalidating, intents, shards and compression."""

from __future__ import annotations

import asyncio
import zlib
from typing import Any

import aiohttp
import discord
import orjson
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.connect import TOKEN
from sandbox.server import Sandbox

from .bot import Bot
from .conftest import WAIT, begun, running, until


@pytest.mark.parametrize("compression", [True, False])
async def test_compression(sandbox: Sandbox, client: SandboxClient, north: Person, compression: bool) -> None:
    await client.settings(compression=compression)
    async with running(Bot(), sandbox):
        assert (await north.command("game create", title="x")).ack


async def test_zlib_stream(sandbox: Sandbox) -> None:
    inflate = zlib.decompressobj()
    url = f"{sandbox.url}/gateway?compress=zlib-stream"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as ws:
        await ws.send_bytes(orjson.dumps({"op": 2, "d": {"token": TOKEN, "intents": 1}}))
        events = []
        for _ in range(3):
            frame = await ws.receive_bytes(timeout=WAIT)
            assert frame.endswith(b"\x00\x00\xff\xff")
            events.append(orjson.loads(inflate.decompress(frame)))
    assert [(e["op"], e["t"]) for e in events] == [(10, None), (0, "READY"), (0, "GUILD_CREATE")]


async def test_drop_and_resume_with_what_was_missed(
    sandbox: Sandbox, bot: Bot, client: SandboxClient, north: Person
) -> None:
    await client.refuse()
    await client.drop(4000)
    await until(lambda: not sandbox.core.gateway.connected)
    await client.add_channel("while-away")
    await client.refuse(False)
    await asyncio.wait_for(bot.resumed.wait(), WAIT)
    await until(lambda: any(c.name == "while-away" for c in bot.table.text_channels))
    assert (await client.gateway())["resumes"] == 1
    assert (await north.command("game create", title="x")).ack


async def test_interactions_missed_are_delivered_late(
    sandbox: Sandbox, bot: Bot, client: SandboxClient, north: Person
) -> None:
    sandbox.core.ack_seconds = 3.0
    await client.refuse()
    await client.drop(4000)
    await until(lambda: not sandbox.core.gateway.connected)
    lost = asyncio.create_task(north.command("game late", seconds=0))
    await begun(sandbox)
    await client.advance(4)
    assert not (await lost).ack
    await client.refuse(False)
    assert await asyncio.wait_for(bot.results.get(), WAIT) == "404 10062"


async def test_reconnect_on_request(bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.reconnect()
    await asyncio.wait_for(bot.resumed.wait(), WAIT)
    assert (await north.command("game create", title="x")).ack


async def test_invalid_session(sandbox: Sandbox, bot: Bot, client: SandboxClient, north: Person) -> None:
    await client.invalidate()
    await until(lambda: len(sandbox.core.gateway.identifies) == 2)
    assert sandbox.core.gateway.resumes == 0
    assert (await north.command("game create", title="x")).ack


async def test_sessions_expire(sandbox: Sandbox, bot: Bot, client: SandboxClient) -> None:
    await client.refuse()
    await client.drop(4000)
    await until(lambda: not sandbox.core.gateway.connected)
    await client.advance(200)
    await client.refuse(False)
    await until(lambda: len(sandbox.core.gateway.identifies) == 2)
    assert sandbox.core.gateway.resumes == 0


async def test_bad_token(sandbox: Sandbox) -> None:
    async with Bot() as bot:
        with pytest.raises(discord.LoginFailure):
            await bot.start("x.y.z")


async def test_privileged_intents_must_be_granted(sandbox: Sandbox, client: SandboxClient) -> None:
    wanted = discord.Intents(guilds=True, members=True)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(Bot(wanted), sandbox):
            pass
    await client.settings(granted_intents=wanted.value)
    bot = Bot(wanted)
    async with running(bot, sandbox):
        assert {m.name for m in bot.table.members} >= {"north", "east", "boardgames"}


async def test_without_the_members_intent_only_the_bot_is_known(bot: Bot) -> None:
    assert [m.id for m in bot.table.members] == [bot.table.me.id]


async def test_message_content(sandbox: Sandbox, client: SandboxClient, north: Person) -> None:
    wanted = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    bot = Bot(wanted)
    async with running(bot, sandbox):
        await north.send("games", "private words")
        me = bot.user
        assert me is not None
        await north.send("games", f"<@{me.id}> help")
        await north.send("@me", "direct words")
        await until(lambda: len(bot.events) == 3)
        assert [m.content for _, m in bot.events] == ["", f"<@{me.id}> help", "direct words"]
        found = [m.content async for m in bot.place("games").history(oldest_first=True)]
        assert found == ["", f"<@{me.id}> help"]
    wanted.message_content = True
    await client.settings(granted_intents=wanted.value)
    bot = Bot(wanted)
    async with running(bot, sandbox):
        await north.send("games", "public words")
        await until(lambda: bot.events)
        assert bot.events[0][1].content == "public words"


async def test_messages_in_channels_not_seen(sandbox: Sandbox, client: SandboxClient, north: Person) -> None:
    bot = Bot(discord.Intents(guilds=True, guild_messages=True))
    async with running(bot, sandbox):
        await client.permit(channel="games", deny=["view_channel"])
        await north.send("games", "hidden")
        await north.send("lobby", "seen")
        await until(lambda: bot.events)
        assert [m.channel.name for _, m in bot.events] == ["lobby"]


async def test_shards(sandbox: Sandbox, north: Person) -> None:
    class Sharded(Bot, discord.AutoShardedClient):
        pass

    bot = Sharded(shard_count=2)
    async with running(bot, sandbox):
        assert sorted(i["shard"] for i in sandbox.core.gateway.identifies) == [[0, 2], [1, 2]]
        assert (await north.command("game create", title="x")).ack
        assert (await north.command("game create", title="x", channel="@me")).ack


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([{"op": 2, "d": {"token": "no", "intents": 1}}], 4004),
        ([{"op": 8, "d": {}}], 4003),
        ([{"op": 99}], 4003),
        ([{"op": 2, "d": {"token": TOKEN, "intents": 1}}] * 2, 4005),
        ([{"op": 1, "d": "x" * 5000}], 4002),
        ([{"op": 1, "d": None}] * 121, 4008),
    ],
)
async def test_close_codes(sandbox: Sandbox, frames: list[Any], code: int) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{sandbox.url}/gateway") as ws:
        for frame in frames:
            await ws.send_bytes(orjson.dumps(frame))
        async with asyncio.timeout(WAIT):
            async for _ in ws:
                pass
        assert ws.close_code == code
