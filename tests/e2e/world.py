"""A sandbox and the real bot in this process: what the end-to-end tests play on."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import bot
import db
import rules
from cogs.clock import Clock
from cogs.config import Config, Database, Discord, Log, Play, Secret, Time
from cogs.errors import Stale
from cogs.live import Live
from rules.engine import Table
from sandbox import human, interactions
from sandbox.client import Message, Outcome, Person, SandboxClient
from sandbox.connect import TOKEN, redirect
from sandbox.server import Sandbox

THRONE = "struggle_for_the_throne"
WORLD = "throne_of_the_world"
ECLIPSE = "eclipse"
GAMES = (THRONE, WORLD)
_interactions = itertools.count(1)
EVERY = tuple(rules.GAMES)
WAIT = 60.0
"""Seconds that a slow machine may take for anything."""
GUILDS_SECONDS = 0.1
"""How long the library waits after a server's data for another one's before it says that it is ready."""
QUICK: dict[str, Any] = {
    "bot_pause_seconds": 0.0,
    "window_seconds": (0.0, 0.0),
    "edit_seconds": 0.0,
    "max_games_per_host": 1000,
}


@dataclass
class World:
    """One sandbox with one bot."""

    sandbox: Sandbox
    client: SandboxClient
    people: list[Person]
    config: Config
    clock: Clock
    bot: Any = None
    chance: random.Random = field(default_factory=random.Random)

    @property
    def tables(self) -> Any:
        return self.bot.tables

    @property
    def store(self) -> db.Store:
        return self.bot.store

    # ---------------------------------------------------------------- the bot

    async def start_bot(self) -> None:
        """Start the bot, and wait until its commands are there."""
        store = await db.Store.open(self.config.database.path)
        self.bot = bot.build_bot(self.config, store, self.clock)
        self.bot.entropy = self.chance.randbytes
        self.bot._connection.guild_ready_timeout = GUILDS_SECONDS
        await self.bot.login(TOKEN)
        self._connection = asyncio.create_task(self.bot.connect())
        assert await self.client.ready(WAIT)
        await until(self.people[0].commands)

    async def stop_bot(self) -> None:
        """Stop the bot as a signal would."""
        await self.bot.close()
        await asyncio.gather(self._connection, return_exceptions=True)

    async def restart(self, between: Callable[[], Awaitable[None]] | None = None) -> None:
        """Stop the bot and start it again on the same database."""
        await self.stop_bot()
        if between is not None:
            await between()
        await self.start_bot()

    def skip(self, hours: float) -> None:
        """Let that much time pass at once, for the bot (running or not) and for Discord."""
        self.sandbox.core.clock.advance(hours * 3600)
        self.clock.skip(hours * 3600)

    # ---------------------------------------------------------------- games

    async def lobby(
        self,
        seats: int = 2,
        *,
        key: str = THRONE,
        options: dict[str, str] | None = None,
        bots: int = 0,
        pace: str = "none",
    ) -> Game:
        """A game that waits to be started."""
        host = self.people[0]
        made = await host.command("game create", game=key, pace=pace, finish=WAIT)
        found = re.search(r"Game (\d+) is open in <#(\d+)>", made.reply.text)
        assert found is not None, made.reply.text
        game = Game(self, int(found[1]), found[2], self.people)
        for name, value in (options or {}).items():
            await game.says(host, "game options", name=name, value=value)
        for person in self.people[:seats]:
            assert "You sit in" in await game.says(person, "game join")
        for seat in range(seats):  # in the place of the interactions' ids, which are others each time
            await self.store.update_member(game.id, seat, salt=str(seat))
        if bots:
            await game.says(host, "game bots", count=bots)
        return game

    async def game(self, seats: int = 2, **given: Any) -> Game:
        """A running game."""
        game = await self.lobby(seats, **given)
        assert "started" in await game.says(self.people[0], "game start")
        await game.settled()
        return game


@dataclass
class Game:
    """One game: its thread, and the people; the first ones sit in its seats."""

    world: World
    id: int
    thread: str
    people: Sequence[Person]

    @property
    def live(self) -> Live:
        return self.world.tables.live[self.id]

    @property
    def table(self) -> Table:
        return self.live.table

    async def command(self, person: Person, command: str, **options: Any) -> Outcome:
        """A slash command in the game's channel, with its whole answer."""
        return await person.command(command, channel=self.thread, finish=WAIT, **options)

    async def says(self, person: Person, command: str, **options: Any) -> str:
        """What a slash command answers, in text."""
        return (await self.command(person, command, **options)).reply.text

    async def settled(self) -> None:
        """Wait until everything there is to send is sent."""

        async def sent() -> bool:
            return not await self.world.store.queued(self.id)

        await until(sent)

    async def seen(self, person: Person | None = None) -> list[Message]:
        """What stands in the channel, for that person."""
        return await (person or self.people[0]).visible(self.thread, limit=100)

    async def hand_of(self, person: Person) -> Message:
        """The person's last direct message about this game."""
        await self.settled()
        found = [m for m in await person.visible("@me") if f"game {self.id}," in m.text]
        return found[-1]

    async def said(self, text: str) -> Message:
        """The channel's last message with these words, as soon as it is there."""

        async def found() -> list[Message]:
            return [message for message in await self.seen() if text in message.text]

        await self.settled()
        last: Message = (await until(found))[-1]
        return last

    async def turn(self) -> Message:
        """The open turn message."""
        await self.settled()
        slot = await self.world.store.slot(self.id, f"turn{self.live.turn.number}")
        assert slot is not None
        return await self.people[0].message(str(slot.message_id))

    async def press(self, person: Person, message: Message, label: str, finish: float = WAIT) -> Outcome:
        """Press the button with that label."""
        return await person.press(message.id, message.button(label).custom_id, finish=finish)

    async def panel(self, person: Person) -> Message:
        """The person's private panel."""
        opened = await self.press(person, await self.turn(), "Choose…")
        assert opened.message is not None
        return opened.message

    async def act(self, person: Person, message: Message, label: str) -> None:
        """Press the button with that label, and wait for what it does to the game."""
        before = await self.world.store.length(self.id)

        async def done() -> bool:
            return await self.world.store.length(self.id) > before

        await person.press(message.id, message.button(label).custom_id)
        await until(done)
        await self.settled()

    async def raw_press(
        self, person: Person, message: Message, custom_id: str, values: Sequence[str] = (), finish: float = WAIT
    ) -> Outcome:
        """A press on what the person's screen still showed, or could never show."""
        core = self.world.sandbox.core
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2, "id": 1}
        button: dict[str, Any] = {"type": data["component_type"], "id": 99, "custom_id": custom_id}
        button |= {"values": list(values), "options": []} if values else {"style": 2, "label": "?"}
        data |= {"values": list(values)} if values else {}
        user, channel = core.world.users[person.id], core.world.channels[message.channel_id]
        shown = core.world.messages[message.id]
        stands, shown.components = shown.components, [{"type": 1, "id": 98, "components": [button]}]
        begun = interactions.start(core, interactions.COMPONENT, user, channel, data, shown)
        shown.components = stands
        return Outcome.of(await human.outcome(core, begun, finish))

    async def answer(self, choice: str, seat: int | None = None) -> str:
        """Answer the live question in writing."""
        seat = next(iter(self.table.asked)) if seat is None else seat
        return await self.says(self.person_at(seat), "table answer", choice=choice)

    async def give(self, seat: int, answer: tuple[str, ...]) -> None:
        """Answer the seat's live question without any command."""
        with contextlib.suppress(Stale):  # a question that answers itself has done so meanwhile
            steps = self.world.tables.steps
            await steps.answer(self.live, seat, self.live.token(seat), answer, next(_interactions))

    def person_at(self, seat: int) -> Person:
        """Who sits there now."""
        user_id = str(self.live.members[seat].user_id)
        return next(person for person in self.people if person.id == user_id)

    @property
    def unanswered(self) -> int:
        """A seat that has not answered yet."""
        return next(seat for seat in self.table.asked if seat not in self.table.sealed)

    async def answer_simply(self, seat: int) -> None:
        """Answer the seat's question with the first options, but pass or end the turn where that is possible."""
        question = self.table.asked[seat]
        options = [option.id for option in question.options for _ in range(option.count)]
        simple = next(([id] for id in ("skip", "end") if id in options), options[: question.least])
        said = await self.answer((">" if question.ordered else "+").join(simple) or "-", seat)
        assert "you chose" not in said

    async def stands(self) -> tuple[Any, ...]:
        """What must not change when something is refused."""
        return (
            self.table.position(),
            await self.world.store.length(self.id),
            await self.world.store.members(self.id),
            (await self.world.store.game(self.id)).status,
        )


