"""The sender: takes what must be sent from the outbox, and makes Discord agree with the tables."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
import random
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import msgspec

import db
from db.crash import crash_point
from render import Picture
from rules.engine import encode

from . import logs, refusals
from .breaker import State
from .compose import (
    Again,
    AnyPayload,
    Asking,
    Composer,
    Consenting,
    Ending,
    Finished,
    Holding,
    Joining,
    Kept,
    Left,
    Message,
    Saying,
    Turning,
    files_of,
    picture_key,
    plain_message,
)
from .live import Live
from .texts import say
from .throttle import Throttle

if TYPE_CHECKING:
    from .tables import Tables

__all__ = ("Consenting", "Joining", "Message", "Saying", "Sender", "files_of")

log = logging.getLogger(__name__)

Place = tuple[int, int]
"""A channel, or (0 and) a user's direct messages: what is sent there is sent in order."""
LOOK_BACK: Final = 1000
CLOCK_SECONDS: Final = 120
"""How far our clock and Discord's may differ."""
AT_ONCE: Final = 32
EDITS_AT_ONCE: Final = 3
MOST_PRESSURE: Final = 4.0
PICTURES_A_SECOND: Final = 10
"""What one thread draws on a slow machine."""
LONGEST_RETRY: Final = 60.0
TRY_SECONDS: Final = 100.0
FLUSH_SECONDS: Final = 3.0
"""How long the outbox may take at the stop, and after that the messages under way."""
DRAIN_SECONDS: Final = 3.0
FALL_BACK_TRIES: Final = 3
OPEN: Final = ("lobby", "ask", "undo", "vote", "invite", "gone")
"""What slots of messages that are about the present begin with, besides the turn's."""
HEAL_SECONDS: Final = (5.0, 30.0, 120.0)
"""After how long a picture that could not be drawn is tried again."""


