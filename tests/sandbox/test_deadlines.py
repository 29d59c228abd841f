"""Three seconds for a first answer, fifteen minutes for a token, and double answers."""

from __future__ import annotations

import asyncio

import discord
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.server import Sandbox

from .bot import Bot
from .conftest import WAIT, begun


@pytest.fixture
def strict(sandbox: Sandbox) -> Sandbox:
    """As Discord is."""
    sandbox.core.ack_seconds = 3.0
    return sandbox


async def test_no_answer(strict: Sandbox, bot: Bot, client: SandboxClient, north: Person) -> None:
    shown = (await north.command("game board")).reply
    strict.core.world.interactions.clear()
    pressing = asyncio.create_task(north.press(shown.id, "act:mute:7"))
    await begun(strict)
    await client.advance(4)
    out = await pressing
    assert (out.ack, out.kind, out.error) == (False, None, "The application did not respond")
    assert (await client.stats())["unanswered"] == 1


async def test_late_answer_is_unknown(strict: Sandbox, bot: Bot, client: SandboxClient, north: Person) -> None:
    running = asyncio.create_task(north.command("game late", seconds=WAIT))
    await begun(strict)
    await client.advance(3)
    bot.go_on.set()
    assert await bot.results.get() == "404 10062"
    assert not (await running).ack


async def test_answer_in_time(bot: Bot, north: Person) -> None:
    assert (await north.command("game late", seconds=0.1)).ack
    assert await bot.results.get() == "ok"


async def test_second_answer(sandbox: Sandbox, bot: Bot, north: Person) -> None:
    await north.command("game create", title="x")
    made = next(iter(sandbox.core.world.interactions.values()))
    route = discord.http.Route("POST", f"/interactions/{made.id}/{made.token}/callback")
    with pytest.raises(discord.HTTPException) as caught:
        await bot.http.request(route, json={"type": 5})
    assert (caught.value.status, caught.value.code) == (400, 40060)


@pytest.mark.parametrize("kind", [1, 6, 7, 8])
async def test_answers_of_the_wrong_kind(sandbox: Sandbox, bot: Bot, north: Person, kind: int) -> None:
    running = asyncio.create_task(north.command("game late", seconds=WAIT))
    made = await begun(sandbox)
    route = discord.http.Route("POST", f"/interactions/{made.id}/{made.token}/callback")
    with pytest.raises(discord.HTTPException) as caught:
        await bot.http.request(route, json={"type": kind, "data": {"choices": []} if kind == 8 else {}})
    assert caught.value.code == 50035
    bot.go_on.set()
    assert (await running).ack, "a refused body must not use up the answer"


async def test_choices_have_the_options_type(strict: Sandbox, bot: Bot, client: SandboxClient, north: Person) -> None:
    assert [c.value for c in (await north.autocomplete("game number", {"n": "1"}, "n")).choices] == [5]
    strict.core.world.interactions.clear()
    typing = asyncio.create_task(north.autocomplete("game number", {"n": "bad"}, "n"))
    await begun(strict)
    await client.advance(4)
    assert not (await typing).ack
    assert (await client.stats())["rejected"] == 1


async def test_token_ends(sandbox: Sandbox, bot: Bot, client: SandboxClient, north: Person) -> None:
    await north.command("game create", title="x")
    made = next(iter(sandbox.core.world.interactions.values()))
    route = discord.http.Route("POST", f"/webhooks/{bot.application_id}/{made.token}")
    await client.advance(890)
    await bot.http.request(route, json={"content": "still"})
    await client.advance(20)
    with pytest.raises(discord.HTTPException) as caught:
        await bot.http.request(route, json={"content": "no more"})
    assert (caught.value.status, caught.value.code) == (401, 50027)


async def test_first_followup_takes_the_deferrals_place(
    sandbox: Sandbox, bot: Bot, client: SandboxClient, north: Person
) -> None:
    out = await north.command("game invite", who="East", finish=WAIT)
    assert out.kind == "defer"
    assert out.message is not None
    assert out.message.text.startswith("sent to")
    assert out.message.ephemeral, "the flag of the deferral counts, not the follow-up's"
    assert out.followups == ()


async def test_webhook_before_any_answer(sandbox: Sandbox, bot: Bot, north: Person) -> None:
    running = asyncio.create_task(north.command("game late", seconds=WAIT))
    made = await begun(sandbox)
    route = discord.http.Route("POST", f"/webhooks/{bot.application_id}/{made.token}")
    with pytest.raises(discord.NotFound) as caught:
        await bot.http.request(route, json={"content": "early"})
    assert caught.value.code == 10015
    bot.go_on.set()
    await running
