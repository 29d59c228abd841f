"""The rows of the outbox that a running game needs: what its messages are called, and when each comes, changes and goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import db
from rules.engine import encode

from .live import HUMAN, Live
from .payloads import AnyPayload, Asking, Ending, Finished, Holding, Joining, Left, Saying, Turning
from .texts import say

SERVING = ("ask", "undo", "vote", "invite")
"""What slots of messages that go when they have served begin with, as far as the store tells when that is."""
PASSING = (*SERVING, "gone")
"""What slots of messages about the present begin with, besides the turn's."""


def turn_slot(number: int) -> str:
    """The slot of a turn's message."""
    return f"turn{number}"


def ask_slot(seat: int, number: int | None) -> str:
    """The slot of a short message to a seat that is asked that question inside a turn."""
    return f"ask{seat}.{number}"


def undo_slot(mark: int) -> str:
    """The slot of a wish to undo."""
    return f"undo{mark}"


def hand_slot(member: db.Member) -> str:
    """The slot of a seat's hand: of this person, so that whoever sits there next gets a message of his own."""
    return f"hand{member.seat}.{member.user_id}"


def _row(live: Live, slot: str, payload: AnyPayload, *, not_before: int = 0) -> db.NewOutbox:
    """A message in the game's channel."""
    return db.NewOutbox(live.channel_id, slot, encode(payload), not_before_ms=not_before)


def delete_row(channel_id: int, slot: str, user_id: int = 0) -> db.NewOutbox:
    """The slot's message goes."""
    return db.NewOutbox(channel_id, slot, encode(Saying("")), user_id=user_id, delete=True)


def first_rows(live: Live) -> list[db.NewOutbox]:
    """A game has begun: its join panel shows that, and its first turn is open."""
    return [_row(live, "lobby", Joining()), *turn_rows(live)]


def turn_rows(live: Live, not_before: int = 0) -> list[db.NewOutbox]:
    """The open turn message, as long as there is a turn."""
    return [] if live.table.over else [_row(live, turn_slot(live.turn.number), Turning(), not_before=not_before)]


def ask_rows(live: Live, awaited: Iterable[int]) -> list[db.NewOutbox]:
    """A short message to each seat that has become awaited inside the turn; those that have served go."""
    rows = []
    for seat in awaited:
        again = seat in live.asks  # the same question, to somebody else
        rows += [_unask(live, seat)] if again else []
        live.asks[seat] = -live.table.length if again else live.table.number(seat)
        rows.append(_row(live, ask_slot(seat, live.asks[seat]), Asking(seat)))
    return rows + [_unask(live, seat) for seat in list(live.asks) if seat not in live.asked_humans()]


def _unask(live: Live, seat: int) -> db.NewOutbox:
    return delete_row(live.channel_id, ask_slot(seat, live.asks.pop(seat)))


def finished_rows(live: Live, last: int) -> list[db.NewOutbox]:
    """The turn ends with record `last`: its message becomes its story, the short ones go."""
    told = Finished(live.turn.number, live.turn.first, last, encode(live.table.view(None)), live.changed_places())
    return [_row(live, turn_slot(live.turn.number), told), *(_unask(live, seat) for seat in list(live.asks))]


def end_rows(live: Live) -> list[db.NewOutbox]:
    """The last turn's story, and the result."""
    return [*finished_rows(live, live.table.length - 1), _row(live, "end", Ending())]


def hand_rows(live: Live, members: Iterable[db.Member]) -> list[db.NewOutbox]:
    """The hands of these people by direct message, where the game has hands and they take messages."""
    return _by_dm(live, members, Holding)


def left_rows(live: Live, members: Iterable[db.Member]) -> list[db.NewOutbox]:
    """Those who sat there are told so in place of their hands."""
    return _by_dm(live, members, Left)


def _by_dm(live: Live, members: Iterable[db.Member], payload: type[Holding | Left]) -> list[db.NewOutbox]:
    if not hasattr(live.table.view(None), "hand"):
        return []
    return [
        db.NewOutbox(0, hand_slot(member), encode(payload(member.seat)), user_id=member.user_id)
        for member in members
        if member.kind == HUMAN and member.user_id is not None and not member.dm_closed
    ]


def closing_rows(channel_id: int, game_id: int, live: Live | None, sent: Sequence[str]) -> list[db.NewOutbox]:
    """A game ends without a result: its turn keeps the story so far, what is open goes, and the channel is told.
    `live`: None when it does not open; `sent`: the slots that have messages in its channel."""
    story, turns = "", [name for name in sent if name.startswith("turn")]
    passing = [name for name in sent if name.startswith(PASSING)]
    if live is not None:
        story, turns = "\n".join(live.lines()), [turn_slot(live.turn.number)]
        passing += [ask_slot(seat, number) for seat, number in live.asks.items()]
        passing += [] if live.wish is None else [undo_slot(live.wish)]
    told = {name: story or say("turn.over") for name in sorted(turns, key=lambda name: int(name[4:]))[-1:]}
    told["end"] = say("game.abandoned", game=game_id)
    return [
        *(delete_row(channel_id, name) for name in dict.fromkeys(passing)),
        *(db.NewOutbox(channel_id, name, encode(Saying(text))) for name, text in told.items()),
    ]
