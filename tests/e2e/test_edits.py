"""What stands in a channel: when it is edited, when sent anew, and how pictures follow."""

from __future__ import annotations

import asyncio
import logging
import time

from cogs import compose, healing, pressure, sender
from cogs.payloads import Turning
from render.worker import PictureFailed

from .sending import KEY, Table, bot_on, count, open_table, until

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
        assert (await table.open_turn()).text.endswith(table.question)


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
    monkeypatch.setattr(compose, "PATIENCE", 0.1)
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
        await until(lambda: table.said("hello"), what="what came behind it")
    await table.answer_in_writing()
    await table.sent()
    assert len(await table.turns()) == table.live.turn.number
    assert (await table.open_turn()).images