async def until(condition: Callable[[], Awaitable[Any]], seconds: float = WAIT) -> Any:
    """Wait until this is true, and return it."""
    deadline = time.monotonic() + seconds
    while True:
        found = await condition()
        if found:
            return found
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def world(folder: Path, *, people: int = 6, speed: float = 1000.0, **play: Any) -> AsyncIterator[World]:
    """A sandbox with the bot on it; at the end nothing may have been refused or gone wrong there."""
    config = Config(
        discord=Discord(token=Secret(TOKEN, "the sandbox")),
        database=Database(path=folder / "games.sqlite3", backup_hours=0.0),
        play=msgspec.convert({**QUICK, **play}, Play),
        time=Time(recent_seconds=0.0),
        log=Log(level="warning"),
    )
    async with Sandbox(speed=speed, people=people) as sandbox:
        sandbox.core.ack_seconds = WAIT
        redirect(sandbox.url)
        async with SandboxClient(sandbox.url) as client:
            made = World(sandbox, client, await client.people(), config, Clock())
            await made.start_bot()
            try:
                yield made
            finally:
                await made.stop_bot()
            stats = await client.stats()
            assert not stats["rejections"], stats["rejections"]
            assert not stats["crashes"], stats["crashes"]
            assert not stats["unknown_routes"], stats["unknown_routes"]
