"""The file of a finished game, and its verification: nothing in it can be changed without being found (law 6)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from .engine.chance import WIDEST, commitment, mix, value
from .engine.errors import Damaged, Illegal, NeedsHistory, TableError

# isort: off
from .engine.log import (
    Acted, Answered, Header, Faulted, Marked, Record, Redone, SeatChanged, Started, Stood, Undone, chain,
    effective, encode,
)  # fmt: skip
from .engine.rules import Rules, Standing
from .engine.table import Change, Position, Table


FORMAT = 1


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game as one file, without names and times."""

    format: int
    header: Header
    secret: str
    records: tuple[Record, ...]
    head: str
    result: tuple[Standing, ...]


def export(table: Table) -> bytes:
    """The finished game as one JSON file (`recall` the whole log before)."""
    if not table.over:
        raise Illegal("engine.not_over")
    if len(table.log) != table.length:
        raise NeedsHistory
    result = tuple(table.standings())
    file = Export(FORMAT, table.header, table.secret.hex(), tuple(table.log), table.head.hex(), result)
    return msgspec.json.format(msgspec.json.encode(file), indent=1)


def read_export(data: bytes) -> Export:
    """The export in this file; Damaged when it is cut, garbled or of another form."""
    try:
        export = msgspec.json.decode(data, type=Export)
        encode(export)
        given, written = (msgspec.json.format(text, indent=1) for text in (data, msgspec.json.encode(export)))
    except (msgspec.MsgspecError, UnicodeDecodeError, OverflowError, RecursionError) as error:
        raise Damaged("file", str(error)) from error
    if export.format != FORMAT:
        raise Damaged("format", f"{export.format} is not {FORMAT}")
    if given != written:
        lines = zip(given.split(b"\n"), written.split(b"\n"), strict=False)
        at = next((at for at, (one, other) in enumerate(lines, 1) if one != other), 0)
        raise Damaged(f"line {at}", "it is not written as an export is")
    return export


def verify(export: Export, rules: Rules[Any, Any, Any], posted: str | None = None) -> Table:
    """Check everything and return the table as it ended; Damaged says where it does not fit.

    `posted` is the commitment that was posted before anyone joined.
    """
    table = replayed(export, rules, posted)
    if not table.over:
        raise Damaged("records", "the game has not ended")
    if encode(table.standings()) != encode(export.result):
        raise Damaged("result", "the rules lead to another")
    return table


def replayed(export: Export, rules: Rules[Any, Any, Any], posted: str | None = None) -> Table:
    """The table as the records lead to it, ended or not, everything but the result checked; see `verify`."""
    verify_without_rules(export, posted)
    if export.header.game != rules.key:
        raise Damaged("header.game", f"it is not {rules.key}")
    table = _restart(export, rules)
    for record in export.records[table.length :]:
        try:
            change = _repeat(table, record)
        except TableError as error:
            raise Damaged(f"record {record.seq}", str(error)) from error
        if change.records != (record,):
            raise Damaged(f"record {record.seq}", "the rules lead elsewhere")
    return table


def verify_without_rules(export: Export, posted: str | None = None) -> None:
    """Check the commitment, the hash chain, and every draw: its result, and that it was due."""
    try:
        secret = bytes.fromhex(export.secret)
    except ValueError as error:
        raise Damaged("secret", "it is not hexadecimal") from error
    if secret.hex() != export.secret or commitment(secret) != export.header.commitment:
        raise Damaged("secret", "it is not what was committed to")
    if posted is not None and posted.strip().lower() != export.header.commitment:
        raise Damaged("header.commitment", "it is not the one posted")
    head = chain(export.header)
    for at, record in enumerate(export.records):
        if record.seq != at:
            raise Damaged(f"record {at}", f"it is numbered {record.seq}")
        if record.prev != head:
            raise Damaged(f"record {at - 1}" if at else "header", "the next record's hash of it differs")
        head = chain(record)
    if head.hex() != export.head:
        raise Damaged(f"record {len(export.records) - 1}" if export.records else "header", "the head differs")
    _verify_draws(export, mix(secret, export.header.salts))


