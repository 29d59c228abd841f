"""Before the game: `/game create`, the join panel with its buttons, options, bot players, start; and ending it early."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord
import msgspec
from discord import app_commands

import db
from rules import GAMES, rules_of
from rules.engine import SECRET_BYTES, encode

from .base import TablesCog
from .errors import Refused
from .items import Interaction, Press, verbs
from .live import BOT, HUMAN, Live
from .lobby_panels import title_of
from .payloads import Joining
from .replies import attend, show, tell
from .rights import in_charge_only, playable_only
from .texts import say
from .threads import open_thread
from .waits import PACES, Timing

log = logging.getLogger(__name__)

PACE_CHOICES = [app_commands.Choice(name=say(f"pace.{name}"), value=name) for name in PACES]
GAME_CHOICES = [app_commands.Choice(name=rules_of(key).title, value=key) for key in GAMES]

Edit = Callable[[db.Game, list[db.Member]], list[db.Member]]


class LobbyCog(TablesCog):
    """Games that wait for players."""

    game = app_commands.Group(name="game", description="Open, join and start games", guild_only=True)

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self.locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        for verb, handler in {
            "lobbyjoin": self.join_press,
            "lobbyleave": self.leave_press,
            "lobbybot": self.bot_press,
            "lobbynobot": self.bot_press,
            "lobbystart": self.start_press,
            "lobbycancel": self.cancel_press,
            "lobbycolour": self.colour_press,
        }.items():
            verbs[verb] = handler

    @property
    def store(self) -> db.Store:
        return self.tables.store

    def lock(self, game_id: int) -> asyncio.Lock:
        """Held while a lobby is changed; forgotten when nobody uses it."""
        return self.locks.setdefault(game_id, asyncio.Lock())

    # ---------------------------------------------------------------- opening

    @game.command(name="create", description="Open a game here; a thread with a join panel follows")
    @app_commands.describe(game="Which game", pace="How long an answer may take; `/game pace` changes it later")
    @app_commands.choices(game=GAME_CHOICES, pace=PACE_CHOICES)
    async def create(self, interaction: Interaction, game: str, pace: str = "none") -> None:
        await attend(interaction, lambda: self._create(interaction, game, pace), fresh=True)

    async def _create(self, interaction: Interaction, key: str, pace: str) -> None:
        hosted = [g for g in await self._open_games(interaction.guild_id) if g.host_id == interaction.user.id]
        if len(hosted) >= self.tables.config.play.max_games_per_host:
            raise Refused(say("lobby.too_many", count=len(hosted)))
        playable_only(interaction.app_permissions)
        assert interaction.channel_id is not None
        game_id = await self.store.create_game(
            key=key,
            guild_id=interaction.guild_id,
            home_channel_id=interaction.channel_id,
            host_id=interaction.user.id,
            options=encode(rules_of(key).options()),
            secret=self.tables.bot.entropy(SECRET_BYTES),
            now_ms=self.tables.clock.now_ms(),
            interaction_id=interaction.id,
        )
        try:
            channel_id = await self._game_channel(interaction, say("lobby.thread", title=title_of(key), game=game_id))
            game = await self.store.update_game(game_id, now_ms=self.tables.clock.now_ms(), channel_id=channel_id)
        except (discord.HTTPException, db.Conflict) as error:
            await self.store.update_game(game_id, now_ms=self.tables.clock.now_ms(), status="cancelled")
            busy = isinstance(error, db.Conflict)
            raise Refused(say("lobby.busy") if busy else say("lobby.no_thread", why=str(error))) from None
        self.tables.lobbies[channel_id] = key
        await self.store.set_timing(game_id, Timing(pace=pace).stored())
        await self.redraw(game)
        await tell(interaction, say("lobby.created", game=game_id, channel=f"<#{channel_id}>"))

    async def _game_channel(self, interaction: Interaction, name: str) -> int:
        """A thread for the game; where there can be none (in a thread, say), the channel itself."""
        channel = interaction.channel
        if isinstance(channel, discord.TextChannel):
            return (await open_thread(channel, name)).id
        assert interaction.channel_id is not None
        return interaction.channel_id

    async def _open_games(self, guild_id: int | None) -> list[db.Game]:
        return [
            *await self.store.games("lobby", guild_id=guild_id),
            *await self.store.games("running", guild_id=guild_id),
        ]

    # ---------------------------------------------------------------- changing who sits where

    async def lobby(self, game_id: int) -> db.Game:
        """The game while it waits for players; Refused otherwise."""
        game = await self.store.game(game_id)
        if game is None or game.status != "lobby":
            raise Refused(say("lobby.gone"))
        return game

    async def here(self, interaction: Interaction) -> db.Game:
        """The game of the channel, while it waits for players."""
        game = await self.store.game_in_channel(interaction.channel_id or 0)
        if game is None:
            raise Refused(say("lobby.none_here"))
        if game.status != "lobby":
            raise Refused(say("lobby.gone"))
        return game

    async def edit(self, interaction: Interaction, game_id: int, change: Edit) -> None:
        """Change the table of a lobby and draw its panel anew."""
        async with self.lock(game_id):
            game = await self.lobby(game_id)
            members = change(game, await self.store.members(game_id))
            renumbered = [msgspec.structs.replace(member, seat=n) for n, member in enumerate(members)]
            await self.store.set_members(
                game_id, renumbered, now_ms=self.tables.clock.now_ms(), interaction_id=interaction.id
            )
        await self.redraw(game)

    async def redraw(self, game: db.Game) -> None:
        """Send the join panel as it stands."""
        if game.channel_id is not None:
            await self.tables.sender.post(game.id, game.channel_id, "lobby", Joining())

    async def join(self, interaction: Interaction, game_id: int) -> None:
        """Seat the interaction's person."""
        user = interaction.user

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            if any(member.user_id == user.id for member in members):
                raise Refused(say("lobby.already"))
            if len(members) >= rules_of(game.key).seats[-1]:
                raise Refused(say("lobby.full"))
            salt = hashlib.sha256(str(interaction.id).encode()).hexdigest()
            return [*members, db.Member(game.id, len(members), user.id, HUMAN, "", user.display_name, salt=salt)]

        await self.edit(interaction, game_id, change)

    async def leave(self, interaction: Interaction, game_id: int) -> None:
        """Free the seat of the interaction's person; when it is the host, the next person is the host."""

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            left = [member for member in members if member.user_id != interaction.user.id]
            if len(left) == len(members):
                raise Refused(say("lobby.not_in"))
            return left

        await self.edit(interaction, game_id, change)
        game, members = await self.lobby(game_id), await self.store.members(game_id)
        heirs = [member.user_id for member in members if member.user_id is not None]
        if game.host_id == interaction.user.id and heirs:
            await self.redraw(await self.tables.set_host(game_id, heirs[0]))

    async def set_bots(self, interaction: Interaction, game_id: int, count: int | None, step: int, level: str) -> None:
        """Have `count` bot players (None: `step` more than now)."""

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            in_charge_only(game, interaction)
            rules = rules_of(game.key)
            bots = [member for member in members if member.kind == BOT]
            wanted = len(bots) + step if count is None else count
            if wanted < 0:
                raise Refused(say("lobby.no_bot"))
            people = [member for member in members if member.kind == HUMAN]
            if len(people) + wanted > rules.seats[-1]:
                raise Refused(say("lobby.full"))
            strength = level or next(iter(rules.bots), "random")
            fresh = [
                db.Member(game.id, 0, None, BOT, strength, say("seat.bot", n=n + 1), "", f"bot {n}")
                for n in range(len(bots), wanted)
            ]
            kept = bots[:wanted]
            return [member for member in members if member.kind == HUMAN or member in kept] + fresh

        await self.edit(interaction, game_id, change)

    async def forget(self, game_id: int, user_id: int) -> None:
        """Free the seat of somebody who wants to be forgotten; a game in which nobody is left is cancelled."""
        async with self.lock(game_id):
            game = await self.lobby(game_id)
            left = [member for member in await self.store.members(game_id) if member.user_id != user_id]
            renumbered = [msgspec.structs.replace(member, seat=n) for n, member in enumerate(left)]
            await self.store.set_members(game_id, renumbered)
        heirs = [member.user_id for member in left if member.user_id is not None]
        if heirs and game.host_id == user_id:
            game = await self.tables.set_host(game_id, heirs[0])
        elif not heirs:
            game = await self.store.update_game(
                game_id, now_ms=self.tables.clock.now_ms(), if_status="lobby", status="cancelled"
            )
            self.tables.lobbies.pop(game.channel_id or 0, None)
        await self.redraw(game)

    async def join_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        await attend(interaction, lambda: self.join(interaction, press.game))

    async def leave_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        await attend(interaction, lambda: self.leave(interaction, press.game))

    async def bot_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        step = -1 if press.verb == "lobbynobot" else 1
        await attend(interaction, lambda: self.set_bots(interaction, press.game, None, step, ""))

    async def colour_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            if all(member.user_id != interaction.user.id for member in members):
                raise Refused(say("lobby.not_in"))
            wish = values[0] if values else ""
            return [
                msgspec.structs.replace(m, preference=wish) if m.user_id == interaction.user.id else m for m in members
            ]

        await attend(interaction, lambda: self.edit(interaction, press.game, change))

    @game.command(name="join", description="Take a seat in the game of this channel")
    async def join_command(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.join(interaction, (await self.here(interaction)).id)
            await tell(interaction, say("lobby.joined"))

        await attend(interaction, work)

    @game.command(name="leave", description="Give up your seat before the game starts")
    async def leave_command(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.leave(interaction, (await self.here(interaction)).id)
            await tell(interaction, say("lobby.left"))

        await attend(interaction, work)

    @game.command(name="bots", description="Seat bot players")
    @app_commands.describe(count="How many bot players there shall be", level="How well those that are added play")
    @app_commands.choices(level=[app_commands.Choice(name=name, value=name) for name in ("policy", "random")])
    async def bots(self, interaction: Interaction, count: app_commands.Range[int, 0, 11], level: str = "") -> None:
        async def work() -> None:
            await self.set_bots(interaction, (await self.here(interaction)).id, count, 0, level)
            await tell(interaction, say("lobby.bots_set", n=count))

        await attend(interaction, work)

    @game.command(name="host", description="Make somebody else the host")
    @app_commands.describe(user="Who shall host the game of this channel")
    async def host(self, interaction: Interaction, user: discord.User) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            in_charge_only(game, interaction)
            if all(member.user_id != user.id for member in await self.store.members(game.id)):
                raise Refused(say("lobby.host_must_sit"))
            await self.redraw(await self.tables.set_host(game.id, user.id))
            await tell(interaction, say("lobby.handed", host=f"<@{user.id}>"))

        await attend(interaction, work)

    # ---------------------------------------------------------------- start and end

    async def start(self, interaction: Interaction, game_id: int) -> None:
        """Turn the lobby into a running game."""
        async with self.lock(game_id):
            game = await self.lobby(game_id)
            in_charge_only(game, interaction)
            await self.tables.start(game, await self.store.members(game_id), interaction.id)

    async def start_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        await attend(interaction, lambda: self.start(interaction, press.game))

    @game.command(name="start", description="Start the game of this channel")
    async def start_command(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.start(interaction, (await self.here(interaction)).id)
            await tell(interaction, say("lobby.started"))

        await attend(interaction, work)

    async def any_here(self, interaction: Interaction) -> db.Game:
        """The game of the channel, waiting, running or over."""
        game = await self.store.game_in_channel(interaction.channel_id or 0)
        if game is None:
            raise Refused(say("game.none_here"))
        return game

    async def hosted_here(self, interaction: Interaction) -> Live:
        """The running game of the channel, for its host."""
        game = await self.any_here(interaction)
        in_charge_only(game, interaction)
        live = self.tables.live.get(game.id)
        if live is None:
            waiting = "game.not_started" if game.status == "lobby" else "game.none_here"
            raise Refused(say("game.broken" if game.id in self.tables.broken else waiting))
        return live

    async def cancel(self, interaction: Interaction, game: db.Game) -> None:
        """End a lobby, or a running game without a result."""
        in_charge_only(game, interaction)
        if game.status == "lobby":
            cancelled = await self.store.update_game(
                game.id, now_ms=self.tables.clock.now_ms(), if_status="lobby", status="cancelled"
            )
            self.tables.lobbies.pop(game.channel_id or 0, None)
            await self.redraw(cancelled)
        elif game.status == "running":
            await self.tables.abandon(game.id)
        else:
            raise Refused(say("lobby.gone"))

    async def cancel_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        async def work() -> None:
            await self.cancel(interaction, await self.lobby(press.game))

        await attend(interaction, work)

    @game.command(name="cancel", description="End the game of this channel without a result")
    @app_commands.describe(
        sure="A running game is lost for good: say yes", game_id="Its number, where its thread is gone"
    )
    async def cancel_command(self, interaction: Interaction, sure: bool = False, game_id: int | None = None) -> None:
        async def work() -> None:
            found = None if game_id is None else await self.store.game(game_id)
            if game_id is not None and (found is None or found.guild_id != interaction.guild_id):
                raise Refused(say("game.gone"))
            game = found or await self.any_here(interaction)
            in_charge_only(game, interaction)
            if game.status == "running" and not sure:
                raise Refused(say("lobby.sure"))
            await self.cancel(interaction, game)
            await tell(interaction, say("lobby.cancelled"))

        await attend(interaction, work)

    @game.command(name="skip", description="The host lets a stuck seat pass")
    async def skip(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.tables.steps.skip_stuck(await self.hosted_here(interaction), interaction.id)
            await tell(interaction, say("lobby.skipped"))

        await attend(interaction, work)

    # ---------------------------------------------------------------- looking around

    @game.command(name="list", description="The open games of this server")
    async def list(self, interaction: Interaction) -> None:
        async def work() -> None:
            lines = [
                say(
                    "lobby.line",
                    id=game.id,
                    title=title_of(game.key),
                    channel=f"<#{game.channel_id}>",
                    status=say(f"status.{game.status}"),
                )
                for game in await self._open_games(interaction.guild_id)
            ]
            await tell(interaction, "\n".join(lines) or say("lobby.none"))

        await attend(interaction, work)

    @game.command(name="info", description="Who plays here, by which rules, and what chance is committed to")
    async def info(self, interaction: Interaction) -> None:
        async def work() -> None:
            await show(interaction, await self.tables.composer.lobby_panel((await self.any_here(interaction)).id))

        await attend(interaction, work)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(LobbyCog(bot))
