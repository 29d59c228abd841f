"""Watching: waiting, streaming, the journal, unread marks, and speed."""

from __future__ import annotations

import asyncio
import time

import pytest

from sandbox.client import Person, SandboxClient, SandboxError
from sandbox.server import Sandbox

from .bot import Bot
from .conftest import WAIT


async def test_people(client: SandboxClient) -> None:
    assert [p.name for p in await client.people()] == ["North", "East", "South", "West", "Player 5", "Player 6"]
    added = await client.add_person("Guest")
    assert added.name in [p.name for p in await client.people()]
    with pytest.raises(SandboxError, match="already"):
        await client.add_person("guest")
    assert (await client.person("keeper")).name == "Keeper"
    with pytest.raises(SandboxError):
        await client.person("nobody")


async def test_waiting(client: SandboxClient, north: Person, east: Person) -> None:
    cursor, entries = await east.wait(timeout=0.05)
    assert entries == []
    waiting = asyncio.create_task(east.wait(cursor, WAIT, channel="lobby", kinds=["message"]))
    await asyncio.sleep(0.05)
    await north.send("games", "not this")
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await north.send("lobby", "this")
    after, entries = await waiting
    assert [e.message.text for e in entries if e.message] == ["this"]
    assert after == 2
    assert (await east.wait(cursor, WAIT))[1][0].body["content"] == "not this"


async def test_many_wait_at_once(client: SandboxClient, north: Person) -> None:
    people = await client.people()
    waiting = [asyncio.create_task(p.wait(0, WAIT, channel="lobby")) for p in people * 20]
    await asyncio.sleep(0.2)
    for n in range(20):
        await north.send("games", str(n))
    assert not any(w.done() for w in waiting)
    await north.send("lobby", "now")
    assert {len(entries) for _, entries in await asyncio.gather(*waiting)} == {1}


async def test_old_entries_are_packed(client: SandboxClient, sandbox: Sandbox, north: Person) -> None:
    for n in range(3):
        await north.send("games", str(n))
    for entry in sandbox.core.world.journal.entries[:2]:
        entry.pack()
    assert [e.body["content"] for e in (await client.journal())[1]] == ["0", "1", "2"]


async def test_stream(client: SandboxClient, north: Person, east: Person) -> None:
    seen: list[str] = []

    async def listen() -> None:
        async for entry in east.stream(0):
            seen.append(entry.body["content"])
            if len(seen) == 3:
                return

    await north.send("games", "before")
    task = asyncio.create_task(listen())
    await asyncio.sleep(0.1)
    await north.send("games", "one")
    await north.send("lobby", "two")
    await asyncio.wait_for(task, WAIT)
    assert seen == ["before", "one", "two"]


async def test_unread(client: SandboxClient, north: Person, east: Person) -> None:
    async def unread() -> int:
        return next(p.unread for p in await east.channels() if p.name == "games")

    await north.send("games", "a")
    await north.send("games", "b")
    assert await unread() == 2
    assert [m.text for m in await east.visible("games")] == ["a", "b"]
    assert await unread() == 2
    await east.visible("games", mark=True)
    assert await unread() == 0
    assert next(p.unread for p in await north.channels() if p.name == "games") == 0


async def test_attention(client: SandboxClient, north: Person, east: Person) -> None:
    await north.send("games", "hello")
    await north.send("games", f"<@{east.id}> look")
    found = await client.get("attention")
    assert set(found) == {person.id for person in await client.people()}
    assert found[north.id] == {"unread": 0, "mentions": 0}
    assert found[east.id] == {"unread": 2, "mentions": 1}
    await east.read("games")
    assert (await client.get("attention"))[east.id] == {"unread": 0, "mentions": 0}


async def test_paging(client: SandboxClient, north: Person) -> None:
    sent = [await north.send("games", str(n)) for n in range(6)]
    assert [m.text for m in await north.visible("games", limit=2)] == ["4", "5"]
    assert [m.text for m in await north.visible("games", limit=2, before=sent[2].id)] == ["0", "1"]
    assert [m.text for m in await north.visible("games", limit=2, after=sent[1].id)] == ["2", "3"]


async def test_what_people_may_not(client: SandboxClient, north: Person, east: Person) -> None:
    await client.permit(north, channel="games", deny=["send_messages"])
    with pytest.raises(SandboxError, match="no permission"):
        await north.send("games", "x")
    await client.permit(east, channel="games", deny=["view_channel"])
    with pytest.raises(SandboxError, match="does not see"):
        await east.visible("games")
    assert "games" not in [p.name for p in await east.channels()]
    said = await (await client.person("South")).send("games", "x")
    with pytest.raises(SandboxError, match="not seen"):
        await east.message(said.id)
    entry = (await client.journal(kinds=["message"]))[1][0]
    assert east.id not in entry.audience
    assert north.id in entry.audience
    with pytest.raises(SandboxError, match="no permission is called"):
        await client.permit(north, deny=["fly"])


async def test_links(client: SandboxClient, sandbox: Sandbox, north: Person) -> None:
    said = await north.send("games", "x")
    assert said.link == f"/channels/{sandbox.core.world.guild_id}/{said.channel_id}/{said.id}"
    async with client.session.get(sandbox.url + said.link) as page:
        assert page.content_type == "text/html"


async def test_journal_keeps_what_was_edited_and_deleted(bot: Bot, client: SandboxClient, north: Person) -> None:
    message = await bot.place("games").send("first")
    await message.edit(content="second")
    await message.delete()
    entries = (await client.journal(channel=str(message.channel.id)))[1]
    assert [(e.kind, e.body["content"]) for e in entries] == [
        ("message", "first"),
        ("edit", "second"),
        ("delete", "second"),
    ]
    assert north.id in entries[0].audience
    assert (await client.world())["channels"]


async def test_wrong_calls(client: SandboxClient, north: Person) -> None:
    for call in (
        client.get("nothing"),
        client.post("nothing", {}),
        client.post("dm", {}),
        client.get("people/x/guild"),
    ):
        with pytest.raises(SandboxError) as caught:
            await call
        assert caught.value.status == 404
    with pytest.raises(SandboxError) as caught:
        await client.post("gateway", {"do": "dance"})
    assert caught.value.status == 400


async def test_speed(bot: Bot, client: SandboxClient, north: Person) -> None:
    start = time.process_time()  # sandbox, bot and person; whatever else the machine does
    for _ in range(100):
        await north.command("game create", title="x")
    each = (time.process_time() - start) * 10
    assert each < 50, f"{each:.1f} ms a round trip"


async def test_fifty_at_once(bot: Bot, client: SandboxClient) -> None:
    people = await client.people()
    outs = await asyncio.gather(
        *(people[n % 6].command("game create", title=str(n), channel=("games", "lobby")[n % 2]) for n in range(50))
    )
    assert all(o.ack for o in outs)
    stats = await client.stats()
    assert stats["answered"] == 50
    assert stats["rate_limited"] == 0
