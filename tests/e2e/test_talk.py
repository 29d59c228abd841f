"""Private threads between seats: opened on request, joined and left with the seat, closed at the end."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

import db
from sandbox.client import Message, Person

from .world import EVERY, THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(params=EVERY)
def key(request: pytest.FixtureRequest) -> str:
    """Every game."""
    return str(request.param)


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def allowed(here: World) -> AsyncIterator[None]:
    """The bot may open private threads."""
    await here.client.permit("bot", grant=["create_private_threads"])
    yield
    await here.client.permit("bot", deny=["create_private_threads"])
    await here.client.permit("bot", grant=["send_messages_in_threads"])


async def talk(game: Game, person: Person, *others: Person) -> str:
    """What the command answers."""
    given = dict(zip(("with", "and", "third"), (other.id for other in others), strict=False))
    return await game.says(person, "talk", given=given)


async def thread_of(game: Game) -> dict[str, Any]:
    """The one private thread of the game, as Discord has it."""
    (row,) = await game.world.store.talks(game.id)
    return await raw(game, str(row.thread_id))


async def raw(game: Game, thread: str) -> dict[str, Any]:
    """A thread as Discord has it."""
    channel = game.world.sandbox.core.world.channels[thread]
    return {"id": thread, "members": set(channel.members), "name": channel.name, "type": channel.type,
            "archived": channel.thread.archived}  # fmt: skip


def users(here: World, *people: Person) -> set[str]:
    """Those people and the bot."""
    return {here.sandbox.core.world.bot.id, *(person.id for person in people)}


async def welcome(game: Game, person: Person, thread: str) -> Message:
    """The thread's first message."""

    async def there() -> list[Message]:
        return [m for m in await person.visible(thread) if "yours alone" in m.text]

    return (await until(there))[0]


async def test_two_seats_talk(here: World, key: str):
    game = await here.game(3, key=key)
    one, other, third = game.people[:3]
    assert "You can talk in" in await talk(game, one, other)
    thread = await thread_of(game)
    assert thread["type"] == 12
    assert thread["members"] == users(here, one, other)
    assert str(game.id) in thread["name"]
    assert one.name in thread["name"]
    assert (await welcome(game, other, thread["id"])).mentions == ()
    assert "You can talk in" in await talk(game, other, one)
    assert len(await here.store.talks(game.id)) == 1, "one thread for the two of them"
    assert "You can talk in" in await talk(game, third, one, other)
    assert len(await here.store.talks(game.id)) == 2
    parent = here.sandbox.core.world.channels[thread["id"]].parent_id
    assert parent == here.sandbox.core.world.channels[game.thread].parent_id


async def test_who_may_talk(here: World):
    game = await here.game(2, bots=1)
    one, stranger = game.people[0], game.people[4]
    assert "does not sit" in await talk(game, one, stranger)
    assert "You are watching" in await talk(game, stranger, one)
    assert "Name another player" in await talk(game, one, one)
    assert await here.store.talks(game.id) == []


async def test_a_missing_permission_is_named(here: World):
    game = await here.game(2)
    await here.client.permit("bot", deny=["create_private_threads"])
    assert "create private threads" in await talk(game, *game.people[:2])
    assert await here.store.talks(game.id) == []


async def test_the_seats_next_person_comes_in_and_the_old_one_goes(here: World, key: str):
    game = await here.game(3, key=key)
    one, other, new = game.people[0], game.people[1], game.people[4]
    await talk(game, one, other)
    await game.says(other, "table replace", given={"user": new.id})
    await game.press(new, await game.said("will you take over"), "Take the seat")

    async def moved() -> bool:
        return (await thread_of(game))["members"] == users(here, one, new)

    await until(moved)
    await game.says(new, "table leave", sure=True)

    async def out() -> bool:
        return (await thread_of(game))["members"] == users(here, one)

    await until(out)


async def test_a_change_during_a_restart_is_made_up_for(here: World):
    game = await here.game(2)
    one, other = game.people[:2]
    await talk(game, one, other)
    thread = await thread_of(game)

    async def meanwhile() -> None:
        here.sandbox.core.world.channels[thread["id"]].members.pop(other.id)
        row = (await opened.talks(game.id))[0]
        await opened.set_talk(type(row)(row.thread_id, row.game_id, row.seats, (int(one.id), int(game.people[5].id))))
        await opened.close()

    await here.stop_bot()
    opened = await db.Store.open(here.config.database.path)
    await meanwhile()
    await here.start_bot()

    async def back() -> bool:
        return (await thread_of(game))["members"] == users(here, one, other)

    await until(back)


async def test_closed_on_request(here: World):
    game = await here.game(3)
    one, other = game.people[:2]
    await talk(game, one, other)
    thread = await thread_of(game)
    message = await welcome(game, one, thread["id"])
    done = await one.press(message.id, message.button("Close this thread").custom_id, finish=WAIT)
    assert "closed" in done.message.text

    async def closed() -> bool:
        return not await here.store.talks(game.id)

    await until(closed)
    assert (await raw(game, thread["id"]))["archived"]
    await talk(game, one, other)
    assert (await thread_of(game))["id"] != thread["id"]


@pytest.mark.parametrize(("key", "how"), [(THRONE, "end"), *((key, "cancel") for key in EVERY)])
async def test_closed_when_the_game_is_over(here: World, key: str, how: str):
    game = await here.game(2, key=key)
    await talk(game, *game.people[:2])
    thread = await thread_of(game)
    await welcome(game, game.people[0], thread["id"])  # what is written to an archived thread opens it again
    if how == "cancel":
        await game.says(game.people[0], "game cancel", sure=True)
    else:
        live = game.live
        for _ in range(40):
            if {q.key for q in game.table.asked.values()} == {"action"}:
                break
            await game.answer_simply(game.unanswered)
        seat = next(iter(game.table.asked))
        await game.answer("surrender")
        if not live.table.over and seat in live.table.asked:
            await game.answer(str(1 - seat))

    async def closed() -> bool:
        return not await here.store.talks(game.id)

    await until(closed)
    assert (await raw(game, thread["id"]))["archived"]


async def test_a_deleted_thread_is_forgotten(here: World):
    game = await here.game(2)
    one, other = game.people[:2]
    await talk(game, one, other)
    thread = await thread_of(game)
    await here.client.delete_channel(thread["id"])

    async def forgotten() -> bool:
        return not await here.store.talks(game.id)

    await until(forgotten)
    assert "You can talk in" in await talk(game, one, other)


async def test_who_could_not_be_taken_out_is_taken_out_later(here: World, monkeypatch: pytest.MonkeyPatch):
    """Discord fails while two seats change: each is mended by itself, and what failed is tried again."""
    monkeypatch.setattr(sys.modules["cogs.talk"], "RETRY_SECONDS", 0.5)  # as the bot has loaded it
    game = await here.game(3)
    one, other, third = game.people[:3]
    await talk(game, one, other, third)
    fault = await here.client.fault(
        method="DELETE", path=f"thread-members/{other.id}", status=403, code=50001, times=100
    )
    await game.says(other, "table leave", sure=True)
    await game.says(third, "table leave", sure=True)

    async def third_out() -> bool:
        return third.id not in (await thread_of(game))["members"]

    await until(third_out)
    assert other.id in (await thread_of(game))["members"]
    await here.client.clear_faults(fault)

    async def out() -> bool:
        return (await thread_of(game))["members"] == users(here, one)

    await until(out)
