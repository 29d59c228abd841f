"""Two things at the same moment, and things that go wrong where nobody waits for them."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import Any

import aiohttp
import pytest

import db

from .waiting import alone, passes
from .watching import play
from .world import ECLIPSE, THRONE, WAIT, WORLD, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def offered(game: Game, seat: int, to: int) -> Any:
    """The message by which the seat is offered to that person."""
    await game.says(game.people[seat], "table replace", user=game.people[to].id)
    return await game.said("will you take over")


async def held_up(game: Game, count: int) -> None:
    """Wait until so many wait for the game."""
    await until(lambda: asyncio.sleep(0, len(game.live.lock._waiters or ()) >= count))


async def test_who_takes_a_seat_is_not_thrown_out_by_the_one_who_leaves_it(here: World):
    game = await here.game(3)
    offer = await offered(game, 2, 3)
    first, second = game.people[2], game.people[3]
    async with game.live.lock:
        taking = asyncio.create_task(game.press(second, offer, offer.buttons[0].label))
        await held_up(game, 1)
        leaving = asyncio.create_task(game.says(first, "table leave", sure=True))
        await held_up(game, 2)
    await taking
    await leaving
    assert game.live.members[2].user_id == int(second.id)


async def test_who_joins_a_lobby_that_is_just_being_closed(here: World, monkeypatch: pytest.MonkeyPatch):
    """Whichever comes first: he is not seated in a closed game, and one that he has joined is not closed."""
    game, other = await here.lobby(1), await here.lobby(1)
    set_members, close = here.store.set_members, here.tables.idle._close

    async def late(game_id: int, *given: Any, **more: Any) -> None:
        await close(await here.store.game(game_id))
        await set_members(game_id, *given, **more)

    stale = await here.store.game(other.id)
    assert "You sit in" in await other.says(here.people[1], "game join")
    with pytest.raises(db.Conflict):
        await close(stale)
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "set_members", late)
        assert "moved on meanwhile" in await game.says(here.people[1], "game join")
    assert len(await here.store.members(game.id)) == 1
    assert [(await here.store.game(one.id)).status for one in (game, other)] == ["cancelled", "lobby"]


async def test_who_is_shown_hands_does_not_sit_down_at_the_same_moment(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await here.lobby(3, key=THRONE)
    await game.says(game.people[0], "game spectators", hands="1")
    await game.says(game.people[0], "game start")
    while game.live.turn.number < 5:
        await play(game, 1)
    offer = await offered(game, 2, 3)
    watcher = game.people[3]
    reads, seated, boards = [], asyncio.Event(), here.bot.get_cog("SpectatorsCog")._boards

    async def slow(*given: Any) -> Any:
        found = await boards(*given)
        reads.append(found)
        await seated.wait()
        return found

    monkeypatch.setattr(here.bot.get_cog("SpectatorsCog"), "_boards", slow)
    looking = asyncio.create_task(game.command(watcher, "table open"))

    async def looked() -> bool:
        return bool(reads)

    await until(looked)
    await game.press(watcher, offer, offer.buttons[0].label)
    assert game.live.seat_of(int(watcher.id)) == 2
    seated.set()
    shown = (await looking).reply
    assert "You play in this game" in shown.text
    assert not shown.images


WATCHES = {
    "deadlines": ("tables.idle", "look", ValueError("odd")),
    "votes": ("store", "votes", ValueError("odd")),
    "sender": ("store", "due", sqlite3.OperationalError("disk I/O error")),
}


@pytest.mark.parametrize("name", WATCHES)
async def test_no_watch_ends_on_an_error(here: World, name: str, monkeypatch: pytest.MonkeyPatch):
    where, what, error = WATCHES[name]
    owner = here.bot
    for part in where.split("."):
        owner = getattr(owner, part)
    failed, tasks = asyncio.Event(), {task.get_name(): task for task in asyncio.all_tasks()}

    async def fail(*given: Any, **more: Any) -> Any:
        failed.set()
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(owner, what, fail)
        for part in (here.tables.deadlines, here.tables.votes, here.tables.sender):
            part.wake()
        await asyncio.wait_for(failed.wait(), WAIT)
        await asyncio.sleep(0.1)
    assert not tasks[name].done()
    here.skip(0.1)
    game = await here.game(2)
    await game.turn()


async def test_the_watch_over_who_is_gone_does_not_end_on_an_error(here: World, monkeypatch: pytest.MonkeyPatch):
    cog, failed = here.bot.get_cog("AbsenceCog"), asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise aiohttp.ClientConnectionError

    with monkeypatch.context() as patched:
        patched.setattr(cog, "look_around", fail)
        here.skip(1.1)
        await asyncio.wait_for(failed.wait(), WAIT)
        await asyncio.sleep(0.1)
    assert not cog._watch.done()


async def test_more_time_does_not_tell_who_of_several_is_late(here: World):
    """Whoever has missed an answer before gets no grace; that somebody else of several would must not show that it is he
    who has answered."""
    told = []
    for answered in (0, 1):
        game = await here.game(3, key=WORLD, pace="day")
        live = game.live
        live.timing = type(live.timing)(
            **{f: getattr(live.timing, f) for f in live.timing.__struct_fields__} | {"misses": {2: 1}}
        )
        await game.answer_simply(answered)
        await game.answer_simply(1 - answered) if answered else None
        await passes(game, 24.1)
        told.append(live.timing.due_ms is not None and len(game.table.asked) == 3)
    assert told == [True, True]


async def test_a_ping_that_could_not_be_queued_is_not_taken_for_sent(here: World, monkeypatch: pytest.MonkeyPatch):
    """That somebody was told is noted together with what tells him, or not at all."""
    game = await here.game(2, key=WORLD)
    await alone(game)
    person = game.people[0]
    await game.says(person, "my settings", ping="dm")
    try:
        queue, failed = here.store.queue, asyncio.Event()

        async def fail(game_id: int, rows: Any, *given: Any, **more: Any) -> None:
            whole = list(rows)
            if any(row.slot.startswith("dmping") for row in whole) and not failed.is_set():
                failed.set()
                raise sqlite3.OperationalError("disk I/O error")
            await queue(game_id, whole, *given, **more)

        monkeypatch.setattr(here.store, "queue", fail)
        for _ in range(60):
            if failed.is_set():
                break
            await game.answer_simply(game.unanswered)
            await game.settled()

        async def told() -> bool:
            notes = [note for note in game.live.timing.waits[0].notes if note.startswith("dmping")]
            return bool(notes) and await here.store.slot(game.id, notes[0]) is not None

        await until(told)
    finally:
        await game.says(person, "my settings", ping="mention")


async def test_who_has_just_lost_the_seat_acts_there_no_more(here: World):
    """A step that waits while somebody else sits down is not done in his name."""
    game = await here.game(3, key=ECLIPSE)
    offer = await offered(game, 2, 3)
    first, second = game.people[2], game.people[3]
    async with game.live.lock:
        taking = asyncio.create_task(game.press(second, offer, offer.buttons[0].label))
        await held_up(game, 1)
        undoing = asyncio.create_task(game.says(first, "table undo"))
        redoing = asyncio.create_task(game.says(first, "table redo"))
        await held_up(game, 3)
    await taking
    assert game.live.seat_of(int(second.id)) == 2
    assert "You are watching" in await undoing
    assert "You are watching" in await redoing
