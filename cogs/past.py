"""What has been: the boards of a game so far, and what happened since some moment, as one viewer may know it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rules.engine import Event, decode_record, encode
from rules.engine.log import Record, effective

from .live import Live

if TYPE_CHECKING:
    from .tables import Tables


class Board(NamedTuple):
    """A board of the past: the checkpoint it shows (None: as it stands now), the first and the last record of what led
    to it (None: up to now), and the turn that ended there or is under way (None: not noted)."""

    seq: int | None
    first: int
    last: int | None
    turn: int | None


class Past:
    """What a game's log says, at one moment. Steps that were taken back are not among its boards and lines."""

    def __init__(
        self, tables: Tables, live: Live, records: Sequence[Record], events: Sequence[tuple[int, Event]]
    ) -> None:
        self.tables = tables
        self.live = live
        self.length = len(records)
        self.events = events
        self.boards: list[Board] = []
        self.begun = 0  # the place among the boards of that at the start of the turn under way
        self._records = records
        self._line = effective(records)
        self._gone = {record.seq for record in records if record.counts}.difference(self._line)

    @classmethod
    async def of(cls, tables: Tables, live: Live) -> Past:
        """The past of the game as it stands."""
        store = tables.store
        async with live.lock:
            records = [decode_record(data) for _, data in await store.records(live.id)]
            events = [(seq, msgspec.msgpack.decode(d, type=Event)) for seq, _, d in await store.events(live.id, 0)]
            checkpoints, turns = await store.checkpoints(live.id), await store.turns(live.id)
        past = cls(tables, live, records, events)
        past._lay_out(checkpoints, turns)
        return past

    def _lay_out(self, checkpoints: Sequence[int], turns: Sequence[tuple[int, int]]) -> None:
        """The boards at the checkpoints, the last being the present one: one more as soon as something has happened since
        that all may know, since their number would else tell that somebody has chosen in secret."""
        stands = {0, *self._line}
        ends = [seq for seq in checkpoints if seq in stands]
        self.begun = len(ends) - 1
        if any(seq > ends[-1] and seq in stands and event.audience is None for seq, event in self.events):
            ends.append(self._line[-1])
        for before, end in pairwise([-1, *ends]):
            turn = max((number for first, number in turns if first <= end), default=None)
            now = end == ends[-1]
            self.boards.append(Board(None if now else end, before + 1, None if now else end, turn))

    def at_turn(self, turn: int) -> int:
        """The place among the boards of the one with which that turn ended, or of the nearest before."""
        return max((n for n, board in enumerate(self.boards) if (board.turn or 0) <= turn), default=0)

    async def view(self, board: Board, seat: int | None) -> Any:
        """The board as that seat could know it then, with what was to be seen on the way to it."""
        if board.seq is None:
            async with self.live.lock:
                view = self.live.table.view(seat)
        else:
            view = await self.tables.view_at(self.live, board.seq, seat)
        before, events = self.told(seat, board.first - 1, board.first - 1), self.told(seat, board.first, board.last)
        return self.live.rules.retold(view, before, events)

    def told(self, seat: int | None, first: int, last: int | None = None) -> list[Event]:
        """What that seat may know of the records from `first` to `last`, as far as they were not taken back."""
        return [
            event
            for seq, event in self.events
            if first <= seq and (last is None or seq <= last) and self.stands(seq) and event.seen_by(seat)
        ]

    def stands(self, seq: int) -> bool:
        """Whether what happened with that record was not taken back."""
        return seq not in self._gone

    def mark(self, seat: int | None) -> bytes:
        """What tells this past from another for that seat; never leaves the process."""
        return blake2b(encode([self.boards, self.told(seat, 0)]), digest_size=16).digest()

    def changed_since(self, seq: int, seat: int | None) -> tuple[str, ...]:
        """The places that are not as they were when the log held `seq` records, as that seat may know: what happened
        since, and what had happened before and was taken back since."""
        changed = set(effective(self._records[:seq])).symmetric_difference(self._line)
        return places_of(event for n, event in self.events if n in changed and event.seen_by(seat))


def places_of(events: Iterable[Event]) -> tuple[str, ...]:
    """The board places that changed, in order."""
    return tuple(dict.fromkeys(place for event in events for place in event.places))
