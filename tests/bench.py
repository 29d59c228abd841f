"""The figures, as one table: `make bench`. Times are also given as ratios to a yardstick run beside each of them.

The yardstick is a fixed piece of plain Python work, so a ratio can be compared between machines and days.
"""

import hashlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from render import painter_for
from rules import GAMES, rules_of
from rules.bots import play_out
from rules.engine import Chance, Table, encode

LATE = 150
Row = tuple[str, str, str, str]


def yardstick() -> float:
    """Seconds for the fixed work."""
    begun = time.perf_counter()
    counts: dict[int, int] = {}
    digest = b""
    for n in range(20_000):
        counts[n * 7919 % 101] = counts.get(n % 101, 0) + 1
        digest = hashlib.sha256(digest).digest()
    return time.perf_counter() - begun


def timed(work: Callable[[], Any], times: int) -> tuple[float, float]:
    """The median seconds of the work, and of the yardstick run beside it in turn."""
    works, sticks = [], []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        works.append(time.perf_counter() - begun)
        sticks.append(yardstick())
    return statistics.median(works), statistics.median(sticks)


def secret(n: int) -> bytes:
    """A secret for game number `n`."""
    return hashlib.sha256(str(n).encode()).digest()


def random_play(key: str) -> Row:
    """Decisions a second of random play, with checkpoints, digest and log."""
    rules, decisions = rules_of(key), 0

    def games() -> None:
        nonlocal decisions
        decisions = 0
        for n in range(20):
            table, _ = Table.start(rules, seats=4, secret=secret(n))
            decisions += play_out(table, ["random"] * 4, Chance(secret(n)))

    seconds, stick = timed(games, 5)
    return (
        f"{key}: random play",
        f"{decisions / seconds:,.0f} decisions/s",
        "≥ 5,000",
        ratio(seconds / decisions, stick),
    )


def opening(key: str) -> Row:
    """Opening a stored late game from its checkpoint and the records since."""
    rules = rules_of(key)
    table, _ = Table.start(rules, seats=4, secret=secret(7))
    play_out(table, ["policy"] * 4, Chance(secret(8)), lambda t: t.length >= LATE)
    position, stored, tail = table.position(), table.checkpoints[table.base], list(table.tail)
    seconds, stick = timed(lambda: Table.open(rules, table.header, table.secret, position, stored, tail), 50)
    return f"{key}: open a late game", f"{seconds * 1000:.2f} ms", "< 5 ms", ratio(seconds, stick)


def picture(key: str) -> Row:
    """The board, drawn warm."""
    rules = rules_of(key)
    table, _ = Table.start(rules, seats=4, secret=secret(7))
    play_out(table, ["policy"] * 4, Chance(secret(8)), lambda t: t.length >= LATE)
    view, names = table.view(None), {seat: f"Player {seat + 1}" for seat in range(4)}
    drawn = painter_for(key).board(view, names=names)
    seconds, stick = timed(lambda: painter_for(key).board(view, names=names), 20)
    size = len(drawn.png) / 1024
    return f"{key}: board warm", f"{seconds * 1000:.1f} ms, {size:.0f} KiB", "< 40 ms, 250 KiB", ratio(seconds, stick)


def picture_cold(key: str) -> Row:
    """The board in a new process, imports and all."""
    view = f"""
import hashlib, sys
from rules import rules_of
from rules.engine import Table
table, _ = Table.start(rules_of({key!r}), seats=4, secret=bytes(32))
from render import painter_for
painter_for({key!r}).board(table.view(None), names={{}})
"""
    seconds, stick = timed(lambda: subprocess.run([sys.executable, "-c", view], check=True), 3)
    return f"{key}: board in a new process", f"{seconds * 1000:.0f} ms", "< 500 ms", ratio(seconds, stick)


def stored_size(key: str) -> Row:
    """What a whole game takes in the store."""
    rules = rules_of(key)
    table, _ = Table.start(rules, seats=4, secret=secret(7))
    play_out(table, ["policy"] * 4, Chance(secret(8)))
    size = sum(map(len, table.checkpoints.values())) + sum(len(encode(record)) for record in table.log)
    return f"{key}: log and checkpoints", f"{size / 1024:.0f} KiB, {table.length} records", "", ""


def sandbox(*arguments: str) -> dict[str, Any]:
    """The figures of a sandbox command."""
    done = subprocess.run([sys.executable, "-m", "sandbox", *arguments, "--json"], stdout=subprocess.PIPE, check=False)
    figures: dict[str, Any] = json.loads(done.stdout or b"{}")
    return figures


def whole_game(key: str) -> list[Row]:
    """One whole game through the real bot, by buttons."""
    got = sandbox("play", key, "--seats", "4", "--seed", "7", "--by", "buttons")
    stick = yardstick()
    name = f"{key}: sandbox game by buttons"
    return [
        (name, f"{got['seconds']} s, {got['decisions']} decisions", "< 30 s", ratio(got["seconds"], stick)),
        (f"{name}, ack", f"p50 {got['ack_p50_ms']} ms, p99 {got['ack_p99_ms']} ms", "", ""),
        (f"{name}, rejected and errors", f"{got['rejected']}, {len(got['errors'])}", "0, 0", ""),
    ]


GOALS = {"ack_p99_ms": "< 250", "picture_p95_ms": "< 1000", "errors": "[]", "rejected": "0"}


def load() -> list[Row]:
    """Fifty games at once."""
    got = sandbox("load", "--games", "50", "--presses-per-second", "20", "--seconds", "20")
    return [
        (f"50 games, 20 presses a second: {name}", str(value), GOALS.get(name, ""), "") for name, value in got.items()
    ]


def memory() -> Row:
    """The bot with two hundred running games."""
    got = sandbox("memory", "--games", "200")
    return "200 running games", str(got), "< 300 MiB", ""


def ratio(seconds: float, stick: float) -> str:
    """A time in yardsticks."""
    return f"{seconds / stick:.3g}"


def main() -> None:
    """Measure and print."""
    rows: list[Row] = [("figure", "measured", "goal", "yardsticks")]
    for key in GAMES:
        rows += [random_play(key), opening(key), picture(key), picture_cold(key), stored_size(key)]
        rows += whole_game(key)
    rows += [*load(), memory()]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
