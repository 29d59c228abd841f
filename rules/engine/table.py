"""The table: a game as it is played, with its log, checkpoints, undo, and recovery from a failing rule."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

import msgspec

from .chance import Chance, Draw, commitment, derive, mix
from .errors import Broken, Damaged, Illegal, NeedsHistory
from .events import Event
from .flow import Act, Answers, Ask, Flow, Game
from .log import (
    FORMAT,
    Acted,
    Answered,
    AnyWhat,
    Checkpoint,
    Export,
    Faulted,
    Header,
    Marked,
    Record,
    Redone,
    SeatChanged,
    Started,
    Stood,
    Undone,
    chain,
    digest_of,
    effective,
    encode,
)
from .questions import Answer, Question
from .rules import Rules, Standing

IDLE_SEGMENTS = 10_000
"""A segment may end without asking; so many in a row are taken for an endless loop."""


class Change(msgspec.Struct, frozen=True):
    """What an accepted step did: its records, the checkpoints to keep (by record number), and what happened."""

    records: tuple[Record, ...]
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


class Plan(msgspec.Struct, frozen=True):
    """What an undo would take back: the records from `to` on, whose consent it needs, and whether chance is redrawn."""

    to: int
    records: tuple[Record, ...]
    owners: tuple[int, ...]
    redraws: bool


class _Frame:
    """A flow and what it asks now."""

    __slots__ = ("ask", "flow", "numbers", "questions", "sealed")

    def __init__(self, flow: Flow[None]) -> None:
        self.flow = flow
        self.ask: Ask | None = None
        self.questions: dict[int, Question] = {}
        self.numbers: dict[int, int] = {}
        self.sealed: Answers = {}


class Table:
    """A running game. Every step either is accepted and returns a `Change`, or raises and changes nothing."""

    def __init__(self, rules: Rules[Any, Any, Any], header: Header, chance: Chance, secret: bytes = b"") -> None:
        self.rules = rules
        self.header = header
        self.secret = secret
        self.options = msgspec.convert(header.options, rules.options)
        self.epoch = 0
        self.length = 0
        self.head = chain(header)
        self.base = 0
        self.tail: list[Record] = []
        self.floor = 0
        self.redoable: tuple[int, ...] = ()
        self.version = rules.version
        self.mark = -1
        self.standing: dict[int, tuple[str, ...]] = {}
        self.log: list[Record] = []
        self.checkpoints: dict[int, bytes] = {}
        self.over = False
        self._chance = chance
        self._digest_key = derive(chance.seed, "digest")
        self._decoder = msgspec.msgpack.Decoder(rules.state)
        self._game: Game[Any] = Game(None, chance)
        self._frames: list[_Frame] = []
        self._new: dict[int, bytes] = {}

    # ---------------------------------------------------------------- opening

    @classmethod
    def start(
        cls,
        rules: Rules[Any, Any, Any],
        options: Any = None,
        *,
        seats: int,
        secret: bytes,
        salts: Sequence[str] = (),
        wishes: Sequence[str] = (),
    ) -> tuple[Table, Change]:
        """Set up a new game and go to its first question. Illegal when the options do not allow it."""
        options = rules.options() if options is None else options
        for key, args in rules.problems(options, seats):
            raise Illegal(key, **args)
        wished = tuple(wishes) or ("",) * seats
        salted = tuple(salts) or ("",) * seats
        header = Header(
            rules.key, rules.version, seats, msgspec.to_builtins(options), commitment(secret), salted, wished
        )
        table = cls(rules, header, Chance(mix(secret, salted)), secret)
        return table, table._begin(rules.setup(table._chance, options, seats, wished))

    @classmethod
    def at(cls, rules: Rules[Any, Any, Any], state: Any, chance: Chance, options: Any = None) -> Table:
        """A table that starts at this state, for tests and for play on a copy."""
        options = rules.options() if options is None else options
        header = Header(rules.key, rules.version, 0, msgspec.to_builtins(options), "", (), ())
        table = cls(rules, header, chance)
        table._begin(state)
        return table

    def _begin(self, state: Any) -> Change:
        self._start_segment(state, 0)
        self._settle(0)
        return self._record(None, Started())

    @classmethod
    def open(
        cls,
        rules: Rules[Any, Any, Any],
        header: Header,
        secret: bytes,
        position: Position,
        checkpoint: bytes,
        tail: Sequence[Record],
    ) -> tuple[Table, Change | None]:
        """A stored game, opened from its last checkpoint and the records since.

        When its rules have changed meanwhile (law 7) the change holds the version mark to store, and the events tell.
        """
        table = cls(rules, header, Chance(mix(secret, header.salts)), secret)
        table.length, table.head, table.epoch = position.length, position.head, position.epoch
        table.base, table.floor, table.redoable = position.base, position.floor, position.redo
        table.version, table.mark, table.standing = position.version, position.mark, dict(position.standing)
        table.checkpoints[position.base] = checkpoint
        try:
            table._replay(position.base, tail)
            fits = not tail or table._digest() == tail[-1].digest
        except Exception:
            fits = False
        if fits and position.version == rules.version:
            return table, None
        return table, table._mark_version(tail, fits)

    def _mark_version(self, tail: Sequence[Record], fits: bool) -> Change:
        dropped = () if fits else tuple(tail)
        if dropped:
            if any(record.draws for record in dropped):
                self.epoch += 1
            try:
                self._replay(self.base, ())
            except Exception as error:
                raise Damaged("checkpoint", f"{type(error).__name__}: {error}") from error
        self.version, self.mark, self.floor = self.rules.version, self.length, self.length
        stored = self._store(self.base, self._checkpoint(self.base))
        for frame in self._frames:
            frame.numbers = dict.fromkeys(frame.numbers, self.floor)
        self._game.tell("rules_changed", version=self.version, dropped=len(dropped))
        numbers = tuple(record.seq for record in dropped)
        return self._record(None, Marked(self.version, self.epoch, numbers, self.base, stored))

    def position(self) -> Position:
        """What to store beside the log, so that `open` finds its way."""
        return Position(
            self.length,
            self.head,
            self.epoch,
            self.base,
            tuple(record.seq for record in self.tail),
            self.floor,
            self.redoable,
            self.version,
            self.mark,
            self.standing,
        )

    def recall(self, records: Sequence[Record], checkpoints: Mapping[int, bytes]) -> None:
        """Take the whole stored log and its checkpoints back into memory, for an undo that reaches far."""
        self.log, self.checkpoints = list(records), {**checkpoints, **self.checkpoints}

    def forget(self) -> None:
        """Drop from memory what lies before the last checkpoint."""
        self.log = []
        self.checkpoints = {self.base: self.checkpoints[self.base]}

    def copy(self) -> Table:
        """An independent table at the same point."""
        twin = Table(self.rules, self.header, copy(self._chance), self.secret)
        twin.length, twin.head, twin.epoch = self.length, self.head, self.epoch
        twin.floor, twin.version, twin.mark, twin.standing = self.floor, self.version, self.mark, dict(self.standing)
        twin.checkpoints[self.base] = self.checkpoints[self.base]
        twin._replay(self.base, self.tail)
        return twin

    # ---------------------------------------------------------------- what stands

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
        """What the seat may do outside its question, just now."""
        if self.over:
            return []
        return [act for act in self.rules.acts(self.state, seat) if act.harmless or not self.sealed]

    def view(self, seat: int | None) -> Any:
        """What this seat (None: a spectator) may know."""
        return self.rules.view(self.state, seat)

    def standings(self) -> list[Standing]:
        """How the seats stand."""
        return self.rules.standings(self.state)

    def passes(self, seat: int) -> bool:
        """Whether the seat's question answers itself: nothing to do but pass, or a standing answer covers it."""
        question = self.asked[seat]
        if len(question.options) == 1 and question.skippable:
            return True
        standing = self.standing.get(seat, ())
        return question.skippable and bool(question.windows) and all(name in standing for name in question.windows)

    # ---------------------------------------------------------------- steps

    def answer(self, seat: int, answer: Answer) -> Change:
        """The seat's answer to its live question."""
        question = self._question(seat)
        canonical = question.check(tuple(answer))
        return self._accept(seat, Answered(question.key, canonical), lambda: self._give(seat, canonical))

    def act(self, seat: int, name: str, fields: Sequence[Answer] = ()) -> Change:
        """The seat does an act."""
        act = self._find_act(seat, name)
        if len(fields) != len(act.fields):
            raise Illegal("engine.fields", least=len(act.fields), given=len(fields))
        given = tuple(field.check(tuple(value)) for field, value in zip(act.fields, fields, strict=True))
        return self._accept(seat, Acted(name, given), lambda: self._do(act, seat, given))

    def play(self, seat: int, answers: Sequence[Answer]) -> Change:
        """A line of answers that was tried on a copy before (see `Line`)."""
        change = Change(())
        for answer in answers:
            change = change.then(self.answer(seat, answer))
        return change

    def _accept(self, seat: int, what: Answered | Acted, step: Callable[[], None]) -> Change:
        before = self.base, self.tail
        try:
            step()
            return self._record(seat, what)
        except Exception as error:
            self._restore(*before)
            if isinstance(error, Illegal) and isinstance(what, Acted):
                raise
            fault = f"{type(error).__name__}: {error}"
            change = self.note_fault(seat, Faulted(what, fault))
            report = encode(
                {"header": self.header, "at": self.checkpoints[self.base], "tail": self.tail, "tried": what}
            )
            raise Broken(report, fault, change) from error

    def note_fault(self, seat: int | None, faulted: Faulted) -> Change:
        """Record that a rule failed; the table stands as it was."""
        return self._record(seat, faulted)

    def _restore(self, base: int, tail: Sequence[Record]) -> None:
        """Back to how it was before a failed step."""
        self.checkpoints = {seq: stored for seq, stored in self.checkpoints.items() if seq < self.length}
        self._replay(base, tail)

    def stand(self, seat: int, window: str, on: bool) -> Change:
        """Leave or withdraw the standing answer to pass in windows of this name."""
        names = [name for name in self.standing.get(seat, ()) if name != window]
        self.standing[seat] = tuple([*names, window] if on else names)
        return self._record(seat, Stood(window, on))

    def seat_change(self, seat: int, occupant: str) -> Change:
        """Note who sits there now: `human`, `bot` or `left`."""
        self._game.tell("seat_changed", seat=seat, occupant=occupant)
        return self._record(seat, SeatChanged(occupant))

    # ---------------------------------------------------------------- undo

    def plan_undo(self, seat: int | None, to: int | None = None) -> Plan:
        """What taking back everything from record `to` on means; by default from the seat's own last step on.

        NeedsHistory when the records reach further back than memory does.
        """
        line = self._line()
        if to is None:
            to = next((record.seq for record in reversed(line) if record.seat == seat), None)
            if to is None:
                if not self._whole:
                    raise NeedsHistory
                raise Illegal("engine.nothing_to_undo")
        if to <= self.base and not self._whole:
            raise NeedsHistory
        if to <= self.mark:
            to = self._base_before(line, to) + 1
        gone = tuple(record for record in line if record.seq >= to)
        if not gone:
            raise Illegal("engine.nothing_to_undo")
        touched = {owner for record in gone for owner in (*record.owners, record.seat)}
        owners = tuple(sorted(owner for owner in touched if owner is not None and owner != seat))
        return Plan(to, gone, owners, any(record.draws for record in gone))

    def undo(
        self, seat: int | None, to: int | None = None, consents: Sequence[int] = (), *, host: bool = False
    ) -> Change:
        """Take back everything from record `to` on. Beyond the barrier it needs the owners' consent; a host rewinds."""
        plan = self.plan_undo(seat, to)
        missing = tuple(owner for owner in plan.owners if owner not in consents)
        if missing and not host:
            raise Illegal("engine.consent", seats=missing)
        line = self._line()
        base = self._base_before(line, plan.to)
        kept = [record for record in line if base < record.seq < plan.to]
        before = self.base, self.tail, self.epoch, self.floor
        self.epoch += plan.redraws
        self.floor = self.length
        try:
            self._replay(base, kept)
        except Exception as error:
            old_base, old_tail, self.epoch, self.floor = before
            self._restore(old_base, old_tail)
            raise Illegal("engine.cannot_undo") from error
        self.redoable = () if plan.redraws or plan.owners else tuple(record.seq for record in plan.records)
        stored = self._store(base, self._checkpoint(base)) if plan.to <= self.mark else b""
        self._game.tell("undone", seat=seat, steps=len(plan.records), host=host)
        undone = Undone(plan.to, self.epoch, tuple(sorted(consents)), host, base if stored else 0, stored)
        return self._record(seat, undone)

    def redo(self, seat: int) -> Change:
        """Take the last undo back; only while nothing else was recorded and nothing was revealed or redrawn."""
        if not self.redoable:
            raise Illegal("engine.nothing_to_redo")
        by_seq = {record.seq: record for record in self.log}
        if any(seq not in by_seq for seq in self.redoable):
            raise NeedsHistory
        self.floor = self.length
        for seq in self.redoable:
            self._apply(by_seq[seq])
        new = self._new
        self._replay(self.base, self.tail)
        self._new = new
        self._game.tell("redone", seat=seat, steps=len(self.redoable))
        return self._record(seat, Redone(self.redoable))

    @property
    def _whole(self) -> bool:
        """Whether the whole log is in memory."""
        return len(self.log) == self.length

    def _line(self) -> list[Record]:
        """The records that count, as far back as memory reaches."""
        if not self._whole:
            return list(self.tail)
        return [self.log[seq] for seq in effective(self.log)]

    def _base_before(self, line: Sequence[Record], to: int) -> int:
        """The last checkpoint before record `to` that lies on the line."""
        stands = {0, self.base} | {record.seq for record in line}
        return max(seq for seq in self.checkpoints if seq < to and seq in stands)

    # ---------------------------------------------------------------- the end

    def export(self) -> bytes:
        """The finished game as one JSON file (`recall` the whole log first)."""
        if not self.over:
            raise Illegal("engine.not_over")
        if not self._whole:
            raise NeedsHistory
        result = tuple(msgspec.to_builtins(standing) for standing in self.standings())
        export = Export(FORMAT, self.header, self.secret.hex(), tuple(self.log), self.head.hex(), result)
        return msgspec.json.format(msgspec.json.encode(export), indent=1)

    # ---------------------------------------------------------------- the machinery

    def _question(self, seat: int) -> Question:
        if self.over:
            raise Illegal("engine.over")
        question = self.asked.get(seat)
        if question is None:
            raise Illegal("engine.not_asked")
        return question

    def _find_act(self, seat: int, name: str) -> Act:
        if self.over:
            raise Illegal("engine.over")
        for act in self.acts(seat):
            if act.name == name:
                return act
        raise Illegal("engine.no_such_act", act=name)

    def _give(self, seat: int, answer: Answer) -> None:
        frame = self._frames[-1]
        frame.sealed[seat] = answer
        if len(frame.sealed) == len(frame.questions):
            answers, frame.sealed = frame.sealed, {}
            self._advance(frame, answers)
            self._settle(self.length)

    def _do(self, act: Act, seat: int, fields: tuple[Answer, ...]) -> None:
        flow = act.flow(self._game, seat, fields)
        if flow is not None:
            frame = _Frame(flow)
            self._frames.append(frame)
            self._advance(frame, None)
        else:
            self._put(self._frames[-1], self.length)
        self._settle(self.length)

    def _advance(self, frame: _Frame, answers: Answers | None) -> None:
        frame.questions, frame.numbers, frame.sealed = {}, {}, {}
        try:
            frame.ask = next(frame.flow) if answers is None else frame.flow.send(answers)
        except StopIteration:
            frame.ask = None

    def _settle(self, seq: int) -> None:
        """Go on to the next question or to the end."""
        for _ in range(IDLE_SEGMENTS):
            if self.rules.over(self._game.state):
                for frame in reversed(self._frames):
                    frame.flow.close()
                self._frames, self.over = [], True
                return
            frame = self._frames[-1]
            if frame.ask is not None:
                self._put(frame, seq)
                return
            self._frames.pop()
            if not self._frames:
                self._start_segment(self._game.state, seq)
        raise RuntimeError("the game goes on without asking anybody anything")

    def _start_segment(self, state: Any, seq: int) -> None:
        """Store the checkpoint and go on from what was stored, never from the live object."""
        checkpoint = Checkpoint(self.version, self._chance.epoch, self._chance.n, encode(state))
        self._store(seq, checkpoint)
        self.base, self.tail = seq, []
        self._enter(checkpoint.state)

    def _store(self, seq: int, checkpoint: Checkpoint) -> bytes:
        stored = zlib.compress(encode(checkpoint), 1)
        self.checkpoints[seq] = self._new[seq] = stored
        return stored

    def _checkpoint(self, seq: int) -> Checkpoint:
        """A stored checkpoint, brought to the present rules version."""
        checkpoint = msgspec.msgpack.decode(zlib.decompress(self.checkpoints[seq]), type=Checkpoint)
        if checkpoint.version == self.rules.version:
            return checkpoint
        state = msgspec.msgpack.decode(checkpoint.state)
        for version in range(checkpoint.version, self.rules.version):
            state = self.rules.upgraders[version](state)
        fresh = encode(msgspec.convert(state, self.rules.state))
        return msgspec.structs.replace(checkpoint, version=self.rules.version, state=fresh)

    def _enter(self, data: bytes) -> None:
        events = self._game.events
        self._game = Game(self._decoder.decode(data), self._chance)
        self._game.events = events
        frame = _Frame(self.rules.segment(self._game))
        self._frames = [frame]
        self._advance(frame, None)

    def _put(self, frame: _Frame, seq: int) -> None:
        """List the questions of the flow's ask; a question that stands unchanged keeps its number."""
        assert frame.ask is not None
        with self._chance.locked():
            for seat in frame.ask.seats:
                question = frame.ask.build(seat)
                problem = question.problem()
                if problem:
                    raise ValueError(problem)
                if frame.questions.get(seat) != question:
                    frame.questions[seat] = question
                    frame.numbers[seat] = max(seq, self.floor)
                    frame.sealed.pop(seat, None)

    def _digest(self) -> bytes:
        return digest_of(encode(self._game.state), self._digest_key)

    def _record(self, seat: int | None, what: AnyWhat) -> Change:
        digest = self._digest()
        events = tuple(self._game.events)
        draws = tuple(self._chance.draws)
        record = Record(self.length, seat, what, draws, self._owners(draws, events), digest, self.head)
        self.head = chain(record)
        self.length += 1
        self.log.append(record)
        if not isinstance(what, Undone):
            self.redoable = ()
        if record.counts and self.base != record.seq:
            self.tail.append(record)
        change = Change((record,), tuple(self._new.items()), events)
        self._game.events, self._chance.draws, self._new = [], [], {}
        self._game._draws_told = 0
        return change

    def _owners(self, draws: Sequence[Draw], events: Sequence[Event]) -> tuple[int, ...]:
        owners = {seat for event in events if event.audience is not None for seat in event.audience}
        owners |= {event.owner for event in events if event.owner is not None}
        if draws:
            owners |= set(self.rules.playing(self._game.state))
        return tuple(sorted(owners))

    def _replay(self, base: int, tail: Sequence[Record]) -> None:
        """Stand where checkpoint `base` and the records after it lead; nothing is recorded or told."""
        checkpoint = self._checkpoint(base)
        chance = self._chance
        chance.epoch, chance.n = checkpoint.epoch, checkpoint.n
        self.over, self.base, self.tail = False, base, []
        self._frames = []
        self._enter(checkpoint.state)
        self._settle(base)
        for record in tail:
            self._apply(record)
        chance.epoch, chance.draws, self._game.events, self._game._draws_told = self.epoch, [], [], 0
        self._new = {}

    def _apply(self, record: Record) -> None:
        """Repeat a recorded step."""
        if record.draws:
            self._chance.epoch, self._chance.n = record.draws[0].epoch, record.draws[0].n
        length, self.length = self.length, record.seq
        try:
            if isinstance(record.what, Answered) and record.seat is not None:
                self._give(record.seat, self._question(record.seat).check(record.what.answer))
            elif isinstance(record.what, Acted) and record.seat is not None:
                self._do(self._find_act(record.seat, record.what.name), record.seat, record.what.fields)
            else:
                raise Damaged(f"record {record.seq}", "it moves nothing")
        finally:
            self.length = length
        if self.base != record.seq:
            self.tail.append(record)
