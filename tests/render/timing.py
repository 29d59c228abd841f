"""How long drawing takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def warm_seconds(draw: Callable[[], object], times: int = 7) -> float:
    """The processor's seconds for one picture at best, once all is cached, whatever else the machine does."""
    draw()
    found = []
    for _ in range(times):
        start = time.thread_time()
        draw()
        found.append(time.thread_time() - start)
    return min(found)
