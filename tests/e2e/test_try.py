"""What-if: a table of one's own, without a trace in the game and without its secrets; and its answers for real."""

from __future__ import annotations

import asyncio
import secrets
import sys
from typing import Any

import msgspec
import pytest

from rules import rules_of
from rules.engine import encode
from sandbox.client import Message, Person

from .test_secrecy import CASES, SEATS, SECRET, VIEWER, Case, Watcher, differing, midgame
from .watching import KEYS, begun, play
from .world import THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def tried(game: Game, person: Person) -> Message:
    """The panel of a what-if that begins."""
    return (await game.command(person, "table try")).reply


async def press(game: Game, person: Person, shown: Message, label: str) -> Message:
    """The panel after a press."""
    done = (await game.press(person, shown, label)).message
    assert done is not None
    return done


async def answered(game: Game, person: Person, shown: Message) -> Message:
    """The panel after some answer by its buttons or menus, if possible one that ends a turn."""
    for select in shown.selects:
        values = [option.value for option in select.options[: max(1, select.min_values)]]
        return (await person.choose(shown.id, select.custom_id, values, finish=WAIT)).message
    answers = [
        b for b in shown.buttons if not b.disabled and b.custom_id.split(":")[4] in ("tryanswer", "tryadd", "trydone")
    ]
    ending = [b for b in answers if b.custom_id.split(":")[4:] in (["trydone", ""], ["tryanswer", "recover"])]
    wanted = [*ending, *answers][0]
    return (await person.press(shown.id, wanted.custom_id, finish=WAIT)).message


async def mine(game: Game) -> int:
    """The seat whose turn has just begun."""
    for _ in range(100):
        if len(game.table.asked) == 1 and not game.table.tail and game.table.length > 6:
            return next(iter(game.table.asked))
        await play(game, 1)
    raise AssertionError("no turn begins")


@pytest.mark.parametrize("key", KEYS)
async def test_playing_on_leaves_no_trace(here: World, key: str):
    game = await begun(here, key)
    seat = await mine(game)
    person = game.people[seat]
    before = await game.stands(), encode(game.table.state), await here.store.look(game.id, int(person.id))
    seen = [message.raw for message in await game.seen(game.people[4])]
    shown = await tried(game, person)
    assert shown.ephemeral
    assert len(shown.images) == 1 + bool(game.table.view(seat).hand), "the board, and the hand if there is one"
    assert "What if" in shown.text
    for _ in range(12):
        shown = await answered(game, person, shown)
        if "The game is over" in shown.text:
            break
        assert "What if" in shown.text
    assert (await game.stands(), encode(game.table.state), await here.store.look(game.id, int(person.id))) == before
    assert [message.raw for message in await game.seen(game.people[4])] == seen
    shown = await press(game, person, shown, "Enough")
    assert "as it was" in shown.text
    again = await game.raw_press(person, shown, f"t:{game.id}:{seat}:1:tryundo:")
    assert "is over" in again.message.text


@pytest.mark.parametrize("key", KEYS)
async def test_undo_and_answering_for_others(here: World, key: str):
    game = await begun(here, key)
    seat = await mine(game)
    person = game.people[seat]
    shown = await tried(game, person)
    assert shown.button("One answer back").disabled
    attempt = here.bot.get_cog("WhatIfCog").attempts[int(person.id)]
    start = encode(attempt.trial.table.view(seat))
    shown = await answered(game, person, shown)
    shown = await press(game, person, shown, "One answer back")
    assert encode(attempt.trial.table.view(seat)) == start
    shown = await press(game, person, shown, "I answer for the others")
    asked = set()
    for _ in range(80):
        asked.add(attempt.trial.asked)
        if len(asked) > 1:
            break
        over = [b.label for b in shown.buttons if b.label == "End the turn"]
        shown = await (press(game, person, shown, over[0]) if over else answered(game, person, shown))
    assert asked == {0, 1}
    assert f"For {game.live.name(1 - seat)}" in shown.text
    shown = await press(game, person, shown, "Bots answer for the others")
    assert attempt.trial.table.over or attempt.trial.asked in (seat, None)


