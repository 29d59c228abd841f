"""The sender: takes what must be sent from the outbox, and makes Discord agree with the tables."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import sqlite3
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import msgspec

import db
from db.crash import crash_point
from rules.engine import encode

from . import logs, messages, refusals
from .breaker import State
from .compose import plain_message
from .healing import Healing
from .live import Live
from .messages import Kept, Message, marker_of, picture_key
from .payloads import Again, AnyPayload, Joining, Saying, Turning
from .rows import PASSING, delete_row, turn_slot

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

Place = tuple[int, int]
"""A channel, or (0 and) a user's direct messages: what is sent there is sent in order."""
AT_ONCE: Final = 32
LONGEST_RETRY: Final = 60.0
TRY_SECONDS: Final = 100.0
FLUSH_SECONDS: Final = 3.0
"""How long the outbox may take at the stop, and after that the messages under way."""
DRAIN_SECONDS: Final = 3.0
FALL_BACK_TRIES: Final = 3


class Sender:
    """Sends the outbox: in order in each channel, several channels at once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.refusals = refusals.Refusals(self)
        self._wake = asyncio.Event()
        self._busy: set[Place] = set()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        self._closing = False
        self.breaker = tables.bot.breaker
        self._healing = Healing(self._put_anew_soon)
        self._kept: dict[int, tuple[str, Kept]] = {}
        # rows of which no try may have left a message behind; of any other row with tries it is not known
        self._clean: set[int] = set()

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
        if self._loop is None:
            return
        await self._flush(self._loop)
        self._closing = True
        self.breaker.stop()
        self._loop.cancel()
        await asyncio.gather(self._loop, return_exceptions=True)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _flush(self, sending: asyncio.Task[None]) -> None:
        """Give the outbox some time, as long as Discord works."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        until = self.now() + int(FLUSH_SECONDS * 1000)
        with contextlib.suppress(db.StoreError):
            while not sending.done() and self.breaker.state is State.CLOSED and loop.time() < begun + FLUSH_SECONDS:
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

    # ---------------------------------------------------------------- what is queued outside a step

    async def post(self, game_id: int, channel_id: int, slot: str, payload: AnyPayload, *, user_id: int = 0) -> None:
        """Queue a message that belongs to no step of the game."""
        await self._queue(game_id, db.NewOutbox(channel_id, slot, encode(payload), user_id=user_id))

    async def _queue(self, game_id: int, row: db.NewOutbox) -> None:
        await self.store.queue(game_id, [row], self.now())
        self.wake()

    async def _put_anew(self, game_id: int, channel_id: int, slot: str, payload: AnyPayload, user_id: int = 0) -> None:
        """Queue what was sent before, unless there is something newer for its slot: a turn's story, say."""
        row = db.NewOutbox(channel_id, slot, encode(payload), user_id=user_id)
        await self.store.queue_anew(game_id, row, self.now())
        self.wake()

    async def withdraw(self, game_id: int, channel_id: int, slot: str) -> None:
        """Queue the deletion of a slot's message."""
        await self._queue(game_id, delete_row(channel_id, slot))

    async def trouble(self, live: Live, text: str) -> None:
        """Tell the channel of something that needs a person."""
        await self.post(live.id, live.channel_id, "trouble", Saying(text))

    async def refresh(self, live: Live) -> None:
        """Put the live question again, as a new message at the channel's end."""
        await self.post(live.id, live.channel_id, "again", Again())

    async def moved(self, live: Live, old_channel: int) -> None:
        """The game goes on in another channel: its open messages go there, and so does what was still to be sent."""
        for slot in await self.store.slots(live.id):
            present = slot.slot.startswith(("lobby", *PASSING)) or slot.slot == turn_slot(live.turn.number)
            if slot.channel_id == old_channel and present:
                with contextlib.suppress(discord.HTTPException):
                    await self.replace(live.id, slot.slot)
                await self.forget(live.id, slot.slot)
        self._kept.pop(live.id, None)
        await self.store.redirect(live.id, old_channel, live.channel_id)
        await self.refusals.restore(live)

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
            await self.tables.pressure.throttle.turn(urgent=self._urgent(row))
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
        return row.channel_id != 0 and (live is None or self.tables.pressure.waited_for(live))

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
        elif isinstance(payload, Again):
            await self._again(row)
        else:
            await self._show(row, payload, slot)

    async def _show(self, row: db.OutboxRow, payload: AnyPayload, slot: db.Slot | None) -> None:
        """Post what the row is about, or put it in place of what its slot shows."""
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
            standing = await self._left_behind(row, channel)
        if message is None:
            # What stands already is noted all the same: the row that follows changes or deletes it.
            if standing is None:
                await self.drop(row)
            else:
                await self.store.sent(row.id, standing, "", self.now(), channel.id)
            return
        if standing is None:
            pings = message.pings if row.user_id else self.tables.pings.mentioned(row.game_id, message.pings)
            sent = await messages.create(channel, message, row.nonce, pings)
            crash_point("sender.after_send")
            if doubtful:  # the nonce may have brought back what an earlier try has posted
                sent = await messages.edit(channel, sent.id, message, None)
        else:
            sent = await messages.edit(channel, standing, message, kept)
            crash_point("sender.after_send")
        if slot is None:
            await self.tables.pings.sent(row, message, sent.id, sent.channel.id)
        await self._note(row, sent.id, sent.channel.id, message, payload, sent)
        crash_point("sender.after_mark")

    async def _message(self, row: db.OutboxRow, payload: AnyPayload, kept: Kept | None) -> Message | None:
        """What the row shows; when making it fails again and again, a line that says so."""
        marker = marker_of(row.nonce)
        try:
            return await self.tables.composer.message(row, payload, marker, kept, plain=row.id in self.refusals.plain)
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
            if isinstance(payload, Turning):
                self._turn_shown(row, message, sent.attachments)
            await self.store.sent(row.id, message_id, message.digest, self.now(), channel_id)
        self._clean.discard(row.id)
        self.refusals.plain.discard(row.id)
        if isinstance(payload, Joining) and row.game_id in self.tables.live:
            await messages.pin(self.tables.bot.get_partial_messageable(channel_id), message_id)
        if row.slot == "end":
            self._kept.pop(row.game_id, None)
            self.tables.pressure.forget(row.game_id)
        self._healing.sent(row, payload, message)

    def _turn_shown(self, row: db.OutboxRow, message: Message, attachments: list[discord.Attachment]) -> None:
        """Remember when the turn was shown, and with which picture."""
        self.tables.pressure.shown(row.game_id)
        if message.picture is None:
            self._kept.pop(row.game_id, None)
        elif not message.keeps:
            small = msgspec.structs.replace(message.picture, png=b"")
            self._kept[row.game_id] = (row.slot, Kept(picture_key(message.picture), small, attachments))

    def _put_anew_soon(self, row: db.OutboxRow, payload: AnyPayload) -> None:
        async def work() -> None:
            with contextlib.suppress(db.StoreError, sqlite3.Error):
                await self._put_anew(row.game_id, row.channel_id, row.slot, payload, row.user_id)

        if not self._closing:
            task = asyncio.create_task(work())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

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
        await messages.delete(await self._channel(row, slot), slot.message_id)
        await self.store.sent(row.id, slot.message_id, "", self.now())
        self._clean.discard(row.id)

    async def _again(self, row: db.OutboxRow) -> None:
        live = self.tables.live.get(row.game_id)
        if live is not None and not live.table.over:
            name = turn_slot(live.turn.number)
            await self.replace(row.game_id, name)
            await self._put_anew(row.game_id, live.channel_id, name, Turning(quiet=True))
        await self.drop(row)

    async def replace(self, game_id: int, name: str) -> None:
        """Take the slot's message away, so that the next one is sent anew."""
        slot = await self.store.slot(game_id, name)
        if slot is not None:
            await messages.delete(self.tables.bot.get_partial_messageable(slot.channel_id), slot.message_id)
            await self.forget(game_id, name, slot.message_id)

    async def forget(self, game_id: int, name: str, message_id: int | None = None) -> bool:
        """The slot's message is gone. False when another one than that stands there by now."""
        forgotten = await self.store.forget_slot(game_id, name, message_id)
        if forgotten and self._kept.get(game_id, ("",))[0] == name:
            del self._kept[game_id]
        return forgotten

    async def _left_behind(self, row: db.OutboxRow, channel: Any) -> int | None:
        """The message that an earlier try of this row has posted."""
        me = self.tables.bot.user
        assert me is not None
        return await messages.find(channel, me.id, marker_of(row.nonce), row.first_try_ms or self.now())
