"""`python -m sandbox play GAME`: one whole game through Discord interactions, with the real bot."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from typing import Any

from .driver import GameDriver
from .processes import Stalled, running


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's options."""
    parser.add_argument("game", help="the game's key, such as struggle_for_the_throne")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7, help="of the people's choices; the bot's chance is its own")
    parser.add_argument("--by", choices=("buttons", "slash"), default="buttons")
    parser.add_argument("--speed", type=float, default=1000.0, help="how much faster than Discord limits pass")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an optional rule")
    parser.add_argument("--keep-log", metavar="FILE", help="where to put the bot's log")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Play, print the figures; 0 when the game was finished without any error."""
    figures = asyncio.run(play(args))
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:14} {value}")
    good = figures["finished"] and not figures["rejected"] and not figures["errors"]
    return 0 if good else 1


async def play(args: argparse.Namespace) -> dict[str, Any]:
    """One game, from an empty database to its last message."""
    begun = time.monotonic()
    async with running(speed=args.speed, people=max(6, args.seats)) as (client, bot):
        people = (await client.people())[: args.seats]
        driver = GameDriver(client, people, random.Random(args.seed), args.by)
        errors: list[str] = []
        try:
            await driver.create(args.game, options=dict(option.partition("=")[::2] for option in args.option))
            await driver.run()
        except Stalled as stalled:
            errors.append(str(stalled))
        stats = await client.stats()
        errors += driver.errors
        if args.keep_log:
            with open(args.keep_log, "wb") as file:  # noqa: ASYNC230
                file.write(bot.log.read_bytes())
        errors += [
            line for line in bot.log.read_text(errors="replace").splitlines() if "ERROR" in line or "Traceback" in line
        ]
    return {
        "finished": driver.finished,
        "decisions": driver.decisions,
        "interactions": driver.interactions,
        "ack_p50_ms": percentile(driver.ack_ms, 50),
        "ack_p99_ms": percentile(driver.ack_ms, 99),
        "messages": stats["messages"],
        "images": stats["images"],
        "rejected": stats["rejected"],
        "errors": errors,
        "seconds": round(time.monotonic() - begun, 2),
    }


def percentile(values: list[float], percent: int) -> float:
    """The value below which that many percent lie."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, len(ordered) * percent // 100)], 2) if ordered else 0.0


if __name__ == "__main__":
    sys.exit("python -m sandbox play")