def _verify_draws(export: Export, seed: bytes) -> None:
    """Every draw follows from the seed, none is made twice, and only taking draws back raises the epoch (by one)."""
    epoch = 0
    seen: set[tuple[int, int]] = set()
    for record in export.records:
        if isinstance(record.what, Undone | Marked) and record.what.epoch != epoch:
            gone = _taken_back(export.records[: record.seq], record.what)
            if record.what.epoch != epoch + 1 or not (record.what.state or any(other.draws for other in gone)):
                raise Damaged(f"record {record.seq}", f"it raises the epoch from {epoch} to {record.what.epoch}")
            epoch += 1
        for draw in record.draws:
            if (draw.epoch, draw.n) in seen or draw.epoch != epoch:
                raise Damaged(f"record {record.seq}", f"draw {draw.epoch}/{draw.n} was not due")
            seen.add((draw.epoch, draw.n))
            fits = 0 < draw.range <= WIDEST and value(seed, draw.epoch, draw.n, draw.range) == draw.result
            if not fits:
                raise Damaged(f"record {record.seq}", f"draw {draw.epoch}/{draw.n} does not follow from the seed")


def _taken_back(before: tuple[Record, ...], what: Undone | Marked) -> list[Record]:
    """The records that no longer count."""
    gone = what.dropped if isinstance(what, Marked) else range(what.to, len(before))
    return [before[seq] for seq in effective(before) if seq in gone]


def _restart(export: Export, rules: Rules[Any, Any, Any]) -> Table:
    """A table at the last point that needs no older rules."""
    records, header, secret = export.records, export.header, bytes.fromhex(export.secret)
    if not records or not isinstance(records[0].what, Started):
        raise Damaged("record 0", "it does not start the game")
    marks = [record.what.version for record in records if isinstance(record.what, Marked)]
    version = marks[-1] if marks else header.version
    if version != rules.version:
        raise Damaged("version", f"played by rules version {version}, this is version {rules.version}")
    at = restarts(records)
    start = records[at].what
    if isinstance(start, Marked | Undone):
        before = records[: at + 1]
        tail = [before[seq] for seq in effective(before) if seq > start.base]
        position = Position(
            at + 1, chain(before[at]), start.epoch, start.base, (), at, (), version, at, {}, before[at].digest
        )
        table, change = Table.open(rules, header, secret, position, start.state, tail)
        if change is not None:
            raise Damaged(f"record {at}", "its state does not lead on")
        table.recall(before, {})
        return table
    try:
        options = msgspec.convert(header.options, rules.options)
        table, change = Table.start(
            rules, options, seats=header.seats, secret=secret, salts=header.salts, wishes=header.wishes
        )
    except Exception as error:
        raise Damaged("header", f"no game starts from it: {error}") from error
    if table.header != header or change.records[0] != records[0]:
        raise Damaged("record 0", "the rules lead elsewhere")
    return table


def _repeat(table: Table, record: Record) -> Change:
    what, seat = record.what, record.seat
    match what:
        case Undone():
            return table.undo(seat, what.to, what.consents, host=what.host)
        case Faulted():
            return table.note_fault(seat, what)
        case Answered() if seat is not None:
            return table.answer(seat, what.answer, away=what.away)
        case Acted() if seat is not None:
            return table.act(seat, what.name, what.fields)
        case Redone() if seat is not None:
            return table.redo(seat)
        case SeatChanged() if seat is not None:
            return table.seat_change(seat, what.occupant)
        case Stood() if seat is not None:
            return table.stand(seat, what.window, what.on)
        case _:
            raise Damaged(f"record {record.seq}", "it cannot stand here")


def restarts(records: Sequence[Record]) -> int:
    """The number of the last record that holds a state of its own (0: the start)."""
    return next((r.seq for r in reversed(records) if isinstance(r.what, Marked | Undone) and r.what.state), 0)
