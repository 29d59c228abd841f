"""What-if: a table on which one seat plays on from what it knows. Everything else is drawn afresh by `resample` and from
another chance than the game's, so nothing can be learned from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec

from .bots import bot_player
from .engine.chance import Chance, mix
from .engine.flow import Ask, Event, Flow, Game
from .engine.log import Answered, effective, encode
from .engine.questions import Answer, Question
from .engine.rules import Decision, Rules
from .engine.table import Change, Table
from .guesses import guess

TRIES: Final = 12
"""How often a step is drawn before those that led to it are drawn anew."""
MOST_FAILED: Final = 40
"""After so many steps not found that way, the what-if begins at the segment's start."""
MOST_DECISIONS: Final = 200
"""So many answers the bot players give in one go."""


Enough = Callable[[], bool]
"""Says when to think no longer."""


class Unresumable(Exception):
    """What the viewer has seen since the segment's start was not met by chance."""


class Foretold(Chance):
    """Chance whose next draws may be set: those that the viewer has seen."""

    __slots__ = ("script",)

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.script: tuple[int, ...] = ()

    def _value(self, limit: int) -> int:
        if not self.script:
            return super()._value(limit)
        result, *rest = self.script
        self.script = tuple(rest)
        if result >= limit:
            raise Unresumable
        return result


class Step(NamedTuple):
    """How the flow is brought past one question: from which state (None: where the step before it led), by which
    answers, and what is drawn then: what was seen, or fresh draws from number `n` on."""

    state: bytes | None
    answers: Mapping[int, Answer]
    draws: tuple[int, ...]
    n: int


class Seen(NamedTuple):
    """A step of the true game: the states around it, what was asked, answered, drawn and told, and what is asked next."""

    before: bytes
    after: bytes
    asked: Mapping[int, Question]
    answers: Mapping[int, Answer]
    draws: tuple[int, ...]
    events: tuple[Event, ...]
    following: Mapping[int, Question]


class Resumed:
    """A game's rules, but the segment that starts with the first step's state is brought to where the steps lead, and
    goes on from the state `now` (None: where they lead)."""

    def __init__(self, rules: Rules[Any, Any, Any], steps: list[Step], now: bytes | None) -> None:
        self.rules = rules
        self.steps = steps
        self.now = now

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)

    def segment(self, game: Game[Any]) -> Flow[None]:
        """The flow of the segment."""
        return self._resume(game) if encode(game.state) == self.steps[0].state else self.rules.segment(game)

    def _resume(self, game: Game[Any]) -> Flow[None]:
        flow, ask = forward(self.rules, game, self.steps)
        load(game, self.now)
        while True:
            answers = yield ask
            try:
                ask = flow.send(answers)
            except StopIteration:
                return


def load(game: Game[Any], state: bytes | None) -> None:
    """Put this state (None: none) in the place of the present one; flows keep the object, and nothing that hangs on
    it."""
    if state is None:
        return
    fresh = msgspec.msgpack.decode(state, type=type(game.state))
    for field in fresh.__struct_fields__:
        setattr(game.state, field, getattr(fresh, field))


def forward(rules: Rules[Any, Any, Any], game: Game[Any], steps: list[Step]) -> tuple[Flow[None], Ask]:
    """Start the segment's flow and bring it past the steps; Unresumable when an answer does not fit."""
    chance: Any = game.chance
    flow: Flow[None] | None = None
    for step in steps:
        load(game, step.state)
        chance.script, chance.n = step.draws, step.n
        if flow is None:
            flow = rules.segment(game)
            ask = next(flow)
        elif set(ask.seats) == set(step.answers):
            ask = flow.send({seat: step.answers[seat] for seat in ask.seats})
        else:
            raise Unresumable
        chance.script = ()
    assert flow is not None
    return flow, ask


def retrace(table: Table) -> Iterator[Seen]:
    """The steps of the true game since the segment's start, the way to its first question being the first of them.
    Answers that are still sealed belong to none."""
    start = table._read(table.checkpoints[table.base])
    game = Game(table._decode(start.state), Chance(table._chance.seed, start.epoch, start.n))
    next(table.rules.segment(game))
    there = table.copy()
    there._replay(there.base, ())
    draws = tuple(draw.result for draw in game.chance.draws)
    yield Seen(start.state, encode(there.state), {}, {}, draws, tuple(game.events), dict(there.asked))
    for record in table.tail:
        before, asked, sealed = encode(there.state), dict(there.asked), dict(there.sealed)
        there.length, there._game.events = record.seq, []
        there._apply(record)
        if isinstance(record.what, Answered) and record.seat is not None:
            answers = {**sealed, record.seat: record.what.answer}
            if set(answers) == set(asked):
                draws = tuple(draw.result for draw in record.draws)
                events = tuple(there._game.events)
                yield Seen(before, encode(there.state), asked, answers, draws, events, dict(there.asked))


