"""Lines: several answers given at once, tried on a copy first (law 8)."""

from .errors import Broken, Illegal
from .questions import Answer, Question
from .table import Change, Table


class Line:
    """A seat's line in the making. The table itself changes only by `submit`, all or nothing. An answer that draws
    chance, shows something hidden, or waits for another seat ends the line."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.answers: list[Answer] = []
        self._copy = table.copy()
        self._ended = False

    @property
    def question(self) -> Question | None:
        """What the seat would be asked next; None when the line has ended."""
        return None if self._ended else self._copy.asked.get(self.seat)

    def answer(self, answer: Answer) -> None:
        """Add an answer. Illegal when the line has ended before it, or the answer does not fit."""
        if self.question is None and self.answers:
            raise Illegal("engine.line")
        sealed = len(self._copy.asked) > 1
        try:
            change = self._copy.answer(self.seat, answer)
        except Broken:
            self._ended = True  # the table meets and records the failure when the line is submitted
        else:
            shown = any(record.draws or set(record.owners) - {self.seat} for record in change.records)
            self._ended = sealed or shown or any(event.audience is not None for event in change.events)
        self.answers.append(answer)

    def submit(self) -> Change:
        """Play it at the table."""
        return self.table.play(self.seat, self.answers)
