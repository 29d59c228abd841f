"""A backup that was made while the bot ran, put back after a disaster: games go on from there, and the channel follows."""

from __future__ import annotations

import asyncio

import pytest

import db
from cogs import upkeep
from cogs.config import Database

from .playing import SHORT, play_out, step
from .world import GAMES, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("key", GAMES)
async def test_a_restored_backup_plays_on(here: World, key: str, tmp_path):
    game = await here.game(2, key=key, options=SHORT[key])
    for _ in range(3):
        await step(game)
    await game.settled()
    folder = tmp_path / "backups"
    at = await here.store.length(game.id)
    made = await here.store.backup_rotating(folder, keep=2, now_ms=here.clock.now_ms())
    for _ in range(4):
        await step(game)
    await game.settled()
    assert await here.store.length(game.id) > at

    async def disaster() -> None:
        path = here.config.database.path
        path.write_bytes(b"nothing that makes sense")
        with pytest.raises(db.StoreError):
            db.check(path)
        assert db.restore(made, path) is not None
        assert "sound" in db.check(path)

    await here.restart(disaster)
    assert await here.store.length(game.id) == at
    await play_out(game)
    assert "everything fits" in await game.says(here.people[0], "table verify")
    assert here.tables.broken == {}


async def test_backups_by_the_clock_rotate(here: World, tmp_path):
    """The bot's own job, on the bot's own store, while a game goes on."""
    folder = tmp_path / "often"
    game = await here.game(2)
    settings = Database(backup_folder=folder, backup_hours=1.0, backup_keep=2)
    for _ in range(3):
        await here.store.set_meta(upkeep.BACKUP_KEY, None)
        job = asyncio.create_task(upkeep.backups(here.store, settings))
        await step(game)
        await until(lambda: here.store.meta(upkeep.BACKUP_KEY))
        job.cancel()
        await asyncio.wait([job])
    copies = sorted(folder.glob("*.backup"))
    assert len(copies) == 2
    assert all("sound" in db.check(copy) for copy in copies)
