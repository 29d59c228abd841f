"""What is left of many games after a storm: whether each is whole, stands in Discord as it is, and kept its secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import db
from rules import rules_of
from rules.engine import Event, Position, Table, TableError, Words, encode
from rules.engine.log import Header, decode_record
from rules.engine.rules import Standing
from rules.verify import FORMAT, Export, replayed

from .client import Entry, Message, SandboxClient

PRESS = re.compile(r"t:(\d+):\d+:\d+:([a-z]+):")
LINK = re.compile(r"<#(\d+)>")
TURN = re.compile(r"· game (\d+) · turn (\d+)")
TURN_VERB = "hand"
"""Only the message of a turn under way has this button."""


@dataclass
class Findings:
    """What does not hold, one line each."""

    inconsistent: list[str] = field(default_factory=list)
    unshown: list[str] = field(default_factory=list)
    pings: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    games: Counter[str] = field(default_factory=Counter)
    records: int = 0

    @property
    def any(self) -> bool:
        return bool(self.inconsistent or self.unshown or self.pings or self.leaks)


@dataclass
class Seats:
    """Who has ever sat in the seats of a game, by id; and under which names."""

    people: dict[int, set[str]] = field(default_factory=dict)
    names: dict[int, set[str]] = field(default_factory=dict)

    def note(self, seat: int, person: str, name: str) -> None:
        """Take note of who sits there now; no person: a bot player."""
        self.names.setdefault(seat, set()).add(name)
        self.people.setdefault(seat, set()).update({person} - {""})


class Sight(NamedTuple):
    """Something of a game that was on somebody's screen."""

    entry: Entry
    message: Message


async def audit(
    client: SandboxClient,
    path: Path,
    seats: Mapping[int, Seats],
    disturbed: Mapping[str, int],
    journal: Sequence[Entry],
) -> Findings:
    """Go through all games of a bot that has stopped.

    `seats` by game: who could know what. `disturbed` by thread: how many of its messages were taken away, and may
    have been sent again.
    """
    findings = Findings()
    world = await client.world()
    standing = {m["id"]: m for c in world["channels"] for m in c["messages"] if not m.get("deleted")}
    sights = by_thread(journal)
    async with await db.Store.open(path) as store:
        for game in await store.games():
            if not game.header:
                continue
            findings.games[game.status] += 1
            try:
                findings.records += await consistent(store, game)
            except (TableError, msgspec.MsgspecError) as error:
                findings.inconsistent.append(f"game {game.id} ({game.key}): {error}")
                continue
            if game.status == "running":
                findings.unshown += await shown(store, game, standing)
            members = await store.members(game.id)
            who = seats.get(game.id, Seats())
            for member in members:
                who.note(member.seat, str(member.user_id or ""), member.name)
            own = sights.get(str(game.channel_id), [])
            findings.leaks += leaks(game, await secrets(store, game, who), own, who)
            findings.pings += pings(game, own, disturbed.get(str(game.channel_id), 0))
            if game.status == "running":
                findings.pings += unpinged(game, (await opened(store, game)).table, members, own)
    return findings


# ---------------------------------------------------------------- the game itself


class Opened(NamedTuple):
    """A running game as the bot opens it after a restart, and the turn whose message is its newest."""

    table: Table
    turn: int


async def opened(store: db.Store, game: db.Game) -> Opened:
    """Open it; TableError when it does not open where it was left."""
    stored = msgspec.msgpack.decode(game.position)
    at = msgspec.convert(stored["position"], Position)
    loaded = await store.load(game.id, at.base, at.tail)
    header = msgspec.msgpack.decode(game.header, type=Header)
    tail = [decode_record(data) for _, data in loaded.tail]
    table, change = Table.open(rules_of(game.key), header, game.secret, at, loaded.checkpoint, tail)
    if change is not None:
        raise TableError("engine.damaged", where=f"game {game.id}", why="it opens at another place")
    return Opened(table, stored["turn"]["number"])


async def consistent(store: db.Store, game: db.Game) -> int:
    """Replay the whole log from its beginning and compare with what the bot opens; how many records it has."""
    records = tuple(decode_record(data) for _, data in await store.records(game.id))
    header = msgspec.msgpack.decode(game.header, type=Header)
    table = (await opened(store, game)).table
    result: tuple[Standing, ...] = ()
    file = Export(FORMAT, header, game.secret.hex(), records, table.head.hex(), result)
    again = replayed(file, rules_of(game.key))
    if encode(again.state) != encode(table.state) or again.asked != table.asked:
        raise TableError("engine.damaged", where=f"game {game.id}", why="its log leads to another state")
    if table.over != (game.status == "ended") and game.status != "abandoned":
        raise TableError("engine.damaged", where=f"game {game.id}", why=f"it is over: {table.over}, but {game.status}")
    return len(records)


# ---------------------------------------------------------------- what stands in Discord


