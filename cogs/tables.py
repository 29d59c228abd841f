"""The tables: every running game, the one way to change it, and the bot players and timers that move it on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from discord import ui

import db
from render.worker import Painter
from rules import rules_of
from rules.engine import (
    Answer,
    Broken,
    Chance,
    Change,
    Decision,
    Event,
    Line,
    NeedsHistory,
    Plan,
    Question,
    Table,
    decode_record,
    encode,
    random_player,
)
from rules.engine.log import Acted, Answered

from .config import Config
from .live import BOT, HUMAN, Live, Opened, Stored, Turn, open_live
from .panels import lobby_panel
from .sender import Sender
from .texts import say

if TYPE_CHECKING:
    from bot import TableBot

log = logging.getLogger(__name__)

Step = Callable[[Table], Change]
RETRY_SECONDS = 5.0


def now_ms() -> int:
    """The present in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Refused(Exception):
    """The person cannot do that; the text says why, and nothing has changed."""


class Tables:
    """All running games in memory. What a step returns is durable."""

    def __init__(self, bot: TableBot, config: Config, store: db.Store) -> None:
        self.bot = bot
        self.config = config
        self.store = store
        self.live: dict[int, Live] = {}
        self.broken: dict[int, str] = {}
        self.by_channel: dict[int, int] = {}
        self.painter = Painter(threads=config.render.threads, limit=config.render.timeout_seconds)
        self.sender = Sender(self)
        self._drivers: dict[int, asyncio.Task[None]] = {}
        self._rng = secrets.SystemRandom()
        self._minute = (0, 0)

    async def open_all(self) -> None:
        """Bring every running game back to the table, and start what moves them on."""
        for game in await self.store.games("running"):
            await self.open(game.id)
        self.sender.start()
        log.info("tables open", extra={"games": len(self.live), "broken": len(self.broken)})

    async def close(self) -> None:
        """Stop the bot players, finish the message being sent, let the drawing threads go."""
        drivers = list(self._drivers.values())
        for driver in drivers:
            driver.cancel()
        await asyncio.gather(*drivers, return_exceptions=True)
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
                await self._commit(live, mark, None, live.table.length - 1)
        self._schedule(live)
        return live

    async def _load(self, game_id: int) -> tuple[Live, Change | None]:
        game = await self.store.game(game_id)
        if game is None:
            raise LookupError(f"there is no game {game_id}")
        position = msgspec.msgpack.decode(game.position, type=Stored).position
        loaded = await self.store.load(game_id, position.base, position.tail)
        live, mark = open_live(loaded, rules_of(game.key))
        live.story = [
            (seq, msgspec.msgpack.decode(data, type=Event))
            for seq, _, data in await self.store.events(game_id, live.turn.first)
        ]
        self._remember_hands(live)
        for seat, question in live.table.asked.items():
            draft = await self.store.draft(game_id, seat)
            if draft is not None and draft.question == live.table.number(seat):
                kept = msgspec.msgpack.decode(draft.data, type=Draft)
                if kept.submit:
                    live.held[seat] = (draft.question, question.check(kept.picked))
        return live, mark

    async def look(self, game_id: int) -> Live | None:
        """A game that has ended, as it lies in the store."""
        game = await self.store.game(game_id)
        return (await self._load(game_id))[0] if game is not None and game.status == "ended" else None

    async def move(self, live: Live, channel_id: int) -> None:
        """The game goes on in another channel. `db.Conflict` when another game is there."""
        async with live.lock:
            game = await self.store.update_game(live.id, now_ms=now_ms(), channel_id=channel_id)
            self.by_channel.pop(live.channel_id, None)
            live.game = msgspec.structs.replace(live.game, channel_id=game.channel_id)
            self.by_channel[channel_id] = live.id
        await self.sender.moved(live)

    def _seat_in(self, live: Live) -> None:
        self.broken.pop(live.id, None)
        self.live[live.id] = live
        self.by_channel[live.channel_id] = live.id
        if live.id not in self._drivers:
            self._drivers[live.id] = asyncio.create_task(self._drive(live.id), name=f"game {live.id}")

    async def _reload(self, live: Live) -> None:
        """Memory and store disagree after a failed write: the store is right."""
        fresh, _ = await self._load(live.id)
        live.game, live.table, live.turn, live.story = fresh.game, fresh.table, fresh.turn, fresh.story
        live.opened, live.held, live.hands, live.asks = {}, fresh.held, fresh.hands, fresh.asks
        live.seat(fresh.members.values())

    async def start(self, game: db.Game, members: Sequence[db.Member], interaction_id: int | None) -> Live:
        """Turn a full lobby into a running game. Illegal when its options do not allow it."""
        rules = rules_of(game.key)
        options = msgspec.msgpack.decode(game.options, type=rules.options)
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
        self._remember_hands(live)
        rows = [
            *self.sender.turn_rows(live, first=True, created=True, awaited=[]),
            *self.sender.hand_rows(live, members),
        ]
        await self.store.start(
            game.id,
            header=encode(table.header),
            position=live.stored(),
            records=[(record.seq, encode(record)) for record in change.records],
            checkpoint=dict(change.checkpoints)[0],
            events=[(0, n, encode(event)) for n, event in enumerate(change.events)],
            outbox=rows,
            interaction_id=interaction_id,
            now_ms=now_ms(),
        )
        live.game = msgspec.structs.replace(game, status="running", header=encode(table.header))
        self._seat_in(live)
        self._schedule(live)
        self.sender.wake()
        return live

    # ---------------------------------------------------------------- the one way to change a game

    async def step(
        self,
        live: Live,
        do: Step,
        interaction_id: int | None = None,
        *,
        members: Sequence[db.Member] = (),
        undo: bool = False,
    ) -> Change:
        """Do one step and make it durable. Raises what the table raises, `db.AlreadyApplied`, or `Refused`."""
        async with live.lock:
            return await self._step(live, do, interaction_id, members, undo)

    async def _step(
        self, live: Live, do: Step, interaction_id: int | None, members: Sequence[db.Member] = (), undo: bool = False
    ) -> Change:
        before = live.table.length
        awaited = {seat: live.table.number(seat) for seat in live.table.asked}
        try:
            change = do(live.table)
        except NeedsHistory:
            await self._recall(live)
            change = do(live.table)
        except Broken as broken:
            await self._apologise(live, broken, before)
            raise
        try:
            await self._commit(live, change, interaction_id, before, awaited, members, undo)
        except Exception:
            await self._reload(live)
            raise
        return change

    async def _commit(
        self,
        live: Live,
        change: Change,
        interaction_id: int | None,
        expected: int,
        awaited: dict[int, int] | None = None,
        members: Sequence[db.Member] = (),
        undo: bool = False,
    ) -> None:
        table = live.table
        live.note(change)
        if members:
            live.seat({**live.members, **{member.seat: member for member in members}}.values())
        was_turn, now = live.turn, now_ms()
        rows = self._rows(live, change, awaited or {}, expected)
        numbers = {seat: table.number(seat) for seat in table.asked}
        await self.store.commit(
            db.Commit(
                game_id=live.id,
                expected=expected,
                records=tuple((record.seq, encode(record)) for record in change.records),
                checkpoints=change.checkpoints,
                position=live.stored(),
                events=tuple((change.records[-1].seq, n, encode(event)) for n, event in enumerate(change.events)),
                outbox=tuple(rows),
                interaction_id=interaction_id,
                status="ended" if table.over else "running" if live.game.status == "ended" else None,
                result=encode(table.standings()) if table.over else None,
                members=tuple(members),
                clear_drafts=tuple(seat for seat in (awaited or {}) if numbers.get(seat) != (awaited or {})[seat]),
                clear_undo=undo or bool(change.checkpoints),
                now_ms=now,
            )
        )
        if change.checkpoints and not table.over:
            table.forget()
        if live.turn != was_turn:
            live.story = [(seq, event) for seq, event in live.story if seq >= live.turn.first]
        live.game = msgspec.structs.replace(live.game, status="ended" if table.over else "running")
        self._schedule(live)
        self.sender.wake()

    def _rows(self, live: Live, change: Change, awaited: dict[int, int], first: int) -> list[db.NewOutbox]:
        """What the change makes necessary to send, and the turn message that follows."""
        rows: list[db.NewOutbox] = []
        asked = live.asked_humans()
        created = False
        if live.table.over:
            rows += self.sender.end_rows(live)
        elif change.checkpoints and any(isinstance(record.what, Answered | Acted) for record in change.records):
            shared = live.turn.bots_only and not asked and len(live.lines()) < 25
            if not shared:
                rows += self.sender.finished_row(live, change.records[-1].seq)
                live.turn = Turn(live.turn.number + 1, change.records[-1].seq + 1, bots_only=not asked)
                created = True
        elif asked and live.turn.bots_only:
            live.turn = Turn(live.turn.number, live.turn.first, bots_only=False)
        newly = [seat for seat in asked if seat not in awaited]
        rows += self.sender.turn_rows(live, first=False, created=created, awaited=[] if created else newly)
        rows += self.sender.answered_rows(live)
        rows += self.sender.hand_rows(live, self._changed_hands(live))
        return rows

    async def _recall(self, live: Live) -> None:
        records = [decode_record(data) for _, data in await self.store.records(live.id)]
        found = {}
        for seq in await self.store.checkpoints(live.id):
            checkpoint = await self.store.checkpoint(live.id, seq)
            assert checkpoint is not None
            found[seq] = checkpoint[1]
        live.table.recall(records, found)

    async def _apologise(self, live: Live, broken: Broken, expected: int) -> None:
        """A rule failed: keep what reproduces it, and say its number where it can be reported."""
        fault: Change = broken.change
        report = secrets.token_hex(4)
        log.error("a rule failed: %s", broken.args_["fault"], extra={"game": live.id, "report": report})
        await self.store.add_report(report, live.id, broken.report, now_ms())
        await self._commit(live, fault, None, expected, {s: live.table.number(s) for s in live.table.asked})
        broken.args_["report"] = report
        seat = fault.records[0].seat
        if seat is not None and seat in live.table.asked:
            live.stuck.add((seat, live.table.number(seat)))

    # ---------------------------------------------------------------- hands

    def hand(self, live: Live, seat: int) -> object:
        """What the seat holds in hand, as its view shows it; None in games without hands."""
        return getattr(live.table.view(seat), "hand", None)

    def _remember_hands(self, live: Live) -> None:
        live.hands = {seat: encode(self.hand(live, seat)) for seat in live.members}

    def _changed_hands(self, live: Live) -> list[db.Member]:
        before = live.hands
        self._remember_hands(live)
        return [member for seat, member in live.members.items() if before.get(seat) != live.hands[seat]]

    # ---------------------------------------------------------------- people's answers

    async def answer(self, live: Live, seat: int, number: int, answer: Answer, interaction_id: int) -> Change | None:
        """A person's answer to question `number`. None: it is kept, and counts when the window closes."""
        async with live.lock:
            if seat not in live.table.asked or live.table.number(seat) != number:
                raise Stale
            question = live.table.asked[seat]
            canonical = question.check(answer)
            if self._closes(live, question) > self.loop_time():
                await self.store.set_draft(live.id, seat, number, encode(Draft(canonical, submit=True)))
                live.held[seat] = (number, canonical)
                live.wake.set()
                return None
            return await self._step(live, lambda table: table.answer(seat, canonical), interaction_id)

    async def play_line(self, live: Live, line: Line, interaction_id: int) -> Change:
        """A line of answers that was tried on a copy: all or nothing."""
        return await self.step(live, lambda table: table.play(line.seat, line.answers), interaction_id)

    def _closes(self, live: Live, question: Question) -> float:
        """When the window the question stands for closes at the earliest, so that time tells nothing."""
        if not question.windows:
            return 0.0
        return max((opened.due for seat, opened in live.opened.items() if seat in live.table.asked), default=0.0)

    # ---------------------------------------------------------------- what moves by itself

    def loop_time(self) -> float:
        """The loop's clock in seconds."""
        return asyncio.get_running_loop().time()

    def _schedule(self, live: Live) -> None:
        """Note when each question came up, and let the game's driver look at it."""
        table, opened = live.table, live.opened
        pause, window = self.config.play.bot_pause_seconds, self.config.play.window_seconds
        live.opened = {}
        for seat, question in table.asked.items():
            number = table.number(seat)
            if seat in opened and opened[seat].number == number:
                live.opened[seat] = opened[seat]
                continue
            delay = self._rng.uniform(*window) if question.windows and pause else pause
            live.opened[seat] = Opened(number, self.loop_time(), delay)
        live.held = {seat: held for seat, held in live.held.items() if self._is_live(live, seat, held[0])}
        live.wake.set()

    def _is_live(self, live: Live, seat: int, number: int) -> bool:
        return seat in live.table.asked and live.table.number(seat) == number

    def _next_automatic(self, live: Live) -> tuple[float, int, int] | None:
        """The next answer that comes without a press: (when, seat, question number)."""
        due = []
        for seat, opened in live.opened.items():
            question = live.table.asked.get(seat)
            if question is None or (seat, opened.number) in live.stuck or seat in live.table.sealed:
                continue
            if seat in live.held:
                due.append((self._closes(live, question), seat, opened.number))
            elif live.is_bot(seat) or live.table.passes(seat):
                due.append((opened.due, seat, opened.number))
        return min(due, default=None)

    async def _drive(self, game_id: int) -> None:
        while True:
            live = self.live.get(game_id)
            if live is None:
                return
            live.wake.clear()
            following = self._next_automatic(live)
            wait = None if following is None else max(0.0, following[0] - self.loop_time())
            if following is None or (wait is not None and wait > 0):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(live.wake.wait(), wait)
                continue
            await self._throttle()
            try:
                await self._automatic(live, following[1], following[2])
            except db.StoreError:
                log.exception("an automatic answer could not be stored", extra={"game": game_id})
                await asyncio.sleep(RETRY_SECONDS)
            except Exception as error:
                live.stuck.add((following[1], following[2]))
                log.exception("an automatic answer failed", extra={"game": game_id, "seat": following[1]})
                await self.sender.trouble(live, say("trouble.automatic", error=type(error).__name__))

    async def _automatic(self, live: Live, seat: int, number: int) -> None:
        async with live.lock:
            if not self._is_live(live, seat, number):
                return
            answer = self._automatic_answer(live, seat)
            await self._step(live, lambda table: table.answer(seat, answer), None)

    def _automatic_answer(self, live: Live, seat: int) -> Answer:
        question = live.table.asked[seat]
        if seat in live.held:
            return live.held[seat][1]
        if not live.is_bot(seat):
            return live.rules.safe(question)
        player = live.rules.bots.get(live.members[seat].bot, random_player)
        decision = Decision(seat, live.table.view(seat), question)
        return player(decision, Chance(secrets.token_bytes(16)))

    async def _throttle(self) -> None:
        """At most so many automatic answers a minute: a loop among bots must not eat the machine."""
        minute = int(self.loop_time() // 60)
        self._minute = (minute, self._minute[1] + 1 if self._minute[0] == minute else 1)
        if self._minute[1] > self.config.play.automatic_per_minute:
            await asyncio.sleep(60 - self.loop_time() % 60)

    # ---------------------------------------------------------------- looking back

    async def plan_undo(self, live: Live, seat: int | None, to: int | None = None) -> Plan:
        """What an undo would take back."""
        async with live.lock:
            try:
                return live.table.plan_undo(seat, to)
            except NeedsHistory:
                await self._recall(live)
                return live.table.plan_undo(seat, to)

    async def undo(self, live: Live, seat: int, to: int, consents: Sequence[int], interaction_id: int | None) -> Change:
        """Take everything from record `to` on back."""
        return await self.step(live, lambda table: table.undo(seat, to, consents), interaction_id, undo=True)

    async def rewind(self, live: Live, steps: int, interaction_id: int | None) -> Change:
        """The host takes the last steps back, whoever did them."""
        async with live.lock:
            await self._recall(live)
            to = live.table.step_back(steps)
            return await self._step(live, lambda table: table.undo(None, to, host=True), interaction_id, (), True)

    async def skip_stuck(self, live: Live, interaction_id: int | None) -> Change:
        """Give the safe answer for a seat whose answers a rule failed on."""
        for seat, number in sorted(live.stuck):
            if self._is_live(live, seat, number):
                answer = live.rules.safe(live.table.asked[seat])
                return await self.step(live, lambda table: table.answer(seat, answer), interaction_id)  # noqa: B023
        raise Refused(say("lobby.not_stuck"))

    async def story(self, live: Live, seat: int | None) -> list[str]:
        """All that has happened, as this seat may know it, in lines."""
        events = await self.store.events(live.id, 0)
        told = (live.tell(seq, msgspec.msgpack.decode(data, type=Event), seat) for seq, _, data in events)
        return [line for line in told if line]

    async def view_at(self, live: Live, seq: int, seat: int | None) -> Any:
        """The board at a segment's start, as this seat sees it."""
        found = await self.store.checkpoint(live.id, seq)
        if found is None:
            raise Refused(say("history.none"))
        return live.table.view_of(found[1], seat)

    # ---------------------------------------------------------------- seats

    async def hand_over(self, live: Live, seat: int, member: db.Member) -> None:
        """Give the seat to another: a person or a bot player."""
        occupant = BOT if member.kind == BOT else HUMAN
        await self.step(live, lambda table: table.seat_change(seat, occupant), members=[member])

    async def lobby_panel(self, game_id: int, marker: int) -> ui.LayoutView:
        """The join panel of a game, as it stands."""
        game, members = await self.store.game(game_id), await self.store.members(game_id)
        assert game is not None
        return lobby_panel(game, members, marker)

    async def abandon(self, game_id: int) -> None:
        """End a game without a result. Needs no rules, so it works for a broken game too."""
        game = await self.store.update_game(game_id, now_ms=now_ms(), status="abandoned")
        live = self.live.pop(game_id, None)
        self.broken.pop(game_id, None)
        driver = self._drivers.pop(game_id, None)
        if driver is not None:
            driver.cancel()
        if game.channel_id is not None:
            self.by_channel.pop(game.channel_id, None)
            await self.sender.abandoned(game, live)

    def in_channel(self, channel_id: int | None) -> Live | None:
        """The running game of this channel."""
        game_id = None if channel_id is None else self.by_channel.get(channel_id)
        return None if game_id is None else self.live.get(game_id)


class Stale(Exception):
    """The press belongs to a question that has gone."""


class Draft(msgspec.Struct, frozen=True):
    """A selection in the making; `submit`: it is complete and counts when its window closes."""

    picked: Answer = ()
    page: int = 0
    submit: bool = False
