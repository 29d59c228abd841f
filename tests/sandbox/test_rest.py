"""Messages, threads and direct channels through discord.py."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from sandbox.client import Person, SandboxClient
from sandbox.server import Sandbox

from .bot import Bot, board, picture
from .conftest import until


def coded(status: int, code: int) -> Any:
    """Expect Discord's error."""
    return pytest.raises(discord.HTTPException, match=rf"^{status} .*\(error code: {code}\)")


async def test_messages_come_and_go(bot: Bot, client: SandboxClient, north: Person) -> None:
    channel = bot.place("games")
    message = await channel.send("one")
    assert [m.text for m in await north.visible("games")] == ["one"]
    await message.edit(content="two")
    assert (await north.message(str(message.id))).version == 2
    assert (await channel.fetch_message(message.id)).content == "two"
    await message.delete()
    assert await north.visible("games") == []
    with coded(404, 10008):
        await channel.fetch_message(message.id)
    with coded(404, 10008):
        await message.edit(content="three")
    kinds = [e.kind for e in (await client.journal(kinds=["message", "edit", "delete"]))[1]]
    assert kinds == ["message", "edit", "delete"]


async def test_history(bot: Bot, north: Person) -> None:
    channel = bot.place("games")
    sent = [await north.send("games", str(n)) for n in range(9)]

    async def read(**where: Any) -> str:
        found = [m.id async for m in channel.history(oldest_first=True, **where)]
        return "".join(str([s.id for s in sent].index(str(i))) for i in found)

    def at(n: int) -> discord.Object:
        return discord.Object(int(sent[n].id))

    assert await read() == "012345678"
    assert await read(limit=3, after=at(2)) == "345"
    assert await read(before=at(3)) == "012"
    assert await read(limit=5, around=at(4)) == "23456"
    assert await read(after=at(2), before=at(5)) == "34"
    assert [m.id async for m in channel.history(limit=1)] == [int(sent[-1].id)]


async def test_attachments_are_kept_only_when_listed(bot: Bot, client: SandboxClient) -> None:
    channel = bot.place("games")
    message = await channel.send("x", files=[picture("a.png"), picture("b.png", "blue")])
    first, second = message.attachments
    assert (first.width, first.height, first.description) == (64, 48, "a board")
    edited = await message.edit(content="y")
    assert [a.id for a in edited.attachments] == [first.id, second.id]
    edited = await message.edit(attachments=[second, picture("c.png")])
    assert [a.filename for a in edited.attachments] == ["b.png", "c.png"]
    assert edited.attachments[0].id == second.id
    edited = await message.edit(attachments=[])
    assert edited.attachments == []
    assert (await client.stats())["images"] == 3


async def test_components_v2_stays(bot: Bot, client: SandboxClient) -> None:
    channel = bot.place("games")
    message = await channel.send(view=board(), file=picture())
    raw = await bot.http.get_message(channel.id, message.id)
    container = raw["components"][0]
    media = container["components"][1]["items"][0]["media"]
    assert media["url"].startswith("http")
    assert (media["width"], media["attachment_id"]) == (64, str(message.attachments[0].id))
    ids = [c["id"] for c in container["components"]]
    assert len(set(ids)) == len(ids)
    with coded(400, 50035):
        await message.edit(content="words")
    assert len(await client.rejected()) == 1
    edited = await message.edit(view=board("# Turn 4"), attachments=[picture()])
    assert edited.flags.components_v2
    with coded(400, 50035):  # the picture that the view shows is not among the attachments
        await message.edit(view=board("# Turn 5"), attachments=[])
    kept = await message.edit(view=board("# Turn 6"))  # still there: nothing was said about attachments
    assert kept.attachments[0].id == edited.attachments[0].id


async def test_a_legacy_message_becomes_v2_only_without_content(bot: Bot) -> None:
    message = await bot.place("games").send("old")
    with coded(400, 50035):
        await message.edit(view=board(), attachments=[picture()])
    edited = await message.edit(content=None, view=board(), attachments=[picture()])
    assert edited.flags.components_v2


