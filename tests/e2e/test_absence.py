"""Leaving a seat, coming back to it, and somebody else in it: whatever the game."""

from __future__ import annotations

import asyncio
import datetime

import pytest

from cogs.errors import Refused
from rules.engine import decode_record
from sandbox.client import Message, Person

from .waiting import passes
from .world import EVERY, GAMES, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
both = pytest.mark.parametrize("key", GAMES)


@pytest.fixture(params=EVERY)
def key(request: pytest.FixtureRequest) -> str:
    """Every game."""
    return str(request.param)


async def playing(here: World, key: str, seats: int = 3) -> tuple[Game, int]:
    """A running game, and a seat that has a question and is not the host's."""
    game = await here.game(seats, key=key)
    for _ in range(60):
        asked = [seat for seat in game.table.asked if seat not in game.table.sealed]
        if len(game.table.asked) == 1 and asked[0]:
            return game, asked[0]
        await game.answer_simply(asked[0])
    raise AssertionError(f"still asked {game.table.asked}")


async def offer(game: Game, by: Person, **given: str) -> None:
    """Offer a seat."""
    said = await game.says(by, "table replace", **given)
    assert "is offered" in said, said
    await game.settled()


async def gone(here: World, game: Game, person: Person) -> None:
    """The person leaves the server, and the bot notices it."""
    await here.client.membership(person, present=False)
    await here.bot.get_cog("AbsenceCog").look_around()
    await game.settled()


async def test_leaving_and_coming_back(here: World, key: str):
    game, seat = await playing(here, key)
    person = game.people[seat]
    hand = await game.hand_of(person)
    panel = (await game.command(person, "table turn")).reply
    assert "sure" in await game.says(person, "table leave")
    stands = game.table.length
    assert "`/table return`" in await game.says(person, "table leave", sure=True)
    assert game.live.is_bot(seat)
    await game.settled()
    assert "You no longer sit in" in (await person.message(hand.id)).text
    assert not (await person.message(hand.id)).images
    assert await game.said("A bot player takes the seat over")
    pressed = await game.raw_press(person, panel, f"t:{game.id}:0:0:open:")
    assert "You are watching" in (pressed.followups[-1] if pressed.followups else pressed.message).text

    async def moved_on() -> bool:
        return game.table.length > stands + 1

    await until(moved_on)
    assert "No bot player keeps" in await game.says(game.people[4], "table return")
    await here.restart()
    back = await game.command(person, "table return")
    assert back.reply.ephemeral
    assert game.live.seat_of(int(person.id)) == seat
    assert "sit here already" in await game.says(person, "table return")
    after = await game.hand_of(person)
    assert after.id == hand.id, "one message, edited in place"
    assert after.images
    kinds = [record.what.occupant for record in await log(game) if type(record.what).__name__ == "SeatChanged"]
    assert kinds == ["bot", "human"]


@both
async def test_when_all_have_left_the_bot_players_wait(here: World, key: str):
    game = await here.game(2, key=key, bots=1)
    first, last = game.people[:2]
    assert "a bot player goes on" in await game.says(first, "table leave", sure=True)
    assert "the bot players wait" in await game.says(last, "table leave", sure=True)
    assert await game.said("Nobody is left here")
    stands = game.table.length
    await here.restart()
    await asyncio.sleep(0.2)
    assert game.table.length == stands
    await passes(game, 28 * 24 + 2)
    asks = await game.said("Does game")
    assert set(asks.mentions) == {first.id, last.id}
    assert "stays" in (await game.press(first, asks, "Keep it")).reply.text
    await game.command(first, "table return")

    async def on() -> bool:
        return 0 in game.table.asked and game.table.length > stands

    await until(on)
    await game.settled()
    assert not [m for m in await game.seen() if "Nobody is left here" in m.text]
    assert str((await here.store.game(game.id)).host_id) == first.id


async def log(game: Game):
    """The whole log, in types."""
    return [decode_record(data) for _, data in await game.world.store.records(game.id)]


