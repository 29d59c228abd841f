"""Games, members and what lies on the table."""

import asyncio

import msgspec
import pytest

from db import AlreadyApplied, Conflict, Member, NotFound, UndoRequest


async def test_a_game_is_kept_as_it_was_created(store, lobby, table):
    game_id = await lobby(store, members=table, interaction_id=9, channel_id=77, guild_id=None)
    game = await store.game(game_id)
    assert (game.key, game.guild_id, game.home_channel_id, game.channel_id, game.host_id) == ("toy", None, 2, 77, 3)
    assert (game.status, game.options, game.secret, game.header, game.position) == ("lobby", b"o", b"s", b"", b"")
    assert (game.created_ms, game.updated_ms, game.result) == (1, 1, b"")
    assert await store.members(game_id) == [msgspec.structs.replace(m, game_id=game_id) for m in table]
    assert await store.game(game_id + 1) is None


async def test_one_interaction_creates_one_game(store, lobby):
    await lobby(store, interaction_id=9, channel_id=77)
    with pytest.raises(AlreadyApplied):
        await lobby(store, interaction_id=9, channel_id=77)
    assert len(await store.games()) == 1


async def test_update_changes_only_what_is_named(store, lobby):
    game_id = await lobby(store)
    before = await store.game(game_id)
    after = await store.update_game(game_id, now_ms=50, channel_id=8, options=b"new")
    assert after == msgspec.structs.replace(before, channel_id=8, options=b"new", updated_ms=50)
    assert await store.game(game_id) == after
    with pytest.raises(NotFound):
        await store.update_game(99, now_ms=1, host_id=1)


async def test_of_starting_and_cancelling_one_wins(store, lobby):
    game_id = await lobby(store)
    start = store.start(game_id, header=b"h", position=b"p", checkpoint=b"c", now_ms=2)
    cancel = store.update_game(game_id, now_ms=2, if_status="lobby", status="cancelled")
    results = await asyncio.gather(start, cancel, return_exceptions=True)
    assert [type(r) for r in results] == [type(None), Conflict]
    assert (await store.game(game_id)).status == "running"


async def test_games_by_status_server_and_user(store, lobby, running):
    a = await lobby(store, members=[Member(0, 0, 11)])
    b = await running(store, members=[Member(0, 0, 11), Member(0, 1, 12)], guild_id=5)
    c = await running(store)
    found = [
        [game.id for game in await store.games(*wanted)]
        for wanted in [(), ("running",), (None, 5), (None, None, 11), ("lobby", None, 11), ("ended",)]
    ]
    assert found == [[a, b, c], [b, c], [b], [a, b], [a], []]


async def test_a_channel_has_one_open_game(store, lobby):
    old = await lobby(store, channel_id=7)
    with pytest.raises(Conflict):
        await lobby(store, channel_id=7)
    await store.update_game(old, now_ms=2, status="cancelled")
    assert (await store.game_in_channel(7)).id == old
    new = await lobby(store, channel_id=7)
    assert (await store.game_in_channel(7)).id == new
    with pytest.raises(Conflict):
        await store.update_game(old, now_ms=3, status="lobby")
    await store.update_game(new, now_ms=4, channel_id=8)
    await store.update_game(old, now_ms=5, status="lobby")
    assert (await store.game_in_channel(7)).id == old
    assert await store.game_in_channel(99) is None


async def test_a_played_game_is_still_found_while_another_waits_in_its_channel(store, lobby):
    played = await lobby(store, channel_id=7)
    await store.update_game(played, now_ms=2, status="ended")
    new = await lobby(store, channel_id=7)
    assert (await store.game_in_channel(7)).id == new
    assert (await store.game_in_channel(7, played=True)).id == played
    await store.update_game(new, now_ms=3, status="cancelled")
    assert (await store.game_in_channel(7, played=True)).id == played
    assert await store.game_in_channel(8, played=True) is None


async def test_game_ids_are_never_used_twice(store, lobby):
    game_id = await lobby(store)
    await store._db.write(lambda c: c.execute("DELETE FROM games").rowcount)
    assert await lobby(store) > game_id


