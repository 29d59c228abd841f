"""What-ifs in the making: what somebody has done on a table of his own, and what of it can be done for real."""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Final

import msgspec

from rules.engine import Answer, Illegal, Line, Question, encode
from rules.what_if import WhatIf

from .forms import Form
from .items import Press
from .live import TOKENS, ActDraft, Draft, Live

THINK_SECONDS: Final = 8.0


class Patience:
    """Says when a what-if has been thought about for long enough: so many seconds from when that began."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin to count anew."""
        self._until = time.monotonic() + THINK_SECONDS

    def __call__(self) -> bool:
        return time.monotonic() >= self._until


class TryForm(Form):
    """A question of a what-if: its presses are others than those on the game's own."""

    __slots__ = ()

    def press(self, verb: str, arg: str = "") -> Press:
        return Press(self.live.id, self.seat, self.token, f"try{verb}", arg)


class Attempt:
    """Somebody's what-if. `token`, `view`: his question in the true game and what he knew of it when this began."""

    def __init__(
        self, live: Live, seat: int, token: int | None, view: bytes, trial: WhatIf, patience: Patience
    ) -> None:
        self.patience = patience
        self.live = live
        self.seat = seat
        self.token = token
        self.view = view
        self.trial = trial
        self.lock = asyncio.Lock()
        self.draft = Draft()
        self.acting: ActDraft | None = None
        self.shown = 0
        self.used_ms = 0
        self.number = secrets.randbelow(TOKENS)

    @property
    def question(self) -> Question | None:
        """What the person is asked: the next field of the act being made, else a seat's question."""
        if self.acting is not None:
            return self._fields(self.acting)[len(self.acting.fields)]
        asked = self.trial.asked
        return None if asked is None else self.trial.table.asked[asked]

    def _fields(self, acting: ActDraft) -> tuple[Question, ...]:
        found = [act.fields for act in self.trial.table.acts(self.seat) if act.name == acting.name]
        if not found:
            raise Illegal("engine.no_such_act", act=acting.name)
        return found[0]

    def begin_act(self, name: str) -> None:
        """Begin an act; one without fields is done at once."""
        self.acting = ActDraft(name, 0)
        self._act_if_complete(self.acting)

    def answer(self, answer: Answer) -> None:
        """Answer what is asked, and let the bot players go on."""
        question = self.question
        if question is None:
            raise Illegal("engine.not_asked")
        if self.acting is not None:
            self.acting = msgspec.structs.replace(self.acting, fields=(*self.acting.fields, question.check(answer)))
            self._act_if_complete(self.acting)
            return
        asked = self.trial.asked
        assert asked is not None
        self.shown = len(self.trial.events)
        self.trial.answer(asked, answer)
        self.trial.advance()

    def _act_if_complete(self, acting: ActDraft) -> None:
        if len(acting.fields) == len(self._fields(acting)):
            self.acting = None
            self.shown = len(self.trial.events)
            self.trial.act(acting.name, acting.fields)
            self.trial.advance()

    def undo(self) -> None:
        """Give the act up that is being made, else take the last answer back."""
        if self.acting is not None:
            self.acting = None
            return
        self.trial.undo()
        self.shown = len(self.trial.events)

    def stands(self) -> bool:
        """Whether the true game is for this person as it was when the what-if began there."""
        table = self.live.table
        asked = not table.over and self.seat in table.asked
        return asked and self.live.token(self.seat) == self.token and encode(table.view(self.seat)) == self.view


def line_of(attempt: Attempt) -> Line:
    """The person's own answers as a line of the true game, as far as they go together."""
    line = Line(attempt.live.table, attempt.seat)
    windows = attempt.live.table.asked[attempt.seat].windows
    for key, answer in attempt.trial.line():
        if line.question is None or line.question.key != key or (windows and line.answers):
            break
        line.answer(answer)
    return line
