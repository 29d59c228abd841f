"""Pings: who is told that he is awaited, reminded, or next; how, and whether it has reached him."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

import db
from rules.engine import encode

from .live import Live
from .panels import link_to, public_ask
from .payloads import Asking, Saying
from .people import Person
from .rows import ask_slot, delete_row, turn_slot
from .texts import say

if TYPE_CHECKING:
    from .messages import Message
    from .tables import Tables

log = logging.getLogger(__name__)

MINUTE_MS: Final = 60_000
DM: Final = "dm"
"""How the slots of direct messages begin."""


class Pings:
    """Tells people of what waits for them, each in the way he has chosen."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.resent = 0

    def person(self, live: Live, seat: int) -> Person:
        """The settings of the person in that seat."""
        return self.tables.people.known(live.members[seat].user_id)

    def mentioned(self, game_id: int, users: Iterable[int]) -> list[int]:
        """Those of these users whom a mention in the channel shall ping: also who wants direct messages but takes none."""
        live = self.tables.live.get(game_id)
        closed = {m.user_id for m in live.members.values() if m.dm_closed} if live else set()
        found = [(user, self.tables.people.known(user)) for user in users]
        return [user for user, person in found if person.mentioned or (person.messaged and user in closed)]

    def active(self, live: Live, seat: int) -> bool:
        """Whether the person was here a moment ago, and sees for himself what happens."""
        seconds = self.tables.config.time.recent_seconds
        return self.tables.clock.now_ms() - live.pressed.get(seat, 0) < seconds * 1000

    def absent(self, live: Live, seats: Sequence[int]) -> list[int]:
        """Those of the seats that must be told that they are awaited; the others see it, as long as they are here."""
        waits = dict(live.timing.waits)
        for seat in seats:
            if self.active(live, seat):
                waits[seat] = replace(waits[seat], pinged=True, here=True)
        live.timing = replace(live.timing, waits=waits)
        return [seat for seat in seats if not waits[seat].pinged]

    # ---------------------------------------------------------------- becoming awaited

    async def sent(self, row: db.OutboxRow, message: Message, message_id: int, channel_id: int) -> None:
        """A message has come into being: who is awaited by it is pinged now; who wants it so gets it by direct message."""
        live = self.tables.live.get(row.game_id)
        if live is None or row.user_id:
            return
        link = link_to(live.game, channel_id, message_id)
        async with live.lock:
            rows = self._led_there(live, row.slot, link)
            waits = dict(live.timing.waits)
            for seat in message.awaited:
                if seat not in waits or waits[seat].pinged or seat not in live.table.asked:
                    continue
                notes = waits[seat].notes
                if self._by_dm(live, seat) and live.members[seat].user_id in message.pings:
                    text = self._text(live, seat, "ping", link, self._ask(live, seat))
                    rows.append(self._dm_row(live, seat, "ping", text, waits[seat].since_ms))
                    notes = (*notes, rows[-1].slot)
                here = live.members[seat].user_id not in message.pings
                waits[seat] = replace(waits[seat], pinged=True, here=here, notes=notes)
            if not message.awaited:
                seats = {seat: m.user_id for seat, m in live.members.items() if m.user_id in message.pings}
                text = say("ping.other", link=link, **title_of(live))
                rows += [self._dm_row(live, seat, row.slot, text) for seat in seats if self._by_dm(live, seat)]
            if rows or waits != live.timing.waits:
                timing = replace(live.timing, waits=waits)
                now = self.tables.clock.now_ms()
                await self.tables.store.queue(live.id, rows, now, timing=timing.stored())
                live.timing = timing
                self.tables.sender.wake()

    def _led_there(self, live: Live, slot: str, link: str) -> list[db.NewOutbox]:
        """A question has been put anew: what was told of it by direct message leads there from now on."""
        rows = []
        for seat, wait in live.timing.waits.items():
            its_own = (f"turn{live.turn.number}", f"ask{seat}.{live.asks.get(seat)}")
            if slot not in its_own or seat not in live.table.asked:
                continue
            for note in wait.notes:
                name = note.removeprefix(DM).partition(".")[0]
                if note.startswith(DM) and (name == "ping" or live.timing.due_ms is not None):
                    text = self._text(live, seat, name, link, self._ask(live, seat))
                    rows.append(db.NewOutbox(0, note, encode(Saying(text)), user_id=live.members[seat].user_id or 0))
        return rows

    def _text(self, live: Live, seat: int, name: str, link: str, ask: str) -> str:
        """How somebody is told of his question (`ping`), or reminded of it."""
        key = "ping.awaited" if name == "ping" else f"remind.{name}"
        due = f"<t:{(live.timing.due_ms or 0) // 1000}:R>"
        return say(key, who=live.mention(seat), ask=ask, due=due, link=link, **title_of(live))

    def _ask(self, live: Live, seat: int) -> str:
        """What the seat itself may read of its question."""
        return live.words.question(live.table.asked[seat])

    def _by_dm(self, live: Live, seat: int) -> bool:
        return self.person(live, seat).messaged and not live.members[seat].dm_closed

    def _dm_row(self, live: Live, seat: int, name: str, text: str, mark: int = 0) -> db.NewOutbox:
        """A direct message to who sits there now. Its slot is that person's, and by the mark that occasion's: in place of
        one before it would ping nobody, or be shown to who sat there then."""
        user = live.members[seat].user_id or 0
        return db.NewOutbox(0, f"{DM}{name}.{user}.{mark}", encode(Saying(text)), user_id=user)

    def gone_row(self, live: Live, seat: int, note: str) -> db.NewOutbox:
        """The row that takes a note away, also from who sits there no more."""
        _, _, user = note.rpartition(".")[0].rpartition(".")
        if note.startswith(DM) and user:
            return delete_row(0, note, int(user))
        return delete_row(live.channel_id, f"{note}{seat}")

    # ---------------------------------------------------------------- reminders, and who is next

    async def remind(self, live: Live, seat: int, name: str) -> tuple[str, ...]:
        """Remind the seat in the words `remind.<name>`; under the game's lock. Returns the notes to take away later. Of
        several that are asked in secret, nobody is reminded in public: that would tell who has not answered."""
        person, asked = self.person(live, seat), live.table.asked
        if person.ping == "none" or live.timing.due_ms is None:
            return (name,)
        slot = await self.tables.store.slot(live.id, turn_slot(live.turn.number))
        link = link_to(live.game, live.channel_id, slot.message_id if slot else None)
        several = len(asked) > 1
        rows, notes = [], [name]
        if (several or person.messaged) and not live.members[seat].dm_closed:
            text = self._text(live, seat, name, link, self._ask(live, seat))
            rows.append(self._dm_row(live, seat, name, text, live.timing.waits[seat].since_ms))
            notes.append(rows[-1].slot)
        if not several and self.mentioned(live.id, self._users(live, seat)):
            ask = public_ask(live, asked[seat]) if asked[seat].private else self._ask(live, seat)
            said = Saying(self._text(live, seat, name, link, ask), pings=self._users(live, seat))
            rows.append(db.NewOutbox(live.channel_id, f"{name}{seat}", encode(said)))
        await self.tables.store.queue(live.id, rows, self.tables.clock.now_ms())
        self.tables.sender.wake()
        return tuple(notes)

    def _users(self, live: Live, seat: int) -> tuple[int, ...]:
        user = live.members[seat].user_id
        return () if user is None else (user,)

    def next_rows(self, live: Live) -> list[db.NewOutbox]:
        """A new turn has begun: who sits next around the table and wants to know it is told so."""
        rows = []
        told, asked = live.timing.told_next, list(live.table.asked)
        if told is not None:
            rows.append(self.gone_row(live, told, live.timing.next_note))
        live.timing = replace(live.timing, told_next=None, next_note="next")
        order = live.rules.playing(live.table.state)
        if len(asked) != 1 or asked[0] not in order or len(order) < 2:
            return rows
        seat = order[(order.index(asked[0]) + 1) % len(order)]
        person = self.person(live, seat)
        if live.is_bot(seat) or not person.next or person.ping == "none":
            return rows
        live.timing = replace(live.timing, told_next=seat)
        text = say("ping.next", who=live.mention(seat), before=live.name(asked[0]), **title_of(live))
        if self._by_dm(live, seat):
            row = self._dm_row(live, seat, "next", text, live.turn.number)
            live.timing = replace(live.timing, next_note=row.slot)
            return [*rows, row]
        said = Saying(text, pings=self._users(live, seat))
        return [*rows, db.NewOutbox(live.channel_id, f"next{seat}", encode(said))]

    # ---------------------------------------------------------------- the watchdog

    def unpinged(self) -> int:
        """How many people have been awaited long without having been told."""
        now = self.tables.clock.now_ms()
        return sum(len(self._missed(live, now)) for live in self.tables.live.values())

    def _missed(self, live: Live, now: int) -> list[int]:
        return [seat for seat in self._long(live, now) if not live.timing.waits[seat].pinged]

    def _left(self, live: Live, now: int) -> list[int]:
        """Who was here when he became awaited, and has left. Of several that are asked nobody is to be told who has not
        answered."""
        alone = self._long(live, now) if len(live.table.asked) == 1 else []
        return [seat for seat in alone if live.timing.waits[seat].here and not self.active(live, seat)]

    def _long(self, live: Live, now: int) -> list[int]:
        """Who has been awaited for long."""
        long_ago = now - int(self.tables.config.time.watch_minutes * MINUTE_MS)
        waits = live.timing.waits.items()
        return [seat for seat, wait in waits if wait.since_ms <= long_ago and seat in live.table.asked]

    async def watch(self, live: Live, now: int) -> None:
        """Tell those who should have been told long ago, unless that is still on its way, and who sees it no more."""
        if not (self._missed(live, now) or self._left(live, now)):
            return
        async with live.lock:
            waits = {seat: replace(live.timing.waits[seat], pinged=False, here=False) for seat in self._left(live, now)}
            waiting = {row.slot for row in await self.tables.store.queued(live.id)}
            for seat in self._missed(live, now):
                slot = ask_slot(seat, live.table.number(seat))
                facts = {"game": live.id, "seat": seat}
                if waiting & {slot, turn_slot(live.turn.number)}:
                    log.warning("somebody is awaited whose ping is not delivered yet", extra=facts)
                    continue
                log.warning("somebody is awaited who was not pinged; he is now", extra=facts)
                self.resent += 1
                waits[seat] = live.timing.waits[seat]
            if not waits:
                return
            live.timing = replace(live.timing, waits={**live.timing.waits, **waits})
            live.asks |= {seat: live.table.number(seat) for seat in waits}
            slots = {seat: ask_slot(seat, number) for seat, number in live.asks.items() if seat in waits}
            for slot in slots.values():
                await self.tables.store.forget_slot(live.id, slot)
            await self.tables.store.update_game(live.id, now_ms=now, position=live.stored())
            rows = [db.NewOutbox(live.channel_id, slot, encode(Asking(seat))) for seat, slot in slots.items()]
            await self.tables.store.queue(live.id, rows, now, timing=live.timing.stored())
            self.tables.sender.wake()


def title_of(live: Live) -> dict[str, object]:
    """The names by which people know the game."""
    return {"title": live.rules.title, "game": live.id}
