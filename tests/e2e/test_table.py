"""The running game: looking at it, taking steps back, leaving it; and after its end."""

from __future__ import annotations

import asyncio
import json

import pytest

from sandbox.client import Message, Person

from .world import THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def opened(game: Game) -> int:
    """Past the choice of heads; the seat whose turn it is."""
    for _ in range(40):
        if {question.key for question in game.table.asked.values()} == {"action"}:
            return next(iter(game.table.asked))
        await game.answer_simply(game.unanswered)
    raise AssertionError(f"still asked {game.table.asked}")


async def finish(game: Game) -> None:
    """Everybody but one surrenders."""
    seat = await opened(game)
    other = next(s for s in game.live.members if s != seat)
    game.ended = game.live
    await game.answer("surrender")
    if seat in game.table.asked:
        await game.answer(str(other))
    await until(lambda: _ended(game))
    await game.settled()


async def _ended(game: Game) -> bool:
    return (await game.world.store.game(game.id)).status == "ended"


def asks(messages: list[Message], person: Person) -> list[Message]:
    """The short messages to that person."""
    return [
        m for m in messages if person.id in m.mentions and not m.images and "Choose…" in [b.label for b in m.buttons]
    ]


async def test_looking_around(game: Game):
    seat = await opened(game)
    person, other = game.people[seat], game.people[1 - seat]
    board = await game.command(person, "table board")
    assert board.reply.images
    assert board.reply.images[0].alt
    assert "Round 1" in await game.says(game.people[4], "table board", text=True)
    assert (await game.command(person, "table hand")).reply.images
    assert "You drew" not in await game.says(game.people[4], "table log")
    assert "Your cards" in await game.says(person, "table log")
    assert "The table waits for" in await game.says(other, "table turn")
    assert (await game.command(person, "table history")).reply.images
    assert "has no" not in await game.says(person, "table standing")


async def test_the_live_question_is_put_again_without_pinging(game: Game):
    seat = await opened(game)
    before = await game.turn()
    assert "what do you do?" in await game.says(game.people[seat], "table turn")
    after = await game.turn()
    assert after.id != before.id
    _, entries = await game.world.client.journal(channel=game.thread, kinds=["message"])
    mine = [entry for entry in entries if entry.message_id == after.id]
    assert [entry.pings for entry in mine] == [()]


async def test_a_turn_that_ends_while_its_question_is_put_again_keeps_its_story(here: World, game: Game):
    seat = await opened(game)
    await game.settled()
    number = game.live.turn.number
    await here.client.fault(method="DELETE", path="/channels/.*/messages/.*", delay=0.5, times=1)
    await game.command(game.people[seat], "table turn")
    await until(lambda: asyncio.sleep(0, not [fault for fault in here.sandbox.core.faults.active if fault.times]))
    await game.command(game.people[seat], "throne end")
    await game.settled()
    shown = [message for message in await game.seen() if message.text.startswith("-#")]
    assert [m for m in shown if m.text.splitlines()[0].endswith(f"turn {number}")], "its story is lost"


async def test_history_and_log_by_pages(game: Game):
    for _ in range(4):
        await opened(game)
        await game.answer("end")
    person = game.people[0]
    shown = (await game.command(person, "table history")).reply
    last = shown.text
    while not shown.button("◀").disabled:
        shown = (await person.press(shown.id, shown.button("◀").custom_id, finish=WAIT)).message
    assert "Board 1 of" in shown.text
    assert shown.text != last
    assert shown.button("⏮").disabled
    for _ in range(20):
        await opened(game)
        await game.answer("end")
    log = (await game.command(person, "table log")).reply
    older = (await person.press(log.id, log.button("▶").custom_id, finish=WAIT)).message
    assert "Page 2 of" in older.text
    assert older.text.splitlines()[-1] not in log.text


async def test_undo_of_ones_own_step(game: Game):
    seat = await opened(game)
    person = game.people[seat]
    await game.answer("surrender")
    shown = (await game.command(person, "table undo")).reply
    assert "a choice of which nothing is to be seen yet" in shown.text
    done = await person.press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    assert "what do you do?" in done.message.text
    assert game.table.asked[seat].key == "action"
    again = await game.raw_press(person, shown, shown.button("Take it back").custom_id)
    assert "no step of yours to take back" in again.message.text
    assert "To whom do you surrender" in await game.says(person, "table redo")


async def test_a_stale_preview_does_nothing(game: Game):
    seat = await opened(game)
    person = game.people[seat]
    await game.answer("surrender")
    shown = (await game.command(person, "table undo")).reply
    await game.answer("back")
    before = await game.stands()
    said = await person.press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    assert "look again" in said.message.text
    assert await game.stands() == before


