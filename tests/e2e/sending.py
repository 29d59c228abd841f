"""The real bot on a sandbox, both in this process, and a game whose messages are looked at."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

import db
from bot import TableBot, build_bot, with_sandbox_token
from cogs.config import Config, Database, Play, Render
from sandbox.client import Message, Person, SandboxClient
from sandbox.connect import TOKEN, redirect
from sandbox.driver import Changed, GameDriver
from sandbox.server import Sandbox

from .world import GUILDS_SECONDS, WAIT

SPEED = 100.0
KEY = "struggle_for_the_throne"


async def until(condition: Callable[[], Any], seconds: float = WAIT, what: str = "") -> Any:
    """Wait until the condition (maybe awaitable) holds, and return what it gives."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return found
        if time.monotonic() > deadline:
            pytest.fail(f"it never came: {what or condition}")
        await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def bot_on(sandbox: Sandbox, folder: Path, **play: Any) -> AsyncIterator[TableBot]:
    """The bot, connected; its database is kept in the folder."""
    redirect(sandbox.url)
    pace = Play(
        **{"bot_pause_seconds": 0, "window_seconds": (0, 0), "edit_seconds": 0, "max_games_per_host": 99} | play
    )
    database = Database(path=folder / "games.sqlite3", backup_folder=folder, backup_hours=0)
    config = with_sandbox_token(Config(database=database, play=pace, render=Render(timeout_seconds=10)))
    made = build_bot(config, await db.Store.open(config.database.path))
    made._connection.guild_ready_timeout = GUILDS_SECONDS
    running = asyncio.create_task(made.start(TOKEN))
    try:
        async with SandboxClient(sandbox.url) as client:
            await until(lambda: running.done() or made.is_ready(), what="the bot is ready")
            await until(lambda: sandbox.core.world.commands.get(None), what="the commands")
            assert await client.ready(WAIT)
        yield made
    finally:
        await made.close()
        await asyncio.gather(running, return_exceptions=True)


class Table:
    """A game that is being played, and what stands in its thread."""

    def __init__(self, client: SandboxClient, bot: TableBot, people: list[Person], driver: GameDriver) -> None:
        self.client = client
        self.bot = bot
        self.people = people
        self.host = people[0]
        self.driver = driver

    @property
    def live(self) -> Any:
        return self.bot.tables.live[self.driver.game]

    @property
    def thread(self) -> str:
        return self.driver.thread

    async def shown(self, channel: str | None = None) -> list[Message]:
        """What everybody sees in the channel, oldest first."""
        wanted = channel or self.thread
        for found in (await self.client.world())["channels"]:
            if wanted in (found["id"], found.get("name")):
                return [Message.of(m) for m in found["messages"] if m["reader"] is None and m["type"] in (0, 19)]
        raise LookupError(wanted)

    async def turns(self) -> list[Message]:
        """The messages of turns."""
        return [m for m in await self.shown() if "· turn " in m.text]

    async def open_turn(self) -> Message:
        """The turn message with buttons."""
        (found,) = [m for m in await self.turns() if m.buttons]
        return found

    async def said(self, words: str, channel: str | None = None) -> list[Message]:
        """The messages with these words."""
        return [message for message in await self.shown(channel) if words in message.text]

    @property
    def question(self) -> str:
        """What the turn message asks; "" when that is nobody else's business."""
        (question,) = list(self.live.table.asked.values())[:1]
        return "" if question.private or len(self.live.table.asked) > 1 else self.live.words.question(question)

    async def letters(self, person: Person) -> list[Message]:
        """The person's direct messages."""
        return await person.visible("@me")

    async def step(self) -> None:
        """Somebody who is asked answers something."""
        length = self.live.table.length
        deadline = time.monotonic() + WAIT
        while self.live.table.length == length:
            assert time.monotonic() < deadline, "nobody can answer"
            await self.driver._look(0.05)
            turn = self.driver._turn()
            for person in self.driver._asked(turn) if turn is not None else ():
                with contextlib.suppress(Changed):
                    await self.driver._answer(person, turn)

    async def answer_in_writing(self) -> None:
        """Somebody who is asked answers by slash command, whatever stands in the thread."""
        length = self.live.table.length
        person = self.people[self.unanswered]
        for _ in range(5):
            await self.driver._try(person, "table answer", {"choice": ()})
            if self.live.table.length > length:
                return
        await self.answer_inside()

    @property
    def unanswered(self) -> int:
        """A seat that is asked and has not answered yet."""
        return next(seat for seat in self.live.table.asked if seat not in self.live.table.sealed)

    async def answer_inside(self) -> None:
        """Somebody who is asked gives the safe answer, without any interaction."""
        live = self.live
        seat = self.unanswered
        answer = live.rules.safe(live.table.asked[seat])
        await self.bot.tables.steps.answer(live, seat, live.token(seat), answer, 1000 + live.table.length)

    async def sent(self) -> None:
        """Wait until everything is sent."""
        if self.driver.game in self.bot.tables.live:
            async with self.live.lock:  # a step under way is not in the outbox yet
                pass
        await until(self._empty, what="an empty outbox")

    async def _empty(self) -> bool:
        return not await self.bot.store.queued() and not self.bot.tables.sender._busy


async def open_table(client: SandboxClient, bot: TableBot, seats: int = 2, seed: int = 1) -> Table:
    """A game of that many people, started."""
    people = (await client.people())[:seats]
    driver = GameDriver(client, people, random.Random(seed), stall_seconds=WAIT)
    await driver.create(KEY)
    return Table(client, bot, people, driver)


def count(sandbox: Sandbox, method: str, path: str) -> Any:
    """Counts the requests that match from now on, as its `hits`."""
    return sandbox.core.faults.add({"method": method, "path": path, "times": None, "delay": 0.001})
