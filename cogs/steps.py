"""Steps: the one way to change a running game, and to make the change durable."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

import db
from rules.engine import Answer, Broken, Change, Event, Illegal, Line, NeedsHistory, Plan, Table, decode_record, encode
from rules.engine.log import Acted, Answered, Stood, Undone
from rules.report import write_report

from . import metrics, standing
from .errors import Refused, Stale
from .live import Draft, Live, Turn
from .rows import ask_rows, delete_row, end_rows, finished_rows, hand_rows, left_rows, turn_rows, undo_slot
from .texts import say

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

Step = Callable[[Table], Change]
SHARED_LINES: Final = 25
"""A message that several turns of bot players share tells no more than this."""


class Preview(NamedTuple):
    """What an undo means, as one viewer may know it. `mark` changes when any of it does."""

    plan: Plan
    lines: tuple[str, ...]
    mark: int


class TableSteps:
    """What people and bot players do, in all games. What a step returns is durable."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store

    # ---------------------------------------------------------------- any step

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
        await self.tables.people.load(member.user_id for member in members)
        try:
            change: Change = standing.end(live, await self.recalling(live, do))
        except Broken as broken:
            await self._apologise(live, broken, before)
            raise
        await self.commit(live, change, interaction_id, before, awaited, members, answered)
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

    async def commit(
        self,
        live: Live,
        change: Change,
        interaction_id: int | None,
        expected: int,
        awaited: dict[int, int] | None = None,
        members: Sequence[db.Member] = (),
        answered: Collection[int] = (),
    ) -> None:
        """Make a change durable together with all that follows from it; if that fails, it has not happened. `interaction_id`:
        of the press behind it, None when it came by itself. How it was before: `expected` records, the question numbers
        of the `awaited` seats, and who had `answered` in secret. `members`: those who take their seats over with it."""
        tables, table, was_turn, before = self.tables, live.table, live.turn, awaited or {}
        by_person, now = interaction_id is not None, tables.clock.now_ms()
        live.note(change)
        left = [live.members[member.seat] for member in members]
        live.reseat(members)
        lapsed = live.wish if change.checkpoints or any(e.audience is None for e in change.events) else None
        try:
            here = {seat: number for seat, number in before.items() if all(seat != m.seat for m in members)}
            if by_person:  # who has answered in secret, nobody shall see by who is pinged
                acted = [r.seat for r in change.records if r.seat is not None and not self._by_others(live, r.what)]
                live.pressed |= {seat: now for seat in acted if seat not in table.sealed}
            fresh, served = tables.deadlines.follow(live, change, by_person=by_person, before=here, answered=answered)
            rows = [*left_rows(live, left), *served, *self._rows(live, change, fresh)]
            if lapsed is not None:
                rows.append(delete_row(live.channel_id, undo_slot(lapsed)))
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
                    looked=self._person(live, change) if by_person else None,
                    now_ms=now,
                )
            )
        except Exception:
            await tables.reload(live)
            raise
        if members:
            tables.votes.wake()
        self._settle(live, change, was_turn, lapsed)
        tables.followers.happened(live, change)

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
            self.tables.finish(live)
        else:
            self.tables.pace.schedule(live)
        self.tables.deadlines.wake()
        self.tables.sender.wake()

    def _rows(self, live: Live, change: Change, fresh: Sequence[int]) -> list[db.NewOutbox]:
        """What the change makes necessary to send, and the turn message that follows. `fresh`: who is awaited now."""
        rows: list[db.NewOutbox] = []
        pings, asked, turned = self.tables.pings, live.asked_humans(), False
        if live.table.over:
            rows += end_rows(live)
        elif change.checkpoints and any(isinstance(record.what, Answered | Acted) for record in change.records):
            turned = bool(asked) or not live.turn.bots_only or len(live.lines()) >= SHARED_LINES
        elif asked and live.turn.bots_only:
            live.turn = msgspec.structs.replace(live.turn, bots_only=False)
        if turned:
            last = change.records[-1].seq
            rows += finished_rows(live, last)
            live.turn = Turn(live.turn.number + 1, last + 1, bots_only=not asked)
            rows += pings.next_rows(live)
        rows += turn_rows(live, self.tables.pressure.not_before(live))
        rows += ask_rows(live, [] if turned else pings.absent(live, fresh))
        rows += hand_rows(live, live.changed_hands())
        return rows

    async def _apologise(self, live: Live, broken: Broken, expected: int) -> None:
        """A rule failed: keep what reproduces it, and say its number where it can be reported."""
        fault: Change = broken.change
        report = broken.args_["report"] = secrets.token_hex(4)
        log.error("a rule failed: %s", broken.args_["fault"], extra={"game": live.id, "report": report})
        await self.commit(live, fault, None, expected, {s: live.table.number(s) for s in live.table.asked})
        bundle = write_report(live.table, fault.records[0])
        await self.store.add_report(report, live.id, bundle, self.tables.clock.now_ms())
        seat = fault.records[0].seat
        if seat is not None and seat in live.table.asked:
            live.stuck.add((seat, live.table.number(seat)))

    # ---------------------------------------------------------------- people's answers

    async def answer(self, live: Live, seat: int, token: int, answer: Answer, interaction_id: int) -> Change | None:
        """A person's answer to the question that `token` stands for. None: it is held until the window closes."""
        async with live.lock:
            self.check_live(live, seat, token)
            canonical = live.table.asked[seat].check(answer)
            if self.tables.pace.holds(live, seat):
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
