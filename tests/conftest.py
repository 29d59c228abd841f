"""How the tests are shared out among processes."""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

WORLDS = "tests/e2e/"


class ByWorld(LoadScopeScheduling):
    """The tests of a module that share a world stay together, in their order; all others go wherever there is time."""

    def _split_scope(self, nodeid: str) -> str:
        module: str = nodeid.partition("::")[0]
        return module if module.startswith(WORLDS) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByWorld:
    return ByWorld(config, log)
