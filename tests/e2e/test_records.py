"""Results, ladders and statistics, through the bot."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio

from sandbox.client import Person

from .playing import SHORT, play_out, played, step
from .world import GAMES, THRONE, WAIT, WORLD, Game, World

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("results")]


async def says(person: Person, command: str, channel: str = "games", **options: object) -> str:
    done = await person.command(command, channel=channel, finish=WAIT, **options)
    return done.reply.text


def winner_of(here: World, game: Game) -> int:
    standings = here.tables.ended[game.id].table.standings()
    return next(standing.seat for standing in standings if standing.winner)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def results(here: World) -> dict[str, int]:
    """A game of each kind that the first two have played to its end, and who has won it."""
    return {key: winner_of(here, await played(here, key)) for key in GAMES}


@pytest.mark.parametrize("key", GAMES)
async def test_a_result_stands_in_the_ladder_and_outlives_a_restart(here: World, results: dict[str, int], key: str):
    won = here.people[results[key]]
    before = await says(here.people[0], "stats ladder", game=key)
    lines = [line for line in before.splitlines() if re.match(r"\d+\. ", line)]
    assert len(lines) == 2
    assert lines[0].startswith(f"1. <@{won.id}>")
    assert "1 rated, 1 won" in lines[0]
    assert "1 rated, 0 won" in lines[1]
    await here.restart()
    assert await says(here.people[0], "stats ladder", game=key) == before


async def test_all_games_together_and_apart(here: World):
    everything = await says(here.people[0], "stats ladder")
    assert "2 rated" in everything
    assert "all games" in everything
    assert "2 rated" not in await says(here.people[0], "stats ladder", game=THRONE)


async def test_ones_own_statistics_are_a_picture_with_a_description(here: World):
    shown = await here.people[0].command("stats me", channel="games", finish=WAIT)
    (image,) = shown.reply.images
    assert "2 games" in image.alt
    assert "Struggle for the Throne" in image.alt
    assert "Throne of the World" in image.alt
    only = await here.people[0].command("stats me", channel="games", game=WORLD, finish=WAIT)
    assert "1 game;" in only.reply.images[0].alt
    assert "has not played" in await says(here.people[4], "stats me")


async def test_somebody_else_s_statistics(here: World):
    shown = await here.people[3].command("stats person", channel="games", person=here.people[1].id, finish=WAIT)
    assert "2 games" in shown.reply.images[0].alt


async def test_a_servers_members_see_its_own_games_only(here: World):
    """The person himself sees all of his."""
    await here.store._db.write(lambda c: c.execute("UPDATE games SET guild_id = 5 WHERE key = ?", (WORLD,)).rowcount)
    try:
        shown = await here.people[3].command("stats person", channel="games", person=here.people[1].id, finish=WAIT)
        assert "1 game;" in shown.reply.images[0].alt
        assert "2 rated" not in await says(here.people[3], "stats ladder")
        assert "has not been played" in await says(here.people[3], "stats game", game=WORLD)
        own = await here.people[1].command("stats me", channel="games", finish=WAIT)
        assert "2 games" in own.reply.images[0].alt
    finally:
        guild = int(here.sandbox.core.world.guild_id)
        await here.store._db.write(lambda c: c.execute("UPDATE games SET guild_id = ?", (guild,)).rowcount)


async def test_bot_players_are_not_rated(here: World):
    before = await says(here.people[0], "stats ladder")
    await played(here, THRONE, seats=1, bots=1)
    assert await says(here.people[0], "stats ladder") == before
    assert "3 games" in (await here.people[0].command("stats me", channel="games", finish=WAIT)).reply.images[0].alt


@pytest.mark.parametrize("key", GAMES)
async def test_who_leaves_is_last(here: World, key: str):
    game = await here.game(3, key=key, options=SHORT[key])
    for _ in range(3):
        await step(game)
    assert "bot player goes on" in await game.says(here.people[2], "table leave", sure=True)
    await play_out(game)
    (ended,) = [found for found in await here.store.ended() if found.id == game.id]
    assert [(seating.seat, seating.kind) for seating in ended.seatings] == [
        (0, "human"), (1, "human"), (2, "human"), (2, "bot"),
    ]  # fmt: skip
    shown = await here.people[2].command("stats me", channel="games", game=key, finish=WAIT)
    assert "gave the seat up" in shown.reply.images[0].alt
    lines = (await says(here.people[2], "stats ladder", game=key)).splitlines()
    assert f"<@{here.people[2].id}>" in lines[3]
    assert "1 rated, 0 won" in lines[3]


async def test_a_game_that_is_ended_early_counts_for_nobody(here: World):
    before = await says(here.people[0], "stats ladder")
    game = await here.game(2)
    assert "cancelled" in await game.says(here.people[0], "game cancel", sure=True)
    assert await says(here.people[0], "stats ladder") == before


async def test_how_a_game_goes_here(here: World):
    told = await says(here.people[0], "stats game", game=WORLD)
    times = sum(game.key == WORLD for game in await here.store.ended())
    assert f"Played to the end {times} time" in told
    assert "Winning score" in told
    assert f"<@{here.people[0].id}> ({times})" in told


async def test_in_direct_messages_only_ones_own(here: World):
    person = here.people[0]
    offered = {command["name"]: command for command in await person.commands("@me")}
    if "stats" in offered:
        assert (await person.command("stats me", channel="@me", finish=WAIT)).reply.images
        assert "That is for servers" in await says(person, "stats ladder", "@me")
