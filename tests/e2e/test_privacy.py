"""What is held about a person, and that it can be had and be gone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

import db
from db.personal import HELD
from sandbox.client import Message, Person

from .playing import SHORT, play_out, played, step
from .world import GAMES, THRONE, WAIT, WORLD, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def held(here: World, person: Person) -> dict[str, Any]:
    done = await person.command("my data", channel="games", finish=WAIT)
    data = await here.client.download(done.reply.raw["attachments"][0]["url"])
    found: dict[str, Any] = json.loads(data)
    return found


def mentions(here: World, person: Person) -> dict[str, int]:
    """How many rows of each table hold the person's id or name, in whatever form."""
    number = int(person.id)
    forms = (str(number).encode(), number.to_bytes(8, "big"), person.name.encode())
    found: dict[str, int] = {}
    with closing(sqlite3.connect(here.config.database.path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                cells = [value if isinstance(value, bytes) else str(value).encode() for value in row]
                if any(form in cell for cell in cells for form in forms):
                    found[table] = found.get(table, 0) + 1
    return found


async def forget(here: World, person: Person) -> tuple[Message, str]:
    """What is asked, and what is said when the button is pressed."""
    asked = (await person.command("my forget", channel="games", finish=WAIT)).reply
    done = await person.press(asked.id, asked.button("Forget me").custom_id, finish=WAIT)
    return asked, done.message.text


async def settled(here: World) -> None:
    """Wait until everything there is to send is sent."""

    async def sent() -> bool:
        return not await here.store.queued()

    await until(sent)


async def test_everything_that_is_held_is_in_the_file(here: World):
    person = here.people[1]
    over = [await played(here, key) for key in GAMES]
    game = await here.game(2)
    for _ in range(4):
        await step(game)
    await here.store.set_setting(int(person.id), "zone", '"Europe/Paris"')
    await settled(here)
    found = await held(here, person)
    assert found["user_id"] == int(person.id)
    assert set(found) == {"user_id", "answers", *HELD}
    assert found["settings"] == [{"key": "zone", "value": '"Europe/Paris"'}]
    assert [row["game_id"] for row in found["seats"]] == [*(one.id for one in over), game.id]
    assert {row["name"] for row in found["seats"]} == {person.name}
    for one in over:
        answers = [row for row in found["answers"] if row["game_id"] == one.id]
        assert answers
        assert {row["seat"] for row in answers} == {1}
        assert all("answer" in row or "fields" in row for row in answers)
    rows = mentions(here, person)
    told = {"members": "seats", "seatings": "seatings", "settings": "settings", "slots": "messages", "looks": "looks"}
    for table, kind in told.items():
        assert len(found[kind]) == rows.pop(table, 0), table
    assert not rows.keys() - {"games"}, rows


async def test_the_file_holds_nothing_of_others(here: World):
    live = (await here.game(2)).live
    text = json.dumps(await held(here, here.people[1]))
    for other in (here.people[0], here.people[2]):
        assert other.id not in text
        assert f'"{other.name}"' not in text
    assert live.game.secret.hex() not in text
    (seat,) = [seat for seat, member in live.members.items() if member.user_id == int(here.people[1].id)]
    answers = json.loads(text)["answers"]
    assert {row["seat"] for row in answers if row["game_id"] == live.id} <= {seat}


async def test_asking_changes_nothing(here: World):
    person = here.people[1]
    await here.game(2)
    await settled(here)
    running = sum(live.seat_of(int(person.id)) is not None for live in here.tables.live.values())
    before = mentions(here, person)
    asked = (await person.command("my forget", channel="games", finish=WAIT)).reply
    assert f"Running games: {running}" in asked.text
    assert "There is no way back" in asked.text
    assert mentions(here, person) == before


@pytest.mark.parametrize("key", GAMES)
async def test_forgotten_everywhere(here: World, key: str):
    """Games that are over, running, kept, waiting; settings, messages: nothing names him any more, and all goes on."""
    person, other = here.people[2], here.people[0]
    over = await played(here, key, seats=3)
    running = await here.game(3, key=key, options=SHORT[key])
    await step(running)
    kept = await here.game(3, key=THRONE)
    await kept.says(person, "table leave", sure=True)
    waiting = await here.lobby(3, key=WORLD)
    await here.store.set_setting(int(person.id), "next", "true")
    watched = await here.game(2, key=key)
    await watched.says(person, "table follow")
    ladder = (await other.command("stats ladder", channel="games", game=key, finish=WAIT)).reply.text
    assert person.id in ladder
    await settled(here)
    assert mentions(here, person)
    asked, said = await forget(here, person)
    assert "Running games: 1" in asked.text
    assert "wait for players: 1" in asked.text
    assert "I have forgotten you" in said
    await settled(here)
    assert mentions(here, person) == {}
    assert running.live.is_bot(2)
    assert [m.user_id for m in await here.store.members(waiting.id)] == [int(p.id) for p in here.people[:2]]
    after = (await other.command("stats ladder", channel="games", game=key, finish=WAIT)).reply.text
    assert person.id not in after
    assert other.id in after
    await here.restart()
    await play_out(running)
    assert "Somebody" in await over.says(other, "table verify")
    assert "everything fits" in await running.says(other, "table verify")
    found = await held(here, person)
    assert not [kind for kind, rows in found.items() if rows and kind != "user_id"]
    for game in (kept, watched):
        await here.tables.abandon(game.id)
    await waiting.says(other, "game cancel")


async def test_where_nobody_else_sits_the_game_ends(here: World):
    person = here.people[4]
    made = await person.command("game create", game=THRONE, finish=WAIT)
    assert "is open" in made.reply.text
    game_id = max(game.id for game in await here.store.games("lobby"))
    game = await here.store.game(game_id)
    thread = str(game.channel_id)
    for command, options in (("game join", {}), ("game bots", {"count": 2}), ("game start", {})):
        await person.command(command, channel=thread, finish=WAIT, **options)
    assert game_id in here.tables.live
    _, said = await forget(here, person)
    assert "I have forgotten you" in said
    assert (await here.store.game(game_id)).status == "abandoned"
    await settled(here)
    assert mentions(here, person) == {}


async def test_the_host_of_a_lobby_who_did_not_join(here: World):
    person = here.people[5]
    await person.command("game create", game=WORLD, finish=WAIT)
    game_id = max(game.id for game in await here.store.games("lobby"))
    await forget(here, person)
    assert (await here.store.game(game_id)).status == "cancelled"
    assert mentions(here, person) == {}


async def test_who_sits_in_an_open_game_is_not_forgotten_by_the_store_alone(here: World):
    game = await here.game(2)
    with pytest.raises(db.Conflict):
        await here.store.forget_person(int(here.people[0].id), "Somebody")
    assert mentions(here, here.people[0])["members"]
    await here.tables.abandon(game.id)


async def test_that_hands_were_shown_is_kept_as_long_as_the_game_runs(here: World):
    person = here.people[3]
    game = await here.game(2)
    await here.store._db.write(
        lambda c: c.execute("INSERT OR IGNORE INTO hand_readers VALUES (?, ?)", (game.id, int(person.id))).rowcount
    )
    await forget(here, person)
    assert mentions(here, person) == {"hand_readers": 1}
    await here.tables.abandon(game.id)
    assert mentions(here, person) == {}
