"""Whatever Discord or the disk loses or forgets: no message is missing, and none doubled."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

import db
from sandbox.client import Message
from sandbox.driver import GameDriver
from sandbox.processes import BotProcess
from sandbox.server import Sandbox

from .sending import KEY, Table, bot_on, count, open_table, until
from .world import WAIT

GAMES = "games"


# ---------------------------------------------------------------- messages that are gone


async def test_a_deleted_turn_message_comes_back_at_the_next_step(table: Table, client):
    await client.delete_message((await table.open_turn()).id)
    assert await table.turns() == []
    await table.answer_in_writing()
    await table.sent()
    assert len(await table.turns()) == table.live.turn.number
    assert (await table.open_turn()).images


async def test_a_deleted_turn_message_comes_back_when_asked_for(table: Table, client):
    await client.delete_message((await table.open_turn()).id)
    await table.host.command("table turn", channel=table.thread, finish=WAIT)
    await table.sent()
    assert (await table.open_turn()).images


async def test_asking_for_the_turn_moves_it_to_the_end_and_leaves_one(table: Table):
    before = await table.open_turn()
    await table.host.send(table.thread, "hello")
    await asyncio.gather(*(p.command("table turn", channel=table.thread, finish=WAIT) for p in table.people * 2))
    await table.sent()
    after = await table.open_turn()
    assert int(after.id) > int(before.id)
    assert (await table.shown())[-1].id == after.id
    await table.step()
    await table.sent()
    assert len(await table.turns()) == table.live.turn.number


# ---------------------------------------------------------------- storms


@pytest.mark.parametrize("status", [500, 502])
async def test_a_lost_answer_doubles_nothing(table: Table, sandbox, status, monkeypatch):
    monkeypatch.setattr(discord.http, "asyncio", Hasty())
    fault = sandbox.core.faults.add(
        {"method": "POST", "path": f"/channels/{table.thread}/messages", "status": status, "after": True, "times": 2}
    )
    await table.host.command("table turn", channel=table.thread, finish=WAIT)
    await table.sent()
    assert fault.hits == 2
    assert len(await table.turns()) == 1


async def test_a_lost_connection_doubles_nothing_even_when_the_nonce_is_forgotten(table: Table, sandbox):
    sandbox.core.nonce_window = 0.0
    fault = sandbox.core.faults.add(
        {"method": "POST", "path": f"/channels/{table.thread}/messages", "drop": True, "times": 1}
    )
    await table.host.command("table turn", channel=table.thread, finish=WAIT)
    await until(lambda: fault.hits)
    sandbox.core.nonces.clear()
    await table.sent()
    assert len(await table.turns()) == 1
    assert (await table.open_turn()).images


async def test_rate_limits_lose_nothing(table: Table, sandbox):
    fault = sandbox.core.faults.add(
        {"method": "PATCH", "path": f"/channels/{table.thread}/", "status": 429, "retry_after": 0.2, "times": 3}
    )
    for _ in range(3):
        await table.answer_in_writing()
    await table.sent()
    assert fault.hits == 3
    turn = await table.open_turn()
    assert turn.text.endswith(table.question)


class Hasty:
    """asyncio for a library that does not wait for long before it tries again."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 50)


async def test_the_order_of_a_channel_survives_a_storm(table: Table, sandbox):
    sandbox.core.faults.add({"path": "/channels/", "status": 500, "chance": 0.3, "times": 12})
    sandbox.core.faults.add({"path": "/channels/", "status": 429, "retry_after": 0.05, "chance": 0.3, "times": 12})
    while table.live.turn.number < 3:
        await table.answer_in_writing()
    await until(table._empty, what="an empty outbox")
    numbers = [int(m.text.splitlines()[0].rpartition(" ")[2]) for m in await table.turns()]
    assert numbers == list(range(1, table.live.turn.number + 1))


async def test_a_dropped_gateway_holds_nothing_up(table: Table, client):
    await client.refuse()
    await client.drop()
    version = (await table.open_turn()).version
    await table.answer_inside()
    await table.sent()
    assert (await table.turns())[0].version > version
    await client.refuse(False)
    assert await client.ready(WAIT)
    await table.step()
    assert table.driver.errors == []


# ---------------------------------------------------------------- a full disk, and the end of the process


