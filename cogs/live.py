"""A running game in memory: its table, who sits there, and where its messages stand."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import discord
import msgspec

import db
from rules.engine import Answer, Change, Event, Position, Question, Rules, Table, Words
from rules.engine.log import Header, Record, decode_record, encode
from rules.remarks import Remark, Remarks

from .texts import ENGINE, bare, plain, say
from .waits import Timing

log = logging.getLogger(__name__)

HUMAN: Final = "human"
BOT: Final = "bot"
TOKENS: Final = 10**9
"""Tokens of questions are below this; above it are those of acts in the making."""
REMARK_SECONDS: Final = 15.0
"""A question waits no longer for what the game has to say beside it."""


class Turn(msgspec.Struct, frozen=True):
    """The message of the turn under way: its number, the first record it tells, and whether only bots have played."""

    number: int
    first: int
    bots_only: bool


class Stored(msgspec.Struct, frozen=True):
    """What the store keeps as a game's position. `asks`: seats with a short message of their own, by question number.
    `until`: standing answers that end by themselves: seat, window, and when (see `standing.py`)."""

    position: Position
    turn: Turn
    asks: tuple[tuple[int, int], ...]
    until: tuple[tuple[int, str, str], ...] = ()


class Draft(msgspec.Struct, frozen=True):
    """A selection in the making; `submit`: it is complete and counts when its window closes."""

    picked: Answer = ()
    page: int = 0
    submit: bool = False


class Opened(NamedTuple):
    """A seat's question, and when (by the loop's clock) an automatic answer to it is due."""

    number: int
    due: float


class ActDraft(msgspec.Struct, frozen=True):
    """An act in the making: its name, the fields given, and the selection for the next one. `first` marks its presses."""

    name: str
    first: int
    fields: tuple[Answer, ...] = ()
    picked: Answer = ()
    page: int = 0

    @property
    def token(self) -> int:
        """Stands for the field to be given next in custom ids."""
        return self.first + len(self.fields)


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
        self.acting: dict[int, ActDraft] = {}
        self.until: dict[tuple[int, str], str] = {}
        self.remarks: dict[int, Remark | None] = {}  # by the question's token
        self.timing = Timing()
        self.pressed: dict[int, int] = {}  # when each seat's person last did something that all could see
        self.wish: int | None = None  # the mark of the undo that others are asked to agree to
        self.asks = asks or {}
        self.seat(members)

    def seat(self, members: Iterable[db.Member]) -> None:
        """Take note of who sits where. `names` and `labels` are for labels, pictures and text boards, where nothing is
        marked up; `words` are for texts."""
        self.members = {member.seat: member for member in members}
        self.names = {seat: bare(member.name) for seat, member in self.members.items()}
        texts = {**ENGINE, **self.table.rules.words.texts}
        self.labels = Words(texts, lambda seat: self.names.get(seat, f"Seat {seat + 1}"))
        self.words = self.labels.named(self.name)

    def reseat(self, members: Iterable[db.Member]) -> None:
        """These have taken their seats over: nothing that was begun there is theirs, and they have seen no hand yet."""
        for member in members:
            for kept in (self.held, self.acting, self.hands):
                kept.pop(member.seat, None)
            self.members[member.seat] = member
        self.seat(list(self.members.values()))

    def changed_hands(self) -> list[db.Member]:
        """Those whose hands are not as they were when this was last called; "hand" is what a seat's view calls it."""
        before = self.hands
        self.hands = {seat: encode(getattr(self.table.view(seat), "hand", None)) for seat in self.members}
        return [member for seat, member in self.members.items() if before.get(seat) != self.hands[seat]]

    @property
    def id(self) -> int:
        return self.game.id

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        return self.table.rules

    @property
    def has_acts(self) -> bool:
        """Whether this game, with its options, lets anybody do anything outside a question."""
        return self.rules.has_acts(msgspec.convert(self.table.header.options, self.rules.options))

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

    def name(self, seat: int) -> str:
        """The name of whoever sits there, for texts."""
        return plain(self.members[seat].name) if seat in self.members else f"Seat {seat + 1}"

    def is_bot(self, seat: int) -> bool:
        """Whether a bot player answers for the seat."""
        return self.members[seat].kind == BOT

    @property
    def deserted(self) -> bool:
        """Whether the last of its people has left: bot players do not play a game to its end that somebody may return to."""
        members = self.members.values()
        return all(m.kind == BOT for m in members) and any(m.kept_for is not None for m in members)

    def asked_humans(self) -> list[int]:
        """The seats of people that are asked."""
        return [seat for seat in self.table.asked if not self.is_bot(seat)]

    def mention(self, seat: int) -> str:
        """The person as a mention, or the bot player's name."""
        member = self.members[seat]
        return f"<@{member.user_id}>" if member.kind == HUMAN and member.user_id else self.name(seat)

    def is_asked(self, seat: int, number: int) -> bool:
        """Whether this is the seat's live question."""
        return seat in self.table.asked and self.table.number(seat) == number

    def token(self, seat: int) -> int:
        """Stands for the seat's live question, put to whoever sits there now, in custom ids. The question's own number
        would tell everybody how many steps were taken in secret; without the key this tells nothing."""
        return self.mark((seat, self.table.number(seat), self.members[seat].user_id))

    def mark(self, thing: Any) -> int:
        """A number that stands for the thing; without the key it tells nothing about it."""
        keyed = blake2b(encode(thing), digest_size=8, key=self.game.secret[:64])
        return int.from_bytes(keyed.digest(), "big") % TOKENS

    async def work_out(self, view: Any, asked: Mapping[int, Question]) -> None:
        """Work out what the game has to say beside these questions, by token; it says it in all their panels."""
        if not isinstance(self.rules, Remarks):
            return
        for token, question in asked.items():
            if token not in self.remarks:
                found = await self._worked_out(self.rules, view, question)
                self.remarks = {**{t: r for t, r in self.remarks.items() if t in asked}, token: found}

    async def _worked_out(self, rules: Remarks, view: Any, question: Question) -> Remark | None:
        """What the game has to say; None also when that fails or takes too long: the question is put all the same."""
        try:
            async with asyncio.timeout(REMARK_SECONDS):
                return await asyncio.to_thread(rules.remark, view, question)
        except Exception:
            log.exception(
                "nothing could be worked out for a question", extra={"game": self.id, "question": question.key}
            )
            return None

    async def work_out_for(self, seat: int) -> None:
        """The same for the question that the seat is asked, if everybody may read it."""
        question = self.table.asked.get(seat)
        if question is not None and not question.private and isinstance(self.rules, Remarks):
            await self.work_out(self.table.view(None), {self.token(seat): question})

    def remark(self, token: int) -> str:
        """What the game has to say beside the question of this token, as far as it has been worked out."""
        found = self.remarks.get(token)
        return self.words.say(*found) if found is not None else ""

    def draft(self, stored: db.Draft | None, seat: int) -> Draft:
        """The seat's selection so far for its live question."""
        if stored is None or seat not in self.table.asked or stored.question != self.table.number(seat):
            return Draft()
        return msgspec.msgpack.decode(stored.data, type=Draft)

    def colour(self, seat: int | None) -> discord.Colour:
        """The seat's own colour for the edge of its messages."""
        if seat is None:
            return discord.Colour.dark_grey()
        wanted = self.rules.colour(self.table.view(None), seat)
        rgb = next((colour.rgb for colour in self.rules.colours if colour.id == wanted), None)
        return discord.Colour.from_rgb(*rgb) if rgb else discord.Colour.dark_grey()

    def stored(self) -> bytes:
        """What the store keeps as position."""
        until = tuple((seat, window, when) for (seat, window), when in self.until.items())
        return msgspec.msgpack.encode(Stored(self.table.position(), self.turn, tuple(self.asks.items()), until))

    def told(self, events: Iterable[Event], seat: int | None) -> list[str]:
        """The events in lines, as this seat (None: everybody) may read them."""
        seen = (event for event in events if event.seen_by(seat))
        return [line for event in seen if (line := self._line(event))]

    def _line(self, event: Event) -> str:
        if event.kind == "undone" and event.args.get("host"):
            return say("undo.rewound", **event.args)
        return self.words.event(event)

    def lines(self) -> list[str]:
        """The story of the present turn message in lines."""
        return self.told((event for seq, event in self.story if seq >= self.turn.first), None)

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
    game, ended = loaded.game, loaded.game.status == "ended"
    table, change = Table.open(rules, header, game.secret, stored.position, loaded.checkpoint, tail, ended=ended)
    table.forget()
    live = Live(game, loaded.members, table, stored.turn, dict(stored.asks))
    live.until = {(seat, window): when for seat, window, when in stored.until}
    return live, change
