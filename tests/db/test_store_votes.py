"""Votes and timings: kept, counted, and ended once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import db


@pytest.fixture
async def vote(store, lobby):
    game_id = await lobby(store)
    return await store.open_vote(db.Vote(game_id, "pause", {"seat": 1, "name": "x"}, 0, (0, 1, 2), (0,), (), 5, 10))


async def test_a_vote_comes_back_as_it_was(store, vote):
    assert vote.id > 0
    assert await store.vote(vote.id) == vote
    assert await store.votes() == [vote] == await store.votes(vote.game_id)
    assert await store.vote(vote.id + 1) is None


async def test_one_open_vote_about_the_same(store, vote):
    with pytest.raises(db.Conflict):
        await store.open_vote(replace(vote, id=0, subject={"name": "x", "seat": 1}))
    await store.open_vote(replace(vote, id=0, subject={"seat": 2}))
    assert await store.end_vote(vote, "failed")
    await store.open_vote(replace(vote, id=0))


async def test_ballots_are_counted_once(store, vote):
    for aye in (False, True, True, False):
        counted = await store.cast_vote(vote.id, 1, aye=aye)
    assert counted == await store.vote(vote.id)
    assert counted is not None
    assert (counted.ayes, counted.nays) == ((0,), (1,))
    assert await store.cast_vote(vote.id, 7, aye=True) is None
    assert await store.cast_vote(99, 1, aye=True) is None


async def test_a_vote_ends_once(store, vote):
    assert await store.end_vote(vote, "passed")
    assert not await store.end_vote(vote, "failed")
    assert await store.cast_vote(vote.id, 1, aye=True) is None
    assert await store.votes() == [replace(vote, state="passed")]
    assert await store.end_vote(replace(vote, state="passed"), "closed")
    assert await store.votes() == []


async def test_open_votes_are_put_off(store, vote):
    await store.put_off_votes(7)
    assert (await store.votes())[0].expires_ms == vote.expires_ms + 7


async def test_timings(store, lobby):
    game = await lobby(store)
    assert await store.timing(game) is None
    await store.set_timing(game, b"one")
    await store.set_timing(game, b"two")
    assert await store.timing(game) == b"two"
