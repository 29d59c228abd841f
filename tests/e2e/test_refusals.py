"""Every wrong press and command gets a clear private message, and changes nothing."""

from __future__ import annotations

import asyncio
import sqlite3

import msgspec
import pytest

import db
from rules.struggle_for_the_throne import movement

from .world import WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def refused(game: Game, doing, *words: str) -> None:
    """It is refused in these words, to that person alone, and nothing has changed."""
    before, seen = await game.stands(), len(await game.seen())
    outcome = await doing
    answer = outcome.followups[-1] if outcome.followups else outcome.message
    assert answer.ephemeral
    for word in words:
        assert word in answer.text
    assert await game.stands() == before
    others = [message for message in await game.seen(game.people[1]) if not message.ephemeral]
    assert len(others) <= seen


async def opening(game: Game):
    """The turn message, past the first choice of a head of family."""
    while "action" not in {question.key for question in game.table.asked.values()}:
        for seat, question in list(game.table.asked.items()):
            await game.answer(question.options[0].id, seat)
    return await game.turn()


async def test_somebody_elses_question(game: Game):
    turn = await opening(game)
    asked = next(iter(game.table.asked))
    other = game.people[1 - asked]
    doing = other.press(turn.id, turn.button("End the turn").custom_id, finish=WAIT)
    await refused(game, doing, "That is for", "to answer")
    doing = game.command(other, "throne end")
    await refused(game, doing, "You are not asked anything just now")


async def test_a_spectator(here: World, game: Game):
    turn = await opening(game)
    watcher = here.people[4]
    await refused(game, watcher.press(turn.id, turn.button("Move").custom_id, finish=WAIT), "You are watching")
    for command in ("table hand", "throne end", "table undo", "table leave"):
        await refused(game, game.command(watcher, command), "You are watching")
    for label in ("My hand",):
        await refused(game, game.press(watcher, turn, label), "You are watching")
    assert "The table waits for" in await game.says(watcher, "table turn")


async def test_a_stale_press_gets_the_live_question(game: Game):
    turn = await opening(game)
    person = game.people[next(iter(game.table.asked))]
    move = turn.button("Move").custom_id
    await game.act(person, turn, "Move")
    doing = game.raw_press(person, turn, move)
    await refused(game, doing, "That choice is gone", "Which units move from")


async def test_two_presses_at_once(game: Game):
    turn = await opening(game)
    person = game.people[next(iter(game.table.asked))]
    length = game.table.length
    await asyncio.gather(
        game.raw_press(person, turn, turn.button("Move").custom_id, finish=0),
        game.raw_press(person, turn, turn.button("Surrender").custom_id, finish=0),
    )

    async def told() -> bool:
        return any("That choice is gone" in message.text for message in await game.seen(person))

    await until(told)
    assert game.table.length == length + 1


async def test_the_same_interaction_twice(here: World, game: Game):
    turn = await opening(game)
    seat = next(iter(game.table.asked))
    live, token = game.live, game.live.token(seat)
    await here.tables.steps.answer(live, seat, token, ("move",), 77)
    length = live.table.length
    seat = next(iter(live.table.asked))
    with pytest.raises(db.AlreadyApplied):
        await here.tables.steps.answer(live, seat, live.token(seat), (live.table.asked[seat].options[0].id,), 77)
    assert live.table.length == length == await here.store.length(game.id)
    assert turn.id == (await game.turn()).id


@pytest.mark.parametrize("fault", [{"status": 404, "code": 10062}, {"status": 400, "code": 50035}])
async def test_what_discord_no_longer_waits_for_is_not_done(here: World, game: Game, fault):
    turn = await opening(game)
    person = game.people[next(iter(game.table.asked))]
    before = await game.stands()
    await here.client.fault(method="POST", path="/interactions/.*/callback", **fault)
    pressing = asyncio.create_task(person.press(turn.id, turn.button("End the turn").custom_id))
    await until(lambda: asyncio.sleep(0, [f for f in here.sandbox.core.faults.active if f.times] == []))
    await game.settled()
    assert await game.stands() == before
    pressing.cancel()


async def test_an_acknowledgement_whose_answer_was_lost_counts(here: World, game: Game):
    turn = await opening(game)
    person = game.people[next(iter(game.table.asked))]
    length = game.table.length
    await here.client.fault(method="POST", path="/interactions/.*/callback", status=500, after=True)
    await person.press(turn.id, turn.button("Move").custom_id)
    await until(lambda: asyncio.sleep(0, game.table.length == length + 1))


