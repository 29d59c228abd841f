"""Pings: once to who becomes awaited, in the way he has chosen, never for an edit; and found when they got lost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace as replaced

from sandbox.client import Message

from .waiting import alone, dms, passes, restart, table
from .world import THRONE, WORLD, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
both = pytest.mark.parametrize("key", [THRONE, WORLD])


async def pings(game: Game, seat: int) -> list[Message]:
    """The messages in the channel that have pinged the seat's person."""
    await game.settled()
    person = game.people[seat]
    return [m for m in await game.seen() if person.id in m.mentions]


async def until_other(game: Game, seat: int) -> int:
    """Play on until the turn has gone from that seat to another person's; who that is."""
    for _ in range(60):
        now = await alone(game)
        if now != seat:
            return now
        await game.answer_simply(now)
    raise AssertionError("the turn does not end")


@both
async def test_who_becomes_awaited_is_pinged_once(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none", seats=3)
    other = await until_other(game, seat)
    told = await pings(game, other)
    assert told
    message = told[-1]
    assert "is asked" in message.text or f"<@{game.people[other].id}>" in message.text
    assert f"game {game.id}" in message.text
    assert game.live.timing.waits[other].pinged
    count = len(told)
    await game.answer_simply(other)
    while await alone(game) == other:
        await game.answer_simply(other)
        assert len(await pings(game, other)) <= count
    assert not [m for m in await pings(game, other) if m.id not in [t.id for t in told]]


@both
async def test_a_message_put_anew_pings_nobody(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none")
    await game.settled()
    before = await game.turn()
    await game.says(game.people[1 - seat], "table turn")
    await game.says(game.people[seat], "table turn")
    await game.settled()
    after = await game.turn()
    assert after.id != before.id
    assert after.mentions == ()
    here.sandbox.core.faults.add(
        {
            "method": "PATCH",
            "path": f"/channels/{game.thread}/messages/{after.id}",
            "status": 400,
            "code": 30046,
            "times": 1,
        }
    )
    await game.says(game.people[0], "game pace", pace="day")

    async def replaced_by_another() -> bool:
        return (await game.turn()).id != after.id

    await until(replaced_by_another)
    assert (await game.turn()).mentions == ()


@both
async def test_by_direct_message(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none", seats=3)
    for person in here.people[:3]:
        await game.says(person, "my settings", ping="dm")
    try:
        other = await until_other(game, seat)
        await game.settled()
        letter = (await dms(here, game.people[other]))[-1]
        slot = await here.store.slot(game.id, f"turn{game.live.turn.number}")
        assert "You are asked" in letter.text
        assert f"game {game.id}" in letter.text
        assert f"/{game.thread}/" in letter.text
        assert slot is not None
        assert not await pings(game, other) or (await pings(game, other))[-1].id != str(slot.message_id)
        if game.live.asks.get(other) is None:
            assert str(slot.message_id) in letter.text
        await game.says(game.people[other], "table turn")
        anew = await game.turn()
        assert anew.id != str(slot.message_id)
        led = next(m for m in await dms(here, game.people[other]) if m.id == letter.id)
        assert anew.id in led.text, "the link leads to where the question is now"
        await until_other(game, other)
        await game.settled()
        assert letter.id not in [m.id for m in await dms(here, game.people[other])]
    finally:
        for person in here.people[:3]:
            await game.says(person, "my settings", ping="mention")


async def test_a_vote_comes_by_direct_message_too(here: World) -> None:
    game, _ = await table(here, THRONE, seats=3)
    person = game.people[1]
    await game.says(person, "my settings", ping="dm")
    try:
        await game.says(game.people[0], "table pause")
        await game.settled()
        vote = next(m for m in await game.seen() if "stand still for a while" in m.text)
        assert vote.mentions == (game.people[2].id,)
        letter = (await dms(here, person))[-1]
        assert f"/{game.thread}/{vote.id}" in letter.text
        await game.press(game.people[2], vote, "No")
        assert len([m for m in await dms(here, person) if vote.id in m.text]) == 1
    finally:
        await game.says(person, "my settings", ping="mention")


@both
async def test_closed_direct_messages_become_mentions(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none")
    other = 1 - seat
    person = game.people[other]
    await game.says(person, "my settings", ping="dm")
    await here.client.close_dm(person)
    try:
        await until_other(game, seat)

        async def told() -> bool:
            return any("closed to me" in m.text for m in await pings(game, other))

        await until(told)
        await until_other(game, other)
        before = [m.id for m in await pings(game, other)]
        await until_other(game, seat)
        assert [m for m in await pings(game, other) if m.id not in before]
    finally:
        await here.client.close_dm(person, False)
        await game.says(person, "my settings", ping="mention")


@both
async def test_not_at_all(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    other = 1 - seat
    person = game.people[other]
    await game.says(person, "my settings", ping="none")
    letters = len(await dms(here, person))
    try:
        before = [m.id for m in await pings(game, other)]
        await until_other(game, seat)
        await passes(game, 20)
        assert [m.id for m in await pings(game, other) if m.id not in before] == []
        assert len([m for m in await dms(here, person) if "hand" not in m.text]) <= letters
    finally:
        await game.says(person, "my settings", ping="mention")


@both
async def test_who_is_next(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none", seats=3)
    for person in here.people[:3]:
        await game.says(person, "my settings", next=True)
    try:
        other = await until_other(game, seat)
        await game.settled()
        order = game.live.rules.playing(game.table.state)
        following = order[(order.index(other) + 1) % 3]
        told = [m for m in await game.seen() if "you are next" in m.text]
        assert [m.mentions for m in told] == [(game.people[following].id,)]
        await restart(here)
        await until_other(game, other)
        await game.settled()
        assert told[0].id not in [m.id for m in await game.seen()]
    finally:
        for person in here.people[:3]:
            await game.says(person, "my settings", next=False)


@both
async def test_reminders(here: World, key: str) -> None:
    game, seat = await table(here, key)
    await passes(game, 17.9)
    assert not [m for m in await game.seen() if "time is over" in m.text]
    await passes(game, 0.3)
    reminder = [m for m in await game.seen() if "time is over" in m.text]
    assert [m.mentions for m in reminder] == [(game.people[seat].id,)]
    assert f"/{game.thread}/" in reminder[0].text
    await restart(here)
    await passes(game, 1)
    assert len([m for m in await game.seen() if "time is over" in m.text]) == 1
    await game.answer_simply(seat)
    await game.settled()
    assert not [m for m in await game.seen() if "time is over" in m.text]


async def test_reminders_as_one_likes(here: World) -> None:
    game, seat = await table(here, THRONE)
    person = game.people[seat]
    await game.says(person, "my settings", remind="off")
    await passes(game, 23)
    assert not [m for m in await game.seen() if "time is over" in m.text]
    await game.says(person, "my settings", remind="half")
    await passes(game, 0.1)
    assert [m for m in await game.seen() if "time is over" in m.text]
    await game.says(person, "my settings", remind="quarter")


@both
async def test_the_watchdog_finds_who_was_not_told(here: World, key: str, caplog: pytest.LogCaptureFixture) -> None:
    game, seat = await table(here, key, pace="none")
    await game.settled()
    told = {m.id for m in await pings(game, seat)}
    live = game.live
    async with live.lock:  # as after a ping that Discord has swallowed
        lost = replaced(live.timing.waits[seat], pinged=False)
        live.timing = replaced(live.timing, waits={**live.timing.waits, seat: lost})
        await here.store.set_timing(game.id, live.timing.stored())
    assert here.tables.pings.unpinged() == 0
    await restart(here)
    before = here.tables.pings.resent

    async def resent() -> bool:
        return here.tables.pings.resent > before

    here.skip(0.2)
    await until(resent)

    async def fresh_ones() -> list[Message]:
        return [m for m in await pings(game, seat) if m.id not in told]

    fresh = await until(fresh_ones)
    assert len(fresh) == 1
    assert f"game {game.id}" in fresh[0].text
    assert here.tables.pings.unpinged() == 0
    here.skip(1)
    await game.settled()
    assert here.tables.pings.resent == before + 1
    assert "was not pinged" in caplog.text


@both
async def test_who_was_here_a_moment_ago_sees_for_himself(
    here: World, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Unless he has left meanwhile: then he is told after a while, once."""
    game, seat = await table(here, key, pace="none")
    config = here.tables.config
    here.tables.config = replaced(config, time=replaced(config.time, recent_seconds=300.0))
    try:
        before = [m.id for m in await pings(game, seat)]
        await until_other(game, seat)
        await until_other(game, 1 - seat)
        assert [m.id for m in await pings(game, seat) if m.id not in before] == []
        assert game.live.timing.waits[seat].pinged

        async def fresh() -> list[Message]:
            return [m for m in await pings(game, seat) if m.id not in before]

        here.skip(0.15)
        assert await fresh() == []
        here.skip(0.05)
        assert len(await until(fresh)) == 1
        here.skip(1)
        await restart(here)
        assert len(await fresh()) == 1
        assert "was not pinged" not in caplog.text, "nothing was amiss"
    finally:
        here.tables.config = config
