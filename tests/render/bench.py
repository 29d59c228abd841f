"""The figures of the pictures: `python -m tests.render.bench`."""

import asyncio
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping

from render import eclipse
from render.struggle_for_the_throne import battle, board, hand
from render.worker import Painter
from rules.struggle_for_the_throne.views import GroupView, View

from . import eclipse_samples
from .samples import CARDS, FULL, NAMES, crowd, fight, make

COLD = """
import time; start = time.perf_counter()
from tests.render.samples import NAMES, make
from render.struggle_for_the_throne import board
ready = time.perf_counter()
board(make(6), names=NAMES)
print(f"{(time.perf_counter() - start) * 1000:.0f} ms in all, {(time.perf_counter() - ready) * 1000:.0f} ms drawing")
"""

COLD_GALAXY = """
import pickle, sys, time; start = time.perf_counter()
from render.eclipse import board
ready = time.perf_counter()
board(pickle.load(sys.stdin.buffer), names={})
print(f"{(time.perf_counter() - start) * 1000:.0f} ms in all, {(time.perf_counter() - ready) * 1000:.0f} ms drawing")
"""


def boards() -> dict[str, View]:
    """Views from easy to hard."""
    return {
        "board, 2 players": make(2),
        "board, 6 players": make(6),
        "board, 6 players on one planet": make(6, [*make(6).groups, *crowd(6), GroupView("C.1", 0, dict(FULL))]),
        "board, 12 players": make(12, [*make(12).groups[1:], *crowd(12)]),
    }


def eclipses() -> dict[str, tuple[object, object]]:
    """Pictures of Eclipse with their views, from easy to hard."""
    late, own = eclipse_samples.midgame(6, 70), eclipse_samples.midgame(viewer=1)
    return {
        "galaxy, 2 players": (eclipse.board, eclipse_samples.midgame(2, 12)),
        "galaxy, 6 players, late": (eclipse.board, late),
        "galaxy with a battle": (eclipse.board, eclipse_samples.fighting()),
        "player's board": (eclipse.hand, own),
        "supply board": (eclipse.supply, own),
        "battle": (eclipse.battle, eclipse_samples.fighting()),
    }


def timed(draw: object, view: object, rounds: int = 20, names: Mapping[int, str] = NAMES) -> str:
    """How long a warm picture takes, and how large it is."""
    assert callable(draw)
    picture, times = draw(view, names=names), []
    for _ in range(rounds):
        start = time.perf_counter()
        picture = draw(view, names=names)
        times.append((time.perf_counter() - start) * 1000)
    size = f"{picture.width}x{picture.height}, {len(picture.png) / 1024:.0f} KiB"
    return f"{statistics.median(times):5.1f} ms (worst {max(times):.1f}), {size}"


async def lag(pictures: int = 60) -> float:
    """The longest time in ms that the event loop was held up while pictures were drawn."""
    painter = Painter()
    view = boards()["board, 6 players on one planet"]
    await painter.board("struggle_for_the_throne", view, names=NAMES)
    jobs = asyncio.gather(
        *(painter.board("struggle_for_the_throne", view, names=NAMES, title=str(n)) for n in range(pictures))
    )
    worst = 0.0
    while not jobs.done():
        start = time.perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, time.perf_counter() - start - 0.001)
    await jobs
    painter.close()
    return worst * 1000


def main() -> None:
    """Print the figures."""
    cold = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, check=True)
    print(f"{'board, new process':32}", cold.stdout.strip())
    for name, view in boards().items():
        print(f"{name:32}", timed(board, view))
    print(f"{'hand of 5':32}", timed(hand, make(4, viewer=1, hand=CARDS)))
    print(f"{'battle of 5':32}", timed(battle, make(4, battle=fight())))
    late = pickle.dumps(eclipse_samples.midgame(6, 70))
    cold = subprocess.run([sys.executable, "-c", COLD_GALAXY], input=late, capture_output=True, check=True)  # type: ignore[call-overload]
    print(f"{'Eclipse: galaxy, new process':32}", cold.stdout.decode().strip())
    for name, (draw, view) in eclipses().items():
        print(f"{'Eclipse: ' + name:32}", timed(draw, view, names=eclipse_samples.NAMES))
    print(f"{'event loop held up at most':32}", f"{asyncio.run(lag()):5.1f} ms while 60 boards are drawn")


if __name__ == "__main__":
    main()
