"""In order per channel, latest wins per slot, and a row that was tried is never replaced."""

import asyncio
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db import NewOutbox, Store


async def payloads(store, now=10):
    return [row.payload for row in await store.due(now)]


async def test_order_per_channel(store, lobby):
    a, b = await lobby(store), await lobby(store)
    await store.queue(a, [NewOutbox(1, "x", b"1x"), NewOutbox(2, "y", b"2y"), NewOutbox(1, "z", b"1z")], 5)
    await store.queue(b, [NewOutbox(1, "x", b"1b"), NewOutbox(0, "h", b"dm7", user_id=7)], 5)
    await store.queue(a, [NewOutbox(0, "h", b"dm8", user_id=8)], 5)
    assert await payloads(store) == [b"1x", b"2y", b"dm7", b"dm8"]
    assert [row.payload for row in await store.due(10, 2)] == [b"1x", b"2y"]
    first = (await store.due(10))[0]
    await store.drop(first.id)
    assert await payloads(store) == [b"2y", b"1z", b"dm7", b"dm8"]
    assert [row.payload for row in await store.queued(b)] == [b"1b", b"dm7"]


async def test_a_row_put_off_holds_up_its_channel_only(store, lobby):
    game_id = await lobby(store)
    await store.queue(game_id, [NewOutbox(1, "x", b"1x"), NewOutbox(1, "y", b"1y"), NewOutbox(2, "x", b"2x")], 5)
    await store.queue(game_id, [NewOutbox(3, "x", b"3x", not_before_ms=11)], 5)
    await store.later((await store.due(10))[0].id, 20)
    assert await payloads(store, 10) == [b"2x"]
    assert await payloads(store, 11) == [b"2x", b"3x"]
    assert await payloads(store, 20) == [b"1x", b"2x", b"3x"]
    assert await store.next_due() == 0
    await store.drop((await store.due(10))[0].id)
    assert await store.next_due() == 11
    for row in await store.queued():
        await store.drop(row.id)
    assert await store.next_due() is None


async def test_latest_wins_in_the_place_of_the_first(store, lobby):
    game_id = await lobby(store)
    await store.queue(game_id, [NewOutbox(1, "x", b"old", nonce="n1"), NewOutbox(1, "y", b"y")], 5)
    await store.queue(game_id, [NewOutbox(1, "x", b"new", nonce="n2", delete=True)], 6)
    rows = await store.queued()
    assert (rows[0].payload, rows[0].nonce, rows[0].delete, rows[0].created_ms) == (b"new", "n2", True, 6)
    assert [row.payload for row in rows] == [b"new", b"y"]
    other = await lobby(store)
    await store.queue(other, [NewOutbox(1, "x", b"other game")], 7)
    await store.queue(game_id, [NewOutbox(2, "x", b"other channel"), NewOutbox(0, "x", b"dm", user_id=1)], 7)
    assert len(await store.queued()) == 5


async def test_what_is_queued_anew_gives_way_to_what_is_newer(store, lobby):
    game_id = await lobby(store)
    await store.queue_anew(game_id, NewOutbox(1, "x", b"again"), 5)
    assert await payloads(store, 6) == [b"again"]
    await store.queue(game_id, [NewOutbox(1, "x", b"new")], 7)
    await store.queue_anew(game_id, NewOutbox(1, "x", b"again"), 8)
    assert await payloads(store, 9) == [b"new"]


async def test_a_tried_row_is_followed_not_replaced(store, lobby):
    game_id = await lobby(store)
    await store.queue(game_id, [NewOutbox(1, "x", b"old")], 5)
    (due,) = await store.due(10)
    row = await store.attempt(due.id, 10)
    assert (row.tries, row.first_try_ms) == (1, 10)
    await store.queue(game_id, [NewOutbox(1, "x", b"new")], 11)
    await store.queue(game_id, [NewOutbox(1, "x", b"newer")], 12)
    assert [row.payload for row in await store.queued()] == [b"old", b"newer"]
    again = await store.attempt(due.id, 20)
    assert (again.tries, again.first_try_ms, again.nonce, again.payload) == (2, 10, row.nonce, b"old")
    assert await store.sent(due.id, 500, "d", 21)
    assert await payloads(store, 21) == [b"newer"]


async def test_what_is_replaced_between_due_and_attempt_is_not_lost(store, lobby):
    game_id = await lobby(store)
    await store.queue(game_id, [NewOutbox(1, "x", b"old")], 5)
    (due,) = await store.due(10)
    await store.queue(game_id, [NewOutbox(1, "x", b"new")], 6)
    assert (await store.attempt(due.id, 10)).payload == b"new"
    await store.drop(due.id)
    assert await store.attempt(due.id, 10) is None
    assert not await store.sent(due.id, 1, "d", 10)
    assert await store.slots(game_id) == []


