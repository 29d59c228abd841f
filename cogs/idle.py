"""Games that nobody plays any more: it is asked whether anybody is still there, and only then are they closed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

import db

from .payloads import Joining, Saying
from .texts import say
from .waits import HOUR_MS, Timing

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

DAY_MS: Final = 24 * HOUR_MS
SLOT: Final = "idle"


class Idle:
    """Looks at all games once an hour."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._next = 0

    async def look(self, now: int) -> int:
        """Ask where it is time to ask, close where nobody has answered; when to look again."""
        if now >= self._next:
            for status in ("lobby", "running"):
                for game in await self.tables.store.games(status):
                    try:
                        await self._look(game, now)
                    except db.Conflict:
                        log.info("the game has gone on meanwhile", extra={"game": game.id})
                    except Exception:  # the others are looked at all the same
                        log.exception("whether anybody is there cannot be looked at", extra={"game": game.id})
            self._next = now + HOUR_MS
        return self._next

    async def set(self, game_id: int, asked_ms: int | None, acted_ms: int) -> None:
        """Note when it was asked, and when somebody was last there."""
        live = self.tables.live.get(game_id)
        if live is not None:
            async with live.lock:
                live.timing = replace(live.timing, asked_ms=asked_ms, acted_ms=acted_ms)
                await self.tables.store.set_timing(game_id, live.timing.stored())
        else:
            timing = replace(await self.tables.timing(game_id), asked_ms=asked_ms, acted_ms=acted_ms)
            await self.tables.store.set_timing(game_id, timing.stored())

    async def keep(self, game: db.Game) -> None:
        """Somebody is still there."""
        await self.set(game.id, None, self.tables.clock.now_ms())
        if game.channel_id is not None:
            await self.tables.sender.withdraw(game.id, game.channel_id, SLOT)

    async def put_off(self, now: int) -> None:
        """The bot was away: whoever was asked has all the time to answer again."""
        for status in ("lobby", "running"):
            for game in await self.tables.store.games(status):
                timing = await self.tables.timing(game.id)
                if timing.asked_ms is not None:
                    await self.set(game.id, now, timing.acted_ms)

    async def _look(self, game: db.Game, now: int) -> None:
        timing, settings = await self.tables.timing(game.id), self.tables.config.time
        lobby = game.status == "lobby"
        if game.channel_id is None or (timing.paused_ms is not None and not timing.everybody_away):
            return
        # a game under way may move by itself: what counts there is what people do
        played = not lobby and game.id in self.tables.live
        last = timing.acted_ms if played else max(timing.acted_ms, game.updated_ms)
        patience = settings.lobby_days * DAY_MS if lobby else settings.idle_weeks * 7 * DAY_MS
        if timing.asked_ms is None:
            if now - last > patience:
                await self._ask(game, now, timing)
        elif last > timing.asked_ms:
            await self.keep(game)
        elif now - timing.asked_ms > settings.answer_days * DAY_MS:
            await self._close(game)

    async def _ask(self, game: db.Game, now: int, timing: Timing) -> None:
        members = await self.tables.store.members(game.id)
        seated = [m.user_id for m in members if m.user_id] or [m.kept_for for m in members if m.kept_for]
        people = list(dict.fromkeys([game.host_id, *seated]))
        await self.tables.people.load(people)
        until = now + int(self.tables.config.time.answer_days * DAY_MS)
        who = ", ".join(f"<@{user}>" for user in people)
        text = say(f"idle.{game.status}", who=who, game=game.id, until=f"<t:{until // 1000}:R>")
        assert game.channel_id is not None
        said = Saying(text, ("keepgame",), pings=tuple(people))
        await self.tables.sender.post(game.id, game.channel_id, SLOT, said)
        await self.set(game.id, now, timing.acted_ms)

    async def _close(self, game: db.Game) -> None:
        """Nobody has answered."""
        assert game.channel_id is not None
        log.info("a game is closed, since nobody is there", extra={"game": game.id})
        if game.status == "lobby":
            now = self.tables.clock.now_ms()
            await self.tables.store.update_game(
                game.id, now_ms=now, if_status="lobby", if_updated_ms=game.updated_ms, status="cancelled"
            )
            self.tables.lobbies.pop(game.channel_id, None)
            await self.tables.sender.post(game.id, game.channel_id, "lobby", Joining())
        else:
            await self.tables.abandon(game.id)
        await self.tables.sender.withdraw(game.id, game.channel_id, SLOT)
        said = Saying(say("idle.closed", game=game.id))
        await self.tables.sender.post(game.id, game.channel_id, "closed", said)