class Builder:
    """Finds steps that lead, from states and answers drawn afresh, to all that one seat has seen."""

    def __init__(self, table: Table, seat: int, seed: bytes) -> None:
        self.rules = table.rules
        self.seat = seat
        self.seed = seed
        self.chance = Chance(mix(seed, ("draw",)))
        self.seen = list(retrace(table))
        self.steps: list[Step] = []

    def build(self, enough: Enough) -> bool:
        """Find the steps; False when only the way to the segment's first question is found."""
        self._first()
        failed = 0
        while failed < MOST_FAILED and len(self.steps) < len(self.seen) and not enough():
            seen = self.seen[len(self.steps)]
            if self._next(seen):
                continue
            failed += 1
            if self._exact(seen):
                continue
            while self._secret(self.seen[len(self.steps) - 1]):  # an earlier secret may have led astray
                self.steps.pop()
                if self.chance.below(2):
                    break
        if len(self.steps) == len(self.seen):
            return True
        del self.steps[1:]
        return False

    @property
    def loose(self) -> bool:
        """Whether the state to which the steps lead must be drawn anew, since the last one was not."""
        last = len(self.steps) - 1
        return last == 0 or not self._secret(self.seen[last])

    def resampled(self, state: bytes) -> bytes:
        """A state that looks the same to the seat."""
        return encode(self.rules.resample(self._decode(state), self.seat, self.chance))

    def _decode(self, state: bytes) -> Any:
        return msgspec.msgpack.decode(state, type=self.rules.state)

    def _first(self) -> None:
        """The way to the first question. What is dealt on it need not be met: the state is replaced after it."""
        for _ in range(TRIES):
            step = self._drawn(self.seen[0])
            if self._leads(step, self.seen[0]):
                break
        self.steps.append(step)

    def _next(self, seen: Seen) -> bool:
        """Find the step among some drawn."""
        for _ in range(TRIES):
            with suppress(Exception):  # a secret that does not fit may break any rule
                step = self._drawn(seen)
                if self._leads(step, seen):
                    self.steps.append(step)
                    return True
        return False

    def _exact(self, seen: Seen) -> bool:
        """Take the step as it was, when our seat knows everything about it."""
        step = Step(seen.before, seen.answers, seen.draws, 0)
        if self._secret(seen) or not self._open(seen) or not self._leads(step, seen):
            return False
        self.steps.append(step)
        return True

    def _secret(self, seen: Seen) -> bool:
        """Whether somebody answered in secret then."""
        return any(self._hidden(seen.asked, seat) for seat in seen.asked)

    def _hidden(self, asked: Mapping[int, Question], seat: int) -> bool:
        """Whether what the seat is asked, or its answer, is its secret."""
        return seat != self.seat and (asked[seat].private or len(asked) > 1)

    def _open(self, seen: Seen) -> bool:
        """Whether our seat knows of all that happened then."""
        return all(event.seen_by(self.seat) for event in seen.events)

    def _drawn(self, seen: Seen) -> Step:
        """The step from another state, with other secrets in it."""
        follows = len(self.steps) > 1 and self._secret(self.seen[len(self.steps) - 1])
        state = None if follows else self.resampled(seen.before)  # what was chosen in secret fits only there
        n = self.chance.below(1 << 32)
        answers = dict(seen.answers)
        if secret := [seat for seat in seen.asked if self._hidden(seen.asked, seat)]:
            game = self._game(self.seen[0].before)
            _, ask = forward(self.rules, game, self.steps)
            load(game, state)
            told = self._told(len(self.steps))
            answers |= {seat: guess(seat, ask.build(seat), told, self.chance) for seat in secret}
        return Step(state, answers, seen.draws if self._open(seen) else (), n)

    def _told(self, step: int) -> list[Event]:
        """What our seat was told after that step, sometimes only what it was told first."""
        told = [[event for event in seen.events if event.seen_by(self.seat)] for seen in self.seen[step:]]
        first: list[Event] = next((events for events in told if events), [])
        return first if self.chance.below(2) else [event for events in told for event in events]

    def _game(self, state: bytes) -> Game[Any]:
        return Game(self._decode(state), Foretold(self.seed))

    def _leads(self, step: Step, seen: Seen) -> bool:
        """Whether the seat would have seen the same after this step."""
        game = self._game(self.seen[0].before)
        with suppress(Exception):
            _, ask = forward(self.rules, game, [*self.steps, step])
            shown, known = self._view(encode(game.state)), self._view(seen.after)
            asked = seen.following
            open_ = [seat for seat in asked if not self._hidden(asked, seat)]
            return (
                shown == known
                and set(ask.seats) == set(asked)
                and all(ask.build(seat) == asked[seat] for seat in open_)
            )
        return False

    def _view(self, state: bytes) -> bytes:
        return encode(self.rules.view(self._decode(state), self.seat))


