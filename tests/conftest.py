"""Tests are the same each time, and are shared out among processes by their worlds. `GAMES` has them try other cases."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

WORLDS = "tests/e2e/"
settings.register_profile(
    "steady", derandomize="GAMES" not in os.environ, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")

# Databases are flushed to the disk thousands of times, which proves nothing as long as the machine stays on.
MEMORY = Path("/dev/shm")
ROOM = 2 << 30
if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


class ByWorld(LoadScopeScheduling):
    """The tests of a module that share a world stay together, in their order; all others go wherever there is time."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = nodeid.partition("::")[0]
        return module if module.startswith(WORLDS) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByWorld:
    return ByWorld(config, log)
