"""Reaction windows: they close by themselves, in a time that tells nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as replaced

from cogs import standing
from cogs.pace import Pace
from cogs.tables import Tables
from rules import rules_of
from rules.engine import Event, Table, encode
from rules.struggle_for_the_throne.state import Turn

from .world import ECLIPSE, THRONE, WAIT, Game, World, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
RULES = rules_of(THRONE)
SHORT, LONG = 0.8, 1.2
PLAY = {"bot_pause_seconds": 0.01, "window_seconds": (SHORT, LONG)}


def held(state: Any, seat: int) -> list[str]:
    """The Influence cards of a seat."""
    return [card for card in state.hands[seat] if card.startswith("influence")]


def turn_of_an_influential(seats: int) -> Any:
    """The start of a turn of a seat that holds an Influence card, which the next seat does not."""
    for seed in range(200):
        table, _ = Table.start(RULES, seats=seats, secret=bytes([seed + 1]) * 32)
        while {question.key for question in table.asked.values()} != {"action"}:
            for seat, question in list(table.asked.items()):
                table.answer(seat, RULES.safe(question))
        state = msgspec.msgpack.decode(encode(table.state), type=RULES.state)
        (active,) = table.asked
        state.next, state.busy = Turn(active), False
        if held(state, active) and not held(state, (active + 1) % seats):
            return state
    raise AssertionError("nobody is influential")


async def open_window(here: World, monkeypatch: pytest.MonkeyPatch, seats: int = 2, bots: int = 0) -> tuple[Game, int]:
    """A game in which somebody has asked the Emperor, and whoever holds a card may counter; and the next seat."""
    state = turn_of_an_influential(seats + bots)
    with monkeypatch.context() as patched:
        patched.setattr(type(RULES), "setup", lambda self, *given: state)
        game = await here.game(seats, bots=bots)
    (active,) = game.table.asked
    await game.answer("influence", active)
    await game.answer(held(state, active)[0], active)
    return game, (active + 1) % (seats + bots)


class Still:
    """The time of windows: it stands until somebody moves it."""

    def __init__(self) -> None:
        self.now = time.monotonic()

    async def until_closed(self, game: Game, seat: int, due: float) -> None:
        """Let time pass until the window is due to close: it does so then, and not before."""
        number = game.table.number(seat)
        self.now = due - 0.001
        game.live.wake.set()
        await asyncio.sleep(0.05)
        assert game.live.is_asked(seat, number)
        self.now = due
        game.live.wake.set()
        await until(lambda: asyncio.sleep(0, not game.live.is_asked(seat, number)))


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> Still:
    made = Still()
    monkeypatch.setattr(Pace, "now", lambda pace: made.now)
    return made


async def test_it_passes_by_itself_not_before_its_time(here: World, still: Still, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here, monkeypatch)
    assert len(game.table.asked[seat].options) == 1
    await still.until_closed(game, seat, game.live.opened[seat].due)


async def test_an_early_answer_is_held_until_then(here: World, still: Still, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here, monkeypatch)
    due = game.live.opened[seat].due
    said = await game.answer("skip", seat)
    assert "It counts when the moment is over" in said
    assert "Your answer for now: Pass" in said
    assert seat in game.table.asked
    assert seat not in game.table.sealed
    await still.until_closed(game, seat, due)


async def test_a_held_answer_outlives_a_restart(here: World, still: Still, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here, monkeypatch)
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
    assert kept[game.id] == {seat: (number, ("skip",))}
    await still.until_closed(game, seat, game.live.opened[seat].due)


async def test_it_closes_at_the_longest_delay_of_all(here: World, still: Still, monkeypatch: pytest.MonkeyPatch):
    """In a window of several nothing shows before the last of the delays has passed, whoever answers when."""
    game, seat = await open_window(here, monkeypatch, seats=4)
    dues = [opened.due for opened in game.live.opened.values()]
    assert len(dues) == 3
    assert len(set(dues)) == 3
    for other in list(game.table.asked):
        if len(game.table.asked[other].options) > 1:
            await game.answer("skip", other)
    await still.until_closed(game, seat, max(dues))


async def test_standing_answers(here: World, still: Still, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here, monkeypatch)
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


async def reacting(here: World) -> tuple[Game, int]:
    """A game of Eclipse in which the first to pass is asked whether to react."""
    game = await here.game(2, key=ECLIPSE)
    while "action.choose" not in {question.key for question in game.table.asked.values()}:
        await game.answer_simply(game.unanswered)
    first = game.unanswered
    for choice in ("pass", "influence", "done"):
        await game.answer(choice)
    await game.settled()
    assert game.table.asked[first].key == "reaction.choose"
    return game, first


async def until_asked(game: Game, seat: int, key: str) -> list[str]:
    """The others pass or do what comes first until the seat is asked this; the keys of what it was asked before."""
    asked: list[str] = []
    while not (seat in game.table.asked and game.table.asked[seat].key == key):
        if seat in game.table.asked and seat in game.table.standing and game.table.passes(seat):
            await game.settled()  # it passes by itself
            continue
        now = game.unanswered
        asked += [game.table.asked[now].key] * (now == seat)
        ids = [option.id for option in game.table.asked[now].options]
        await game.answer("pass" if "pass" in ids else "skip" if "skip" in ids else ids[0], now)
    return asked


async def test_a_standing_answer_until_the_next_turn(here: World):
    game, first = await reacting(here)
    person = game.people[first]
    said = await game.press(person, await game.turn(), "Pass until my next turn")
    assert "until it is your turn again" in said.followups[-1].text
    await here.restart()
    assert game.table.standing[first] == ("reaction",)
    listed = (await game.command(person, "table standing")).reply
    assert listed.select().options[0].description == "Until your next turn"
    await until_asked(game, first, "action.choose")
    assert not game.table.standing.get(first)
    assert not game.live.until


async def on_until(game: Game, seat: int, condition: Callable[[], bool]) -> None:
    """The others pass as soon as they can, and the seat passes by itself, until that is so."""

    async def now() -> bool:
        others = [other for other in game.table.asked if other != seat and other not in game.table.sealed]
        if others and seat not in game.table.asked and not condition():
            passes = any(option.id == "pass" for option in game.table.asked[others[0]].options)
            await (game.answer("pass", others[0]) if passes else game.answer_simply(others[0]))
        return condition()

    await until(now, 60)


async def test_who_has_passed_until_his_turn_is_told_that_it_has_come(here: World):
    """The other ends it with a press of his own: that is none of the one who stood by."""
    game, first = await reacting(here)
    person, config = game.people[first], here.tables.config
    play = replaced(config.play, window_seconds=(0.01, 0.02))
    here.tables.config = replaced(config, time=replaced(config.time, recent_seconds=3600.0), play=play)
    try:
        await game.press(person, await game.turn(), "Pass until my next turn")
        here.skip(hours=2)
        await on_until(game, first, lambda: first in game.table.asked and not game.table.asked[first].windows)
        await game.settled()
        slot = await here.store.slot(game.id, f"ask{first}.{game.live.asks.get(first)}")
        told = await game.turn() if slot is None else await person.message(str(slot.message_id))
        assert person.id in told.mentions
    finally:
        here.tables.config = config


async def test_a_standing_answer_until_it_concerns_me(here: World, monkeypatch: pytest.MonkeyPatch):
    """What others do to others does not end it; what names the seat does, and so it is asked again."""
    game, seat = await open_window(here, monkeypatch, seats=4)
    panel = (await game.press(game.people[seat], await game.turn(), "Choose…")).message
    said = await game.people[seat].press(panel.id, panel.button("Pass until it concerns me").custom_id, finish=WAIT)
    assert "until something happens that names you" in said.message.text
    windows = game.table.standing[seat]
    assert {how for _, how in game.live.until.items()} == {"concerned"}
    for other in [other for other in game.table.asked if other != seat]:
        await game.answer("skip", other)
    assert game.table.standing[seat] == windows
    assert standing.names(game.live, Event("turn", {"round": 2, "seat": seat}, None)) == {seat}
    assert not standing.names(game.live, Event("free_move", {}, None))
    since = await here.store.length(game.id)

    async def concerned() -> bool:
        if not game.table.standing.get(seat):
            return True
        now = next((now for now in game.table.asked if now != seat and now not in game.table.sealed), None)
        if now is not None and seat not in game.table.asked:
            await game.answer_simply(now)
        return False

    await until(concerned, 60)
    assert not game.live.until
    told = [msgspec.msgpack.decode(data, type=Event) for _, _, data in await here.store.events(game.id, since)]
    assert any(seat in standing.names(game.live, event) for event in told if event.audience is None)


async def test_until_the_next_turn_in_secret(here: World, monkeypatch: pytest.MonkeyPatch):
    game, seat = await open_window(here, monkeypatch)
    person = game.people[seat]
    panel = (await game.press(person, await game.turn(), "Choose…")).message
    await person.press(panel.id, panel.button("Pass until my next turn").custom_id, finish=WAIT)
    assert game.table.standing[seat]
    await on_until(game, seat, lambda: seat in game.table.asked and not game.table.asked[seat].windows)
    assert not game.table.standing.get(seat)
    assert not game.live.until


async def test_until_it_concerns_me_in_public(here: World):
    game, first = await reacting(here)
    await game.press(game.people[first], await game.turn(), "Pass until it concerns me")
    assert game.live.until == {(first, "reaction"): "concerned"}
    since = await here.store.length(game.id)
    await on_until(game, first, lambda: not game.table.standing.get(first))
    told = [msgspec.msgpack.decode(data, type=Event) for _, _, data in await here.store.events(game.id, since)]
    assert any(first in standing.names(game.live, event) for event in told if event.audience is None)


async def test_standing_answers_from_a_question_that_everybody_sees(here: World, still: Still):
    """Whoever plays by buttons alone need not be asked to react after each turn of the others."""
    game, first = await reacting(here)
    turn, person, due = await game.turn(), game.people[first], game.live.opened[first].due
    refused = await game.press(game.people[1 - first], turn, "Always pass here")
    assert "to answer" in refused.followups[-1].text
    assert not game.table.standing.get(1 - first)
    on = await game.press(person, turn, "Always pass here")
    assert "From now on you pass here by yourself" in on.followups[-1].text
    assert game.table.standing[first] == ("reaction",)
    await still.until_closed(game, first, due)  # as late as if he had a say
    shown = (await game.command(person, "table standing")).reply
    select = shown.select()
    assert select.options[0].label == "A reaction, once you have passed"
    await person.choose(shown.id, select.custom_id, [select.options[0].value], finish=WAIT)
    assert not game.table.standing.get(first)
