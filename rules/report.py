"""The report of a rule that failed: one file that reproduces it. It holds hands and the secret: for the operator only."""

import traceback

import msgspec

from .engine.errors import Broken, Damaged, Illegal
from .engine.log import Acted, Answered, Faulted, Header, Record
from .engine.rules import Rules
from .engine.table import Position, Table

FORMAT = 1


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it stood when the fault was recorded: where it lies in its log, its last checkpoint and the records since
    that count; and what failed. `version`: of the rules it is played by."""

    format: int
    version: int
    header: Header
    secret: bytes
    position: Position
    checkpoint: bytes
    tail: tuple[Record, ...]
    fault: Record


class Replay(msgspec.Struct, frozen=True):
    """What came of trying it again: the fault, "" when the step was accepted; and where in the rules it arose."""

    fault: str
    trace: str = ""


def write_report(table: Table, fault: Record) -> bytes:
    """The report as a JSON file; `fault` is the record of the failure, the last of the table."""
    at = table.checkpoints[table.base]
    report = Report(FORMAT, table.version, table.header, table.secret, table.position(), at, tuple(table.tail), fault)
    return msgspec.json.format(msgspec.json.encode(report), indent=1)


def read_report(data: bytes) -> Report:
    """The report in this file; Damaged when it is none."""
    try:
        report = msgspec.json.decode(data, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Damaged("file", str(error)) from error
    if report.format != FORMAT or not isinstance(report.fault.what, Faulted):
        raise Damaged("file", "it is not a report of this form")
    return report


def reproduce(report: Report, rules: Rules) -> Replay:  # type: ignore[type-arg]
    """Open the table by the present rules and try again what failed. Damaged when it does not open."""
    if rules.version != report.version:
        raise Damaged("version", f"the report is of rules version {report.version}, this is {rules.version}")
    table, _ = Table.open(rules, report.header, report.secret, report.position, report.checkpoint, report.tail)
    what, seat = report.fault.what, report.fault.seat
    assert isinstance(what, Faulted)
    assert seat is not None
    try:
        if isinstance(what.tried, Acted):
            table.act(seat, what.tried.name, what.tried.fields)
        else:
            given: tuple[Answered, ...] = (*what.after, what.tried)
            table.play(seat, [answered.answer for answered in given])
    except Broken as broken:
        return Replay(str(broken.args_["fault"]), "".join(traceback.format_exception(broken.__cause__)))
    except Illegal as illegal:
        return Replay(f"Illegal: {illegal}")
    return Replay("")