class Sender:
    """Sends the outbox: in order in each channel, several channels at once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.composer = Composer(tables)
        self.refusals = refusals.Refusals(self)
        self._wake = asyncio.Event()
        self._busy: set[Place] = set()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        self._closing = False
        self.breaker = tables.bot.breaker
        self._throttle = Throttle()
        self._edited: dict[int, tuple[int, ...]] = {}
        self._kept: dict[int, tuple[str, Kept]] = {}
        # rows of which no try may have left a message behind; of any other row with tries it is not known
        self._clean: set[int] = set()
        self._healing: dict[tuple[int, str], int] = {}

    def now(self) -> int:
        """The present in milliseconds since 1970."""
        return self.tables.clock.now_ms()

    def start(self) -> None:
        """Begin sending."""
        self._loop = asyncio.create_task(self._run(), name="sender")

    def wake(self) -> None:
        """There is something new in the outbox."""
        self._wake.set()

    async def close(self) -> None:
        """Send what is due and can be sent soon, finish the messages under way; the rest stays in the outbox."""
        await self._flush()
        self._closing = True
        self.breaker.stop()
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _flush(self) -> None:
        """Give the outbox some time, as long as Discord works."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        until = self.now() + int(FLUSH_SECONDS * 1000)
        running = self._loop is not None and not self._loop.done()
        with contextlib.suppress(db.StoreError):
            while running and self.breaker.state is State.CLOSED and loop.time() < begun + FLUSH_SECONDS:
                due = await self.store.next_due()
                if due is None or due > until:
                    break
                await asyncio.sleep(0.02)
            left, _ = await self.store.outbox_size()
            seconds = round(loop.time() - begun, 1)
            log.info("outbox flushed, what is left is sent at the next start", extra={"left": left, "seconds": seconds})

    @property
    def load(self) -> int:
        """Messages on their way or waiting for their turn."""
        return len(self._busy)

    # ---------------------------------------------------------------- rows

    def turn_rows(self, live: Live, *, first: bool, created: bool, awaited: Sequence[int]) -> list[db.NewOutbox]:
        """The open turn message, and a short one to each seat that has become awaited inside the turn."""
        rows = [self._row(live, "lobby", Joining())] if first else []
        slot = f"turn{live.turn.number}"
        if created:
            rows += [self._unask(live, seat) for seat in list(live.asks)]
        if not live.table.over:
            rows.append(self._row(live, slot, Turning(), not_before=self._not_before(live)))
        for seat in awaited:
            again = seat in live.asks  # the same question, to somebody else
            rows += [self._unask(live, seat)] if again else []
            live.asks[seat] = -live.table.length if again else live.table.number(seat)
            rows.append(self._row(live, f"ask{seat}.{live.asks[seat]}", Asking(seat)))
        return rows

    def _not_before(self, live: Live) -> int:
        """When the turn message may be edited again: a few times at once, then at the pace that is set; half as often
        while nobody waits for it, and less the more there is to send.
        """
        edited = self._edited.get(live.id, ())
        pause = int(self.tables.config.play.edit_seconds * 1000)
        if edited and not self.waited_for(live):
            return edited[-1] + int(2 * pause * (1 + self.pressure))
        return edited[-EDITS_AT_ONCE] + EDITS_AT_ONCE * pause if len(edited) >= EDITS_AT_ONCE else 0

    def waited_for(self, live: Live) -> bool:
        """Whether a person is asked, or has done something since the turn was last shown."""
        shown = self._edited.get(live.id, (0,))[-1]
        return bool(live.asked_humans()) or max(live.pressed.values(), default=0) >= shown

    @property
    def pressure(self) -> float:
        """How far messages and pictures are behind, in seconds; bot players play and are shown the slower for it."""
        drawing = self.tables.painter.waiting / PICTURES_A_SECOND
        return min(MOST_PRESSURE, max(self._throttle.seconds, drawing))

    def answered_rows(self, live: Live) -> list[db.NewOutbox]:
        """The short messages that have served go."""
        return [self._unask(live, seat) for seat in list(live.asks) if seat not in live.asked_humans()]

    def _unask(self, live: Live, seat: int) -> db.NewOutbox:
        return self._row(live, f"ask{seat}.{live.asks.pop(seat)}", Asking(seat), delete=True)

    def finished_row(self, live: Live, last: int) -> list[db.NewOutbox]:
        """The present turn message becomes the story of the turn."""
        view = encode(live.table.view(None))
        told = Finished(live.turn.number, live.turn.first, last, view, live.changed_places())
        return [self._row(live, f"turn{live.turn.number}", told)]

    def hand_rows(self, live: Live, members: Iterable[db.Member]) -> list[db.NewOutbox]:
        """The hands of these people by DM, as far as these are open."""
        if not hasattr(live.table.view(None), "hand"):
            return []
        return [self._by_dm(member, Holding(member.seat)) for member in members if by_dm(member)]

    def left_rows(self, live: Live, members: Iterable[db.Member]) -> list[db.NewOutbox]:
        """Those who sat there are told so in place of their hands."""
        if not hasattr(live.table.view(None), "hand"):
            return []
        return [self._by_dm(member, Left(member.seat)) for member in members if by_dm(member)]

    def _by_dm(self, member: db.Member, payload: AnyPayload) -> db.NewOutbox:
        assert member.user_id is not None
        return db.NewOutbox(0, hand_slot(member), encode(payload), user_id=member.user_id)

    def end_rows(self, live: Live) -> list[db.NewOutbox]:
        """The last turn's story, and the result."""
        return [*self.finished_row(live, live.table.length - 1), self._row(live, "end", Ending())]

    def _row(
        self, live: Live, slot: str, payload: AnyPayload, *, delete: bool = False, not_before: int = 0
    ) -> db.NewOutbox:
        return db.NewOutbox(live.channel_id, slot, encode(payload), not_before_ms=not_before, delete=delete)

    async def post(
        self, game_id: int, channel_id: int, slot: str, payload: AnyPayload, *, user_id: int = 0, delete: bool = False
    ) -> None:
        """Queue a message that belongs to no step of the game."""
        row = db.NewOutbox(channel_id, slot, encode(payload), user_id=user_id, delete=delete)
        await self.store.queue(game_id, [row], self.now())
        self.wake()

    async def _put_anew(self, game_id: int, channel_id: int, slot: str, payload: AnyPayload, user_id: int = 0) -> None:
        """Queue what was sent before, unless there is something newer for its slot: a turn's story, say."""
        row = db.NewOutbox(channel_id, slot, encode(payload), user_id=user_id)
        await self.store.queue_anew(game_id, row, self.now())
        self.wake()

    async def withdraw(self, game_id: int, channel_id: int, slot: str) -> None:
        """Queue the deletion of a slot's message."""
        await self.post(game_id, channel_id, slot, Saying(""), delete=True)

    async def trouble(self, live: Live, text: str) -> None:
        """Tell the channel of something that needs a person."""
        await self.post(live.id, live.channel_id, "trouble", Saying(text))

    async def abandoned(self, game: db.Game, live: Live | None) -> None:
        """Tell the channel that the game is over without a result, and close its open questions."""
        if game.channel_id is None:
            return
        slots = [slot for slot in await self.store.slots(game.id) if slot.channel_id == game.channel_id]
        rows = [
            db.NewOutbox(game.channel_id, slot.slot, encode(Saying("")), delete=True)
            for slot in slots
            if slot.slot.startswith(("ask", "undo", "vote", "invite", "gone"))
        ]
        turns = [slot.slot for slot in slots if slot.slot.startswith("turn")]
        if turns:
            open_turn = max(turns, key=lambda name: int(name[4:]))
            story = "\n".join(live.lines()) if live is not None else say("turn.over")
            rows.append(db.NewOutbox(game.channel_id, open_turn, encode(Saying(story or say("turn.over")))))
        text = say("game.abandoned", game=game.id)
        rows.append(db.NewOutbox(game.channel_id, "end", encode(Saying(text))))
        await self.store.queue(game.id, rows, self.now())
        self.wake()

    async def refresh(self, live: Live) -> None:
        """Put the live question again, as a new message at the channel's end."""
        await self.post(live.id, live.channel_id, "again", Again())

    async def moved(self, live: Live, old_channel: int) -> None:
        """The game goes on in another channel: its open messages go there, and so does what was still to be sent."""
        for slot in await self.store.slots(live.id):
            present = slot.slot.startswith(OPEN) or slot.slot == f"turn{live.turn.number}"
            if slot.channel_id == old_channel and present:
                with contextlib.suppress(discord.HTTPException):
                    await self.replace(live.id, slot.slot)
                await self.forget(live.id, slot.slot)
        self._kept.pop(live.id, None)
        await self.store.redirect(live.id, old_channel, live.channel_id)
        await self.refusals.restore(live)

    # ---------------------------------------------------------------- what is shown privately

    async def hand_message(self, live: Live, seat: int, reader: int) -> Message | None:
        """A seat's hand for its private panel. Who looks at it may have opened his DMs again, so that is tried. None
        when the reader does not sit there (any more)."""
        await self.refusals.try_dm_again(live, seat)
        return await self.composer.hand(live, seat, reader)

    async def board(
        self, live: Live, view: Any, ringed: Sequence[str] = (), changed: Sequence[str] = ()
    ) -> tuple[Any, str]:
        """The board as a picture; where that fails, as text."""
        return await self.composer.board(live, view, ringed, changed)

    async def export(self, live: Live) -> bytes:
        """The ended game as a file."""
        return await self.composer.export(live)

    # ---------------------------------------------------------------- the loop

    async def _run(self) -> None:
        try:
            await self.refusals.repair()
        except Exception:
            log.exception("what stands in Discord could not be checked")
        while not self._closing:
            self._wake.clear()
            try:
                for row in await self.store.due(self.now()):
                    place = (row.channel_id, row.user_id)
                    if place not in self._busy:
                        self._busy.add(place)
                        task = asyncio.create_task(self._deliver(row, place))
                        self._tasks.add(task)
                        task.add_done_callback(self._tasks.discard)
                following = await self.store.next_due(self._busy)
            except Exception:  # nothing would ever be sent again
                log.exception("the outbox cannot be read")
                following = None
            await self.tables.clock.wait(self._wake, following)

    @contextlib.asynccontextmanager
    async def _turn(self, row: db.OutboxRow) -> AsyncIterator[None]:
        """Entered when Discord works, its limits allow it, and there is room."""
        async with self.breaker.turn():
            await self._throttle.turn(urgent=self._urgent(row))
            async with self._room:
                yield

    async def _deliver(self, row: db.OutboxRow, place: Place) -> None:
        logs.bind(game=row.game_id, slot=row.slot)
        rest = 0.0
        try:
            async with self._turn(row):  # what waits here is still replaced by what is newer
                attempted = None if self._closing else await self.store.attempt(row.id, self.now())
                if attempted is not None:
                    if attempted.tries == 1:
                        self._clean.add(row.id)
                    await self._send(attempted)
        except (db.StoreError, sqlite3.Error) as error:
            # A message that was sent but could not be noted is looked for in the channel at the next try.
            log.error("a message could not be noted: %s", error, extra={"game": row.game_id, "slot": row.slot})
            self._clean.discard(row.id)
            rest = random.uniform(1.0, 3.0)
        finally:
            if rest and not self._closing:
                asyncio.get_running_loop().call_later(rest, self._free, place)
            else:
                self._free(place)

    def _urgent(self, row: db.OutboxRow) -> bool:
        """Whether a person waits for it."""
        live = self.tables.live.get(row.game_id)
        return row.channel_id != 0 and (live is None or self.waited_for(live))

    def _free(self, place: Place) -> None:
        self._busy.discard(place)
        self.wake()

    async def later(self, row: db.OutboxRow, seconds: float | None = None) -> None:
        """Try the row again after some time: the longer, the more often it was tried."""
        if seconds is None:
            seconds = min(LONGEST_RETRY, 2.0 ** min(row.tries - 1, 6)) * random.uniform(0.5, 1.0)
        await self.store.later(row.id, self.now() + int(seconds * 1000))

    async def drop(self, row: db.OutboxRow) -> None:
        """Give the row up."""
        self._clean.discard(row.id)
        await self.store.drop(row.id)

    async def _send(self, row: db.OutboxRow) -> None:
        """One try to bring one row into Discord; every refusal has its outcome."""
        facts = {"game": row.game_id, "slot": row.slot}
        try:
            async with asyncio.timeout(TRY_SECONDS):
                await self._try(row)
        except discord.RateLimited as error:
            await self.later(row, error.retry_after)
        except discord.HTTPException as error:
            if error.status >= 500:
                self._clean.discard(row.id)
            await self.refusals.outcome(row, error)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            log.warning("Discord is not reached: %r", error, extra=facts)
            self._clean.discard(row.id)
            await self.later(row)
        except (db.StoreError, sqlite3.Error):
            raise
        except Exception:
            log.exception("a message could not be made", extra=facts)
            self._clean.discard(row.id)
            await self.later(row)
        else:
            await self.refusals.fine(row)

    async def _try(self, row: db.OutboxRow) -> None:
        slot = await self.store.slot(row.game_id, row.slot)
        payload = msgspec.msgpack.decode(row.payload, type=AnyPayload)
        if row.delete:
            await self._delete(row, slot)
            return
        if isinstance(payload, Again):
            await self._again(row)
            return
        kept = None if slot is None else self._kept_of(row)
        message = await self._message(row, payload, kept)
        doubtful = slot is None and row.id not in self._clean
        if message is None and not doubtful:
            await self.drop(row)
            return
        if slot is not None and message is not None and slot.digest == message.digest:
            await self._note(row, slot.message_id, slot.channel_id, message, payload, None)
            return
        channel = await self._channel(row, slot)
        crash_point("sender.before_send")
        standing = None if slot is None else slot.message_id
        if doubtful:
            standing = await self._find(row, channel)
        if message is None:
            # What stands already is noted all the same: the row that follows changes or deletes it.
            if standing is None:
                await self.drop(row)
            else:
                await self.store.sent(row.id, standing, "", self.now(), channel.id)
            return
        if standing is None:
            sent = await self._create(row, channel, message)
            crash_point("sender.after_send")
            if doubtful:  # the nonce may have brought back what an earlier try has posted
                sent = await self._edit(channel, sent.id, message, None)
        else:
            sent = await self._edit(channel, standing, message, kept)
            crash_point("sender.after_send")
        if slot is None:
            await self.tables.pings.sent(row, message, sent.id, sent.channel.id)
        await self._note(row, sent.id, sent.channel.id, message, payload, sent)
        crash_point("sender.after_mark")

    async def _message(self, row: db.OutboxRow, payload: AnyPayload, kept: Kept | None) -> Message | None:
        """What the row shows; when making it fails again and again, a line that says so."""
        marker = marker_of(row)
        try:
            return await self.composer.message(row, payload, marker, kept, plain=row.id in self.refusals.plain)
        except (db.StoreError, sqlite3.Error):
            raise
        except Exception:
            if row.tries < FALL_BACK_TRIES:
                raise
            log.exception("a message cannot be made", extra={"game": row.game_id, "slot": row.slot})
            return plain_message(marker)

    def _kept_of(self, row: db.OutboxRow) -> Kept | None:
        slot, kept = self._kept.get(row.game_id, ("", None))
        return kept if slot == row.slot else None

    async def _note(
        self,
        row: db.OutboxRow,
        message_id: int,
        channel_id: int,
        message: Message,
        payload: AnyPayload,
        sent: discord.Message | None,
    ) -> None:
        """Note that the message stands; when nothing was sent, that is noted already, or it is gone meanwhile."""
        if sent is None:
            await self.store.drop(row.id)
        else:
            await self.store.sent(row.id, message_id, message.digest, self.now(), channel_id)
        self._clean.discard(row.id)
        self.refusals.plain.discard(row.id)
        if isinstance(payload, Joining) and row.game_id in self.tables.live:
            await self._pin(channel_id, message_id)
        if isinstance(payload, Turning) and sent is not None:
            self._edited[row.game_id] = (*self._edited.get(row.game_id, ())[1 - EDITS_AT_ONCE :], self.now())
            if message.picture is None:
                self._kept.pop(row.game_id, None)
            elif not message.keeps:
                small = msgspec.structs.replace(message.picture, png=b"")
                self._kept[row.game_id] = (row.slot, Kept(picture_key(message.picture), small, sent.attachments))
        elif row.slot == "end":
            self._kept.pop(row.game_id, None)
            self._edited.pop(row.game_id, None)
        self._heal(row, payload, message)

    async def _pin(self, channel_id: int, message_id: int) -> None:
        """Keep a game's first message at hand, where the bot may."""
        channel = self.tables.bot.get_partial_messageable(channel_id)
        with contextlib.suppress(discord.HTTPException):
            await channel.get_partial_message(message_id).pin()

    def _heal(self, row: db.OutboxRow, payload: AnyPayload, message: Message) -> None:
        """See to it that a missing picture follows."""
        if message.late is not None:
            message.late.add_done_callback(lambda late: self._drawn(row, payload, late))
        elif message.lacking:
            self._draw_later(row, payload)
        else:
            self._healing.pop((row.game_id, row.slot), None)

    def _drawn(self, row: db.OutboxRow, payload: AnyPayload, late: asyncio.Task[Picture]) -> None:
        if late.cancelled() or late.exception() is not None:
            self._draw_later(row, payload)
        else:
            self._anew(row, payload)

    def _draw_later(self, row: db.OutboxRow, payload: AnyPayload) -> None:
        tried = self._healing.get((row.game_id, row.slot), 0)
        self._healing[row.game_id, row.slot] = tried + 1
        if tried < len(HEAL_SECONDS):
            asyncio.get_running_loop().call_later(HEAL_SECONDS[tried], self._anew, row, payload)

    def _anew(self, row: db.OutboxRow, payload: AnyPayload) -> None:
        async def work() -> None:
            with contextlib.suppress(db.StoreError, sqlite3.Error):
                await self._put_anew(row.game_id, row.channel_id, row.slot, payload, row.user_id)

        if not self._closing:
            task = asyncio.create_task(work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    # ---------------------------------------------------------------- requests

    async def _channel(self, row: db.OutboxRow, slot: db.Slot | None) -> Any:
        if slot is not None:
            return self.tables.bot.get_partial_messageable(slot.channel_id)
        if row.channel_id:
            return self.tables.bot.get_partial_messageable(row.channel_id)
        return await self.tables.bot.create_dm(discord.Object(row.user_id))

    async def _delete(self, row: db.OutboxRow, slot: db.Slot | None) -> None:
        if slot is None:
            await self.drop(row)
            return
        await self._gone(await self._channel(row, slot), slot.message_id)
        await self.store.sent(row.id, slot.message_id, "", self.now())
        self._clean.discard(row.id)

    async def _again(self, row: db.OutboxRow) -> None:
        live = self.tables.live.get(row.game_id)
        if live is not None and not live.table.over:
            name = f"turn{live.turn.number}"
            await self.replace(row.game_id, name)
            await self._put_anew(row.game_id, live.channel_id, name, Turning(quiet=True))
        await self.drop(row)

    async def replace(self, game_id: int, name: str) -> None:
        """Take the slot's message away, so that the next one is sent anew."""
        slot = await self.store.slot(game_id, name)
        if slot is not None:
            await self._gone(self.tables.bot.get_partial_messageable(slot.channel_id), slot.message_id)
            await self.forget(game_id, name)

    async def forget(self, game_id: int, name: str) -> None:
        """The slot's message is gone."""
        await self.store.forget_slot(game_id, name)
        if self._kept.get(game_id, ("",))[0] == name:
            del self._kept[game_id]

    async def _gone(self, channel: Any, message_id: int) -> None:
        try:
            await channel.get_partial_message(message_id).delete()
        except discord.NotFound as error:
            if error.code not in (refusals.UNKNOWN_MESSAGE, refusals.UNKNOWN_CHANNEL):
                raise

    async def _edit(self, channel: Any, message_id: int, message: Message, kept: Kept | None) -> discord.Message:
        stays = kept is not None and (message.keeps or kept.key == picture_key(message.picture))
        edited: discord.Message = await channel.get_partial_message(message_id).edit(
            view=message.view,
            attachments=kept.attachments if kept is not None and stays else files_of(message),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return edited

    async def _create(self, row: db.OutboxRow, channel: Any, message: Message) -> discord.Message:
        reply = message.reply_to
        pings = message.pings if row.user_id else self.tables.pings.mentioned(row.game_id, message.pings)
        sent: discord.Message = await channel.send(
            view=message.view,
            files=files_of(message),
            nonce=row.nonce,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(user) for user in pings], replied_user=False
            ),
            reference=discord.MessageReference(message_id=reply, channel_id=channel.id, fail_if_not_exists=False)
            if reply
            else None,
        )
        return sent

    async def _find(self, row: db.OutboxRow, channel: Any) -> int | None:
        """The message that an earlier try of this row has left, among all since that try.

        The nonce alone would not do: Discord forgets it after some minutes.
        """
        marker, me = marker_of(row), self.tables.bot.user
        since = (row.first_try_ms or self.now()) / 1000 - CLOCK_SECONDS
        after = datetime.datetime.fromtimestamp(since, datetime.UTC)
        async for message in channel.history(limit=LOOK_BACK, after=after, oldest_first=True):
            if me is not None and message.author.id == me.id and any(c.id == marker for c in message.components):
                return int(message.id)
        return None


def by_dm(member: db.Member) -> bool:
    """Whether it is a person who takes direct messages."""
    return member.kind == "human" and member.user_id is not None and not member.dm_closed


def hand_slot(member: db.Member) -> str:
    """The slot of a seat's hand: of this person, so that whoever sits there next gets a message of his own."""
    return f"hand{member.seat}.{member.user_id}"


def marker_of(row: db.OutboxRow) -> int:
    """A component id by which a message of this row is known in a channel's history."""
    return int.from_bytes(blake2b(row.nonce.encode(), digest_size=4).digest(), "big") >> 1 or 1
