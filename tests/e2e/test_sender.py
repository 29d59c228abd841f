"""Whatever Discord refuses, loses or forgets: no message is missing, none doubled, and whoever can act is told."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

import db
from bot import TableBot
from cogs import healing, pressure, sender
from cogs.payloads import Turning
from render.worker import PictureFailed
from sandbox.client import Message, SandboxClient
from sandbox.driver import BotProcess, GameDriver
from sandbox.server import Sandbox

from .sending import KEY, SPEED, Table, bot_on, open_table, until
from .world import WAIT

GAMES = "games"


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(speed=SPEED) as running:
        yield running


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[SandboxClient]:
    async with SandboxClient(sandbox.url) as connected:
        yield connected


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[TableBot]:
    async with bot_on(sandbox, tmp_path) as running:
        yield running


@pytest.fixture
async def table(client: SandboxClient, bot: TableBot) -> Table:
    made = await open_table(client, bot)
    await made.sent()
    return made


def count(sandbox, method: str, path: str) -> object:
    """Counts the requests that match from now on, as its `hits`."""
    return sandbox.core.faults.add({"method": method, "path": path, "times": None, "delay": 0.001})


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


# ---------------------------------------------------------------- threads and permissions


async def test_an_archived_thread_is_opened_again(table: Table, client):
    before = await table.open_turn()
    await client.archive(table.thread)
    await table.step()
    await table.sent()
    (place,) = [p for p in await table.host.channels() if p.id == table.thread]
    assert not place.archived
    assert (await table.turns())[0].version > before.version


async def test_a_locked_thread_is_said_to_the_host_and_goes_on_when_unlocked(table: Table, client):
    await client.archive(table.thread, False, locked=True)
    await table.bot.tables.sender.refresh(table.live)
    letter = await until(lambda: _letter(table, "locked"), what="the host is told")
    assert f"<#{table.thread}>" in letter.text
    assert await table.turns() == []
    await client.archive(table.thread, False, locked=False)
    await until(table.turns, what="the turn message")
    await table.sent()
    assert len(await table.turns()) == 1
    assert await _letter(table, "locked") is None


async def test_a_locked_and_archived_thread_is_said_too(table: Table, client):
    await client.archive(table.thread, True, locked=True)
    await table.answer_inside()
    await until(lambda: _letter(table, "locked"), what="the host is told")
    await client.archive(table.thread, False, locked=False)
    await table.sent()
    assert (await table.open_turn()).version > 1 or len(await table.turns()) > 1


@pytest.mark.parametrize("lost", ["send_messages_in_threads", "view_channel"])
async def test_a_lost_permission_is_said_once_and_everything_follows_when_it_is_back(
    table: Table, client, sandbox, lost
):
    await client.permit(channel=GAMES, deny=["attach_files", lost])
    before = len(await table.shown())
    tried = count(sandbox, "PATCH", rf"/channels/{table.thread}/")
    posted = count(sandbox, "POST", rf"/channels/{table.thread}/")
    for _ in range(6):
        await table.answer_in_writing()
    letter = await until(lambda: _letter(table, "may not write"), what="the host is told")
    await asyncio.sleep(0.5)
    assert tried.hits + posted.hits <= 4, "refused requests count against the bot"
    assert len([m for m in await table.letters(table.host) if "may not write" in m.text]) == 1
    assert len(await table.shown()) == before
    await client.permit(channel=GAMES, grant=["attach_files", lost])
    await table.sent()
    assert len(await table.turns()) == table.live.turn.number
    assert (await table.open_turn()).images
    assert letter.id not in [m.id for m in await table.letters(table.host)], "what is mended is no longer said"


async def test_who_cannot_be_told_by_dm_is_told_in_the_home_channel(table: Table, client):
    await client.close_dm(table.host)
    await client.archive(table.thread, False, locked=True)
    await table.bot.tables.sender.refresh(table.live)
    (said,) = await until(lambda: _said(table, GAMES, "locked"), what="the host is told in the channel")
    assert said.mentions == (table.host.id,)


async def _letter(table: Table, words: str):
    return next((m for m in await table.letters(table.host) if words in m.text), None)


async def _said(table: Table, channel: str, words: str):
    return [m for m in await table.shown(channel) if words in m.text]


# ---------------------------------------------------------------- channels that are gone


async def test_a_deleted_thread_keeps_the_game_and_its_host_opens_another(table: Table, client, sandbox):
    await table.step()
    await table.sent()
    gone = table.thread
    tried = count(sandbox, "", f"/channels/{gone}")
    await client.delete_channel(gone)
    letter = await until(lambda: _letter(table, "deleted"), what="the host is told")
    await table.bot.tables.sender.trouble(table.live, "is anybody there?")
    await table.sent()
    await asyncio.sleep(0.3)
    assert tried.hits <= 2, "never an endless loop"
    length = table.live.table.length
    await table.host.press(letter.id, letter.button("Open a new thread").custom_id, finish=WAIT)
    assert str(table.live.channel_id) != gone
    table.driver.thread = str(table.live.channel_id)
    await table.sent()
    assert (await table.open_turn()).images
    table.driver._messages.clear()
    table.driver.take(await _entry(client, table))
    await table.step()
    assert table.live.table.length > length
    await table.sent()
    assert await _letter(table, "deleted") is None


async def _entry(client, table: Table):
    _, entries = await client.journal(channel=table.thread)
    return [e for e in entries if e.message is not None and "· turn " in e.message.text][-1]


async def test_a_deleted_lobby_is_cancelled(client, bot, sandbox):
    host = (await client.people())[0]
    made = await host.command("game create", game=KEY, channel=GAMES, finish=WAIT)
    thread = made.reply.text.partition("<#")[2].partition(">")[0]
    await client.delete_channel(thread)
    await until(lambda: _status(bot, 1, "cancelled"), what="the lobby is cancelled")


async def _status(bot, game_id: int, status: str) -> bool:
    game = await bot.store.game(game_id)
    return game is not None and game.status == status


# ---------------------------------------------------------------- direct messages


async def test_closed_dms_are_said_once_and_the_hand_is_on_the_button(client, bot, sandbox):
    people = (await client.people())[:2]
    await client.close_dm(people[1])
    table = await open_table(client, bot)
    await table.sent()
    (said,) = await until(lambda: _said(table, table.thread, "closed to me"), what="it is said in the channel")
    assert said.mentions == (people[1].id,)
    opened = count(sandbox, "POST", "/messages")
    for _ in range(20):
        await table.answer_in_writing()
    await table.sent()
    assert len(await _said(table, table.thread, "closed to me")) == 1
    assert await table.letters(people[1]) == []
    assert table.live.members[1].dm_closed
    turn = await table.open_turn()
    hand = await people[1].press(turn.id, turn.button("My hand").custom_id, finish=WAIT)
    assert hand.reply.images
    await table.sent()
    assert opened.hits > 0
    assert table.live.members[1].dm_closed, "it was tried again, and refused"
    assert len(await _said(table, table.thread, "closed to me")) == 1


async def test_dms_are_used_again_once_they_are_open(client, bot):
    people = (await client.people())[:2]
    await client.close_dm(people[1])
    table = await open_table(client, bot)
    await until(lambda: _said(table, table.thread, "closed to me"), what="it is said in the channel")
    await client.close_dm(people[1], False)
    await people[1].command("table hand", channel=table.thread, finish=WAIT)
    await until(lambda: table.letters(people[1]), what="the hand by DM")
    assert not table.live.members[1].dm_closed


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
    assert turn.text.endswith(table_question(table))


class Hasty:
    """asyncio for a library that does not wait for long before it tries again."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 50)


