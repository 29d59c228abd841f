"""The tables: every running game in memory, opened, started, moved, handed over and closed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

import db
from render.worker import Painter
from rules import rules_of
from rules.engine import Change, Event, Illegal, Table, encode

from . import standing
from .compose import Composer
from .config import Config
from .deadlines import Deadlines
from .errors import Refused
from .following import Followers
from .idle import Idle
from .live import HUMAN, Live, Stored, Turn, open_live
from .lobby_panels import problems_of
from .pace import Pace
from .people import People
from .pings import Pings
from .pressure import Pressure
from .rows import closing_rows, first_rows, hand_rows
from .sender import Sender
from .steps import TableSteps
from .texts import say
from .votes import Votes
from .waits import Timing

if TYPE_CHECKING:
    from bot import TableBot

log = logging.getLogger(__name__)

ENDED_KEPT: Final = 8
"""So many ended games stay in memory to be looked at; others are loaded again."""
ATTEND_SECONDS: Final = 1.5
"""How long those who have asked for something may keep a bot that is being stopped."""


class Tables:
    """All running games in memory, and the last ones that ended, with all that serves them."""

    def __init__(self, bot: TableBot, config: Config, store: db.Store) -> None:
        self.bot = bot
        self.config = config
        self.store = store
        self.clock = bot.clock
        self.live: dict[int, Live] = {}
        self.ended: OrderedDict[int, Live] = OrderedDict()
        self.broken: dict[int, str] = {}
        self.by_channel: dict[int, int] = {}
        self.lobbies: dict[int, str] = {}
        self.attending: set[int] = set()  # interactions being worked on
        self.stopping = False
        self.painter = Painter(threads=config.render.threads, limit=config.render.timeout_seconds)
        self.pressure = Pressure(self)
        self.composer = Composer(self)
        self.sender = Sender(self)
        self.steps = TableSteps(self)
        self.pace = Pace(self)
        self.votes = Votes(self)
        self.followers = Followers(self)
        self.people = People(store)
        self.pings = Pings(self)
        self.deadlines = Deadlines(self)
        self.idle = Idle(self)

    async def open_all(self) -> None:
        """Bring every running game back to the table, and start what moves them on."""
        for game in await self.store.games("running"):
            await self.open(game.id)
        for game in await self.store.games("lobby"):
            if game.channel_id is None:  # the process ended before the thread was there
                await self.store.update_game(game.id, now_ms=self.clock.now_ms(), status="cancelled")
            else:
                self.lobbies[game.channel_id] = game.key
        self.sender.start()
        self.votes.start()
        await self.followers.start()
        self.deadlines.start()
        log.info("tables open", extra={"games": len(self.live), "broken": len(self.broken)})

    async def close(self) -> None:
        """Finish what people have asked for, stop the bot players, send what is due, let the drawing threads go."""
        self.stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ATTEND_SECONDS):
                while self.attending:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        await self.pace.close()
        await self.deadlines.close()
        await self.votes.close()
        await self.followers.close()
        await self.sender.close()
        self.painter.close()

    # ---------------------------------------------------------------- opening

    async def open(self, game_id: int) -> Live | None:
        """Bring one stored game to the table; None (and noted as broken) when it does not open."""
        try:
            live, mark = await self._load(game_id)
        except Exception as error:
            log.exception("game does not open", extra={"game": game_id})
            self.broken[game_id] = f"{type(error).__name__}: {error}"
            game = await self.store.game(game_id)
            if game is not None and game.channel_id is not None:
                self.by_channel[game.channel_id] = game_id
            return None
        self._seat_in(live)
        if mark is not None:
            async with live.lock:
                await self.steps.commit(live, mark, None, live.table.length - 1)
        return live

    async def _load(self, game_id: int) -> tuple[Live, Change | None]:
        game = await self.store.game(game_id)
        if game is None:
            raise LookupError(f"there is no game {game_id}")
        position = msgspec.msgpack.decode(game.position, type=Stored).position
        loaded = await self.store.load(game_id, position.base, position.tail)
        live, mark = open_live(loaded, rules_of(game.key))
        live.timing = Timing.of(await self.store.timing(game_id))
        await self.people.load(member.user_id for member in loaded.members)
        live.story = [
            (seq, msgspec.msgpack.decode(data, type=Event))
            for seq, _, data in await self.store.events(game_id, live.turn.first)
        ]
        live.changed_hands()
        wish = await self.store.undo_request(game_id)
        live.wish = None if wish is None else wish.head_seq
        for seat, question in live.table.asked.items():
            kept = live.draft(await self.store.draft(game_id, seat), seat)
            if kept.submit:
                live.held[seat] = (live.table.number(seat), question.check(kept.picked))
        return live, mark

    def _seat_in(self, live: Live) -> None:
        self.broken.pop(live.id, None)
        self.lobbies.pop(live.channel_id, None)
        self.live[live.id] = live
        self.by_channel[live.channel_id] = live.id
        self.pace.follow(live)
        self.pace.schedule(live)
        self.deadlines.adopt(live)
        self.deadlines.wake()

    async def reload(self, live: Live) -> None:
        """Memory and store disagree after a failed write: the store is right."""
        fresh, _ = await self._load(live.id)
        live.game, live.table, live.turn, live.story = fresh.game, fresh.table, fresh.turn, fresh.story
        live.held, live.hands, live.asks, live.wish = fresh.held, fresh.hands, fresh.asks, fresh.wish
        live.timing, live.until = fresh.timing, fresh.until
        live.seat(fresh.members.values())
        self.pace.schedule(live)

    async def find(self, game_id: int) -> Live | None:
        """The game, running or ended; one that ended longer ago is brought back to be looked at."""
        live = self.live.get(game_id) or self.ended.get(game_id)
        if live is None and game_id not in self.broken:
            game = await self.store.game(game_id)
            if game is not None and game.status == "ended":
                live, mark = await self._load(game_id)
                if mark is not None:
                    log.warning(
                        "an ended game can be looked at no more: its rules have changed", extra={"game": game_id}
                    )
                    return None
                self._keep_ended(live)
        return live

    async def find_in(self, channel_id: int | None) -> Live | None:
        """The game of this channel: the running one, else the last that ended, also while another waits for players."""
        live = self.in_channel(channel_id)
        if live is not None or channel_id is None or channel_id in self.by_channel:
            return live
        game = await self.store.game_in_channel(channel_id, played=True)
        return None if game is None else await self.find(game.id)

    def in_channel(self, channel_id: int | None) -> Live | None:
        """The running game of this channel, from memory alone."""
        game_id = None if channel_id is None else self.by_channel.get(channel_id)
        return None if game_id is None else self.live.get(game_id)

    async def move(self, live: Live, channel_id: int) -> None:
        """The game goes on in another channel. `db.Conflict` when another game is there."""
        async with live.lock:
            game = await self.store.update_game(live.id, now_ms=self.clock.now_ms(), channel_id=channel_id)
            old = live.channel_id
            self.by_channel.pop(old, None)
            live.game = msgspec.structs.replace(live.game, channel_id=game.channel_id)
            self.by_channel[channel_id] = live.id
        await self.sender.moved(live, old)

    def finish(self, live: Live) -> None:
        """The game has ended; it stays in memory for a while, to be looked at."""
        live.game = msgspec.structs.replace(live.game, status="ended")
        self._take_away(live)
        self._keep_ended(live)

    def _keep_ended(self, live: Live) -> None:
        self.ended[live.id] = live
        while len(self.ended) > ENDED_KEPT:
            self.ended.popitem(last=False)

    def _take_away(self, live: Live) -> None:
        """The game runs no more."""
        self.live.pop(live.id, None)
        self.bot.dispatch("game_over", live)
        if self.by_channel.get(live.channel_id) == live.id:
            del self.by_channel[live.channel_id]
        self.pace.drop(live)
        self.votes.wake()

    async def start(self, game: db.Game, members: Sequence[db.Member], interaction_id: int | None) -> Live:
        """Turn a full lobby into a running game. Refused when its options do not allow it."""
        rules = rules_of(game.key)
        options = msgspec.msgpack.decode(game.options, type=rules.options)
        if problems := problems_of(game, len(members)):
            raise Refused(say("lobby.cannot_start", why=" ".join(problems)))
        table, change = Table.start(
            rules,
            options,
            seats=len(members),
            secret=game.secret,
            salts=[member.salt for member in members],
            wishes=[member.preference for member in members],
        )
        live = Live(game, members, table, Turn(1, 0, bots_only=False))
        live.note(change)
        live.turn = Turn(1, 0, bots_only=not live.asked_humans())
        live.changed_hands()
        live.timing = Timing.of(await self.store.timing(game.id))
        await self.people.load(member.user_id for member in members)
        self.deadlines.first(live)
        rows = [*self.pings.next_rows(live), *first_rows(live), *hand_rows(live, members)]
        await self.store.start(
            game.id,
            header=encode(table.header),
            position=live.stored(),
            records=[(record.seq, encode(record)) for record in change.records],
            checkpoint=dict(change.checkpoints)[0],
            events=[(0, n, encode(event)) for n, event in enumerate(change.events)],
            outbox=rows,
            timing=live.timing.stored(),
            interaction_id=interaction_id,
            now_ms=self.clock.now_ms(),
        )
        live.game = msgspec.structs.replace(game, status="running", header=encode(table.header))
        self._seat_in(live)
        self.sender.wake()
        return live

    # ---------------------------------------------------------------- looking back

    async def timing(self, game_id: int) -> Timing:
        """The game's timing, in memory or stored."""
        live = self.live.get(game_id)
        return live.timing if live is not None else Timing.of(await self.store.timing(game_id))

    async def story(self, live: Live, seat: int | None) -> list[str]:
        """All that has happened, as this seat may know it, in lines."""
        events = await self.store.events(live.id, 0)
        return live.told((msgspec.msgpack.decode(data, type=Event) for _, _, data in events), seat)

    async def view_at(self, live: Live, seq: int, seat: int | None) -> Any:
        """The board at a segment's start, as this seat sees it."""
        found = await self.store.checkpoint(live.id, seq)
        if found is None:
            raise Refused(say("history.none"))
        return live.table.view_of(found[1], seat)

    # ---------------------------------------------------------------- seats

    async def hand_over(self, live: Live, member: db.Member, interaction_id: int | None) -> None:
        """Give the member's seat to him, a person or a bot player; for who holds the game's lock. When the host thereby
        sits there no more, the next person is the host; one who never sat there stays it."""

        def change(table: Table) -> Change:
            done = Change()
            for window in table.standing.get(member.seat, ()):  # these were another's
                done = done.then(standing.stand(live, table, member.seat, window, ""))
            return done.then(table.seat_change(member.seat, member.kind))

        if live.table.over:
            raise Illegal("engine.over")
        of_the_table = {m.user_id or m.kept_for for m in live.members.values()}
        await self.steps.apply(live, change, interaction_id, [member])
        await self.votes.withdraw(live, "kick", seat=member.seat)  # it was about another
        await self.votes.show(live)
        self.bot.dispatch("seat_changed", live)
        people = [m.user_id for m in live.members.values() if m.kind == HUMAN and m.user_id is not None]
        if people and live.game.host_id not in people and live.game.host_id in of_the_table:
            await self.set_host(live.id, people[0])

    async def set_host(self, game_id: int, user_id: int) -> db.Game:
        """Make somebody else the host."""
        game = await self.store.update_game(game_id, now_ms=self.clock.now_ms(), host_id=user_id)
        live = self.live.get(game_id)
        if live is not None:
            live.game = msgspec.structs.replace(live.game, host_id=user_id)
        return game

    async def abandon(self, game_id: int) -> None:
        """End a game without a result. Needs no rules, so it works for a broken game too."""
        live = self.live.get(game_id)
        async with live.lock if live is not None else contextlib.nullcontext():
            game = await self.store.update_game(
                game_id, now_ms=self.clock.now_ms(), if_status="running", status="abandoned"
            )
            self.broken.pop(game_id, None)
            if game.channel_id is not None:
                sent = [slot.slot for slot in await self.store.slots(game_id) if slot.channel_id == game.channel_id]
                rows = closing_rows(game.channel_id, game_id, live, sent)
                await self.store.queue(game_id, rows, self.clock.now_ms())
            if live is not None:
                self._take_away(live)
            elif game.channel_id is not None:
                self.by_channel.pop(game.channel_id, None)
        self.sender.wake()
        self.followers.ended(game_id)
