"""What whoever runs the bot sees of it, as a command and as figures; and the fields of the log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import aiohttp
import pytest
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

import bot
from cogs import logs, upkeep
from cogs.breaker import State
from cogs.config import Metrics

from .playing import step
from .world import THRONE, WORLD, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def status(here: World) -> str:
    keeper = await here.client.person("Keeper")
    return (await keeper.command("admin status", channel="games", finish=15)).reply.text


async def test_the_owner_sees_how_the_bot_is(here: World, monkeypatch: pytest.MonkeyPatch):
    logs.errors.clear()
    upkeep.lags.clear()
    game = await here.game(2)
    told = await status(here)
    assert "All is well" in told
    assert "games: 1 running, 0 waiting for players, 0 broken" in told
    assert "last backup: never" in told
    assert "No errors" in told
    await here.lobby(1, key=WORLD)
    await here.store.set_meta(upkeep.BACKUP_KEY, str(here.clock.now_ms() - 7_300_000))
    upkeep.lags.append(1.5)
    here.tables.broken[99] = "ValueError"
    monkeypatch.setattr(here.tables.pings, "unpinged", lambda: 2)
    try:
        told = await status(here)
    finally:
        del here.tables.broken[99]
        upkeep.lags.clear()
    assert "2 people have long been awaited" in told
    assert "Something needs a look" in told
    assert "games: 1 running, 1 waiting for players, 1 broken" in told
    assert "held up 1500 ms" in told
    assert "last backup: 2 h 1 min ago" in told
    assert game.id in here.tables.live


@contextmanager
def logged(form: str = "text") -> Iterator[io.StringIO]:
    """What is logged meanwhile, as the bot writes it."""
    root, hook = logging.getLogger(), sys.excepthook
    handlers, level, stream = root.handlers[:], root.level, io.StringIO()
    logs.setup("warning", form, stream=stream)
    try:
        yield stream
    finally:
        root.handlers[:], sys.excepthook = handlers, hook
        root.setLevel(level)
        logging.captureWarnings(False)


async def test_errors_are_told_without_their_markup(here: World):
    with logged():
        logging.getLogger("x").error("**something** failed")
    told = await status(here)
    assert "Something needs a look" in told
    assert r"\*\*something\*\* failed" in told
    logs.errors.clear()


async def test_nobody_else_sees_it(here: World):
    with pytest.raises(Exception, match="no command 'admin status'"):
        await here.people[0].command("admin status", channel="games", finish=15)


async def test_who_may_use_it_is_asked_at_each_use(here: World, monkeypatch):
    """Servers' administrators are offered the command; only the bot's own people get an answer."""
    config = here.bot.config
    keeper = await here.client.person("Keeper")
    here.bot.owner_id = 1
    try:
        assert await status(here) == "That is for whoever runs the bot."
        here.bot.config = replace(config, discord=replace(config.discord, owners=(int(keeper.id),)))
        assert "All is well" in await status(here)
    finally:
        here.bot.owner_id, here.bot.config = None, config


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def measured(here: World, port: int) -> AsyncIterator[None]:
    config = here.bot.config
    here.bot.config = replace(config, metrics=Metrics(port))
    task = asyncio.create_task(bot._measured(here.bot))
    await asyncio.sleep(0.05)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        here.bot.config = config


async def figures(port: int) -> dict[str, float]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
        assert answer.status == 200
        families = text_string_to_metric_families(await answer.text())
        return {
            sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
            for family in families
            for sample in family.samples
            if not sample.name.endswith("_bucket")
        }


async def test_figures(here: World):
    port = free_port()
    async with measured(here, port):
        before = await figures(port)
        game = await here.game(2, key=WORLD)
        await step(game)
        await game.says(here.people[0], "table board")
        await game.says(here.people[0], "game create", game=THRONE)
        await game.says(here.people[5], "table hand")
        after = await figures(port)
    assert after["bot_games_running"] == before["bot_games_running"] + 1
    assert after["bot_breaker_state"] == 0
    assert after["bot_memory_bytes"] > 20 << 20
    assert after["bot_database_bytes"] > 100_000
    for name in ("bot_interactions_total done", "bot_interactions_total refused", "bot_requests_total POST 200",
                 "bot_acknowledgement_seconds_count", "bot_picture_seconds_count", f"bot_steps_total {WORLD}",
                 "bot_interaction_age_seconds_count", "bot_request_seconds_count"):  # fmt: skip
        assert after[name] > before.get(name, 0), name
    people = {person.id for person in here.people}
    assert not [name for name in after if any(person in name for person in people)]


async def test_figures_are_for_this_machine_only(here: World, caplog):
    port = free_port()
    async with measured(here, port):
        with socket.socket() as probe:
            probe.settimeout(1)
            assert probe.connect_ex(("127.0.0.2", port)) != 0
        async with measured(here, port):
            assert f"cannot be offered at port {port}" in caplog.text
        assert await figures(port)


async def test_without_a_port_nothing_listens(here: World):
    assert here.bot.config.metrics.port == 0
    async with measured(here, 0):
        assert here.bot.breaker.state is State.CLOSED


async def test_lines_of_the_log_know_their_game_and_interaction(here: World, monkeypatch):
    with logged("json") as stream:
        game = await here.game(2)

        async def fail(*args: object, **more: object) -> None:
            raise RuntimeError("no board")

        monkeypatch.setattr(here.tables.composer, "board", fail)
        done = await game.command(here.people[0], "table board")
        assert "something went wrong" in done.reply.text
        monkeypatch.setattr(here.tables.composer, "message", fail)
        await here.tables.sender.refresh(game.live)
        await until(lambda: _said(stream, "a message could not be made"))
        monkeypatch.undo()
        await game.settled()
    logs.errors.clear()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    (failed,) = [line for line in lines if line["message"] == "an interaction failed"]
    assert failed["game"] == game.id
    assert failed["interaction"] == int(done.interaction_id)
    sent = [line for line in lines if line["message"] == "a message could not be made"]
    assert {line["game"] for line in sent} == {game.id}
    assert all(line["slot"].startswith("turn") for line in sent)


async def _said(stream: io.StringIO, text: str) -> bool:
    return text in stream.getvalue()
