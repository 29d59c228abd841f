"""Followers: people who are told of a game's moments: rounds, battles, its end. Politely: never more often than a while
apart, in one message, not while they sleep, and no more once they do not want it or cannot be reached."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import msgspec

import db
from rules.engine import Change, Event, Rules, encode
from rules.engine.questions import Arg

from .live import Live
from .lobby_panels import title_of
from .past import Past
from .payloads import Saying
from .people import Person
from .texts import cut, say

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

ROUND: Final = "round"
BATTLE: Final = "battle"
END: Final = "end"
PAUSE_MS: Final = 600_000
RETRY_MS: Final = 30_000
STORY_LENGTH: Final = 1500


def moments_of(rules: Rules[Any, Any, Any]) -> dict[str, str]:
    """What the game's words declare: which kinds of events are a round or a battle. A kind that carries the number of
    the round counts when this rises."""
    declared = {key: text for key, text in rules.words.texts.items() if key.startswith("moment.")}
    return {key.partition(".")[2]: text for key, text in declared.items()}


def telling(rules: Rules[Any, Any, Any], events: Iterable[Event], wanted: str) -> list[tuple[int, Event]]:
    """Those of the events, by their place, that are moments of the wanted kinds, as everybody may know them."""
    moments, found = moments_of(rules), []
    round_: Arg = None
    for n, event in enumerate(events):
        moment = moments.get(event.kind)
        if moment is None or event.audience is not None:
            continue
        if "round" in event.args:
            before, round_ = round_, event.args["round"]
            if before is None or before == round_:
                continue
        if moment in wanted.split(","):
            found.append((n, event))
    return found


def quiet(person: Person) -> bool:
    """Whether the person wants to hear nothing."""
    return person.ping == "none"


class Followers:
    """Who follows which game, and when each is told."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._of: dict[int, dict[int, db.Follower]] = {}
        self._due: dict[tuple[int, int], int] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to tell, also of what happened just before the bot stopped."""
        for follower in await self.tables.store.followers():
            self._of.setdefault(follower.game_id, {})[follower.user_id] = follower
            self._due[follower.game_id, follower.user_id] = follower.told_ms + PAUSE_MS
        self._task = asyncio.create_task(self._run(), name="followers")

    async def close(self) -> None:
        """Stop; what is due is told after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def follow(self, live: Live, user_id: int, moments: Iterable[str], place: str) -> None:
        """Tell this person of these moments from now on."""
        length = live.table.length
        wish = (live.id, user_id, ",".join(moments), place, length, 0)
        follower = msgspec.convert(wish, db.Follower)
        await self.tables.store.follow(follower)
        self._of.setdefault(live.id, {})[user_id] = follower

    async def unfollow(self, game_id: int, user_id: int) -> bool:
        """Tell this person no more; False if he was not told."""
        followers = self._of.get(game_id, {})
        followers.pop(user_id, None)
        if not followers:
            self._of.pop(game_id, None)
        self._due.pop((game_id, user_id), None)
        return await self.tables.store.unfollow(game_id, user_id)

    def happened(self, live: Live, change: Change) -> None:
        """Something happened at this table: whoever wants to hear of such is told, maybe a while later."""
        followers = self._of.get(live.id)
        if not followers:
            return
        moments = moments_of(live.rules)
        kinds = {moments[event.kind] for event in change.events if event.kind in moments}
        for user_id, follower in followers.items():
            if live.table.over or kinds.intersection(follower.moments.split(",")):
                due = 0 if live.table.over else follower.told_ms + PAUSE_MS
                self._due[live.id, user_id] = min(due, self._due.get((live.id, user_id), due))
                self._wake.set()

    def ended(self, game_id: int) -> None:
        """The game has ended without a result."""
        self._due |= {(game_id, user_id): 0 for user_id in self._of.get(game_id, {})}
        self._wake.set()

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            now = self.tables.clock.now_ms()
            for (game_id, user_id), due in list(self._due.items()):
                if due <= now:
                    await self._tell_or_retry(game_id, user_id)
            await self.tables.clock.wait(self._wake, min(self._due.values(), default=None))

    async def _tell_or_retry(self, game_id: int, user_id: int) -> None:
        self._due.pop((game_id, user_id), None)
        try:
            await self._tell(game_id, user_id)
        except Exception:
            log.exception("a follower could not be told", extra={"game": game_id})
            self._due[game_id, user_id] = self.tables.clock.now_ms() + RETRY_MS

    async def _tell(self, game_id: int, user_id: int) -> None:
        """Queue the message to the follower, if there is anything to tell; with the game's end, the last one."""
        store, follower = self.tables.store, await self.tables.store.follower(game_id, user_id)
        game = await store.game(game_id)
        if follower is None or game is None or game.channel_id is None:
            return
        person, now = await self.tables.people.of(user_id), self.tables.clock.now_ms()
        if (awake := person.hours.after(now, 1)) > now + 1:
            self._due[game_id, user_id] = awake
            return
        over = game.status not in ("lobby", "running")
        if not over and now < follower.told_ms + PAUSE_MS:  # it was becoming due while the last message was queued
            self._due[game_id, user_id] = follower.told_ms + PAUSE_MS
            return
        length = await store.length(game_id)
        told = [] if game_id in self.tables.broken else await self._lines(game, follower, length)
        end = await self._end(game) if over and END in follower.moments else ""
        if (told or end) and not quiet(person):
            await self._queue(game, follower, told, end, length)
        if over:
            await self.unfollow(game_id, user_id)

    async def _lines(self, game: db.Game, follower: db.Follower, length: int) -> list[str]:
        """What has happened since the follower was told last, up to this length of the log: the rest is told later."""
        live = await self.tables.find(game.id)
        if live is None:
            return []
        past = await Past.of(self.tables, live)
        stand = [(seq, event) for seq, event in past.events if past.stands(seq)]
        moments = telling(live.rules, [event for _, event in stand], follower.moments)
        return live.told([event for n, event in moments if follower.told_seq <= stand[n][0] < length], None)

    async def _end(self, game: db.Game) -> str:
        """How the game has ended."""
        if game.status != "ended":
            return say("game.abandoned", game=game.id)
        live = await self.tables.find(game.id)
        if live is None:  # it does not open any more
            return say("follow.over")
        winners = [live.name(standing.seat) for standing in live.table.standings() if standing.winner]
        return "\n".join([say("follow.over"), *(say("follow.won", seat=name) for name in winners)])

    async def _queue(self, game: db.Game, follower: db.Follower, told: list[str], end: str, length: int) -> None:
        """Queue the message; what was told may be cut, its end is not."""
        direct = follower.place == "dm"
        head = say("follow.head", title=title_of(game.key), game=game.id, channel=f"<#{game.channel_id}>")
        text = "\n".join(part for part in (cut("\n".join([head, *told]), STORY_LENGTH), end) if part)
        if not direct:
            text = f"<@{follower.user_id}>\n{text}"
        verbs = () if game.status not in ("lobby", "running") else ("unfollow",)
        said = Saying(text, verbs, pings=(follower.user_id,))
        assert game.channel_id is not None
        channel, user = (0, follower.user_id) if direct else (game.channel_id, 0)
        row = db.NewOutbox(channel, f"follow{follower.user_id}.{length}", encode(said), user_id=user)
        now = self.tables.clock.now_ms()
        await self.tables.store.tell(follower, row, length, now)
        noted = msgspec.structs.replace(follower, told_seq=length, told_ms=now)
        self._of.setdefault(game.id, {})[follower.user_id] = noted
        self.tables.sender.wake()
