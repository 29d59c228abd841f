"""Whatever goes missing in Discord comes back, with the next event or with `/table repair`, and the game goes on."""

from __future__ import annotations

import asyncio
import re
import sys

import pytest

import db
from sandbox.client import Message

from .playing import SHORT, play_out
from .watching import picture, play
from .world import EVERY, THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(params=EVERY)
def key(request: pytest.FixtureRequest) -> str:
    """Every game."""
    return str(request.param)


async def first(game: Game) -> Message:
    """The game's first message."""
    return await game.said("SHA-256 `")


async def goes_on(game: Game) -> None:
    """The game takes an answer by a press on what stands in the channel, and shows what follows."""
    turn = await game.turn()
    assert turn.images or turn.buttons
    before = game.table.length
    await game.answer_simply(game.unanswered)
    assert game.table.length > before
    await game.turn()


async def pinned(here: World, game: Game) -> list[str]:
    """What is pinned in the game's channel."""
    world = await here.client.world()
    channel = next(channel for channel in world["channels"] if channel["id"] == game.live.game.channel_id or
                   channel["id"] == str(game.live.channel_id))  # fmt: skip
    return [message["id"] for message in channel["messages"] if message.get("pinned")]


async def test_repair_puts_every_message_back(here: World, key: str):
    game = await here.game(2, key=key)
    person = game.people[0]
    turn, top, hand = await game.turn(), await first(game), await game.hand_of(person)
    assert "Nothing was missing" in await game.says(person, "table repair")
    for message in (turn, top, hand):
        await here.client.delete_message(message.id)
    assert "3 messages were missing" in await game.says(game.people[4], "table repair")
    await game.settled()
    again, anew, fresh = await game.turn(), await first(game), await game.hand_of(person)
    assert {again.id, anew.id, fresh.id}.isdisjoint({turn.id, top.id, hand.id})
    assert fresh.images
    assert "Nothing was missing" in await game.says(person, "table repair")
    await goes_on(game)


