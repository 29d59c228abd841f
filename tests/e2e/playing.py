"""Games played to their end in a moment, by bot players in people's places."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rules import rules_of
from rules.bots import bot_player
from rules.engine import Chance, Decision, Table, encode

from .world import ECLIPSE, THRONE, WORLD, Game, World, until

SHORT = {THRONE: {"round_limit": "2"}, WORLD: {}}
BATTLE_SEATS = 3


async def step(game: Game) -> None:
    """Somebody who is asked answers, if there is a person."""
    live, rules = game.live, game.live.rules
    people = [seat for seat in live.asked_humans() if seat not in live.table.sealed]
    if people:
        seat = people[0]
        player = bot_player(rules, "policy")
        decision = Decision(seat, live.table.view(seat), live.table.asked[seat])
        answer = player(decision, Chance(game.id.to_bytes(4, "big") + live.table.length.to_bytes(4, "big")))
        await game.give(seat, answer)


async def play_out(game: Game) -> None:
    """Play until the game has ended, and everything is said."""

    async def over() -> bool:
        if game.id in game.world.tables.live:
            await step(game)
        return game.id not in game.world.tables.live

    await until(over, 60)
    await game.settled()


async def played(here: World, key: str, seats: int = 2, bots: int = 0) -> Game:
    """A game of that kind, played to its end."""
    game = await here.game(seats, key=key, options=SHORT[key], bots=bots)
    await play_out(game)
    return game


def before_a_battle() -> Any:
    """The state at the start of the combat in a hex in which somebody may retreat at once."""
    rules = rules_of(ECLIPSE)
    players = [bot_player(rules, "policy"), bot_player(rules, "random")]
    for seed in range(200):
        table, _ = Table.start(rules, seats=BATTLE_SEATS, secret=bytes([seed]) * 32)
        chance = Chance(b"walk %d" % seed)
        while not table.over:
            seat = next(seat for seat in table.asked if seat not in table.sealed)
            if table.asked[seat].key == "combat.action" and len(table.tail) == 0:
                state = msgspec.msgpack.decode(encode(table.state), type=rules.state)
                state.battle = None
                return state
            player = players[chance.below(4) == 3]
            table.answer(seat, player(Decision(seat, table.view(seat), table.asked[seat]), chance))
    raise AssertionError("no battle")


async def battle(here: World, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game that begins with a battle."""
    rules = rules_of(ECLIPSE)
    begun = before_a_battle()
    game = await here.lobby(BATTLE_SEATS, key=ECLIPSE)
    with monkeypatch.context() as patched:
        patched.setattr(type(rules), "setup", lambda self, *given: begun)
        assert "started" in await game.says(here.people[0], "game start")
    await game.settled()
    return game
