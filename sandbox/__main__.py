"""`python -m sandbox serve`, and the drivers that play in it."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import signal
import sys
from collections.abc import Callable

from .server import Sandbox

PORT = 8420
# Sub-command: (module with add_arguments(parser) and run(args) -> int, what it does)
DRIVERS = {
    "play": ("sandbox.play", "let bot players play whole games"),
    "chaos": ("sandbox.chaos", "play a whole game while the bot is killed again and again"),
    "load": ("sandbox.load", "play many games at once and measure how long people wait"),
    "soak": ("sandbox.soak", "play many games of all kinds while everything goes wrong that can"),
    "memory": ("sandbox.memory", "measure the bot's memory with many running games"),
}


async def _serve(port: int, speed: float, people: int) -> None:
    async with Sandbox(port, speed=speed, people=people) as sandbox:
        print(f"sandbox: {sandbox.url}", flush=True)
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await stop.wait()


def serve(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        asyncio.run(_serve(args.port, args.speed, args.seed_people))
    except OSError as error:
        print(f"sandbox: port {args.port}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def main(argv: list[str] | None = None) -> int:
    """The command line."""
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    server = commands.add_parser("serve", help="serve the sandbox")
    server.add_argument("--port", type=int, default=PORT)
    server.add_argument("--speed", type=float, default=1.0, help="how many times as fast limits and deadlines pass")
    server.add_argument("--seed-people", type=int, default=6, metavar="N", help="how many people there are")
    runs: dict[str, Callable[[argparse.Namespace], int]] = {"serve": serve}
    for name, (module, help_text) in DRIVERS.items():
        driver = commands.add_parser(name, help=help_text)
        if argv[:1] == [name]:
            loaded = importlib.import_module(module)
            loaded.add_arguments(driver)
            runs[name] = loaded.run
    args = parser.parse_args(argv)
    return runs[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
