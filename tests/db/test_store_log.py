"""Nothing acknowledged is lost, nothing is applied twice."""

import asyncio
import sqlite3
import threading

import pytest

from db import AlreadyApplied, Conflict, Member, NewOutbox, NotFound, Store, UndoRequest


async def everything(store):
    return await store._db.read(lambda c: list(c.iterdump()))


async def test_start(store, lobby):
    game_id = await lobby(store)
    what = {
        "header": b"h",
        "position": b"p",
        "records": [(0, b"started")],
        "checkpoint": b"c",
        "events": [(0, 0, b"setup")],
        "outbox": [NewOutbox(5, "turn", b"hello")],
        "interaction_id": 9,
        "now_ms": 8,
    }
    await store.start(game_id, **what)
    game = await store.game(game_id)
    assert (game.status, game.header, game.position, game.updated_ms) == ("running", b"h", b"p", 8)
    assert await store.checkpoint(game_id) == (0, b"c")
    assert await store.events(game_id, 0) == [(0, 0, b"setup")]
    assert await store.records(game_id) == [(0, b"started")]
    assert [row.payload for row in await store.queued(game_id)] == [b"hello"]
    before = await everything(store)
    with pytest.raises(AlreadyApplied):
        await store.start(game_id, **what)
    with pytest.raises(Conflict):
        await store.start(game_id, **what | {"interaction_id": 10})
    with pytest.raises(NotFound):
        await store.start(99, **what | {"interaction_id": 11})
    assert await everything(store) == before


async def test_a_commit_changes_everything_at_once(store, running, answer, table):
    game_id = await running(store)
    await store.set_draft(game_id, 0, 1, b"")
    await store.set_draft(game_id, 1, 1, b"kept")
    await store.set_undo_request(UndoRequest(game_id, 0, 0, 0, (1,)))
    await store.commit(
        answer(
            game_id,
            1,
            status="ended",
            result=b"won",
            members=(Member(game_id, 1, 12, name="Ben"),),
            clear_drafts=(0,),
            clear_undo=True,
        )
    )
    game = await store.game(game_id)
    assert (game.status, game.result, game.position, game.updated_ms) == ("ended", b"won", b"p1", 101)
    assert await store.records(game_id) == [(0, b"r0"), (1, b"r1")]
    assert await store.checkpoints(game_id) == [0, 1]
    assert await store.events(game_id, 1, 1) == [(1, 0, b"e1.0"), (1, 1, b"e1.1")]
    assert [row.slot for row in await store.queued()] == ["turn1"]
    assert [member.name for member in await store.members(game_id)] == ["Ben"]
    assert await store.draft(game_id, 0) is None
    assert (await store.draft(game_id, 1)).data == b"kept"
    assert await store.undo_request(game_id) is None
    assert await store.seen(game_id * 1_000_000 + 1)
    await store.commit(answer(game_id, 2))  # an end can be undone; what isn't named stays
    assert (await store.game(game_id)).result == b"won"


async def test_nothing_is_applied_twice(store, running, answer):
    game_id = await running(store)
    await store.commit(answer(game_id, 1, interaction_id=5))
    before = await everything(store)
    for again in (answer(game_id, 1, interaction_id=5), answer(game_id, 2, interaction_id=5)):
        with pytest.raises(AlreadyApplied):
            await store.commit(again)
    assert await everything(store) == before
    assert not await store.seen(6)


async def test_a_double_press_counts_once(store, running, answer):
    game_id = await running(store)
    presses = [store.commit(answer(game_id, 1, interaction_id=5)) for _ in range(10)]
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(r).__name__ for r in results) == ["AlreadyApplied"] * 9 + ["NoneType"]


async def test_conflict_changes_nothing(store, lobby, running, answer):
    game_id = await running(store)
    await store.commit(answer(game_id, 1))
    waiting, gone = await lobby(store), await running(store)
    await store.update_game(gone, now_ms=3, status="abandoned")
    before = await everything(store)
    for late in (answer(game_id, 1, interaction_id=70), answer(game_id, 3), answer(waiting, 0), answer(gone, 1)):
        with pytest.raises(Conflict):
            await store.commit(late)
    with pytest.raises(NotFound):
        await store.commit(answer(99, 0))
    assert await everything(store) == before


async def test_a_game_whose_channel_was_taken_cannot_go_on(store, running, lobby, answer):
    game_id = await running(store, channel_id=7)
    await store.commit(answer(game_id, 1, status="ended"))
    await lobby(store, channel_id=7)
    with pytest.raises(Conflict):
        await store.commit(answer(game_id, 2, status="running"))
    assert await store.length(game_id) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"records": ((1, b"a"), (3, b"b"))},
        {"records": ((2, b"a"),)},
        {"records": ((1, b"a"), (1, b"b"))},
        {"events": ((0, 0, b""), (0, 0, b""))},
        {"outbox": (NewOutbox(1, "s", b"", nonce="x" * 26),)},
        {"outbox": (NewOutbox(1, "s", b"", user_id=2),)},
        {"members": (Member(2, 0, 1),)},
    ],
)
async def test_a_commit_that_fails_half_way_changes_nothing(store, running, answer, wrong):
    game_id = await running(store)
    before = await everything(store)
    with pytest.raises((sqlite3.IntegrityError, ValueError)):
        await store.commit(answer(game_id, 1, **wrong))
    assert await everything(store) == before
    await store.commit(answer(game_id, 1))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE records SET data = x''",
        "DELETE FROM records",
        "INSERT OR REPLACE INTO records VALUES (1, 0, x'')",
        "DELETE FROM games",
    ],
)
async def test_the_log_is_append_only(store, running, answer, sql):
    game_id = await running(store)
    await store.commit(answer(game_id, 1))
    with pytest.raises(sqlite3.IntegrityError):
        await store._db.write(lambda c: c.execute(sql).rowcount)
    assert await store.records(game_id) == [(0, b"r0"), (1, b"r1")]


