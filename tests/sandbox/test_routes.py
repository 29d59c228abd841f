"""Each REST route once, and what only odd requests reach."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from sandbox import routing
from sandbox.client import Person, SandboxClient
from sandbox.connect import TOKEN
from sandbox.server import Sandbox
from sandbox.spec import Spec

from .bot import Bot
from .test_gateway import until
from .test_rest import coded

# Served though the document leaves them out: what it names otherwise, or discord.py no longer calls.
UNDOCUMENTED = {("GET", "/gateway"), ("GET", "/users/@me/guilds")}


def test_every_route_is_discords() -> None:
    spec = Spec()
    known = {(m, p) for m, routes in routing._ROUTES.items() for _, p, _ in routes}
    assert {(m, p) for m, p in known if not spec.documents(m, p)} - UNDOCUMENTED == set()
    assert len(known) > 60


async def test_the_guild(bot: Bot, client: SandboxClient, north: Person) -> None:
    guild = await bot.fetch_guild(bot.table.id)
    assert guild.name == "The Table"
    assert [c.name for c in await guild.fetch_channels()] == ["Tables", "lobby", "games"]
    assert [r.name for r in await guild.fetch_roles()] == ["@everyone", "Board Games"]
    assert (await guild.fetch_member(int(north.id))).name == "north"
    assert [m.name for m in await bot.table.query_members("nor", limit=5)] == ["north"]
    assert [m.name for m in await bot.table.query_members(user_ids=[int(north.id)])] == ["north"]
    with coded(403, 50001):
        await bot.http.get_members(guild.id, 10, None)
    await client.settings(granted_intents=1 << 1)
    assert len(await bot.http.get_members(guild.id, 100, None)) == 8
    with coded(404, 10004):
        await bot.fetch_guild(1)
    assert (await bot.application_info()).owner.name == "keeper"
    assert [g.id async for g in bot.fetch_guilds()] == [guild.id]


async def test_channels(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    with coded(403, 50013):
        await bot.table.create_text_channel("table-1")
    await client.permit(grant=["manage_channels", "manage_roles"])
    hidden = discord.PermissionOverwrite(view_channel=False)
    channel = await bot.table.create_text_channel("table-1", overwrites={bot.table.default_role: hidden})
    assert "table-1" not in [p.name for p in await north.channels()]
    with coded(403, 50001):
        await channel.send("not even the bot")
    await client.permit(channel="table-1", grant=["view_channel"])
    await client.permit(north, channel="table-1", grant=["view_channel"])
    await channel.send("now")
    assert "table-1" in [p.name for p in await north.channels()]
    assert "table-1" not in [p.name for p in await east.channels()]
    member = await bot.table.fetch_member(int(east.id))
    await channel.set_permissions(member, view_channel=True)
    assert "table-1" in [p.name for p in await east.channels()]
    await channel.set_permissions(member, overwrite=None)
    assert "table-1" not in [p.name for p in await east.channels()]
    await channel.edit(topic="eclipse")
    assert (await bot.fetch_channel(channel.id)).topic == "eclipse"  # type: ignore[union-attr]
    await channel.delete()
    with coded(404, 10003):
        await bot.fetch_channel(channel.id)


async def test_threads_come_back_with_access(bot: Bot, client: SandboxClient) -> None:
    games = bot.place("games")
    await client.permit(channel="games", deny=["view_channel"])
    made = await client.post("thread", {"channel": "games", "name": "t", "person": "North"})
    assert bot.get_channel(int(made["id"])) is None
    await client.permit(channel="games", grant=["view_channel"])
    await until(lambda: games.get_thread(int(made["id"])))


async def test_thread_lists(bot: Bot, client: SandboxClient) -> None:
    games = bot.place("games")
    secret = await games.create_thread(name="secret")
    me = bot.user
    assert me is not None
    assert (await secret.fetch_member(me.id)).id == me.id
    with coded(404, 10071):
        await secret.fetch_member(5)
    await client.archive(str(secret.id))
    assert [t.id async for t in games.archived_threads(private=True, joined=True)] == [secret.id]
    with coded(403, 50013):
        assert [t async for t in games.archived_threads(private=True)]
    await client.permit(grant=["manage_threads"])
    assert [t.id async for t in games.archived_threads(private=True)] == [secret.id]
    await secret.edit(archived=False)
    await secret.leave()
    await secret.join()
    await secret.delete()
    assert await bot.table.active_threads() == []


async def test_locked_thread(bot: Bot, client: SandboxClient, north: Person) -> None:
    thread = await bot.place("games").create_thread(name="t", type=discord.ChannelType.public_thread)
    await client.post("thread", {"channel": str(thread.id), "locked": True})
    with coded(403, 160005):
        await thread.send("x")
    with pytest.raises(Exception, match="locked"):
        await north.send(str(thread.id), "x")


async def test_moderation(bot: Bot, client: SandboxClient, north: Person) -> None:
    games = bot.place("games")
    said = [await north.send("games", str(n)) for n in range(3)]
    await north.react(said[0].id, "👍")
    message = await games.fetch_message(int(said[0].id))
    with coded(403, 50013):
        await message.clear_reactions()
    await client.permit(grant=["manage_messages"])
    await message.remove_reaction("👍", discord.Object(int(north.id)))
    await message.clear_reactions()
    with coded(404, 10014):
        await message.remove_reaction("👍", discord.Object(int(north.id)))
    await games.delete_messages([discord.Object(int(m.id)) for m in said])
    assert await north.visible("games") == []
    async with games.typing():
        pass
    assert [e.kind for e in (await client.journal(kinds=["typing"]))[1]] == ["typing"]


async def test_interaction_messages(bot: Bot, sandbox: Sandbox, north: Person) -> None:
    await north.command("game create", title="x")
    made = next(iter(sandbox.core.world.interactions.values()))
    base = f"/webhooks/{bot.application_id}/{made.token}"

    async def ask(method: str, path: str, body: Any = None) -> Any:
        route = discord.http.Route(method, base + path)
        return await bot.http.request(route, **({"json": body} if body is not None else {}))

    assert (await ask("GET", "/messages/@original"))["content"].startswith("x for 4")
    await ask("PATCH", "/messages/@original", {"content": "y"})
    sent = await ask("POST", "", {"content": "more", "flags": 64})
    assert sent["flags"] & 64
    assert (await ask("GET", f"/messages/{sent['id']}"))["content"] == "more"
    await ask("PATCH", f"/messages/{sent['id']}", {"content": "less"})
    assert [m.text for m in await north.visible("games")] == ["y", "less"]
    with coded(404, 10008):  # not through the channel: it is ephemeral
        await bot.http.request(
            discord.http.Route("PATCH", f"/channels/{made.channel_id}/messages/{sent['id']}"), json={"content": "z"}
        )
    await ask("DELETE", f"/messages/{sent['id']}")
    await ask("DELETE", "/messages/@original")
    assert await north.visible("games") == []
    with coded(404, 10008):
        await ask("PATCH", "/messages/@original", {"content": "z"})
    with coded(404, 10008):
        await ask("GET", f"/messages/{made.id}")


async def test_odd_requests(sandbox: Sandbox, client: SandboxClient, bot: Bot, north: Person) -> None:
    games = sandbox.core.world.find_channel("games")
    headers = {"Authorization": f"Bot {TOKEN}"}
    api = sandbox.url + "/api/v10"

    async def post(path: str, **body: Any) -> tuple[int, int]:
        async with client.session.post(api + path, headers=headers, **body) as response:
            assert response.headers["Content-Type"] == "application/json"
            return response.status, (await response.json())["code"]

    assert await post(f"/channels/{games.id}/messages", data=b"{") == (400, 50109)
    assert await post(f"/channels/{games.id}/messages", json=[]) == (400, 50035)
    assert await post(f"/channels/{games.id}/messages") == (400, 50006)
    assert await post("/interactions/1/x/callback") == (400, 50035)
    assert await post("/interactions/1/x/callback", json={"type": 6}) == (404, 10062)
    category = sandbox.core.world.find_channel("Tables")
    assert await post(f"/channels/{category.id}/messages", json={"content": "x"}) == (400, 50024)
    async with client.session.get(f"{api}/channels/{games.id}/messages?limit=0", headers=headers) as response:
        assert response.status == 400
    assert (await client.stats())["crashes"] == []


async def test_where_an_error_is(bot: Bot) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="ok", custom_id="a"))
    view.add_item(discord.ui.Button(label="x" * 81, custom_id="b"))
    with pytest.raises(discord.HTTPException) as caught:
        await bot.place("games").send("x", view=view)
    assert "components.0.components.1.label" in caught.value.text


@pytest.mark.parametrize("headers", [{"Origin": "https://example.org"}, {"Host": "example.org"}])
async def test_other_sites_are_refused(sandbox: Sandbox, headers: dict[str, str]) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{sandbox.url}/sandbox/clock", headers=headers, data=b'{"advance": 1}') as response:
            assert response.status == 403
        async with session.get(f"{sandbox.url}/", headers={"Origin": sandbox.url}) as response:
            assert response.status == 200


async def test_a_silent_gateway(sandbox: Sandbox) -> None:
    from .conftest import WAIT, running

    bot = Bot(heartbeat_timeout=0.5)
    async with running(bot, sandbox), SandboxClient(sandbox.url) as client:
        await client.mute()
        await asyncio.wait_for(bot.resumed.wait(), WAIT)
        assert (await (await client.people())[0].command("game create", title="x")).ack