async def test_an_answer_that_does_not_fit(game: Game):
    await opening(game)
    person = game.people[next(iter(game.table.asked))]
    for choice, words in {"nonsense": "not among the choices", "move+end": "Choose exactly 1; you chose 2"}.items():
        await refused(game, game.command(person, "table answer", choice=choice), words)
    await refused(game, game.command(person, "throne card", card="nonsense"), "not among the choices")
    await refused(game, game.command(person, "throne head", unit="x"), "You are asked something else now: Your turn")
    await refused(
        game, game.command(person, "throne trade accept", offer="1", units="-", into="x"), "played without it"
    )


async def test_a_wrong_answer_leaves_the_private_panel_in_place(game: Game):
    await opening(game)
    person = game.people[next(iter(game.table.asked))]
    await game.answer("card")
    panel = await game.panel(person)
    wrong = panel.button("Back").custom_id.replace(":back", ":nonsense")
    after = await game.raw_press(person, panel, wrong)
    assert "not among the choices" in after.message.text
    assert "Which card do you play?" in after.message.text
    assert after.message.id == panel.id


async def test_where_there_is_no_game(here: World):
    person = here.people[0]
    for command in ("table board", "table undo", "throne end", "game skip", "game info", "table export"):
        outcome = await person.command(command, channel="games", finish=WAIT)
        assert "There is no running game in this channel" in outcome.reply.text, command
        assert outcome.reply.ephemeral
    for command in ("game join", "game start", "game leave", "game options"):
        assert "No game waits for players in this channel" in (await person.command(command, finish=WAIT)).reply.text


async def test_where_the_game_has_not_started(here: World):
    game = await here.lobby(2)
    before = await here.store.members(game.id)
    for command in ("table board", "table leave", "table pause", "throne end", "world end"):
        assert "has not started yet" in await game.says(here.people[0], command), command
    assert await here.store.members(game.id) == before


async def test_the_commands_of_another_game(game: Game):
    assert "Struggle for the Throne is played in this channel" in await game.says(game.people[0], "eclipse pass")


async def test_a_lobby_that_is_closed(game: Game):
    panel = next(message for message in await game.seen() if "SHA-256" in message.text)
    assert not panel.buttons
    for verb in ("join", "leave", "bot", "start", "cancel", "options", "colour"):
        doing = game.raw_press(
            game.people[1], panel, f"t:{game.id}:0:0:lobby{verb}:", ["vorl"] if verb == "colour" else ()
        )
        await refused(game, doing, "not waiting for players")


async def test_only_the_host(here: World, game: Game):
    other = game.people[1]
    for command, given in {
        "game cancel": {"sure": True},
        "game rewind": {"steps": 1},
        "game skip": {},
        "game host": {"user": here.people[1].id},
    }.items():
        await refused(game, game.command(other, command, **given), "Only", "can do that")
    await refused(game, game.command(game.people[0], "game cancel"), "sure")
    await refused(game, game.command(game.people[0], "game host", user=here.people[4].id), "has to sit in the game")
    await refused(game, game.command(game.people[0], "game skip"), "No seat is stuck")


async def test_impossible_options_at_the_start(here: World):
    lobby = await here.lobby(2, options={"actions_per_turn_4": "yes", "actions_per_turn_5": "yes"})
    said = await lobby.says(here.people[0], "game start")
    assert "cannot start yet" in said
    assert "“Four actions a turn” and “Five actions a turn” do not go together" in said
    assert (await here.store.game(lobby.id)).status == "lobby"
    said = await lobby.says(here.people[0], "game options", name="round_limit", value="minus one")
    assert "“Round limit” cannot be minus one" in said
    said = await lobby.says(here.people[0], "game options", name="no_such_rule", value="yes")
    assert "There is no optional rule no" in said


async def test_too_few_players(here: World):
    lobby = await here.lobby(1)
    assert "for 2 to 12 players" in await lobby.says(here.people[0], "game start")


