"""What the outbox keeps of a message that must be sent: what it is about, not what it will show."""

from __future__ import annotations

import msgspec


class Payload(msgspec.Struct, frozen=True, tag=str.lower):
    """What a row's message shows; most are drawn from the table as it stands when the row is sent."""


class Turning(Payload, frozen=True):
    """The turn under way. `quiet`: nobody is pinged by it (any more)."""

    quiet: bool = False


class Again(Payload, frozen=True):
    """The turn under way, as a new message at the channel's end."""


class Finished(Payload, frozen=True):
    """A turn that is over: the records it tells, and the public view at its end."""

    turn: int
    first: int
    last: int
    view: bytes
    changed: tuple[str, ...]


class Asking(Payload, frozen=True):
    """A short message to a seat that is asked inside a turn."""

    seat: int


class Holding(Payload, frozen=True):
    """The hand of a seat."""

    seat: int


class Left(Payload, frozen=True):
    """In place of a hand: the person sits there no more."""

    seat: int


class Ending(Payload, frozen=True):
    """The result, the seed, and the file of the game."""


class Joining(Payload, frozen=True):
    """The join panel."""


class Consenting(Payload, frozen=True):
    """A wish to undo that others must agree to."""


class Voting(Payload, frozen=True):
    """A vote of the table."""

    vote: int


class Saying(Payload, frozen=True):
    """Any text, with buttons (their verbs) below it."""

    text: str
    verbs: tuple[str, ...] = ()
    pings: tuple[int, ...] = ()
    seat: int = 0


class Inviting(Payload, frozen=True):
    """A seat that is offered to somebody, or to anybody."""

    seat: int


AnyPayload = (
    Turning | Again | Finished | Asking | Holding | Left | Ending | Joining | Consenting | Voting | Saying | Inviting
)
