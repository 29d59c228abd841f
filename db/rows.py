"""The typed rows. Whatever the rules wrote is `bytes` here; every time is in milliseconds since 1970."""

import sqlite3
from collections.abc import Iterable
from typing import Any, Literal, TypeVar

import msgspec

R = TypeVar("R", bound=msgspec.Struct)

Status = Literal["lobby", "running", "ended", "cancelled", "abandoned"]


class Game(msgspec.Struct, frozen=True, array_like=True):
    """A game from its lobby on. `header`, `position` and `result` are empty until there is something to put there."""

    id: int
    key: str
    guild_id: int | None
    home_channel_id: int  # where it was created
    channel_id: int | None  # its thread, or the channel it has to itself
    host_id: int
    status: Status
    options: bytes
    secret: bytes
    header: bytes
    position: bytes
    created_ms: int
    updated_ms: int
    result: bytes


class Member(msgspec.Struct, frozen=True, array_like=True):
    """Who sits in a seat."""

    game_id: int
    seat: int
    user_id: int | None  # None: a bot player or nobody
    kind: Literal["human", "bot"] = "human"
    bot: str = ""  # the bot player's level
    name: str = ""  # for text only
    preference: str = ""  # the colour or house wished for
    salt: str = ""
    dm_closed: bool = False
    kept_for: int | None = None  # who may take the seat back from the bot player in it


class NewOutbox(msgspec.Struct, frozen=True):
    """A message to be sent, edited or deleted: to a channel, or to a user when `channel_id` is 0."""

    channel_id: int
    slot: str
    payload: bytes
    user_id: int = 0
    nonce: str = ""  # at most 25 characters; "": a random one
    not_before_ms: int = 0
    delete: bool = False


class OutboxRow(msgspec.Struct, frozen=True, array_like=True):
    """A message on its way."""

    id: int
    game_id: int
    channel_id: int  # 0: a DM to user_id
    user_id: int  # 0 unless a DM
    slot: str
    payload: bytes
    nonce: str
    tries: int
    first_try_ms: int | None
    not_before_ms: int
    created_ms: int
    delete: bool


class Slot(msgspec.Struct, frozen=True, array_like=True):
    """The message that stands in Discord for a slot."""

    game_id: int
    slot: str
    channel_id: int
    message_id: int
    created_ms: int  # when this message, not its last edit, was sent
    digest: str  # of what was last sent


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one accepted answer changes, applied as one transaction."""

    game_id: int
    expected: int  # how many records the log holds before; the first is number 0
    records: tuple[tuple[int, bytes], ...] = ()  # (seq, data), counted on from `expected`
    checkpoints: tuple[tuple[int, bytes], ...] = ()  # (seq of the record that led there, data)
    position: bytes
    events: tuple[tuple[int, int, bytes], ...] = ()  # (seq, n, data)
    outbox: tuple[NewOutbox, ...] = ()
    interaction_id: int | None = None
    status: Status | None = None
    result: bytes | None = None
    members: tuple[Member, ...] = ()  # those who changed
    clear_drafts: tuple[int, ...] = ()  # seats
    clear_undo: bool = False
    turn: tuple[int, int] | None = None  # a turn's message that begins: the first record it tells, its number
    looked: int | None = None  # the user who did it, and so has looked
    timing: bytes | None = None
    now_ms: int


class Loaded(msgspec.Struct, frozen=True):
    """What it takes to open a game, all of one moment."""

    game: Game
    members: list[Member]
    base: int  # the seq of the record that led to the checkpoint
    checkpoint: bytes
    length: int  # of the whole log
    tail: list[tuple[int, bytes]]  # (seq, data)


class Draft(msgspec.Struct, frozen=True, array_like=True):
    """A seat's half-made selection for its question of that number."""

    game_id: int
    seat: int
    question: int
    data: bytes


class UndoRequest(msgspec.Struct, frozen=True):
    """A seat's wish to go back to `to_seq`, made when the log stood at `head_seq`."""

    game_id: int
    seat: int
    to_seq: int
    head_seq: int
    needed: tuple[int, ...]
    consents: tuple[int, ...] = ()
    created_ms: int = 0


class Vote(msgspec.Struct, frozen=True):
    """A vote of the table. `state` goes from "open" to "passed" or "failed", and to "closed" when that has had its
    effect."""

    game_id: int
    kind: str
    subject: dict[str, int | str]  # what it is about, as the kind's words name it
    opener: int | None  # the seat; None: the table's own rule
    voters: tuple[int, ...]  # seats
    ayes: tuple[int, ...]
    nays: tuple[int, ...]
    created_ms: int
    expires_ms: int
    state: Literal["open", "passed", "failed", "closed"] = "open"
    id: int = 0  # given by the store


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """The seat is offered to that user (None: to whoever comes first)."""

    game_id: int
    seat: int
    user_id: int | None
    by_id: int
    created_ms: int


class Talk(msgspec.Struct, frozen=True):
    """A private thread between seats of a game, and the users that are in it."""

    thread_id: int
    game_id: int
    seats: tuple[int, ...]
    members: tuple[int, ...] = ()


class Report(msgspec.Struct, frozen=True, array_like=True):
    """What reproduces a fault, under the id its player was told."""

    id: str
    game_id: int | None
    data: bytes
    created_ms: int


class Follower(msgspec.Struct, frozen=True, array_like=True):
    """Somebody who is told what happens in a game."""

    game_id: int
    user_id: int
    moments: str  # of what, joined by commas
    place: Literal["dm", "channel"]
    told_seq: int  # what happened before that record has been told
    told_ms: int


def columns(row: type[msgspec.Struct]) -> str:
    """The columns of a row type's table, in the order of its fields."""
    return ", ".join(f'"{field}"' for field in row.__struct_fields__)


def marks(row: type[msgspec.Struct]) -> str:
    """As many question marks as the row type has fields."""
    return ", ".join("?" for _ in row.__struct_fields__)


def many(row: type[R], found: Iterable[Any]) -> list[R]:
    """Typed rows from SQLite's."""
    return msgspec.convert(list(found), list[row], strict=False)  # type: ignore[valid-type]


def one(row: type[R], found: sqlite3.Cursor) -> R | None:
    """The typed row found, or None."""
    first = found.fetchone()
    return None if first is None else msgspec.convert(first, row, strict=False)