async def beyond_the_barrier(game: Game) -> tuple[int, Message]:
    """A seat asks to take back a turn that has ended: cards were drawn, and the other has been told his turn."""
    seat = await opened(game)
    await game.answer("discard")
    question = game.table.asked[seat]
    await game.answer(question.options[0].id)
    person = game.people[seat]
    shown = (await game.command(person, "table undo")).reply
    assert "consent of" in shown.text
    assert "drawn anew" in shown.text
    await person.press(shown.id, shown.button("Ask for it").custom_id, finish=WAIT)
    await game.settled()
    wish = [m for m in await game.seen() if any(button.label == "Agree" for button in m.buttons)]
    assert len(wish) == 1
    return seat, wish[0]


async def test_undo_with_consent(game: Game):
    seat, wish = await beyond_the_barrier(game)
    other = game.people[1 - seat]
    assert other.id in wish.mentions
    assert "discards" in wish.text
    assert "You drew" not in wish.text
    refused = await game.press(game.people[4], wish, "Agree")
    assert "You are watching" in refused.followups[-1].text
    left = game.table.state.actions_left
    await game.act(other, wish, "Agree")
    assert game.table.state.actions_left == left + 1
    assert game.table.epoch == 1
    assert not [m for m in await game.seen() if any(button.label == "Agree" for button in m.buttons)]


async def test_undo_refused_and_lapsed(game: Game):
    seat, wish = await beyond_the_barrier(game)
    before = await game.stands()
    assert "turned down" in (await game.press(game.people[1 - seat], wish, "Refuse")).followups[-1].text
    assert await game.stands() == before
    assert await game.said("does not agree"), "whoever asked learns of it"
    assert not [m for m in await game.seen() if any(button.label == "Agree" for button in m.buttons)]
    shown = (await game.command(game.people[seat], "table undo")).reply
    await game.people[seat].press(shown.id, shown.button("Ask for it").custom_id, finish=WAIT)
    await game.settled()
    await game.answer("end")
    await game.settled()
    assert not [m for m in await game.seen() if any(button.label == "Agree" for button in m.buttons)]
    assert await game.world.store.undo_request(game.id) is None


async def test_consent_survives_a_restart(here: World, game: Game):
    seat, wish = await beyond_the_barrier(game)
    await here.restart()
    await game.act(game.people[1 - seat], wish, "Agree")
    assert game.table.epoch == 1


async def test_bots_consent_by_themselves(here: World):
    game = await here.game(1, bots=1)

    async def mine() -> bool:
        if 0 in game.table.asked and game.table.asked[0].key != "action" and 0 not in game.table.sealed:
            await game.answer_simply(0)
        return list(game.table.asked) == [0] and game.table.asked[0].key == "action"

    await until(mine)
    await game.answer("discard")
    await game.answer(game.table.asked[0].options[0].id)
    shown = (await game.command(game.people[0], "table undo")).reply
    assert "consent" not in shown.text
    await game.people[0].press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    await until(lambda: _epoch(game))


async def _epoch(game: Game) -> bool:
    return game.table.epoch == 1


async def test_host_rewinds(game: Game):
    await opened(game)
    await game.answer("end")
    first = game.table.state.active
    assert "Taken back" in await game.says(game.people[0], "game rewind", steps=1)
    assert game.table.state.active != first
    await game.settled()
    assert any("The host has taken back" in message.text for message in await game.seen())


async def test_a_seat_awaited_inside_a_turn_gets_a_short_message(game: Game):
    """Who becomes awaited is told by a reply to the turn message, which goes when it has served."""
    seat = await opened(game)
    other = game.people[1 - seat]
    await game.answer("accuse")
    for _ in range(5):
        if 1 - seat in game.table.asked:
            break
        await game.answer_simply(seat)
    await game.settled()
    found = asks(await game.seen(), other)
    assert len(found) == 1
    assert found[0].raw["message_reference"]["message_id"] == (await game.turn()).id
    assert "lay Influence cards" in found[0].text
    for _ in range(10):
        if set(game.table.asked) == {seat}:
            break
        await game.answer_simply(game.unanswered)
    await game.settled()
    assert not asks(await game.seen(), other)


async def test_leaving(here: World, game: Game):
    seat = await opened(game)
    assert "sure" in await game.says(game.people[0], "table leave")
    assert game.live.seat_of(int(game.people[0].id)) == 0
    assert "a bot player goes on" in await game.says(game.people[0], "table leave", sure=True)
    assert game.live.is_bot(0)
    assert str((await here.store.game(game.id)).host_id) == game.people[1].id
    assert "You are watching" in await game.says(game.people[0], "table hand")

    async def on() -> bool:
        return game.table.over or 1 in game.table.asked

    await until(on)
    assert seat in (0, 1)


