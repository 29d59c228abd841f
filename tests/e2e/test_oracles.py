"""What nobody can learn of hidden things by asking the bot about something else."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from rules import luck
from rules.engine import Event, encode
from sandbox.client import Person

from .playing import step
from .world import THRONE, WAIT, WORLD, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
SEVERAL = {THRONE: {"double_forces": "yes"}, WORLD: {}}
"""Options with which all are asked at once when the game begins."""


async def several(here: World, key: str, seats: int = 3) -> Game:
    """A game in which all are asked something in secret."""
    game = await here.game(seats, key=key, options=SEVERAL[key])
    assert len(game.table.asked) == seats
    return game


async def held(here: World, person: Person) -> dict[str, Any]:
    """What `/my data` gives the person."""
    done = await person.command("my data", channel="games", finish=WAIT)
    found: dict[str, Any] = json.loads(await here.client.download(done.reply.raw["attachments"][0]["url"]))
    return found


@pytest.mark.parametrize("key", SEVERAL)
async def test_ones_own_data_do_not_tell_that_others_have_answered(here: World, key: str):
    game = await several(here, key)
    host = game.people[0]
    await game.says(game.people[3], "table follow", where="channel")
    await game.says(host, "table follow")
    before = await held(here, host)
    await game.answer_simply(2)
    await game.says(host, "table board", text=True)
    after = await held(here, host)
    looked = {"game_id": game.id}
    assert looked in after["looks"]
    after["looks"] = [row for row in after["looks"] if row != looked]
    assert after == before
    # what is counted with the records of the log would tell how many there are
    assert not [
        name for rows in after.values() if isinstance(rows, list) for row in rows for name in row if "seq" in name
    ]


async def test_a_vote_is_not_handed_over_with_the_seat(here: World):
    game = await here.game(3)
    first, second = game.people[2], game.people[3]
    vote = await here.tables.votes.open(game.live, "pause", {}, opener=None)
    await game.settled()
    panel = next(m for m in await game.seen() if m.buttons and "voteaye" in m.buttons[0].custom_id)
    await first.press(panel.id, panel.buttons[0].custom_id, finish=WAIT)
    assert (await here.store.vote(vote.id)).ayes == (2,)
    await game.says(first, "table replace", user=second.id)
    await game.settled()
    offer = await game.said("will you take over")
    await game.press(second, offer, offer.buttons[0].label)
    assert game.person_at(2) == second
    await game.settled()
    assert (await here.store.vote(vote.id)).ayes == ()

    async def asked() -> bool:
        return f"<@{second.id}>" in (await first.message(panel.id)).text

    await until(asked)
    assert not [row for row in (await held(here, second))["votes"] if row["game_id"] == game.id and row["aye"]]


async def test_what_was_written_to_one_person_is_not_rewritten_for_the_next(here: World):
    """The former person's messages are his own, also while Discord takes none for the new one."""
    game = await here.game(3, key=WORLD)
    first, second = game.people[2], game.people[3]
    for person in (first, second):
        await game.says(person, "my settings", ping="dm")
    try:
        for _ in range(60):
            if game.live.timing.waits.get(2) and any(n.startswith("dm") for n in game.live.timing.waits[2].notes):
                break
            await game.answer_simply(game.unanswered)
            await game.settled()
        (note,) = [note for note in game.live.timing.waits[2].notes if note.startswith("dm")]
        assert first.id in note
        slot = await here.store.slot(game.id, note)
        told = (await first.message(str(slot.message_id))).text
        assert "is asked" in told or "asked" in told
        await game.says(first, "table replace", user=second.id)
        offer = await game.said("will you take over")
        await game.press(second, offer, offer.buttons[0].label)
        await game.settled()

        async def written() -> bool:
            await game.settled()
            return any(second.id in note for note in game.live.timing.waits[2].notes)

        await until(written)
        (fresh,) = [note for note in game.live.timing.waits[2].notes if note.startswith("dm")]
        assert (await here.store.slot(game.id, fresh)).channel_id != slot.channel_id
        assert await here.store.slot(game.id, note) is None, "and the first one is gone"
        assert str(slot.message_id) not in [m.id for m in await first.visible("@me")]
    finally:
        for person in (first, second):
            await game.says(person, "my settings", ping="mention")


@pytest.mark.parametrize("key", SEVERAL)
async def test_the_host_cannot_count_secret_answers_by_going_back(here: World, key: str):
    game = await several(here, key)
    host = game.people[0]
    none = await game.command(host, "game rewind")
    assert "no step" in none.reply.text
    await game.answer_simply(1)
    await game.answer_simply(2)
    one = await game.command(host, "game rewind")
    assert one.reply.text == none.reply.text
    assert not one.reply.selects
    assert "no step" in await game.says(host, "game rewind", steps=1)
    assert len(game.table.sealed) == 2


async def test_going_back_a_step_takes_secret_answers_along(here: World):
    """Else whether the step was one of those would tell that somebody has answered."""
    game = await here.game(3, key=THRONE)
    for _ in range(600):
        asked, sealed = dict(game.table.asked), game.table.sealed
        waiting = [seat for seat in asked if seat not in sealed and not game.table.passes(seat)]
        if len(asked) > 1 and game.live.turn.number > 1 and waiting:
            break
        await step(game)
    if not sealed:
        await game.answer_simply(next(seat for seat in asked if seat != waiting[0]))
    assert 0 < len(game.table.sealed) < len(asked)
    await game.says(game.people[0], "game rewind", steps=1)
    assert game.table.asked != asked
    assert not game.table.sealed
    assert "1 step back" in (await game.said("takes the game back")).text


async def test_who_moderates_one_channel_is_not_in_charge_of_games_in_others(here: World):
    game = await here.game(2, key=WORLD)
    person = game.people[4]
    other = await here.client.add_channel("elsewhere")
    await here.client.permit(person, channel=other, grant=["manage_messages"])
    before = await game.stands()
    commands = {"game cancel": {"game_id": game.id, "sure": True}, "game move": {"game": game.id, "channel": other}}
    for command, given in commands.items():
        said = await person.command(command, channel=other, finish=WAIT, given=given)
        assert "Only" in said.reply.text, said.reply.text
    assert await game.stands() == before
    await here.client.permit(person, grant=["moderate_members"])
    try:
        said = await person.command("game cancel", channel=other, finish=WAIT, game_id=game.id, sure=True)
        assert "Only" not in said.reply.text
    finally:
        await here.client.permit(person, deny=["moderate_members"])
    assert (await here.store.game(game.id)).status == "abandoned"


async def test_luck_while_the_game_goes_on_counts_what_all_have_seen(here: World):
    game = await here.game(2, key=THRONE)
    person = game.people[3]
    before = await game.says(person, "table luck")
    rows = [(seq, n, msgspec.msgpack.decode(data, type=Event)) for seq, n, data in await here.store.events(game.id, 0)]
    dice = {kind for kind, chances in luck.declared(game.live.rules).items() if isinstance(chances[0], luck.Dice)}
    seq, n, rolled = next(row for row in rows if row[2].kind in dice and row[2].audience is None)
    secret = encode(msgspec.structs.replace(rolled, audience=(0,)))
    await here.store._db.write(
        lambda c: c.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (game.id, seq, n + 100, secret)).rowcount
    )
    assert await game.says(person, "table luck") == before
    assert "on average" in before
