"""The tables: every running game, and the one way to change it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from discord import ui

import db
from render.worker import Painter
from rules import rules_of
from rules.engine import (
    Answer,
    Broken,
    Change,
    Event,
    Illegal,
    Line,
    NeedsHistory,
    Plan,
    Table,
    decode_record,
    encode,
)
from rules.engine.log import Acted, Answered, Stood, Undone
from rules.report import write_report

from . import metrics, standing
from .config import Config
from .deadlines import Deadlines
from .errors import Refused as Refused
from .errors import Stale as Stale
from .following import Followers
from .idle import Idle
from .live import HUMAN, Draft, Live, Stored, Turn, open_live
from .lobby_panels import hands_text, lobby_panel, problems_of
from .pace import Pace
from .people import People
from .pings import Pings
from .sender import Saying, Sender
from .texts import say
from .votes import Votes
from .waits import Timing, pace_text

if TYPE_CHECKING:
    from bot import TableBot

log = logging.getLogger(__name__)

Step = Callable[[Table], Change]
ENDED_KEPT: Final = 8
"""So many ended games stay in memory to be looked at; others are loaded again."""
ATTEND_SECONDS: Final = 1.5
"""How long those who have asked for something may keep a bot that is being stopped."""
SHARED_LINES: Final = 25
"""A message that several turns of bot players share tells no more than this."""


class Preview(NamedTuple):
    """What an undo means, as one viewer may know it. `mark` changes when any of it does."""

    plan: Plan
    lines: tuple[str, ...]
    mark: int


class Tables:
    """All running games in memory, and the last ones that ended. What a step returns is durable."""

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
        self.sender = Sender(self)
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
                await self._commit(live, mark, None, live.table.length - 1)
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
        self._remember_hands(live)
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

    async def _reload(self, live: Live) -> None:
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
                live, _ = await self._load(game_id)
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
        self._remember_hands(live)
        live.timing = Timing.of(await self.store.timing(game.id))
        await self.people.load(member.user_id for member in members)
        self.deadlines.first(live)
        rows = [
            *self.pings.next_rows(live),
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
            timing=live.timing.stored(),
            interaction_id=interaction_id,
            now_ms=self.clock.now_ms(),
        )
        live.game = msgspec.structs.replace(game, status="running", header=encode(table.header))
        self._seat_in(live)
        self.sender.wake()
        return live

    # ---------------------------------------------------------------- the one way to change a game

    async def step(self, live: Live, seat: int, user_id: int, do: Step, interaction_id: int | None = None) -> Change:
        """Do one step of that person in that seat and make it durable. Raises what the table raises, Refused when somebody
        else sits there by now, or `db.StoreError`; then nothing has changed."""
        async with live.lock:
            self.check_seat(live, seat, user_id)
            return await self.apply(live, do, interaction_id)

    async def apply(
        self, live: Live, do: Step, interaction_id: int | None = None, members: Sequence[db.Member] = ()
    ) -> Change:
        """Do one step, as `step` does, for who holds the game's lock. `members`: those whose seat changes with it."""
        before = live.table.length
        awaited = {seat: live.table.number(seat) for seat in live.table.asked}
        answered = (*live.table.sealed, *live.held)
        await self.people.load(member.user_id for member in members)
        try:
            change: Change = standing.end(live, await self.recalling(live, do))
        except Broken as broken:
            await self._apologise(live, broken, before)
            raise
        await self._commit(live, change, interaction_id, before, awaited, members, answered)
        return change

    async def recalling(self, live: Live, do: Callable[[Table], Any]) -> Any:
        """What `do` returns, with the whole log in memory if that is what it takes."""
        try:
            return do(live.table)
        except NeedsHistory:
            records = [decode_record(data) for _, data in await self.store.records(live.id)]
            found = {}
            for seq in await self.store.checkpoints(live.id):
                checkpoint = await self.store.checkpoint(live.id, seq)
                assert checkpoint is not None
                found[seq] = checkpoint[1]
            live.table.recall(records, found)
            return do(live.table)

    async def _commit(
        self,
        live: Live,
        change: Change,
        interaction_id: int | None,
        expected: int,
        awaited: dict[int, int] | None = None,
        members: Sequence[db.Member] = (),
        answered: Collection[int] = (),
    ) -> None:
        """Make a change durable together with all that follows from it; if that fails, it has not happened."""
        table, was_turn, before = live.table, live.turn, awaited or {}
        live.note(change)
        was = [live.members[member.seat] for member in members]
        live.reseat(members)
        lapsed = live.wish if change.checkpoints or any(e.audience is None for e in change.events) else None
        try:
            here = {seat: number for seat, number in before.items() if all(seat != m.seat for m in members)}
            if interaction_id is not None:  # who has answered in secret, nobody shall see by who is pinged
                acted = [r.seat for r in change.records if r.seat is not None and not self._by_others(live, r.what)]
                live.pressed |= {seat: self.clock.now_ms() for seat in acted if seat not in table.sealed}
            by_person = interaction_id is not None
            fresh, served = self.deadlines.follow(live, change, by_person=by_person, before=here, answered=answered)
            rows = [*self.sender.left_rows(live, was), *served, *self._rows(live, change, fresh)]
            if lapsed is not None:
                rows.append(db.NewOutbox(live.channel_id, f"undo{lapsed}", encode(Saying("")), delete=True))
            numbers = {seat: table.number(seat) for seat in table.asked}
            await self.store.commit(
                db.Commit(
                    game_id=live.id,
                    expected=expected,
                    records=tuple((record.seq, encode(record)) for record in change.records),
                    checkpoints=change.checkpoints,
                    position=live.stored(),
                    timing=live.timing.stored(),
                    events=tuple((change.records[-1].seq, n, encode(event)) for n, event in enumerate(change.events)),
                    outbox=tuple(rows),
                    interaction_id=interaction_id,
                    status="ended" if table.over else None,
                    result=encode(table.standings()) if table.over else None,
                    members=tuple(members),
                    clear_drafts=tuple(seat for seat in before if seat not in here or numbers.get(seat) != here[seat]),
                    clear_undo=lapsed is not None,
                    turn=(live.turn.first, live.turn.number) if live.turn.number != was_turn.number else None,
                    looked=self._person(live, change) if interaction_id is not None else None,
                    now_ms=self.clock.now_ms(),
                )
            )
        except Exception:
            await self._reload(live)
            raise
        if members:
            self.votes.wake()
        self._settle(live, change, was_turn, lapsed)
        self.followers.happened(live, change)

    def _by_others(self, live: Live, what: object) -> bool:
        """Whether others have made this step with a press of theirs, in the name of its seat: what they do ends standing
        answers, and the last of them to agree does an undo."""
        return isinstance(what, Stood) or (isinstance(what, Undone) and any(not live.is_bot(s) for s in what.consents))

    def _person(self, live: Live, change: Change) -> int | None:
        """Who has answered or acted."""
        did = [record.seat for record in change.records if isinstance(record.what, Answered | Acted)]
        return live.members[did[0]].user_id if did and did[0] is not None else None

    def _settle(self, live: Live, change: Change, was_turn: Turn, lapsed: int | None) -> None:
        """What follows in memory from a change that is stored."""
        metrics.steps.labels(live.game.key).inc()
        if change.checkpoints and not live.table.over:
            live.table.forget()
        if live.turn != was_turn:
            live.story = [(seq, event) for seq, event in live.story if seq >= live.turn.first]
        if lapsed is not None:
            live.wish = None
        if live.table.over:
            live.game = msgspec.structs.replace(live.game, status="ended")
            self._take_away(live)
            self._keep_ended(live)
        else:
            self.pace.schedule(live)
        self.deadlines.wake()
        self.sender.wake()

    def _rows(self, live: Live, change: Change, fresh: Sequence[int]) -> list[db.NewOutbox]:
        """What the change makes necessary to send, and the turn message that follows. `fresh`: who is awaited now."""
        rows: list[db.NewOutbox] = []
        asked = live.asked_humans()
        created = False
        moved = any(isinstance(record.what, Answered | Acted) for record in change.records)
        if live.table.over:
            rows += self.sender.end_rows(live)
        elif change.checkpoints and moved:
            shared = live.turn.bots_only and not asked and len(live.lines()) < SHARED_LINES
            if not shared:
                rows += self.sender.finished_row(live, change.records[-1].seq)
                live.turn = Turn(live.turn.number + 1, change.records[-1].seq + 1, bots_only=not asked)
                created = True
        elif asked and live.turn.bots_only:
            live.turn = Turn(live.turn.number, live.turn.first, bots_only=False)
        absent = [] if created else self.pings.absent(live, fresh)
        rows += self.pings.next_rows(live) if created else []
        rows += self.sender.turn_rows(live, first=False, created=created, awaited=absent)
        rows += self.sender.answered_rows(live)
        rows += self.sender.hand_rows(live, self._changed_hands(live))
        return rows

    async def _apologise(self, live: Live, broken: Broken, expected: int) -> None:
        """A rule failed: keep what reproduces it, and say its number where it can be reported."""
        fault: Change = broken.change
        report = broken.args_["report"] = secrets.token_hex(4)
        log.error("a rule failed: %s", broken.args_["fault"], extra={"game": live.id, "report": report})
        await self._commit(live, fault, None, expected, {s: live.table.number(s) for s in live.table.asked})
        bundle = write_report(live.table, fault.records[0])
        await self.store.add_report(report, live.id, bundle, self.clock.now_ms())
        seat = fault.records[0].seat
        if seat is not None and seat in live.table.asked:
            live.stuck.add((seat, live.table.number(seat)))

    def _remember_hands(self, live: Live) -> None:
        live.hands = {seat: encode(getattr(live.table.view(seat), "hand", None)) for seat in live.members}

    def _changed_hands(self, live: Live) -> list[db.Member]:
        before = live.hands
        self._remember_hands(live)
        return [member for seat, member in live.members.items() if before.get(seat) != live.hands[seat]]

    # ---------------------------------------------------------------- people's answers

    async def answer(self, live: Live, seat: int, token: int, answer: Answer, interaction_id: int) -> Change | None:
        """A person's answer to the question that `token` stands for. None: it is held until the window closes."""
        async with live.lock:
            self.check_live(live, seat, token)
            canonical = live.table.asked[seat].check(answer)
            if self.pace.holds(live, seat):
                number = live.table.number(seat)
                await self.store.set_draft(live.id, seat, number, encode(Draft(canonical, submit=True)))
                live.held[seat] = (number, canonical)
                live.wake.set()
                return None
            return await self.apply(live, lambda table: table.answer(seat, canonical), interaction_id)

    def check_seat(self, live: Live, seat: int, user_id: int) -> None:
        """Refused unless that person sits there; for who holds the game's lock."""
        if live.seat_of(user_id) != seat:
            raise Refused(say("game.watching"))

    def check_live(self, live: Live, seat: int, token: int) -> None:
        """Stale unless the token stands for the seat's live question."""
        if live.table.over:
            raise Illegal("engine.over")
        if seat not in live.table.asked or live.token(seat) != token:
            raise Stale

    async def play_line(self, live: Live, line: Line, token: int, interaction_id: int) -> Change | None:
        """A line of answers, tried on a copy when the question was the one of `token`: all or nothing."""
        if len(line.answers) == 1:
            return await self.answer(live, line.seat, token, line.answers[0], interaction_id)
        async with live.lock:
            self.check_live(live, line.seat, token)
            if live.table.asked[line.seat].windows:
                raise Illegal("engine.line")
            return await self.apply(live, lambda table: table.play(line.seat, line.answers), interaction_id)

    async def select(self, live: Live, seat: int, token: int, change: Callable[[Draft], Draft]) -> Draft:
        """Work on a seat's selection; it outlives a restart."""
        async with live.lock:
            self.check_live(live, seat, token)
            draft = change(live.draft(await self.store.draft(live.id, seat), seat))
            await self.store.set_draft(live.id, seat, live.table.number(seat), encode(draft))
            return draft

    async def skip_stuck(self, live: Live, interaction_id: int | None) -> Change:
        """Give the safe answer for a seat whose answers a rule failed on."""
        async with live.lock:
            seat = next((seat for seat, number in sorted(live.stuck) if live.is_asked(seat, number)), None)
            if seat is None:
                raise Refused(say("lobby.not_stuck"))
            answer = live.rules.safe(live.table.asked[seat])
            return await self.apply(live, lambda table: table.answer(seat, answer), interaction_id)

    # ---------------------------------------------------------------- looking back

    async def preview_undo(self, live: Live, seat: int | None, viewer: int | None, to: int | None = None) -> Preview:
        """What would be taken back if this seat went back to before record `to` (None: its own last step); under the
        game's lock. The lines are those of events that the viewer may know: the steps may be other seats' secrets.
        """
        if live.table.over:
            raise Illegal("engine.over")  # the seed is public by now, and with it all that was and would be drawn
        plan: Plan = await self.recalling(live, lambda table: table.plan_undo(seat, to))
        gone = {record.seq for record in plan.records}
        events = await self.store.events(live.id, plan.to)
        lines = live.told((msgspec.msgpack.decode(data, type=Event) for seq, _, data in events if seq in gone), viewer)
        return Preview(plan, tuple(lines), live.mark((plan.to, lines, plan.owners, plan.redraws)))

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
        await self.apply(live, change, interaction_id, [member])
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

    async def lobby_panel(self, game_id: int, marker: int | None = None) -> ui.LayoutView:
        """The join panel of a game, as it stands."""
        game, members = await self.store.game(game_id), await self.store.members(game_id)
        assert game is not None
        hands = hands_text(*await self.store.open_hands(game_id))
        live = self.live.get(game_id)
        timing = live.timing if live is not None else Timing.of(await self.store.timing(game_id))
        return lobby_panel(game, members, marker, [pace_text(timing), *([hands] if hands else [])])

    async def abandon(self, game_id: int) -> None:
        """End a game without a result. Needs no rules, so it works for a broken game too."""
        live = self.live.get(game_id)
        async with live.lock if live is not None else contextlib.nullcontext():
            game = await self.store.update_game(
                game_id, now_ms=self.clock.now_ms(), if_status="running", status="abandoned"
            )
            self.broken.pop(game_id, None)
            if live is not None:
                await self.store.queue(game_id, self._closing_rows(live), self.clock.now_ms())
                self._take_away(live)
            elif game.channel_id is not None:
                self.by_channel.pop(game.channel_id, None)
        await self.sender.abandoned(game, live)
        self.followers.ended(game_id)

    def _closing_rows(self, live: Live) -> list[db.NewOutbox]:
        """The open messages of a game that ends early: the turn keeps its story, the short ones go."""
        told = Saying("\n".join(live.lines()) or "…")
        gone = [f"ask{seat}.{number}" for seat, number in live.asks.items()]
        gone += [] if live.wish is None else [f"undo{live.wish}"]
        return [
            db.NewOutbox(live.channel_id, f"turn{live.turn.number}", encode(told)),
            *(db.NewOutbox(live.channel_id, slot, encode(Saying("")), delete=True) for slot in gone),
        ]
