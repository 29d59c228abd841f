"""People and a real bot: commands, buttons, selects, modals."""

from __future__ import annotations

import pytest

from sandbox.client import Person, SandboxClient, SandboxError, attached

from .bot import Bot


async def clean(client: SandboxClient) -> None:
    stats = await client.stats()
    assert (stats["rejected"], stats["unknown_routes"], stats["rate_limited"]) == (0, [], 0), stats["rejections"]


async def test_slash_command(bot: Bot, client: SandboxClient, north: Person) -> None:
    out = await north.command("game create", title="eclipse", seats=3)
    assert out.ack
    assert out.kind == "message"
    assert out.message is not None
    assert (
        out.message.text
        == f"eclipse for 3 by <@{north.id}> ctx=<AppCommandContext guild=True dm_channel=False private_channel=False>"
        or out.message.text.startswith("eclipse for 3")
    )
    assert out.ack_ms is not None
    assert out.ack_ms < 1000
    await clean(client)


async def test_board_with_picture_and_buttons(bot: Bot, client: SandboxClient, north: Person, east: Person) -> None:
    shown = (await north.command("game board")).reply
    assert [b.label for b in shown.buttons] == ["move", "hand", "modal", "late", "mute"]
    assert shown.images[0].alt == "the board"
    assert (await client.download(shown.images[0].url))[:4] == b"\x89PNG"
    moved = await east.press(shown.id, shown.button("move").custom_id)
    assert moved.kind == "update"
    assert "moved by East" in moved.reply.text
    assert moved.reply.version == 2
    assert [m.text for m in await north.visible("games")] == [moved.reply.text]
    await clean(client)
