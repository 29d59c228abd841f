"""One sandbox and one bot for all tests of a module."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from .world import Game, World, world


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """The world; a module's `PLAY` changes its pace, `PEOPLE` how many there are."""
    given = {"people": getattr(request.module, "PEOPLE", 6), **getattr(request.module, "PLAY", {})}
    async with world(tmp_path_factory.mktemp("world"), **given) as made:
        seed(made, request)
        yield made


def seed(here: World, request: pytest.FixtureRequest) -> None:
    here.chance.seed(f"{os.environ.get('GAMES', '')} {request.node.name}")


@pytest.fixture(autouse=True)
def games_of_its_own(request: pytest.FixtureRequest) -> None:
    """Each test plays the same games every time; `GAMES` has it play others."""
    if "here" in request.fixturenames:
        seed(request.getfixturevalue("here"), request)


@pytest_asyncio.fixture(loop_scope="module")
async def game(here: World) -> Game:
    """A running game of two."""
    return await here.game(2)