async def test_loading(store, running, answer, table):
    game_id = await running(store, members=table)
    for seq in range(1, 6):
        await store.commit(answer(game_id, seq, checkpoints=((3, b"c3"),) if seq == 3 else ()))
    loaded = await store.load(game_id)
    assert (loaded.base, loaded.checkpoint, loaded.length) == (3, b"c3", 6)
    assert loaded.tail == [(4, b"r4"), (5, b"r5")]
    assert loaded.game == await store.game(game_id)
    assert loaded.members == await store.members(game_id)
    undone = await store.load(game_id, 0, [0, 1, 4])
    assert (undone.base, undone.checkpoint) == (0, b"c0")
    assert undone.tail == [(0, b"r0"), (1, b"r1"), (4, b"r4")]
    assert (await store.load(game_id, 3, [])).tail == []
    for missing in ((game_id, 2), (game_id, 0, [6]), (99,)):
        with pytest.raises(NotFound):
            await store.load(*missing)


async def test_reading_parts_of_the_log(store, running, answer):
    game_id, other = await running(store), await running(store)
    for seq in range(1, 6):
        await store.commit(answer(game_id, seq))
    await store.commit(answer(other, 1))
    assert [seq for seq, _ in await store.records(game_id, 2, 4)] == [2, 3, 4]
    assert [seq for seq, _ in await store.records(game_id, 4)] == [4, 5]
    assert [seq for seq, _, _ in await store.events(game_id, 1, 2)] == [1, 1, 2, 2]
    assert await store.checkpoint(game_id, 3) == (3, b"c3")
    assert await store.checkpoint(game_id, 99) == (5, b"c5")
    assert await store.checkpoint(99) is None
    assert (await store.length(game_id), await store.length(99)) == (6, 0)


async def test_old_interactions_are_forgotten(store, running, answer):
    game_id = await running(store)
    await store.commit(answer(game_id, 1, interaction_id=5, now_ms=1000))
    await store.commit(answer(game_id, 2, interaction_id=6, now_ms=2000))
    assert await store.forget_interactions(2000) == 1
    assert (await store.seen(5), await store.seen(6)) == (False, True)


async def test_fifty_games_at_once(store, running, answer):
    games = [await running(store) for _ in range(50)]

    async def play(game_id):
        for seq in range(1, 11):
            await store.commit(answer(game_id, seq))
            assert (await store.load(game_id)).length == seq + 1

    await asyncio.gather(*map(play, games))
    for game_id in games:
        assert await store.records(game_id) == [(seq, b"r%d" % seq) for seq in range(11)]
        assert (await store.game(game_id)).position == b"p10"
        assert [row.slot for row in await store.queued(game_id)] == [f"turn{seq}" for seq in range(1, 11)]


async def test_a_cancelled_commit_is_still_whole(store, running, answer):
    """Cancelled in the middle of its transaction it still happens; what waits behind it finds a sound store."""
    game_id = await running(store)
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection):
        connection.execute("INSERT INTO records VALUES (?, 1, x'01')", (game_id,))
        begun.set()
        assert go_on.wait(10)
        connection.execute("UPDATE games SET position = x'01' WHERE id = ?", (game_id,))

    task = asyncio.create_task(store._db.write(slow))
    assert await asyncio.to_thread(begun.wait, 10)
    behind = [asyncio.create_task(store.commit(answer(game_id, 2, interaction_id=n))) for n in (1, 2)]
    await asyncio.sleep(0)
    task.cancel()
    behind[0].cancel()  # hasn't begun: never will
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.length(game_id) == 1  # reads don't wait, and see nothing half-done
    go_on.set()
    await behind[1]
    assert behind[0].cancelled()
    assert await store.records(game_id) == [(0, b"r0"), (1, b"\x01"), (2, b"r2")]
    assert not await store.seen(1)


async def test_closing_waits_for_a_cancelled_commit(path, running):
    store = await Store.open(path)
    game_id = await running(store)
    begun = threading.Event()

    def slow(connection):
        begun.set()
        threading.Event().wait(0.1)
        connection.execute("INSERT INTO records VALUES (?, 1, x'01')", (game_id,))

    task = asyncio.create_task(store._db.write(slow))
    assert await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    await store.close()
    await store.close()
    async with await Store.open(path) as again:
        assert await again.length(game_id) == 2


async def test_an_error_inside_leaves_no_transaction_open(store, running, answer):
    game_id = await running(store)

    def broken(connection):
        connection.execute("INSERT INTO records VALUES (?, 1, x'01')", (game_id,))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store._db.write(broken)
    assert await store.length(game_id) == 1
    await store.commit(answer(game_id, 1))


async def test_the_connection_is_as_durable_as_promised(store):
    def pragmas(connection):
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    settings = []
    await store._db.write(lambda c: settings.extend(pragmas(c)))
    assert settings == ["wal", 2, 1]
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await store._db.read(lambda c: c.execute("DELETE FROM games"))
