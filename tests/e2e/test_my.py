"""`/my settings` and `/my games`: by slash command, menus and forms, for one person, in all his games."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from sandbox.client import Message, Outcome, Person

from .waiting import alone, due, passes, restart, table
from .world import THRONE, WAIT, WORLD, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def me(here: World) -> AsyncIterator[Person]:
    """A person with settings of his own for the time of a test."""
    yield here.people[0]
    await here.store.forget_person(int(here.people[5].id), "x")
    for name in ("ping", "next", "remind", "zone", "sleep", "vacations"):
        await here.store.set_setting(int(here.people[0].id), name, None)
    here.tables.people.forget(int(here.people[0].id))


async def settings(person: Person, **options: Any) -> str:
    """What `/my settings` answers."""
    return (await person.command("my settings", finish=WAIT, **options)).reply.text


async def panel(person: Person) -> Message:
    """The panel of settings."""
    shown = await person.command("my settings", finish=WAIT)
    assert shown.message is not None
    return shown.message


async def fill_in(person: Person, message: Message, label: str, **values: str) -> Outcome:
    """Press the button, and fill in the form it opens."""
    opened = await person.press(message.id, message.button(label).custom_id, finish=WAIT)
    assert opened.modal is not None
    return await person.submit(opened.modal, values, finish=WAIT)


def day(here: World, later: int) -> str:
    moment = here.clock.now_ms() / 1000 + later * 86_400
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).date().isoformat()


async def test_the_defaults(me: Person) -> None:
    text = await settings(me)
    assert "a mention in the channel" in text
    assert "UTC" in text
    assert "Vacation: **none**" in text


async def test_by_slash_command(here: World, me: Person) -> None:
    text = await settings(
        me, ping="both", next=True, remind="half", zone="europe/berlin", sleep="23-7:30", vacation_until=day(here, 3)
    )
    for part in ("a mention and a direct message", "half of the time", "Europe/Berlin", "23:00-07:30", day(here, 3)):
        assert part in text
    assert await settings(me) == text
    await restart(here)
    assert await settings(me) == text
    assert "a mention in the channel" in await settings(here.people[1])


async def test_by_menus_and_forms(here: World, me: Person) -> None:
    shown = await panel(me)
    await restart(here)
    chosen = await me.choose(shown.id, menu_of(shown, "myping"), ["dm"], finish=WAIT)
    assert "**a direct message**" in chosen.reply.text
    assert "never" in (await me.choose(shown.id, menu_of(shown, "myremind"), ["off"], finish=WAIT)).reply.text
    assert (
        "next: **yes**"
        in (await me.press(shown.id, shown.button("Tell me when I am next").custom_id, finish=WAIT)).reply.text
    )
    filled = await fill_in(me, shown, "Sleeping hours…", zone="Asia/Tokyo", sleep="22:00-6:00")
    assert "Asia/Tokyo" in filled.reply.text
    assert "22:00-06:00" in filled.reply.text
    filled = await fill_in(me, shown, "Vacation…", **{"from": day(here, 5), "until": day(here, 9)})
    assert f"{day(here, 5)} to {day(here, 9)}" in filled.reply.text
    filled = await fill_in(me, shown, "Vacation…", **{"from": "", "until": ""})
    assert "Vacation: **none**" in filled.reply.text
    filled = await fill_in(me, shown, "Sleeping hours…", zone="", sleep="")
    assert "I sleep: **none**" in filled.reply.text
    assert "Asia/Tokyo" in filled.reply.text


def menu_of(message: Message, verb: str) -> str:
    """The custom id of the menu with that verb."""
    return next(select.custom_id for select in message.selects if f":{verb}:" in select.custom_id)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"zone": "Mars/Olympus"}, "no time zone"),
        ({"sleep": "all day"}, "no sleeping hours"),
        ({"sleep": "8-7"}, "no sleeping hours"),
        ({"vacation_until": "soon"}, "Write days"),
        ({"vacation_until": "2020-01-01"}, "ends before"),
        ({"vacation_from": "2026-12-20"}, "last day"),
        ({"vacation_until": "9999-12-31"}, "Write days"),
        ({"vacation_from": "2999-01-01", "vacation_until": "2999-01-02"}, "too long"),
        ({"zone": "@everyone <@1> **x**"}, "no time zone"),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(me: Person, options: dict[str, str], why: str) -> None:
    before = await settings(me)
    assert why in await settings(me, ping="none", **options)
    assert await settings(me) == before


async def test_vacations_have_a_bound(here: World, me: Person) -> None:
    assert "too long" in await settings(me, vacation_until=day(here, 40))
    assert day(here, 26) in await settings(me, vacation_until=day(here, 26))
    here.skip(24 * 20)
    assert "none" in await settings(me, vacation_until="none")
    assert "too long" in await settings(me, vacation_until=day(here, 12))
    assert day(here, 6) in await settings(me, vacation_until=day(here, 6))
    await settings(me, vacation_until="none")


async def test_a_vacation_does_not_hold_a_game_up_for_ever(here: World) -> None:
    game, seat = await table(here, THRONE, grace=False)
    person = game.people[seat]
    longest = int(here.config.time.vacation_days) - 1
    assert day(here, longest) in await settings(person, vacation_until=day(here, longest))
    assert due(game) < 24 * (longest + 3)
    await passes(game, 24 * (longest + 3))
    assert game.live.timing.misses.get(seat) == 1
    assert "too long" in await settings(person, vacation_until=day(here, 5))


async def test_games(here: World, me: Person) -> None:
    assert "You sit in no game" in (await here.people[5].command("my games", finish=WAIT)).reply.text
    one, seat = await table(here, THRONE)
    two, _ = await table(here, WORLD, pace="none", seats=3)
    lobby = await here.lobby(2)
    ended = await here.lobby(2)
    await ended.says(me, "game cancel")
    for index, person in enumerate(here.people[:2]):
        text = (await person.command("my games", finish=WAIT)).reply.text
        for game in (one, two, lobby):
            assert f"game {game.id}]" in text
            assert f"/{game.thread})" in text
        assert f"game {ended.id}]" not in text
        line = next(line for line in text.splitlines() if f"game {one.id}]" in line)
        assert ("you are asked" in line) == (index == seat)
        assert "time until <t:" in line
        assert "time until" not in next(line for line in text.splitlines() if f"game {two.id}]" in line)
        assert "waiting for players" in next(line for line in text.splitlines() if f"game {lobby.id}]" in line)
    assert f"game {lobby.id}]" not in (await here.people[2].command("my games", finish=WAIT)).reply.text


async def test_seats_that_are_kept(here: World, me: Person) -> None:
    game, _ = await table(here, THRONE, seats=3)
    await game.says(me, "table leave", sure=True)
    line = next(
        shown
        for shown in (await me.command("my games", finish=WAIT)).reply.text.splitlines()
        if f"game {game.id}]" in shown
    )
    assert "`/table return`" in line


async def test_games_on_other_servers(here: World, me: Person) -> None:
    game, _ = await table(here, THRONE)
    live = game.live
    live.game = replace(live.game, guild_id=5)
    await here.store._db.write(lambda c: c.execute("UPDATE games SET guild_id = 5 WHERE id = ?", (game.id,)).rowcount)
    text = (await me.command("my games", finish=WAIT)).reply.text
    line = next(line for line in text.splitlines() if f"game {game.id}]" in line)
    assert "a server I do not see" in line
    assert f"channels/5/{game.thread}" in line


async def test_whose_secret_answer_is_given_is_not_asked_there(here: World, me: Person) -> None:
    game = await here.game(2, key=WORLD)
    assert len(game.table.asked) == 2
    await game.answer_simply(0)
    mine = (await me.command("my games", finish=WAIT)).reply.text
    assert "you are asked" not in next(line for line in mine.splitlines() if f"game {game.id}]" in line)
    others = (await here.people[1].command("my games", finish=WAIT)).reply.text
    assert "you are asked" in next(line for line in others.splitlines() if f"game {game.id}]" in line)
    await alone(game)


async def test_time_zones_are_offered(me: Person) -> None:
    found = await me.autocomplete("my settings", {"zone": "new y"}, "zone")
    assert "America/New_York" in [choice.value for choice in found.choices]
    assert len((await me.autocomplete("my settings", {"zone": ""}, "zone")).choices) == 25
