"""Who sits where while the game runs: leaving, coming back, and other people or bot players in one's seat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands
from msgspec.structs import replace

import db
from rules.engine import Illegal

from .base import GuestCog
from .deadlines import GIVE_UP
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, verbs
from .live import BOT, HUMAN, Live
from .payloads import Inviting, Saying
from .replies import attend, tell
from .rights import in_charge, in_charge_only
from .texts import say

log = logging.getLogger(__name__)

LOOK_MS: Final = 3_600_000
DAY_MS: Final = 24 * 3_600_000
AWAY_MS: Final = 7 * DAY_MS
"""After so long those in charge may give a seat away for which the table waits."""
UNKNOWN_PERSON: Final = (10007, 10013)


class AbsenceCog(GuestCog):
    """`/table leave`, `return` and `replace`, and the watch over people who are gone from the server."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self._watch: asyncio.Task[None] | None = None
        verbs["takeseat"] = self.take_press
        verbs["noseat"] = self.decline_press
        verbs["seatbot"] = self.bot_press
        verbs["seatopen"] = self.open_press

    async def cog_load(self) -> None:
        self._watch = asyncio.create_task(self._look_now_and_then(), name="absence")

    async def cog_unload(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    # ---------------------------------------------------------------- leaving and coming back

    @app_commands.command(name="leave", description="Leave the game; a bot player takes your seat")
    @app_commands.describe(sure="The bot player will play for you: say yes")
    async def leave(self, interaction: Interaction, sure: bool = False) -> None:
        async def work() -> None:
            live, seat = await self.table.seat_here(interaction)
            if not sure:
                raise Refused(say("seat.sure"))
            await self.take_over(live, seat, interaction.user.id, interaction.id)
            await tell(interaction, say("seat.left_last" if live.deserted else "seat.left"))

        await attend(interaction, work)

    @app_commands.command(name="return", description="Take your seat back from the bot player")
    async def come_back(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.table.here(interaction, ended=False)
            async with live.lock:
                self.not_seated(live, interaction)
                kept = [seat for seat in live.members if live.members[seat].kept_for == interaction.user.id]
                if not kept:
                    raise Refused(say("seat.not_kept"))
                await self.seat_person(live, kept[0], interaction)
            await self.settle(live, kept[0])
            await self.table.show_panel(interaction, live, kept[0])

        await attend(interaction, work)

    async def seat_bot(self, live: Live, seat: int, interaction_id: int | None, *, kept: bool = True) -> None:
        """Let a bot player play on in the seat, under the game's lock. `kept`: its person may take it back."""
        was = live.members[seat]
        owner = was.user_id or was.kept_for
        level = next(iter(live.rules.bots), "random")
        name = say("seat.bot", n=seat + 1)
        empty = replace(was, user_id=None, kind=BOT, bot=level, name=name, dm_closed=False)
        await self.tables.hand_over(live, replace(empty, kept_for=owner if kept else None), interaction_id)

    async def take_over(
        self, live: Live, seat: int, user_id: int | None, interaction_id: int | None = None, *, kept: bool = True
    ) -> None:
        """Let a bot player play on for that user; Refused when somebody else sits there by now."""
        async with live.lock:
            if live.table.over or live.members[seat].user_id != user_id:
                raise Refused(say("seat.no_offer"))
            await self.seat_bot(live, seat, interaction_id, kept=kept)
        await self.settle(live, seat)
        if live.deserted:
            await self.tables.sender.post(live.id, live.channel_id, "deserted", Saying(say("seat.deserted")))

    async def seat_person(self, live: Live, seat: int, interaction: Interaction) -> None:
        """Give the seat to the interaction's person, under the game's lock."""
        user = interaction.user
        fresh = replace(live.members[seat], user_id=user.id, kind=HUMAN, bot="", name=user.display_name)
        member = replace(fresh, dm_closed=False, kept_for=None)
        await self.tables.hand_over(live, member, interaction.id)

    def not_seated(self, live: Live, interaction: Interaction) -> None:
        """Refused when the person has a seat, or the game is over."""
        if live.table.over:
            raise Illegal("engine.over")
        if live.seat_of(interaction.user.id) is not None:
            raise Refused(say("lobby.already"))

    async def settle(self, live: Live, seat: int) -> None:
        """Take away what was said about the seat before somebody else sat down there."""
        for slot in await self.tables.store.slots(live.id):
            peopled = slot.slot == "deserted" and not live.deserted
            if peopled or slot.slot == f"gone{seat}" or slot.slot.startswith(f"invite{seat}."):
                await self.tables.sender.withdraw(live.id, slot.channel_id, slot.slot)

    # ---------------------------------------------------------------- inviting somebody

    @app_commands.command(name="replace", description="Offer a seat to somebody else")
    @app_commands.describe(
        seat="Whose seat (yours, if you say nothing)", user="To whom (to anybody, if you say nothing)"
    )
    async def replace(self, interaction: Interaction, seat: str = "", user: discord.User | None = None) -> None:
        async def work() -> None:
            live = await self.table.here(interaction, ended=False)
            at = self.seat_named(live, interaction, seat)
            await self.may_offer(live, at, interaction)
            if user is not None:
                await self.may_come(live, at, user)
            await self.invite(live, at, interaction, user)
            await tell(interaction, say("seat.offered", seat=live.name(at)))

        await attend(interaction, work)

    @replace.autocomplete("seat")
    async def seats(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The seats by the names of who sits there."""
        live = self.tables.in_channel(interaction.channel_id)
        return seat_choices(live, live.members, current) if live else []

    def seat_named(self, live: Live, interaction: Interaction, text: str) -> int:
        """The seat of that number (from 0, as autocomplete has it) or that only name, or the person's own; Refused when
        there is none."""
        if not text:
            return self.table.seat_for(live, interaction.user.id)
        called = [name.casefold() for name in live.names.values()]
        names = {name.casefold(): s for s, name in live.names.items() if called.count(name.casefold()) == 1}
        names |= {str(seat): seat for seat in live.members}
        if text.strip().casefold() not in names:
            raise Refused(say("seat.unknown"))
        return names[text.strip().casefold()]

    async def may_offer(self, live: Live, seat: int, interaction: Interaction) -> None:
        """Refused unless it is the person's own seat, or he is in charge and nobody plays there."""
        if live.seat_of(interaction.user.id) == seat:
            return
        in_charge_only(live.game, interaction)
        if not await self.is_free(live, seat):
            raise Refused(say("seat.still_there", seat=live.name(seat)))

    async def may_come(self, live: Live, seat: int, user: discord.abc.User) -> None:
        """Refused when that user cannot take the seat."""
        if user.bot:
            raise Refused(say("seat.no_bots"))
        if live.seat_of(user.id) is not None:
            raise Refused(say("seat.sits_already", user=f"<@{user.id}>"))
        if not await self.is_here(live, user.id):
            raise Refused(say("seat.not_here", user=f"<@{user.id}>"))
        await self.may_play(live, seat, user.id)

    async def may_play(self, live: Live, seat: int, user_id: int) -> None:
        """Refused when this person has seen hands of the game that the seat does not see."""
        if await self.tables.store.has_read_hands(live.id, user_id):
            raise Refused(say("seat.has_read_hands", user=f"<@{user_id}>"))
        if any(sat.user_id == user_id and sat.seat != seat for sat in await self.tables.store.seatings(live.id)):
            raise Refused(say("seat.has_sat", user=f"<@{user_id}>"))

    async def invite(
        self, live: Live, seat: int, interaction: Interaction, user: discord.abc.User | None = None
    ) -> None:
        """Offer the seat in the channel, instead of any offer before."""
        user_id = None if user is None else user.id
        offer = db.Invitation(live.id, seat, user_id, interaction.user.id, self.tables.clock.now_ms())
        await self.settle(live, seat)
        await self.tables.store.invite(offer)
        await self.tables.sender.post(live.id, live.channel_id, f"invite{seat}.{offer.created_ms}", Inviting(seat))

    async def invitation(self, live: Live, press: Press) -> db.Invitation:
        """The offer that was pressed on; Refused when it stands no more."""
        offer = await self.tables.store.invitation(live.id, press.seat)
        if offer is None or live.mark(offer) != press.number:
            raise Refused(say("seat.no_offer"))
        return offer

    async def take_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody takes the seat that was offered."""

        async def work() -> None:
            live = await self.table.live_of(press)
            free = await self.is_free(live, press.seat)
            async with live.lock:
                self.not_seated(live, interaction)
                offer = await self.invitation(live, press)
                if offer.user_id not in (None, interaction.user.id):
                    raise Refused(say("seat.not_invited"))
                if not free and offer.by_id != live.members[press.seat].user_id:  # he has come back since
                    await self.tables.store.uninvite(live.id, press.seat)
                    await self.settle(live, press.seat)
                    raise Refused(say("seat.still_there", seat=live.name(press.seat)))
                await self.may_play(live, press.seat, interaction.user.id)
                await self.seat_person(live, press.seat, interaction)
            await self.settle(live, press.seat)
            await self.table.show_panel(interaction, live, press.seat)

        await attend(interaction, work, fresh=True)

    async def decline_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Who was invited does not want to, whoever offered the seat has thought better of it, or its person is back."""

        async def work() -> None:
            live = await self.table.live_of(press)
            offer = await self.invitation(live, press)
            concerned = (offer.user_id, offer.by_id, live.members[press.seat].user_id)
            if interaction.user.id not in concerned and not in_charge(live.game, interaction):
                raise Refused(say("seat.not_invited"))
            await self.tables.store.uninvite(live.id, press.seat)
            await self.settle(live, press.seat)
            await tell(interaction, say("seat.declined"))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- people who are away

    def is_away(self, live: Live, seat: int) -> bool:
        """Whether the seat's person has let several questions pass in a row, or the table has long been waiting for him
        alone; his vacations do not count. Of several that are asked nobody is to be told who has not answered."""
        wait = live.timing.waits.get(seat)
        if live.timing.misses.get(seat, 0) >= GIVE_UP:
            return True
        if wait is None or list(live.table.asked) != [seat]:
            return False
        hours = replace(self.tables.pings.person(live, seat).hours, sleep=None)
        return hours.between(wait.since_ms, self.tables.clock.now_ms()) >= AWAY_MS

    async def is_free(self, live: Live, seat: int) -> bool:
        """Whether nobody plays there: it is a bot player's, or its person is away or gone."""
        return live.is_bot(seat) or self.is_away(live, seat) or await self.is_gone(live, seat)

    # ---------------------------------------------------------------- people who are gone

    async def bot_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The host lets a bot player play on for somebody who is gone."""

        async def work() -> None:
            live = await self.vacant(interaction, press)
            await self.take_over(live, press.seat, live.members[press.seat].user_id, interaction.id)
            await tell(interaction, say("seat.bot_plays", seat=live.name(press.seat)))

        await attend(interaction, work, fresh=True)

    async def open_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The host offers the seat of somebody who is gone to anybody."""

        async def work() -> None:
            live = await self.vacant(interaction, press)
            await self.invite(live, press.seat, interaction)
            await tell(interaction, say("seat.offered", seat=live.name(press.seat)))

        await attend(interaction, work, fresh=True)

    async def vacant(self, interaction: Interaction, press: Press) -> Live:
        """The game of a press about a seat whose person is gone, for those in charge."""
        live = await self.table.live_of(press)
        if live.table.over:
            raise Illegal("engine.over")
        in_charge_only(live.game, interaction)
        if live.is_bot(press.seat) or not await self.is_gone(live, press.seat):
            await self.settle(live, press.seat)
            raise Refused(say("seat.still_there", seat=live.name(press.seat)))
        return live

    async def is_here(self, live: Live, user_id: int) -> bool:
        """Whether the user is in the game's server; taken for granted when Discord does not say."""
        guild = None if live.game.guild_id is None else self.bot.get_guild(live.game.guild_id)
        if guild is None:
            return True
        try:
            await guild.fetch_member(user_id)
        except discord.HTTPException as error:
            return error.code not in UNKNOWN_PERSON
        return True

    async def is_gone(self, live: Live, seat: int) -> bool:
        """Whether the seat's person has left the server."""
        user_id = live.members[seat].user_id
        return user_id is not None and not await self.is_here(live, user_id)

    @commands.Cog.listener()
    async def on_game_over(self, live: Live) -> None:
        """No seat is to be had any more."""
        for seat in live.members:
            await self.settle(live, seat)

    @commands.Cog.listener()
    async def on_dm_refused(self, live: Live, seat: int) -> None:
        """No DM reached the seat's person: has he left the server?"""
        await self.look_at(live, seat)

    async def look_at(self, live: Live, seat: int) -> None:
        """If the seat's person is gone, say so in the channel once; if he is back, take that away again."""
        said = await self.tables.store.slot(live.id, f"gone{seat}")
        gone = not live.is_bot(seat) and await self.is_gone(live, seat)
        if gone and said is None:
            await self.pass_host_on(live, seat)
            host = live.game.host_id
            text = say("seat.gone", user=live.mention(seat), host=f"<@{host}>")
            buttons = Saying(text, ("seatbot", "seatopen"), (host,), seat)
            await self.tables.sender.post(live.id, live.channel_id, f"gone{seat}", buttons)
        elif said is not None and not gone:
            await self.tables.sender.withdraw(live.id, said.channel_id, said.slot)

    async def pass_host_on(self, live: Live, seat: int) -> None:
        """When the host is gone, another person of the table is."""
        people = [
            m.user_id for m in live.members.values() if m.kind == HUMAN and m.seat != seat and m.user_id is not None
        ]
        if live.game.host_id == live.members[seat].user_id and people:
            await self.tables.set_host(live.id, people[0])

    async def look_around(self) -> None:
        """Look at everybody the games wait for, and at those who were gone."""
        for live in list(self.tables.live.values()):
            said = {slot.slot for slot in await self.tables.store.slots(live.id)}
            for seat in list(live.members):
                if seat in live.asked_humans() or f"gone{seat}" in said:
                    await self.look_at(live, seat)

    async def _look_now_and_then(self) -> None:
        clock, wake = self.tables.clock, asyncio.Event()
        due = clock.now_ms() + LOOK_MS
        while True:
            wake.clear()
            await clock.wait(wake, due)
            if clock.now_ms() < due:
                continue
            due = clock.now_ms() + LOOK_MS
            try:
                await self.look_around()
            except Exception:  # Discord or the store may fail; in an hour it is tried again
                log.exception("who is gone cannot be looked at")


def seat_choices(live: Live, seats: Iterable[int], current: str) -> list[app_commands.Choice[str]]:
    """What autocomplete offers for a seat: the names of who sits there."""
    found = [seat for seat in seats if current.casefold() in live.names[seat].casefold()]
    return [app_commands.Choice(name=live.names[seat], value=str(seat)) for seat in found[:25]]


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", AbsenceCog(bot))
