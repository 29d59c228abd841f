"""Games played to their end in a moment, by bot players in people's places."""

from __future__ import annotations

import contextlib
import itertools

from cogs.errors import Stale
from rules.bots import bot_player
from rules.engine import Chance, Decision

from .world import THRONE, WORLD, Game, World, until

SHORT = {THRONE: {"round_limit": "2"}, WORLD: {}}
_interactions = itertools.count(1)


async def step(game: Game) -> None:
    """Somebody who is asked answers, if there is a person."""
    live, rules = game.live, game.live.rules
    people = [seat for seat in live.asked_humans() if seat not in live.table.sealed]
    if people:
        seat = people[0]
        player = bot_player(rules, "policy")
        decision = Decision(seat, live.table.view(seat), live.table.asked[seat])
        answer = player(decision, Chance(game.id.to_bytes(4, "big") + live.table.length.to_bytes(4, "big")))
        with contextlib.suppress(Stale):  # a question that answers itself has done so meanwhile
            await game.world.tables.answer(live, seat, live.token(seat), answer, next(_interactions))


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
