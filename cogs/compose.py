"""What a message of a table shows: drawn from the table as it stands when the message is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import discord
import msgspec
from discord import ui

import db
from render import Picture
from render.worker import PictureFailed
from rules.engine import Event, Standing, Words, decode_record, encode
from rules.verify import export

from . import metrics, panels
from .ballot import vote_panel
from .items import Press, button
from .live import Live
from .lobby_panels import hands_text, lobby_panel
from .messages import Kept, Message
from .payloads import (
    AnyPayload,
    Asking,
    Consenting,
    Ending,
    Finished,
    Holding,
    Inviting,
    Joining,
    Left,
    Saying,
    Turning,
    Voting,
)
from .rows import ask_slot, turn_slot
from .texts import cut, say
from .waits import pace_text

if TYPE_CHECKING:
    from .tables import Tables

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""How long a question waits for its picture; the picture then follows by itself."""
STORY_PATIENCE = 3.0
BUSY_SECONDS = 1.0
"""When pictures are so far behind, those of bot players' steps are left out."""


class Drawn(NamedTuple):
    """A board: the picture, or what stands for it."""

    picture: Picture | None
    text: str = ""
    late: asyncio.Task[Picture] | None = None
    keeps: bool = False

    @property
    def lacking(self) -> bool:
        return self.late is None and (self.picture is None or self.keeps)


def ringed_places(live: Live) -> list[str]:
    """The board places that the open questions are about, as everybody may know."""
    questions = [question for question in live.table.asked.values() if not question.private]
    return [option.place for question in questions for option in question.options if option.place]


def plain_message(marker: int) -> Message:
    """What stands where a message cannot be made."""
    return Message(panels.text_panel(say("trouble.show"), marker))


def score_parts(words: Words, standing: Standing) -> str:
    """What a score is made of, in brackets, without what brought nothing; empty when nothing did."""
    parts = ", ".join(words.say(f"part.{name}", {"n": n}) for name, n in standing.parts.items() if n)
    return say("end.parts", parts=parts) if parts else ""


