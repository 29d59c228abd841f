"""The sender: takes what must be sent from the outbox, and makes Discord agree with the tables."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import aiohttp
import discord
import msgspec
from discord import ui

import db
from db.crash import crash_point
from render import Picture
from render.worker import PictureFailed
from rules.engine import Event, decode_record, encode
from rules.verify import export

from . import panels
from .live import Live
from .texts import cut, say

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

NONCE_SECONDS = 120
"""Discord forgets a nonce after some minutes; a try older than this is looked up in the channel instead."""
LOOK_BACK = 50
AT_ONCE = 8
LONGEST_WAIT = 60.0
DM_CLOSED = {50007, 50278}
GONE = {10003, 50001}
ARCHIVED = 50083
TOO_OLD_TO_EDIT = 30046


class Payload(msgspec.Struct, frozen=True, tag=str.lower):
    """What a row's message shows; most are drawn from the table as it stands when the row is sent."""


class Turning(Payload, frozen=True):
    """The turn under way."""


class Finished(Payload, frozen=True):
    """A turn that is over: the records it tells, and the public view at its end."""

    turn: int
    first: int
    last: int
    view: bytes
    changed: tuple[str, ...]


class Asking(Payload, frozen=True):
    """A short message to a seat that is asked inside a turn."""

    seat: int


class Holding(Payload, frozen=True):
    """The hand of a seat."""

    seat: int


class Ending(Payload, frozen=True):
    """The result, the seed, and the file of the game."""


class Joining(Payload, frozen=True):
    """The join panel."""


class Consenting(Payload, frozen=True):
    """A wish to undo that others must agree to."""


class Saying(Payload, frozen=True):
    """Any text."""

    text: str


AnyPayload = Turning | Finished | Asking | Holding | Ending | Joining | Consenting | Saying


class Message(NamedTuple):
    """A message ready to be sent."""

    view: ui.LayoutView
    picture: Picture | None = None
    file: tuple[str, bytes] | None = None
    reply_to: int | None = None
    pings: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """What tells it from another message; never leaves the process."""
        # the marker differs from row to row and shows nothing
        components: list[dict[str, Any]] = self.view.to_components()  # type: ignore[no-untyped-call]
        shown = [{key: value for key, value in part.items() if key != "id"} for part in components]
        parts = encode([shown, self.picture.png if self.picture else b""])
        return blake2b(parts, digest_size=16).hexdigest()


