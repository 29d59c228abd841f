"""What has changed since one's own last look."""

from __future__ import annotations

import pytest

from cogs.past import Past
from render.palette import CHANGED
from sandbox.client import Message, Person

from .watching import KEYS, begun, opened, picture, play, step
from .world import THRONE, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


def lines(text: str) -> list[str]:
    return text.splitlines()[1:]


@pytest.mark.parametrize("key", KEYS)
async def test_each_has_a_look_of_his_own(here: World, key: str):
    game = await begun(here, key)
    watcher, other = game.people[4], game.people[5]
    assert (await game.command(watcher, "table since")).reply.images
    assert "Nothing has happened" in await game.says(watcher, "table since")
    await play(game, 60, until_turn=3)
    new = lines(await game.says(watcher, "table since"))
    log = await game.says(watcher, "table log")
    assert new
    assert all(line in log for line in new)
    assert "Nothing has happened" in await game.says(watcher, "table since")
    await here.restart()
    assert "Nothing has happened" in await game.says(watcher, "table since"), "a look outlives a restart"
    assert len(lines(await game.says(other, "table since"))) >= len(new)


@pytest.mark.parametrize("command", ["table board", "table hand"])
async def test_what_counts_as_a_look(game: Game, command: str):
    await play(game, 40, until_turn=3)
    person = game.people[0]
    await game.command(person, command)
    assert "Nothing has happened" in await game.says(person, "table since")


async def test_who_has_acted_has_looked(game: Game):
    await play(game, 60, until_turn=3)
    seat = game.unanswered
    for _ in range(2):
        await play(game, 1)
    mine = await game.world.store.look(game.id, int(game.people[seat].id))
    assert mine >= game.table.length - 2


async def test_what_is_new_is_ringed(here: World):
    game = await begun(here, THRONE)
    await play(game, 60, until_turn=2)
    watcher = game.people[4]
    plain = await picture(game, (await game.command(watcher, "table since")).reply)
    plain = await picture(game, (await game.command(watcher, "table since")).reply)
    for _ in range(60):
        before = len(game.live.story)
        await play(game, 1)
        if any(event.places and event.kind == "moved" for _, event in game.live.story[before:]):
            break
    ringed = await picture(game, (await game.command(watcher, "table since")).reply)
    assert rings(plain) < 100 < rings(ringed)
    assert rings(await picture(game, (await game.command(watcher, "table since")).reply)) < 100


def rings(data: bytes) -> int:
    """How many pixels have the colour of rings."""
    image = opened(data).convert("RGB")
    return sum(n for n, colour in image.getcolors(1 << 20) if colour == CHANGED)


async def test_what_was_taken_back_is_ringed_too(here: World):
    game = await begun(here, THRONE)
    watcher = game.people[4]
    for _ in range(200):
        before = len(game.live.story)
        await play(game, 1)
        if any(event.kind == "moved" for _, event in game.live.story[before:]):
            break
    await game.says(watcher, "table since")
    assert "Taken back" in await game.says(here.people[0], "game rewind", steps=1)
    shown = (await game.command(watcher, "table since")).reply
    assert "taken back" in shown.text
    assert rings(await picture(game, shown)) > 100


@pytest.mark.parametrize("key", KEYS)
async def test_much_comes_in_pages(here: World, key: str):
    game = await begun(here, key, 3)
    while len((await Past.of(here.tables, game.live)).told(0, 0)) < 40:
        await play(game, 5)
    person = game.people[0]
    log = [line for n in (2, 1) for line in (await game.says(person, "table log", page=n)).splitlines()[1:]]
    await here.store.set_look(game.id, int(person.id), 0)
    pages = await read(game, person)
    told = [line for page in pages for line in lines(page.text)]
    assert len(pages) > 1
    assert len(told) > 25
    assert told[-20:] == log[-20:]
    assert all(str(game.table.length) not in b.custom_id.split(":")[-1].split(".") for b in pages[-1].buttons)


async def read(game: Game, person: Person) -> list[Message]:
    """Every page of what is new to that person."""
    pages = [(await game.command(person, "table since")).reply]
    while any(button.label == "▶" and not button.disabled for button in pages[-1].buttons):
        pages.append(await step(person, pages[-1], "▶"))
    return pages


async def test_nobody_reads_what_is_not_his(here: World):
    game = await begun(here, THRONE)
    await play(game, 60, until_turn=3)
    await here.store.set_look(game.id, int(game.people[0].id), 0)
    assert any("You drew" in page.text for page in await read(game, game.people[0]))
    assert all("You drew" not in page.text for page in await read(game, game.people[4]))