def patient() -> bool:
    """Never enough."""
    return False


def clone(table: Table, seat: int, seed: bytes, enough: Enough = patient) -> tuple[Table, bool]:
    """A table for this seat to play on, and whether it stands where the true one does; else it stands at the start of
    the segment under way, since secret choices were made since that could not be met, or not before it was enough.
    `table` must be a copy that nobody else uses; `seed` is 32 random bytes."""
    builder = Builder(table, seat, seed)
    there = builder.build(enough)
    now = builder.resampled(builder.seen[-1 if there else 0].after) if builder.loose else None
    rules: Any = Resumed(table.rules, builder.steps, now)
    start = msgspec.msgpack.decode(builder.steps[0].state or b"", type=table.rules.state)
    twin = Table.at(rules, start, Foretold(seed))
    twin.header = table.header
    return twin, there


class WhatIf:
    """A seat's what-if: the clone, who answers for the others, and what came of it. `there`: it began where the true
    game stands."""

    def __init__(self, table: Table, seat: int, seed: bytes, enough: Enough = patient) -> None:
        self.seat = seat
        self.enough = enough
        self.table, self.there = clone(table, seat, seed, enough)
        self.begun = self.table.length
        self.alone = False
        self.events: list[tuple[int, Event]] = []
        self._chance = Chance(mix(seed, ("bots",)))

    @property
    def asked(self) -> int | None:
        """The seat to be answered for by the person: his own, or any other if he plays alone; None: the bots go on."""
        asked = [seat for seat in self.table.asked if seat not in self.table.sealed]
        if self.seat in asked:
            return self.seat
        return asked[0] if asked and self.alone else None

    def answer(self, seat: int, answer: Answer) -> None:
        """The person's answer. Illegal when it does not fit; Broken when a rule failed."""
        self._note(self.table.answer(seat, self.table.asked[seat].check(answer)))

    def advance(self) -> bool:
        """Let bot players answer until the person is asked or the game is over; False: after MOST_DECISIONS, or when it
        was enough, it is not."""
        for _ in range(MOST_DECISIONS):
            if self.table.over or self.asked is not None:
                return True
            if self.enough():
                break
            seat = next(seat for seat in self.table.asked if seat not in self.table.sealed)
            player = bot_player(self.table.rules, "policy")
            answer = player(Decision(seat, self.table.view(seat), self.table.asked[seat]), self._chance)
            self._chance.draws.clear()
            self._note(self.table.answer(seat, answer))
        return False

    def act(self, name: str, fields: Sequence[Answer]) -> None:
        """The person does an act. Illegal when it is none; Broken when a rule failed."""
        self._note(self.table.act(self.seat, name, fields))

    def undo(self) -> None:
        """Back to the person's last answer; what chance decided since is decided anew. Illegal when there is none."""
        plan = self.table.plan_undo(self.seat, self.table.step_back(1) if self.alone else None)
        self.events = [(seq, event) for seq, event in self.events if seq < plan.to]
        self.table.undo(None, plan.to, host=True)

    def line(self) -> list[tuple[str, Answer]]:
        """The seat's own answers, with the keys of their questions, up to the first act or answer of another seat."""
        answers: list[tuple[str, Answer]] = []
        for seq in effective(self.table.log):
            record = self.table.log[seq]
            if record.seat != self.seat or not isinstance(record.what, Answered):
                break
            answers.append((record.what.key, record.what.answer))
        return answers

    def _note(self, change: Change) -> None:
        self.events += [(change.records[-1].seq, event) for event in change.events]


__all__ = ["WhatIf", "clone"]
