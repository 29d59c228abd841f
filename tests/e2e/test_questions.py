"""Questions on the screen: line-ups put together press by press, sealed answers, who is pinged, what is shown where."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from rules import rules_of
from rules.engine import Answer, Chance, Decision, Question, Table, encode
from sandbox.client import Message

from .world import THRONE, WAIT, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
RULES = rules_of(THRONE)
interactions = itertools.count(1)


async def until_asked(
    here: World, monkeypatch: pytest.MonkeyPatch, seats: int, wanted: Callable[[Question], bool]
) -> tuple[Game, int]:
    """A game in which somebody is asked such a question, and his seat: found by bot players, then played again on Discord."""
    for seed in range(20):
        state, answers = walk(seats, wanted, seed)
        with monkeypatch.context() as patched:
            patched.setattr(type(RULES), "setup", lambda self, *given, state=state: copied(state))
            game = await here.game(seats)
        for seat, answer in answers:
            live = game.live
            if seat in live.table.asked and seat not in live.table.sealed:
                await here.tables.steps.answer(live, seat, live.token(seat), answer, next(interactions))
        await game.settled()
        found = [seat for seat, question in game.table.asked.items() if wanted(question)]
        if found:
            return game, found[0]
    raise AssertionError("it never came up")


def walk(seats: int, wanted: Callable[[Question], bool], seed: int) -> tuple[Any, list[tuple[int, Answer]]]:
    """The start of a turn in a game of bot players, and the answers from there to such a question."""
    table, _ = Table.start(RULES, seats=seats, secret=bytes([seed + 1]) * 32)
    chance = Chance(f"walk{seed}".encode())
    state, answers = copied(table.state), []
    player = RULES.bots["policy"]
    while not (table.over or any(wanted(question) for question in table.asked.values())):
        seat = chance.pick([seat for seat in table.asked if seat not in table.sealed])
        answer = player(Decision(seat, table.view(seat), table.asked[seat]), chance)
        answers.append((seat, answer))
        if table.answer(seat, answer).checkpoints:
            state, answers = copied(table.state), []
    return state, answers


def copied(state: Any) -> Any:
    return msgspec.msgpack.decode(encode(state), type=RULES.state)


def lined_up(question: Question) -> bool:
    return question.key == "battle.order" and question.most > 1 and len(question.options) > 1


async def add(game: Game, seat: int, panel: Message) -> Message:
    """Press the first button that adds a unit."""
    adding = next(b for b in panel.buttons if ":add:" in b.custom_id)
    return (await game.people[seat].press(panel.id, adding.custom_id, finish=WAIT)).message


async def test_a_line_up_survives_a_restart(here: World, monkeypatch: pytest.MonkeyPatch):
    game, seat = await until_asked(here, monkeypatch, 3, lined_up)
    most = game.table.asked[seat].most
    panel = await game.panel(game.people[seat])
    assert "Chosen so far: nothing" in panel.text
    panel = await add(game, seat, panel)
    assert "Start over" in [button.label for button in panel.buttons]
    chosen = panel.text
    await here.restart()
    again = await game.panel(game.people[seat])
    assert again.text == chosen
    cleared = (await game.press(game.people[seat], again, "Start over")).message
    assert "Chosen so far: nothing" in cleared.text
    panel = await add(game, seat, again)
    for _ in range(most - 1):
        assert "Confirm" not in [button.label for button in panel.buttons]
        panel = await add(game, seat, panel)
    length = game.table.length
    done = (await game.press(game.people[seat], panel, "Confirm")).message
    assert game.table.length == length + 1
    assert "Chosen so far" not in done.text or "Your answer for now" in done.text


async def test_nobody_sees_who_has_answered(here: World, monkeypatch: pytest.MonkeyPatch):
    """A sealed answer changes nothing that others see, their own undo included; it may be replaced until all are in."""

    def several(question: Question) -> bool:
        return question.key == "bid"

    game, seat = await until_asked(here, monkeypatch, 3, several)
    asked = list(game.table.asked)
    assert len(asked) > 1
    other = next(s for s in asked if s != seat)

    async def seen() -> object:
        undo = (await game.command(game.people[seat], "table undo")).reply
        channel = [m for m in await game.seen(game.people[seat]) if not m.ephemeral]
        turn = await game.turn()
        return undo.text, undo.buttons, [(m.id, m.version, m.text) for m in channel], turn.buttons

    before = await seen()
    for _ in range(2):
        await game.answer("skip", other)
        assert other in game.table.sealed
        assert await seen() == before
    panel = await game.panel(game.people[other])
    assert "Your answer for now: Pass. You may still change it" in panel.text
    assert "Your answer for now" not in (await game.panel(game.people[seat])).text


async def test_who_is_pinged(game: Game):
    """The turn's message pings its player when it comes; later edits ping nobody; hands come by direct message."""
    for _ in range(30):
        if {question.key for question in game.table.asked.values()} == {"action"}:
            break
        await game.answer_simply(game.unanswered)
    seat = next(iter(game.table.asked))
    await game.answer("end")
    for _ in range(5):
        if {question.key for question in game.table.asked.values()} == {"action"}:
            break
        await game.answer_simply(game.unanswered)
    await game.settled()
    await game.answer("surrender", game.unanswered)
    turn = await game.turn()
    _, entries = await game.world.client.journal(channel=game.thread, kinds=["message", "edit"])
    mine = [entry for entry in entries if entry.message_id == turn.id]
    assert mine[0].pings == (game.people[1 - seat].id,)
    assert len(mine) > 1
    assert not any(entry.pings for entry in mine[1:])
    for person in game.people[:2]:
        hands = [m for m in await person.visible("@me") if game.thread in m.text]
        assert len(hands) == 1
        assert hands[0].images
    assert not [m for m in await game.people[4].visible("@me") if game.thread in m.text]


async def test_a_private_question_follows_a_public_press(game: Game):
    for _ in range(30):
        if {question.key for question in game.table.asked.values()} == {"action"}:
            break
        await game.answer_simply(game.unanswered)
    seat = next(iter(game.table.asked))
    person = game.people[seat]
    turn = await game.turn()
    pressed = await game.press(person, turn, "Play a card")
    assert pressed.followups[-1].ephemeral
    assert "Which card do you play?" in pressed.followups[-1].text
    turn = await game.turn()
    assert "chooses a card to play" in turn.text
    assert not [b for b in turn.buttons if ":answer:" in b.custom_id]
    back = await person.press(pressed.followups[-1].id, pressed.followups[-1].button("Back").custom_id, finish=WAIT)
    assert back.message.id == pressed.followups[-1].id
    assert "what do you do?" in back.message.text
