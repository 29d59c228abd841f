"""People and a real bot: commands, buttons, selects, modals."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from sandbox.client import Person, SandboxClient, SandboxError, attached

from .bot import Bot
from .conftest import WAIT


@pytest.fixture(autouse=True)
async def clean(client: SandboxClient) -> Any:
    """Nothing that the bot sends in these tests may be objected to."""
    yield
    stats = await client.stats()
    assert (stats["rejected"], stats["unknown_routes"], stats["rate_limited"]) == (0, [], 0), stats["rejections"]


async def test_slash_command(bot: Bot, client: SandboxClient, north: Person) -> None:
    out = await north.command("game create", title="eclipse", seats=3)
    assert (out.ack, out.kind, out.done) == (True, "message", True)
    assert out.reply.text.startswith(f"eclipse for 3 by <@{north.id}>")
    assert out.ack_ms is not None
    assert out.ack_ms < 1000
    raw = out.reply.raw
    assert raw["interaction_metadata"]["user"]["id"] == north.id
    assert raw["type"] == 20


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "needs title"),
        ({"title": "x", "seats": 7}, "out of range"),
        ({"title": "x", "seats": "3"}, "is a number"),
        ({"title": "x", "chairs": 3}, "no option"),
        ({"title": 3}, "is text"),
    ],
)
async def test_options_are_checked(bot: Bot, north: Person, options: dict[str, Any], why: str) -> None:
    with pytest.raises(SandboxError, match=why):
        await north.command("game create", given=options)


async def test_unknown_commands(bot: Bot, north: Person) -> None:
    for path in ("nothing", "game", "game nothing"):
        with pytest.raises(SandboxError):
            await north.command(path)


async def test_autocomplete(bot: Bot, north: Person) -> None:
    out = await north.autocomplete("game create", {"title": "e", "seats": 3}, "title")
    assert [c.value for c in out.choices] == ["eclipse", "throne", "empire"]
    assert (await north.autocomplete("game create", {"title": "ecl"}, "title")).choices[0].name == "Eclipse"
    with pytest.raises(SandboxError, match="no autocomplete"):
        await north.autocomplete("game create", {}, "seats")


async def test_board_with_picture_and_buttons(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    shown = (await north.command("game board")).reply
    assert [b.label for b in shown.buttons] == ["move", "hand", "modal", "late", "mute", "panel"]
    assert shown.images[0].alt == "the board"
    assert (await client.download(shown.images[0].url))[:4] == b"\x89PNG"
    moved = await east.press(shown.id, shown.button("move").custom_id)
    assert moved.kind == "update"
    assert "moved by East" in moved.reply.text
    assert moved.reply.version == 2
    assert moved.reply.images[0].id != shown.images[0].id
    assert [m.text for m in await north.visible("games")] == [moved.reply.text]


async def test_buttons_are_checked(bot: Bot, client: SandboxClient, north: Person) -> None:
    shown = (await north.command("game board")).reply
    with pytest.raises(SandboxError, match="not on that message now"):
        await north.press(shown.id, "act:nothing:7")
    with pytest.raises(SandboxError, match="another kind"):
        await north.press(shown.id, "pick:7")
    channel = bot.place("games")
    message = await channel.fetch_message(int(shown.id))
    assert message.components
    await client.delete_message(shown.id)
    with pytest.raises(SandboxError, match="gone"):
        await north.press(shown.id, "act:move:7")


async def test_ephemeral_answers_are_seen_by_their_reader_only(
    bot: Bot, client: SandboxClient, north: Person, east: Person
) -> None:
    shown = (await north.command("game board")).reply
    hand = (await north.press(shown.id, "act:hand:7")).reply
    assert hand.ephemeral
    assert hand.id in [m.id for m in await north.visible("games")]
    assert hand.id not in [m.id for m in await east.visible("games")]
    with pytest.raises(SandboxError, match="somebody else's"):
        await east.message(hand.id)
    assert hand.id not in [str(m.id) async for m in bot.place("games").history()]
    assert [e.message_id for e in await east.export() if e.message_id == hand.id] == []
    assert [e.kind for e in await north.export() if e.message_id == hand.id] == ["message"]


async def test_ephemeral_panel(bot: Bot, north: Person, east: Person) -> None:
    shown = (await north.command("game board")).reply
    panel = (await east.press(shown.id, "act:panel:7")).reply
    assert panel.ephemeral
    with pytest.raises(SandboxError, match="somebody else's"):
        await north.press(panel.id, "act:flip:7")
    modal = (await east.press(panel.id, "act:modal:7")).modal
    assert modal is not None
    assert (await east.submit(modal, {"kind": ["x"]})).reply.ephemeral
    out = await east.press(panel.id, "act:flip:7")
    assert (out.kind, out.reply.id, out.reply.text, out.reply.ephemeral) == ("update", panel.id, "flipped", True)
    assert panel.id not in [m.id for m in await north.visible("games")]


async def test_deferred_answers(bot: Bot, north: Person) -> None:
    out = await north.command("game slow")
    assert out.kind == "defer"
    assert not out.done
    assert out.reply.loading
    out = await north.command("game slow", finish=WAIT)
    assert out.done
    assert out.message is not None
    assert out.message.text == "done"
    assert not out.message.loading
    assert out.message.images


async def test_deferred_update_and_followup(bot: Bot, north: Person) -> None:
    shown = (await north.command("game board")).reply
    out = await north.press(shown.id, "act:late:7", finish=WAIT)
    assert out.kind == "defer_update"
    assert out.followups[0].text == "followed"
    assert out.followups[0].ephemeral
    assert out.reply.text == "followed"


async def test_choosing(bot: Bot, north: Person) -> None:
    shown = (await north.command("game board")).reply
    select = shown.select()
    assert [o.value for o in select.options] == ["s0", "s1", "s2", "s3"]
    out = await north.choose(shown.id, select.custom_id, ["s1", "s3"])
    assert out.reply.text == "picked ['s1', 's3']"
    for values, why in ((["s9"], "not among"), (["s0", "s1", "s2"], "1 to 2"), ([], "1 to 2"), (["s0", "s0"], "twice")):
        with pytest.raises(SandboxError, match=why):
            await north.choose(shown.id, select.custom_id, values)


async def test_choosing_people_and_channels(bot: Bot, north: Person, east: Person) -> None:
    shown = (await north.command("game selects")).reply
    out = await north.choose(shown.id, "who", ["East", north.id])
    assert out.reply.text == "whom ['East', 'North']"
    assert (await north.choose(shown.id, "where", ["#lobby"])).reply.text == "where ['lobby']"
    with pytest.raises(SandboxError, match="of type 4"):
        await north.choose(shown.id, "where", ["Tables"])


async def test_modal(bot: Bot, north: Person, east: Person) -> None:
    shown = (await north.command("game board")).reply
    out = await north.press(shown.id, "act:modal:7")
    assert out.kind == "modal"
    modal = out.modal
    assert modal is not None
    assert [(f.custom_id, f.required) for f in modal.fields] == [("kind", True), ("file", False), ("note", False)]
    for person, values, why in (
        (north, {}, "1 to 1"),
        (north, {"kind": ["q"]}, "not among"),
        (north, {"kind": ["x"], "note": "x" * 11}, "too long"),
        (north, {"kind": ["x"], "other": ""}, "has no"),
        (east, {"kind": ["x"]}, "not open"),
    ):
        with pytest.raises(SandboxError, match=why):
            await person.submit(modal, values)
    assert [m.id for m in await north.modals()] == [modal.id]
    done = await north.submit(modal, {"kind": ["y"], "note": "hello", "file": [attached("save.txt", b"data")]})
    assert done.reply.text == "['y'] ['save.txt'] hello"
    with pytest.raises(SandboxError, match="not open"):
        await north.submit(modal, {"kind": ["y"]})


async def test_modal_of_the_old_kind(bot: Bot, north: Person) -> None:
    modal = (await north.command("game old")).modal
    assert modal is not None
    for values, why in (({}, "filled in"), ({"words": "x"}, "too short")):
        with pytest.raises(SandboxError, match=why):
            await north.submit(modal, values)
    assert (await north.submit(modal, {"words": "two"})).reply.text == "words two"


async def test_direct_message_and_closed_ones(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    out = await north.command("game invite", who="East", where="lobby", finish=WAIT)
    assert out.reply.text == "sent to East in lobby"
    assert out.reply.ephemeral
    assert out.followups == ()
    assert [m.text for m in await east.visible("@me")] == ["come to lobby"]
    assert [(p.unread, p.mentions) for p in await east.channels() if p.type == 1] == [(1, 1)]
    await client.close_dm(east)
    assert (await north.command("game invite", who=east.id, finish=WAIT)).reply.text == "403 50007"


async def test_commands_in_direct_messages(bot: Bot, north: Person) -> None:
    out = await north.command("game create", channel="@me", title="throne")
    assert "dm_channel=True" in out.reply.text
    assert out.reply.channel_id == next(p.id for p in await north.channels() if p.type == 1)


async def test_commands_and_buttons_in_threads(bot: Bot, north: Person) -> None:
    thread = await bot.place("games").create_thread(name="table 1", type=discord.ChannelType.public_thread)
    shown = (await north.command("game board", channel=str(thread.id))).reply
    assert shown.channel_id == str(thread.id)
    assert (await north.press(shown.id, "act:hand:7")).reply.ephemeral


async def test_message_menu(bot: Bot, north: Person) -> None:
    said = await north.send("games", "look at this")
    assert (await north.menu("Inspect", said.id)).reply.text == f"about {said.id}"


async def test_commands_can_be_withheld(bot: Bot, client: SandboxClient, north: Person) -> None:
    assert {c["name"] for c in await north.commands()} == {"game", "Inspect"}
    await client.permit(north, channel="games", deny=["use_application_commands"])
    assert await north.commands() == []
    assert await north.commands("lobby")
    wanted = (await north.commands("lobby"))[0]["id"]
    route = discord.http.Route("PATCH", f"/applications/{bot.application_id}/commands/{wanted}")
    await bot.http.request(route, json={"default_member_permissions": 1 << 5})
    assert {c["name"] for c in await north.commands("lobby")} == {"Inspect"}
    assert {c["name"] for c in await (await client.person("Keeper")).commands("lobby")} == {"game", "Inspect"}
