"""Deadlines: reminders before them, and what happens at them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

import db
from rules.engine import Change, Event, Table
from rules.engine.log import Answered, Stood

from .ballot import may_vote
from .breaker import State
from .clocks import ALIVE_KEY, Clocks
from .errors import Refused
from .live import Live
from .rows import delete_row
from .texts import say
from .votes import Kind, kinds
from .waits import HOUR_MS, Timing, Wait, begin, left_at, planned

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

ALIVE_MS: Final = 60_000
OFFLINE_MS: Final = 500
RETRY_MS: Final = 30_000
GIVE_UP: Final = 3
"""Whenever so many answers were missed in a row, the table is asked whether a bot player shall take the seat."""
VOTE_HOURS: Final = 24.0


class Deadlines(Clocks):
    """Keeps each game's `timing` up to date, and does what is due."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._task: asyncio.Task[None] | None = None
        self.lapsed = True  # while the players cannot reach us
        self._alive = 0
        kinds["miss"] = kinds["late"] = Kind(answer_late, wait_on, present=True)
        kinds["pause"] = Kind(pause_passed)
        kinds["resume"] = Kind(resume_passed, present=True)
        kinds["takeover"] = Kind(takeover_passed, present=True)

    def start(self) -> None:
        """Begin to look at the clock."""
        self._task = asyncio.create_task(self._run(), name="deadlines")

    async def close(self) -> None:
        """Stop; remember until when players could reach us."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            if not self.lapsed:
                await self.tables.store.set_meta(ALIVE_KEY, str(self.tables.clock.now_ms()))

    def unanswered(self, live: Live) -> list[int]:
        """The seats of people that have not answered. Nobody is to be told of several."""
        return [
            seat
            for seat in live.timing.waits
            if seat in live.table.asked and seat not in live.table.sealed and seat not in live.held
            if (seat, live.table.number(seat)) not in live.stuck
        ]

    # ---------------------------------------------------------------- what follows from a step

    def adopt(self, live: Live) -> None:
        """A game from before there were deadlines is waited for from now on."""
        now = self.tables.clock.now_ms()
        waits = dict(live.timing.waits)
        for seat in live.asked_humans():
            if seat not in waits:
                anew = begin(live.timing, seat, self.person(live, seat), live.table.number(seat), now)
                waits[seat] = replace(anew, pinged=True)
        live.timing = replace(live.timing, waits=waits, acted_ms=live.timing.acted_ms or now)
        self._pointless.add(live.id)  # whether a vote still has a point is not stored

    def first(self, live: Live) -> None:
        """The game begins: its first question is put."""
        now = self.tables.clock.now_ms()
        live.timing = replace(live.timing, acted_ms=now, asked_ms=None)
        waits = {s: begin(live.timing, s, self.person(live, s), live.table.number(s), now) for s in live.asked_humans()}
        live.timing = replace(live.timing, waits=waits)

    def follow(
        self, live: Live, change: Change, *, by_person: bool, before: Mapping[int, int], answered: Collection[int]
    ) -> tuple[list[int], list[db.NewOutbox]]:
        """Bring `live.timing` up to date. `before`: the questions' numbers, but of seats where somebody else sits now;
        `answered`: who had answered in secret. Returns the seats that have become awaited, and the rows that take away
        the notes that have served."""
        now, old = self.tables.clock.now_ms(), live.timing
        answers = [r for r in change.records if r.seat is not None and not isinstance(r.what, Stood)]
        acted = {r.seat for r in answers if by_person or r.seat in live.held}
        away = {r.seat for r in answers if isinstance(r.what, Answered) and r.what.away}
        complete = set(before) <= {*answered, *(record.seat for record in answers)}
        timing = self._acted(live, acted, now) if acted or by_person else old
        waits: dict[int, Wait] = {}
        fresh: list[int] = []
        for seat in live.asked_humans():
            number, wait, person = live.table.number(seat), old.waits.get(seat), self.person(live, seat)
            own = seat in acted or seat in away
            done = complete and seat in answered and not own
            if wait is None or seat not in before or (done and number != wait.number):
                fresh.append(seat)
                waits[seat] = begin(timing, seat, person, number, now)
            elif number == wait.number:
                waits[seat] = wait
                if timing.paused_ms != old.paused_ms:
                    waits[seat] = planned(wait, timing, person, now, self._kindly(wait))
            elif own:
                renewed = begin(timing, seat, person, number, now)
                waits[seat] = replace(renewed, since_ms=wait.since_ms, pinged=wait.pinged, here=wait.here)
            else:  # others have changed what it is asked: there must be time to see that
                left = left_at(wait, person, now)
                left = None if left is None or wait.allowed_ms is None else max(left, wait.allowed_ms // 4)
                waits[seat] = planned(replace(wait, number=number), timing, person, now, left)
            if seat in acted:
                waits[seat] = replace(waits[seat], since_ms=now, here=False)
        live.timing = replace(timing, waits=waits)
        if old.voting and not any(waits[seat].left_ms == 0 for seat in self.unanswered(live)):
            live.timing = replace(live.timing, voting=False)
            self._pointless.add(live.id)
        kept = {note for wait in waits.values() for note in wait.notes}
        idle = old.asked_ms is not None and timing.asked_ms is None
        nobody = [delete_row(live.channel_id, "idle")] if idle else []
        gone = [(seat, note) for seat, wait in old.waits.items() for note in wait.notes if note not in kept]
        return fresh, [*nobody, *(self.tables.pings.gone_row(live, seat, note) for seat, note in gone)]

    def _acted(self, live: Live, seats: Collection[int | None], now: int) -> Timing:
        """A person has acted: who was missed is there again, and so is the table."""
        timing = live.timing
        misses = {seat: n for seat, n in timing.misses.items() if seat not in seats}
        if timing.misses != misses:
            self._pointless.add(live.id)
        timing = replace(timing, acted_ms=now, asked_ms=None, misses=misses, missed=())
        return replace(timing, paused_ms=None, everybody_away=False) if timing.everybody_away else timing

    # ---------------------------------------------------------------- the loop

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                following = await self._round(self.tables.clock.now_ms())
            except Exception:  # whatever it is, time goes on
                log.exception("the deadlines cannot be looked at")
                following = self.tables.clock.now_ms() + RETRY_MS
            await self.tables.clock.wait(self._wake, following)

    async def _round(self, now: int) -> int:
        """Do what is due; when something is due next."""
        bot = self.tables.bot
        if bot.offline_since is not None or bot.breaker.state is not State.CLOSED:
            self.lapsed = True
            return now + OFFLINE_MS
        if self.lapsed:
            await self._after_outage(now)
            self.lapsed = False
            self.tables.votes.wake()
        if now - self._alive >= ALIVE_MS:
            await self.tables.store.set_meta(ALIVE_KEY, str(now))
            self._alive = now
        following = now + ALIVE_MS
        for live in list(self.tables.live.values()):
            try:
                due = await self._look(live, now)
            except Exception:  # the others' deadlines go on
                log.exception("a deadline could not be met", extra={"game": live.id})
                due = now + RETRY_MS
            following = min(following, due or following)
        return min(following, await self.tables.idle.look(now))

    async def _look(self, live: Live, now: int) -> int | None:
        if live.id in self._pointless:
            self._pointless.discard(live.id)
            await self._withdraw_votes(live)
        if live.timing.paused_ms is not None:
            until = live.timing.paused_ms + int(self.tables.config.time.pause_days * 24 * HOUR_MS)
            if now >= until and not live.timing.everybody_away:
                await self.resume(live, say("pause.over"))
            return until if now < until else None
        await self.tables.pings.watch(live, now)
        if live.timing.due_ms is not None and live.timing.due_ms <= now:
            await self._over(live, now)
        for seat in self.unanswered(live):
            when = live.timing.waits[seat].remind_ms
            if when is not None and when <= now:
                await self._remind(live, seat)
        reminders = [live.timing.waits[seat].remind_ms for seat in self.unanswered(live) if seat in live.timing.waits]
        return min((when for when in (live.timing.due_ms, *reminders) if when is not None), default=None)

    async def _withdraw_votes(self, live: Live) -> None:
        """Nobody votes any more on whose time is not over, or who is not away."""
        for kind in () if live.timing.voting else ("miss", "late"):
            await self.tables.votes.withdraw(live, kind)
        for seat in live.members:
            if live.timing.misses.get(seat, 0) < GIVE_UP:
                await self.tables.votes.withdraw(live, "takeover", seat=seat)

    async def _remind(self, live: Live, seat: int) -> None:
        async with live.lock:
            wait = live.timing.waits.get(seat)
            if wait is None or live.table.over or seat not in self.unanswered(live):
                return
            await self._tell(live, seat, "remind")

    async def _tell(self, live: Live, seat: int, name: str) -> None:
        """Remind the seat, and note what is to be taken away when it has answered."""
        notes = await self.tables.pings.remind(live, seat, name)
        wait = live.timing.waits[seat]
        told = replace(wait, remind_ms=None, notes=(*wait.notes, *notes))
        await self.change(live, lambda timing: replace(timing, waits={**timing.waits, seat: told}), shown=False)

    # ---------------------------------------------------------------- the time is over

    async def _over(self, live: Live, now: int) -> None:
        """The deadline has passed: there is more time, the table votes, or the rules' safe answer is given."""
        async with live.lock:
            timing = live.timing
            late = self.unanswered(live)
            if live.table.over or timing.due_ms is None or timing.due_ms > now:
                return
            if not late:  # what is open now is not for people to answer
                await self.change(live, lambda timing: self._left(live, timing, now, lambda wait: None))
                return
            several = len(live.table.asked) > 1
            those = timing.waits if several else late  # who of several is late, more time must not tell
            if timing.grace and any(not timing.waits[s].extended and not timing.misses.get(s) for s in those):
                await self._extend(live, now)
                for seat in late:
                    await self._tell(live, seat, "late")
                return
            if set(may_vote(live)) <= set(timing.missed):  # a game does not play itself to its end
                await self._pause(live, now, everybody_away=True)
                return
            voters = may_vote(live, () if several else late)
            if timing.miss == "vote" and voters:
                await self._ask_table(live, late[0], several, voters)
                await self.change(live, lambda timing: self._left(live, replace(timing, voting=True), now, lambda _: 0))
                return
            numbers = {seat: live.table.number(seat) for seat in late}
        for seat, number in numbers.items():
            await self._answer(live, seat, number)

    async def _extend(self, live: Live, now: int) -> None:
        """Half as much time again, for all that are asked: one deadline tells nothing of who has answered."""

        def longer(timing: Timing) -> Timing:
            waits = {seat: replace(wait, extended=True) for seat, wait in timing.waits.items()}
            return self._left(live, replace(timing, waits=waits), now, lambda wait: (wait.allowed_ms or 0) // 2)

        await self.change(live, longer)

    async def _ask_table(self, live: Live, seat: int, several: bool, voters: Collection[int]) -> None:
        """Open the vote; under the game's lock. That the clocks stand is noted after it: a crash in between is met again."""
        full = live.timing.full_ms or HOUR_MS
        subject: dict[str, int | str] = {} if several else {"seat": seat}
        hours = max(1 / 6, min(VOTE_HOURS, full / HOUR_MS / 4))
        try:
            kind = "late" if several else "miss"
            await self.tables.votes.open(live, kind, subject, opener=None, voters=voters, hours=hours)
        except Refused:
            log.warning("a vote is open already", extra={"game": live.id})

    async def _answer(self, live: Live, seat: int, number: int) -> None:
        """Give the rules' safe answer for somebody who is away. What is private, or one of several answers, stays so:
        only its seat is told that it did not come from him."""

        async def give() -> None:
            if seat in self.unanswered(live):
                await self.tables.steps.apply(live, self._safe(live, seat))

        before = live.timing.misses.get(seat, 0)
        await self.tables.pace.attempt(live, seat, number, give)
        misses = live.timing.misses.get(seat, 0)
        if misses > before and misses % GIVE_UP == 0 and may_vote(live, [seat]):
            subject: dict[str, int | str] = {"seat": seat}
            try:
                await self.tables.votes.open(live, "takeover", subject, opener=None, voters=may_vote(live, [seat]))
            except Refused:
                log.info("that vote is open already", extra={"game": live.id})

    def _safe(self, live: Live, seat: int) -> Callable[[Table], Change]:
        """The step that answers for the seat; under the game's lock."""
        question = live.table.asked[seat]
        public = not question.private and len(live.table.asked) == 1
        answer = live.rules.safe(question)
        live.timing = replace(live.timing, missed=tuple(sorted({*live.timing.missed, seat})))
        note = Event("away", {"seat": seat}, None if public else (seat,))
        if public:
            misses = {**live.timing.misses, seat: live.timing.misses.get(seat, 0) + 1}
            live.timing = replace(live.timing, misses=misses)

        def step(table: Table) -> Change:
            change = table.answer(seat, answer, away=True)
            return replace(change, events=(note, *change.events))

        return step

    async def answer_late(self, live: Live) -> None:
        """The table wants to go on: the rules answer for those whose time is over."""
        async with live.lock:
            if not live.timing.voting:
                return
            waits = live.timing.waits
            late = {seat: live.table.number(seat) for seat in self.unanswered(live) if waits[seat].left_ms == 0}
            await self.change(live, lambda timing: replace(timing, voting=False), shown=False)
        for seat, number in late.items():
            await self._answer(live, seat, number)

    async def wait_on(self, live: Live, *, nobody: bool) -> None:
        """The table would rather wait: the time begins anew, or if `nobody` has voted, when somebody is there again."""
        async with live.lock:
            if live.timing.voting:
                now = self.tables.clock.now_ms()
                if nobody:
                    live.timing = replace(live.timing, voting=False)
                    await self._pause(live, now, everybody_away=True)
                    return
                fresh = replace(live.timing, voting=False)
                await self.change(live, lambda _: self._left(live, fresh, now, lambda wait: wait.allowed_ms))

    # ---------------------------------------------------------------- pauses and other changes


async def answer_late(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The table does not wait."""
    await tables.deadlines.answer_late(live)


async def wait_on(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The table waits."""
    await tables.deadlines.wait_on(live, nobody=not (vote.ayes or vote.nays))


async def pause_passed(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The table pauses."""
    await tables.deadlines.pause(live)


async def resume_passed(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The table goes on."""
    await tables.deadlines.resume(live)


async def takeover_passed(tables: Tables, live: Live, vote: db.Vote) -> None:
    """A bot player takes the seat, if the person is still away."""
    seat = int(vote.subject["seat"])
    absence: Any = tables.bot.get_cog("AbsenceCog")
    async with live.lock:
        if live.table.over or live.is_bot(seat) or live.timing.misses.get(seat, 0) < GIVE_UP:
            return
        await absence.seat_bot(live, seat, None)
    await absence.settle(live, seat)
