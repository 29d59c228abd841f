"""A sandbox and a real discord.py client on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import discord
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.connect import TOKEN, redirect
from sandbox.server import Sandbox

from .bot import Bot


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox() as running:
        redirect(running.url)
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
        await asyncio.wait([task, ready], timeout=10, return_when=asyncio.FIRST_COMPLETED)
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