async def test_somebody_named_takes_over(here: World, key: str):
    game, seat = await playing(here, key)
    old, new, other = game.people[seat], game.people[4], game.people[5]
    hand = await game.hand_of(old)
    panel = (await game.command(old, "table turn")).reply
    await offer(game, old, user=new.id)
    message = await game.said("will you take over the seat of")
    assert message.mentions == (new.id,) or new.id in message.mentions
    assert "That is for whoever was invited" in (await game.press(other, message, "Take the seat")).message.text
    assert "You sit here already" in (await game.press(game.people[0], message, "Take the seat")).message.text
    assert not [m for m in await new.visible("@me") if f"game {game.id}," in m.text], "he has not accepted"
    known = await game.says(old, "table log")
    await here.restart()
    await game.press(new, message, "Take the seat")
    await game.settled()
    assert game.live.seat_of(int(new.id)) == seat
    assert game.live.seat_of(int(old.id)) is None
    assert (await game.hand_of(new)).images
    knows = (await game.says(new, "table log")).replace(new.name, old.name)
    assert knows.startswith(known), "the new person knows what the seat knew"
    left = await old.message(hand.id)
    assert "You no longer sit in" in left.text
    assert not left.images
    assert not [m for m in await game.seen() if "will you take over" in m.text]
    asked = [m for m in await game.seen() if new.id in m.mentions]
    assert asked, "who takes a seat over is told what it is asked"
    if panel.buttons or panel.selects:
        pressed = await game.raw_press(old, panel, (panel.buttons or panel.selects)[0].custom_id)
        assert "You are watching" in (pressed.followups[-1] if pressed.followups else pressed.message).text
    before = await old.visible("@me")
    for _ in range(6):
        await game.answer_simply(game.unanswered)
    await game.settled()
    assert [m.raw for m in await old.visible("@me")] == [m.raw for m in before], "the old person hears of nothing"
    assert "You are watching" in await game.says(old, "table hand")


async def test_what_was_begun_in_the_seat_is_dead(here: World, key: str):
    """A draft, an act in the making, a standing answer and a stale panel do not pass to who comes next."""
    game, seat = await playing(here, key)
    old, new = game.people[seat], game.people[4]
    live = game.live
    await here.tables.steps.step(
        live, seat, live.members[seat].user_id, lambda table: table.stand(seat, "battle", True)
    )
    await here.store.set_draft(game.id, seat, live.table.number(seat), b"\x80")
    token = live.token(seat)
    await offer(game, old, user=new.id)
    await game.press(new, await game.said("will you take over"), "Take the seat")
    assert game.table.standing.get(seat, ()) == ()
    assert await here.store.draft(game.id, seat) is None
    assert game.live.token(seat) != token


async def test_an_open_offer_and_its_withdrawal(here: World, key: str):
    game, seat = await playing(here, key)
    old, new = game.people[seat], game.people[4]
    await offer(game, old)
    first = await game.said("Whoever likes")
    assert "That is for whoever was invited" in (await game.press(new, first, "No")).message.text
    assert "withdrawn" in (await game.press(old, first, "No")).message.text
    await game.settled()
    assert not [m for m in await game.seen() if "Whoever likes" in m.text]
    await offer(game, old)
    stale = await game.raw_press(new, first, first.button("Take the seat").custom_id)
    assert "stands no more" in (stale.message if stale.message.id != first.id else stale.followups[-1]).text
    await game.press(new, await game.said("Whoever likes"), "Take the seat")
    assert game.live.seat_of(int(new.id)) == seat


async def test_only_one_of_two_gets_the_seat(here: World):
    game, seat = await playing(here, GAMES[0])
    await offer(game, game.people[seat])
    message = await game.said("Whoever likes")
    await asyncio.gather(*(game.press(person, message, "Take the seat") for person in game.people[4:6]))
    await game.settled()
    members = await here.store.members(game.id)
    assert sorted(str(m.user_id) for m in members if m.seat == seat)[0] in {p.id for p in game.people[4:6]}
    assert len({m.user_id for m in members}) == len(members)
    assert [r.what.occupant for r in await log(game) if type(r.what).__name__ == "SeatChanged"] == ["human"]


async def test_who_may_be_offered_which_seat(here: World):
    game, seat = await playing(here, GAMES[0])
    host, other = game.people[0], game.people[3 - seat]
    name = game.live.names[seat]
    before = await game.stands()
    assert "is still there" in await game.says(host, "table replace", seat=name)
    assert "Only" in await game.says(other, "table replace", seat=str(seat))
    assert "no such seat" in await game.says(host, "table replace", seat="nobody")
    assert "You are watching" in await game.says(game.people[4], "table replace")
    assert "sits here already" in await game.says(host, "table replace", user=other.id)
    assert "cannot be invited" in await game.says(host, "table replace", user=here.sandbox.core.world.bot.id)
    assert await game.stands() == before
    assert await here.store.invitations(game.id) == []
    offered = await host.autocomplete("table replace", {"seat": name[:2]}, "seat", channel=game.thread)
    assert str(seat) in [choice.value for choice in offered.choices]


