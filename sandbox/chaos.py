"""`python -m sandbox chaos GAME`: a whole game while the bot is killed again and again, and what is left of it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rules import rules_of
from rules.engine import Change, Event, Table, TableError, Words, encode
from rules.engine.log import Acted, Answered, Record, effective
from rules.verify import Export, read_export, verify

from .client import Person, SandboxClient
from .driver import GameDriver
from .processes import QUICK, BotProcess, Stalled, sandbox_process

POINTS = {
    "store.before_begin": 60,
    "store.after_begin": 60,
    "store.before_commit": 60,
    "store.after_commit": 60,
    "sender.before_send": 15,
    "sender.after_send": 15,
    "sender.after_mark": 15,
}
"""The named crash points, and how often each may be passed before the bot is killed there."""
LIKELY = {point: 2 if point.startswith("sender") else 1 for point in POINTS}
KINDS = ("point", "point", "moment", "moment", "boot")
SPEED = 200.0
NONCE_SECONDS = 10 * SPEED + 100
"""The sandbox's nonces live ten real seconds at least."""
HOUR = 3700.0
TURN = re.compile(r"· turn (\d+)$")
SETTLE_SECONDS = 30.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's options."""
    parser.add_argument("game", help="the game's key, such as struggle_for_the_throne")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7, help="of the people's choices and of the kills")
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--keep-log", metavar="FILE", help="where to put the bot's log")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Play and kill, print the figures; 0 when nothing was lost or doubled."""
    figures = asyncio.run(chaos(args.game, args.seats, args.seed, args.kills, args.keep_log))
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:17} {value}")
    return 0 if well(figures, args.kills) else 1


def well(figures: dict[str, Any], kills: int) -> bool:
    """Whether the game came through all the kills whole."""
    bad = ("applied_twice", "lost_answers", "missing_messages", "doubled_messages", "errors", "rejected")
    return (
        figures["finished"]
        and figures["same_state"]
        and figures["kills"] >= kills
        and not any(figures[name] for name in bad)
    )


@dataclass
class Killer:
    """Kills the bot and starts it again."""

    client: SandboxClient
    bot: BotProcess
    rng: random.Random
    there: asyncio.Event
    kills: int = 0
    done: Counter[str] = field(default_factory=Counter)

    async def run(self, kills: int) -> None:
        """Kill it that many times; it is there in the end."""
        kind = "boot"  # the first time before its commands are known
        while self.kills < kills:
            await self._life(kind)
            self.kills += 1
            self.there.clear()
            await self._pass_time()
            kind = "moment" if self.kills == 1 else self.rng.choice(KINDS)
        await self.bot.start()
        await self._arrive(60)

    async def _life(self, kind: str) -> None:
        (point,) = self.rng.choices(list(LIKELY), list(LIKELY.values()))
        passage = self.rng.randint(1, POINTS[point])
        await self.bot.start(**({"CRASH_AT": f"{point}:{passage}"} if kind == "point" else {}))
        if kind == "boot":
            await asyncio.sleep(self.rng.uniform(0.1, 1.5))
        else:
            await self._arrive(60)
            await self._wait_for_end(self.rng.uniform(0.1, 1.5) if kind == "moment" else 5.0)
        assert self.bot.process is not None
        self.done[point if self.bot.process.returncode is not None else kind] += 1
        await self.bot.stop(signal.SIGKILL)

    async def _arrive(self, seconds: float) -> None:
        """Wait until it is connected, or has met its crash point on the way."""
        deadline = time.monotonic() + seconds
        assert self.bot.process is not None
        while self.bot.process.returncode is None:
            if await self.client.ready(0.2):
                self.there.set()
                return
            if time.monotonic() > deadline:
                raise Stalled("the bot does not come back")

    async def _wait_for_end(self, seconds: float) -> None:
        assert self.bot.process is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.bot.process.wait()

    async def _pass_time(self) -> None:
        """Sometimes the bot stays away until Discord has forgotten its nonces, or its messages are old."""
        chance = self.rng.random()
        if chance < 0.3:
            await self.client.advance(NONCE_SECONDS if chance < 0.2 else HOUR)


