"""The clocks of the games: how they stop, go on, and are set anew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from .live import Live
from .payloads import Saying, Turning
from .people import Person
from .rows import turn_slot
from .texts import say
from .waits import Timing, Wait, begin, left_at, planned

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

ALIVE_KEY: Final = "alive_ms"
OUTAGE_MS: Final = 120_000
"""So long may the bot be away without the players' time standing still."""


class Clocks:
    """Changes each game's `timing`, keeps it and shows it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._wake = asyncio.Event()
        self._pointless: set[int] = set()  # games whose votes on who is late have lost their point

    def wake(self) -> None:
        """Something has changed: look again."""
        self._wake.set()

    def person(self, live: Live, seat: int) -> Person:
        """The settings of the person in that seat."""
        return self.tables.people.known(live.members[seat].user_id)

    async def change(self, live: Live, do: Callable[[Timing], Timing], *, shown: bool = True) -> None:
        """Change a game's timing, keep it, and show it; under the game's lock."""
        live.timing = do(live.timing)
        await self.tables.store.set_timing(live.id, live.timing.stored())
        if shown and not live.table.over:
            await self.tables.sender.post(live.id, live.channel_id, turn_slot(live.turn.number), Turning())
        self.wake()

    def _left(self, live: Live, timing: Timing, now: int, left: Callable[[Wait], int | None]) -> Timing:
        """Everybody awaited has so much time left from now on."""
        plan = {s: planned(w, timing, self.person(live, s), now, left(w)) for s, w in timing.waits.items()}
        return replace(timing, waits=plan)

    async def pause(self, live: Live) -> None:
        """The clocks stand still."""
        async with live.lock:
            if live.timing.paused_ms is None and not live.table.over:
                await self._pause(live, self.tables.clock.now_ms())

    async def _pause(self, live: Live, now: int, *, everybody_away: bool = False) -> None:
        self._pointless.add(live.id)  # nobody is late while the clocks stand
        paused = replace(live.timing, paused_ms=now, everybody_away=everybody_away, voting=False)
        left = {seat: left_at(wait, self.person(live, seat), now) for seat, wait in live.timing.waits.items()}
        waits = {s: planned(w, paused, self.person(live, s), now, left[s]) for s, w in paused.waits.items()}
        await self.change(live, lambda _: replace(paused, waits=waits))
        if everybody_away:
            await self.tables.sender.post(live.id, live.channel_id, f"away{now}", Saying(say("pause.everybody")))

    async def resume(self, live: Live, told: str = "") -> None:
        """The clocks go on; nobody is at his last minute then."""
        async with live.lock:
            if live.timing.paused_ms is None or live.table.over:
                return
            now = self.tables.clock.now_ms()
            going = replace(live.timing, paused_ms=None, everybody_away=False)
            await self.change(live, lambda _: self._left(live, going, now, self._kindly))
        if told:
            await self.tables.sender.post(live.id, live.channel_id, f"resumed{now}", Saying(told))

    async def present(self, live: Live, seat: int) -> None:
        """Somebody shows that he is there without a step of the game: it need not stand still because all are away."""
        async with live.lock:
            if live.table.over:
                return
            missed = tuple(other for other in live.timing.missed if other != seat)
            acted = replace(live.timing, missed=missed, acted_ms=self.tables.clock.now_ms())
            await self.change(live, lambda _: acted, shown=False)
        if live.timing.everybody_away:
            await self.resume(live)

    def _kindly(self, wait: Wait) -> int | None:
        """What is left, but not less than what an outage leaves everybody."""
        if wait.left_ms is None or wait.allowed_ms is None:
            return wait.left_ms
        return max(wait.left_ms, min(wait.allowed_ms, int(self.tables.config.time.outage_minutes * 60_000)))

    async def set_pace(self, live: Live, change: Callable[[Timing], Timing]) -> None:
        """Another pace: everybody's time begins anew."""
        async with live.lock:
            now, timing = self.tables.clock.now_ms(), replace(change(live.timing), voting=False)
            for seat, wait in timing.waits.items():
                anew = begin(timing, seat, self.person(live, seat), wait.number, now)
                anew = replace(anew, since_ms=wait.since_ms, pinged=wait.pinged, here=wait.here, notes=wait.notes)
                timing = replace(timing, waits={**timing.waits, seat: anew})
            self._pointless.add(live.id)
            await self.change(live, lambda _: timing)

    async def set_person(self, user_id: int, person: Person) -> None:
        """Somebody has other settings: what is left of his time counts by them from now on."""
        was = await self.tables.people.of(user_id)
        await self.tables.people.set(user_id, person)
        now = self.tables.clock.now_ms()
        for live in list(self.tables.live.values()):
            async with live.lock:
                seat = live.seat_of(user_id)
                wait = None if seat is None else live.timing.waits.get(seat)
                if seat is not None and wait is not None and wait.left_ms is not None:
                    anew = planned(wait, live.timing, person, now, left_at(wait, was, now))
                    waits = {**live.timing.waits, seat: anew}
                    await self.change(live, lambda timing, waits=waits: replace(timing, waits=waits))  # type: ignore[misc]

    async def _after_outage(self, now: int) -> None:
        """Nobody loses the time in which the bot could not be reached, and everybody has some left after it."""
        alive = int(await self.tables.store.meta(ALIVE_KEY) or now)
        if now - alive <= OUTAGE_MS:
            return
        await self.tables.idle.put_off(now)
        await self.tables.votes.put_off(now - alive)
        log.info("there was an outage", extra={"seconds": (now - alive) // 1000})
        for live in list(self.tables.live.values()):
            async with live.lock:
                if live.timing.due_ms is None:
                    continue

                def left(seat: int, wait: Wait, live: Live = live) -> Wait:
                    person = self.person(live, seat)
                    rest = left_at(wait, person, max(alive, wait.from_ms))
                    return planned(wait, live.timing, person, now, self._kindly(replace(wait, left_ms=rest)))

                waits = {seat: left(seat, wait) for seat, wait in live.timing.waits.items()}
                await self.change(live, lambda timing, waits=waits: replace(timing, waits=waits))  # type: ignore[misc]
