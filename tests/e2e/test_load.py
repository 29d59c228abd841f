"""When there is more to send than Discord takes: bot players slow down, people do not wait for them."""

from __future__ import annotations

import sys

import pytest

from cogs.payloads import Turning

from .playing import step
from .world import GAMES, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
PLAY = {"bot_pause_seconds": 0.5, "edit_seconds": 1.0}


async def bots_next(here: World, key: str) -> Game:
    """A game in which only bot players are asked, who then think for ever."""
    game = await here.game(1, key=key, bots=2)

    async def thinking() -> bool:
        await step(game)
        asked = game.table.asked
        if game.live.asked_humans() or not asked or any(question.windows for question in asked.values()):
            return False
        here.tables.pace._tasks[game.id].cancel()
        return True

    await until(thinking)
    return game


@pytest.mark.parametrize("key", GAMES)
async def test_what_a_person_did_is_shown_at_once_though_bot_players_follow(here: World, key: str):
    game = await bots_next(here, key)
    await game.settled()
    pressure = here.tables.pressure
    assert not pressure.waited_for(game.live)
    shown = pressure._edits[game.id][-1]
    pressure._edits[game.id] = tuple(range(shown - 4000, shown + 1, 1000))  # it was shown each second
    assert pressure.not_before(game.live) == shown + 2000
    game.live.pressed[0] = shown + 1
    assert pressure.waited_for(game.live)
    assert pressure.not_before(game.live) == shown + 1000


@pytest.mark.parametrize("key", GAMES)
async def test_pictures_of_bot_players_steps_are_left_out_and_made_up_for(here: World, key: str, monkeypatch):
    game = await bots_next(here, key)
    await game.settled()
    sender, drawn = here.tables.sender, []
    board = here.tables.painter.board

    async def noted(*args: object, **more: object) -> object:
        drawn.append(more["patient"])
        return await board(*args, **more)

    monkeypatch.setattr(here.tables.painter, "board", noted)
    monkeypatch.setattr(sys.modules["cogs.healing"], "HEAL_SECONDS", (0.5, 0.5, 0.5))
    monkeypatch.setattr(type(here.tables.painter), "waiting", 20)
    before = await game.turn()
    await sender.post(game.id, game.live.channel_id, f"turn{game.live.turn.number}", Turning())
    await game.settled()
    assert drawn == []
    after = await game.turn()
    assert (after.id, after.images[0].id) == (before.id, before.images[0].id)
    monkeypatch.setattr(type(here.tables.painter), "waiting", 0)
    await until(lambda: drawn_again(drawn))


async def drawn_again(drawn: list[bool]) -> bool:
    return drawn == [True]


@pytest.mark.parametrize("key", GAMES)
async def test_bot_players_slow_down_when_messages_or_pictures_pile_up(here: World, key: str, monkeypatch):
    game = await bots_next(here, key)
    await game.settled()
    pressure, pace, live = here.tables.pressure, here.tables.pace, game.live
    assert pressure.seconds == 0

    now = pace.now()
    monkeypatch.setattr(type(pace), "now", lambda self: now)

    def pause() -> float:
        live.opened = {}
        pace.schedule(live)
        return max(opened.due for opened in live.opened.values()) - now

    assert pause() == pytest.approx(0.5)
    monkeypatch.setattr(type(here.tables.painter), "waiting", 20)
    assert pressure.seconds == 2
    assert pause() == pytest.approx(1.5)
    assert pressure.not_before(live) == pressure._edits[game.id][-1] + 6000
    monkeypatch.setattr(type(pressure.throttle), "seconds", 100.0)
    assert pause() == pytest.approx(2.5)
    monkeypatch.undo()
    monkeypatch.setattr(type(pace), "now", lambda self: now)
    assert pause() == pytest.approx(0.5)
