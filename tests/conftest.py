"""Tests are the same each time, and are shared out among processes by their worlds. `GAMES` has them try other cases."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

WORLDS = "tests/e2e/"
settings.register_profile(
    "steady", derandomize="GAMES" not in os.environ, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


class ByWorld(LoadScopeScheduling):
    """The tests of a module that share a world stay together, in their order; all others go wherever there is time."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = nodeid.partition("::")[0]
        return module if module.startswith(WORLDS) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByWorld:
    return ByWorld(config, log)
