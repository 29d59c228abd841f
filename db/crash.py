"""Named places where a test may have the process killed: CRASH_AT=store.before_commit or =store.before_commit:3."""

import itertools
import os
import signal

_name, _, _count = os.environ.get("CRASH_AT", "").partition(":")
_passage = int(_count or 1)
_passages = itertools.count(1)


def _kill_at(name: str) -> None:
    """SIGKILL this process at the wanted passage of the named point."""
    if name == _name and next(_passages) == _passage:
        os.kill(os.getpid(), signal.SIGKILL)


def _pass(name: str) -> None:
    """Do nothing: no crash is wanted."""


# Chosen once, so that a point costs an empty call when nothing is to crash.
crash_point = _kill_at if _name else _pass