async def test_a_cancelled_game(here: World, game: Game):
    turn = await opening(game)
    person = game.people[next(iter(game.table.asked))]
    assert "cancelled" in await game.says(here.people[0], "game cancel", sure=True)
    await game.settled()
    assert game.id not in here.tables.live
    after = await game.people[0].message(turn.id)
    assert not after.buttons
    outcome = await game.raw_press(person, turn, turn.button("End the turn").custom_id)
    assert "not running any more" in outcome.followups[-1].text
    assert "There is no running game" in await game.says(person, "throne end")
    assert (await here.store.game(game.id)).status == "abandoned"


async def test_a_game_that_does_not_open_can_be_ended(here: World, game: Game):
    async def damage() -> None:
        with sqlite3.connect(here.config.database.path) as database:
            database.execute("UPDATE games SET key = 'gone' WHERE id = ?", (game.id,))

    turn = await game.turn()
    await here.restart(damage)
    assert "does not open any more" in await game.says(game.people[0], "table board")
    outcome = await game.press(game.people[0], turn, "My hand")
    assert "does not open any more" in outcome.message.text
    assert "gone" in await game.says(game.people[0], "game list")
    assert "gone" in await game.says(game.people[0], "game info")
    assert "cancelled" in await game.says(game.people[0], "game cancel", sure=True)
    assert (await here.store.game(game.id)).status == "abandoned"


async def test_a_full_disk(here: World, game: Game):
    await opening(game)

    def limit(connection: sqlite3.Connection, pages: int | None = None) -> None:
        (used,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages or used}")

    database = here.store._db
    await database._writer._execute(limit, database._writer._conn)
    try:
        for n in range(200):  # there and back, until the last page is full
            before = await game.stands()
            said = await game.answer(("surrender", "back")[n % 2])
            if "could not be saved" in said:
                break
        else:
            pytest.fail("it never got full")
        assert await game.stands() == before
        assert "could not be saved" in await game.answer(("surrender", "back")[n % 2])
    finally:
        await database._writer._execute(limit, database._writer._conn, 1 << 30)
    assert "could not be saved" not in await game.answer(("surrender", "back")[n % 2])
    assert game.table.length > before[1]


async def test_a_rule_that_fails(here: World, game: Game, monkeypatch: pytest.MonkeyPatch):
    await opening(game)
    seat = next(iter(game.table.asked))
    monkeypatch.setattr(movement, "choose_units", lambda *given: 1 / 0)
    said = await game.answer("move")
    if "Sorry" not in said:
        said = await game.answer(game.table.asked[seat].options[0].id)
    assert "Sorry: a rule failed, and nothing was changed. Report" in said
    report = said.partition("Report ")[2].split()[0]
    assert (await here.store.report(report)).game_id == game.id
    assert game.table.asked[seat].key in ("action", "move.from")
    monkeypatch.undo()
    assert "The seat has passed" in await game.says(game.people[0], "game skip")
    assert "taken back" in (await game.says(game.people[0], "game rewind", steps=1)).lower()


async def test_a_button_of_another_version(here: World, game: Game):
    turn = await game.turn()
    outcome = await game.raw_press(game.people[0], turn, f"t:{game.id}:0:0:dance:")
    assert "another version" in outcome.message.text


async def test_a_command_that_no_longer_exists(here: World, game: Game):
    core = here.sandbox.core
    commands = core.world.commands[None]
    sample = next(command for command in commands.values() if command["name"] == "throne")
    old = {**sample, "name": "old", "id": "1", "options": []}
    commands["1"] = old
    try:
        outcome = await game.command(game.people[0], "old")
    finally:
        del commands["1"]
    assert "has changed" in outcome.reply.text


async def test_a_missing_permission_is_named(here: World):
    await here.client.permit("bot", channel="games", deny=["create_public_threads"])
    try:
        outcome = await here.people[0].command("game create", game="struggle_for_the_throne", finish=WAIT)
        assert "create public threads" in outcome.reply.text
    finally:
        await here.client.permit("bot", channel="games", grant=["create_public_threads"])


async def test_too_many_games(here: World, monkeypatch: pytest.MonkeyPatch):
    await here.lobby(1)
    config = here.tables.config
    play = msgspec.structs.replace(config.play, max_games_per_host=1)
    monkeypatch.setattr(here.tables, "config", msgspec.structs.replace(config, play=play))
    outcome = await here.people[0].command("game create", game="struggle_for_the_throne", finish=WAIT)
    assert "open games already" in outcome.reply.text