class Sender:
    """Sends the outbox: in order in each channel, several channels at once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self._wake = asyncio.Event()
        self._busy: set[tuple[int, int]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.Task[None] | None = None
        self._edited: dict[tuple[int, str], int] = {}
        self._kept: dict[tuple[int, str], tuple[str, list[discord.Attachment]]] = {}

    def start(self) -> None:
        """Begin sending."""
        self._loop = asyncio.create_task(self._run(), name="sender")

    def wake(self) -> None:
        """There is something new in the outbox."""
        self._wake.set()

    async def close(self) -> None:
        """Finish the messages under way; the rest stays in the outbox."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=8)

    # ---------------------------------------------------------------- rows

    def turn_rows(self, live: Live, *, first: bool, created: bool, awaited: Sequence[int]) -> list[db.NewOutbox]:
        """The open turn message, and a short one to each seat that has become awaited inside the turn."""
        rows = [self._row(live, "lobby", Joining())] if first else []
        slot = f"turn{live.turn.number}"
        wait = 0 if created else self._edited.get((live.id, slot), 0)
        if not live.table.over:
            rows.append(self._row(live, slot, Turning(), not_before=wait))
        for seat in awaited:
            live.asks[seat] = live.table.number(seat)
            rows.append(self._row(live, f"ask{seat}.{live.asks[seat]}", Asking(seat)))
        return rows

    def answered_rows(self, live: Live) -> list[db.NewOutbox]:
        """The short messages that have served go."""
        served = [seat for seat in live.asks if seat not in live.table.asked]
        return [self._row(live, f"ask{seat}.{live.asks.pop(seat)}", Asking(seat), delete=True) for seat in served]

    def finished_row(self, live: Live, last: int) -> list[db.NewOutbox]:
        """The present turn message becomes the story of the turn."""
        view = encode(live.table.view(None))
        told = Finished(live.turn.number, live.turn.first, last, view, live.changed_places())
        return [self._row(live, f"turn{live.turn.number}", told)]

    def hand_rows(self, live: Live, members: Iterable[db.Member]) -> list[db.NewOutbox]:
        """The hands of these people by DM, as far as these are open."""
        if not hasattr(live.table.view(None), "hand"):
            return []
        return [
            db.NewOutbox(0, f"hand{member.seat}", encode(Holding(member.seat)), user_id=member.user_id)
            for member in members
            if member.kind == "human" and member.user_id and not member.dm_closed
        ]

    def end_rows(self, live: Live) -> list[db.NewOutbox]:
        """The last turn's story, and the result."""
        return [*self.finished_row(live, live.table.length - 1), self._row(live, "end", Ending())]

    def _row(
        self, live: Live, slot: str, payload: AnyPayload, *, delete: bool = False, not_before: int = 0
    ) -> db.NewOutbox:
        return db.NewOutbox(live.channel_id, slot, encode(payload), not_before_ms=not_before, delete=delete)

    async def post(self, game_id: int, channel_id: int, slot: str, payload: AnyPayload) -> None:
        """Queue a message that belongs to no step of the game."""
        await self.store.queue(game_id, [db.NewOutbox(channel_id, slot, encode(payload))], _now())
        self.wake()

    async def withdraw(self, game_id: int, channel_id: int, slot: str) -> None:
        """Queue the deletion of a slot's message."""
        row = db.NewOutbox(channel_id, slot, encode(Saying("")), delete=True)
        await self.store.queue(game_id, [row], _now())
        self.wake()

    async def trouble(self, live: Live, text: str) -> None:
        """Tell the channel of something that needs a person."""
        await self.post(live.id, live.channel_id, "trouble", Saying(text))

    async def abandoned(self, game: db.Game, live: Live | None) -> None:
        """Tell the channel that the game is over without a result, and close its open question."""
        if game.channel_id is not None:
            await self.post(game.id, game.channel_id, "end", Saying(say("game.abandoned", game=game.id)))

    async def refresh(self, live: Live) -> None:
        """Put the live question again, as a new message at the channel's end."""
        name = f"turn{live.turn.number}"
        slot = await self.store.slot(live.id, name)
        if slot is not None:
            message = self.tables.bot.get_partial_messageable(slot.channel_id).get_partial_message(slot.message_id)
            with contextlib.suppress(discord.HTTPException):
                await message.delete()
            await self.store.forget_slot(live.id, name)
        await self.post(live.id, live.channel_id, name, Turning())

    # ---------------------------------------------------------------- the loop

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                rows = await self.store.due(_now())
                for row in rows:
                    place = (row.channel_id, row.user_id)
                    if place not in self._busy:
                        self._busy.add(place)
                        task = asyncio.create_task(self._deliver(row, place))
                        self._tasks.add(task)
                        task.add_done_callback(self._tasks.discard)
                following = await self.store.next_due()
            except db.StoreError:
                log.exception("the outbox cannot be read")
                following = None
            wait = LONGEST_WAIT if following is None else max(0.01, (following - _now()) / 1000)
            if self._busy and following is not None and following <= _now():
                wait = LONGEST_WAIT  # somebody is on it, and wakes us when done
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    async def _deliver(self, row: db.OutboxRow, place: tuple[int, int]) -> None:
        try:
            async with self._room:
                attempted = await self.store.attempt(row.id, _now())
                if attempted is not None:
                    await self._send(attempted)
        except db.StoreError:
            log.exception("a message could not be noted", extra={"game": row.game_id, "slot": row.slot})
        except Exception:
            log.exception("a message could not be made", extra={"game": row.game_id, "slot": row.slot})
            await self._later(row)
        finally:
            self._busy.discard(place)
            self.wake()

    async def _later(self, row: db.OutboxRow, seconds: float | None = None) -> None:
        wait = min(LONGEST_WAIT, 2.0 ** min(row.tries, 6)) if seconds is None else seconds
        await self.store.later(row.id, _now() + int(wait * 1000))

    async def _send(self, row: db.OutboxRow) -> None:
        """One try to bring one row into Discord; every refusal has its outcome."""
        try:
            await self._try(row)
        except discord.RateLimited as error:
            await self._later(row, error.retry_after)
        except discord.HTTPException as error:
            await self._refused(row, error)
        except (aiohttp.ClientError, TimeoutError, OSError):
            await self._later(row)

    async def _refused(self, row: db.OutboxRow, error: discord.HTTPException) -> None:
        facts = {"game": row.game_id, "slot": row.slot, "status": error.status, "code": error.code}
        if error.code in DM_CLOSED and row.user_id:
            await self._dm_closed(row)
        elif error.code in GONE:
            log.warning("the channel is gone or hidden: the message is dropped", extra=facts)
            await self.store.drop(row.id)
        elif error.code == ARCHIVED:
            await self._unarchive(row)
        elif error.code == TOO_OLD_TO_EDIT:
            await self.store.forget_slot(row.game_id, row.slot)
            await self._later(row, 0)
        elif error.status == 403:
            log.warning("a permission is missing", extra=facts)
            await self._later(row, LONGEST_WAIT)
        elif error.status >= 500 or error.status == 429:
            await self._later(row)
        else:
            log.error("Discord refuses a message: %s", error.text, extra=facts)
            await self.store.drop(row.id)

    async def _dm_closed(self, row: db.OutboxRow) -> None:
        """No DMs to this person: remember it, and say once in the channel where the hand is."""
        await self.store.drop(row.id)
        live = self.tables.live.get(row.game_id)
        for seat, member in (live.members if live else {}).items():
            if live is not None and member.user_id == row.user_id and not member.dm_closed:
                await self.store.update_member(row.game_id, seat, dm_closed=True)
                live.members[seat] = msgspec.structs.replace(member, dm_closed=True)
                text = say("hand.closed", user=f"<@{row.user_id}>")
                await self.post(row.game_id, live.channel_id, f"closed{seat}", Saying(text))

    async def _unarchive(self, row: db.OutboxRow) -> None:
        channel = await self.tables.bot.fetch_channel(row.channel_id)
        if isinstance(channel, discord.Thread):
            await channel.edit(archived=False)
        await self._later(row, 0)

    async def _try(self, row: db.OutboxRow) -> None:
        slot = await self.store.slot(row.game_id, row.slot)
        if row.delete:
            await self._delete(row, slot)
            return
        message = await self._compose(row)
        if message is None:
            await self.store.drop(row.id)
            return
        digest = message.digest
        if slot is not None and slot.digest == digest:
            await self.store.sent(row.id, slot.message_id, digest, _now(), slot.channel_id)
            return
        channel = await self._channel(row, slot)
        crash_point("sender.before_send")
        sent = None
        if slot is not None:
            sent = await self._edit(row, channel, slot.message_id, message)
        elif row.first_try_ms is not None and _now() - row.first_try_ms > NONCE_SECONDS * 1000:
            sent = await self._find(channel, _marker(row))
        if sent is None:
            sent = await self._create(row, channel, message)
        crash_point("sender.after_send")
        self._edited[row.game_id, row.slot] = _now() + int(self.tables.config.play.edit_seconds * 1000)
        picture = message.picture.filename if message.picture else ""
        self._kept[row.game_id, row.slot] = (_picture_key(message.picture) if picture else "", sent.attachments)
        await self.store.sent(row.id, sent.id, digest, _now(), sent.channel.id)
        crash_point("sender.after_mark")

    async def _delete(self, row: db.OutboxRow, slot: db.Slot | None) -> None:
        if slot is None:
            await self.store.drop(row.id)
            return
        channel = await self._channel(row, slot)
        with contextlib.suppress(discord.NotFound):
            await channel.get_partial_message(slot.message_id).delete()
        self._kept.pop((row.game_id, row.slot), None)
        await self.store.sent(row.id, slot.message_id, "", _now())

    async def _channel(self, row: db.OutboxRow, slot: db.Slot | None) -> Any:
        if row.channel_id:
            return self.tables.bot.get_partial_messageable(row.channel_id)
        if slot is not None:
            return self.tables.bot.get_partial_messageable(slot.channel_id)
        return await self.tables.bot.create_dm(discord.Object(row.user_id))

    async def _edit(self, row: db.OutboxRow, channel: Any, message_id: int, message: Message) -> discord.Message | None:
        key, attachments = self._kept.get((row.game_id, row.slot), ("", []))
        same = message.picture is not None and key == _picture_key(message.picture) and attachments
        files = attachments if same else files_of(message)
        try:
            edited: discord.Message = await channel.get_partial_message(message_id).edit(
                view=message.view, attachments=files, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.NotFound as error:
            if error.code != 10008:
                raise
            await self.store.forget_slot(row.game_id, row.slot)
            return None
        return edited

    async def _create(self, row: db.OutboxRow, channel: Any, message: Message) -> discord.Message:
        reply = message.reply_to
        sent: discord.Message = await channel.send(
            view=message.view,
            files=files_of(message),
            nonce=row.nonce,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(user) for user in message.pings], replied_user=False
            ),
            reference=discord.MessageReference(message_id=reply, channel_id=channel.id, fail_if_not_exists=False)
            if reply
            else None,
        )
        return sent

    async def _find(self, channel: Any, marker: int) -> discord.Message | None:
        """Our message with this marker among the channel's last ones."""
        async for message in channel.history(limit=LOOK_BACK):
            if message.author.id == self.tables.bot.user.id and any(c.id == marker for c in message.components):  # type: ignore[union-attr]
                found: discord.Message = message
                return found
        return None

    # ---------------------------------------------------------------- what a message shows

    async def _compose(self, row: db.OutboxRow) -> Message | None:
        payload = msgspec.msgpack.decode(row.payload, type=AnyPayload)
        marker = _marker(row)
        if isinstance(payload, Saying):
            return Message(panels.text_panel(payload.text, marker))
        if isinstance(payload, Joining):
            return Message(await self.tables.lobby_panel(row.game_id, marker))
        live = self.tables.live.get(row.game_id)
        if live is None:
            return None
        match payload:
            case Turning():
                return await self._turning(row, live, marker)
            case Finished():
                return await self._finished(live, payload, marker)
            case Asking():
                return await self._asking(live, payload.seat, marker)
            case Holding():
                return await self.hand_message(live, payload.seat, marker)
            case Ending():
                return await self._ending(live, marker)
            case Consenting():
                return await self._consenting(live, marker)
        return None

    async def _turning(self, row: db.OutboxRow, live: Live, marker: int) -> Message | None:
        if row.slot != f"turn{live.turn.number}" or live.table.over:
            return None
        view = live.table.view(None)
        rings = [
            option.place
            for question in live.table.asked.values()
            if not question.private
            for option in question.options
            if option.place
        ]
        picture, board = await self.board(live, view, rings, live.changed_places())
        pings = tuple(user for seat in live.asked_humans() if (user := live.members[seat].user_id))
        return Message(panels.turn_panel(live, picture, board, marker), picture, pings=pings)

    async def _finished(self, live: Live, payload: Finished, marker: int) -> Message:
        view = msgspec.msgpack.decode(payload.view, type=type(live.table.view(None)))
        picture, board = await self.board(live, view, (), payload.changed)
        events = [
            msgspec.msgpack.decode(data, type=Event)
            for _, _, data in await self.store.events(live.id, payload.first, payload.last)
        ]
        header = say("turn.header", title=live.rules.title, game=live.id, turn=payload.turn)
        lines = [header, *(line for event in events if (line := live.tell(0, event, None)))]
        return Message(panels.finished_panel(live, lines, picture, board, marker), picture)

    async def _asking(self, live: Live, seat: int, marker: int) -> Message | None:
        question = live.table.asked.get(seat)
        user = live.members[seat].user_id
        if question is None or user is None:
            return None
        ask = panels.public_ask(live, question) if question.private else live.words.question(question)
        text = say("turn.ping", seat=live.mention(seat), ask=ask)
        turn = await self.store.slot(live.id, f"turn{live.turn.number}")
        press = panels.open_button(live, seat)
        view = panels.text_panel(text, marker, [ui.ActionRow(press)])
        return Message(view, reply_to=turn.message_id if turn else None, pings=(user,))

    async def hand_message(self, live: Live, seat: int, marker: int | None = None) -> Message:
        """A seat's hand, for that seat's person only."""
        view = live.table.view(seat)
        text = say("hand.title", title=live.rules.title, game=live.id, channel=f"<#{live.channel_id}>")
        try:
            picture = await self.tables.painter.hand(live.game.key, view, names=live.names)
        except PictureFailed:
            text += "\n" + "```\n" + live.rules.hand(view, live.words) + "\n```"
            return Message(panels.text_panel(text, marker))
        items = [ui.TextDisplay(text), *panels.board_items(picture, "")]
        return Message(panels.layout(items, live.colour(seat), marker), picture)

    async def board(
        self, live: Live, view: Any, ringed: Sequence[str] = (), changed: Sequence[str] = ()
    ) -> tuple[Picture | None, str]:
        """The board as a picture; where that fails, as text."""
        try:
            picture = await self.tables.painter.board(
                live.game.key, view, names=live.names, ringed=ringed, changed=changed
            )
        except PictureFailed:
            return None, cut(live.rules.board(view, live.words), 1900)
        return picture, ""

    async def _ending(self, live: Live, marker: int) -> Message:
        lines = [say("end.title", title=live.rules.title, game=live.id)]
        for standing in live.table.standings():
            key = "end.winner" if standing.winner else "end.other"
            parts = ", ".join(live.words.say(f"part.{name}", {"n": number}) for name, number in standing.parts.items())
            lines.append(
                say(key, rank=standing.rank, seat=live.mention(standing.seat), score=standing.score, parts=parts)
            )
        lines.append(say("end.seed", secret=live.game.secret.hex(), commitment=live.table.header.commitment))
        data = await self.export(live)
        name = f"game-{live.id}.json"
        items: list[ui.Item[Any]] = [ui.TextDisplay(cut("\n".join(lines))), ui.File(f"attachment://{name}")]
        return Message(panels.layout(items, discord.Colour.gold(), marker), file=(name, data))

    async def export(self, live: Live) -> bytes:
        """The ended game as a file."""
        records = [decode_record(data) for _, data in await self.store.records(live.id)]
        table = live.table.copy()
        table.log = records
        return export(table)

    async def _consenting(self, live: Live, marker: int) -> Message | None:
        request = await self.store.undo_request(live.id)
        if request is None:
            return None
        missing = [seat for seat in request.needed if seat not in request.consents]
        users = tuple(user for seat in missing if (user := live.members[seat].user_id))
        text = say(
            "undo.asks",
            seat=live.names[request.seat],
            to=request.to_seq,
            seats=", ".join(live.mention(seat) for seat in missing),
        )
        view = panels.text_panel(text, marker, [panels.consent_row(live.id, request.head_seq)])
        return Message(view, pings=users)


def _now() -> int:
    from .tables import now_ms

    return now_ms()


def _marker(row: db.OutboxRow) -> int:
    """A component id by which a message of this row is known in a channel's history."""
    return int.from_bytes(blake2b(row.nonce.encode(), digest_size=4).digest(), "big") >> 1 or 1


def _picture_key(picture: Picture | None) -> str:
    return "" if picture is None else blake2b(picture.png, digest_size=16).hexdigest()


def files_of(message: Message) -> list[discord.File]:
    """What goes up with the message."""
    files = []
    if message.picture is not None:
        files.append(discord.File(io.BytesIO(message.picture.png), message.picture.filename))
    if message.file is not None:
        files.append(discord.File(io.BytesIO(message.file[1]), message.file[0]))
    return files
