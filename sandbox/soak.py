"""`python -m sandbox soak`: many games of all kinds at once for some minutes, while everything goes wrong that can."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rules import GAMES, rules_of

from .audit import Findings, Seats, audit
from .chaos import rows
from .client import Message, Outcome, Person, SandboxClient, SandboxError
from .driver import Changed, Way, ways
from .load import REAL, Seated, rss_mib, stream
from .play import percentile
from .processes import BotProcess, Stalled, sandbox_process

GAMES_A_CHANNEL = 10
MOST_SEATS = 4
PERSONS_A_GAME = 2
CONSENTS = ("agree", "refuse", "voteaye", "votenay")
SETTLE_SECONDS = 120.0
ACK_P99_MS = 300.0
PICTURE_P95_MS = 1000.0
RSS_MIB = 400.0
GAME_MIB = 5.0
NEEDED = ("view_channel", "send_messages_in_threads", "attach_files", "embed_links")
"""Permissions that are taken away, one at a time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's options."""
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--people", type=int, default=40, help="who play them all")
    parser.add_argument("--presses-per-second", type=float, default=20.0)
    parser.add_argument("--mischief-per-second", type=float, default=0.7, help="undo, leaving, deletions, faults ...")
    parser.add_argument(
        "--kills", type=int, default=3, help="how often the bot is killed, the first time after a third"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep-log", metavar="FILE", help="where to put the bot's log")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Play, print the figures; 0 when everything holds that has to."""
    figures = asyncio.run(soak(args))
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:18} {value}")
    return 1 if figures["failures"] else 0


@dataclass
class Soaked(Seated):
    """One of the games: its people also agree to what others ask of them, and do what people do to a game."""

    key: str = ""
    channel: str = ""
    folder: Path = Path()
    everybody: Sequence[Person] = ()
    seats: Seats = field(default_factory=Seats)
    disturbed: float = 0.0
    """Until then something is wrong with this game's own place: its waiting does not count."""

    async def _choose(self, person: Person, here: Sequence[Way]) -> Outcome:
        outcome = await super()._choose(person, here)
        if time.monotonic() < self.disturbed:
            self.question_open = self.picture_open = False
        return outcome

    async def _did(self, doing: object) -> Outcome:
        counted = len(self.ack_ms)
        outcome = await super()._did(doing)
        if time.monotonic() < self.disturbed:
            del self.ack_ms[counted:]
        return outcome

    def disturb(self, seconds: float) -> None:
        """For so long the bot has to mend something there."""
        self.disturbed = max(self.disturbed, time.monotonic() + seconds)
        self.question_open = self.picture_open = False

    def seat(self) -> None:
        """See who sits where by now."""
        sql = f"SELECT seat, user_id, name FROM members WHERE game_id = {self.game} ORDER BY seat"
        known = {person.id: person for person in self.everybody}
        for seat, user, name in rows(self.folder, sql):
            self.seats.note(seat, str(user or ""), name)
            if seat < len(self.people) and str(user) in known:
                self.people = [*self.people[:seat], known[str(user)], *self.people[seat + 1 :]]

    @property
    def shown(self) -> list[Message]:
        """What stands in the thread."""
        return [message for message in self._messages.values() if not message.ephemeral]

    async def take_seat(self, person: Person, offer: Way) -> None:
        """Take the seat that is offered."""
        await self._press(person, offer, finish=5)
        self.seat()

    async def consent(self) -> None:
        """Somebody answers a wish to undo, or votes."""
        for message in self.shown:
            here = [way for way in ways(message) if way.verb in CONSENTS]
            if here:
                with contextlib.suppress(Changed):
                    await self._press(self.rng.choice(self.people), self.rng.choice(here), finish=2)
                return

    async def say(self, who: Person, command: str, **options: Any) -> Outcome | None:
        """A command in the thread, with its answer; None when it cannot be given there now."""
        with contextlib.suppress(Changed):
            return await self._did(who.command(command, channel=self.thread, finish=5, given=options))
        return None

    async def look(self) -> None:
        """Wait a moment for what is shown."""
        await self._look(0.5)

    async def press_in(self, person: Person, message: Message | None, *wanted: str) -> Outcome | None:
        """Press one of those buttons on a private answer."""
        here = [way for way in ways(message) if way.verb in wanted] if message is not None else []
        if here:
            with contextlib.suppress(Changed):
                return await self._press(person, self.rng.choice(here), finish=5)
        return None