async def test_only_own_messages_are_edited(bot: Bot, north: Person) -> None:
    said = await north.send("games", "mine")
    message = await bot.place("games").fetch_message(int(said.id))
    with coded(403, 50005):
        await message.edit(content="yours")
    with coded(403, 50013):
        await message.delete()


async def test_empty_message(bot: Bot) -> None:
    with coded(400, 50006):
        await bot.place("games").send("")


async def test_nonce(bot: Bot, client: SandboxClient, north: Person) -> None:
    channel = bot.place("games")
    first = await channel.send("x", nonce="slot-1")
    again = await channel.send("x", nonce="slot-1")
    assert first.id == again.id
    assert len(await north.visible("games")) == 1
    other = await bot.place("lobby").send("x", nonce="slot-1")
    assert other.id != first.id
    await client.advance(301)
    assert (await channel.send("x", nonce="slot-1")).id != first.id
    with coded(400, 50035):
        await channel.send("x", nonce="n" * 26)


async def test_mentions_and_pings(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    channel = bot.place("games")

    async def pinged(text: str, **options: Any) -> tuple[str, ...]:
        cursor, _ = await client.journal()
        await channel.send(text, **options)
        return (await client.journal(cursor))[1][0].pings

    both = f"<@{north.id}> and <@{east.id}>"
    assert set(await pinged(both)) == {north.id, east.id}
    await client.advance(5)
    assert await pinged(both, allowed_mentions=discord.AllowedMentions.none()) == ()
    only = discord.AllowedMentions(users=[discord.Object(int(east.id))])
    assert await pinged(both, allowed_mentions=only) == (east.id,)
    assert await pinged(both, silent=True) == ()
    assert await pinged("@everyone") == (), "the bot may not mention everyone"
    message = await bot.place("lobby").send("nobody")
    cursor, _ = await client.journal()
    await message.edit(content=both)
    assert (await client.journal(cursor))[1][0].pings == (), "edits never ping"


async def test_mentions_in_text_displays(bot: Bot, client: SandboxClient, east: Person) -> None:
    await bot.place("games").send(view=board(f"your turn <@{east.id}>"), file=picture())
    assert (await client.journal(kinds=["message"]))[1][0].pings == (east.id,)
    games = next(p for p in await east.channels() if p.name == "games")
    assert (games.unread, games.mentions) == (1, 1)
    await east.read("games")
    games = next(p for p in await east.channels() if p.name == "games")
    assert (games.unread, games.mentions) == (0, 0)


async def test_replies(bot: Bot, client: SandboxClient, north: Person) -> None:
    said = await north.send("games", "hello")
    channel = bot.place("games")
    target = channel.get_partial_message(int(said.id))
    answer = await target.reply("hi")
    assert answer.reference is not None
    assert (await north.visible("games"))[-1].mentions == (north.id,)
    await client.delete_message(said.id)
    with coded(400, 50035):
        await target.reply("hi again")
    quiet = target.to_reference(fail_if_not_exists=False)
    assert (await channel.send("still", reference=quiet)).reference is None


async def test_threads(bot: Bot, client: SandboxClient, north: Person) -> None:
    channel = bot.place("games")
    message = await channel.send("table 1")
    thread = await message.create_thread(name="Table 1", auto_archive_duration=1440)
    assert thread.id == message.id
    with coded(400, 160004):
        await message.create_thread(name="again")
    await thread.send("welcome")
    assert [m.text for m in await north.visible(str(thread.id))][-1] == "welcome"
    assert [t.id for t in await bot.table.active_threads()] == [thread.id]
    await thread.add_user(bot.table.get_member(int(north.id)) or discord.Object(int(north.id)))
    assert int(north.id) in [m.id for m in await thread.fetch_members()]
    with coded(403, 50013):
        await thread.remove_user(discord.Object(int(north.id)))
    await thread.edit(archived=True)
    assert await bot.table.active_threads() == []
    assert [t.id async for t in channel.archived_threads()] == [thread.id]
    listed = next(p for p in await north.channels() if p.id == str(thread.id))
    assert listed.archived


async def test_archived_threads(bot: Bot, client: SandboxClient, north: Person) -> None:
    thread = await bot.place("games").create_thread(name="t", type=discord.ChannelType.public_thread)
    message = await thread.send("hello")
    await client.archive(str(thread.id))
    with coded(400, 50083):
        await message.edit(content="late")
    with coded(400, 50083):
        await thread.edit(name="late")
    await thread.send("this reopens it")
    await message.edit(content="now")
    await client.archive(str(thread.id), locked=True)
    with coded(400, 50083):
        await thread.send("locked")
    with coded(403, 50013):
        await thread.edit(archived=False)
    await client.permit(grant=["manage_threads"])
    await thread.edit(archived=False, locked=False)


async def test_threads_fall_asleep(bot: Bot, client: SandboxClient) -> None:
    games = bot.place("games")
    thread = await games.create_thread(name="t", type=discord.ChannelType.public_thread, auto_archive_duration=60)
    await client.advance(3500)
    await thread.send("still here")
    await client.advance(3500)
    assert not (await bot.fetch_channel(thread.id)).archived  # type: ignore[union-attr]
    await client.advance(200)
    assert (await bot.fetch_channel(thread.id)).archived  # type: ignore[union-attr]


async def test_private_thread(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    thread = await bot.place("games").create_thread(name="secret")
    await thread.add_user(discord.Object(int(north.id)))
    await thread.send("psst")
    assert str(thread.id) in [p.id for p in await north.channels()]
    assert str(thread.id) not in [p.id for p in await east.channels()]
    said = [e for e in (await client.journal())[1] if e.kind == "message" and e.body["content"] == "psst"]
    owner = await client.person("Keeper")
    assert set(said[0].audience) == {north.id, owner.id}
    await client.permit(deny=["create_private_threads"])
    with coded(403, 50013):
        await bot.place("games").create_thread(name="secret 2")


async def test_direct_messages(bot: Bot, client: SandboxClient, north: Person) -> None:
    user = await bot.fetch_user(int(north.id))
    message = await user.send("hand")
    await message.edit(content="new hand")
    assert [m.text for m in await north.visible("@me")] == ["new hand"]
    assert (await client.journal(kinds=["message"]))[1][0].audience == (north.id,)
    await client.close_dm(north)
    with coded(403, 50007):
        await user.send("again")
    await message.edit(content="edits still work")
    with coded(404, 10013):
        await bot.fetch_user(1)


async def test_no_guild_in_common(bot: Bot, client: SandboxClient, north: Person) -> None:
    user = await bot.fetch_user(int(north.id))
    await user.create_dm()
    await client.membership(north, False)
    with coded(403, 50278):
        await user.send("hello")
    with coded(404, 10007):
        await bot.table.fetch_member(int(north.id))
    await client.membership(north, True)
    await user.send("hello")


@pytest.mark.parametrize(
    ("missing", "code"), [("view_channel", 50001), ("send_messages", 50013), ("attach_files", 50013)]
)
async def test_permissions(bot: Bot, client: SandboxClient, missing: str, code: int) -> None:
    channel = bot.place("games")
    await client.permit(channel="games", deny=[missing])
    with coded(403, code):
        await channel.send("x", file=picture())
    await until(lambda: not getattr(channel.permissions_for(bot.table.me), missing))
    await bot.place("lobby").send("x", file=picture())
    await client.permit(channel="games", grant=[missing])
    await channel.send("x", file=picture())
    await client.permit(deny=[missing])
    with coded(403, code):
        await bot.place("lobby").send("x", file=picture())


async def test_thread_permissions(bot: Bot, client: SandboxClient) -> None:
    channel = bot.place("games")
    thread = await channel.create_thread(name="t", type=discord.ChannelType.public_thread)
    await client.permit(channel="games", deny=["send_messages_in_threads", "create_public_threads"])
    with coded(403, 50013):
        await thread.send("x")
    await channel.send("x")
    with coded(403, 50013):
        await channel.create_thread(name="t2", type=discord.ChannelType.public_thread)


async def test_history_needs_its_permission(bot: Bot, client: SandboxClient) -> None:
    channel = bot.place("games")
    message = await channel.send("x")
    await client.permit(channel="games", deny=["read_message_history"])
    assert [m async for m in channel.history()] == []
    with coded(403, 50013):
        await channel.fetch_message(message.id)


async def test_unknown_channel(bot: Bot, client: SandboxClient) -> None:
    channel = bot.place("games")
    await client.delete_channel("games")
    with coded(404, 10003):
        await channel.send("x")
    await until(lambda: bot.get_channel(channel.id) is None)


async def test_pins_and_reactions(bot: Bot, client: SandboxClient, north: Person) -> None:
    channel = bot.place("games")
    message = await channel.send("x")
    with coded(403, 50013):
        await message.pin()
    await client.permit(grant=["pin_messages"])
    await message.pin()
    assert [m.id async for m in channel.pins()] == [message.id]
    await message.unpin()
    assert [m.id async for m in channel.pins()] == []
    await message.add_reaction("👍")
    await north.react(str(message.id), "👍")
    fresh = await channel.fetch_message(message.id)
    assert [(str(r.emoji), r.count, r.me) for r in fresh.reactions] == [("👍", 2, True)]
    await message.remove_reaction("👍", bot.table.me)
    assert {u.name async for u in (await channel.fetch_message(message.id)).reactions[0].users()} == {"north"}


async def test_too_large(bot: Bot, sandbox: Sandbox) -> None:
    import io

    for size, refused in ((10 * 2**20, False), (10 * 2**20 + 1, True)):
        file = discord.File(io.BytesIO(bytes(size)), "big.bin")
        if refused:
            with coded(413, 40005):
                await bot.place("games").send(file=file)
        else:
            await bot.place("games").send(file=file)


async def test_commands(bot: Bot, client: SandboxClient) -> None:
    before = await bot.tree.fetch_commands()
    await bot.tree.sync()
    after = await bot.tree.fetch_commands()
    assert [c.id for c in before] == [c.id for c in after], "the same commands keep their ids"
    await before[0].delete()
    assert len(await bot.tree.fetch_commands()) == len(before) - 1
    with coded(404, 10063):
        await bot.tree.fetch_command(before[0].id)
    bot.tree.copy_global_to(guild=bot.table)
    await bot.tree.sync(guild=bot.table)
    assert len(await bot.tree.fetch_commands(guild=bot.table)) == 2


async def test_two_hundred_new_commands_a_day(bot: Bot, client: SandboxClient) -> None:
    route = discord.http.Route("PUT", f"/applications/{bot.application_id}/commands")

    async def put(names: range) -> None:
        await bot.http.request(route, json=[{"name": f"c{n}", "description": "d"} for n in names])

    await put(range(100))
    await put(range(100))
    await put(range(100, 190))
    with coded(400, 30034):
        await put(range(200, 220))
    await client.advance(86400)
    await put(range(200, 220))


async def test_unauthorised(sandbox: Sandbox, client: SandboxClient) -> None:
    async with client.session.get(f"{sandbox.url}/api/v10/users/@me", headers={"Authorization": "Bot x"}) as response:
        assert response.status == 401


async def test_unknown_route_is_noted(bot: Bot, client: SandboxClient) -> None:
    with pytest.raises(discord.NotFound):
        await bot.http.request(discord.http.Route("GET", "/nothing/here"))
    assert (await client.stats())["unknown_routes"] == ["GET /nothing/here"]
