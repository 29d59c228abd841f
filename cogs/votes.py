"""Votes of the table: more than half of the people who may vote decide, or, where that is so agreed, of those who have
voted in time. Bot players never vote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

import db

from .ballot import Count, may_vote
from .errors import Refused
from .live import Live
from .payloads import Saying, Voting
from .texts import say

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

HOUR_MS: Final = 3_600_000
RETRY_MS: Final = 30_000
Effect = Callable[["Tables", Live, db.Vote], Awaitable[None]]


async def nothing(tables: Tables, live: Live, vote: db.Vote) -> None:
    """The effect of a vote that only says something."""


class Kind(NamedTuple):
    """What follows from a vote. An effect may be called again after a crash, so it looks first whether it is needed;
    it is called without the game's lock. The words: `vote.<kind>.ask`, `.passed` and `.failed`, with the subject.
    `present`: in the end the votes that were given decide, since it is about going on without those who are away."""

    passed: Effect
    failed: Effect = nothing
    present: bool = False


kinds: dict[str, Kind] = {}
"""The kinds of votes, each filled in by the module that holds them."""
UNKNOWN: Final = Kind(nothing)
"""A kind that another version of the bot may have known."""


class Votes:
    """The votes of all games: opened, counted, and closed in time."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._wake = asyncio.Event()
        self._settling: set[int] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to close votes whose time is over."""
        self._task = asyncio.create_task(self._run(), name="votes")

    async def close(self) -> None:
        """Stop; open votes go on after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def open(
        self,
        live: Live,
        kind: str,
        subject: dict[str, int | str],
        *,
        opener: int | None,
        voters: Iterable[int] | None = None,
        hours: float = 24.0,
    ) -> db.Vote:
        """Ask the table; the opener's vote is given with it. Refused when nobody may vote, or it is asked already."""
        may = may_vote(live) if voters is None else tuple(voters)
        if not may:
            raise Refused(say("vote.nobody"))
        now = self.tables.clock.now_ms()
        ayes = (opener,) if opener is not None and opener in may else ()
        wanted = db.Vote(live.id, kind, subject, opener, may, ayes, (), now, now + int(hours * HOUR_MS))
        try:
            vote = await self.tables.store.open_vote(wanted)
        except db.Conflict:
            raise Refused(say("vote.open_already")) from None
        await self._look(live, vote)
        self._wake.set()
        return vote

    async def cast(self, live: Live, seat: int, vote_id: int, *, aye: bool) -> db.Vote:
        """A seat votes, or votes otherwise than before. Refused when it may not or the vote is over."""
        vote = await self.tables.store.vote(vote_id)
        if vote is None or vote.game_id != live.id or vote.state != "open" or live.table.over:
            raise Refused(say("vote.over"))
        if seat not in vote.voters:
            raise Refused(say("vote.not_yours"))
        counted = await self.tables.store.cast_vote(vote_id, seat, aye=aye)
        if counted is None:
            raise Refused(say("vote.over"))
        await self._look(live, counted)
        return counted

    async def withdraw(self, live: Live, kind: str, **about: int | str) -> None:
        """Open votes of that kind, about that subject, have become pointless: they go without a result."""
        for vote in await self.tables.store.votes(live.id):
            if vote.kind != kind or vote.state != "open" or not about.items() <= vote.subject.items():
                continue
            if await self.tables.store.end_vote(vote, "closed"):
                await self.tables.sender.withdraw(live.id, live.channel_id, slot_of(vote))

    async def show(self, live: Live) -> None:
        """Put the messages of the open votes where the game is now."""
        for vote in await self.tables.store.votes(live.id):
            if vote.state == "open":
                await self.tables.sender.post(live.id, live.channel_id, slot_of(vote), Voting(vote.id))

    async def put_off(self, by_ms: int) -> None:
        """Nobody could vote for so long."""
        await self.tables.store.put_off_votes(by_ms)
        for live in list(self.tables.live.values()):
            await self.show(live)

    async def _look(self, live: Live, vote: db.Vote) -> None:
        """Close the vote if it is decided or its time is over, else show how it stands."""
        count, kind = Count.of(live, vote), kinds.get(vote.kind, UNKNOWN)
        verdict = count.verdict
        if verdict is None and vote.expires_ms <= self.tables.clock.now_ms():
            verdict = kind.present and len(count.ayes) > len(count.nays)
        if verdict is None:
            await self.tables.sender.post(live.id, live.channel_id, slot_of(vote), Voting(vote.id))
            return
        decided = msgspec.structs.replace(vote, state="passed" if verdict else "failed")
        if await self.tables.store.end_vote(vote, decided.state):
            await self._settle(live, decided)

    async def _settle(self, live: Live, vote: db.Vote) -> None:
        """Tell the channel, and do what follows. Whatever of it a crash cuts short is done again."""
        if vote.id in self._settling:
            return
        self._settling.add(vote.id)
        try:
            now = await self.tables.store.vote(vote.id)
            if now is not None and now.state == vote.state:
                await self._follow(live, vote)
        finally:
            self._settling.discard(vote.id)

    async def _follow(self, live: Live, vote: db.Vote) -> None:
        count, kind = Count.of(live, vote), kinds.get(vote.kind, UNKNOWN)
        text = live.words.say(f"vote.{vote.kind}.{vote.state}", vote.subject)
        said = Saying(say("vote.result", text=text, ayes=len(count.ayes), nays=len(count.nays)))
        await (kind.passed if vote.state == "passed" else kind.failed)(self.tables, live, vote)
        await self.tables.sender.withdraw(live.id, live.channel_id, slot_of(vote))
        await self.tables.sender.post(live.id, live.channel_id, f"voted{vote.id}", said)
        await self.tables.store.end_vote(vote, "closed")

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                following = await self._round()
            except Exception:  # later ones must still be closed
                log.exception("the votes cannot be read")
                following = self.tables.clock.now_ms() + RETRY_MS
            await self.tables.clock.wait(self._wake, following)

    async def _round(self) -> int | None:
        """Close what is due; when something is due next, None: nothing."""
        now, following = self.tables.clock.now_ms(), None
        lapsed = self.tables.deadlines.lapsed  # an outage is not held against anybody
        for vote in await self.tables.store.votes():
            live = self.tables.live.get(vote.game_id)
            try:
                if live is None:
                    await self._drop(vote)
                elif vote.state != "open":
                    await self._settle(live, vote)
                elif Count.of(live, vote).verdict is not None or (vote.expires_ms <= now and not lapsed):
                    await self._look(live, vote)
                elif not lapsed:
                    following = min(vote.expires_ms, following or vote.expires_ms)
            except Exception:  # the others' votes go on
                log.exception("a vote cannot be closed", extra={"game": vote.game_id, "vote": vote.id})
                following = min(now + RETRY_MS, following or now + RETRY_MS)
        return following

    async def _drop(self, vote: db.Vote) -> None:
        """The game is over, or does not open: so is the vote about it, once the game has really ended."""
        game = await self.tables.store.game(vote.game_id)
        if game is None or game.status == "running":
            return
        if await self.tables.store.end_vote(vote, "closed") and game.channel_id is not None:
            await self.tables.sender.withdraw(game.id, game.channel_id, slot_of(vote))

    def wake(self) -> None:
        """Who sits where has changed, or a game is over: look at all votes again."""
        self._wake.set()


def slot_of(vote: db.Vote) -> str:
    """The slot of the vote's message."""
    return f"vote{vote.id}"
