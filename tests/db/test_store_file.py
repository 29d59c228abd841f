"""The file itself: versions, damage, a full disk, backups."""

import asyncio
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from db import AlreadyRunning, CorruptDatabase, DiskFull, NewerDatabase, NotFound, Store, backup, schema
from db.__main__ import main
from db.backup import check, copy, restore

LATEST = len(schema.migrations())


async def play(store, running, answer, count):
    game_id = await running(store)
    for seq in range(1, count + 1):
        await store.commit(answer(game_id, seq, checkpoints=((seq, bytes([seq % 256]) * 3000),)))
    return game_id


@pytest.fixture
async def used(path, running, answer):
    """A closed database with a game of 100 answers."""
    async with await Store.open(path) as store:
        await play(store, running, answer, 100)
    return path


def version(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


async def test_newer_database(used):
    with closing(sqlite3.connect(used)) as connection:
        connection.execute(f"PRAGMA user_version = {LATEST + 3}")
    before = used.read_bytes()
    with pytest.raises(NewerDatabase, match=rf"version {LATEST + 3}, but .* only up to {LATEST}\."):
        await Store.open(used)
    assert used.read_bytes() == before
    assert sorted(file.name for file in used.parent.iterdir()) == ["bot.db", "bot.db.lock"]


@pytest.mark.parametrize("damage", ["garbage", "header", "half", "one page", "foreign"])
async def test_a_damaged_file_is_refused_and_left_alone(used, damage):
    content = bytearray(used.read_bytes())
    pages = len(content) // 4096
    assert pages > 50
    match damage:
        case "garbage":
            content = bytearray(b"no database at all " * 500)
        case "header":
            content[:100] = bytes(100)
        case "half":
            del content[len(content) // 2 :]
        case "one page":
            content[pages // 2 * 4096 : (pages // 2 + 1) * 4096] = b"\xff" * 4096
        case "foreign":
            used.unlink()
            with closing(sqlite3.connect(used)) as connection:
                connection.execute("CREATE TABLE recipes (name TEXT)")
            content = bytearray(used.read_bytes())
    used.write_bytes(content)
    with pytest.raises(CorruptDatabase, match=r"bot\.db is (damaged|not a database)"):
        await Store.open(used)
    assert used.read_bytes() == content
    with pytest.raises(CorruptDatabase):
        await Store.open(used)  # and the lock was let go


async def test_damage_found_while_running(store, running, answer):
    game_id = await play(store, running, answer, 100)
    await store._db.write(lambda c: None)
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'records'").fetchone()
    with store.path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    await store._db._reader.execute("PRAGMA shrink_memory")
    with pytest.raises(CorruptDatabase):
        await store.records(game_id)


async def test_full_disk(store, running, answer, dump):
    game_id = await play(store, running, answer, 3)

    def limit(connection, pages):
        return connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()[0]

    (used_pages,) = await store._db.read(lambda c: c.execute("PRAGMA page_count").fetchone())
    await store._db.write(lambda c: limit(c, used_pages + 2))
    before = await store._db.read(lambda c: list(c.iterdump()))
    for _ in range(3):
        with pytest.raises(DiskFull, match="No room left"):
            await store.commit(answer(game_id, 4, checkpoints=((4, bytes(50_000)),)))
        assert await store._db.read(lambda c: list(c.iterdump())) == before
    await store._db.write(lambda c: limit(c, 1_000_000))
    await store.commit(answer(game_id, 4, checkpoints=((4, bytes(50_000)),)))
    assert await store.length(game_id) == 5


async def test_a_file_where_no_folder_is(tmp_path):
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        await Store.open(tmp_path / "nowhere" / "bot.db")


def make_version(path: Path, number: int) -> None:
    """A database as version `number` of the bot left it, with a row in each of its tables that all have."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for script in schema.migrations()[:number]:
            connection.executescript(script)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute(
            "INSERT INTO games (id, key, guild_id, home_channel_id, channel_id, host_id, status, options, secret, header,"
            " position, created_ms, updated_ms, result) VALUES (7, 'toy', 1, 2, 3, 4, 'running', x'01', x'02', x'03', x'04', 5, 6, x'')"
        )
        connection.execute(
            "INSERT INTO members (game_id, seat, user_id, kind, bot, name, preference, salt, dm_closed)"
            " VALUES (7, 0, 11, 'human', '', 'Ann', '', 'x', 0)"
        )
        if number >= 3:
            for slot in ("hand0", "turn1"):
                connection.execute("INSERT INTO slots VALUES (7, ?, 1, 2, 3, '')", (slot,))


@pytest.mark.parametrize("number", range(1, LATEST + 1))
async def test_migration_from_each_earlier_version(path, number, answer):
    make_version(path, number)
    path.chmod(0o644)  # as earlier versions made it
    async with await Store.open(path) as store:
        assert (await store.game(7)).position == b"\x04"
        assert (await store.members(7))[0].name == "Ann"
        assert await store.length(7) == 0
        moved = "hand0.11" if number < 6 else "hand0"
        assert [slot.slot for slot in await store.slots(7)] == ([moved, "turn1"] if number >= 3 else [])
        await store.commit(answer(7, 0))
        await store.set_draft(7, 0, 1, b"d")
        modes = [stat.S_IMODE(file.stat().st_mode) for file in (path, path.with_name(f"{path.name}-wal"))]
    assert modes == 2 * [0o600 if number < LATEST else 0o644]
    assert version(path) == LATEST
    copies = [file for file in path.parent.iterdir() if "before-migration" in file.name]
    assert [version(file) for file in copies] == ([number] if number < LATEST else [])


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE extra (x); INSERT INTO nowhere VALUES (1);",
        "CREATE TABLE extra (x); INSERT INTO members VALUES (99, 0, 11, 'human', '', '', '', '', NULL, 0, NULL);",
    ],
)
async def test_a_migration_that_fails_changes_nothing(used, tmp_path, monkeypatch, dump, script):
    folder = tmp_path / "migrations"
    shutil.copytree(schema.FOLDER, folder)
    (folder / f"{LATEST + 1:04}_bad.sql").write_text(script)
    monkeypatch.setattr(schema, "FOLDER", folder)
    before = dump(used)
    with pytest.raises((sqlite3.OperationalError, RuntimeError)):
        await Store.open(used)
    assert (dump(used), version(used)) == (before, LATEST)
    (folder / f"{LATEST + 1:04}_bad.sql").write_text("ALTER TABLE games ADD COLUMN extra TEXT;")
    async with await Store.open(used) as store:
        assert await store.length(1) == 101
    assert version(used) == LATEST + 1


async def test_migrations_must_be_numbered_without_a_gap(tmp_path, monkeypatch):
    (tmp_path / "0002_x.sql").touch()
    monkeypatch.setattr(schema, "FOLDER", tmp_path)
    with pytest.raises(RuntimeError, match="not numbered"):
        await Store.open(tmp_path / "bot.db")


async def test_one_store_at_a_time(store):
    for _ in range(2):
        with pytest.raises(AlreadyRunning):
            await Store.open(store.path)
    link = store.path.with_name("link.db")
    link.symlink_to(store.path)
    with pytest.raises(AlreadyRunning):
        await Store.open(link)
    await store.set_meta("still", "works")


async def test_backup_while_writing_and_restore(path, tmp_path, running, answer, dump):
    target = tmp_path / "copy.db"
    async with await Store.open(path) as store:
        game_id = await play(store, running, answer, 50)
        other = await running(store)
        stop = False

        async def write():
            seq = 0
            while not stop:
                seq += 1
                await store.commit(answer(other, seq))
            return seq

        writing = asyncio.create_task(write())
        while await store.length(other) < 7:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        for _ in range(5):
            await store.backup(target)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        stop = True
        written = await writing
        total = await store.length(game_id)
    assert written > 5
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bot.db", "bot.db.lock", "copy.db"]
    assert [modes["bot.db-wal"], modes["bot.db"], stat.S_IMODE(target.stat().st_mode)] == 3 * [0o600]
    taken = dump(target)
    aside = restore(target, path)
    assert dump(path) == taken
    assert aside is not None
    assert [file.name for file in aside.iterdir()] == ["bot.db"]
    async with await Store.open(path) as store:
        assert await store.length(game_id) == total
        assert 1 < await store.length(other) <= written + 1
        assert await store.records(other) == [(seq, b"r%d" % seq) for seq in range(await store.length(other))]


async def test_a_write_does_not_wait_for_a_backup(store, running, answer, tmp_path, monkeypatch):
    """The copy is held in its middle while a commit and a read go through; it still is of its moment."""
    monkeypatch.setattr(backup, "PAGES_A_STEP", 1)
    game_id = await play(store, running, answer, 20)
    loop, reached, go_on = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    steps = 0

    def pause() -> bool:
        nonlocal steps
        steps += 1
        if steps == 10:
            loop.call_soon_threadsafe(reached.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(60)
        return False

    copying = asyncio.create_task(asyncio.to_thread(copy, store.path, tmp_path / "copy.db", pause))
    await asyncio.wait_for(reached.wait(), 60)
    await asyncio.wait_for(store.commit(answer(game_id, 21)), 60)
    assert await store.length(game_id) == 22
    go_on.set()
    await copying
    assert steps < 200
    async with await Store.open(tmp_path / "copy.db") as copied:
        assert await copied.length(game_id) == 21


async def test_a_cancelled_backup_stops_and_leaves_nothing(store, tmp_path, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection, path):
        begun.set()
        assert go_on.wait(10)

    monkeypatch.setattr(backup, "inspect", slow)
    folder = tmp_path / "copies"
    folder.mkdir()
    copying = asyncio.create_task(store.backup(folder / "copy.db"))
    assert await asyncio.to_thread(begun.wait, 10)
    copying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await copying
    go_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert list(folder.iterdir()) == []


async def test_rotation_keeps_the_newest(store, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "bot-notes.txt").touch()
    hour = 3_600_000
    start = 1_790_000_000_000
    made = [await store.backup_rotating(folder, keep=3, now_ms=start + n * hour) for n in range(5)]
    assert sorted(folder.iterdir()) == sorted([*made[2:], folder / "bot-notes.txt"])
    late = await store.backup_rotating(folder, keep=2, now_ms=start)  # the clock was set back
    assert sorted(folder.glob("*.backup")) == sorted([late, made[4]])
    assert "sound" in check(late)


async def test_a_damaged_database_pushes_no_good_backup_out(used, tmp_path):
    folder = tmp_path / "backups"
    first = backup.rotate(used, folder, 1, 1_790_000_000_000)
    content = bytearray(used.read_bytes())
    content[40 * 4096 : 42 * 4096] = b"\xff" * 8192
    used.write_bytes(content)
    with pytest.raises(CorruptDatabase):
        backup.rotate(used, folder, 1, 1_790_000_999_000)
    assert list(folder.iterdir()) == [first]


def test_restore_over_a_damaged_file_with_its_log(used, tmp_path, dump):
    good = tmp_path / "good.db"
    copy(used, good)
    wanted = dump(good)
    used.write_bytes(used.read_bytes()[:5000])
    Path(f"{used}-wal").write_bytes(b"leftover of the damaged file")
    aside = restore(good, used)
    assert dump(used) == wanted
    assert {"bot.db", "bot.db-wal"} <= {file.name for file in aside.iterdir()}
    assert (aside / "bot.db").stat().st_size == 5000


async def test_restore_needs_the_bot_stopped_and_a_good_copy(store, tmp_path):
    good, bad = tmp_path / "good.db", tmp_path / "bad.db"
    await store.backup(good)
    bad.write_bytes(good.read_bytes()[:6000])
    await store.set_meta("k", "v")
    with pytest.raises(AlreadyRunning):
        restore(good, store.path)
    await store.close()
    for wrong, error in ((bad, CorruptDatabase), (tmp_path / "none.db", NotFound)):
        with pytest.raises(error):
            restore(wrong, store.path)
    async with await Store.open(store.path) as again:
        assert await again.meta("k") == "v"


async def test_command_line(used, tmp_path, capsys, dump):
    target, bad = tmp_path / "copy.db", tmp_path / "bad.db"
    before = dump(used)
    assert main(["backup", str(used), str(target)]) == 0
    bad.write_bytes(target.read_bytes()[:-4096])
    assert main(["check", str(used), str(target)]) == 0
    assert capsys.readouterr().out.count(f"sound, version {LATEST}, 1 games, 1 of them running") == 3
    assert main(["check", str(used), str(bad), str(tmp_path / "none")]) == 1
    assert "bad.db is damaged" in (errors := capsys.readouterr().err)
    assert "There is no file" in errors
    used.unlink()
    assert main(["restore", str(target), str(used)]) == 0
    assert dump(used) == before
    assert main(["restore", str(bad), str(used)]) == 1
    async with await Store.open(used) as store:
        assert main(["backup", str(used), str(target)]) == 0  # while the bot runs
        assert main(["restore", str(target), str(used)]) == 1
        assert await store.length(1) == 101
    root = Path(__file__).parents[2]
    run = [sys.executable, "-m", "db", "check", str(used)]
    assert subprocess.run(run, cwd=root, capture_output=True, check=False).returncode == 0  # noqa: ASYNC221
