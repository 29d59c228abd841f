"""A store in a temporary folder, and games to try it with."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from db import Commit, Member, NewOutbox, Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[Store]:
    async with await Store.open(path) as opened:
        yield opened


async def _lobby(store: Store, **changes: Any) -> int:
    game = {"key": "toy", "guild_id": 1, "home_channel_id": 2, "host_id": 3, "options": b"o", "secret": b"s"}
    return await store.create_game(**game | {"now_ms": 1} | changes)


async def _running(store: Store, **changes: Any) -> int:
    game_id = await _lobby(store, **changes)
    await store.start(game_id, header=b"header", position=b"p0", records=[(0, b"r0")], checkpoint=b"c0", now_ms=2)
    return game_id


def _answer(game_id: int, seq: int, **changes: Any) -> Commit:
    """A commit that leaves a trace in every table. Record 0 is the start, so answers count from 1."""
    parts: dict[str, Any] = {
        "game_id": game_id,
        "expected": seq,
        "records": ((seq, b"r%d" % seq),),
        "checkpoints": ((seq, b"c%d" % seq),),
        "position": b"p%d" % seq,
        "events": ((seq, 0, b"e%d.0" % seq), (seq, 1, b"e%d.1" % seq)),
        "outbox": (NewOutbox(1000 + game_id, f"turn{seq}", b"m%d" % seq),),
        "interaction_id": game_id * 1_000_000 + seq,
        "now_ms": 100 + seq,
    }
    return Commit(**parts | changes)


@pytest.fixture
def lobby() -> Callable[..., Any]:
    return _lobby


@pytest.fixture
def running() -> Callable[..., Any]:
    return _running


@pytest.fixture
def answer() -> Callable[..., Commit]:
    return _answer


@pytest.fixture
def dump() -> Callable[[Path], list[str]]:
    """Everything in a database file, for comparing before and after."""

    def everything(path: Path) -> list[str]:
        connection = sqlite3.connect(path)
        try:
            return list(connection.iterdump())
        finally:
            connection.close()

    return everything


@pytest.fixture
def table() -> list[Member]:
    """Two people and a bot player."""
    people = [Member(0, 0, 11, name="Ann", salt="x"), Member(0, 1, 12, name="Ben", dm_closed=True)]
    return [*people, Member(0, 2, None, kind="bot", bot="strong", preference="red")]
