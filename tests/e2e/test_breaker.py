"""Discord fails for everything that is sent: answers count all the same, and everything is said in the end, once."""

from __future__ import annotations

from collections import Counter

import pytest

from cogs import breaker
from cogs.breaker import State

from .playing import step
from .world import GAMES, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(breaker, "FIRST_SECONDS", 0.5)
    monkeypatch.setattr(breaker, "LONGEST_SECONDS", 1.0)


async def said_once(game: Game) -> None:
    """Each turn has one message, in order, and the open one can be answered."""
    headers = [m.text.splitlines()[0] for m in await game.seen() if "· turn " in m.text]
    assert [n for n in Counter(headers).values() if n > 1] == []
    numbers = [int(header.rpartition(" ")[2]) for header in headers]
    assert numbers == list(range(1, game.live.turn.number + 1))
    assert (await game.turn()).buttons


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 502, "after": True}, {"drop": True}], ids=str)
async def test_discord_fails_and_comes_back(here: World, fault: dict[str, object]):
    games = [await here.game(2, key=key) for key in (*GAMES, *GAMES)]
    sent = here.bot.breaker
    opened = sent.opened
    faults = [
        await here.client.fault(method=method, path="/channels/", times=None, **fault) for method in ("POST", "PATCH")
    ]
    for _ in range(2):
        for game in games:
            await step(game)

    async def open_now() -> bool:
        return bool(sent.opened > opened)

    await until(open_now)
    lengths = [await here.store.length(game.id) for game in games]
    asked = await games[0].command(here.people[0], "table board", text=True)
    assert asked.ack
    assert asked.reply.text
    await step(games[0])
    assert await here.store.length(games[0].id) > lengths[0]
    keeper = await here.client.person("Keeper")
    told = (await keeper.command("admin status", channel="games", finish=WAIT)).reply.text
    assert "Something needs a look" in told
    assert "Discord fails" in told
    for each in faults:
        await here.client.clear_faults(each)
    for game in games:
        await until_sent(game)
        await said_once(game)
    assert sent.state is State.CLOSED
    for game in games:
        await here.tables.abandon(game.id)
        await until_sent(game)


async def until_sent(game: Game) -> None:
    async def empty() -> bool:
        return not await game.world.store.queued(game.id)

    await until(empty, 60)
