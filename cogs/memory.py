"""Keeping the process small: what the C library does with the memory of pictures that were sent."""

import contextlib
import ctypes
from typing import Final

# glibc's mallopt parameters
TRIM_THRESHOLD: Final = -1
MMAP_THRESHOLD: Final = -3
ARENA_MAX: Final = -8
SMALL: Final = 128 * 1024


def keep_small() -> None:
    """Have large blocks given back to the system as soon as they are free. Does nothing where there is no glibc."""
    with contextlib.suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        # Left alone, glibc raises these with each large block freed, and the holes between pictures stay ours.
        mallopt(MMAP_THRESHOLD, SMALL)
        mallopt(TRIM_THRESHOLD, SMALL)
        mallopt(ARENA_MAX, 2)
