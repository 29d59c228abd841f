"""Threads, channels and direct messages that are closed, locked or gone: whoever can act is told, nothing is lost."""

from __future__ import annotations

import asyncio

import pytest

from .sending import KEY, Table, count, open_table, until
from .world import WAIT

GAMES = "games"


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
    (said,) = await until(lambda: table.said("locked", GAMES), what="the host is told in the channel")
    assert said.mentions == (table.host.id,)


async def _letter(table: Table, words: str):
    return next((m for m in await table.letters(table.host) if words in m.text), None)


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
    (said,) = await until(lambda: table.said("closed to me"), what="it is said in the channel")
    assert said.mentions == (people[1].id,)
    opened = count(sandbox, "POST", "/messages")
    for _ in range(20):
        await table.answer_in_writing()
    await table.sent()
    assert len(await table.said("closed to me")) == 1
    assert await table.letters(people[1]) == []
    assert table.live.members[1].dm_closed
    turn = await table.open_turn()
    hand = await people[1].press(turn.id, turn.button("My hand").custom_id, finish=WAIT)
    assert hand.reply.images
    await table.sent()
    assert opened.hits > 0
    assert table.live.members[1].dm_closed, "it was tried again, and refused"
    assert len(await table.said("closed to me")) == 1


async def test_dms_are_used_again_once_they_are_open(client, bot):
    people = (await client.people())[:2]
    await client.close_dm(people[1])
    table = await open_table(client, bot)
    await until(lambda: table.said("closed to me"), what="it is said in the channel")
    await client.close_dm(people[1], False)
    await people[1].command("table hand", channel=table.thread, finish=WAIT)
    await until(lambda: table.letters(people[1]), what="the hand by DM")
    assert not table.live.members[1].dm_closed
