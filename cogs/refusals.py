"""What Discord refuses: closed DMs, missing permissions, archived or deleted channels; and what is done about it."""

from __future__ import annotations

import contextlib
import logging
import random
import time
from typing import TYPE_CHECKING, Final

import discord
import msgspec

import db

from . import messages
from .live import Live
from .messages import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from .payloads import AnyPayload, Asking, Consenting, Ending, Holding, Inviting, Joining, Saying, Turning, Voting
from .rows import SERVING, ask_slot, hand_rows, hand_slot, turn_slot, undo_slot
from .texts import say
from .threads import unarchive

if TYPE_CHECKING:
    from .sender import Place, Sender

log = logging.getLogger(__name__)

TOO_OLD_TO_EDIT: Final = 30046
DMS_TOO_FAST: Final = 40003
DM_CLOSED: Final = (50007, 50278)
ARCHIVED: Final = 50083
LOCKED: Final = 160005
BARRED_SECONDS: Final = (10.0, 600.0)
"""The first and the longest pause before a channel that the bot may not write to is tried again."""
DM_SECONDS: Final = 600.0
DM_AGAIN_SECONDS: Final = 600.0
NOTICES: Final = ("notice", "notice_home")
STORIES: Final = 5
"""So many turns back, what is told of them is put anew."""