async def test_for_real(here: World):
    game = await begun(here, THRONE)
    while [q.key for q in game.table.asked.values()] != ["action"]:
        await play(game, 1)
    seat = next(iter(game.table.asked))
    person = game.people[seat]
    shown = await tried(game, person)
    assert shown.button("Do it for real").disabled
    move = next(b for b in shown.buttons if b.label == "Move")
    shown = (await person.press(shown.id, move.custom_id, finish=WAIT)).message
    while "action" not in (attempt := here.bot.get_cog("WhatIfCog").attempts[int(person.id)]).question.key:
        shown = await answered(game, person, shown)
    line = attempt.trial.line()
    assert len(line) >= 3
    length, wanted = game.table.length, encode(attempt.trial.table.view(seat).groups)
    done = await press(game, person, shown, "Do it for real")
    assert "moves" in done.text
    assert game.table.length == length + len(line)
    assert encode(game.table.view(seat).groups) == wanted
    assert int(person.id) not in here.bot.get_cog("WhatIfCog").attempts


async def test_for_real_only_as_far_as_chance(here: World):
    """Ending the turn draws cards: what was tried after it is not given."""
    game = await begun(here, THRONE)
    while [q.key for q in game.table.asked.values()] != ["action"]:
        await play(game, 1)
    seat = next(iter(game.table.asked))
    person = game.people[seat]
    shown = await tried(game, person)
    length = game.table.length
    shown = await press(game, person, shown, "End the turn")
    shown = await answered(game, person, shown)
    await press(game, person, shown, "Do it for real")
    assert game.table.length == length + 1


async def test_when_the_game_has_moved_on(here: World):
    game = await begun(here, THRONE)
    seat = await mine(game)
    person = game.people[seat]
    shown = await answered(game, person, await tried(game, person))
    await play(game, 1)
    before = await game.stands()
    said = await press(game, person, shown, "Do it for real")
    assert "has moved on" in said.text
    assert await game.stands() == before


async def test_when_something_else_has_changed(here: World):
    """The question stands as it did, but an offer has been made."""
    game = await here.game(2, options={"trading": "yes"})
    seat = await mine(game)
    person, other = game.people[seat], 1 - seat
    shown = await answered(game, person, await tried(game, person))
    token = game.live.token(seat)
    offer = next(act for act in game.table.acts(other) if act.name == "trade_offer")
    fields = [rules_of(THRONE).safe(field) or (field.options[0].id,) for field in offer.fields]
    await here.tables.steps.step(
        game.live, other, game.live.members[other].user_id, lambda table: table.act(other, "trade_offer", fields)
    )
    assert game.live.token(seat) == token
    before = await game.stands()
    assert "has moved on" in (await press(game, person, shown, "Do it for real")).text
    assert await game.stands() == before


async def test_deals_are_tried_too(here: World):
    game = await here.game(2, options={"trading": "yes"})
    seat = await mine(game)
    person = game.people[seat]
    attempt_of = here.bot.get_cog("WhatIfCog").attempts
    shown = await press(game, person, await tried(game, person), "More…")
    shown = (await person.choose(shown.id, shown.select().custom_id, ["trade_offer"], finish=WAIT)).message
    while attempt_of[int(person.id)].acting is not None:
        none = next((b.label for b in shown.buttons if b.label == "None"), None)
        given = attempt_of[int(person.id)].acting.fields
        shown = await (press(game, person, shown, none) if none and len(given) > 1 else answered(game, person, shown))
    assert "offers" in shown.text
    assert attempt_of[int(person.id)].trial.table.state.offers
    assert not game.table.state.offers
    assert shown.button("Do it for real").disabled


async def test_when_a_rule_fails_there(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, THRONE)
    seat = await mine(game)
    person = game.people[seat]
    before = await game.stands()
    shown = await tried(game, person)
    attempt = here.bot.get_cog("WhatIfCog").attempts[int(person.id)]
    with monkeypatch.context() as broken:
        broken.setattr(attempt.trial, "advance", lambda: 1 / 0)
        shown = await answered(game, person, shown)
        assert "A rule failed there" in shown.text
    assert "What if" in (await answered(game, person, shown)).text
    assert await game.stands() == before


