"""`/table picture` shows what else a game has to show, to whoever asks, as that person may see it."""

from __future__ import annotations

import re

import pytest

from render.eclipse import EXTRAS
from sandbox.client import Message

from .playing import battle, step
from .world import World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_other_pictures_of_a_game(here: World):
    game = await here.game(2, key="eclipse")
    player, watcher = game.people[0], game.people[4]
    for which in ("supply", "player2"):
        shown = await game.command(player, "table picture", which=which)
        assert shown.reply.images
        assert shown.reply.ephemeral
    assert "Board of" in (await game.command(watcher, "table picture", which="player1")).reply.images[0].alt
    offered = await player.autocomplete("table picture", {"which": "player"}, "which", channel=game.thread)
    assert [(choice.name, choice.value) for choice in offered.choices] == [
        (f"player{n}: {person.name}", f"player{n}") for n, person in enumerate(game.people[:2], 1)
    ]


async def test_a_picture_there_is_not_is_refused_with_those_there_are(here: World):
    game = await here.game(2, key="throne_of_the_world")
    said = await game.says(game.people[0], "table picture", which="spaceship")
    assert "spaceship" in said
    assert "attack, draft" in said


async def test_a_picture_that_cannot_be_drawn_is_said_to_be_so(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await here.game(2, key="eclipse")

    def fail(*_: object, **__: object) -> None:
        raise ValueError("broken")

    monkeypatch.setitem(EXTRAS, "supply", fail)
    assert "cannot be drawn" in await game.says(game.people[0], "table picture", which="supply")


async def test_the_picture_of_a_turn_shows_the_battle_fought_in_it(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await battle(here, monkeypatch)

    async def over() -> list[tuple[str, Message]]:
        """Where there was combat in turns that are over, and what tells of it."""
        told = [m for m in await game.seen() if " is held by " in m.text and turn_of(m) < game.live.turn.number]
        return [(re.findall(r"^(\d+) .* is held by ", m.text, re.M)[-1], m) for m in told]

    async def fought() -> bool:
        await step(game)
        return bool(await over())

    await until(fought, 120)
    await game.settled()
    where, message = (await over())[0]
    assert f"Battle at {where}: " in (message.images[0].alt or "")


def turn_of(message: Message) -> int:
    """The number of the turn that a message tells of."""
    found = re.search(r"turn (\d+)", message.text)
    assert found is not None, message.text
    return int(found[1])
