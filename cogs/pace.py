"""What moves by itself: bot players and those who can only pass answer after a pause, and windows close on time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import db
from rules.engine import SECRET_BYTES, Answer, Broken, Chance, Decision, random_player

from . import logs
from .live import Live, Opened
from .texts import say

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 1.0


class Pace:
    """One task a running game, which gives the automatic answers when they are due.

    Answers in a reaction window: every seat asked gets a delay drawn when the window opened, whatever it holds. Who can
    only pass passes after its own delay; an answer given before the longest of them is held until then. So the time at
    which a window closes tells nothing, unless somebody takes longer.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._rng = secrets.SystemRandom()
        self._minute = (0, 0)
        self._closing = False

    def follow(self, live: Live) -> None:
        """See to it that this game moves."""
        if live.id not in self._tasks:
            self._tasks[live.id] = asyncio.create_task(self._drive(live.id), name=f"game {live.id}")

    def drop(self, live: Live) -> None:
        """The game needs it no more; its task ends when it notices."""
        self._tasks.pop(live.id, None)
        live.wake.set()

    async def close(self) -> None:
        """Let the answers that are being given be stored, then stop all."""
        self._closing = True
        tasks = list(self._tasks.values())
        for live in self.tables.live.values():
            live.wake.set()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def now(self) -> float:
        """The loop's clock in seconds."""
        return asyncio.get_running_loop().time()

    def schedule(self, live: Live) -> None:
        """Note when each question came up, and let the game's task look at it."""
        play, before = self.tables.config.play, live.opened
        live.opened = {}
        for seat, question in live.table.asked.items():
            number = live.table.number(seat)
            if seat in before and before[seat].number == number:
                live.opened[seat] = before[seat]
                continue
            pause = play.bot_pause_seconds * (1 + self.tables.pressure.seconds)
            delay = self._rng.uniform(*play.window_seconds) if question.windows and pause else pause
            live.opened[seat] = Opened(number, self.now() + delay)
        live.held = {seat: held for seat, held in live.held.items() if live.is_asked(seat, held[0])}
        live.wake.set()

    def holds(self, live: Live, seat: int) -> bool:
        """Whether an answer of this seat has to wait."""
        return bool(live.table.asked[seat].windows) and self._closes(live) > self.now()

    def _closes(self, live: Live) -> float:
        return max(opened.due for opened in live.opened.values())

    def _following(self, live: Live) -> tuple[float, int, int] | None:
        """The next answer that comes without a press: when, of which seat, to which question number."""
        if live.deserted:
            return None
        due = []
        for seat, (number, when) in live.opened.items():
            if (seat, number) in live.stuck or seat in live.table.sealed or not live.is_asked(seat, number):
                continue
            if seat in live.held:
                due.append((self._closes(live), seat, number))
            elif live.is_bot(seat) or live.table.passes(seat):
                due.append((when, seat, number))
        return min(due, default=None)

    async def _drive(self, game_id: int) -> None:
        logs.bind(game=game_id)
        while not self._closing and (live := self.tables.live.get(game_id)) is not None:
            live.wake.clear()
            following = self._following(live)
            wait = None if following is None else following[0] - self.now()
            if following is None or (wait is not None and wait > 0):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(live.wake.wait(), wait)
                continue
            await self._throttle()
            await self._play(live, *following[1:])

    async def _play(self, live: Live, seat: int, number: int) -> None:
        """Give the automatic answer."""

        async def give() -> None:
            if live.deserted:
                return
            answer = self._answer(live, seat)
            await self.tables.steps.apply(live, lambda table: table.answer(seat, answer))

        await self.attempt(live, seat, number, give)

    async def attempt(self, live: Live, seat: int, number: int, give: Callable[[], Awaitable[None]]) -> None:
        """Answer that question of the seat under the game's lock, if it is still asked; whatever goes wrong, the table
        stands and the others play on."""
        try:
            async with live.lock:
                if live.id in self.tables.live and live.is_asked(seat, number):  # it may have been ended meanwhile
                    await give()
        except (db.StoreError, sqlite3.Error):
            log.exception("an automatic answer could not be stored", extra={"game": live.id})
            await asyncio.sleep(RETRY_SECONDS)
        except Exception as error:
            live.stuck.add((seat, number))
            log.exception("an automatic answer failed", extra={"game": live.id, "seat": seat})
            what = error.args_["report"] if isinstance(error, Broken) else type(error).__name__
            with contextlib.suppress(db.StoreError, sqlite3.Error):
                await self.tables.sender.trouble(live, say("trouble.automatic", seat=live.name(seat), error=what))

    def _answer(self, live: Live, seat: int) -> Answer:
        question = live.table.asked[seat]
        if seat in live.held:
            return live.held[seat][1]
        if not live.is_bot(seat):
            return live.rules.safe(question)
        player = live.rules.bots.get(live.members[seat].bot, random_player)
        return player(Decision(seat, live.table.view(seat), question), Chance(self.tables.bot.entropy(SECRET_BYTES)))

    async def _throttle(self) -> None:
        """At most so many automatic answers a minute: a loop among bots must not eat the machine."""
        minute = int(self.now() // 60)
        self._minute = (minute, self._minute[1] + 1 if self._minute[0] == minute else 1)
        if self._minute[1] > self.tables.config.play.automatic_per_minute:
            await asyncio.sleep(60 - self.now() % 60)