async def test_nonces_are_ours_and_differ(store, lobby):
    game_id = await lobby(store)
    await store.queue(game_id, [NewOutbox(1, f"s{n}", b"") for n in range(50)], 5)
    nonces = {row.nonce for row in await store.queued()}
    assert len(nonces) == 50
    assert all(0 < len(nonce) <= 25 for nonce in nonces)


async def test_slots(store, lobby):
    game_id = await lobby(store)

    async def send(row, message_id, digest, now, **where):
        await store.queue(game_id, [row], now)
        (queued,) = await store.queued()
        await store.attempt(queued.id, now)
        assert await store.sent(queued.id, message_id, digest, now, **where)
        assert await store.queued() == []

    await send(NewOutbox(1, "turn", b"a"), 500, "d1", 10)
    await send(NewOutbox(1, "turn", b"b"), 500, "d2", 20)
    slot = await store.slot(game_id, "turn")
    assert (slot.channel_id, slot.message_id, slot.created_ms, slot.digest) == (1, 500, 10, "d2")
    await send(NewOutbox(1, "turn", b"c"), 600, "d3", 30)
    slot = await store.slot(game_id, "turn")
    assert (slot.message_id, slot.created_ms) == (600, 30)
    await send(NewOutbox(0, "hand", b"h", user_id=7), 550, "d", 40, channel_id=70)
    assert [(s.slot, s.channel_id) for s in await store.slots(game_id)] == [("hand", 70), ("turn", 1)]
    await send(NewOutbox(1, "turn", b"", delete=True), 600, "", 50)
    assert await store.slot(game_id, "turn") is None
    assert not await store.forget_slot(game_id, "hand", 551), "another one stands there"
    assert await store.forget_slot(game_id, "hand", 550)
    assert not await store.forget_slot(game_id, "hand")
    assert await store.slots(game_id) == []


class Model:
    """The outbox as a list of [id, game, channel, slot, payload, tries, not_before]."""

    def __init__(self):
        self.rows, self.ids = [], itertools.count(1)

    def queue(self, game, channel, slot, payload):
        for row in self.rows:
            if row[1:4] == [game, channel, slot] and row[5] == 0:
                row[4], row[6] = payload, 0
                return
        self.rows.append([next(self.ids), game, channel, slot, payload, 0, 0])

    def due(self, now):
        heads = {}
        for row in self.rows:
            heads.setdefault(row[2], row)
        return [row for row in self.rows if heads[row[2]] is row and row[6] <= now]


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("queue"), st.integers(0, 1), st.integers(1, 2), st.sampled_from("xy")),
        st.tuples(st.sampled_from(["attempt", "sent", "drop"]), st.integers(0, 2)),
        st.tuples(st.just("later"), st.integers(0, 2), st.integers(0, 9)),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def loop_and_store(tmp_path_factory):
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(tmp_path_factory.mktemp("model") / "bot.db"))
        # The model is about order, not about durability.
        runner.run(store._db._writer.execute("PRAGMA synchronous = OFF"))
        yield runner, store
        runner.run(store.close())


@settings(max_examples=60, deadline=None)
@given(operations=OPERATIONS)
def test_the_outbox_does_as_its_model(loop_and_store, operations):
    runner, store = loop_and_store
    runner.run(_compare(store, operations))


async def _compare(store, operations):
    new = {"key": "toy", "guild_id": 1, "home_channel_id": 2, "host_id": 3, "options": b"", "secret": b""}
    games = [await store.create_game(**new, now_ms=1) for _ in range(2)]
    model = Model()
    for n, (name, *rest) in enumerate(operations):
        due = model.due(5)
        if name == "queue":
            game, channel, slot = rest
            payload = b"%d" % n
            await store.queue(games[game], [NewOutbox(channel, slot, payload)], n)
            model.queue(game, channel, slot, payload)
        elif rest[0] < len(due):
            row, found = due[rest[0]], (await store.due(5))[rest[0]]
            if name == "attempt":
                row[5] += 1
                assert (await store.attempt(found.id, n)).payload == row[4]
            elif name == "later":
                row[6] = rest[1]
                await store.later(found.id, rest[1])
            else:
                model.rows.remove(row)
                await (store.drop(found.id) if name == "drop" else store.sent(found.id, 1, "", n))
        for mine, theirs in ((model.rows, await store.queued()), (model.due(5), await store.due(5))):
            assert [[games[r[1]], *r[2:]] for r in mine] == [
                [r.game_id, r.channel_id, r.slot, r.payload, r.tries, r.not_before_ms] for r in theirs
            ]
    for left in await store.queued():
        await store.drop(left.id)