@dataclass
class Storm:
    """Everything that goes wrong while people play."""

    client: SandboxClient
    bot: BotProcess
    games: Sequence[Soaked]
    people: Sequence[Person]
    rng: random.Random
    done: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)
    locked: set[str] = field(default_factory=set)
    """Threads that a moderator has locked; only a moderator can open them again."""
    away: float = 0.0
    """Until when the bot is away or Discord does not work: nobody's waiting counts then."""

    def game(self) -> Soaked:
        """One of the games under way."""
        return self.rng.choice([game for game in self.games if not game.finished] or list(self.games))

    async def blow(self, rate: float, until: float) -> None:
        """Do something at that rate."""
        doings: dict[Callable[[], Awaitable[None]], int] = {
            self.undo: 8, self.consent: 10, self.redo: 2, self.rewind: 2, self.leave: 2, self.back: 2, self.replace: 2,
            self.pause: 1, self.try_out: 1,
            self.delete: 6, self.archive: 2, self.permission: 1, self.limited: 2, self.failing: 2,
            self.lost: 1, self.drop: 1, self.closed_dm: 1, self.look: 6,
        }  # fmt: skip
        while (now := time.monotonic()) < until:
            await asyncio.sleep(min(self.rng.expovariate(rate), max(0.0, until - now)))
            (doing,) = self.rng.choices(list(doings), list(doings.values()))
            with contextlib.suppress(SandboxError, LookupError):
                await doing()
                self.done[doing.__name__] += 1

    # what people do

    async def undo(self) -> None:
        game = self.game()
        person = self.rng.choice(game.people)
        shown = await game.say(person, "table undo")
        if shown is not None:
            await game.press_in(person, shown.message, "undo")

    async def redo(self) -> None:
        game = self.game()
        await game.say(self.rng.choice(game.people), "table redo")

    async def rewind(self) -> None:
        """Somebody takes the game back, if he is its host."""
        game = self.game()
        await game.say(self.rng.choice(game.people), "game rewind", steps=self.rng.randint(1, 9))

    async def consent(self) -> None:
        await self.game().consent()

    async def leave(self) -> None:
        game = self.game()
        await game.say(self.rng.choice(game.people), "table leave", sure=True)

    async def back(self) -> None:
        game = self.game()
        await game.say(self.rng.choice(game.people), "table return")

    async def replace(self) -> None:
        """Somebody offers his seat, and somebody new takes it."""
        game = self.game()
        new = self.rng.choice([person for person in self.people if person not in game.people])
        if await game.say(self.rng.choice(game.people), "table replace", user=new.id) is None:
            return
        for _ in range(10):
            await asyncio.sleep(0.5)
            offers = [way for message in game.shown for way in ways(message) if way.verb == "takeseat"]
            if offers:
                with contextlib.suppress(Changed):
                    await game.take_seat(new, offers[-1])
                return

    async def pause(self) -> None:
        """The table is asked for a break, and at once for its end."""
        game = self.game()
        await game.say(self.rng.choice(game.people), self.rng.choice(("table pause", "table resume")))

    async def try_out(self) -> None:
        game = self.game()
        await game.say(self.rng.choice(game.people), "table try")

    async def look(self) -> None:
        """What people look at in between."""
        game = self.game()
        commands = (
            "table board",
            "table hand",
            "table log",
            "table history",
            "table since",
            "table turn",
            "table follow",
            "table luck",
            "table repair",
            "my data",
        )
        await game.say(self.rng.choice(self.people), self.rng.choice(commands))

    async def closed_dm(self) -> None:
        person = self.rng.choice(self.people)
        await self.client.close_dm(person, True)
        await asyncio.sleep(3)
        await self.client.close_dm(person, False)

    # what moderators and Discord do

    def suspend(self, seconds: float) -> None:
        """For so long nobody's waiting counts."""
        self.away = max(self.away, time.monotonic() + seconds)
        for game in self.games:
            game.disturb(seconds)

    async def delete(self) -> None:
        game = self.game()
        message = self.rng.choice(game.shown)
        self.deleted[game.thread] += 1
        game.disturb(5)
        await self.client.delete_message(message.id)

    async def archive(self) -> None:
        game = self.game()
        game.disturb(5)
        locked = self.rng.random() < 0.3
        self.locked |= {game.thread} if locked else set()
        await self.client.archive(game.thread, locked=locked)

    async def permission(self) -> None:
        game, name = self.game(), self.rng.choice(NEEDED)
        for other in self.games:
            if other.channel == game.channel:
                other.disturb(15)
        await self.client.permit("bot", deny=[name], channel=game.channel)
        await asyncio.sleep(4)
        await self.client.permit("bot", grant=[name], channel=game.channel)

    async def limited(self) -> None:
        self.suspend(4)
        await self.client.fault(status=429, retry_after=0.5, times=4, path="channels")

    async def failing(self) -> None:
        self.suspend(6)
        await self.client.fault(status=self.rng.choice((500, 502, 503)), times=5, path="channels|interactions|webhooks")

    async def lost(self) -> None:
        """Done, but nobody is told."""
        self.suspend(6)
        await self.client.fault(method="POST", path="messages", status=500, after=True)

    async def drop(self) -> None:
        self.suspend(5)
        await self.client.drop()

    async def kill(self, number: signal.Signals) -> None:
        """End the bot and start it again."""
        self.suspend(30)
        await self.bot.stop(number)
        await asyncio.sleep(self.rng.uniform(0.2, 2.0))
        await self.bot.start()
        if not await self.client.ready(60):
            raise Stalled("the bot does not come back")
        self.done[number.name] += 1
        self.away = time.monotonic() + 5  # it has its arrears to send

    async def calm(self) -> None:
        """Everything works again."""
        await self.client.clear_faults()
        for thread in self.locked:
            await self.client.archive(thread, locked=False)
        for channel in {game.channel for game in self.games}:
            await self.client.permit("bot", grant=list(NEEDED), channel=channel)


