"""The same bot under an independent double of Discord, lest our own sandbox and our bot agree on the same mistake."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import simcord

import bot
import db
from cogs import sync
from cogs.config import Config, Play
from cogs.pace import Pace

from .world import QUICK, THRONE, until


def labels(message) -> dict[str, str]:
    """The buttons of a message: label to custom id."""
    found = {}

    def walk(parts) -> None:
        for part in parts:
            if getattr(part, "label", None):
                found[part.label] = part.custom_id
            walk(getattr(part, "children", ()))

    walk(message.components)
    return found


async def test_from_create_to_a_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # What waits for ever would keep the double waiting: it starts outside, and there are no bot players to wait for.
    monkeypatch.setattr(Pace, "follow", lambda self, live: None)
    store = await db.Store.open(tmp_path / "games.sqlite3")
    made = bot.build_bot(Config(play=msgspec.convert(QUICK, Play)), store)
    await made.load()
    await made.tables.open_all()

    async def hook() -> None:
        await sync.sync(made.tree, store)

    made.setup_hook = hook
    async with simcord.run(made) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("games")
        north, east = (guild.add_member(env.create_user(name)) for name in ("north", "east"))
        created = await north.slash(channel, "game create", game=THRONE)
        assert created.ephemeral
        (thread,) = channel.threads

        async def shown(label: str):
            async def found():
                return next((m for m in reversed(thread.history()) if label in labels(m)), None)

            return await until(found)

        for person in (north, east):
            await person.click(await shown("Join"), custom_id=labels(await shown("Join"))["Join"])
        panel = await shown("Start")

        async def ready():
            return len(await store.members(1)) == 2 and not await store.queued(1)

        await until(ready)
        panel = await shown("Start")
        await north.click(panel, custom_id=labels(panel)["Start"])
        turn = await shown("My hand")
        live = made.tables.live[1]
        asked = next(iter(live.table.asked))
        person = (north, east)[asked]
        hand = await person.click(turn, custom_id=labels(turn)["My hand"])
        assert hand.ephemeral
        before = live.table.length
        answer = next(custom for custom in labels(turn).values() if ":answer:" in custom)
        await person.click(turn, custom_id=answer)
        assert live.table.length == before + 1
    await made.tables.sender.close()
