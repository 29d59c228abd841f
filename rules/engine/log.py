"""The log: append-only records, each chained to the one before by a hash (law 4)."""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from .chance import Draw
from .questions import Answer


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game starts from. `salts` are mixed into the seed, one a seat; `wishes` the colours asked for."""

    game: str
    version: int
    seats: int
    options: dict[str, Any]
    commitment: str
    salts: tuple[str, ...]
    wishes: tuple[str, ...]


class What(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    """What a record says."""


class Started(What, frozen=True):
    """The set-up and the way to the first question."""


class Answered(What, frozen=True, omit_defaults=True):
    """A seat answered the question `key`. `away`: it was answered for, since its person was not there in time."""

    key: str
    answer: Answer
    away: bool = False


class Acted(What, frozen=True):
    """A seat did an act, with its fields."""

    name: str
    fields: tuple[Answer, ...]


class Undone(What, frozen=True):
    """Everything from record `to` on was taken back. `state`: checkpoint `base`, to play on from past a version mark."""

    to: int
    epoch: int
    consents: tuple[int, ...] = ()
    host: bool = False
    base: int = 0
    state: bytes = b""


class Redone(What, frozen=True):
    """These records count again."""

    records: tuple[int, ...]


class SeatChanged(What, frozen=True):
    """Who sits there now: `human`, `bot` or `left`. Never a name."""

    occupant: str


class Stood(What, frozen=True):
    """A seat leaves (or withdraws) the standing answer to pass in windows of this name."""

    window: str
    on: bool


class Faulted(What, frozen=True):
    """A rule failed on this legal attempt (in a line: after these answers); nothing was applied."""

    tried: Answered | Acted
    fault: str
    after: tuple[Answered, ...] = ()


class Marked(What, frozen=True):
    """From here on, rules `version`. Records in `dropped` fitted no longer and count no more. `state`: checkpoint
    `base`, from which the records since then that still count lead here."""

    version: int
    epoch: int
    dropped: tuple[int, ...]
    base: int
    state: bytes


AnyWhat = Started | Answered | Acted | Undone | Redone | SeatChanged | Stood | Faulted | Marked


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry. `owners`: the seats whose chance, secrets or choices it holds (law 5). `digest`: keyed, of the state."""

    seq: int
    seat: int | None
    what: AnyWhat
    draws: tuple[Draw, ...]
    owners: tuple[int, ...]
    digest: bytes
    prev: bytes

    @property
    def counts(self) -> bool:
        """Whether it moves the game: an answer or an act."""
        return isinstance(self.what, Answered | Acted)


class Checkpoint(msgspec.Struct, frozen=True):
    """The state at a segment's start, and where chance stood."""

    version: int
    epoch: int
    n: int
    state: bytes


encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder(order="deterministic").encode
"""The one encoding used for states, records and hashes."""
decode_record: Callable[[bytes], Record] = msgspec.msgpack.Decoder(Record).decode
"""The record stored as these bytes."""


def digest_of(data: bytes, n: int, key: bytes) -> bytes:
    """16 bytes that stand for a state and how many draws led to it; nobody without the key can try guesses on them."""
    return hashlib.blake2b(data, digest_size=16, key=key, salt=n.to_bytes(8, "big")).digest()


def chain(thing: Header | Record) -> bytes:
    """The hash that the next record holds."""
    return hashlib.sha256(encode(thing)).digest()


def effective(records: Iterable[Record]) -> list[int]:
    """The numbers of the answers and acts that count, in order."""
    line: list[int] = []
    for record in records:
        what = record.what
        if isinstance(what, Answered | Acted):
            line.append(record.seq)
        elif isinstance(what, Undone):
            line = [seq for seq in line if seq < what.to]
        elif isinstance(what, Redone):
            line.extend(what.records)
        elif isinstance(what, Marked):
            line = [seq for seq in line if seq not in what.dropped]
    return line
