"""Those who watch: followers are told politely; hands are shown late, to those who do not play and nobody else."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from cogs import following
from cogs.past import Past
from sandbox.client import Message, Person

from .watching import KEYS, begun, finish, picture, play, shortened, step
from .world import THRONE, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
HOURS = following.PAUSE_MS / 3_600_000


async def notes(game: Game, person: Person) -> list[Message]:
    """What the person was told of this game by direct message."""
    await game.settled()
    return [m for m in await person.visible("@me", limit=100) if f"game {game.id}, in" in m.text]


async def noted(game: Game, person: Person, count: int) -> list[Message]:
    """The same, once there are so many."""

    async def there() -> bool:
        return len(await notes(game, person)) >= count

    await until(there)
    return await notes(game, person)


async def to_round(game: Game, number: int) -> None:
    """Play peacefully, so that the game does not end before that round begins."""
    while game.table.state.round < number:
        await game.answer_simply(game.unanswered)
    await game.settled()


@pytest.mark.parametrize("key", KEYS[:2])  # five rounds of the third take long
async def test_a_follower_hears_of_rounds_together_and_not_too_often(here: World, key: str):
    game = await begun(here, key)
    watcher = game.people[4]
    said = await game.says(watcher, "table follow")
    assert "each new round, the end" in said
    await to_round(game, 2)
    [note] = await noted(game, watcher, 1)
    assert "Round 2" in note.text
    assert f"<#{game.thread}>" in note.text
    await to_round(game, 5)
    assert "Taken back" in await game.says(game.people[0], "game rewind", steps=1)
    assert game.table.state.round == 4
    assert len(await notes(game, watcher)) == 1, "that soon after the last one"
    here.skip(HOURS * 1.01)
    latest = max(await noted(game, watcher, 2), key=lambda m: int(m.id))
    assert "Round 3" in latest.text
    assert "Round 4" in latest.text
    assert "Round 2" not in latest.text
    assert "Round 5" not in latest.text, "that was taken back"
    ended = await game.press(watcher, latest, "Tell me no more")
    assert "no more" in ended.reply.text or "no more" in ended.followups[-1].text
    here.skip(HOURS * 1.01)
    await to_round(game, 5)
    assert len(await notes(game, watcher)) == 2
    assert "do not follow" in await game.says(watcher, "table unfollow")


async def test_what_happens_while_one_is_told_is_told_once(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, THRONE)
    watcher, followers = game.people[4], here.tables.followers
    await game.says(watcher, "table follow")
    lines, begins = followers._lines, [2]

    async def meanwhile(*given: Any) -> list[str]:
        while begins:
            await to_round(game, begins.pop())
        return await lines(*given)  # type: ignore[no-any-return]

    monkeypatch.setattr(followers, "_lines", meanwhile)
    followers._due[game.id, int(watcher.id)] = 0
    followers._wake.set()
    await noted(game, watcher, 1)
    here.skip(HOURS * 1.01)
    await to_round(game, 3)
    first, second = sorted(await noted(game, watcher, 2), key=lambda m: int(m.id))
    assert "Round 2" in first.text
    assert "Round 2" not in second.text
    assert "Round 3" in second.text


async def test_battles_and_in_the_channel(here: World):
    game = await begun(here, THRONE, seats=3)  # between two there may be one battle only
    watcher, quiet = game.people[4], game.people[5]
    assert "each battle" in await game.says(watcher, "table follow", battles=True, end=False, where="channel")
    assert "nothing to tell" in await game.says(quiet, "table follow", rounds=False, end=False)
    while not any(event.kind == "battle" for _, event in game.live.story):
        await play(game, 1)

    async def told() -> list[Message]:
        return [m for m in await game.seen() if watcher.id in m.mentions]

    [note] = await until(told)
    assert "attacks" in note.text
    assert not await notes(game, watcher)
    here.skip(HOURS * 1.01)
    while not any(event.kind == "battle" for _, event in game.live.story) or len(await told()) < 1:
        await play(game, 1)
    await game.settled()
    assert len(await told()) == 1, "the newer takes the older one's place"
    assert not await notes(game, quiet)


@pytest.mark.parametrize("key", KEYS)
async def test_the_end_is_told_once_and_outlives_a_restart(here: World, key: str):
    with shortened(key) as options:
        game = await here.game(2, key=key, options=options)
    watcher = game.people[4]
    assert "the end" in await game.says(watcher, "table follow", rounds=False)
    await here.restart()
    await finish(game)
    [note] = await noted(game, watcher, 1)
    assert "is over" in note.text
    winners = [game.ended.name(s.seat) for s in game.ended.table.standings() if s.winner]
    assert winners
    assert [line[2:] for line in note.text.splitlines() if line.startswith("🏆")] == winners
    assert not note.buttons
    await here.restart()
    here.skip(HOURS * 2)
    assert len(await notes(game, watcher)) == 1
    assert not await here.store.followers(game.id)
    assert "is over" in await game.says(watcher, "table follow")


async def test_what_happened_before_a_stop_is_told_after_it(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, THRONE)
    watcher = game.people[5]
    await game.says(watcher, "table follow")
    monkeypatch.setattr(following.Followers, "happened", lambda *given: None)
    await to_round(game, 2)
    assert not await notes(game, watcher)
    monkeypatch.undo()
    await here.restart()
    assert "Round 2" in (await noted(game, watcher, 1))[0].text


async def test_never_to_those_who_want_quiet_or_are_closed(here: World):
    game = await begun(here, THRONE)
    quiet, closed = game.people[4], game.people[5]
    await game.says(quiet, "my settings", ping="none")
    assert "want no pings" in await game.says(quiet, "table follow")
    await game.says(closed, "table follow")
    await here.client.close_dm(closed)
    await to_round(game, 2)

    async def dropped() -> bool:
        return [f.user_id for f in await here.store.followers(game.id)] == [int(quiet.id)]

    await until(dropped)
    assert not await notes(game, quiet)
    await game.says(quiet, "my settings", ping="dm")
    await here.client.close_dm(closed, False)
    await game.says(here.people[0], "game cancel", sure=True)
    [note] = await noted(game, quiet, 1)
    assert "ended without a result" in note.text


async def test_nobody_is_woken(here: World):
    game = await begun(here, THRONE)
    watcher = game.people[3]
    hour = datetime.datetime.fromtimestamp(here.clock.now_ms() / 1000, datetime.UTC).hour
    await game.says(watcher, "my settings", zone="UTC", sleep=f"{hour}:00-{(hour + 8) % 24}:00")
    await game.says(watcher, "table follow")
    await to_round(game, 2)
    here.skip(2)
    assert not await notes(game, watcher)
    here.skip(6)
    assert "Round 2" in (await noted(game, watcher, 1))[0].text


# ---------------------------------------------------------------- hands shown late


async def late(here: World, key: str, hands: str) -> Game:
    """A running game whose hands are shown like that."""
    game = await here.lobby(2, key=key)
    await game.says(here.people[0], "game spectators", hands=hands)
    assert "started" in await game.says(here.people[0], "game start")
    await game.settled()
    return game


async def test_it_is_off_unless_the_host_wants_it_and_everybody_knows(here: World):
    game = await here.lobby(2)
    assert "not shown" in await game.says(here.people[1], "game spectators")
    assert "Only" in await game.says(here.people[1], "game spectators", hands="2")
    await game.settled()
    before = len(await game.seen(here.people[5]))
    shown = (await game.command(here.people[0], "game spectators", hands="2")).reply
    assert "2 turns ago" in shown.text
    await game.settled()
    panel = await here.people[0].message(str((await here.store.slot(game.id, "lobby")).message_id))
    assert "2 turns ago" in panel.text
    seen = await game.seen(here.people[5])
    warning = [m for m in seen if "Take note" in m.text and m.id != panel.id]
    assert len(seen) == before + 1
    assert {here.people[0].id, here.people[1].id} <= set(warning[0].mentions)
    chosen = await here.people[0].choose(shown.id, shown.select().custom_id, ["never"], finish=15.0)
    assert "not shown" in chosen.message.text
    await game.says(here.people[0], "game start")
    await game.settled()
    assert "not shown" in await game.says(here.people[4], "table open")
    assert "not waiting" in await game.says(here.people[0], "game spectators", hands="2")


@pytest.mark.parametrize("key", KEYS)
async def test_hands_as_they_were(here: World, key: str, monkeypatch: pytest.MonkeyPatch):
    game = await late(here, key, "2")
    watcher = game.people[4]
    assert "nothing to see yet" in await game.says(watcher, "table open")
    await play(game, 300, until_turn=6)
    drawn = []
    hand = here.tables.painter.hand

    async def noted_hand(key, view, **more):
        drawn.append(view)
        return await hand(key, view, **more)

    monkeypatch.setattr(here.tables.painter, "hand", noted_hand)
    shown = (await game.command(watcher, "table open")).reply
    past = await Past.of(here.tables, game.live)
    assert past.begun == 5
    assert drawn == [await past.view(past.boards[3], seat) for seat in range(2)], "two turns behind"
    assert len(shown.images) == 2
    assert len({await picture(game, shown, n) for n in range(2)}) == 2
    assert shown.button("▶").disabled
    drawn.clear()
    await step(watcher, shown, "⏮")
    assert drawn == [await past.view(past.boards[0], seat) for seat in range(2)]
    forged = shown.button("⏮").custom_id.replace(":openhands:0", ":openhands:99")
    drawn.clear()
    await game.raw_press(watcher, shown, forged)
    assert drawn == [await past.view(past.boards[3], seat) for seat in range(2)]


async def test_who_plays_or_has_played_sees_none_and_who_has_seen_them_does_not_play(here: World):
    game = await late(here, THRONE, "1")
    await play(game, 300, until_turn=4)
    player, watcher = game.people[0], game.people[4]
    assert "You play in this game" in await game.says(player, "table open")
    assert (await game.command(watcher, "table open")).reply.images
    shown = (await game.command(watcher, "table open")).reply
    forced = await game.raw_press(player, shown, shown.button("⏮").custom_id)
    assert "You play in this game" in forced.message.text
    assert "has looked at the hands" in await game.says(player, "table replace", user=watcher.id)
    await game.says(player, "table replace")
    await game.settled()
    offer = next(m for m in await game.seen() if any(b.label == "Take the seat" for b in m.buttons))
    taken = await game.press(watcher, offer, "Take the seat")
    assert "has looked at the hands" in (taken.message or taken.followups[-1]).text
    assert game.live.seat_of(int(watcher.id)) is None
    await game.says(player, "table leave", sure=True)
    assert "have played in it" in await game.says(player, "table open")


@pytest.mark.parametrize(("key", "hands"), [(THRONE, "never"), (THRONE, "after"), *((key, "5") for key in KEYS)])
async def test_after_the_end(here: World, key: str, hands: str):
    with shortened(key) as options:
        game = await here.lobby(2, key=key, options=options)
        await game.says(here.people[0], "game spectators", hands=hands)
        await game.says(here.people[0], "game start")
    await game.settled()
    if hands == "after":
        assert "when the game is over" in await game.says(here.people[4], "table open")
    await finish(game)
    for person in (here.people[0], here.people[4]):
        shown = (await game.command(person, "table open")).reply
        assert bool(shown.images) == (hands != "never")
        if hands == "never":
            assert "not shown" in shown.text
    assert not await here.store.has_read_hands(game.id, int(here.people[4].id))