def table_question(table: Table) -> str:
    (question,) = list(table.live.table.asked.values())[:1]
    return "" if question.private or len(table.live.table.asked) > 1 else table.live.words.question(question)


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


# ---------------------------------------------------------------- edits


async def test_what_is_too_old_to_edit_is_sent_anew(table: Table, sandbox):
    before = await table.open_turn()
    path = f"/channels/{table.thread}/messages/"
    sandbox.core.faults.add({"method": "PATCH", "path": path, "status": 400, "code": 30046, "times": 1})
    await table.answer_in_writing()
    await table.sent()
    assert before.id not in [m.id for m in await table.shown()]
    assert len(await table.turns()) == table.live.turn.number
    assert (await table.open_turn()).images


async def test_what_shows_already_is_not_sent_again(table: Table, sandbox):
    edits = count(sandbox, "PATCH", "/messages/")
    name = f"turn{table.live.turn.number}"
    await table.bot.tables.sender.post(table.live.id, table.live.channel_id, name, Turning())
    await table.sent()
    assert edits.hits == 0


async def test_a_picture_that_stands_is_not_uploaded_again(table: Table, sandbox, monkeypatch):
    picture = await table.bot.tables.painter.board(KEY, table.live.table.view(None), names=table.live.names)

    async def always(*_args, **_more):
        return picture

    monkeypatch.setattr(table.bot.tables.painter, "board", always)
    await table.answer_in_writing()  # from here on it is the same picture
    await table.sent()
    turn = table.live.turn.number
    images, shown = sandbox.core.stats.images, await table.open_turn()
    live = table.live
    live.story.append((live.table.length, live.story[-1][1]))
    await table.bot.tables.sender.post(live.id, live.channel_id, f"turn{turn}", Turning())
    await table.sent()
    now = await table.open_turn()
    assert now.version == shown.version + 1
    assert sandbox.core.stats.images == images
    assert [image.id for image in now.images] == [image.id for image in shown.images]


