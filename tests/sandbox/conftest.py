"""A sandbox and a real discord.py client on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import discord
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.connect import TOKEN, redirect
from sandbox.server import Sandbox
from sandbox.world import Interaction

from .bot import Bot

WAIT = 60.0
"""Seconds that a slow machine may take for anything."""


async def until(true: Callable[[], Any]) -> None:
    """Wait for something that has no event of its own."""
    async with asyncio.timeout(WAIT):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def begun(sandbox: Sandbox) -> Interaction:
    """The first interaction, as soon as there is one."""
    await until(lambda: sandbox.core.world.interactions)
    return next(iter(sandbox.core.world.interactions.values()))


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as running:
        redirect(running.url)
        running.core.ack_seconds = WAIT
        yield running


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[SandboxClient]:
    async with SandboxClient(sandbox.url) as connected:
        yield connected


@contextlib.asynccontextmanager
async def running(bot: discord.Client, sandbox: Sandbox) -> AsyncIterator[None]:
    """Run a client until the block ends."""
    async with bot:
        task = asyncio.create_task(bot.start(TOKEN))
        ready = asyncio.create_task(bot.wait_until_ready())
        await asyncio.wait([task, ready], timeout=WAIT, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            ready.cancel()
            await task
        yield
        await bot.close()
        await task


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[Bot]:
    made = Bot()
    async with running(made, sandbox):
        yield made


@pytest.fixture
async def north(client: SandboxClient) -> Person:
    return (await client.people())[0]


@pytest.fixture
async def east(client: SandboxClient) -> Person:
    return (await client.people())[1]
