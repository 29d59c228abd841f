"""Whole games, played by what stands on the screens, the bot being a process of its own."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from sandbox.client import SandboxClient
from sandbox.driver import GameDriver
from sandbox.processes import BotProcess, running

from .world import THRONE, World, until

SEATS = int(os.environ.get("E2E_SEATS", "2"))
GAMES = int(os.environ.get("E2E_GAMES", "2"))
LIMITED = {"round_limit": os.environ.get("E2E_ROUNDS", "4")}
"""Games long enough for everything, and short enough for every day; E2E_ROUNDS=0 plays them to the last battle."""
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def processes() -> AsyncIterator[tuple[SandboxClient, BotProcess]]:
    async with running(people=max(6, SEATS)) as (client, bot):
        yield client, bot


async def driven(client: SandboxClient, seed: int, by: str = "buttons", first: int = 0) -> GameDriver:
    """A started game, to be played by chance."""
    people = await client.people()
    driver = GameDriver(client, (people[first:] + people[:first])[:SEATS], random.Random(seed), by)
    await driver.create(THRONE, options=LIMITED)
    return driver


async def fine(client: SandboxClient, bot: BotProcess, *drivers: GameDriver) -> None:
    """All games have ended, and nothing went wrong on the way."""
    for driver in drivers:
        assert driver.finished
        assert not driver.errors
    stats = await client.stats()
    assert not stats["rejections"]
    assert not stats["crashes"]
    assert "Traceback" not in bot.log.read_text()


@pytest.mark.parametrize("by", ["buttons", "slash"])
async def test_a_whole_game(processes: tuple[SandboxClient, BotProcess], by: str):
    client, bot = processes
    driver = await driven(client, 7, by)
    await driver.run()
    await fine(client, bot, driver)


async def test_several_at_once(processes: tuple[SandboxClient, BotProcess]):
    client, bot = processes
    drivers = [await driven(client, 20 + n, first=n) for n in range(GAMES)]
    await asyncio.gather(*(driver.run() for driver in drivers))
    await fine(client, bot, *drivers)
    assert len({driver.game for driver in drivers}) == GAMES


async def test_stopped_and_started_in_the_middle(processes: tuple[SandboxClient, BotProcess]):
    client, bot = processes
    driver = await driven(client, 30)
    for most in (10, 25):
        await driver.run(most)
        assert await bot.stop() == 0
        await bot.start()
        assert await client.ready(60)
    await driver.run()
    await fine(client, bot, driver)


async def test_bot_players_finish_by_themselves(here: World):
    """One person opens a game, seats bot players and surrenders; they play it out."""
    game = await here.game(1, bots=2, options=LIMITED)

    async def on() -> bool:
        if game.id not in here.tables.live:
            return True
        asked = game.table.asked
        if 0 in asked and 0 not in game.table.sealed:
            keys = {"action": "surrender", "surrender": "1"}
            options = [option.id for option in asked[0].options for _ in range(option.count)]
            await game.answer(keys.get(asked[0].key) or "+".join(options[: asked[0].least]) or "-", 0)
        return (await here.store.game(game.id)).status == "ended"

    await until(on, 60)
    await game.settled()
    told = [message.text for message in await game.seen()]
    assert any("is over" in text for text in told)
    assert len(told) < 100  # turns of bot players share messages