async def test_after_the_end_and_after_a_restart(here: World, game: Game):
    await opened(game)
    assert "still going on" in await game.says(game.people[0], "table export")
    await finish(game)
    for round_ in range(2):
        assert (await game.command(game.people[0], "table board")).reply.images
        assert "surrenders" in await game.says(game.people[0], "table log")
        assert "Board" in await game.says(game.people[4], "table history")
        made = (await game.command(game.people[4], "table export")).reply
        file = made.raw["attachments"][0]
        exported = json.loads(await here.client.download(file["url"]))
        assert exported
        for command in ("table turn", "throne end"):
            said = await game.says(game.people[0], command)
            assert "over" in said or "no running game" in said
        for command in ("table undo", "table redo", "game rewind"):
            assert "its secret is shown" in await game.says(game.people[0], command)
        assert "over" in await game.says(game.people[0], "game info")
        if not round_:
            await here.restart()
    assert game.id not in here.tables.live
    made = await here.people[0].command("game create", game=THRONE, channel=game.thread, finish=WAIT)
    assert f"is open in <#{game.thread}>" in made.reply.text
    assert "surrenders" in await game.says(game.people[0], "table log"), "the next game there hides it"
    await game.says(here.people[0], "game cancel")


async def test_ended_games_do_not_pile_up(here: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cogs.tables.ENDED_KEPT", 2)
    games = [await here.game(2) for _ in range(4)]
    for game in games:
        await finish(game)
    assert not {game.id for game in games} & set(here.tables.live)
    assert len(here.tables.ended) == 2
    assert not {game.id for game in games} & set(here.tables.pace._tasks)
    assert not here.bot.get_cog("LobbyCog").locks
    assert "surrenders" in await games[0].says(games[0].people[0], "table log")


async def test_autocomplete_offers_what_is_legal_and_never_fails(here: World, game: Game):
    seat = await opened(game)
    person, other = game.people[seat], game.people[1 - seat]
    offered = await person.autocomplete("table answer", {"choice": ""}, "choice", channel=game.thread)
    assert "end" in [choice.value for choice in offered.choices]
    offered = await person.autocomplete("throne card", {"card": ""}, "card", channel=game.thread)
    assert 0 < len(offered.choices) <= 25
    for who, channel in ((other, game.thread), (here.people[4], game.thread), (person, "games")):
        for command, name in (("table answer", "choice"), ("throne card", "card"), ("throne trade offer", "gives")):
            assert not (await who.autocomplete(command, {name: "x+y>z=" * 20}, name, channel=channel)).choices


async def test_commands_are_understood_by_name_and_say_what_is_left_over(game: Game):
    seat = await opened(game)
    person = game.people[seat]
    home = next(iter(game.table.state.groups[seat]))
    there = f"{home.partition('.')[0]}.0"
    length = game.table.length
    said = await game.says(person, "throne move", given={"from": "C.2", "units": "squadron", "to": there})
    assert "no choice for `from` here, and it is not C.2" in said, "all units stand together, so that is not asked"
    assert game.table.length == length
    offered = await person.autocomplete("throne move", {"from": ""}, "from", channel=game.thread)
    assert [choice.name for choice in offered.choices] == ["(nothing to choose here: leave it out)"]
    assert "`units` has to be chosen before `to`" in await game.says(person, "throne move", to=there)
    moved = {"from": home, "units": "SQUADRON + loyal commander", "to": there.lower()}
    said = await game.says(person, "throne move", given=moved)
    assert f"moves Loyal Commander, Squadron from {home} to {there}" in said
    assert "Which card do you swap" in await game.says(person, "table answer", choice="swap a card")


async def test_trading_by_buttons(here: World):
    game = await here.game(2, options={"trading": "yes"})
    seat = await opened(game)
    person, other = game.people[seat], game.people[1 - seat]
    shown = (await game.press(person, await game.turn(), "More…")).message
    shown = (await person.choose(shown.id, shown.select().custom_id, ["trade_offer"], finish=WAIT)).message
    stale = shown
    shown = (await person.press(shown.id, shown.buttons[0].custom_id, finish=WAIT)).message
    assert "What do you give" in shown.text
    again = await game.raw_press(person, stale, stale.buttons[0].custom_id)
    assert "That choice is gone" in again.message.text
    shown = (await person.choose(stale.id, again.message.select().custom_id, ["trade_offer"], finish=WAIT)).message
    shown = (await person.press(shown.id, shown.buttons[0].custom_id, finish=WAIT)).message
    given = shown.selects[0]
    shown = (await person.choose(shown.id, given.custom_id, [given.options[0].value], finish=WAIT)).message
    assert "What do you want" in shown.text
    while "Where do units" not in shown.text:
        label = next(b for b in shown.buttons if b.label in ("None", "Confirm"))
        shown = (await person.press(shown.id, label.custom_id, finish=WAIT)).message
    shown = (await person.press(shown.id, shown.buttons[0].custom_id, finish=WAIT)).message
    assert "offers" in shown.text
    offers = (await game.press(other, await game.turn(), "More…")).message
    assert "trade_accept" in [option.value for option in offers.select().options]