async def test_steps_in_a_row_share_an_edit(client, sandbox, tmp_path):
    async with bot_on(sandbox, tmp_path, edit_seconds=0.5) as bot:
        table = await open_table(client, bot)
        await table.sent()
        edits = count(sandbox, "PATCH", f"/channels/{table.thread}/messages/")
        begun, length = time.monotonic(), table.live.table.length
        while table.live.table.length < length + 12 and table.live.turn.number == 1:
            await table.answer_in_writing()
        await table.sent()
        steps = table.live.table.length - length
        pace = pressure.EDITS_AT_ONCE + (time.monotonic() - begun) / 0.5 + 2
        assert edits.hits <= min(pace, steps + 1)
        assert (await table.open_turn()).text.endswith(table_question(table))


# ---------------------------------------------------------------- pictures


async def test_a_picture_that_fails_is_a_text_board_and_heals(table: Table, monkeypatch):
    async def fails(*_args, **_more):
        raise PictureFailed("no paint")

    monkeypatch.setattr(healing, "HEAL_SECONDS", (0.3, 0.3, 0.3))
    with monkeypatch.context() as broken:
        broken.setattr(table.bot.tables.painter, "board", fails)
        await table.answer_in_writing()
        await table.sent()
        shown = (await table.turns())[-1]
        assert "```" in shown.text
        assert not shown.images
    await until(lambda: _has_picture(table), what="the picture")
    assert "```" not in (await table.turns())[-1].text


async def test_a_slow_picture_does_not_hold_up_the_question(table: Table, monkeypatch):
    real, paint = table.bot.tables.painter.board, asyncio.Event()

    async def slow(*args, **more):
        await paint.wait()
        return await real(*args, **more)

    monkeypatch.setattr(table.bot.tables.painter, "board", slow)
    before = await table.open_turn()
    await table.answer_in_writing()
    await until(lambda: _newer(table, before), what="the next question")
    assert (await table.turns())[0].images, "the picture that stood there stays until the new one is drawn"
    paint.set()
    await until(lambda: _newer(table, before, 2), what="the picture")


async def _has_picture(table: Table) -> bool:
    return bool((await table.turns())[-1].images)


async def _newer(table: Table, before, edits: int = 1) -> bool:
    return any(m.id == before.id and m.version >= before.version + edits for m in await table.turns())


async def test_a_picture_discord_does_not_take_is_left_out(table: Table, sandbox, caplog):
    path = f"/channels/{table.thread}/messages/"
    sandbox.core.faults.add({"method": "PATCH", "path": path, "status": 400, "code": 50035, "times": 1})
    await table.answer_in_writing()
    await table.sent()
    assert "Discord refuses a message" in caplog.text
    assert "```" in (await table.turns())[0].text


async def test_a_message_that_cannot_be_made_does_not_stop_the_channel(table: Table, monkeypatch, caplog):
    async def fails(*_args):
        raise RuntimeError("a bug")

    monkeypatch.setattr(sender, "LONGEST_RETRY", 0.1)
    caplog.set_level(logging.CRITICAL, "cogs.sender")
    with monkeypatch.context() as broken:
        broken.setattr(table.bot.tables.composer, "_turning", fails)
        await table.answer_in_writing()
        await table.bot.tables.sender.trouble(table.live, "hello")
        await until(lambda: _said(table, table.thread, "hello"), what="what came behind it")
    await table.answer_in_writing()
    await table.sent()
    assert len(await table.turns()) == table.live.turn.number
    assert (await table.open_turn()).images


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
    assert await _said(table, table.thread, "is over") == []
    async with bot_on(sandbox, tmp_path):
        await until(lambda: _said(table, table.thread, "is over"), what="the end")
        await asyncio.sleep(0.3)
        (end,) = await _said(table, table.thread, "is over")
        assert [file["filename"] for file in end.raw["attachments"]] == [f"game-{live.id}.json"]
        assert not any("custom_id" in str(message.raw["components"]) for message in await table.turns())
