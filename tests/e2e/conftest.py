"""One sandbox and one bot for all tests of a module (`here`), or for one test (`sandbox`, `bot`)."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot import TableBot
from cogs import compose
from sandbox.client import SandboxClient
from sandbox.server import Sandbox

from .sending import SPEED, Table, bot_on, open_table
from .world import WAIT, Game, World, world


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """The world; a module's `PLAY` changes its pace, `PEOPLE` how many there are."""
    given = {"people": getattr(request.module, "PEOPLE", 6), **getattr(request.module, "PLAY", {})}
    async with world(tmp_path_factory.mktemp("world"), **given) as made:
        seed(made, request)
        yield made


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Messages wait for their pictures, however slow the machine is: what stands in for late ones has tests of its own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compose, "PATIENCE", WAIT)
        patched.setattr(compose, "STORY_PATIENCE", WAIT)
        yield


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


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(speed=SPEED) as running:
        yield running


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[SandboxClient]:
    async with SandboxClient(sandbox.url) as connected:
        yield connected


@pytest.fixture
async def bot(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[TableBot]:
    async with bot_on(sandbox, tmp_path) as running:
        yield running


@pytest.fixture
async def table(client: SandboxClient, bot: TableBot) -> Table:
    made = await open_table(client, bot)
    await made.sent()
    return made