async def test_a_seat_is_not_mistaken_for_another(here: World):
    """Somebody may be called like another seat's number."""
    lobby = await here.lobby(2)
    await lobby.says(await here.client.add_person("1"), "game join")
    host = here.people[0]
    await lobby.says(host, "game start")
    assert "asked" in await kick(lobby, host, 1)
    assert here.people[1].name in (await lobby.said("Shall")).text


async def test_the_host_gives_his_seat_away(here: World, key: str):
    game = await here.game(2, key=key)
    await offer(game, game.people[0], user=game.people[4].id)
    await game.press(game.people[4], await game.said("will you take over"), "Take the seat")
    assert str((await here.store.game(game.id)).host_id) in {game.people[4].id, game.people[1].id}


async def test_who_hosts_without_a_seat_stays_the_host(here: World):
    lobby = await here.lobby(0)
    host, *players = here.people[:4]
    for person in players:
        await lobby.says(person, "game join")
    await lobby.says(host, "game start")
    await lobby.says(players[1], "table leave", sure=True)
    assert str((await here.store.game(lobby.id)).host_id) == host.id


@both
async def test_the_host_is_voted_out(here: World, key: str):
    game, _ = await playing(here, key)
    assert "asked" in await kick(game, game.people[1], 0)
    await game.press(game.people[2], await game.said("Shall"), "Yes")

    async def passed_on() -> bool:
        return str((await here.store.game(game.id)).host_id) == game.people[1].id

    await until(passed_on)
    assert game.live.is_bot(0)


async def test_a_bot_players_seat_is_offered_by_the_host(here: World, key: str):
    game = await here.game(2, key=key, bots=1)
    assert "Only" in await game.says(game.people[1], "table replace", seat="2")
    await offer(game, game.people[0], seat="2", user=game.people[4].id)
    await game.press(game.people[4], await game.said("will you take over"), "Take the seat")
    assert game.live.seat_of(int(game.people[4].id)) == 2
    assert (await game.hand_of(game.people[4])).images


async def test_a_seat_stays_when_its_person_leaves_the_server(here: World, key: str):
    game, seat = await playing(here, key)
    person, host = game.people[seat], game.people[0]
    await gone(here, game, person)
    try:
        message = await game.said("is not in this server any more")
        assert host.id in message.mentions
        assert game.live.seat_of(int(person.id)) == seat
        await here.bot.get_cog("AbsenceCog").look_around()
        await game.settled()
        assert len([m for m in await game.seen() if "not in this server" in m.text]) == 1
        refused = await game.press(game.people[3 - seat], message, "Let a bot play on")
        assert "Only" in refused.message.text
        await game.press(host, message, "Offer the seat")
        assert await game.said("Whoever likes")
        await game.press(host, message, "Let a bot play on") if await stands(game, message) else None
    finally:
        await here.client.membership(person, present=True)


async def stands(game: Game, message) -> bool:
    return any(m.id == message.id for m in await game.seen())


async def test_a_bot_plays_for_who_is_gone_until_he_is_back(here: World, key: str):
    game, seat = await playing(here, key)
    person = game.people[seat]
    await gone(here, game, person)
    await game.press(game.people[0], await game.said("is not in this server"), "Let a bot play on")
    await game.settled()
    assert game.live.is_bot(seat)
    assert not [m for m in await game.seen() if "not in this server" in m.text]
    await here.client.membership(person, present=True)
    await game.command(person, "table return")
    assert game.live.seat_of(int(person.id)) == seat


async def test_who_comes_back_to_the_server_sits_there_still(here: World):
    game, seat = await playing(here, GAMES[0])
    person = game.people[seat]
    await gone(here, game, person)
    message = await game.said("is not in this server")
    await here.client.membership(person, present=True)
    said = await game.press(game.people[0], message, "Let a bot play on")
    assert "is still there" in said.message.text
    await game.settled()
    assert not [m for m in await game.seen() if "not in this server" in m.text]
    assert game.live.seat_of(int(person.id)) == seat


async def test_a_refused_dm_shows_that_somebody_is_gone(here: World):
    game = await here.lobby(3)
    person = game.people[1]
    await here.client.membership(person, present=False)
    try:
        await game.says(game.people[0], "game start")

        async def told() -> bool:
            return any("not in this server any more" in m.text for m in await game.seen())

        await until(told)
    finally:
        await here.client.membership(person, present=True)


