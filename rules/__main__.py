"""The games on the command line: list them, let bots play them, verify a finished game's file, work out odds."""

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from . import GAMES, rules_of
from .bots import bot_player, play_out
from .engine import Chance, Damaged, Illegal, Rules, Table
from .engine.log import Faulted
from .report import read_report, reproduce
from .verify import export as write_export
from .verify import read_export, verify

LONGEST = 100_000
"""Decisions after which a game counts as unfinished."""
MOST_OUTCOMES = 2_000_000
"""Outcomes of dice worked out for exact odds before they are sampled: some seconds."""


class Wrong(Exception):
    """Something on the command line does not fit; the text says what."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    args = parser().parse_args(arguments)
    try:
        status: int = args.command(args)
    except Wrong as error:
        print(f"python -m rules: {error}", file=sys.stderr)
        return 2
    return status


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m rules", description=__doc__)
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("list", help="the games there are")
    command.set_defaults(command=list_games)
    command = commands.add_parser("play", help="let bots play whole games")
    command.set_defaults(command=play)
    command.add_argument("game", metavar="GAME")
    command.add_argument("--seats", type=int, metavar="N", help="how many play (the fewest possible by default)")
    command.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed plays the same games")
    command.add_argument("--games", type=int, default=1, metavar="N", help="how many games")
    command.add_argument("--bots", default="random", metavar="LEVEL", help="random, policy, or a level the game has")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an optional rule")
    command.add_argument("--limit", type=int, default=LONGEST, metavar="N", help="give a game up after N decisions")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument("--board", action="store_true", help="print the last board")
    command.add_argument("--export", type=Path, metavar="FILE", help="write the last finished game to a file")
    command = commands.add_parser("verify", help="check a finished game's file")
    command.set_defaults(command=verify_file)
    command.add_argument("file", type=Path, metavar="FILE", help="- for the standard input")
    command.add_argument("--commitment", metavar="HEX", help="the commitment posted before anyone joined")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command = commands.add_parser("odds", help="the odds of a battle that is fought to the end")
    command.set_defaults(command=odds)
    command.add_argument("game", metavar="GAME")
    command.add_argument(
        "--attacker", required=True, metavar="SIDE", help='such as "2 terran cruiser, 1 terran interceptor"'
    )
    command.add_argument("--defender", required=True, metavar="SIDE", help='such as "1 ancient"')
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command = commands.add_parser("report", help="try again what a report of a failed rule holds")
    command.set_defaults(command=replay_report)
    command.add_argument("file", type=Path, metavar="FILE", help="as `python -m db report` writes it")
    return top


def list_games(_: argparse.Namespace) -> int:
    """Print the games."""
    for key in GAMES:
        rules = rules_of(key)
        print(f"{key}: {rules.title}, {rules.seats[0]}-{rules.seats[-1]} seats, rules version {rules.version}")
        for field in msgspec.structs.fields(rules.options):
            print(f"    {field.name}={json.dumps(msgspec.to_builtins(field.default))}")
    return 0


def play(args: argparse.Namespace) -> int:
    """Let bots play whole games and print how it went."""
    rules = find_rules(args.game)
    seats = rules.seats[0] if args.seats is None else args.seats
    if seats not in rules.seats:
        raise Wrong(f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} players")
    options = read_options(rules, args.option)
    for key, fields in rules.problems(options, seats):
        raise Wrong(rules.words.say(key, fields) if key in rules.words else f"{key} {fields}")
    if args.games < 1 or args.limit < 1:
        raise Wrong("--games and --limit must be at least 1")
    try:
        bot_player(rules, args.bots)
    except Illegal:
        raise Wrong(
            f"no bot {args.bots!r}; there are {', '.join(dict.fromkeys(('random', 'policy', *rules.bots)))}"
        ) from None
    decisions = finished = failures = 0
    winners = [0] * seats
    tally: Counter[str] = Counter()
    begun = time.perf_counter()
    last: Table | None = None
    for n in range(args.games):
        secret = hashlib.sha256(f"{args.seed}/{n}".encode()).digest()
        try:
            table, _ = Table.start(
                rules, options, seats=seats, secret=secret, salts=[str(seat) for seat in range(seats)]
            )
            taken = play_out(table, [args.bots] * seats, Chance(secret), limit=args.limit)
        except Exception as error:
            failures += 1
            print(f"game {n + 1} failed: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        decisions += taken
        finished += table.over
        won = [standing.seat for standing in table.standings() if standing.winner] if table.over else []
        for seat in won:
            winners[seat] += 1
        if table.over:
            tally.update(rules.tally(table.state))
        last = table if table.over or last is None else last
        if not args.json:
            end = (
                f"won by {', '.join(rules.words.seat_name(seat) for seat in won) or 'nobody'}"
                if table.over
                else "unfinished"
            )
            print(f"game {n + 1}: {end}, {taken} decisions")
    seconds = time.perf_counter() - begun
    speed = round(decisions / seconds)
    if args.json:
        told = {
            "game": rules.key, "seats": seats, "games": args.games, "finished": finished, "failures": failures,
            "decisions": decisions, "seconds": round(seconds, 3), "decisions_per_second": speed, "winners": winners,
        } | ({"tally": dict(sorted(tally.items()))} if tally else {})  # fmt: skip
        print(json.dumps(told))
    else:
        print(f"{finished} of {args.games} finished, {failures} failed, {decisions} decisions, {speed} a second")
        print("wins by seat: " + ", ".join(map(str, winners)))
        for name, n in sorted(tally.items()):
            print(f"{name}: {n}")
    if args.board and last is not None:
        print(rules.board(last.view(None), rules.words))
    if args.export is not None:
        export(last, args.export)
    return 1 if failures else 0


def export(table: Table | None, path: Path) -> None:
    """Write a finished game to a file."""
    if table is None or not table.over:
        raise Wrong("no game was finished, so there is none to export")
    try:
        path.write_bytes(write_export(table))
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from error


def verify_file(args: argparse.Namespace) -> int:
    """Check a finished game's file and print what was checked, or where it fails."""
    try:
        data = sys.stdin.buffer.read() if args.file == Path("-") else args.file.read_bytes()
    except OSError as error:
        raise Wrong(f"{args.file}: {error.strerror}") from error
    try:
        finished = read_export(data)
        if finished.header.game not in GAMES:
            raise Damaged("header.game", f"there is no game {finished.header.game!r}")
        table = verify(finished, rules_of(finished.header.game), args.commitment)
    except Damaged as error:
        if args.json:
            print(json.dumps({"valid": False, "where": error.where, "why": error.args_["why"]}))
        else:
            print(f"NOT VALID at {error.where}: {error.args_['why']}", file=sys.stderr)
        return 1
    draws = sum(len(record.draws) for record in finished.records)
    if args.json:
        told = {
            "valid": True, "game": table.rules.key, "version": table.version, "seats": finished.header.seats,
            "commitment": finished.header.commitment, "records": len(finished.records), "draws": draws,
            "standings": msgspec.to_builtins(table.standings()),
        }  # fmt: skip
        print(json.dumps(told))
        return 0
    posted = "the posted commitment" if args.commitment else "its own commitment"
    print(f"{finished.header.game}, rules version {table.version}, {finished.header.seats} seats: valid")
    print(f"the secret fits {posted}")
    print(f"{len(finished.records)} records are chained without a gap; {draws} draws follow from the seed")
    print("the rules lead from the log to every digest and to the result:")
    for standing in table.standings():
        won = " (winner)" if standing.winner else ""
        print(f"    {standing.rank}. {table.rules.words.seat_name(standing.seat)}: {standing.score}{won}")
    return 0


