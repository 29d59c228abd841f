"""What the tests of looking back and of watching share: both games, played on by bot players' answers."""

from __future__ import annotations

import contextlib
import functools
import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from PIL import Image

from rules import rules_of
from rules.bots import bot_player
from rules.eclipse.scoring import last_round
from rules.engine import Chance, Table, encode
from rules.engine.rules import Decision
from sandbox.client import Message, Person

from .world import ECLIPSE, THRONE, WAIT, WORLD, Game, World

KEYS = (THRONE, WORLD, ECLIPSE)


async def begun(here: World, key: str, seats: int = 2) -> Game:
    """A running game of that kind."""
    return await here.game(seats, key=key)


@functools.cache
def late() -> bytes:
    """The encoded state of a game of Eclipse at the beginning of its last round."""
    table, _ = Table.start(rules_of(ECLIPSE), seats=2, secret=b"late".ljust(32))
    player, chance = bot_player(table.rules, "policy"), Chance(b"late")
    while not (last_round(table.state) and not table.tail):
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        table.answer(seat, player(Decision(seat, table.view(seat), table.asked[seat]), chance))
    return encode(table.state)


@contextlib.contextmanager
def shortened(key: str) -> Iterator[dict[str, str]]:
    """Games of two that begin here are short, if they are given these options."""
    with pytest.MonkeyPatch.context() as patch:
        if key == ECLIPSE:
            rules, begin = rules_of(key), late()
            patch.setattr(type(rules), "setup", lambda *_: msgspec.msgpack.decode(begin, type=rules.state))
        yield {"round_limit": "2"} if key == THRONE else {}


async def play(game: Game, steps: int, until_turn: int = 0, seed: str = "play") -> None:
    """Let everybody answer as a bot player would, so many times or until that turn begins."""
    chance = Chance(seed.encode())
    for _ in range(steps):
        if game.id not in game.world.tables.live or (until_turn and game.live.turn.number >= until_turn):
            break
        seat = next((seat for seat in game.table.asked if seat not in game.table.sealed), None)
        if seat is None:
            await game.settled()  # what is left answers itself
            continue
        player = bot_player(game.table.rules, "policy")
        answer = player(Decision(seat, game.table.view(seat), game.table.asked[seat]), chance)
        await game.give(seat, answer)
    await game.settled()


async def finish(game: Game) -> None:
    """Play to the end."""
    game.ended = game.live  # type: ignore[attr-defined]
    await play(game, 5000)
    assert game.id not in game.world.tables.live


async def picture(game: Game, message: Message, n: int = 0) -> bytes:
    """The bytes of the message's picture."""
    data: bytes = await game.world.client.download(message.raw["attachments"][n]["url"])
    return data


def opened(data: bytes) -> Image.Image:
    """The picture."""
    return Image.open(io.BytesIO(data))


def page_of(text: str) -> tuple[int, int]:
    """The page and how many there are."""
    found = re.search(r"(?:Board|page|Page) (\d+) of (\d+)", text)
    assert found is not None, text
    return int(found[1]), int(found[2])


async def step(person: Person, message: Message, label: str, **more: Any) -> Message:
    """What the panel shows after that button."""
    pressed = await person.press(message.id, message.button(label).custom_id, finish=WAIT, **more)
    assert pressed.message is not None
    return pressed.message
