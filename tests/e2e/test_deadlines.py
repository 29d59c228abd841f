"""Deadlines: what is seen of them, what happens at them, and that nothing of it is lost or done twice."""

from __future__ import annotations

import asyncio
import datetime

import pytest
from msgspec.structs import replace

import db
from cogs.deadlines import takeover_passed
from rules import GAMES
from sandbox.client import Message

from .waiting import HOUR, alone, automatic, dms, due, looked, passes, restart, shown_due, table
from .world import THRONE, WAIT, WORLD, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
both = pytest.mark.parametrize("key", [THRONE, WORLD])


@pytest.mark.parametrize("key", GAMES)
async def test_who_is_away_is_answered_for(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    assert due(game) == pytest.approx(24, abs=0.01)
    assert shown_due(await game.turn())
    await passes(game, 24.1)
    assert await automatic(game) == [seat]
    assert game.live.timing.misses == {seat: 1}
    story = [line for line in await game.world.tables.story(game.live, None) if "was away" in line]
    assert len(story) == 1
    await looked(game)
    assert len(await automatic(game)) == 1


@both
async def test_who_has_missed_has_half_the_time_until_he_is_there_again(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    await passes(game, 24.1)
    for _ in range(60):
        if await alone(game) == seat:
            break
        assert due(game) > 23
        await game.answer_simply(next(iter(game.table.asked)))
    assert due(game) == pytest.approx(12, abs=0.1)
    await game.answer_simply(seat)
    assert game.live.timing.misses == {}
    assert due(game) == pytest.approx(24, abs=0.1)


async def test_several_have_the_time_of_the_slowest(here: World) -> None:
    sleeper = here.people[1]
    await sleeper.command("my settings", zone="UTC", sleep="0:00-12:00", finish=WAIT)
    try:
        game = await here.game(2, key=WORLD, pace="day")
        await game.says(here.people[0], "game pace", grace=False)
        dues = [game.live.timing.waits[seat].due_ms for seat in (0, 1)]
        assert None not in dues
        assert dues[0] < dues[1]
        assert game.live.timing.due_ms == dues[1]
        assert str(dues[1] // 1000) in shown_due(await game.turn())
        await passes(game, 25)
        assert await automatic(game) == []
        await game.answer_simply(1)
        assert game.live.timing.due_ms == dues[1]
        await passes(game, due(game) + 0.1)
        assert await automatic(game) == [0]
    finally:
        await sleeper.command("my settings", sleep="none", finish=WAIT)


@both
async def test_time_is_renewed_by_ones_own_step(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    await passes(game, 23)
    await game.answer_simply(seat)
    assert due(game) > 23.9
    assert await automatic(game) == []


@both
async def test_grace(here: World, key: str) -> None:
    game, seat = await table(here, key)
    await passes(game, 24.1)
    assert await automatic(game) == []
    assert due(game) == pytest.approx(12, abs=0.2)
    reminder = [m for m in await game.seen() if "some more" in m.text]
    assert [m.mentions for m in reminder] == [(game.people[seat].id,)]
    await passes(game, 11.8)
    assert await automatic(game) == []
    await passes(game, 0.4)
    assert await automatic(game) == [seat]
    assert not [m for m in await game.seen() if "some more" in m.text]


@both
async def test_of_several_nothing_tells_who_has_not_answered(here: World, key: str) -> None:
    game = await here.game(3, key=key, pace="day", options={THRONE: {"double_forces": "yes"}, WORLD: {}}[key])
    await game.says(here.people[0], "game pace", grace=False)
    assert len(game.table.asked) == 3
    before = await game.turn()
    await game.answer_simply(0)
    await game.settled()
    assert (await game.turn()).text == before.text
    thread = [m.id for m in await game.seen()]
    letters = {person.id: len(await dms(here, person)) for person in here.people[:3]}
    await passes(game, 20)
    assert [m.id for m in await game.seen()] == thread
    assert len(await dms(here, here.people[0])) == letters[here.people[0].id]
    for person in here.people[1:3]:
        assert "time is over" in (await dms(here, person))[-1].text
    await passes(game, 4.1)
    assert sorted(await automatic(game)) == [1, 2]
    story = await game.world.tables.story(game.live, None)
    assert not [line for line in story if "was away" in line]
    assert [line for line in await game.world.tables.story(game.live, 1) if "was away" in line]
    assert game.live.timing.misses == {}
    assert not [m for m in await game.seen() if "was away" in m.text]


@both
async def test_more_time_for_several_tells_nothing_either(here: World, key: str) -> None:
    game = await here.game(3, key=key, pace="day", options={THRONE: {"double_forces": "yes"}, WORLD: {}}[key])
    await game.answer_simply(2)
    await passes(game, 20)
    thread = [m.id for m in await game.seen()]
    letters = [len(await dms(here, person)) for person in here.people[:3]]
    await passes(game, 4.1)
    assert [m.id for m in await game.seen()] == thread
    assert due(game) == pytest.approx(12, abs=0.1)
    assert {wait.due_ms for wait in game.live.timing.waits.values()} == {game.live.timing.due_ms}
    assert [len(await dms(here, person)) for person in here.people[:3]] == [letters[0] + 1, letters[1] + 1, letters[2]]
    await passes(game, 12.1)
    assert sorted(await automatic(game)) == [0, 1]


@both
async def test_a_game_goes_on_without_one_of_them(here: World, key: str) -> None:
    game, _ = await table(here, key, pace="live", grace=False, seats=3)
    live = game.live
    for _ in range(80):
        if len(await automatic(game)) > 8 or live.table.over:
            break
        present = [seat for seat in here.tables.deadlines.unanswered(live) if seat != 1]
        for seat in present[:1]:
            await game.answer_simply(seat)
            await game.settled()
        if not present:
            await passes(game, 0.2)
        assert not live.stuck
    assert set(await automatic(game)) == {1}
    assert live.timing.paused_ms is None
    assert not [m for m in await game.seen() if "is stuck" in m.text]


@both
async def test_a_restart_changes_nothing(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    await passes(game, 10)
    shown, left = shown_due(await game.turn()), due(game)
    await restart(here)
    assert due(game) == pytest.approx(left, abs=0.01)
    assert shown_due(await game.turn()) == shown
    await passes(game, 13.9)
    assert await automatic(game) == []
    await passes(game, 0.2)
    assert await automatic(game) == [seat]


@both
async def test_an_outage_costs_nobody_time(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    await passes(game, 23.8)
    await restart(here, 50)
    assert await automatic(game) == []
    assert due(game) == pytest.approx(0.5, abs=0.02)
    await game.settled()
    assert str(game.live.timing.due_ms // 1000) in shown_due(await game.turn())
    await passes(game, 0.6)
    assert await automatic(game) == [seat]


async def test_an_outage_stops_the_clocks(here: World) -> None:
    game, _ = await table(here, THRONE)
    await passes(game, 4)
    await restart(here, 30)
    assert due(game) == pytest.approx(20, abs=0.1)


@both
async def test_the_table_votes(here: World, key: str) -> None:
    game, seat = await table(here, key, miss="vote", grace=False, seats=3)
    others = [other for other in range(3) if other != seat]
    await passes(game, 24.1)
    assert await automatic(game) == []
    vote = next(m for m in await game.seen() if "Yes: the table's rule answers" in m.text)
    assert set(vote.mentions) == {game.people[other].id for other in others}
    await restart(here)
    for other in others:
        await game.press(game.people[other], vote, "Yes")
    await looked(game)
    assert await automatic(game) == [seat]


@both
async def test_the_table_votes_without_naming_anybody_where_answers_are_secret(here: World, key: str) -> None:
    game = await here.game(3, key=key, pace="day", options={THRONE: {"double_forces": "yes"}, WORLD: {}}[key])
    await game.says(here.people[0], "game pace", grace=False, miss="vote")
    await game.answer_simply(0)
    await passes(game, 24.1)
    vote = next(m for m in await game.seen() if "answers for whoever has not" in m.text)
    assert {here.people[seat].id for seat in range(3)} == set(vote.mentions)
    assert not await automatic(game)
    await game.press(here.people[0], vote, "Yes")
    await game.press(here.people[1], vote, "Yes")
    await looked(game)
    assert sorted(await automatic(game)) == [1, 2]


@both
async def test_a_vote_that_could_not_be_opened_is_opened_later(
    here: World, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = await table(here, key, miss="vote", grace=False, seats=3)

    tried = []

    async def fails(vote: db.Vote) -> db.Vote:
        tried.append(vote.kind)
        raise db.StoreError("no room")

    async def failed() -> bool:
        return bool(tried)

    await game.settled()
    with monkeypatch.context() as patched:
        patched.setattr(here.store, "open_vote", fails)
        here.skip(24.1)
        await until(failed)
    await restart(here)
    here.skip(0.6)

    async def asked() -> list[Message]:
        return [m for m in await game.seen() if "Yes: the table's rule answers" in m.text]

    assert len(await until(asked)) == 1
    assert game.live.timing.voting


async def test_where_nobody_votes_the_clocks_stand_still(here: World) -> None:
    game, seat = await table(here, THRONE, miss="vote", grace=False)
    await passes(game, 24.1)
    await passes(game, 25)
    assert any("Everybody seems to be away" in m.text for m in await game.seen())
    await passes(game, 100)
    assert not await automatic(game)
    await game.answer_simply(seat)
    assert due(game) > 0


@both
async def test_who_does_not_vote_keeps_nobody_waiting(here: World, key: str) -> None:
    game, seat = await table(here, key, miss="vote", grace=False, seats=3)
    await passes(game, 24.1)
    vote = await game.said("Yes: the table's rule answers")
    await game.press(game.people[(seat + 1) % 3], vote, "Yes")
    await passes(game, 5)
    assert await automatic(game) == [], "the other may still vote"
    await passes(game, 1.1)
    assert await automatic(game) == [seat]


async def test_the_table_would_rather_wait(here: World) -> None:
    game, seat = await table(here, THRONE, miss="vote", grace=False, seats=3)
    await passes(game, 24.1)
    vote = next(m for m in await game.seen() if "Yes: the table's rule answers" in m.text)
    await game.press(game.people[(seat + 1) % 3], vote, "No")
    await passes(game, 7)
    assert await automatic(game) == []
    assert any("The table waits for" in m.text for m in await game.seen())
    assert due(game) == pytest.approx(17, abs=0.2)
    await passes(game, 24.1)
    assert any("Yes: the table's rule answers" in m.text for m in await game.seen())
    await game.answer_simply(seat)
    await looked(game)

    async def gone() -> bool:
        return not [m for m in await game.seen() if "Yes: the table's rule answers" in m.text]

    await until(gone)
    assert await automatic(game) == []


@both
async def test_pause_by_vote(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False, seats=3)
    await passes(game, 4)
    assert "The table is asked" in await game.says(game.people[0], "table pause")
    await game.settled()
    assert game.live.timing.paused_ms is None
    vote = next(m for m in await game.seen() if "stand still for a while" in m.text)
    await game.press(game.people[1], vote, "Yes")
    await game.settled()
    assert "clocks stand still" in (await game.turn()).text
    assert not shown_due(await game.turn())
    assert game.live.timing.due_ms is None
    assert "stand still already" in await game.says(game.people[0], "table pause")
    game.world.skip(100)
    await restart(here)
    await game.settled()
    assert await automatic(game) == []
    await game.says(game.people[2], "table resume")
    await game.settled()
    vote = next(m for m in await game.seen() if "go on?" in m.text)
    await game.press(game.people[1], vote, "Yes")
    await game.settled()
    assert due(game) == pytest.approx(20, abs=0.1)
    await passes(game, 20.1)
    assert await automatic(game) == [seat]


async def test_a_pause_ends_by_itself(here: World) -> None:
    game, _ = await table(here, THRONE, seats=2)
    await game.says(game.people[0], "table pause")
    await game.settled()
    await game.press(game.people[1], next(m for m in await game.seen() if "stand still for" in m.text), "Yes")
    await game.settled()
    game.world.skip(31 * 24)

    async def told() -> bool:
        return any("lasted long enough" in m.text for m in await game.seen())

    await until(told)
    assert game.live.timing.paused_ms is None


@both
async def test_sleep_and_vacation_do_not_count(here: World, key: str) -> None:
    game, seat = await table(here, key, grace=False)
    person = game.people[seat]
    await game.says(person, "my settings", zone="Asia/Tokyo", sleep="0:00-8:00")
    assert due(game) >= 31.9
    now = game.world.clock.now_ms()
    hours = game.world.tables.people.known(int(person.id)).hours
    assert hours.between(now, game.live.timing.due_ms) == pytest.approx(24 * HOUR, abs=HOUR / 10)
    await game.says(person, "my settings", sleep="none", zone="UTC", vacation_until=day(game, 10))
    assert due(game) > 9 * 24
    await passes(game, 24 * 9)
    assert await automatic(game) == []
    await game.says(person, "my settings", vacation_until="none")
    assert due(game) == pytest.approx(24, abs=0.2)
    await passes(game, 24.1)
    assert await automatic(game) == [seat]


def day(game: Game, later: int) -> str:
    """A day from now on."""
    moment = game.world.clock.now_ms() / 1000 + later * 86_400
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).date().isoformat()


async def all_away(here: World, key: str) -> Game:
    """A game of two that stands still because both have let their time pass."""
    game, _ = await table(here, key, grace=False)
    for _ in range(30):
        if game.live.timing.paused_ms is not None:
            break
        await passes(game, 24.1)
    assert await game.said("Everybody seems to be away")
    return game


async def test_a_game_does_not_play_itself(here: World) -> None:
    game = await all_away(here, THRONE)
    length = await here.store.length(game.id)
    assert sorted(await automatic(game)) == [0, 1]
    await passes(game, 200)
    assert await here.store.length(game.id) == length
    await game.answer_simply(game.unanswered)
    assert game.live.timing.paused_ms is None
    assert due(game) > 0


@both
async def test_who_is_there_but_not_asked_sets_the_clocks_going(here: World, key: str) -> None:
    """It takes no vote, since nobody has voted for the pause; and the absent one's time passes then."""
    game = await all_away(here, key)
    asked, before = game.unanswered, len(await automatic(game))
    assert "clocks go on" in await game.says(game.people[1 - asked], "table resume")
    assert game.live.timing.paused_ms is None
    await passes(game, due(game) + 0.1)
    assert len(await automatic(game)) > before
    assert game.live.timing.paused_ms is None


async def test_a_pause_ends_the_vote_on_who_is_late(here: World) -> None:
    game, _ = await table(here, THRONE, miss="vote", grace=False, seats=3)
    await passes(game, 24.1)
    assert await game.said("Yes: the table's rule answers")
    await game.says(game.people[0], "table pause")
    await game.press(game.people[1], await game.said("stand still for a while"), "Yes")

    async def withdrawn() -> bool:
        return not [m for m in await game.seen() if "Yes: the table's rule answers" in m.text]

    await until(withdrawn)
    await passes(game, 25)
    assert not [m for m in await game.seen() if "Everybody seems to be away" in m.text]
    await game.says(game.people[0], "table resume")
    await passes(game, 24.1)
    assert due(game) == pytest.approx(0.5, abs=0.2), "with nobody against it the table goes on"


async def missed_often(here: World, key: str) -> tuple[Game, int, Message]:
    """Three people, one of whom has let three questions in a row pass, and the vote on that."""
    game, seat = await table(here, key, grace=False, seats=3)
    for _ in range(90):
        if game.live.timing.misses.get(seat, 0) >= 3:
            break
        if list(game.table.asked) == [seat]:
            await passes(game, 24.1)
        else:
            await game.answer_simply(game.unanswered)
    return game, seat, await game.said("Shall a bot player play on")


@both
async def test_who_is_away_for_long_may_be_played_for(here: World, key: str) -> None:
    game, seat, vote = await missed_often(here, key)
    for other in {0, 1, 2} - {seat}:
        await game.press(game.people[other], vote, "Yes")

    async def taken() -> bool:
        return game.live.is_bot(seat)

    await until(taken)
    assert game.live.members[seat].kept_for == int(game.people[seat].id)


async def test_who_is_there_again_is_not_voted_on(here: World) -> None:
    game, seat, _ = await missed_often(here, THRONE)
    (vote,) = (vote for vote in await here.store.votes(game.id) if vote.kind == "takeover")
    missed = game.live.timing.misses
    async with game.live.lock:  # he answers at the moment in which the table agrees
        passed = asyncio.create_task(takeover_passed(here.tables, game.live, vote))
        await asyncio.sleep(0)
        game.live.timing = replace(game.live.timing, misses={})
    await passed
    assert not game.live.is_bot(seat)
    game.live.timing = replace(game.live.timing, misses=missed)
    for _ in range(60):
        if seat in game.table.asked and seat not in game.table.sealed:
            break
        await game.answer_simply(game.unanswered)
    await game.answer_simply(seat)

    async def withdrawn() -> bool:
        return not [m for m in await game.seen() if "Shall a bot player play on" in m.text]

    await until(withdrawn)
    assert not game.live.is_bot(seat)


async def test_who_returns_may_take_it_back(here: World) -> None:
    game, seat = await table(here, THRONE, grace=False)
    await passes(game, 24.1)
    assert await automatic(game) == [seat]
    preview = await game.command(game.people[seat], "table undo")
    assert "was away" in preview.reply.text


async def test_the_pace_is_the_hosts(here: World) -> None:
    game, seat = await table(here, THRONE)
    assert "Only" in await game.says(game.people[1], "game pace", pace="hour")
    assert "a day" in await game.says(game.people[1], "game pace")
    assert "an hour" in await game.says(game.people[0], "game pace", pace="hour")
    assert due(game) == pytest.approx(1, abs=0.01)
    await game.settled()
    assert any("has changed the pace" in m.text for m in await game.seen())
    await game.says(game.people[0], "game pace", pace="none")
    await game.settled()
    assert not shown_due(await game.turn())
    await passes(game, 1000)
    assert await automatic(game) == []
    assert await alone(game) == seat


async def test_the_lobby_shows_the_pace(here: World) -> None:
    game = await here.lobby(1, pace="half")
    await game.settled()
    assert any("twelve hours" in m.text for m in await game.seen())
    await game.says(here.people[0], "game pace", pace="relaxed", miss="vote")
    await game.settled()
    assert any("three days" in m.text and "votes" in m.text for m in await game.seen())


# ---------------------------------------------------------------- games that nobody plays any more


async def closed(game: Game) -> str:
    """How the game's status is by now."""
    found = await game.world.store.game(game.id)
    assert found is not None
    return found.status


async def asks(game: Game) -> list[object]:
    """The messages that ask whether anybody is there."""
    return [m for m in await game.seen() if [b.label for b in m.buttons] == ["Keep it"]]


@both
async def test_a_lobby_expires_politely(here: World, key: str) -> None:
    game = await here.lobby(1, key=key)
    await passes(game, 6 * 24)
    assert not await asks(game)
    await passes(game, 25)
    question = (await asks(game))[0]
    assert here.people[0].id in question.mentions
    assert "watching" in (await game.press(here.people[4], question, "Keep it")).reply.text
    assert "stays" in (await game.press(here.people[0], question, "Keep it")).reply.text
    await game.settled()
    assert not await asks(game)
    await passes(game, 4 * 24)
    assert await closed(game) == "lobby"
    await passes(game, 4 * 24)
    assert await asks(game)
    await restart(here)
    await passes(game, 71)
    assert await closed(game) == "lobby"
    await passes(game, 3)
    assert await closed(game) == "cancelled"
    assert any("nobody was there" in m.text for m in await game.seen())
    assert not await asks(game)


async def test_somebody_joining_keeps_a_lobby(here: World) -> None:
    game = await here.lobby(1)
    await passes(game, 7 * 24 + 2)
    assert await asks(game)
    await game.says(here.people[1], "game join")
    await passes(game, 2)
    assert not await asks(game)
    await passes(game, 100)
    assert await closed(game) == "lobby"


async def test_an_outage_does_not_close_anything(here: World) -> None:
    game = await here.lobby(1)
    await passes(game, 7 * 24 + 2)
    assert await asks(game)
    await restart(here, 200)
    await looked(game)
    await passes(game, 70)
    assert await closed(game) == "lobby"
    await passes(game, 4)
    assert await closed(game) == "cancelled"


@both
async def test_a_game_that_nobody_plays_is_ended(here: World, key: str) -> None:
    game, seat = await table(here, key, pace="none")
    await passes(game, 27 * 24)
    assert not await asks(game)
    await passes(game, 26)
    assert await asks(game)
    await game.answer_simply(seat)
    await game.settled()
    assert not await asks(game)
    await passes(game, 28 * 24 + 2)
    assert await asks(game)
    await passes(game, 3 * 24 + 2)
    assert await closed(game) == "abandoned"
    assert any("nobody was there" in m.text for m in await game.seen())
