"""SIGKILL of a real process, at random and at the named points."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from db import AlreadyRunning, Store

ROOT = Path(__file__).parents[2]
WORKER = [sys.executable, str(Path(__file__).with_name("worker.py"))]


def start(*command, **environment):
    kept = {name: value for name, value in os.environ.items() if name != "CRASH_AT"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=kept | {"PYTHONPATH": str(ROOT)} | environment
    )


def acknowledged(output):
    """How many answers of each game the worker said were acknowledged."""
    counts = {}
    # A line that was cut off acknowledges nothing.
    for line in output[: output.rfind("\n") + 1].splitlines():
        game_id, seq = map(int, line.split())
        assert counts.get(game_id, 0) + 1 == seq
        counts[game_id] = seq
    return counts


async def found(path):
    """How many answers of each game the database holds, having checked that each is there in all its parts."""
    counts = {}
    async with await Store.open(path) as store:
        for game in await store.games("running"):
            loaded = await store.load(game.id, 0)
            n = counts[game.id] = loaded.length - 1
            assert loaded.tail == [(seq, b"r%d" % seq) for seq in range(1, n + 1)]
            assert game.position == b"%d" % n
            assert await store.checkpoints(game.id) == list(range(n + 1))
            assert [seq for seq, _, _ in await store.events(game.id, 0)] == list(range(1, n + 1))
            assert [row.slot for row in await store.queued(game.id)] == [f"turn{seq}" for seq in range(1, n + 1)]
            seen = [await store.seen(game.id * 1_000_000 + seq) for seq in range(1, n + 2)]
            assert seen == [True] * n + [False]
    return counts


async def open_and_close(path):
    async with await Store.open(path):
        pass


async def new_games(path, lobby, count):
    async with await Store.open(path) as store:
        games = [await lobby(store) for _ in range(count)]
        for game_id in games:
            await store.start(game_id, header=b"h", position=b"0", records=[(0, b"r0")], checkpoint=b"c", now_ms=1)
    return games


async def test_sigkill_at_random(path, lobby):
    games = await new_games(path, lobby, 5)
    before = dict.fromkeys(games, 0)
    for pause in (0.05, 0.15, 0.1, 0.2):
        worker = start(*WORKER, str(path))
        assert worker.stdout.readline() == "open\n"
        first = worker.stdout.readline()  # on a slow machine it takes a while until anything is acknowledged
        time.sleep(pause)  # noqa: ASYNC251
        worker.send_signal(signal.SIGKILL)
        output = first + worker.communicate()[0]
        assert worker.returncode == -signal.SIGKILL
        lines = [f"{game_id} {seq}" for game_id, n in before.items() for seq in range(1, n + 1)]
        told = acknowledged("".join(f"{line}\n" for line in lines) + output)
        kept = await found(path)
        assert sum(told.values()) > sum(before.values())
        for game_id in games:
            # At most the one answer in flight is there without having been acknowledged.
            assert kept[game_id] - told.get(game_id, 0) in (0, 1)
        before = kept


@pytest.mark.parametrize(
    ("point", "kept_beyond_told"),
    [
        ("store.before_begin", 0),
        ("store.after_begin", 0),
        ("store.before_commit", 0),
        ("store.after_commit", 1),
    ],
)
@pytest.mark.parametrize("passage", ["", ":4"])
async def test_sigkill_at_named_points(path, lobby, point, passage, kept_beyond_told):
    (game_id,) = await new_games(path, lobby, 1)
    worker = start(*WORKER, str(path), CRASH_AT=point + passage)
    output = worker.communicate(timeout=60)[0]
    assert worker.returncode == -signal.SIGKILL
    told = acknowledged(output.removeprefix("open\n")).get(game_id, 0)
    assert told == (3 if passage else 0)
    assert await found(path) == {game_id: told + kept_beyond_told}


async def test_a_second_process_is_kept_out_until_the_first_is_killed(path, lobby):
    await new_games(path, lobby, 1)
    worker = start(*WORKER, str(path))
    try:
        assert worker.stdout.readline() == "open\n"
        with pytest.raises(AlreadyRunning, match=r"bot\.db is in use"):
            await Store.open(path)
        worker.send_signal(signal.SIGSTOP)  # however long it doesn't move
        with pytest.raises(AlreadyRunning):
            await Store.open(path)
    finally:
        worker.kill()
        worker.communicate()
    async with await Store.open(path):
        pass


def test_a_child_that_outlives_the_bot_keeps_nobody_out(path):
    program = (
        "import asyncio, os, sys, time\nfrom db import Store\n"
        "async def main():\n"
        "    await Store.open(sys.argv[1])\n"
        "    if os.fork() == 0: time.sleep(60)\n"
        "    print('forked', flush=True); time.sleep(60)\n"
        "    os._exit(0)\n"
        "asyncio.run(main())\n"
    )
    bot = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    try:
        assert bot.stdout.readline() == "forked\n"
        bot.kill()
        bot.wait()
        asyncio.run(open_and_close(path))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(bot.pid, signal.SIGKILL)
        bot.stdout.close()


@pytest.mark.parametrize("ending", ["raise ValueError('boom')", "return", "await store.game(1); sys.exit(3)"])
@pytest.mark.parametrize("closed", [True, False])
def test_the_process_ends_whatever_happens(path, ending, closed):
    body = f"async with await Store.open(sys.argv[1]) as store:\n        {ending}"
    if not closed:
        body = f"store = await Store.open(sys.argv[1])\n    {ending}"
    program = f"import asyncio, sys\nfrom db import Store\nasync def main():\n    {body}\nasyncio.run(main())\n"
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == {"r": {"a": 1, "e": 0}, "a": {"w": 3}}[ending[0]][ending[1]]
    assert ("boom" in done.stderr) == ending.startswith("raise")


async def test_killed_while_opening_a_new_file(path):
    """Killed at any time while the file is made, the next start makes it."""
    program = "import asyncio, sys\nfrom db import Store\nprint('go', flush=True)\nasyncio.run(Store.open(sys.argv[1]))"
    for pause in (0, 0.002, 0.004, 0.008, 0.016):
        worker = start(sys.executable, "-c", program, str(path))
        worker.stdout.readline()
        await asyncio.sleep(pause)
        worker.kill()
        worker.communicate()
        async with await Store.open(path) as store:
            assert await store.games() == []
        path.unlink()
