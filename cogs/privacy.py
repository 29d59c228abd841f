"""`/my data`: everything that is held about a person, as a file. `/my forget`: the games stay, the name goes."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from discord import app_commands, ui

import db
from rules.engine import decode_record
from rules.engine.log import Acted, Answered

from .absence import AbsenceCog
from .base import GuestCog
from .forms import DANGER
from .groups import add_under
from .items import Interaction, Press, button, verbs
from .live import BOT, HUMAN
from .messages import Message
from .panels import text_panel
from .replies import attend, show, tell
from .texts import say

PLAIN_BYTES: Final = 6 << 20
"""A larger file is packed."""


class PrivacyCog(GuestCog):
    """What somebody may know of what is held about him, and have forgotten."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["forgetme"] = self.forget_press

    # ---------------------------------------------------------------- data

    @app_commands.command(name="data", description="A file with everything that is held about you")
    async def data(self, interaction: Interaction) -> None:
        async def work() -> None:
            user = interaction.user.id
            held = await self.tables.store.held(user)
            answers = await self._answers(user, held["seatings"])
            name, data = await asyncio.to_thread(packed, {"user_id": user, **held, "answers": answers})
            panel = text_panel(say("my.data"), None, [ui.File(f"attachment://{name}")])
            await show(interaction, Message(panel, file=(name, data)))

        await attend(interaction, work)

    async def _answers(self, user: int, seatings: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What the person has answered and done in games; the log itself knows the seat only."""
        store, found = self.tables.store, []
        for game_id in dict.fromkeys(row["game_id"] for row in seatings):
            spans = await store.seatings(game_id)
            for seq, data in await store.records(game_id):
                record = decode_record(data)
                sat = [s for s in spans if s.seat == record.seat and s.seq <= seq]
                if isinstance(record.what, Answered | Acted) and sat and sat[-1].user_id == user:
                    what = msgspec.to_builtins(record.what)
                    found.append({"game_id": game_id, "seat": record.seat, **what})
        return found

    # ---------------------------------------------------------------- forget

    @app_commands.command(name="forget", description="Have the bot forget you: games stay, your name goes")
    async def forget(self, interaction: Interaction) -> None:
        async def work() -> None:
            running, waiting = await self._open(interaction.user.id)
            database = self.tables.config.database
            days = round(database.backup_hours * database.backup_keep / 24)
            text = say("my.forget", running=len(running), waiting=len(waiting), days=days)
            press = Press(0, 0, interaction.user.id, "forgetme")
            row: ui.ActionRow[Any] = ui.ActionRow(button(press, say("button.forgetme"), DANGER))
            await show(interaction, text_panel(text, None, [row]))

        await attend(interaction, work)

    async def _open(self, user: int) -> tuple[list[db.Game], list[db.Game]]:
        """The running games in which the person has a seat or is the host, and those that wait for players."""
        found = []
        for status in ("running", "lobby"):
            seated = await self.tables.store.games(status, user_id=user)
            every = await self.tables.store.games(status)
            hosted = [game for game in every if game.host_id == user]
            found.append(list({game.id: game for game in (*seated, *hosted)}.values()))
        return found[0], found[1]

    async def forget_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The button of the panel that says what it means."""

        async def work() -> None:
            await self._forget(interaction.user.id)
            await tell(interaction, say("my.forgotten"))

        await attend(interaction, work)

    async def _forget(self, user: int) -> None:
        """Have the person leave whatever is open, then take his id and his name out of the rest."""
        running, waiting = await self._open(user)
        for game in running:
            await self._leave(game.id, user)
        for game in waiting:
            await self.lobbies.forget(game.id, user)
        store, tables = self.tables.store, self.tables
        for row in (await store.held(user))["followed"]:
            await tables.followers.unfollow(row["game_id"], user)
        await store.forget_person(user, say("my.somebody"))
        tables.people.forget(user)
        tables.ended.clear()  # they are loaded again when somebody looks at one
        for live in list(tables.live.values()):
            async with live.lock:
                live.seat([m if m.kept_for != user else replace_kept(m) for m in live.members.values()])

    async def _leave(self, game_id: int, user: int) -> None:
        """A bot player goes on in the person's seat; where nobody else sits, the game ends."""
        live, store = self.tables.live.get(game_id), self.tables.store
        members = await store.members(game_id)
        others = [m.user_id for m in members if m.kind == HUMAN and m.user_id not in (None, user)]
        if not others:
            await self.tables.abandon(game_id)
            return
        if live is None:  # it does not open, so no step can be recorded
            for member in members:
                if member.user_id == user:
                    name = say("seat.bot", n=member.seat + 1)
                    await store.update_member(game_id, member.seat, user_id=None, kind=BOT, bot="random", name=name)
            await self.tables.set_host(game_id, others[0])
            return
        seat = live.seat_of(user)
        absence: AbsenceCog = self.bot.get_cog("AbsenceCog")
        if seat is not None:
            async with live.lock:
                await absence.seat_bot(live, seat, None, kept=False)
            await absence.settle(live, seat)
        elif live.game.host_id == user:
            await self.tables.set_host(game_id, others[0])


def replace_kept(member: db.Member) -> db.Member:
    """The member whose seat is kept for nobody any more."""
    return msgspec.structs.replace(member, kept_for=None)


def packed(held: dict[str, Any]) -> tuple[str, bytes]:
    """The file's name and bytes, packed when it is large."""
    data = json.dumps(held, indent=1).encode()
    return ("my-data.json", data) if len(data) <= PLAIN_BYTES else ("my-data.json.gz", gzip.compress(data))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "my", PrivacyCog(bot))