async def test_one_at_a_time(here: World, monkeypatch: pytest.MonkeyPatch):
    """Who asks again while his what-if is being thought out is told so; others are not held up by refusals."""
    game = await begun(here, THRONE)
    seat = await mine(game)
    cog = here.bot.get_cog("WhatIfCog")
    await cog._room.acquire()
    first = asyncio.create_task(tried(game, game.people[seat]))

    async def waiting() -> bool:
        return int(game.people[seat].id) in cog._begun

    await until(waiting)
    assert "still being thought out" in (await tried(game, game.people[seat])).text
    cog._room.release()
    assert "What if" in (await first).text


async def test_it_is_not_thought_about_for_ever(here: World, monkeypatch: pytest.MonkeyPatch):
    """What has not been found in time begins where the turn began; bot players who take too long are waited for no more."""
    game = await begun(here, THRONE)
    seat = await mine(game)
    person = game.people[seat]
    await game.answer("move")
    assert game.table.tail
    monkeypatch.setattr("cogs.attempts.THINK_SECONDS", 0.0)
    shown = await tried(game, person)
    assert "this begins where it began" in shown.text
    shown = await press(game, person, shown, "End the turn")
    assert "without anything for you to decide" in shown.text
    monkeypatch.undo()
    shown = await press(game, person, shown, "Go on")
    assert "without anything for you to decide" not in shown.text


async def test_it_is_for_those_who_play_and_not_for_ever(here: World, monkeypatch: pytest.MonkeyPatch):
    game = await begun(here, THRONE)
    assert "You are watching" in (await tried(game, game.people[4])).text
    seat = await mine(game)
    person = game.people[seat]
    shown = await tried(game, person)
    stale = shown
    shown = await answered(game, person, shown)
    again = await game.raw_press(person, stale, stale.buttons[0].custom_id)
    assert "That choice is gone" in again.message.text
    here.skip(1)
    assert "is over" in (await press(game, person, again.message, "I answer for the others")).text
    monkeypatch.setattr(sys.modules["cogs.what_if"], "AT_ONCE", 1)  # the one that the bot has loaded
    shown = await tried(game, person)
    other = game.people[1 - seat]
    await tried(game, other)
    assert set(here.bot.get_cog("WhatIfCog").attempts) == {int(other.id)}
    assert "is over" in (await press(game, person, shown, "I answer for the others")).text


@pytest.mark.parametrize("key", KEYS)
async def test_twins_show_the_same(here: World, monkeypatch: pytest.MonkeyPatch, key: str):
    """Two games that the viewer cannot tell apart: with the same luck, what he tries in them is the same as well."""
    monkeypatch.setattr(here.bot, "entropy", lambda n: b"luck" * (n // 4))
    monkeypatch.setattr(secrets, "randbelow", lambda n: 7)
    case = CASES[key]
    for seed in range(2):
        state = midgame(case, seed)
        panels = [await panels_of(here, monkeypatch, case, hidden) for hidden in (state, differing(case, state))]
        if key == THRONE:
            assert any("For " in str(shown) and "swap" in str(shown) for shown in panels[0]), "no hand was opened"
        assert panels[0] == panels[1]


async def panels_of(here: World, monkeypatch: pytest.MonkeyPatch, case: Case, state: Any) -> list[Any]:
    """What the viewer sees when he tries something in a game with this state."""
    rules = case.rules
    game = await here.lobby(SEATS, key=case.key, options=case.lobby)
    await here.store.update_game(game.id, now_ms=0, secret=SECRET)
    with monkeypatch.context() as patched:
        patched.setattr(
            type(rules), "setup", lambda self, *given: msgspec.msgpack.decode(encode(state), type=rules.state)
        )
        assert "started" in await game.says(here.people[0], "game start")
    await game.settled()
    watcher = Watcher(case, game, here.people[VIEWER])
    shown = await tried(game, watcher.person)
    seen = [await watcher.message(shown)]
    for wanted in ("I answer for the others", *["Swap a card", "Back", "End the turn"] * 4):
        there = any(button.label == wanted for button in shown.buttons)
        shown = await (press(game, watcher.person, shown, wanted) if there else answered(game, watcher.person, shown))
        seen.append(await watcher.message(shown))
    await game.says(here.people[0], "game cancel", sure=True)
    return seen
