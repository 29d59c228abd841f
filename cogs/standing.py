"""Standing answers: where somebody passes by himself, and how long.

The engine knows that a seat passes in a window; until when is kept here, beside the game's position, and the step that ends
it withdraws the answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Change, Event, Table

from .live import Live

ALWAYS, TURN, CONCERNED = "on", "turn", "concerned"
HOW_LONG = (ALWAYS, TURN, CONCERNED)
"""For good; until the seat's own next turn; until something happens that names the seat."""


def stand(live: Live, table: Table, seat: int, window: str, how_long: str) -> Change:
    """Leave a standing answer, or withdraw it ("")."""
    live.until.pop((seat, window), None)
    if how_long in (TURN, CONCERNED):
        live.until[seat, window] = how_long
    return table.stand(seat, window, bool(how_long))


def end(live: Live, change: Change) -> Change:
    """The change, and the withdrawal of the standing answers that it ends. Only play ends one, no undo does."""
    if not any(record.counts for record in change.records):
        return change
    for seat, window in list(ended(live, change)):
        change = change.then(stand(live, live.table, seat, window, ""))
    return change


def ended(live: Live, change: Change) -> Iterator[tuple[int, str]]:
    """The standing answers that are over with this change. It is told from what everybody sees."""
    own = {record.seat for record in change.records}
    named = {seat for event in change.events if event.audience is None for seat in names(live, event)}
    for (seat, window), how_long in live.until.items():
        question = live.table.asked.get(seat)
        on_turn = how_long == TURN and question is not None and not question.windows
        if on_turn or (how_long == CONCERNED and seat in named and seat not in own) or live.table.over:
            yield seat, window


def names(live: Live, event: Event) -> set[int]:
    """The seats whose names stand in the line that tells the event."""
    found: set[int] = set()

    def note(seat: int) -> str:
        found.add(seat)
        return ""

    live.words.named(note).event(event)
    return found