async def chaos(key: str, seats: int, seed: int, kills: int, keep_log: str | None = None) -> dict[str, Any]:
    """One game with that many kills, and everything that is found wrong with it."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        async with sandbox_process(SPEED, max(6, seats)) as client:
            people = (await client.people())[:seats]
            there = asyncio.Event()
            driver = GameDriver(client, people, random.Random(seed), tolerant=True, there=there, retry_seconds=1.5)
            bot = BotProcess(client.url, Path(name), QUICK)
            killer = Killer(client, bot, random.Random(seed), there)
            killing = asyncio.create_task(killer.run(kills))
            errors: list[str] = []
            try:
                await driver.create(key)
                await driver.run()
                await killing
                await _settled(Path(name))
            except Stalled as stalled:
                errors.append(str(stalled))
            finally:
                killing.cancel()
                await asyncio.gather(killing, return_exceptions=True)
                if bot.process is not None:
                    await bot.stop()
            found = await _found(client, driver, people, Path(name), errors)
            rejected = (await client.stats())["rejected"]
            log = bot.log.read_text(errors="replace")
            errors += [line for line in log.splitlines() if "ERROR" in line or "Traceback" in line]
            if keep_log:
                Path(keep_log).write_text(log)  # noqa: ASYNC240
    return {
        "finished": driver.finished,
        "kills": killer.kills,
        **found,
        "errors": errors,
        "rejected": rejected,
        "unanswered": driver.unanswered,
        "decisions": driver.decisions,
        "killed_at": dict(killer.done),
        "seconds": round(time.monotonic() - begun, 1),
    }


async def _settled(folder: Path) -> None:
    """Wait until the bot has sent everything."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while rows(folder, "SELECT COUNT(*) FROM outbox") != [(0,)]:
        if time.monotonic() > deadline:
            raise Stalled(f"not everything was sent: {rows(folder, 'SELECT slot, tries FROM outbox')}")
        await asyncio.sleep(0.1)


