"""Who has sat where, and which games count."""

import msgspec
import pytest

import db
from db.records import Seating


def member(game: int, seat: int, user: int | None, kind: str = "human") -> db.Member:
    return db.Member(game, seat, user, kind, name=f"n{user}")


@pytest.fixture
async def game(store) -> int:
    number = await store.create_game(
        key="toy", guild_id=7, home_channel_id=1, host_id=1, options=b"", secret=b"", now_ms=1, channel_id=2
    )
    await store.set_members(number, [member(number, 0, 1), member(number, 1, 2), member(number, 2, None, "bot")])
    return number


async def start(store, game):
    await store.start(game, header=b"h", position=b"p", checkpoint=b"c", records=[(0, b"r")], now_ms=2)


async def step(store, game, **more):
    length = await store.length(game)
    await store.commit(
        db.Commit(
            game_id=game, expected=length, records=((length, b"r"),), position=b"p", now_ms=more.pop("now", 10), **more
        )
    )


async def test_who_has_sat_where_is_noted_from_the_start_on(store, game):
    await start(store, game)
    await step(store, game, members=(member(game, 1, None, "bot"),))
    await step(store, game, members=(member(game, 1, 3),))
    await step(store, game, members=(msgspec.structs.replace(member(game, 1, 3), name="another name"),))
    await step(store, game, status="ended", result=b"the end", now=20)
    (ended,) = await store.ended()
    assert (ended.id, ended.key, ended.guild_id, ended.ended_ms, ended.result) == (game, "toy", 7, 20, b"the end")
    assert ended.seatings == (
        Seating(game, 0, 0, 1, "human"),
        Seating(game, 1, 0, 2, "human"),
        Seating(game, 1, 2, None, "bot"),
        Seating(game, 1, 3, 3, "human"),
        Seating(game, 2, 0, None, "bot"),
    )


async def test_an_end_that_is_taken_back_counts_no_more(store, game):
    await start(store, game)
    assert await store.ended() == []
    await step(store, game, status="ended", now=20)
    await step(store, game, now=30)
    assert [ended.ended_ms for ended in await store.ended()] == [20]
    await step(store, game, status="running", now=40)
    assert await store.ended() == []
    await step(store, game, status="ended", now=50)
    assert [ended.ended_ms for ended in await store.ended()] == [50]


async def test_abandoned_games_do_not_count(store, game):
    await start(store, game)
    await store.update_game(game, now_ms=3, status="abandoned")
    assert await store.ended() == []


async def test_games_by_server_and_by_person(store, game):
    await start(store, game)
    await step(store, game, members=(member(game, 1, 3),))
    await step(store, game, status="ended")
    for guild, user in ((7, None), (None, 1), (None, 2), (7, 3), (None, None)):
        assert [ended.id for ended in await store.ended(guild_id=guild, user_id=user)] == [game]
    for guild, user in ((8, None), (None, 9), (8, 1)):
        assert await store.ended(guild_id=guild, user_id=user) == []


async def test_games_of_an_older_database_count(tmp_path):
    """Those that were running or over before seatings were noted."""
    import sqlite3
    from contextlib import closing

    from db.schema import migrations

    path = tmp_path / "old.sqlite3"
    scripts = migrations()
    before = next(n for n, script in enumerate(scripts) if "CREATE TABLE seatings" in script)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        for script in scripts[:before]:
            old.executescript(script)
        old.execute(f"PRAGMA user_version = {before}")
        old.execute(
            "INSERT INTO games (key, home_channel_id, host_id, status, options, secret, header, position, created_ms,"
            " updated_ms, result) VALUES ('toy', 1, 1, 'ended', x'', x'', x'', x'', 1, 99, x'01')"
        )
        old.execute(
            "INSERT INTO members (game_id, seat, user_id, kind, bot, name, preference, salt, dm_closed)"
            " VALUES (1, 0, 5, 'human', '', 'E', '', '', 0)"
        )
    async with await db.Store.open(path) as store:
        (ended,) = await store.ended(user_id=5)
        assert (ended.ended_ms, ended.seatings) == (99, (Seating(1, 0, 0, 5, "human"),))
