"""The table votes: more than half of its people decide, whatever happens to the bot meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio

import db
from cogs import votes
from cogs.live import Live
from cogs.votes import Kind
from sandbox.client import Message

from .waiting import restart
from .world import Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Effects:
    """What the votes of this test have led to."""

    def __init__(self) -> None:
        self.all: list[tuple[int, str]] = []

    def of(self, vote: db.Vote) -> list[str]:
        return [effect for vote_id, effect in self.all if vote_id == vote.id]

    async def passed(self, tables: Any, live: Live, vote: db.Vote) -> None:
        self.all.append((vote.id, "passed"))

    async def failed(self, tables: Any, live: Live, vote: db.Vote) -> None:
        self.all.append((vote.id, "failed"))


@pytest.fixture
def effects() -> Iterator[Effects]:
    made = Effects()
    votes.kinds["test"] = Kind(made.passed, made.failed)
    yield made
    del votes.kinds["test"]


@pytest_asyncio.fixture(loop_scope="module")
async def table(here: World) -> AsyncIterator[Game]:
    """Three people and a bot player."""
    yield await here.game(3, bots=1)


async def begin(game: Game, opener: int | None = 0, **more: Any) -> db.Vote:
    """The vote that somebody has opened."""
    vote: db.Vote = await game.world.tables.votes.open(game.live, "test", {"seat": 2, **more}, opener=opener)
    await game.settled()
    return vote


async def asked(game: Game, vote: db.Vote) -> Message:
    """The vote's message."""
    await game.settled()
    slot = await game.world.store.slot(game.id, f"vote{vote.id}")
    assert slot is not None
    return await game.people[0].message(str(slot.message_id))


async def test_more_than_half_decide(table: Game, effects: Effects) -> None:
    vote = await begin(table)
    message = await asked(table, vote)
    assert "Yes 1, no 0; it takes 2 times yes." in message.text
    assert effects.of(vote) == []
    one, two = table.people[1], table.people[2]
    assert "yes" in (await table.press(two, message, "Yes")).reply.text
    await table.settled()
    assert effects.of(vote) == ["passed"]
    assert any("vote.test.passed (yes 2, no 0)" in shown.text for shown in await table.seen())
    assert not any(shown.id == message.id for shown in await table.seen())
    late = await table.raw_press(one, (await table.seen())[-1], message.button("No").custom_id)
    assert "That vote is over" in late.reply.text
    assert effects.of(vote) == ["passed"]


async def test_what_follows_is_done_once_by_whoever_comes_first(table: Game, effects: Effects) -> None:
    """The watch may have read the vote just before a press has closed it."""
    vote = await begin(table)
    await table.press(table.people[2], await asked(table, vote), "Yes")
    await table.settled()
    read_before = msgspec.structs.replace(vote, state="passed")
    await table.world.tables.votes._settle(table.live, read_before)
    assert effects.of(vote) == ["passed"]


async def test_the_host_alone_is_never_enough(here: World, effects: Effects) -> None:
    game = await here.game(2)
    vote = await begin(game)
    await game.press(game.people[0], await asked(game, vote), "Yes")
    await game.settled()
    assert effects.of(vote) == []
    await game.press(game.people[1], await asked(game, vote), "No")
    assert effects.of(vote) == ["failed"]


async def test_bot_players_do_not_count_and_who_leaves_counts_no_more(table: Game, effects: Effects) -> None:
    vote = await begin(table)
    assert vote.voters == (0, 1, 2)
    await table.says(table.people[1], "table leave", sure=True)
    await table.says(table.people[2], "table leave", sure=True)

    async def decided() -> bool:
        return bool(effects.of(vote))

    await until(decided)
    assert effects.of(vote) == ["passed"]


async def test_who_may_not_vote_is_told_so(table: Game, effects: Effects) -> None:
    vote = await table.world.tables.votes.open(table.live, "test", {"seat": 1}, opener=0, voters=[0, 2])
    message = await asked(table, vote)
    assert "for others" in (await table.press(table.people[1], message, "Yes")).reply.text
    assert "watching" in (await table.press(table.people[4], message, "Yes")).reply.text
    assert effects.of(vote) == []


async def test_a_vote_is_given_anew_not_twice(table: Game, effects: Effects) -> None:
    vote = await begin(table)
    for label in ("No", "No"):
        await table.press(table.people[1], await asked(table, vote), label)
    assert "Yes 1, no 1" in (await asked(table, vote)).text
    assert effects.of(vote) == []


async def test_who_must_vote_is_pinged_once(table: Game, effects: Effects) -> None:
    message = await asked(table, await begin(table))
    assert set(message.mentions) == {table.people[1].id, table.people[2].id}


async def test_the_same_is_asked_once(table: Game, effects: Effects) -> None:
    await begin(table)
    with pytest.raises(Exception, match="votes on that already"):
        await begin(table, 1)
    await begin(table, 1, more=3)


async def test_it_outlives_a_restart_and_ends_in_time(table: Game, effects: Effects) -> None:
    vote = await begin(table)
    message = await asked(table, vote)
    await table.world.restart()
    assert (await asked(table, vote)).id == message.id
    await table.press(table.people[1], message, "No")

    await restart(table.world, 30)
    assert effects.of(vote) == []
    table.world.skip(23)
    await table.settled()
    assert "Yes 1, no 1" in (await asked(table, vote)).text
    table.world.skip(2)

    async def decided() -> bool:
        return bool(effects.of(vote))

    await until(decided)
    await table.settled()
    assert effects.of(vote) == ["failed"]


async def test_what_a_crash_cut_short_is_done_after_it(table: Game, effects: Effects) -> None:
    vote = await begin(table)

    async def decided_but_not_done() -> None:
        async with await db.Store.open(table.world.config.database.path) as store:
            assert await store.end_vote(vote, "passed")

    await table.world.restart(decided_but_not_done)

    async def closed() -> bool:
        found = await table.world.store.vote(vote.id)
        return found is not None and found.state == "closed"

    await until(closed)
    assert effects.of(vote) == ["passed"]


async def test_votes_go_with_their_game(table: Game, effects: Effects) -> None:
    vote = await begin(table)
    await table.says(table.people[0], "game cancel", sure=True)
    await table.settled()
    assert not any("vote.test.ask" in message.text for message in await table.seen())

    async def closed() -> bool:
        found = await table.world.store.vote(vote.id)
        return found is not None and found.state == "closed"

    await until(closed)
    assert effects.of(vote) == []