def odds(args: argparse.Namespace) -> int:
    """Print the odds of a battle."""
    rules = find_rules(args.game)
    try:
        solver = import_module(f"{__package__}.{rules.key}.odds")
    except ModuleNotFoundError:
        raise Wrong(f"{rules.title} has no odds to work out") from None
    begun = time.perf_counter()
    try:
        found = solver.of_texts(args.attacker, args.defender, MOST_OUTCOMES)
    except Illegal as error:
        raise Wrong(rules.words.say(error.key, error.args_)) from None
    seconds = round(time.perf_counter() - begun, 3)
    if args.json:
        print(json.dumps(msgspec.to_builtins(found) | {"seconds": seconds}))
    else:
        surety = "exact" if found.exact else f"sampled, standard error {found.error:.2%}"
        print(f"attacker wins {found.attacker_wins:.4%}, defender wins {found.defender_wins:.4%} ({surety})")
    return 0


def replay_report(args: argparse.Namespace) -> int:
    """Try a failed step again: 0 when it fails as reported, 1 when it does not (any more), or otherwise."""
    try:
        report = read_report(read_file(args.file))
        replay = reproduce(report, find_rules(report.header.game))
    except Damaged as error:
        raise Wrong(f"{args.file}: {error.where}: {error.why}") from error
    fault = report.fault.what
    assert isinstance(fault, Faulted)
    print(
        f"{report.header.game}, rules version {report.version}, {report.header.seats} seats, record {report.fault.seq}"
    )
    print(f"seat {report.fault.seat}: {fault.tried}, after {len(fault.after)} answers and {len(report.tail)} records")
    print(f"reported: {fault.fault}")
    print(f"now: {replay.fault or 'accepted'}\n{replay.trace}".rstrip())
    return 0 if replay.fault == fault.fault else 1


def read_file(path: Path) -> bytes:
    """What the file holds."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from error


def find_rules(key: str) -> Rules[Any, Any, Any]:
    """The rules of the game with this key."""
    try:
        return rules_of(key)
    except KeyError:
        raise Wrong(f"no game {key!r}; there are {', '.join(GAMES)}") from None


def read_options(rules: Rules[Any, Any, Any], given: Sequence[str]) -> Any:
    """The game's options out of NAME=VALUE texts."""
    names = [field.name for field in msgspec.structs.fields(rules.options)]
    values: dict[str, str] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in names or not value:
            raise Wrong(f"no option {text!r}; give NAME=VALUE, with NAME one of {', '.join(names)}")
        values[name] = value
    try:
        return msgspec.convert(values, rules.options, strict=False)
    except msgspec.ValidationError as error:
        raise Wrong(f"option: {error}") from error


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.exit(1)
