"""The table: a game as it is played, with its log, checkpoints, undo, and recovery from a failing rule."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from typing import Any

import msgspec

from .chance import Chance, commitment, mix
from .errors import Broken, Damaged, Illegal, NeedsHistory
from .flow import Act, Answers, Ask, Event, Flow, Game

# isort: off
from .log import (
    Acted, Answered, AnyWhat, Checkpoint, Faulted, Header, Marked, Record, Redone, SeatChanged,
    Started, Stood, Undone, chain, digest_of, effective, encode,
)  # fmt: skip
from .questions import Answer, Question
from .rules import Rules, Standing

IDLE_SEGMENTS = 10_000  # a segment may end without asking; so many in a row are taken for an endless loop
_decode_checkpoint = msgspec.msgpack.Decoder(Checkpoint).decode


class Change(msgspec.Struct, frozen=True):
    """What an accepted step did: its records, the checkpoints to keep (by record number), and what happened."""

    records: tuple[Record, ...] = ()
    checkpoints: tuple[tuple[int, bytes], ...] = ()
    events: tuple[Event, ...] = ()

    def then(self, other: Change) -> Change:
        """Both, one after the other."""
        return Change(self.records + other.records, self.checkpoints + other.checkpoints, self.events + other.events)


class Position(msgspec.Struct, frozen=True):
    """Where a table stands in its log: enough, with checkpoint `base` and the records of `tail`, to open it again."""

    length: int
    head: bytes
    epoch: int
    base: int
    tail: tuple[int, ...]
    floor: int
    redo: tuple[int, ...]
    version: int
    mark: int
    standing: dict[int, tuple[str, ...]]
    digest: bytes


class Plan(msgspec.Struct, frozen=True):
    """What an undo would take back: the records from `to` on, whose consent it needs, and whether chance is redrawn.
    The records may hold sealed answers: count them, show nobody who has answered."""

    to: int
    records: tuple[Record, ...]
    owners: tuple[int, ...]
    redraws: bool


class _Frame(msgspec.Struct):
    """A flow and what it asks now. `waiting`: the records of the sealed answers."""

    flow: Flow[None]
    ask: Ask | None = None
    questions: dict[int, Question] = {}
    numbers: dict[int, int] = {}
    sealed: Answers = {}
    waiting: list[int] = []


class Table:
    """A running game. Every step either is accepted and returns a `Change`, or raises and changes nothing."""

    def __init__(self, rules: Rules[Any, Any, Any], header: Header, chance: Chance, secret: bytes = b"") -> None:
        self.rules = rules
        self.header = header
        self.secret = secret
        self.tail: list[Record] = []
        self.log: list[Record] = []
        self.checkpoints: dict[int, bytes] = {}
        self.over = False
        self._chance = chance
        self._digest_key = mix(chance.seed, ("key", "digest"))
        self._decode = msgspec.msgpack.Decoder(rules.state).decode
        self._game: Game[Any] = Game(None, chance)
        self._frames: list[_Frame] = []
        self._new: dict[int, bytes] = {}
        self._stand_at(Position(0, chain(header), 0, 0, (), 0, (), rules.version, -1, {}, b""))

    @classmethod
    def start(
        cls, rules: Rules[Any, Any, Any], options: Any = None, *, seats: int, secret: bytes, salts: Sequence[str] = (),
        wishes: Sequence[str] = (),
    ) -> tuple[Table, Change]:  # fmt: skip
        """Set up a new game and go to its first question. Illegal when the options do not allow it."""
        options = rules.options() if options is None else options
        for key, args in rules.problems(options, seats):
            raise Illegal(key, **args)
        wished = tuple(wishes) or ("",) * seats
        salted = tuple(salts) or ("",) * seats
        plain = msgspec.to_builtins(options)
        header = Header(rules.key, rules.version, seats, plain, commitment(secret), salted, wished)
        table = cls(rules, header, Chance(mix(secret, salted)), secret)
        return table, table._begin(rules.setup(table._chance, options, seats, wished))

    @classmethod
    def at(cls, rules: Rules[Any, Any, Any], state: Any, chance: Chance, options: Any = None) -> Table:
        """A table that starts at this state, for tests and for play on a copy."""
        seats = max(rules.playing(state), default=-1) + 1
        header = Header(rules.key, rules.version, seats, msgspec.to_builtins(options or rules.options()), "", (), ())
        chance.draws = []
        table = cls(rules, header, chance)
        table._begin(state)
        return table

    def _begin(self, state: Any) -> Change:
        self._start_segment(state)
        self._settle()
        return self._record(None, Started())

    @classmethod
    def open(
        cls, rules: Rules[Any, Any, Any], header: Header, secret: bytes, position: Position, checkpoint: bytes,
        tail: Sequence[Record], *, ended: bool = False,
    ) -> tuple[Table, Change | None]:  # fmt: skip
        """A stored game, opened from its last checkpoint and the records since. When its rules have changed meanwhile
        (law 7) the change holds the version mark to store, and the events tell; not for one that `ended` and still does."""
        table = cls(rules, header, Chance(mix(secret, header.salts)), secret)
        table._stand_at(position)
        table.checkpoints[position.base] = checkpoint
        try:
            table._replay(position.base, tail)
            fits = table._digest() == position.digest
        except Exception:
            fits = False
        if (fits and position.version == rules.version) or (ended and table.over):
            return table, None
        return table, table._mark_version(position.base, () if fits else tuple(record.seq for record in tail), fits)

    def _mark_version(self, base: int, dropped: tuple[int, ...], fits: bool) -> Change:
        self.version, self.mark, self.floor = self.rules.version, self.length, self.length
        self._forget_step()
        self._game.tell("rules_changed" if dropped else "rules_new", version=self.version, dropped=len(dropped))
        try:
            if fits:
                self._store(self.base, self._read(self.checkpoints[self.base]))
                for frame in self._frames:
                    frame.numbers = dict.fromkeys(frame.numbers, self.floor)
            else:
                self._start_over(base)
        except Exception as error:
            raise Damaged("checkpoint", f"{type(error).__name__}: {error}") from error
        return self._record(None, Marked(self.version, self.epoch, dropped, self.base, self.checkpoints[self.base]))

    def position(self) -> Position:
        """What to store beside the log, so that `open` finds its way."""
        return Position(
            self.length, self.head, self.epoch, self.base, tuple(record.seq for record in self.tail), self.floor,
            self.redoable, self.version, self.mark, dict(self.standing), self.digest,
        )  # fmt: skip

    def _stand_at(self, at: Position) -> None:
        self.length, self.head, self.epoch, self.base, self.floor = at.length, at.head, at.epoch, at.base, at.floor
        self.redoable, self.version, self.mark, self.digest = at.redo, at.version, at.mark, at.digest
        self.standing: dict[int, tuple[str, ...]] = dict(at.standing)

    def recall(self, records: Sequence[Record], checkpoints: Mapping[int, bytes]) -> None:
        """Take the whole stored log and its checkpoints back into memory, for an undo that reaches far."""
        if len(records) != self.length or chain(records[-1]) != self.head:
            raise Damaged("log", "it does not lead to where the table stands")
        self.log, self.checkpoints = list(records), {**checkpoints, **self.checkpoints}

    def forget(self) -> None:
        """Drop from memory what lies before the last checkpoint."""
        self.log = []
        self.checkpoints = {self.base: self.checkpoints[self.base]}

    def copy(self) -> Table:
        """An independent table at the same point, without the log."""
        chance = copy(self._chance)
        chance.draws = []
        twin = Table(self.rules, self.header, chance, self.secret)
        twin._stand_at(self.position())
        twin.checkpoints[self.base] = self.checkpoints[self.base]
        twin._replay(self.base, self.tail)
        return twin

    @property
    def state(self) -> Any:
        """The state. Only rules may look at it; everybody else takes a view."""
        return self._game.state

    @property
    def asked(self) -> dict[int, Question]:
        """The live question of each seat that is asked. A sealed answer may be replaced, so its seat stays."""
        return self._frames[-1].questions if self._frames else {}

    @property
    def sealed(self) -> Mapping[int, Answer]:
        """Answers given that wait for the others. Never to be shown to another seat."""
        return self._frames[-1].sealed if self._frames else {}

    def number(self, seat: int) -> int:
        """The number of the seat's live question: raised only when it is put anew or its options change."""
        return self._frames[-1].numbers[seat]

    def acts(self, seat: int) -> list[Act]:
        """What the seat may do outside its question, just now. While several are asked at once only harmless acts:
        were they off only once an answer is in, they would tell."""
        if self.over:
            return []
        with self._chance.locked():
            acts = self.rules.acts(self.state, seat)
        return [act for act in acts if act.harmless] if self._several() else acts

    def view(self, seat: int | None) -> Any:
        """What this seat (None: a spectator) may know."""
        return self.rules.view(self.state, seat)

    def view_of(self, stored: bytes, seat: int | None) -> Any:
        """What this seat may have known at a stored segment's start."""
        return self.rules.view(self._decode(self._read(stored).state), seat)

    def standings(self) -> list[Standing]:
        """How the seats stand."""
        return self.rules.standings(self.state)

    def passes(self, seat: int) -> bool:
        """Whether the seat's question answers itself: nothing to do but pass, or a standing answer covers it."""
        question = self.asked[seat]
        covered = bool(question.windows) and set(question.windows) <= set(self.standing.get(seat, ()))
        return question.skippable and (covered or len(question.options) == 1)

    def answer(self, seat: int, answer: Answer, *, away: bool = False) -> Change:
        """The seat's answer to its live question; `away`: given for it."""
        return self.play(seat, (answer,), away=away)

    def play(self, seat: int, answers: Sequence[Answer], *, away: bool = False) -> Change:
        """Answers to the seat's live question and the ones after it, all or nothing (see `Line`)."""

        def moves() -> Iterator[tuple[Answered, Callable[[], None]]]:
            for answer in answers:
                question = self._question(seat)
                canonical = question.check(tuple(answer))
                yield Answered(question.key, canonical, away), partial(self._give, seat, canonical)

        return self._accept(seat, moves())

    def act(self, seat: int, name: str, fields: Sequence[Answer] = ()) -> Change:
        """The seat does an act."""
        act = self._find_act(seat, name)
        if len(fields) != len(act.fields):
            raise Illegal("engine.fields", least=len(act.fields), given=len(fields))
        given = tuple(field.check(tuple(value)) for field, value in zip(act.fields, fields, strict=True))
        return self._accept(seat, [(Acted(name, given), partial(self._do, act, seat, given))])

    def _accept(self, seat: int, moves: Iterable[tuple[Answered | Acted, Callable[[], None]]]) -> Change:
        change, tried = Change(), list[Any]()
        try:
            with self._all_or_nothing():
                for what, step in moves:
                    tried.append(what)
                    step()
                    change = change.then(self._record(seat, what))
            return change
        except Exception as error:
            if isinstance(error, Illegal) and (len(tried) == len(change.records) or isinstance(tried[-1], Acted)):
                raise
            faulted = Faulted(tried[-1], f"{type(error).__name__}: {error}", tuple(tried[:-1]))
            report = {"header": self.header, "at": self.checkpoints[self.base], "tail": self.tail, "tried": faulted}
            raise Broken(encode(report), faulted.fault, self.note_fault(seat, faulted)) from error

    def note_fault(self, seat: int | None, faulted: Faulted) -> Change:
        """Record that a rule failed; the table stands as it was."""
        return self._record(seat, faulted)

    @contextmanager
    def _all_or_nothing(self, refusal: str = "") -> Iterator[None]:
        """What fails inside leaves the table as it was; with `refusal`, it is then Illegal for that reason."""
        at, tail, logged, checkpoints = self.position(), self.tail[:], len(self.log), self.checkpoints.copy()
        try:
            yield
        except Exception as error:
            self._stand_at(at)
            del self.log[logged:]
            self.checkpoints = checkpoints
            self._replay(self.base, tail)
            if refusal:
                raise Illegal(refusal) from error
            raise

    def stand(self, seat: int, window: str, on: bool) -> Change:
        """Leave or withdraw the standing answer to pass in windows of this name."""
        self._check_seat(seat)
        names = [name for name in self.standing.get(seat, ()) if name != window]
        self.standing[seat] = tuple([*names, window] if on else names)
        return self._record(seat, Stood(window, on))

    def seat_change(self, seat: int, occupant: str) -> Change:
        """Note who sits there now: `human`, `bot` or `left`."""
        self._check_seat(seat)
        self._game.tell("seat_changed", seat=seat, occupant=occupant)
        return self._record(seat, SeatChanged(occupant))

    def plan_undo(self, seat: int | None, to: int | None = None) -> Plan:
        """What taking back everything from record `to` on means; by default from the seat's own last step on.
        NeedsHistory when the records reach further back than memory does. While several are asked at once all of them
        must consent, answered or not: else the plan would tell who has answered."""
        line = self._line()
        if to is None:
            own = (record.seq for record in reversed(line) if record.seat == seat)
            to = next(own, self.length if self._whole else 0)
        if to <= self.base and not self._whole:
            raise NeedsHistory
        to = max(to, 1)
        redraws = to <= self.mark
        if redraws:
            to = self._base_before(line, to) + 1
        gone = tuple(record for record in line if record.seq >= to)
        if not gone:
            raise Illegal("engine.nothing_to_undo")
        touched = self._several() | {owner for record in gone for owner in (*record.owners, record.seat)}
        owners = tuple(sorted(owner for owner in touched if owner is not None and owner != seat))
        return Plan(gone[0].seq, gone, owners, redraws or any(record.draws for record in gone))

    def step_back(self, steps: int, *, sealed: bool = True) -> int:
        """The record from which an undo takes the last `steps` answers and acts back (`sealed`: also such are counted)."""
        line = [record for record in self._line() if sealed or record.seq not in self._waiting()]
        if len(line) < steps and not self._whole:
            raise NeedsHistory
        if not line or steps < 1:
            raise Illegal("engine.nothing_to_undo")
        return line[-min(steps, len(line))].seq

    def undo(
        self, seat: int | None, to: int | None = None, consents: Sequence[int] = (), *, host: bool = False
    ) -> Change:
        """Take back everything from record `to` on. Beyond the barrier it needs the owners' consent; a host rewinds."""
        self._check_seat(seat)
        plan = self.plan_undo(seat, to)
        missing = tuple(owner for owner in plan.owners if owner not in consents)
        if missing and not host:
            raise Illegal("engine.consent", seats=missing)
        line = self._line()
        base = self._base_before(line, plan.to)
        past_mark = plan.to <= self.mark
        steps = sum(record.seq not in self._waiting() for record in plan.records)
        with self._all_or_nothing("engine.cannot_undo"):
            if not past_mark:
                self.epoch += plan.redraws
                self._go_to(base, [record for record in line if base < record.seq < plan.to])
            self._game.tell("undone", seat=seat, steps=steps, host=host)
            if past_mark:
                self._start_over(base)
        self.redoable = () if plan.redraws or plan.owners else tuple(record.seq for record in plan.records)
        state = (self.base, self.checkpoints[self.base]) if past_mark else (0, b"")
        return self._record(seat, Undone(plan.to, self.epoch, tuple(sorted(consents)), host, *state))

    def redo(self, seat: int) -> Change:
        """Take the seat's undo back; only while nothing else was recorded and nothing was revealed or redrawn."""
        self._check_seat(seat)
        redone = [record for record in self.log if record.seq in self.redoable]
        if len(redone) != len(self.redoable):
            raise NeedsHistory
        if not redone or self.log[-1].seat != seat:
            raise Illegal("engine.nothing_to_redo")
        line = [*self.tail, *redone]
        base = self._base_before(line, self.redoable[-1] + 1)
        with self._all_or_nothing("engine.cannot_redo"):
            self._go_to(base, [record for record in line if record.seq > base])
        self._game.tell("redone", seat=seat, steps=len(redone))
        return self._record(seat, Redone(self.redoable))

    @property
    def _whole(self) -> bool:
        """Whether the whole log is in memory."""
        return len(self.log) == self.length

    def _line(self) -> list[Record]:
        """The records that count, as far back as memory reaches."""
        return [self.log[seq] for seq in effective(self.log)] if self._whole else list(self.tail)

    def _base_before(self, line: Sequence[Record], to: int) -> int:
        """The last checkpoint before record `to` that lies on the line."""
        stands = {0, self.base} | {record.seq for record in line}
        found = [seq for seq in self.checkpoints if seq < to and seq in stands]
        if not found:
            raise NeedsHistory if not self._whole else Illegal("engine.nothing_to_undo")
        return max(found)

    def _go_to(self, base: int, kept: Sequence[Record]) -> None:
        """Replay to another point of the line; every question there is put anew."""
        self.floor = self.length
        self._replay(base, kept)
        self._new[self.base] = self.checkpoints[self.base]

    def _start_over(self, base: int) -> None:
        """Play segment `base` anew under the present rules: what it draws and tells is new, and recorded."""
        self.epoch += 1
        self.floor = self.length
        checkpoint = self._read(self.checkpoints[base])
        self._chance.epoch, self._chance.n = self.epoch, checkpoint.n
        length, self.length = self.length, base
        self._start_segment(self._decode(checkpoint.state))
        self._settle()
        self.length = length

    def _check_seat(self, seat: int | None) -> None:
        if seat is not None and not 0 <= seat < self.header.seats:
            raise Illegal("engine.no_such_seat", seat=seat)

    def _question(self, seat: int) -> Question:
        if seat not in self.asked:
            raise Illegal("engine.over" if self.over else "engine.not_asked")
        return self.asked[seat]

    def _find_act(self, seat: int, name: str) -> Act:
        self._check_seat(seat)
        found = [act for act in self.acts(seat) if act.name == name]
        if not found:
            raise Illegal("engine.over" if self.over else "engine.no_such_act", act=name)
        return found[0]

    def _several(self) -> set[int]:
        """The seats whose answers are, or would be, sealed just now."""
        return {seat for frame in self._frames if len(frame.questions) > 1 for seat in frame.questions}

    def _waiting(self) -> list[int]:
        return [seq for frame in self._frames for seq in frame.waiting]  # nobody may count these

    def _give(self, seat: int, answer: Answer) -> None:
        frame = self._frames[-1]
        frame.sealed[seat] = answer
        frame.waiting.append(self.length)
        if len(frame.sealed) == len(frame.questions):
            self._advance(frame, {asked: frame.sealed[asked] for asked in frame.questions})
            self._settle()

    def _do(self, act: Act, seat: int, fields: tuple[Answer, ...]) -> None:
        try:
            flow = act.flow(self._game, seat, fields)
            if flow is not None:
                frame = _Frame(flow)
                self._advance(frame, None)
                if frame.ask is not None:
                    self._frames.append(frame)
        except Illegal as refusal:
            if self._digest() != self.digest:
                raise RuntimeError("an act refused after it had changed something") from refusal
            raise
        self._settle()

    def _advance(self, frame: _Frame, answers: Answers | None) -> None:
        frame.ask, frame.questions, frame.numbers, frame.sealed, frame.waiting = None, {}, {}, {}, []
        with suppress(StopIteration):
            frame.ask = next(frame.flow) if answers is None else frame.flow.send(answers)

    def _settle(self) -> None:
        """Go on to the next question or to the end."""
        for _ in range(IDLE_SEGMENTS):
            if self.rules.over(self._game.state):
                for frame in reversed(self._frames):
                    frame.flow.close()
                self._frames, self.over = [], True
                return
            frame = self._frames[-1]
            if frame.ask is not None:
                self._put(frame, frame.ask)
                return
            self._frames.pop()
            if self._frames:  # the question below an act that asked is put anew
                below = self._frames[-1]
                below.numbers = dict.fromkeys(below.numbers, max(self.length, self.floor))
            else:
                self._start_segment(self._game.state)
        raise RuntimeError("the game goes on without asking anybody anything")

    def _start_segment(self, state: Any) -> None:
        """Store the checkpoint and go on from what was stored, never from the live object."""
        checkpoint = Checkpoint(self.version, self._chance.epoch, self._chance.n, encode(state))
        self._store(self.length, checkpoint)
        self._enter(self.length, checkpoint)

    def _store(self, seq: int, checkpoint: Checkpoint) -> None:
        self.checkpoints[seq] = self._new[seq] = zlib.compress(encode(checkpoint), 1)

    def _read(self, stored: bytes) -> Checkpoint:
        """A stored checkpoint, brought to the present rules version."""
        checkpoint = _decode_checkpoint(zlib.decompress(stored))
        if checkpoint.version == self.rules.version:
            return checkpoint
        if checkpoint.version > self.rules.version:
            raise Damaged("checkpoint", f"it is of the later rules version {checkpoint.version}")
        state = msgspec.msgpack.decode(checkpoint.state)
        for version in range(checkpoint.version, self.rules.version):
            state = self.rules.upgraders[version](state)
        fresh = encode(msgspec.convert(state, self.rules.state))
        return msgspec.structs.replace(checkpoint, version=self.rules.version, state=fresh)

    def _enter(self, base: int, checkpoint: Checkpoint) -> None:
        self.base, self.tail, self.over = base, [], False
        self._game.state = self._decode(checkpoint.state)
        frame = _Frame(self.rules.segment(self._game))
        self._frames = [frame]
        self._advance(frame, None)

    def _put(self, frame: _Frame, ask: Ask) -> None:
        """List the questions of the flow's ask; a question that stands unchanged keeps its number."""
        if not ask.seats:
            raise ValueError("nobody is asked")
        with self._chance.locked():
            for seat in ask.seats:
                question = ask.build(seat)
                if frame.questions.get(seat) == question:
                    continue
                if problem := question.problem():
                    raise ValueError(problem)
                frame.questions[seat] = question
                frame.numbers[seat] = max(self.length, self.floor)
                frame.sealed.pop(seat, None)

    def _digest(self) -> bytes:
        return digest_of(encode(self._game.state), self._chance.n, self._digest_key)

    def _record(self, seat: int | None, what: AnyWhat) -> Change:
        digest, draws, events = self._digest(), tuple(self._chance.draws), tuple(self._game.events)
        record = Record(self.length, seat, what, draws, self._owners(bool(draws), events), digest, self.head)
        self.head, self.digest = chain(record), digest
        self.length += 1
        self.log.append(record)
        if not isinstance(what, Undone):
            self.redoable = ()
        if record.counts and self.base != record.seq:
            self.tail.append(record)
        change = Change((record,), tuple(self._new.items()), events)
        self._forget_step()
        return change

    def _owners(self, drawn: bool, events: Sequence[Event]) -> tuple[int, ...]:
        """Who must consent before this is taken back (law 5): who saw it, whose secret it was; if nobody's, everyone."""
        owners = {seat for event in events for seat in (*(event.audience or ()), event.owner) if seat is not None}
        if drawn or any(event.audience is not None and event.owner is None for event in events):
            owners |= set(self.rules.playing(self._game.state))
        return tuple(sorted(owners))

    def _forget_step(self) -> None:
        self._chance.draws, self._game.events, self._game.draws_told, self._new = [], [], 0, {}

    def _replay(self, base: int, tail: Sequence[Record]) -> None:
        """Stand where checkpoint `base` and the records after it lead; nothing is recorded or told."""
        checkpoint, length = self._read(self.checkpoints[base]), self.length
        self._chance.epoch, self._chance.n, self.length = checkpoint.epoch, checkpoint.n, base
        try:
            self._enter(base, checkpoint)
            self._settle()
            for record in tail:
                self.length = record.seq
                self._apply(record)
        finally:
            self.length, self._chance.epoch = length, self.epoch
            self._forget_step()

    def _apply(self, record: Record) -> None:
        """Repeat a recorded step."""
        self._chance.draws = []
        if record.draws:
            self._chance.epoch, self._chance.n = record.draws[0].epoch, record.draws[0].n
        if isinstance(record.what, Answered) and record.seat is not None:
            self._give(record.seat, self._question(record.seat).check(record.what.answer))
        elif isinstance(record.what, Acted) and record.seat is not None:
            self._do(self._find_act(record.seat, record.what.name), record.seat, record.what.fields)
        if tuple(self._chance.draws) != record.draws:
            raise Damaged(f"record {record.seq}", "it leads to other draws")
        if self.base != record.seq:
            self.tail.append(record)


class Line:
    """A seat's line in the making, played on a `copy`. The table itself changes only by `submit`, all or nothing. An
    answer that draws chance, shows something hidden, or waits for another seat ends the line."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.answers: list[Answer] = []
        self.copy = table.copy()
        self._ended = False

    @property
    def question(self) -> Question | None:
        """What the seat would be asked next; None when the line has ended."""
        return None if self._ended else self.copy.asked.get(self.seat)

    def answer(self, answer: Answer) -> Sequence[Event]:
        """Add an answer; what it tells. Illegal when the line has ended before it, or the answer does not fit."""
        if self.question is None and self.answers:
            raise Illegal("engine.line")
        sealed, change = len(self.copy.asked) > 1, Change()
        with suppress(Broken):  # the table meets and records the failure when the line is submitted
            change = self.copy.answer(self.seat, answer)
        self.answers.append(answer)
        shown = any(record.draws or set(record.owners) - {self.seat} for record in change.records)
        ended = sealed or shown or any(event.audience is not None for event in change.events)
        self._ended = ended or not change.records  # nothing is recorded where a rule failed
        return change.events

    def submit(self) -> Change:
        """Play it at the table."""
        return self.table.play(self.seat, self.answers)
