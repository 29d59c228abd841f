"""Bots at a table: they get what their seat may know, and choose with a chance of their own."""

from collections.abc import Callable, Sequence

from .engine.chance import Chance
from .engine.errors import Illegal
from .engine.rules import BotPlayer, Decision, Rules, random_player
from .engine.table import Table


def bot_player(rules: Rules, level: str) -> BotPlayer:  # type: ignore[type-arg]
    """The game's bot player of this level; `random` is always there, `policy` is the strongest the game has."""
    if level in rules.bots:
        return rules.bots[level]
    if level == "policy" and rules.bots:
        return next(iter(rules.bots.values()))
    if level in ("random", "policy"):
        return random_player
    raise Illegal("engine.no_such_bot", level=level)


def play_out(
    table: Table, levels: Sequence[str], chance: Chance, until: Callable[[Table], bool] | None = None,
    limit: int | None = None,
) -> int:  # fmt: skip
    """Let bots (one level a seat) answer everything until the game is over, `until` says so, or `limit` decisions.
    Returns how many decisions were made."""
    players = [bot_player(table.rules, level) for level in levels]
    decisions = 0
    while not table.over and decisions != limit and not (until and until(table)):
        seat, question = next((seat, asked) for seat, asked in table.asked.items() if seat not in table.sealed)
        player = players[seat]
        view = None if player is random_player else table.view(seat)
        table.answer(seat, player(Decision(seat, view, question), chance))
        chance.draws.clear()
        decisions += 1
    return decisions