async def test_two_who_repair_at_once_put_it_back_once(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await here.game(2)
    turn = await game.turn()
    await here.client.delete_message(turn.id)
    refusals = here.tables.sender.refusals
    stands, noticed, go_on = refusals._stands, asyncio.Event(), asyncio.Event()

    async def slowly(slot: db.Slot) -> bool:
        found: bool = await stands(slot)
        if not found and not noticed.is_set():
            noticed.set()
            await go_on.wait()
        return found

    monkeypatch.setattr(refusals, "_stands", slowly)
    first_one = asyncio.create_task(game.says(game.people[0], "table repair"))
    await noticed.wait()
    assert "1 message was missing" in await game.says(game.people[1], "table repair")
    anew = await game.turn()
    go_on.set()
    assert "Nothing was missing" in await first_one
    assert (await game.turn()).id == anew.id
    assert len([m for m in await game.seen() if any(b.label == "My hand" for b in m.buttons)]) == 1


async def told(game: Game, number: int) -> Message | None:
    """The message of that turn, if it stands."""
    slot = await game.world.store.slot(game.id, f"turn{number}")
    return None if slot is None else next((m for m in await game.seen() if m.id == str(slot.message_id)), None)


async def test_what_was_told_of_the_last_turns_comes_back(here: World, key: str):
    game = await here.game(2, key=key)
    while game.live.turn.number < 4:
        await play(game, 1)
    before = {n: await told(game, n) for n in (1, 2, 3)}
    for n in (2, 3):
        await here.client.delete_message(before[n].id)
    assert "2 messages were missing" in await game.says(game.people[4], "table repair")
    await game.settled()
    after = {n: await told(game, n) for n in (1, 2, 3)}
    assert [message.text for message in after.values()] == [message.text for message in before.values()]
    history = (await game.command(game.people[4], "table history", turn=2)).reply
    assert await picture(game, after[2]) == await picture(game, history)
    assert after[1].id == before[1].id
    stand = [message.id for message in await game.seen()]
    assert stand.index(after[2].id) < stand.index(after[3].id) < stand.index((await game.turn()).id)
    assert "Nothing was missing" in await game.says(game.people[4], "table repair")
    await goes_on(game)


async def test_the_end_comes_back(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await here.game(2, options=SHORT[THRONE])
    live = game.live
    await play_out(game)
    top, end, last = await first(game), await game.said("is over"), await told(game, live.turn.number)
    for message in (top, end, last):
        await here.client.delete_message(message.id)
    assert "3 messages were missing" in await game.says(game.people[4], "table repair")
    await game.settled()
    anew = await game.said("is over")
    assert (anew.text, len(anew.raw["attachments"])) == (end.text, 1)
    assert (await told(game, live.turn.number)).text == last.text
    assert live.table.header.commitment in (await game.seen())[-1].text
    loaded = sys.modules["cogs.fairness"]  # the one that the bot has loaded
    monkeypatch.setattr(loaded, "FIRST_SECONDS", -1e9)  # as if the game had been opened long ago
    checked = await game.press(game.people[4], anew, "Check it", finish=60)
    assert "it was deleted and put back" in checked.message.text


async def test_the_next_event_puts_the_question_back(here: World, key: str):
    game = await here.game(2, key=key)
    while len(game.table.asked) > 1:
        await game.answer_simply(game.unanswered)
    for _ in range(3):
        turn = await game.turn()
        await here.client.delete_message(turn.id)
        await game.answer_simply(game.unanswered)
        assert (await game.turn()).id != turn.id
    await goes_on(game)


async def test_a_deleted_hand_comes_back_when_it_changes(here: World):
    game = await here.game(2, key=THRONE)
    while {question.key for question in game.table.asked.values()} != {"action"}:
        await game.answer_simply(game.unanswered)
    seat = game.unanswered
    person = game.people[seat]
    hand = await game.hand_of(person)
    await here.client.delete_message(hand.id)
    before = game.table.view(seat).hand
    while game.table.view(seat).hand == before:  # the like may be drawn for what is discarded
        if [*game.table.asked] == [seat] and game.table.asked[seat].key == "action":
            await game.answer("discard")
            await game.answer(game.table.asked[seat].options[0].id)
        else:
            await game.answer_simply(game.unanswered)

    async def back() -> bool:
        found = [m for m in await person.visible("@me") if f"game {game.id}," in m.text]
        return bool(found) and found[-1].id != hand.id and bool(found[-1].images)

    await until(back)


async def test_short_messages_and_offers_come_back(here: World):
    game = await here.game(3, key=THRONE)
    await game.says(game.people[1], "table replace")
    offer = await game.said("Whoever likes")
    await here.client.delete_message(offer.id)
    assert "1 message was missing" in await game.says(game.people[0], "table repair")
    anew = await game.said("Whoever likes")
    assert anew.id != offer.id
    await game.press(game.people[4], anew, "Take the seat")
    assert game.live.seat_of(int(game.people[4].id)) == 1


async def test_the_first_message_is_pinned_where_that_is_allowed(here: World):
    await here.client.permit("bot", grant=["pin_messages", "manage_messages"])
    try:
        game = await here.game(2)
        await game.settled()
        assert await pinned(here, game) == [(await first(game)).id]
        await here.client.delete_message((await first(game)).id)
        await game.says(game.people[0], "table repair")
        await game.settled()
        assert await pinned(here, game) == [(await first(game)).id]
    finally:
        await here.client.permit("bot", deny=["pin_messages", "manage_messages"])
    game = await here.game(2)
    assert await pinned(here, game) == [], "without the permission the game goes on all the same"
    await goes_on(game)


async def test_an_archived_thread_is_opened_again(here: World, key: str):
    game = await here.game(2, key=key)
    await here.client.archive(game.thread)
    await goes_on(game)
    await here.client.archive(game.thread)
    assert "Nothing was missing" in await game.says(game.people[0], "table repair")
    await goes_on(game)


async def test_a_locked_thread_waits_for_a_moderator(here: World):
    game = await here.game(2)
    await here.client.archive(game.thread, locked=True)
    before = game.table.length
    given = {"channel": "games", "game": game.id}
    said = await here.people[0].command("game move", channel="games", given=given, finish=WAIT)
    assert "goes on in" in said.reply.text
    assert str(game.live.channel_id) != game.thread
    game.thread = str(game.live.channel_id)
    await goes_on(game)
    assert game.table.length > before


async def test_lost_permissions(here: World, key: str):
    game = await here.game(2, key=key)
    await here.client.permit("bot", channel="games", deny=["send_messages_in_threads"])
    try:
        seat = game.unanswered
        before = game.table.length
        await game.answer_simply(seat)
        assert game.table.length > before, "the game goes on, only nobody sees it yet"
    finally:
        await here.client.permit("bot", channel="games", grant=["send_messages_in_threads"])
    await goes_on(game)


async def test_a_deleted_thread_and_a_move(here: World, key: str):
    game = await here.game(2, key=key)
    other = await here.client.add_channel(f"table-{key.replace('_', '-')}")
    await here.client.delete_channel(game.thread)
    await here.restart()
    said = await here.people[1].command(
        "game move", channel="games", given={"channel": other, "game": game.id}, finish=15
    )
    assert "Only" in said.reply.text
    said = await here.people[0].command(
        "game move", channel="games", given={"channel": other, "game": game.id}, finish=15
    )
    assert "goes on in" in said.reply.text
    old, game.thread = game.thread, str(game.live.channel_id)
    assert game.thread != old
    assert (await first(game)).id
    await goes_on(game)
    assert game.table.length == await here.store.length(game.id)


async def test_a_move_takes_everything_along(here: World):
    game = await here.game(2)
    old = game.thread
    before = {message.id for message in await game.seen()}
    other = await here.client.add_channel("elsewhere")
    await game.says(game.people[0], "game move", given={"channel": other})
    game.thread = str(game.live.channel_id)
    await game.settled()
    left = await here.people[0].visible(old)
    assert not [m for m in left if m.buttons and m.id in before], "no live button stays behind"
    assert [m for m in left if f"goes on in <#{game.thread}>" in m.text]
    assert await first(game)
    await goes_on(game)
    gone = await here.people[0].command("table board", channel=old, finish=WAIT)
    assert "There is no running game" in gone.reply.text


async def test_where_a_game_cannot_go(here: World):
    game, busy = await here.game(2), await here.game(2)
    before = await game.stands()
    assert "open game already" in await game.says(game.people[0], "game move", given={"channel": busy.thread})
    assert "Only" in await game.says(game.people[1], "game move", given={"channel": "games"})
    closed = await here.client.add_channel("closed")
    await here.client.permit("bot", channel="closed", deny=["attach_files"])
    assert "attach files" in await game.says(game.people[0], "game move", given={"channel": closed})
    assert await game.stands() == before
    assert str(game.live.channel_id) == game.thread


async def test_the_whole_channel_is_deleted(here: World):
    """The threads in it go with it; the host is told by direct message, and the game goes on elsewhere."""
    hall = await here.client.add_channel("hall")
    host = here.people[0]
    made = await host.command("game create", channel=hall, game=THRONE, finish=WAIT)
    game_id, thread = re.findall(r"\d+", made.reply.text)[:2]
    game = Game(here, int(game_id), thread, here.people)
    for person in here.people[:2]:
        await game.says(person, "game join")
    await game.says(host, "game start")
    await game.settled()
    await here.client.delete_channel(hall)

    async def told() -> bool:
        return any("has been deleted" in m.text and f"game {game.id}" in m.text for m in await host.visible("@me"))

    await until(told)
    other = await here.client.add_channel("annex")
    said = await host.command("game move", channel="games", given={"channel": other, "game": game.id}, finish=WAIT)
    assert "goes on in" in said.reply.text
    game.thread = str(game.live.channel_id)
    await goes_on(game)

    async def withdrawn() -> bool:
        return not any("has been deleted" in m.text for m in await host.visible("@me"))

    await until(withdrawn)
