"""`python -m sandbox load`: many games at once, and how long people wait for an answer, a question, a picture."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .client import Entry, Outcome, Person, SandboxClient
from .driver import Changed, GameDriver, Way
from .play import percentile
from .processes import QUICK, BotProcess, Stalled, running

REAL = QUICK.replace("bot_pause_seconds = 0", "bot_pause_seconds = 1.5").replace("edit_seconds = 0", "edit_seconds = 1")
"""The real pauses: bot players and edits at the pace they have on Discord."""
BOT_PAUSE_SECONDS = 1.4
"""What comes so long after the question is the picture of a bot player's next step, not of the press."""
SETTLE_SECONDS = 4.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's options."""
    parser.add_argument("--game", default="struggle_for_the_throne", metavar="KEY")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--people", type=int, default=24, help="who play them all")
    parser.add_argument("--humans", type=int, default=4, help="of the four seats of each game; the others are bots")
    parser.add_argument("--presses-per-second", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--speed", type=float, default=1.0, help="how much faster than Discord limits pass")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep-log", metavar="FILE", help="where to put the bot's log")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Play, print the figures; 0 when there was no error."""
    figures = asyncio.run(load(args))
    show(figures, as_json=args.json)
    return 1 if figures["errors"] or figures["rejected"] else 0


def show(figures: dict[str, Any], *, as_json: bool) -> None:
    """Print the figures."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:17} {value}")


@dataclass
class Seated(GameDriver):
    """One of many games: pressed on when told so, its messages taken from a stream."""

    busy: bool = False
    pressed: float = 0.0
    asked: float = 0.0
    question_open: bool = False
    picture_open: bool = False
    pictures: set[str] = field(default_factory=set)
    question_ms: list[float] = field(default_factory=list)
    picture_ms: list[float] = field(default_factory=list)

    def take(self, entry: Entry) -> None:
        """What was shown in the thread, and how long after the last press."""
        super().take(entry)
        message = entry.message
        if message is None or entry.kind == "delete" or message.ephemeral or "· turn " not in message.text:
            return
        waited = (entry.real - self.pressed) * 1000
        shown = {image.id for image in message.images}
        if self.question_open:
            self.question_ms.append(waited)
            self.question_open = False
            self.asked = entry.real
        if self.picture_open and shown - self.pictures:
            if entry.real - self.asked < BOT_PAUSE_SECONDS:
                self.picture_ms.append(waited)
            self.picture_open = False
        self.pictures |= shown

    async def _choose(self, person: Person, here: Sequence[Way]) -> Outcome:
        self.pressed, self.question_open, self.picture_open = time.time(), True, True
        before = self.decisions
        outcome = await super()._choose(person, here)
        if self.decisions == before:
            self.question_open = self.picture_open = False
        return outcome

    def forget(self) -> None:
        """Count from now on."""
        self.ack_ms.clear()
        self.question_ms.clear()
        self.picture_ms.clear()

    async def press_on(self) -> None:
        """Answer for one of those asked."""
        turn = self._turn()
        asked = self._asked(turn) if turn is not None else []
        if turn is None or not asked:
            return
        self.busy = True
        try:
            with contextlib.suppress(Changed):
                await self._answer(self.rng.choice(asked), turn)
        finally:
            self.busy = False

    @property
    def waiting(self) -> bool:
        """Whether a person could press something."""
        turn = self._turn()
        return not self.busy and not self.finished and turn is not None and bool(self._asked(turn))


async def seat_all(
    client: SandboxClient, key: str, games: int, people: Sequence[Person], humans: int, seed: int, at_once: int = 6
) -> list[Seated]:
    """Open that many games, each with some people and bot players, and start them."""
    room = asyncio.Semaphore(at_once)

    async def seat(n: int) -> Seated:
        mine = [people[(n * humans + i) % len(people)] for i in range(humans)]
        driver = Seated(client, mine, random.Random(f"{seed} {n}"), stall_seconds=120, bots=4 - humans)
        async with room:
            await driver.create(key)
        return driver

    return list(await asyncio.gather(*(seat(n) for n in range(games))))


async def load(args: argparse.Namespace) -> dict[str, Any]:
    """The games, some seconds of presses, the figures."""
    begun = time.monotonic()
    async with running(speed=args.speed, people=args.people, config=REAL) as (client, bot):
        people = await client.people()
        watcher = await client.person("Keeper")
        cursor, _ = await watcher.wait(None, 0)
        games = await seat_all(client, args.game, args.games, people, args.humans, args.seed)
        threads = {game.thread: game for game in games}
        streaming = asyncio.create_task(stream(watcher, cursor, threads))
        await asyncio.sleep(SETTLE_SECONDS)
        for game in games:
            game.forget()
        setup = time.monotonic() - begun
        presses = await _press(games, args.presses_per_second, args.seconds, random.Random(args.seed))
        await asyncio.sleep(SETTLE_SECONDS)
        streaming.cancel()
        await asyncio.gather(streaming, return_exceptions=True)
        stats = await client.stats()
        memory = rss_mib(bot)
        log = bot.log.read_text(errors="replace")
        if args.keep_log:
            Path(args.keep_log).write_text(log)  # noqa: ASYNC240
    acks = [ms for game in games for ms in game.ack_ms]
    questions = [ms for game in games for ms in game.question_ms]
    pictures = [ms for game in games for ms in game.picture_ms]
    errors = [error for game in games for error in game.errors]
    errors += [line for line in log.splitlines() if "ERROR" in line or "Traceback" in line]
    return {
        "games": len(games),
        "presses": presses,
        "ack_p50_ms": percentile(acks, 50),
        "ack_p99_ms": percentile(acks, 99),
        "question_p50_ms": percentile(questions, 50),
        "question_p95_ms": percentile(questions, 95),
        "picture_p50_ms": percentile(pictures, 50),
        "picture_p95_ms": percentile(pictures, 95),
        "questions": len(questions),
        "pictures": len(pictures),
        "errors": errors,
        "rejected": stats["rejected"],
        "rate_limited": stats["rate_limited"],
        "rss_mib": memory,
        "setup_seconds": round(setup, 1),
    }


async def stream(watcher: Person, cursor: int, threads: Mapping[str, Seated]) -> None:
    """Tell each game what is shown in its thread."""
    async for entry in watcher.stream(cursor):
        game = threads.get(entry.channel_id or "")
        if game is not None:
            game.take(entry)


async def _press(games: Sequence[Seated], rate: float, seconds: float, rng: random.Random) -> int:
    """Press in random games at that rate, as people do: not all at once, not in step."""
    tasks: set[asyncio.Task[None]] = set()
    begun = time.monotonic()
    presses, due = 0, begun
    while (now := time.monotonic()) < begun + seconds and rate > 0:
        if now < due:
            await asyncio.sleep(due - now)
            continue
        due += rng.expovariate(rate)
        waiting = [game for game in games if game.waiting]
        if waiting:
            task = asyncio.create_task(rng.choice(waiting).press_on())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            presses += 1
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return presses


def rss_mib(bot: BotProcess) -> float:
    """The resident memory of the bot's process."""
    if bot.process is None:
        raise Stalled("there is no bot")
    status = Path(f"/proc/{bot.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return round(int(found[1]) / 1024, 1) if found else 0.0


if __name__ == "__main__":
    sys.exit("python -m sandbox load")
