"""The watch over the connection, the sign of life, the backups and the sweeping."""

import asyncio
import faulthandler
import os
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

import db
from cogs import upkeep
from cogs.config import Database


@asynccontextmanager
async def running(job):
    task = asyncio.create_task(job)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


async def until(condition):
    """Wait until the condition, maybe awaitable, holds."""
    async with asyncio.timeout(60):
        while not (await found if asyncio.iscoroutine(found := condition()) else found):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Seconds become moments; no timer of the process is set under the test runner."""
    monkeypatch.setattr(upkeep, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *args, **more: None)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: None)


@pytest.fixture
async def store(tmp_path):
    async with await db.Store.open(tmp_path / "games.sqlite3") as opened:
        yield opened


async def test_the_watch_ends_only_after_so_long_offline():
    bot = SimpleNamespace(offline_since=None)
    async with running(upkeep.watch(bot, 2.0)) as task:
        for since in (None, time.monotonic() - 60, None):
            bot.offline_since = since
            await asyncio.sleep(0.05)
            assert not task.done()
        bot.offline_since = time.monotonic() - 120
        await asyncio.wait_for(task, 60)


async def test_the_sign_of_life_is_given_only_while_online(tmp_path):
    bot, file = SimpleNamespace(offline_since=1.0), tmp_path / "health"
    async with running(upkeep.beat(bot, file)):
        await asyncio.sleep(0.05)
        assert not upkeep.healthy(file)
        bot.offline_since = None
        await until(lambda: upkeep.healthy(file))
    assert not file.exists()


def test_an_old_sign_of_life_counts_no_more(tmp_path):
    file = tmp_path / "health"
    file.touch()
    assert upkeep.healthy(file)
    os.utime(file, (time.time() - 61, time.time() - 61))
    assert not upkeep.healthy(file)


async def test_a_loop_that_was_held_up_is_logged(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(upkeep, "LAG_SECONDS", 60.0)
    async with running(upkeep.beat(SimpleNamespace(offline_since=None), tmp_path / "health")):
        await asyncio.sleep(0.05)
        assert "held up" not in caplog.text
        monkeypatch.setattr(upkeep, "LAG_SECONDS", 0.1)
        time.sleep(0.2)  # noqa: ASYNC251
        await until(lambda: "held up" in caplog.text)


async def test_backups_come_at_their_time_and_count_across_restarts(store, tmp_path):
    folder = tmp_path / "backups"
    settings = Database(backup_folder=folder, backup_hours=1.0, backup_keep=2)

    def copies():
        return len(list(folder.glob("*.backup"))) if folder.exists() else 0

    async with running(upkeep.backups(store, settings)):
        await until(lambda: store.meta(upkeep.BACKUP_KEY))
    assert copies() == 1
    async with running(upkeep.backups(store, settings)):
        await asyncio.sleep(0.1)
    assert copies() == 1
    for _ in range(3):
        await store.set_meta(upkeep.BACKUP_KEY, str(int(await store.meta(upkeep.BACKUP_KEY)) - 3_600_001))
        before = await store.meta(upkeep.BACKUP_KEY)

        async def again(before=before):
            return await store.meta(upkeep.BACKUP_KEY) != before

        async with running(upkeep.backups(store, settings)):
            await until(again)
    assert copies() == 2


async def test_a_backup_that_fails_is_logged_and_tried_again(store, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(upkeep, "RETRY_SECONDS", 0.02)
    folder = tmp_path / "backups"
    folder.write_text("in the way")
    async with running(upkeep.backups(store, Database(backup_folder=folder, backup_hours=1.0))):
        await until(lambda: "no backup could be made" in caplog.text)
        folder.unlink()
        await until(folder.is_dir)


async def test_no_backups_when_they_are_turned_off(store, tmp_path):
    settings = Database(backup_folder=tmp_path / "backups", backup_hours=0.0)
    async with running(upkeep.backups(store, settings)) as task:
        await asyncio.sleep(0.05)
        assert not task.done()
    assert not (tmp_path / "backups").exists()


async def test_interactions_that_cannot_come_again_are_forgotten(store):
    now = time.time_ns() // 1_000_000
    for interaction_id, applied_ms in ((5, now - 25 * 3_600_000), (6, now - 3_600_000)):
        await store.create_game(
            key="eclipse", guild_id=None, home_channel_id=1, host_id=1, options=b"", secret=b"", now_ms=applied_ms,
            interaction_id=interaction_id,
        )  # fmt: skip
    async with running(upkeep.sweep(store)):
        async with asyncio.timeout(5):
            while await store.seen(5):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    assert await store.seen(6)