async def test_undo_reaches_across_a_change_of_seats(here: World):
    """The seat's new person may take its last step back; who must consent follows from seats, not from people."""
    game, seat = await playing(here, GAMES[0])
    old, new = game.people[seat], game.people[4]
    await game.answer("surrender", seat)
    await offer(game, old, user=new.id)
    await game.press(new, await game.said("will you take over"), "Take the seat")
    shown = (await game.command(new, "table undo")).reply
    assert "This would be taken back" in shown.text
    await new.press(shown.id, shown.button("Take it back").custom_id, finish=WAIT)
    assert game.table.asked[seat].key == "action"
    assert game.live.seat_of(int(new.id)) == seat, "the change of seats stands"


async def kick(game: Game, by: Person, seat: int) -> str:
    """What the command answers."""
    return await game.says(by, "game kick", seat=str(seat))


async def test_the_host_kicks_who_has_long_been_away(here: World, key: str):
    game, seat = await playing(here, key)
    person, host = game.people[seat], game.people[0]
    here.skip(hours=6 * 24)
    assert "The others are asked" in await kick(game, host, seat)
    assert "votes on that already" in await kick(game, host, seat)
    assert game.live.seat_of(int(person.id)) == seat
    here.skip(hours=2 * 24)
    assert "plays on there" in await kick(game, host, seat)
    assert game.live.is_bot(seat)
    await game.command(person, "table return")
    assert game.live.seat_of(int(person.id)) == seat, "who was away may come back"


@both
async def test_a_vacation_is_no_absence(here: World, key: str):
    game, seat = await playing(here, key)
    person, host = game.people[seat], game.people[0]
    until_then = datetime.datetime.fromtimestamp(here.clock.now_ms() / 1000, datetime.UTC) + datetime.timedelta(days=4)
    await game.says(person, "my settings", vacation_until=until_then.date().isoformat())
    try:
        here.skip(hours=8 * 24)
        assert "The others are asked" in await kick(game, host, seat)
        assert "is still there" in await game.says(host, "table replace", seat=str(seat))
        here.skip(hours=4 * 24)
        assert "plays on there" in await kick(game, host, seat)
    finally:  # he may be needed in other tests
        await here.store.set_setting(int(person.id), "vacations", None)
        here.tables.people.forget(int(person.id))


@both
async def test_who_comes_back_keeps_the_seat_that_was_offered(here: World, key: str):
    game, seat = await playing(here, key)
    person, host, new = game.people[seat], game.people[0], game.people[4]
    here.skip(hours=8 * 24)
    await offer(game, host, seat=str(seat))
    assert "withdrawn" in (await game.press(person, await game.said("Whoever likes"), "No")).message.text
    await offer(game, host, seat=str(seat))
    message = await game.said("Whoever likes")
    await game.answer_simply(seat)
    assert "is still there" in (await game.press(new, message, "Take the seat")).message.text
    assert "The others are asked" in await kick(game, host, seat), "he has just done something"
    assert game.live.seat_of(int(person.id)) == seat
    await game.settled()
    assert not [m for m in await game.seen() if "Whoever likes" in m.text]


@both
async def test_who_knows_another_hand_takes_no_seat(here: World, key: str):
    game, seat = await playing(here, key)
    left, other = game.people[seat], 3 - seat
    await game.says(left, "table leave", sure=True)
    said = await game.says(game.people[other], "table replace", user=left.id)
    assert "knows its hand" in said
    await offer(game, game.people[other])
    pressed = await game.press(left, await game.said("Whoever likes"), "Take the seat")
    assert "knows its hand" in pressed.message.text
    assert game.live.seat_of(int(left.id)) is None
    await offer(game, game.people[0], seat=str(seat), user=left.id)
    assert "will you take over" in (await game.said("will you take over")).text, "his own he may have back"


async def test_offers_go_with_the_game(here: World):
    game, seat = await playing(here, GAMES[0], seats=2)
    await offer(game, game.people[seat])
    await game.said("Whoever likes")
    await game.answer("surrender", seat)
    if game.id in here.tables.live:
        await game.answer("0", seat)

    async def gone() -> bool:
        return not [m for m in await game.seen() if "Whoever likes" in m.text]

    await until(gone)
    assert game.id not in here.tables.live