class Refusals:
    """The outcome of every refusal, and the repair of what went missing."""

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.store = sender.store
        self.barred: dict[Place, tuple[int, int]] = {}
        """Places where the bot may not write: the row that waits, and how often it was refused."""
        self.plain: set[int] = set()
        """Rows whose picture Discord did not take."""
        self.gone: set[int] = set()
        self._checked: set[int] = set()
        self._told: set[tuple[int, str]] = set()
        self._dm_tried: dict[int, float] = {}

    async def outcome(self, row: db.OutboxRow, error: discord.HTTPException) -> None:
        """What becomes of a row that Discord refused."""
        facts = {"game": row.game_id, "slot": row.slot, "status": error.status, "code": error.code}
        if error.status >= 500 or error.status in (401, 429):
            log.warning("Discord fails, the message is sent later", extra=facts)
            await self.sender.later(row)
        elif error.code in DM_CLOSED and not row.channel_id:
            await self._dm_closed(row)
        elif error.code == DMS_TOO_FAST:
            await self.sender.later(row, DM_SECONDS * random.uniform(1.0, 2.0))
        elif error.code == UNKNOWN_MESSAGE:
            await self.sender.forget(row.game_id, row.slot)
            await self.sender.later(row, self._soon(row))
        elif error.code == TOO_OLD_TO_EDIT:
            await self._too_old(row)
        elif error.code == UNKNOWN_CHANNEL:
            await self._channel_gone(row)
        elif error.code == ARCHIVED:
            await self._unarchive(row)
        elif error.status == 403:
            log.warning("a permission is missing", extra=facts)
            await self._bar(row, "trouble.locked" if error.code == LOCKED else "trouble.permission")
        elif row.id not in self.plain:
            log.error("Discord refuses a message, it is tried without its picture: %s", error.text, extra=facts)
            self.plain.add(row.id)
            await self.sender.later(row, 0)
        else:
            log.error("Discord refuses a message, it is dropped: %s", error.text, extra=facts)
            self.plain.discard(row.id)
            await self.sender.drop(row)

    def _soon(self, row: db.OutboxRow) -> float | None:
        """At once, unless that has been tried some times."""
        return 0.0 if row.tries < 4 else None

    async def fine(self, row: db.OutboxRow) -> None:
        """The row came through: what was said about its channel is withdrawn."""
        place = (row.channel_id, row.user_id)
        was_barred = self.barred.pop(place, None) is not None
        if not row.channel_id or row.slot in NOTICES or (row.game_id in self._checked and not was_barred):
            return
        self._checked.add(row.game_id)
        self._told = {told for told in self._told if told[0] != row.game_id}
        game = await self.store.game(row.game_id)
        if game is None or game.channel_id != row.channel_id:
            return
        await self.withdraw_notices(row.game_id)

    async def withdraw_notices(self, game_id: int) -> None:
        """What the host was told has been mended."""
        for name in NOTICES:
            slot = await self.store.slot(game_id, name)
            if slot is not None:
                await self.sender.withdraw(game_id, slot.channel_id, name)

    # ---------------------------------------------------------------- each refusal

    async def _dm_closed(self, row: db.OutboxRow) -> None:
        """No DMs to this person: remember it, and say once in the channel where the hand is."""
        await self.sender.drop(row)
        if row.slot in NOTICES:
            await self._tell_home(row)
            return
        if row.slot.startswith("follow"):
            await self.sender.tables.followers.unfollow(row.game_id, row.user_id)
            return
        live = self.sender.tables.live.get(row.game_id)
        for seat, member in (live.members if live else {}).items():
            if live is not None and member.user_id == row.user_id and not member.dm_closed:
                await self._set_dm_closed(live, member, closed=True)
                text = say("hand.closed", user=f"<@{row.user_id}>")
                said = Saying(text, pings=(row.user_id,))
                await self.sender.post(row.game_id, live.channel_id, f"closed{seat}", said)
                self.sender.tables.bot.dispatch("dm_refused", live, seat)

    async def _set_dm_closed(self, live: Live, member: db.Member, *, closed: bool) -> None:
        await self.store.update_member(live.id, member.seat, dm_closed=closed)
        live.members[member.seat] = msgspec.structs.replace(member, dm_closed=closed)

    async def try_dm_again(self, live: Live, seat: int) -> None:
        """Whether a person's DMs are open again; at most every ten minutes, since each refusal counts against us."""
        member = live.members[seat]
        if not member.dm_closed or member.user_id is None:
            return
        if time.monotonic() - self._dm_tried.get(member.user_id, -DM_AGAIN_SECONDS) < DM_AGAIN_SECONDS:
            return
        self._dm_tried[member.user_id] = time.monotonic()
        await self._set_dm_closed(live, member, closed=False)
        await self.sender.post(live.id, 0, hand_slot(member), Holding(seat), user_id=member.user_id)

    async def _too_old(self, row: db.OutboxRow) -> None:
        """Messages older than an hour may be edited rarely only: a new one takes its place."""
        try:
            await self.sender.replace(row.game_id, row.slot)
        except discord.HTTPException as error:
            log.warning("an old message cannot be replaced", extra={"game": row.game_id, "code": error.code})
            await self.sender.later(row)
        else:
            await self.sender.later(row, self._soon(row))

    async def _unarchive(self, row: db.OutboxRow) -> None:
        """Open the thread again; only a moderator can, if it is locked."""
        try:
            await unarchive(self.sender.tables.bot, row.channel_id)
        except discord.HTTPException as error:
            if error.status != 403 and error.code != ARCHIVED:
                await self.sender.later(row)
                return
            await self._bar(row, "trouble.locked")
            return
        await self.sender.later(row, self._soon(row))

    async def _bar(self, row: db.OutboxRow, why: str) -> None:
        """Keep the row until the permission comes back; tell the host once."""
        place = (row.channel_id, row.user_id)
        times = self.barred.get(place, (0, 0))[1]
        self.barred[place] = (row.id, times + 1)
        first, longest = BARRED_SECONDS
        await self.sender.later(row, min(longest, first * 2**times))
        if row.slot in NOTICES:
            await self.sender.drop(row)
            if row.slot == NOTICES[0]:
                await self._tell_home(row)
        elif row.channel_id:
            await self.tell_host(row.game_id, why, row.channel_id)

    async def permissions_changed(self) -> None:
        """Somebody changed what the bot may do, or opened a thread: what waited for it is tried now."""
        for row_id, _ in list(self.barred.values()):
            await self.store.later(row_id, 0)
        if self.barred:
            self.sender.wake()

    async def _channel_gone(self, row: db.OutboxRow) -> None:
        if not row.channel_id:
            await self.sender.forget(row.game_id, row.slot)
            await (self.sender.later(row, 0) if row.tries < 3 else self.sender.drop(row))
            return
        await self.sender.drop(row)
        await self.channel_gone(row.game_id, row.channel_id)

    async def channel_gone(self, game_id: int, channel_id: int) -> None:
        """A game's channel was deleted: the game stays, and its host can open another channel for it."""
        game = await self.store.game(game_id)
        if game is None or game.channel_id != channel_id:
            return
        log.warning("a game's channel is gone", extra={"game": game_id, "channel": channel_id})
        if game.status == "lobby":
            await self.store.update_game(game_id, now_ms=self.sender.now(), status="cancelled")
        elif game.status == "running":
            await self.tell_host(game_id, "trouble.gone", channel_id, ("reopen", "giveup"))

    async def tell_host(self, game_id: int, why: str, channel_id: int, verbs: tuple[str, ...] = ()) -> None:
        """Tell the host of what only people can mend: by DM, or in the channel where the game was created."""
        if (game_id, why) in self._told:
            return
        self._told.add((game_id, why))
        game = await self.store.game(game_id)
        if game is None:
            return
        text = say(why, game=game_id, channel=f"<#{channel_id}>", host=f"<@{game.host_id}>")
        said = Saying(text, verbs, pings=(game.host_id,))
        await self.sender.post(game_id, 0, NOTICES[0], said, user_id=game.host_id)

    async def _tell_home(self, row: db.OutboxRow) -> None:
        game = await self.store.game(row.game_id)
        if game is not None and game.home_channel_id != game.channel_id:
            said = msgspec.msgpack.decode(row.payload, type=AnyPayload)
            await self.sender.post(row.game_id, game.home_channel_id, NOTICES[1], said)

    # ---------------------------------------------------------------- at the start

    async def repair(self) -> None:
        """Queue what should stand in Discord and is neither there nor queued, and take away what has served."""
        began = self.sender.now()
        queued = {(row.game_id, row.slot) for row in await self.store.queued()}
        for game in await self.store.games("lobby"):
            if game.created_ms > began:
                continue
            if game.channel_id is None:  # nobody was told of it, and nobody can reach it
                with contextlib.suppress(db.Conflict):
                    await self.store.update_game(game.id, now_ms=began, if_status="lobby", status="cancelled")
            elif (game.id, "lobby") not in queued and await self.store.slot(game.id, "lobby") is None:
                await self.sender.post(game.id, game.channel_id, "lobby", Joining())
        for live in list(self.sender.tables.live.values()):
            if not live.table.over:
                await self._repair(live, {slot for game_id, slot in queued if game_id == live.id})

    async def _repair(self, live: Live, queued: set[str]) -> None:
        slots = {slot.slot: slot for slot in await self.store.slots(live.id)}
        wanted = await self.wanted(live)
        for name, slot in slots.items():
            if name.startswith(SERVING) and name not in wanted and name not in queued:
                await self.sender.withdraw(live.id, slot.channel_id, name)
        for name, payload in wanted.items():
            if name not in slots and name not in queued:
                await self.sender.post(live.id, live.channel_id, name, payload)

    async def wanted(self, live: Live) -> dict[str, AnyPayload]:
        """What should stand in the game's channel now, by slot, besides what is told of past turns."""
        if live.table.over:
            return {"lobby": Joining(), "end": Ending()}
        wanted: dict[str, AnyPayload] = {"lobby": Joining(), turn_slot(live.turn.number): Turning()}
        wanted |= {ask_slot(seat, number): Asking(seat) for seat, number in live.asks.items()}
        if (request := await self.store.undo_request(live.id)) is not None:
            wanted[undo_slot(request.head_seq)] = Consenting()
        for offer in await self.store.invitations(live.id):
            wanted[f"invite{offer.seat}.{offer.created_ms}"] = Inviting(offer.seat)
        for vote in await self.store.votes(live.id):
            if vote.state == "open":
                wanted[f"vote{vote.id}"] = Voting(vote.id)
        return wanted

    async def restore(self, live: Live) -> int:
        """Look whether everything that should stand in Discord does, hands and the last turns' stories included, and post
        anew what does not; how many messages that was."""
        over, turn = live.table.over, turn_slot(live.turn.number)
        hands = {} if over else {row.slot: row for row in hand_rows(live, live.members.values())}
        slots = {slot.slot: slot for slot in await self.store.slots(live.id)}
        wanted = await self.wanted(live)
        turns = range(max(1, live.turn.number - STORIES), live.turn.number + over)
        missing, stories = set[str](), dict[str, AnyPayload]()
        for name in (*(turn_slot(n) for n in turns), *wanted, *hands):
            if (
                name in slots
                and not await self._stands(slots[name])
                and await self.sender.forget(live.id, name, slots[name].message_id)
            ):
                missing.add(name)
        for n in turns:
            if turn_slot(n) in missing and (story := await self.sender.tables.composer.story(live, n)) is not None:
                stories[turn_slot(n)] = story
        queued = {row.slot for row in await self.store.queued(live.id)}
        for name, payload in stories.items():
            if name not in queued:
                await self.sender.post(live.id, live.channel_id, name, payload)
        await self.store.queue(live.id, [row for name, row in hands.items() if name not in queued], self.sender.now())
        await self._repair(live, queued)
        if stories and turn in slots and turn not in missing and not over:
            await self.sender.refresh(live)  # the question stands below what was told before
        await self.sender.post(live.id, live.channel_id, "lobby", Joining())  # which is pinned again, too
        await self.permissions_changed()
        return len(missing)

    async def _stands(self, slot: db.Slot) -> bool:
        """Whether the slot's message is still there; taken for granted when Discord does not say."""
        channel = self.sender.tables.bot.get_partial_messageable(slot.channel_id)
        return await messages.stands(channel, slot.message_id)