class Composer:
    """Makes the messages of all tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store

    async def message(
        self, row: db.OutboxRow, payload: AnyPayload, marker: int, kept: Kept | None = None, *, plain: bool = False
    ) -> Message | None:
        """What the row's message shows now; None: nothing, any more. `plain`: without a picture."""
        if isinstance(payload, Saying):
            buttons: list[ui.Item[Any]] = [
                button(Press(row.game_id, payload.seat, 0, verb), say(f"button.{verb}")) for verb in payload.verbs
            ]
            panel = panels.text_panel(payload.text, marker, [ui.ActionRow(*buttons)] if buttons else ())
            return Message(panel, pings=payload.pings)
        if isinstance(payload, Joining):
            return Message(await self.lobby_panel(row.game_id, marker))
        live = await self.tables.find(row.game_id)
        if live is None:
            return None
        match payload:
            case Turning():
                made = await self._turning(row, live, marker, kept, plain)
                return made._replace(pings=()) if made is not None and payload.quiet else made
            case Finished():
                return await self._finished(live, payload, marker, plain)
            case Asking():
                return await self._asking(row, live, payload.seat, marker)
            case Holding():
                return await self.hand(live, payload.seat, row.user_id, marker, plain=plain)
            case Left():
                return Message(panels.text_panel(self._hand_title(live, "hand.left"), marker))
            case Ending():
                return await self._ending(live, marker)
            case Inviting():
                return await self._inviting(live, payload.seat, marker)
            case Consenting():
                return await self._consenting(live, marker)
            case Voting():
                return await self._voting(live, payload.vote, marker)
        return None

    async def lobby_panel(self, game_id: int, marker: int | None = None) -> ui.LayoutView:
        """The join panel of a game, as it stands."""
        game, members = await self.store.game(game_id), await self.store.members(game_id)
        assert game is not None
        hands = hands_text(*await self.store.open_hands(game_id))
        timing = await self.tables.timing(game_id)
        return lobby_panel(game, members, marker, [pace_text(timing), *([hands] if hands else [])])

    async def _turning(
        self, row: db.OutboxRow, live: Live, marker: int, kept: Kept | None, plain: bool
    ) -> Message | None:
        async with live.lock:  # what is shown is durable: never a step that is still being stored
            if not self._current(row, live):
                return None
            view, rings, changed = live.table.view(None), ringed_places(live), live.changed_places()
            asked = {live.token(seat): question for seat, question in live.table.asked.items() if not question.private}
        drawing = self._draw(live, view, rings, changed, PATIENCE, kept, plain)
        drawn, _ = await asyncio.gather(drawing, live.work_out(view, asked))
        async with live.lock:
            if not self._current(row, live):
                return None
            awaited, pings = self._to_ping(live, live.asked_humans())
            panel = panels.turn_panel(live, drawn.picture, drawn.text, marker)
        made = Message(panel, drawn.picture, None, None, pings, drawn.late, drawn.lacking, drawn.keeps)
        return made._replace(awaited=awaited)

    def _to_ping(self, live: Live, seats: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Those of the seats that were not told yet that they are awaited, and the users to be pinged for that."""
        waits = live.timing.waits
        awaited = tuple(seat for seat in seats if seat in waits and not waits[seat].pinged)
        absent = [seat for seat in awaited if not self.tables.pings.active(live, seat)]
        return awaited, tuple(user for seat in absent if (user := live.members[seat].user_id))

    def _current(self, row: db.OutboxRow, live: Live) -> bool:
        return row.slot == turn_slot(live.turn.number) and not live.table.over

    async def _finished(self, live: Live, payload: Finished, marker: int, plain: bool) -> Message:
        view = msgspec.msgpack.decode(payload.view, type=type(live.table.view(None)))
        before = await self._events(live, payload.first - 1, payload.first - 1)
        events = await self._events(live, payload.first, payload.last)
        view = live.rules.retold(view, *([one for one in told if one.seen_by(None)] for told in (before, events)))
        drawn = await self._draw(live, view, (), payload.changed, STORY_PATIENCE, None, plain)
        header = say("turn.header", title=live.rules.title, game=live.id, turn=payload.turn)
        lines = [header, *live.told(events, None)]
        shown = panels.finished_panel(lines, drawn.picture, drawn.text, marker)
        return Message(shown, drawn.picture, late=drawn.late, lacking=drawn.lacking)

    async def story(self, live: Live, number: int) -> Finished | None:
        """What the message of that turn, which is over, shows; None when that is not noted any more."""
        firsts = {turn: first for first, turn in await self.store.turns(live.id)}
        first, following = firsts.get(number), firsts.get(number + 1, live.table.length)
        if first is None:
            return None
        last = following - 1
        stored = await self.store.checkpoint(live.id, last)
        if stored is None and not live.table.over:
            return None
        view = live.table.view(None) if stored is None else live.table.view_of(stored[1], None)
        places = [place for e in await self._events(live, first, last) if e.audience is None for place in e.places]
        return Finished(number, first, last, encode(view), tuple(dict.fromkeys(places)))

    async def _events(self, live: Live, first: int, last: int) -> list[Event]:
        """What these records told."""
        stored = await self.store.events(live.id, first, last)
        return [msgspec.msgpack.decode(data, type=Event) for _, _, data in stored]

    async def _asking(self, row: db.OutboxRow, live: Live, seat: int, marker: int) -> Message | None:
        turn = await self.store.slot(live.id, turn_slot(live.turn.number))
        async with live.lock:
            question = live.table.asked.get(seat)
            user = live.members[seat].user_id
            if question is None or user is None or row.slot != ask_slot(seat, live.asks.get(seat)):
                return None
            text = panels.ask_text(live, seat, turn.message_id if turn else None)
            view = panels.text_panel(text, marker, [ui.ActionRow(panels.open_button(live))])
            awaited, pings = self._to_ping(live, [seat])
        return Message(view, reply_to=turn.message_id if turn else None, pings=pings, awaited=awaited)

    async def hand(
        self, live: Live, seat: int, reader: int, marker: int | None = None, *, plain: bool = False
    ) -> Message | None:
        """A seat's hand, for that seat's person only; None when the reader is somebody else (by now)."""
        async with live.lock:
            if live.seat_of(reader) != seat:
                return None
            view = live.table.view(seat)
        text = self._hand_title(live, "hand.title")
        wait = None if marker is None else STORY_PATIENCE
        picture, late = await self._wait(self.tables.painter.hand(live.game.key, view, names=live.names), wait, plain)
        if picture is None:
            text += "\n" + "```\n" + cut(live.rules.hand(view, live.labels), 3000) + "\n```"
            return Message(panels.text_panel(text, marker), late=late, lacking=late is None)
        items = [ui.TextDisplay(text), *panels.board_items(picture, "")]
        return Message(panels.layout(items, live.colour(seat), marker), picture)

    def _hand_title(self, live: Live, key: str) -> str:
        return say(key, title=live.rules.title, game=live.id, channel=f"<#{live.channel_id}>")

    async def board(
        self, live: Live, view: Any, ringed: Sequence[str] = (), changed: Sequence[str] = ()
    ) -> tuple[Picture | None, str]:
        """The board as a picture; where that fails, as text."""
        drawn = await self._draw(live, view, ringed, changed, None, None, False)
        return drawn.picture, drawn.text

    async def _draw(
        self,
        live: Live,
        view: Any,
        ringed: Sequence[str],
        changed: Sequence[str],
        wait: float | None,
        kept: Kept | None,
        plain: bool,
    ) -> Drawn:
        """The board within that time; else the picture that stands there already, else the board as text."""
        pressure = self.tables.pressure
        patient = wait is not None and not pressure.waited_for(live)
        if patient and kept is not None and pressure.seconds >= BUSY_SECONDS:
            return Drawn(kept.picture, keeps=True)  # it is drawn when there is time
        drawing = self.tables.painter.board(
            live.game.key, view, names=live.names, ringed=ringed, changed=changed, patient=patient
        )
        picture, late = await self._wait(drawing, wait, plain)
        if picture is not None:
            return Drawn(picture)
        if late is not None and kept is not None:
            return Drawn(kept.picture, late=late, keeps=True)
        return Drawn(None, cut(live.rules.board(view, live.labels), 1900), late)

    async def _wait(
        self, drawing: Coroutine[Any, Any, Picture], wait: float | None, plain: bool
    ) -> tuple[Picture | None, asyncio.Task[Picture] | None]:
        """The picture, if it can be drawn in that time; and what goes on drawing it, if it cannot."""
        if plain:
            drawing.close()
            return None, None
        task = asyncio.create_task(metrics.timed(drawing))
        await asyncio.wait([task], timeout=wait)
        if not task.done():
            return None, task
        try:
            return task.result(), None
        except PictureFailed as failed:
            log.warning("no picture: %s", failed)
            return None, None

    async def _ending(self, live: Live, marker: int) -> Message:
        lines = [say("end.title", title=live.rules.title, game=live.id)]
        for standing in live.table.standings():
            key = "end.winner" if standing.winner else "end.other"
            parts = score_parts(live.words, standing)
            lines.append(
                say(key, rank=standing.rank, seat=live.mention(standing.seat), score=standing.score, parts=parts)
            )
        lines.append(say("end.seed", secret=live.game.secret.hex(), commitment=live.table.header.commitment))
        data = await self.export(live)
        name = f"game-{live.id}.json"
        back = [
            button(Press(live.id, 0, 0, verb), say(f"button.{verb}")) for verb in ("history", "reel", "luck", "verify")
        ]
        items: list[ui.Item[Any]] = [ui.TextDisplay(cut("\n".join(lines))), ui.File(f"attachment://{name}")]
        items.append(ui.ActionRow(*back))
        return Message(panels.layout(items, discord.Colour.gold(), marker), file=(name, data))

    async def export(self, live: Live) -> bytes:
        """The ended game as a file."""
        records = [decode_record(data) for _, data in await self.store.records(live.id)]
        table = live.table.copy()
        table.log = records
        return export(table)

    async def _inviting(self, live: Live, seat: int, marker: int) -> Message | None:
        offer = await self.store.invitation(live.id, seat)
        if offer is None:
            return None
        view = panels.offer_panel(live, offer, marker)
        return Message(view, pings=() if offer.user_id is None else (offer.user_id,))

    async def _consenting(self, live: Live, marker: int) -> Message | None:
        async with live.lock:
            request = await self.store.undo_request(live.id)
            if request is None:
                return None
            shown = await self.tables.steps.preview_undo(live, request.seat, None, request.to_seq)
        missing = [seat for seat in request.needed if seat not in request.consents and not live.is_bot(seat)]
        users = tuple(user for seat in missing if (user := live.members[seat].user_id))
        view = panels.wish_panel(live, request.seat, request.head_seq, shown.lines, missing, marker)
        return Message(view, pings=users)

    async def _voting(self, live: Live, vote_id: int, marker: int) -> Message | None:
        vote = await self.store.vote(vote_id)
        if vote is None or vote.state != "open":
            return None
        panel, missing = vote_panel(live, vote, marker)
        return Message(panel, pings=tuple(user for seat in missing if (user := live.members[seat].user_id)))