async def seat_all(
    client: SandboxClient, people: Sequence[Person], folder: Path, args: argparse.Namespace
) -> list[Soaked]:
    """The games, a mix of all there are, in channels of their own few."""
    room = asyncio.Semaphore(6)
    channels = [await client.add_channel(f"hall-{n}") for n in range(-(-args.games // GAMES_A_CHANNEL))]

    async def seat(n: int) -> Soaked:
        rng = random.Random(f"{args.seed} {n}")
        key = sorted(GAMES)[n % len(GAMES)]
        seats = rng.choice([count for count in rules_of(key).seats if count <= MOST_SEATS])
        humans = min(seats, PERSONS_A_GAME)
        mine = [people[(n * humans + i) % len(people)] for i in range(humans)]
        channel = channels[n // GAMES_A_CHANNEL]
        game = Soaked(
            client, mine, rng, stall_seconds=180, bots=seats - humans, tolerant=True,
            key=key, channel=channel, folder=folder, everybody=people,
        )  # fmt: skip
        async with room:
            await game.create(key, channel)
        while not game.game:
            await game.look()
        game.seat()
        return game

    return list(await asyncio.gather(*(seat(n) for n in range(args.games))))


async def soak(args: argparse.Namespace) -> dict[str, Any]:
    """The games, the storm, and what is left of them."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        async with sandbox_process(1.0, args.people) as client:
            bot = BotProcess(client.url, Path(name), REAL)
            await bot.start()
            if not await client.ready(60):
                raise Stalled("the bot does not connect")
            try:
                return await _soak(args, client, bot, Path(name), begun)
            finally:
                await bot.stop()
                if args.keep_log:
                    Path(args.keep_log).write_bytes(bot.log.read_bytes())  # noqa: ASYNC240


async def _soak(
    args: argparse.Namespace, client: SandboxClient, bot: BotProcess, folder: Path, begun: float
) -> dict[str, Any]:
    people = await client.people()
    keeper = await client.person("Keeper")
    cursor, _ = await keeper.wait(None, 0)
    games = await seat_all(client, people, folder, args)
    setup = time.monotonic() - begun
    rng = random.Random(args.seed)
    storm = Storm(client, bot, games, people, rng)
    tasks = [asyncio.create_task(stream(keeper, cursor, {game.thread: game for game in games}))]
    for game in games:
        game.forget()
    until = time.monotonic() + args.minutes * 60
    tasks.append(asyncio.create_task(storm.blow(args.mischief_per_second, until)))
    tasks.append(asyncio.create_task(kills(storm, args.kills, args.minutes * 60)))
    presses, memory = await play(games, storm, args.presses_per_second, until)
    await asyncio.gather(*tasks[1:])
    await storm.calm()
    await settled(games, folder)
    tasks[0].cancel()
    await asyncio.gather(tasks[0], return_exceptions=True)
    memory = max(memory, rss_mib(bot))
    await bot.stop()
    stats, (_, journal) = await client.stats(), await client.journal()
    seats = {game.game: game.seats for game in games}
    findings = await audit(client, folder / "games.sqlite3", seats, storm.deleted, journal)
    figures = figured(games, findings, stats, memory, folder)
    log = bot.log.read_text(errors="replace").splitlines()
    figures["errors"] = [line for line in log if "ERROR" in line or "Traceback" in line][:20]
    figures |= {
        "presses": presses, "storm": dict(storm.done), "setup_seconds": round(setup, 1),
        "seconds": round(time.monotonic() - begun, 1),
    }  # fmt: skip
    return {"failures": failures(figures), **figures}


async def kills(storm: Storm, times: int, seconds: float) -> None:
    """Kill the bot some times, evenly spread; every second time it may say good-bye."""
    for n in range(times):
        await asyncio.sleep(seconds / (times + 1))
        await storm.kill(signal.SIGKILL if n % 2 == 0 else signal.SIGTERM)


async def play(games: Sequence[Soaked], storm: Storm, rate: float, until: float) -> tuple[int, float]:
    """Press at that rate until then; how often, and the most memory the bot had."""
    running: set[asyncio.Task[None]] = set()
    presses, memory, looked = 0, 0.0, 0.0
    due = time.monotonic()
    while (now := time.monotonic()) < until:
        if now < due:
            await asyncio.sleep(due - now)
            continue
        due = max(due, now - 1.0) + storm.rng.expovariate(rate)
        waiting = [game for game in games if game.waiting]
        if waiting:
            game = storm.rng.choice(waiting)
            game.disturbed = max(game.disturbed, storm.away)
            task = asyncio.create_task(game.press_on())
            running.add(task)
            task.add_done_callback(running.discard)
            presses += 1
            await asyncio.sleep(0)
        if now - looked > 1.0 and storm.bot.process is not None and storm.bot.process.returncode is None:
            looked = now
            with contextlib.suppress(FileNotFoundError):
                memory = max(memory, rss_mib(storm.bot))
    await asyncio.gather(*running, return_exceptions=True)
    return presses, memory


async def settled(games: Sequence[Soaked], folder: Path) -> None:
    """Let the next event of every game mend what was broken, and wait until everything is sent."""
    for game in games:
        if not game.finished:
            await game.say(game.people[0], "table repair")
    deadline = time.monotonic() + SETTLE_SECONDS
    while rows(folder, "SELECT COUNT(*) FROM outbox") != [(0,)]:
        if time.monotonic() > deadline:
            return
        await asyncio.sleep(0.5)


def figured(
    games: Sequence[Soaked], findings: Findings, stats: dict[str, Any], memory: float, folder: Path
) -> dict[str, Any]:
    """The figures of a run."""
    acks = [ms for game in games for ms in game.ack_ms]
    pictures = [ms for game in games for ms in game.picture_ms]
    size = (folder / "games.sqlite3").stat().st_size / 2**20
    return {
        "games": len(games),
        "by_game": dict(Counter(game.key for game in games)),
        "by_status": dict(findings.games),
        "records": findings.records,
        "inconsistent": findings.inconsistent,
        "unshown": findings.unshown,
        "pings": findings.pings,
        "leaks": findings.leaks[:20],
        "rejected": stats["rejected"],
        "ack_p50_ms": percentile(acks, 50),
        "ack_p99_ms": percentile(acks, 99),
        "picture_p50_ms": percentile(pictures, 50),
        "picture_p95_ms": percentile(pictures, 95),
        "unanswered": sum(game.unanswered for game in games),
        "rss_mib": memory,
        "database_mib": round(size, 2),
        "database_kib_a_game": round(size * 1024 / len(games), 1),
    }


def failures(figures: dict[str, Any]) -> list[str]:
    """Which of the things that have to hold do not."""
    bounds = {"ack_p99_ms": ACK_P99_MS, "picture_p95_ms": PICTURE_P95_MS, "rss_mib": RSS_MIB}
    wrong = [name for name in ("inconsistent", "unshown", "pings", "leaks", "rejected", "errors") if figures[name]]
    wrong += [f"{name} over {most:g}" for name, most in bounds.items() if figures[name] > most]
    wrong += [f"{name} not measured" for name in ("ack_p99_ms", "picture_p95_ms") if not figures[name]]
    return wrong + ["database"] * (figures["database_kib_a_game"] > GAME_MIB * 1024)


if __name__ == "__main__":
    sys.exit("python -m sandbox soak")