def rows(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """What the bot's database says, read beside the running bot."""
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite3")) as connection:
        return connection.execute(sql).fetchall()


# ---------------------------------------------------------------- what is left


async def _found(
    client: SandboxClient, driver: GameDriver, people: Sequence[Person], folder: Path, errors: list[str]
) -> dict[str, Any]:
    """Compare what stands in Discord with the game's own file."""
    found: dict[str, Any] = {
        "same_state": False,
        "applied_twice": 0,
        "lost_answers": 0,
        "missing_messages": 0,
        "doubled_messages": 0,
    }
    world = await client.world()
    channels = {channel["id"]: channel for channel in world["channels"]}
    thread = [m for m in channels[driver.thread]["messages"] if m["reader"] is None] if driver.thread else []
    files = [a for m in thread for a in m["attachments"] if a["filename"].startswith("game-")]
    if not files:
        errors.append("there is no file of the game")
        return found
    whole = read_export(await client.download(files[0]["url"]))
    rules = rules_of(whole.header.game)
    try:
        verify(whole, rules)
        played, events = _replay(whole)
        found["same_state"] = encode(played.standings()) == encode(whole.result) and played.over
    except TableError as error:
        errors.append(f"the file does not verify: {error}")
        return found
    found.update(_answers(whole, driver, folder))
    words = Words(rules.words.texts, lambda seat: people[seat].name)
    story = [line for event in events if event.audience is None and (line := words.event(event))]
    missing, doubled = _messages(thread, story)
    for person in people:
        hands = [m for c in channels.values() if c["type"] == 1 for m in c["messages"] if _to(c, person)]
        missing += [f"the hand of {person.name}"] * (not hands)
        doubled += [f"the hand of {person.name}"] * max(0, len(hands) - 1)
    errors += [f"missing: {what}" for what in missing] + [f"too much: {what}" for what in doubled]
    found["missing_messages"], found["doubled_messages"] = len(missing), len(doubled)
    return found


def _to(channel: dict[str, Any], person: Person) -> bool:
    return any(user["id"] == person.id for user in channel.get("recipients", ()))


def _started(whole: Export) -> tuple[Table, Change]:
    """The game at its beginning, on a fresh table with the same secret."""
    rules, header = rules_of(whole.header.game), whole.header
    return Table.start(
        rules,
        msgspec.convert(header.options, rules.options),
        seats=header.seats,
        secret=bytes.fromhex(whole.secret),
        salts=header.salts,
        wishes=header.wishes,
    )


def _replay(whole: Export) -> tuple[Table, list[Event]]:
    """The undisturbed game: the same answers on a fresh table."""
    table, change = _started(whole)
    events = list(change.events)
    records = {record.seq: record for record in whole.records}
    for seq in effective(whole.records):
        change = _again(table, records[seq])
        if change.records[-1].digest != records[seq].digest:
            raise TableError("engine.damaged", where=f"record {seq}", why="another state follows")
        events += change.events
    return table, events


def _again(table: Table, record: Record) -> Any:
    assert record.seat is not None
    if isinstance(record.what, Answered):
        return table.answer(record.seat, record.what.answer)
    assert isinstance(record.what, Acted)
    return table.act(record.seat, record.what.name, record.what.fields)


def _answers(whole: Export, driver: GameDriver, folder: Path) -> dict[str, int]:
    """Whether each answer that was pressed is in the log at most once, and each that was confirmed is there."""
    applied = {row[0] for row in rows(folder, "SELECT id FROM interactions")}
    counted = sum(given.interaction in applied for given in driver.given)
    # a question with nothing to do but pass answers itself, so one record may have no press
    records = [record for record in whole.records if record.counts]
    lost = sum(given.confirmed and given.interaction not in applied for given in driver.given)
    pressed = len(records) - _by_itself(whole)
    return {"applied_twice": max(0, pressed - counted), "lost_answers": lost + max(0, counted - len(records))}


def _by_itself(whole: Export) -> int:
    """How many questions answered themselves."""
    table, _ = _started(whole)
    count = 0
    for record in whole.records:
        if record.counts and record.seat is not None:
            count += isinstance(record.what, Answered) and table.passes(record.seat)
            _again(table, record)
    return count


def _messages(thread: list[dict[str, Any]], story: list[str]) -> tuple[list[str], list[str]]:
    """What is missing in the thread, and what is there too often."""
    turns: dict[int, list[dict[str, Any]]] = {}
    others: list[dict[str, Any]] = []
    for message in thread:
        header = TURN.search(message["text"].splitlines()[0]) if message["text"] else None
        if header is not None and "· game " in message["text"]:
            turns.setdefault(int(header[1]), []).append(message)
        elif message["type"] in (0, 19):
            others.append(message)
    missing = [f"turn {number}" for number in range(1, max(turns, default=0) + 1) if number not in turns]
    doubled = [f"turn {number}" for number, found in turns.items() for _ in found[1:]]
    ordered = [int(turns[number][0]["id"]) for number in sorted(turns)]
    if ordered != sorted(ordered):
        missing.append("the order of the turns")
    missing += [f"the picture of turn {number}" for number, (first, *_) in turns.items() if not first["attachments"]]
    doubled += [f"the buttons of turn {number}" for number, (first, *_) in turns.items() if "custom_id" in str(first)]
    missing += _story([turns[number][0]["text"] for number in sorted(turns)], story)
    ends = [m for m in others if any(a["filename"].startswith("game-") for a in m["attachments"])]
    lobbies = [m for m in others if "commit" in m["text"].lower() and m not in ends]
    for name, found in (("the end", ends), ("the lobby", lobbies)):
        missing += [name] * (not found)
        doubled += [name] * max(0, len(found) - 1)
    doubled += [f"a message: {m['text'][:100]}" for m in others if m not in ends and m not in lobbies]
    return missing, doubled


def _story(texts: list[str], story: list[str]) -> list[str]:
    """Whether the turns' messages together tell the whole story, but for the beginnings of very long turns."""
    left = "\n".join(story).splitlines()
    for text in texts:
        lines = text.splitlines()
        told = [line for line in lines[1:] if line != "…"]
        cut = lines[0] == "…" or "…" in lines[1:2]
        if cut:
            at = next((n for n in range(len(left)) if left[n : n + len(told)] == told), None)
            if at is None:
                return [f"the story at {told[:1]}"]
            left = left[at:]
        if left[: len(told)] != told:
            differs = next((n for n, line in enumerate(told) if left[n : n + 1] != [line]), 0)
            return [f"the story: {told[differs : differs + 1]} instead of {left[differs : differs + 1]}"]
        left = left[len(told) :]
    return [f"the story from {left[0]}"] if left else []


if __name__ == "__main__":
    sys.exit("python -m sandbox chaos")