async def test_a_full_disk_while_a_message_is_noted_doubles_nothing(table: Table, monkeypatch, sandbox):
    failed = 0
    noted = table.bot.store.sent

    async def full(*args, **more):
        nonlocal failed
        if failed < 2:
            failed += 1
            raise db.DiskFull("the disk is full")
        return await noted(*args, **more)

    monkeypatch.setattr(table.bot.store, "sent", full)
    requests = count(sandbox, "", f"/channels/{table.thread}/")
    await table.host.command("table turn", channel=table.thread, finish=WAIT)
    await table.sent()
    assert failed == 2
    assert requests.hits < 15, "a full disk is not hammered on"
    assert len(await table.turns()) == 1


@contextlib.asynccontextmanager
async def process(sandbox: Sandbox, folder: Path) -> AsyncIterator[BotProcess]:
    """The bot in a process of its own, not started yet."""
    made = BotProcess(sandbox.url, folder)
    try:
        yield made
    finally:
        await made.stop(signal.SIGKILL)


async def test_sigterm_finishes_the_message_under_way(sandbox, client, tmp_path):
    async with process(sandbox, tmp_path) as bot:
        await bot.start()
        assert await client.ready(WAIT)
        people = (await client.people())[:2]
        driver = GameDriver(client, people, random.Random(1), stall_seconds=WAIT)
        await driver.create(KEY)
        path = f"/channels/{driver.thread}/messages"
        fault = sandbox.core.faults.add({"method": "POST", "path": path, "delay_answer": 1.0, "times": 1})
        await people[0].command("table turn", channel=driver.thread, finish=WAIT)
        await until(lambda: fault.hits, what="the message")
        assert await bot.stop(signal.SIGTERM) == 0
        await client.advance(100_000)
        await bot.start()
        assert await client.ready(WAIT)

        async def turns() -> list[Message]:
            return [m for m in await people[0].visible(driver.thread) if "· turn " in m.text and not m.ephemeral]

        await until(turns, what="the turn message")
        await asyncio.sleep(0.3)
        assert len(await turns()) == 1
        assert "Traceback" not in bot.log.read_text()


@pytest.mark.parametrize("point", ["sender.before_send", "sender.after_send", "sender.after_mark"])
async def test_killed_around_a_message_it_stands_once(point, sandbox, client, tmp_path):
    async with process(sandbox, tmp_path) as bot:
        await bot.start(CRASH_AT=f"{point}:1")
        assert await client.ready(WAIT)
        host = (await client.people())[0]
        making = asyncio.create_task(host.command("game create", game=KEY, channel=GAMES, finish=WAIT))
        assert bot.process is not None
        assert await asyncio.wait_for(bot.process.wait(), WAIT) == -signal.SIGKILL
        await client.advance(100_000)
        await bot.start()
        assert await client.ready(WAIT)
        (thread,) = [p.id for p in await host.channels() if p.type == 11]

        async def panels() -> list[Message]:
            return [m for m in await host.visible(thread) if "SHA-256" in m.text]

        await until(panels, what="the join panel")
        await asyncio.sleep(0.3)
        assert len(await panels()) == 1
        making.cancel()


async def test_a_game_that_ended_before_its_last_message_gets_it_after_the_restart(client, sandbox, tmp_path):
    async with bot_on(sandbox, tmp_path) as bot:
        table = await open_table(client, bot)
        await table.sent()
        live = table.live
        await bot.tables.sender.close()
        while not live.table.over:
            seat = table.unanswered
            question = live.table.asked[seat]
            offered = [option.id for option in question.options if option.id != "back"]
            giving_up = question.key.startswith("surrender")
            answer = ("surrender",) if "surrender" in offered else live.rules.safe(question)
            answer = (offered[0],) if giving_up else answer
            await bot.tables.steps.answer(live, seat, live.token(seat), answer, 1000 + live.table.length)
    assert await table.said("is over") == []
    async with bot_on(sandbox, tmp_path):
        await until(lambda: table.said("is over"), what="the end")
        await asyncio.sleep(0.3)
        (end,) = await table.said("is over")
        assert [file["filename"] for file in end.raw["attachments"]] == [f"game-{live.id}.json"]
        assert not any("custom_id" in str(message.raw["components"]) for message in await table.turns())
