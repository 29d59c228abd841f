"""Draw a game that bots play: `python -m render GAME --seats 4 --seed 7 --after 120 --viewer public --out board.png`."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rules import rules_of
from rules.bots import play_out
from rules.engine.chance import Chance
from rules.engine.table import Table

from . import GAMES, Picture, painter_for

SECRET_BYTES = 32


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m render", description="Draw a game that bots play.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=int, default=100, help="draw after so many decisions, or at the end")
    parser.add_argument("--option", action="append", default=[], metavar="NAME", help="switch a rules option on")
    parser.add_argument("--bots", default="policy", help="the level of the bot players")
    parser.add_argument("--viewer", default="public", help="a seat (0 is the first), or public")
    parser.add_argument("--out", type=Path, default=Path("board.png"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--hand", action="store_true", help="the viewer's hand")
    which.add_argument("--extra", metavar="NAME", help="another picture of the game")
    which.add_argument("--battle", action="store_const", const="battle", dest="extra", help="short for --extra battle")
    return parser.parse_args(given)


def played(game: str, seats: int, seed: int, after: int, options: Sequence[str], level: str, until: str = "") -> Table:
    """The table after so many decisions; with `until`, if that is a part of views, at the first one that has it."""
    rules = rules_of(game)
    chosen = rules.options(**dict.fromkeys(options, True))
    table, _ = Table.start(rules, chosen, seats=seats, secret=seed.to_bytes(SECRET_BYTES, "big"))
    chance = Chance(b"bots %d" % seed)
    decisions = 0

    def enough(table: Table) -> bool:
        nonlocal decisions
        decisions += 1
        return decisions > after and getattr(table.view(None), until, True) is not None

    play_out(table, [level] * seats, chance, enough)
    return table


def picture_of(table: Table, game: str, viewer: int | None, hand: bool, extra: str | None) -> Picture:
    """The picture asked for. Planets that the awaited seat may choose are ringed on its board, and on the public one."""
    pictures = painter_for(game)
    view = table.view(viewer)
    names = {seat: f"Player {seat + 1}" for seat in range(table.header.seats)}
    if hand:
        return pictures.hand(view, names=names)
    if extra:
        return pictures.EXTRAS[extra](view, names=names)
    ringed = {
        option.place
        for seat, question in table.asked.items()
        if viewer == seat or not question.private
        for option in question.options
        if option.place
    }
    return pictures.board(view, names=names, ringed=ringed)


def main(given: Sequence[str] | None = None) -> int:
    """Play, draw, write the file, say what it cost."""
    args = arguments(given)
    viewer = None if args.viewer == "public" else int(args.viewer)
    table = played(args.game, args.seats, args.seed, args.after, args.option, args.bots, args.extra or "")
    start = time.perf_counter()
    picture = picture_of(table, args.game, viewer, args.hand, args.extra)
    cold = time.perf_counter() - start
    start = time.perf_counter()
    picture_of(table, args.game, viewer, args.hand, args.extra)
    warm = time.perf_counter() - start
    args.out.write_bytes(picture.png)
    print(f"{args.out}: {picture.width}x{picture.height}, {len(picture.png) / 1024:.0f} KiB", end="")
    print(f", first {cold * 1000:.0f} ms, again {warm * 1000:.0f} ms")
    print(picture.alt)
    return 0


if __name__ == "__main__":
    sys.exit(main())
