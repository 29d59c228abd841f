"""What a soak ends with, on games of every kind: nothing is found where all is well, and whatever is wrong is found."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import msgspec
import pytest

from rules.engine import Event
from sandbox.audit import Findings, Seats, audit
from sandbox.client import Entry

from .watching import play
from .world import EVERY, WORLD, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")

Change = Callable[[Entry], list[Entry]]


def seats_of(game: Game) -> Seats:
    """Who sits there."""
    found = Seats()
    for seat, person in enumerate(game.people[:2]):
        found.note(seat, person.id, game.live.members[seat].name)
    return found


async def secret_of(game: Game) -> str:
    """A line that only one of the two may read."""
    for _, _, data in await game.world.store.events(game.id, 0):
        event = msgspec.msgpack.decode(data, type=Event)
        if event.audience is not None and len(line := game.live.labels.event(event)) > 8:
            return line
    raise AssertionError("nothing was told in secret")


async def test_what_is_wrong_is_found(here: World):
    games = [await here.game(2, key=key) for key in EVERY]
    for game in games:
        await play(game, 12)
    game = games[EVERY.index(WORLD)]
    watcher, secret, turn = game.people[4].id, await secret_of(game), await game.turn()
    who = {game.id: seats_of(game) for game in games}
    _, journal = await here.client.journal()

    async def found(change: Change = lambda entry: [entry]) -> Findings:
        entries = [changed for entry in journal for changed in change(entry)]
        return await audit(here.client, here.config.database.path, who, {}, entries)

    def of_hand(entry: Entry) -> bool:
        return any(file["filename"].startswith("hand") for file in entry.attachments)

    def told(entry: Entry) -> list[Entry]:
        body = {**entry.body, "text": secret}
        return [replace(entry, body=body) if entry.message_id == turn.id else entry]

    async def look() -> None:
        well = await found()
        assert not well.any, well
        assert well.games == {"running": 3}
        assert well.records > 20
        shown = await found(lambda e: [replace(e, audience=(*e.audience, watcher)) if of_hand(e) else e])
        assert any("a hand was shown" in line for line in shown.leaks)
        assert any(repr(secret) in line for line in (await found(told)).leaks)
        assert (await found(lambda e: [e, e])).pings
        assert (await found(lambda e: [replace(e, pings=())])).pings
        await here.client.delete_message(turn.id)
        assert [line for line in (await found()).unshown if f"game {game.id}:" in line]
        sql = "UPDATE games SET status = ? WHERE id = ?"
        with closing(sqlite3.connect(here.config.database.path, isolation_level=None)) as connection:
            connection.execute(sql, ("ended", game.id))
            assert [line for line in (await found()).inconsistent if f"game {game.id} " in line]
            connection.execute(sql, ("running", game.id))

    await here.restart(look)
