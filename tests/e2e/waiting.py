"""Tables that wait for people: what the tests of deadlines and pings share."""

from __future__ import annotations

import re
from typing import Any

from rules.engine import Event, decode_record
from rules.engine.log import Answered
from sandbox.client import Message, Person

from .world import WAIT, Game, World, until

MINUTE, HOUR = 60_000, 3_600_000


async def alone(game: Game) -> int:
    """Play on simply until one person alone is asked something that all may see; who it is."""
    for _ in range(60):
        asked = game.table.asked
        seat = next(iter(asked))
        if len(asked) == 1 and not asked[seat].private and not game.live.is_bot(seat):
            return seat
        await game.answer_simply(game.unanswered)
    raise AssertionError(f"still asked {game.table.asked}")


async def table(here: World, key: str, *, pace: str = "day", seats: int = 2, **given: Any) -> tuple[Game, int]:
    """A game with that pace, and the seat that alone is asked in it."""
    rules = {name: given.pop(name) for name in ("miss", "grace") if name in given}
    game = await here.game(seats, key=key, pace=pace, **given)
    if rules:
        await game.says(here.people[0], "game pace", **rules)
    return game, await alone(game)


async def passes(game: Game, hours: float) -> None:
    """Let that much time pass, and everything happen that is due then."""
    await game.settled()
    game.world.skip(hours)
    await looked(game)


async def looked(game: Game) -> None:
    """Wait until the bot has looked at all deadlines and has sent everything."""

    async def nothing_due() -> bool:
        now = game.world.clock.now_ms()
        votes = await game.world.store.votes()
        if game.world.tables.idle._next <= now or any(v.state != "open" or v.expires_ms <= now for v in votes):
            return False
        live = game.world.tables.live.get(game.id)
        if live is None:
            return True
        async with live.lock:  # what is in memory is stored
            timing = live.timing
            seats = game.world.tables.deadlines.unanswered(live)
            dues = [timing.due_ms, *(timing.waits[seat].remind_ms for seat in seats)]
        return all(due is None or due > now for due in dues)

    await until(nothing_due)
    await game.settled()


async def restart(here: World, hours: float = 0.0) -> None:
    """The bot is away for so long, and has got its bearings again."""

    async def away() -> None:
        here.skip(hours)

    async def there() -> bool:
        return not here.tables.deadlines.lapsed

    await here.restart(away)
    await until(there)


def due(game: Game) -> float:
    """How many hours are left."""
    due_ms = game.live.timing.due_ms
    assert due_ms is not None
    return (due_ms - game.world.clock.now_ms()) / HOUR


def shown_due(message: Message) -> str:
    """The deadline as the message shows it."""
    found = re.search(r"<t:\d+:R>", message.text)
    return found[0] if found else ""


async def automatic(game: Game) -> list[int]:
    """The seats that were answered for, by the log."""
    records = [decode_record(data) for _, data in await game.world.store.records(game.id)]
    return [r.seat for r in records if isinstance(r.what, Answered) and r.what.away and r.seat is not None]


async def dms(world: World, person: Person) -> list[Message]:
    """The bot's direct messages to that person, oldest first."""
    places = [place for place in await person.channels() if place.type == 1]
    return [message for place in places for message in await person.visible(place.id, limit=100)]


__all__ = (
    "HOUR",
    "MINUTE",
    "WAIT",
    "Event",
    "alone",
    "automatic",
    "dms",
    "due",
    "looked",
    "passes",
    "shown_due",
    "table",
)
