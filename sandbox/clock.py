"""The sandbox's clock: real time, sped up, or moved forward by hand."""

from __future__ import annotations

import time


class Clock:
    """Seconds since the Unix epoch as the limits see them.

    `now` runs `speed` times as fast as the wall clock; `steady` runs at its pace, for what depends on how quickly the
    bot works rather than on how long people wait (the 3 seconds for a first answer). `advance` moves both.
    """

    def __init__(self, speed: float = 1.0) -> None:
        if speed <= 0:
            raise ValueError("speed must be positive")
        self.speed = speed
        self._start = time.time()
        self._zero = time.monotonic()
        self._skipped = 0.0

    def steady(self) -> float:
        """The unscaled clock."""
        return self._start + time.monotonic() - self._zero + self._skipped

    def now(self) -> float:
        """The scaled clock."""
        return self._start + (time.monotonic() - self._zero) * self.speed + self._skipped

    def advance(self, seconds: float) -> None:
        """Let that many seconds pass at once."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self._skipped += seconds

    def real(self, seconds: float) -> float:
        """How long a waiting client really has to wait for that many seconds to pass."""
        return seconds / self.speed

    def at_least(self, seconds: float, real: float) -> float:
        """A span of this clock that never lasts less than `real` seconds of work at high speed."""
        return max(seconds, real * self.speed)
