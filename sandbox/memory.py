"""`python -m sandbox memory`: how much memory the bot takes with many running games."""

from __future__ import annotations

import argparse
import asyncio
import time
from typing import Any

from .load import rss_mib, seat_all, show
from .processes import QUICK, running

LIMIT_MIB = 300.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line's options."""
    parser.add_argument("--game", default="struggle_for_the_throne", metavar="KEY")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Start the games, print the figures; 0 when the bot stays within its memory."""
    figures = asyncio.run(memory(args))
    show(figures, as_json=args.json)
    return 0 if figures["rss_mib"] < LIMIT_MIB and figures["rss_restarted_mib"] < LIMIT_MIB else 1


async def memory(args: argparse.Namespace) -> dict[str, Any]:
    """That many games, each of one person against three bot players, stopped where the person is asked."""
    begun = time.monotonic()
    async with running(speed=1000.0, people=12, config=QUICK) as (client, bot):
        people = await client.people()
        empty = rss_mib(bot)
        games = await seat_all(client, args.game, args.games, people, 1, args.seed)
        await asyncio.sleep(3)
        full = rss_mib(bot)
        await bot.stop()
        started = time.monotonic()
        await bot.start()
        await client.ready(60)
        back = time.monotonic() - started
        await asyncio.sleep(3)
        return {
            "games": len(games),
            "rss_empty_mib": empty,
            "rss_mib": full,
            "rss_restarted_mib": rss_mib(bot),
            "restart_seconds": round(back, 2),
            "seconds": round(time.monotonic() - begun, 1),
        }