async def test_who_has_long_been_away_can_be_replaced(here: World):
    game, seat = await playing(here, GAMES[0])
    host, new = game.people[0], game.people[4]
    assert "is still there" in await game.says(host, "table replace", seat=str(seat))
    here.skip(hours=8 * 24)
    await offer(game, host, seat=str(seat), user=new.id)
    await game.press(new, await game.said("will you take over"), "Take the seat")
    assert game.live.seat_of(int(new.id)) == seat


async def test_the_table_votes_somebody_out(here: World, key: str):
    game, seat = await playing(here, key)
    person, host, third = game.people[seat], game.people[0], game.people[3 - seat]
    assert "You are watching" in await kick(game, game.people[4], seat)
    assert "your own seat" in await kick(game, person, seat)
    assert "asked" in await kick(game, third, seat)
    vote = await game.said("Shall")
    refused = await game.press(person, vote, "No")
    assert "for others" in refused.followups[-1].text, "who is voted on does not vote"
    assert game.live.seat_of(int(person.id)) == seat
    await game.press(host, vote, "Yes")

    async def out() -> bool:
        return game.live.is_bot(seat)

    await until(out)
    assert await game.said("voted out")
    assert "No bot player keeps" in await game.says(person, "table return"), "who was voted out does not come back so"


async def test_a_vote_on_somebody_goes_when_he_does(here: World):
    game, seat = await playing(here, GAMES[0])
    assert "asked" in await kick(game, game.people[0], seat)
    assert await game.said("Shall")
    await game.says(game.people[seat], "table replace")
    await game.press(game.people[4], await game.said("take over"), "Take the seat")
    await game.settled()
    assert not [message for message in await game.seen() if "Shall" in message.text]
    assert "asked" in await kick(game, game.people[0], seat), "the new person can be voted on"


@both
async def test_a_table_of_two_goes_on_without_its_host(here: World, key: str):
    game = await here.game(2, key=key)
    for _ in range(60):
        if list(game.table.asked) == [0]:
            break
        await game.answer_simply(game.unanswered)
    assert "too few people" in await kick(game, game.people[1], 0)
    here.skip(hours=8 * 24)
    assert "You are watching" in await kick(game, game.people[4], 0)
    assert "plays on there" in await kick(game, game.people[1], 0)
    assert str((await here.store.game(game.id)).host_id) == game.people[1].id


async def test_nobody_is_voted_out_by_one_alone(here: World):
    game = await here.game(2)
    assert "too few people" in await kick(game, game.people[0], 1)
    assert "too few people" in await kick(game, game.people[1], 0)
    assert game.live.seat_of(int(game.people[1].id)) == 1


async def test_nobody_but_the_seats_person_is_shown_its_hand(here: World):
    """Also when the hand was asked for while the seat changed."""
    game, seat = await playing(here, GAMES[0])
    old, new = game.people[seat], game.people[4]
    composer = here.tables.composer
    assert await composer.hand(game.live, seat, int(old.id)) is not None
    await offer(game, old, user=new.id)
    await game.press(new, await game.said("will you take over"), "Take the seat")
    assert await composer.hand(game.live, seat, int(old.id)) is None
    assert await composer.hand(game.live, seat, int(new.id)) is not None


async def test_who_is_gone_is_noticed_in_time_and_the_host_passes_on(here: World):
    game = await here.game(2)
    host = game.people[0]
    while 0 not in game.table.asked:
        await game.answer_simply(game.unanswered)
    await here.client.membership(host, present=False)
    try:
        here.skip(hours=1.1)

        async def told() -> list[Message]:
            return [m for m in await game.seen(game.people[1]) if "is not in this server any more" in m.text]

        message = (await until(told))[0]
        assert str((await here.store.game(game.id)).host_id) == game.people[1].id
        assert game.people[1].id in message.mentions
        await game.press(game.people[1], message, "Let a bot play on")
        assert game.live.is_bot(0)
    finally:
        await here.client.membership(host, present=True)


async def test_a_seat_is_not_taken_from_its_next_person(here: World):
    """What was decided about one person does not fall on another."""
    game, seat = await playing(here, GAMES[0])
    old, new = game.people[seat], game.people[4]
    absence = here.bot.get_cog("AbsenceCog")
    await offer(game, old, user=new.id)
    await game.press(new, await game.said("will you take over"), "Take the seat")
    with pytest.raises(Refused):
        await absence.take_over(game.live, seat, int(old.id))
    assert game.live.seat_of(int(new.id)) == seat