async def shown(store: db.Store, game: db.Game, standing: Mapping[str, dict[str, Any]]) -> list[str]:
    """What of a running game does not stand in Discord, or stands there twice."""
    wrong = [f"game {game.id}: {row.slot} was not sent" for row in await store.queued(game.id)]
    slots = {slot.slot: str(slot.message_id) for slot in await store.slots(game.id)}
    turn = f"turn{(await opened(store, game)).turn}"
    if slots.get(turn) not in standing:
        wrong.append(f"game {game.id}: its {turn} does not stand")
    mine = [m for m in standing.values() if m["channel_id"] == str(game.channel_id) and m["reader"] is None]
    open_turns = [m["id"] for m in mine if TURN_VERB in verbs(m["components"], game.id)]
    if len(open_turns) > 1:
        wrong.append(f"game {game.id}: {len(open_turns)} messages with the turn's buttons")
    return wrong


def verbs(components: Any, game_id: int) -> list[str]:
    """The verbs of the game's buttons on a message."""
    if isinstance(components, list):
        return [verb for component in components for verb in verbs(component, game_id)]
    match = PRESS.match(str(components.get("custom_id", "")))
    own = [match[2]] if match is not None and int(match[1]) == game_id else []
    inner = [components.get(key) for key in ("components", "accessory", "component")]
    return own + [verb for part in inner if part for verb in verbs(part if isinstance(part, list) else [part], game_id)]


# ---------------------------------------------------------------- pings


def by_thread(journal: Sequence[Entry]) -> dict[str, list[Sight]]:
    """The messages and edits that belong to each thread: those in it, and the direct ones that link to it."""
    found: dict[str, list[Sight]] = {}
    for entry in journal:
        if (message := entry.message) is None or entry.kind == "delete":
            continue
        for thread in {entry.channel_id or "", *LINK.findall(message.text)}:
            found.setdefault(thread, []).append(Sight(entry, message))
    return found


def pings(game: db.Game, own: Sequence[Sight], disturbed: int) -> list[str]:
    """Who was called twice by the same message of the game; those that were taken away may have come again."""
    called: Counter[tuple[str, str]] = Counter()
    for entry, message in own:
        if entry.kind != "message" or entry.channel_id != str(game.channel_id):
            continue
        header = TURN.search(message.text)
        for person in entry.pings if header is not None else ():
            called[person, f"turn {header[2]}" if header is not None else ""] += 1
    again = [(person, what, n) for (person, what), n in called.items() if n > 1]
    if sum(n - 1 for _, _, n in again) <= disturbed:
        return []
    return [f"game {game.id}: {person} was called {n} times to {what}" for person, what, n in again]


def unpinged(game: db.Game, table: Table, members: Sequence[db.Member], own: Sequence[Sight]) -> list[str]:
    """Which of the people asked now were never called."""
    people = {member.seat: str(member.user_id) for member in members if member.kind == "human"}
    called = {person for entry, _ in own for person in entry.pings}
    asked = [seat for seat in table.asked if seat in people and people[seat] not in called]
    return [f"game {game.id}: seat {seat} is asked and was never called" for seat in asked]


# ---------------------------------------------------------------- secrets


async def secrets(store: db.Store, game: db.Game, who: Seats) -> list[tuple[str, set[str]]]:
    """The lines that tell something not everybody may know, and the people who may."""
    rules = rules_of(game.key)
    events = [msgspec.msgpack.decode(data, type=Event) for _, _, data in await store.events(game.id, 0)]
    public: set[str] = set()
    found: list[tuple[str, set[str]]] = []
    for names in name_sets(who):
        words = Words(rules.words.texts, partial(name_of, names))
        public |= {words.event(event) for event in events if event.audience is None}
        for event in events:
            if event.audience is not None and (line := words.event(event)):
                found.append((line, set().union(*(who.people.get(seat, set()) for seat in event.audience))))
    return [(line, people) for line, people in found if line not in public and len(line) > 8]


def name_of(names: Mapping[int, str], seat: int) -> str:
    """What a seat is called."""
    return names.get(seat, f"Seat {seat + 1}")


def name_sets(who: Seats) -> list[dict[int, str]]:
    """Ways in which the seats may have been named: each seat by its first name, its second, and so on."""
    most = max((len(names) for names in who.names.values()), default=0)
    ordered = {seat: sorted(names) for seat, names in who.names.items()}
    return [{seat: names[min(n, len(names) - 1)] for seat, names in ordered.items()} for n in range(most)]


def leaks(game: db.Game, lines: Sequence[tuple[str, set[str]]], own: Sequence[Sight], who: Seats) -> list[str]:
    """Where somebody was shown what he may not know: a secret line, or another's hand."""
    found = []
    seated = set().union(*who.people.values())
    secret: dict[str, set[str]] = {}
    for line, people in lines:
        secret.setdefault(line, set()).update(people)
    for entry, message in own:
        audience = set(entry.audience) - {entry.author_id}
        hand = any(a["filename"].startswith("hand") for a in entry.attachments)
        if hand and (len(audience) != 1 or not audience <= seated):
            found.append(f"game {game.id}: a hand was shown to {sorted(audience)} (message {entry.message_id})")
        for line, people in secret.items():
            if not audience <= people and line in message.text:
                found.append(f"game {game.id}: {line!r} was shown to {sorted(audience - people)}")
    return found
