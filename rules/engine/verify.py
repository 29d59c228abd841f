"""Verification of an exported game: nothing in it can be changed without being found (law 6)."""

from typing import Any

import msgspec

from .chance import commitment, value
from .chance import mix as mix_seed
from .errors import Damaged, TableError
from .log import (
    FORMAT,
    Acted,
    Answered,
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
    effective,
    restarts,
)
from .rules import Rules
from .table import Change, Position, Table


def read_export(data: bytes) -> Export:
    """The export in this file; Damaged when it is cut, garbled or of another form."""
    try:
        export = msgspec.json.decode(data, type=Export)
    except msgspec.MsgspecError as error:
        raise Damaged("file", str(error)) from error
    if export.format != FORMAT:
        raise Damaged("format", f"{export.format} is not {FORMAT}")
    return export


def verify(export: Export, rules: Rules[Any, Any, Any], posted: str | None = None) -> Table:
    """Check everything and return the table as it ended; Damaged says where it does not fit.

    `posted` is the commitment that was posted before anyone joined.
    """
    verify_without_rules(export, posted)
    table = _restart(export, rules)
    for record in export.records[table.length :]:
        try:
            change = _repeat(table, record)
        except TableError as error:
            raise Damaged(f"record {record.seq}", str(error)) from error
        if change.records != (record,):
            raise Damaged(f"record {record.seq}", "the rules lead elsewhere")
    if not table.over:
        raise Damaged("records", "the game has not ended")
    if tuple(msgspec.to_builtins(standing) for standing in table.standings()) != export.result:
        raise Damaged("result", "the rules lead to another")
    return table


def verify_without_rules(export: Export, posted: str | None = None) -> None:
    """Check the commitment, the hash chain and every draw."""
    secret = bytes.fromhex(export.secret)
    if commitment(secret) != export.header.commitment:
        raise Damaged("secret", "it is not what was committed to")
    if posted is not None and posted.lower() != export.header.commitment:
        raise Damaged("header.commitment", "it is not the one posted")
    head = chain(export.header)
    seed = mix_seed(secret, export.header.salts)
    seen: set[tuple[int, int]] = set()
    for at, record in enumerate(export.records):
        if record.seq != at:
            raise Damaged(f"record {at}", f"it is numbered {record.seq}")
        if record.prev != head:
            raise Damaged(f"record {at - 1}" if at else "header", "the next record's hash of it differs")
        for draw in record.draws:
            if (draw.epoch, draw.n) in seen:
                raise Damaged(f"record {at}", f"draw {draw.epoch}/{draw.n} was drawn before")
            seen.add((draw.epoch, draw.n))
            if draw.range < 1 or value(seed, draw.epoch, draw.n, draw.range) != draw.result:
                raise Damaged(f"record {at}", f"draw {draw.epoch}/{draw.n} does not follow from the seed")
        head = chain(record)
    if head.hex() != export.head:
        raise Damaged(f"record {len(export.records) - 1}" if export.records else "header", "the head differs")


def _restart(export: Export, rules: Rules[Any, Any, Any]) -> Table:
    """A table at the last point that needs no older rules."""
    at = restarts(export.records)
    if not export.records or not isinstance(export.records[0].what, Started):
        raise Damaged("record 0", "it does not start the game")
    start = export.records[at].what
    header = export.header
    version = start.version if isinstance(start, Marked) else header.version
    if version != rules.version:
        raise Damaged("version", f"played by rules version {version}, this is version {rules.version}")
    if isinstance(start, Marked | Undone):
        return _resume(export, rules, at, start)
    table, change = _start(header, bytes.fromhex(export.secret), rules)
    if change.records[0] != export.records[0]:
        raise Damaged("record 0", "the rules lead elsewhere")
    return table


def _start(header: Header, secret: bytes, rules: Rules[Any, Any, Any]) -> tuple[Table, Change]:
    try:
        options = msgspec.convert(header.options, rules.options)
        return Table.start(rules, options, seats=header.seats, secret=secret, salts=header.salts, wishes=header.wishes)
    except (TableError, msgspec.ValidationError) as error:
        raise Damaged("header", str(error)) from error


def _resume(
    export: Export,
    rules: Rules[Any, Any, Any],
    at: int,
    start: Marked | Undone,
) -> Table:
    before = export.records[: at + 1]
    tail = [before[seq] for seq in effective(before) if seq > start.base]
    position = Position(
        length=at + 1,
        head=chain(before[at]),
        epoch=start.epoch,
        base=start.base,
        tail=(),
        floor=at,
        redo=(),
        version=rules.version,
        mark=at,
        standing={},
    )
    table, change = Table.open(rules, export.header, bytes.fromhex(export.secret), position, start.state, tail)
    if change is not None:
        raise Damaged(f"record {at}", "its state does not lead on")
    table.recall(before, {})
    return table


def _repeat(table: Table, record: Record) -> Change:
    what, seat = record.what, record.seat
    match what:
        case Undone():
            return table.undo(seat, what.to, what.consents, host=what.host)
        case Faulted():
            return table.note_fault(seat, what)
        case _ if seat is None:
            raise Damaged(f"record {record.seq}", "it has no seat")
        case Answered():
            return table.answer(seat, what.answer)
        case Acted():
            return table.act(seat, what.name, what.fields)
        case Redone():
            return table.redo(seat)
        case SeatChanged():
            return table.seat_change(seat, what.occupant)
        case Stood():
            return table.stand(seat, what.window, what.on)
        case _:
            raise Damaged(f"record {record.seq}", "it cannot stand here")
