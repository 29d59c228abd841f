"""A running game in memory: its table, who sits there, and where its messages stand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

import discord
import msgspec

import db
from rules.engine import Answer, Change, Event, Position, Rules, Table, Words
from rules.engine.log import Acted, Answered, Header, Record, decode_record, encode

from .texts import ENGINE, plain

HUMAN: Final = "human"
BOT: Final = "bot"


class Turn(msgspec.Struct, frozen=True):
    """The message of the turn under way: its number, the first record it tells, and whether only bots have played."""

    number: int
    first: int
    bots_only: bool


class Stored(msgspec.Struct, frozen=True):
    """What the store keeps as a game's position. `asks`: seats with a short message of their own, by question number."""

    position: Position
    turn: Turn
    asks: tuple[tuple[int, int], ...]


class Opened(msgspec.Struct, frozen=True):
    """When a seat's question came up, and how long an automatic answer to it waits (seconds of the loop's clock)."""

    number: int
    at: float
    delay: float

    @property
    def due(self) -> float:
        return self.at + self.delay


class Live:
    """One running (or just ended) game. Change it only under `lock`, through `Tables`."""

    def __init__(
        self, game: db.Game, members: Iterable[db.Member], table: Table, turn: Turn, asks: dict[int, int] | None = None
    ) -> None:
        self.game = game
        self.table = table
        self.turn = turn
        self.lock = asyncio.Lock()
        self.wake = asyncio.Event()
        self.story: list[tuple[int, Event]] = []
        self.opened: dict[int, Opened] = {}
        self.held: dict[int, tuple[int, Answer]] = {}
        self.hands: dict[int, bytes] = {}
        self.stuck: set[tuple[int, int]] = set()
        self.asks = asks or {}
        self.seat(members)

    def seat(self, members: Iterable[db.Member]) -> None:
        """Take note of who sits where."""
        self.members = {member.seat: member for member in members}
        names = {seat: plain(member.name) for seat, member in self.members.items()}
        self.names = names
        texts = {**ENGINE, **self.table.rules.words.texts}
        self.words = Words(texts, lambda seat: names.get(seat, f"Seat {seat + 1}"))

    @property
    def id(self) -> int:
        return self.game.id

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        return self.table.rules

    @property
    def channel_id(self) -> int:
        assert self.game.channel_id is not None
        return self.game.channel_id

    def seat_of(self, user_id: int) -> int | None:
        """The seat of this person; None if he has none."""
        for seat, member in self.members.items():
            if member.user_id == user_id and member.kind == HUMAN:
                return seat
        return None

    def is_bot(self, seat: int) -> bool:
        """Whether a bot player answers for the seat."""
        return self.members[seat].kind == BOT

    def asked_humans(self) -> list[int]:
        """The seats of people that are asked."""
        return [seat for seat in self.table.asked if not self.is_bot(seat)]

    def mention(self, seat: int) -> str:
        """The person as a mention, or the bot player's name."""
        member = self.members[seat]
        return f"<@{member.user_id}>" if member.kind == HUMAN and member.user_id else self.names[seat]

    def colour(self, seat: int | None) -> discord.Colour:
        """The seat's own colour for the edge of its messages."""
        if seat is None:
            return discord.Colour.dark_grey()
        wanted = self.rules.colour(self.table.view(None), seat)
        rgb = next((colour.rgb for colour in self.rules.colours if colour.id == wanted), None)
        return discord.Colour.from_rgb(*rgb) if rgb else discord.Colour.dark_grey()

    def stored(self) -> bytes:
        """What the store keeps as position."""
        return encode(Stored(self.table.position(), self.turn, tuple(self.asks.items())))

    def tell(self, seq: int, event: Event, seat: int | None) -> str:
        """The event in a line, as this seat (None: everybody) may read it; empty if it may not."""
        return self.words.event(event) if event.seen_by(seat) else ""

    def lines(self, seat: int | None = None, first: int | None = None) -> list[str]:
        """The story of the present turn message in lines."""
        begin = self.turn.first if first is None else first
        told = (self.tell(seq, event, seat) for seq, event in self.story if seq >= begin)
        return [line for line in told if line]

    def step_text(self, record: Record) -> str:
        """A step in words that show nothing hidden: what was asked or done, not what was answered."""
        if isinstance(record.what, Acted):
            return self.words.say(f"act.{record.what.name}")
        key = record.what.key if isinstance(record.what, Answered) else "?"
        return (
            self.words.say(f"step.{key}") if f"step.{key}" in self.words else key.replace("_", " ").replace(".", ": ")
        )

    def changed_places(self) -> tuple[str, ...]:
        """Board places that changed in this turn, as everybody may know."""
        places = {p: None for _, e in self.story if e.audience is None for p in e.places}
        return tuple(places)

    def note(self, change: Change) -> None:
        """Add what happened to the story."""
        seq = change.records[-1].seq if change.records else 0
        self.story.extend((seq, event) for event in change.events)


def open_live(loaded: db.Loaded, rules: Rules[Any, Any, Any]) -> tuple[Live, Change | None]:
    """The stored game on the table again; `Damaged` when it does not open."""
    stored = msgspec.msgpack.decode(loaded.game.position, type=Stored)
    header = msgspec.msgpack.decode(loaded.game.header, type=Header)
    tail: list[Record] = [decode_record(data) for _, data in loaded.tail]
    table, change = Table.open(rules, header, loaded.game.secret, stored.position, loaded.checkpoint, tail)
    table.forget()
    return Live(loaded.game, loaded.members, table, stored.turn, dict(stored.asks)), change
