"""Reaction windows: they close by themselves, in a time that tells nothing."""

from __future__ import annotations

import asyncio

import pytest

from cogs.tables import Tables

from .world import WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
SHORT, LONG = 0.8, 1.0
PLAY = {"bot_pause_seconds": 0.01, "window_seconds": (SHORT, LONG)}


async def window_of(game: Game) -> int:
    """Bring the game to a window of one seat, whatever it holds: an influence attempt by the other."""
    for _ in range(60):
        seats = list(game.table.asked)
        seat, question = seats[0], game.table.asked[seats[0]]
        if question.windows:
            return seat
        if question.key == "action":
            await game.answer("influence" if held(game, seat) and not held(game, 1 - seat) else "end", seat)
        elif question.key == "influence.cards":
            await game.answer(question.options[0].id, seat)
        else:
            await game.answer_simply(seat)
    raise AssertionError("no window came")


def held(game: Game, seat: int) -> bool:
    return any(card.alive == "influence" for card in game.table.view(seat).hand)


async def open_window(here: World) -> tuple[Game, int]:
    """A game in which a seat without an Influence card is asked whether it counters."""
    for _ in range(10):
        game = await here.game(2)
        try:
            return game, await window_of(game)
        except AssertionError:
            continue
    raise AssertionError("no window in ten games")


def opened_at(game: Game, seat: int) -> float:
    return game.live.opened[seat].due


async def passed(game: Game, seat: int) -> float:
    """When the window has closed, by the loop's clock."""
    number = game.table.number(seat)
    await until(lambda: asyncio.sleep(0, not game.live.is_asked(seat, number)))
    return asyncio.get_running_loop().time()


async def test_it_passes_by_itself_not_before_its_time(here: World):
    game, seat = await open_window(here)
    due = opened_at(game, seat)
    assert len(game.table.asked[seat].options) == 1
    assert await passed(game, seat) >= due


async def test_an_early_answer_is_held_until_then(here: World):
    game, seat = await open_window(here)
    due = opened_at(game, seat)
    person = game.people[seat]
    said = await game.answer("skip", seat)
    assert "It counts when the moment is over" in said
    assert "Your answer for now: Pass" in said
    assert seat in game.table.asked
    assert seat not in game.table.sealed
    assert await passed(game, seat) >= due
    assert person.id


async def test_a_held_answer_outlives_a_restart(here: World, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here)
    await game.answer("skip", seat)
    number = game.table.number(seat)
    kept: dict[int, object] = {}
    load = Tables._load

    async def loaded(self, game_id):
        live, mark = await load(self, game_id)
        kept[game_id] = dict(live.held)
        return live, mark

    monkeypatch.setattr(Tables, "_load", loaded)
    await here.restart()
    assert kept[game.id] in ({seat: (number, ("skip",))}, {})
    if game.live.is_asked(seat, number):
        await passed(game, seat)


async def test_it_closes_at_the_longest_delay_of_all(here: World):
    """In a window of several, nobody's answer shows before the last delay has passed, bot players' included."""
    game = await here.game(1, bots=3)
    await until(lambda: several(game), 60)
    dues = [opened.due for opened in game.live.opened.values()]
    seats = list(game.table.asked)
    numbers = {seat: game.table.number(seat) for seat in seats}
    closed = until(lambda: asyncio.sleep(0, not all(game.live.is_asked(seat, n) for seat, n in numbers.items())))
    if 0 in seats:
        await game.answer("skip", 0)
    await closed
    assert asyncio.get_running_loop().time() >= max(dues)


async def several(game: Game) -> bool:
    """Whether a window of several stands open; else the person's turn goes on."""
    asked = game.table.asked
    if len(asked) > 1 and all(question.windows for question in asked.values()):
        return True
    if 0 in asked and not game.live.held:
        await (game.answer("end", 0) if asked[0].key == "action" else game.answer_simply(0))
    return False


async def test_standing_answers(here: World):
    game, seat = await open_window(here)
    panel = (await game.press(game.people[seat], await game.turn(), "Choose…")).message
    on = await game.people[seat].press(panel.id, panel.button("Always pass here").custom_id, finish=WAIT)
    assert "From now on you pass here by yourself" in on.message.text
    assert on.message.button("Ask me again")
    assert game.table.standing[seat]
    shown = (await game.command(game.people[seat], "table standing")).reply
    select = shown.select()
    assert select.options[0].label == "Somebody asks the Emperor for Squadrons"
    await game.people[seat].choose(shown.id, select.custom_id, [select.options[0].value], finish=WAIT)
    assert not game.table.standing.get(seat)