async def test_members_come_go_and_swap(store, lobby, table):
    game_id = await lobby(store, members=table)
    ann, ben, bot = await store.members(game_id)
    swapped = [msgspec.structs.replace(ann, seat=1), msgspec.structs.replace(ben, seat=0)]
    await store.set_members(game_id, swapped, now_ms=2, interaction_id=5)
    assert await store.members(game_id) == swapped[::-1]
    with pytest.raises(AlreadyApplied):
        await store.set_members(game_id, [bot], now_ms=3, interaction_id=5)
    with pytest.raises(ValueError, match="not of game"):
        await store.set_members(game_id, [Member(game_id + 1, 0, 1)])
    assert await store.members(game_id) == swapped[::-1]


async def test_who_joins_and_what_closes_a_lobby_do_not_miss_each_other(store, lobby, table):
    game_id = await lobby(store, members=table)
    table = await store.members(game_id)
    before = await store.game(game_id)
    await store.set_members(game_id, table, now_ms=before.updated_ms + 1)
    with pytest.raises(Conflict):
        await store.update_game(game_id, now_ms=9, if_updated_ms=before.updated_ms, status="cancelled")
    now = await store.game(game_id)
    assert now.status == "lobby"
    await store.update_game(game_id, now_ms=9, if_updated_ms=now.updated_ms, status="cancelled")
    with pytest.raises(Conflict):
        await store.set_members(game_id, table[:1], now_ms=10, interaction_id=6)
    assert len(await store.members(game_id)) == len(table)


async def test_what_is_changed_at_once_does_not_undo_each_other(store, lobby, table):
    game_id = await lobby(store, members=table)
    await asyncio.gather(
        store.update_member(game_id, 0, user_id=99, name="Zoe"),
        store.update_member(game_id, 0, dm_closed=True),
    )
    zoe = (await store.members(game_id))[0]
    assert (zoe.user_id, zoe.name, zoe.dm_closed) == (99, "Zoe", True)
    with pytest.raises(NotFound):
        await store.update_member(game_id, 9, name="nobody")


async def test_drafts(store, lobby):
    game_id = await lobby(store)
    await store.set_draft(game_id, 1, 4, b"half")
    await store.set_draft(game_id, 1, 5, b"other")
    draft = await store.draft(game_id, 1)
    assert (draft.question, draft.data) == (5, b"other")
    assert await store.draft(game_id, 0) is None


async def test_undo_requests_gather_consents(store, lobby):
    game_id = await lobby(store)
    assert await store.consent(game_id, 1) is None
    request = UndoRequest(game_id, 0, to_seq=3, head_seq=8, needed=(1, 2), created_ms=5)
    await store.set_undo_request(request)
    assert await store.undo_request(game_id) == request
    with pytest.raises(Conflict):
        await store.set_undo_request(request)
    await asyncio.gather(*(store.consent(game_id, seat) for seat in (2, 1, 2)))
    assert set((await store.undo_request(game_id)).consents) == {1, 2}
    assert len((await store.consent(game_id, 1)).consents) == 2
    await store.clear_undo_request(game_id)
    assert await store.undo_request(game_id) is None


async def test_reports_settings_and_meta(store, lobby):
    game_id = await lobby(store)
    await store.add_report("r1", game_id, b"log", 7)
    report = await store.report("r1")
    assert (report.game_id, report.data, report.created_ms) == (game_id, b"log", 7)
    assert await store.report("r2") is None

    await store.set_setting(11, "images", "large")
    await store.set_setting(11, "images", "small")
    await store.set_setting(11, "mention", "no")
    await store.set_setting(12, "images", "none")
    await store.set_setting(11, "mention", None)
    assert await store.settings(11) == {"images": "small"}

    assert await store.meta("tree") is None
    await store.set_meta("tree", "abc")
    await store.set_meta("tree", "def")
    assert await store.meta("tree") == "def"
    await store.set_meta("tree", None)
    assert await store.meta("tree") is None
