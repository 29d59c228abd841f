"""The bot is stopped: what was asked for is finished, what is due is sent, and nothing is lost."""

from __future__ import annotations

import asyncio
import logging

import pytest

import db
from cogs import sender
from sandbox.client import Outcome

from .playing import step
from .world import GAMES, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIBRARY_SECONDS = 20.0
"""Shorter than the library alone would go on trying to send."""


async def answered(game: Game) -> Outcome:
    """Somebody answers in writing."""
    seat = game.unanswered
    question = game.table.asked[seat]
    options = [option.id for option in question.options for _ in range(option.count)]
    simple = options[: question.least] if "skip" not in options else ["skip"]
    text = (">" if question.ordered else "+").join(simple) or "-"
    return await game.command(game.people[seat], "table answer", choice=text)


@pytest.mark.parametrize("key", GAMES)
async def test_a_step_under_way_is_finished_and_confirmed(here: World, key: str, monkeypatch):
    game = await here.game(2, key=key)
    store = here.store
    before, commit = await store.length(game.id), store.commit
    begun = asyncio.Event()

    async def slowly(change: object) -> None:
        begun.set()
        await asyncio.sleep(0.5)
        await commit(change)

    monkeypatch.setattr(store, "commit", slowly)
    answering = asyncio.create_task(answered(game))
    await begun.wait()
    await here.stop_bot()
    done = await answering
    assert done.ack
    assert done.done
    assert "went wrong" not in done.reply.text
    await here.start_bot()
    assert await here.store.length(game.id) > before
    await game.settled()


@pytest.mark.parametrize("key", GAMES)
async def test_what_is_due_is_sent_before_the_end(here: World, key: str, caplog):
    games = [await here.game(2, key=key) for _ in range(3)]
    for game in games:
        await step(game)
        await step(game)
    with caplog.at_level(logging.INFO):
        await here.stop_bot()
    (said,) = [record for record in caplog.records if "outbox flushed" in record.message]
    assert said.left == 0  # type: ignore[attr-defined]
    async with await db.Store.open(here.config.database.path) as store:
        assert not [row for game in games for row in await store.queued(game.id)]
    await here.start_bot()
    for game in games:
        await game.settled()


async def test_nothing_keeps_the_bot_for_long_and_nothing_is_lost(here: World, caplog, monkeypatch):
    """Discord fails while the bot is stopped."""
    monkeypatch.setattr(sender, "FLUSH_SECONDS", 0.5)
    monkeypatch.setattr(sender, "DRAIN_SECONDS", 0.5)
    game = await here.game(2)
    fault = [await here.client.fault(method=m, path="/channels/", status=500, times=None) for m in ("POST", "PATCH")]
    await step(game)
    await step(game)
    with caplog.at_level(logging.INFO):
        async with asyncio.timeout(LIBRARY_SECONDS):
            await here.stop_bot()
    (said,) = [record for record in caplog.records if "outbox flushed" in record.message]
    assert said.left > 0  # type: ignore[attr-defined]
    for each in fault:
        await here.client.clear_faults(each)
    await here.start_bot()
    await game.settled()
    assert (await game.turn()).buttons


async def test_who_comes_too_late_is_told_so(here: World):
    game = await here.game(2)
    before = await game.stands()
    here.tables.attending.add(-1)  # somebody who keeps the bot a while
    stopping = asyncio.create_task(here.stop_bot())
    await asyncio.sleep(0.05)
    done = await answered(game)
    assert "I am being restarted" in done.reply.text
    assert await game.stands() == before
    here.tables.attending.discard(-1)
    await stopping
    await here.start_bot()
    assert "restarted" not in (await answered(game)).reply.text


async def test_bot_players_stop_between_two_steps(here: World):
    """They play as fast as they can; what they have done when the bot stops is whole."""
    game = await here.game(1, bots=3)
    await step(game)
    await here.stop_bot()
    await here.start_bot()
    assert game.id in here.tables.live
    assert not here.tables.broken
    assert await game.says(here.people[0], "table board", text=True)
