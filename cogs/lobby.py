"""Before the game: `/game create`, the join panel with its buttons, options, bot players, start; and ending it early."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

import discord
import msgspec
from discord import app_commands, ui
from discord.ext import commands

import db
from rules import GAMES, rules_of
from rules.engine import encode
from rules.engine.chance import SECRET_BYTES

from .items import Interaction, Press, menu, verbs
from .live import BOT, HUMAN
from .panels import MENU, lobby_panel, options_text, text_panel
from .replies import attend, show, tell
from .sender import Joining
from .table import modal_value
from .tables import Refused, Tables, now_ms
from .texts import plain, say

log = logging.getLogger(__name__)

GAME_CHOICES = [app_commands.Choice(name=rules_of(key).title, value=key) for key in GAMES]
ARCHIVE_MINUTES: Final = 10080

Edit = Callable[[db.Game, list[db.Member]], list[db.Member]]


class LobbyCog(commands.Cog):
    """Games that wait for players."""

    game = app_commands.Group(name="game", description="Open, join and start games", guild_only=True)

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        self.locks: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        for verb, handler in {
            "lobbyjoin": self.join_press,
            "lobbyleave": self.leave_press,
            "lobbybot": self.bot_press,
            "lobbynobot": self.bot_press,
            "lobbystart": self.start_press,
            "lobbycancel": self.cancel_press,
            "lobbyoptions": self.options_press,
            "lobbyswitches": self.switches_press,
            "lobbynumber": self.number_press,
            "lobbycolour": self.colour_press,
        }.items():
            verbs[verb] = handler

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    @property
    def store(self) -> db.Store:
        return self.tables.store

    # ---------------------------------------------------------------- opening

    @game.command(name="create", description="Open a game here; a thread with a join panel follows")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=GAME_CHOICES)
    async def create(self, interaction: Interaction, game: str) -> None:
        await attend(interaction, lambda: self._create(interaction, game), fresh=True)

    async def _create(self, interaction: Interaction, key: str) -> None:
        hosted = [g for g in await self._open_games(interaction.guild_id) if g.host_id == interaction.user.id]
        if len(hosted) >= self.tables.config.play.max_games_per_host:
            raise Refused(say("lobby.too_many", count=len(hosted)))
        rules = rules_of(key)
        assert interaction.channel_id is not None
        game_id = await self.store.create_game(
            key=key,
            guild_id=interaction.guild_id,
            home_channel_id=interaction.channel_id,
            host_id=interaction.user.id,
            options=encode(rules.options()),
            secret=secrets.token_bytes(SECRET_BYTES),
            now_ms=now_ms(),
            interaction_id=interaction.id,
        )
        channel_id = await self._game_channel(interaction, say("lobby.thread", title=rules.title, game=game_id))
        try:
            await self.store.update_game(game_id, now_ms=now_ms(), channel_id=channel_id)
        except db.Conflict:
            await self.store.update_game(game_id, now_ms=now_ms(), status="cancelled")
            raise Refused(say("lobby.bot_busy")) from None
        await self.tables.sender.post(game_id, channel_id, "lobby", Joining())
        await tell(interaction, say("lobby.created", game=game_id, channel=f"<#{channel_id}>"))

    async def _game_channel(self, interaction: Interaction, name: str) -> int:
        """A thread for the game; the channel itself where no thread can be opened."""
        channel = interaction.channel
        if isinstance(channel, discord.TextChannel):
            try:
                thread = await channel.create_thread(
                    name=name[:100], type=discord.ChannelType.public_thread, auto_archive_duration=ARCHIVE_MINUTES
                )
            except discord.Forbidden:
                log.warning("no permission to open a thread", extra={"channel": channel.id})
            else:
                return thread.id
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
        if game is None or game.status != "lobby":
            raise Refused(say("lobby.gone"))
        return game

    def host_only(self, game: db.Game, interaction: Interaction) -> None:
        """Refused unless the person hosts the game or manages the server."""
        if interaction.user.id != game.host_id and not interaction.permissions.manage_guild:
            raise Refused(say("lobby.not_host", host=f"<@{game.host_id}>"))

    async def edit(self, interaction: Interaction, game_id: int, change: Edit) -> None:
        """Change the table of a lobby and draw its panel anew."""
        async with self.locks[game_id]:
            game = await self.lobby(game_id)
            members = change(game, await self.store.members(game_id))
            renumbered = [msgspec.structs.replace(member, seat=n) for n, member in enumerate(members)]
            await self.store.set_members(game_id, renumbered, now_ms=now_ms(), interaction_id=interaction.id)
        await self.redraw(game)

    async def redraw(self, game: db.Game) -> None:
        """Send the join panel as it stands."""
        if game.channel_id is not None:
            await self.tables.sender.post(game.id, game.channel_id, "lobby", Joining())

    async def join(self, interaction: Interaction, game_id: int, colour: str = "") -> None:
        """Seat the interaction's person."""
        user = interaction.user

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            if any(member.user_id == user.id for member in members):
                raise Refused(say("lobby.already"))
            if len(members) >= rules_of(game.key).seats[-1]:
                raise Refused(say("lobby.full"))
            salt = hashlib.sha256(str(interaction.id).encode()).hexdigest()
            name = plain(user.display_name)
            return [*members, db.Member(game.id, len(members), user.id, HUMAN, "", name, colour, salt)]

        await self.edit(interaction, game_id, change)

    async def leave(self, interaction: Interaction, game_id: int) -> None:
        """Free the seat of the interaction's person."""

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            left = [member for member in members if member.user_id != interaction.user.id]
            if len(left) == len(members):
                raise Refused(say("lobby.not_in"))
            return left

        await self.edit(interaction, game_id, change)

    async def set_bots(self, interaction: Interaction, game_id: int, count: int | None, step: int, level: str) -> None:
        """Have `count` bot players (None: `step` more than now)."""

        def change(game: db.Game, members: list[db.Member]) -> list[db.Member]:
            self.host_only(game, interaction)
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

        await attend(interaction, work, fresh=True)

    @game.command(name="leave", description="Give up your seat before the game starts")
    async def leave_command(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.leave(interaction, (await self.here(interaction)).id)
            await tell(interaction, say("lobby.left"))

        await attend(interaction, work, fresh=True)

    @game.command(name="bots", description="Seat bot players")
    @app_commands.describe(count="How many bot players there shall be", level="How well they play")
    @app_commands.choices(level=[app_commands.Choice(name=name, value=name) for name in ("policy", "random")])
    async def bots(self, interaction: Interaction, count: app_commands.Range[int, 0, 11], level: str = "") -> None:
        async def work() -> None:
            await self.set_bots(interaction, (await self.here(interaction)).id, count, 0, level)
            await tell(interaction, say("lobby.options_set"))

        await attend(interaction, work, fresh=True)

    @game.command(name="host", description="Make somebody else the host")
    @app_commands.describe(user="Who shall host the game of this channel")
    async def host(self, interaction: Interaction, user: discord.User) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            self.host_only(game, interaction)
            if all(member.user_id != user.id for member in await self.store.members(game.id)):
                raise Refused(say("lobby.host_must_sit"))
            changed = await self.store.update_game(game.id, now_ms=now_ms(), host_id=user.id)
            live = self.tables.live.get(game.id)
            if live is not None:
                live.game = msgspec.structs.replace(live.game, host_id=user.id)
            await self.redraw(changed)
            await tell(interaction, say("lobby.handed", host=f"<@{user.id}>"))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- options

    async def set_options(self, interaction: Interaction, game_id: int, changes: dict[str, Any]) -> db.Game:
        """Change optional rules of a lobby."""
        async with self.locks[game_id]:
            game = await self.lobby(game_id)
            self.host_only(game, interaction)
            rules = rules_of(game.key)
            now = msgspec.to_builtins(msgspec.msgpack.decode(game.options, type=rules.options))
            for name, value in changes.items():
                if name not in now:
                    raise Refused(say("lobby.bad_option", name=plain(name), value=plain(str(value))))
            try:
                chosen = msgspec.convert({**now, **changes}, rules.options, strict=False)
            except msgspec.ValidationError:
                name, value = next(iter(changes.items()))
                raise Refused(say("lobby.bad_option", name=plain(name), value=plain(str(value)))) from None
            game = await self.store.update_game(game_id, now_ms=now_ms(), if_status="lobby", options=encode(chosen))
        await self.redraw(game)
        return game

    def options_panel(self, game: db.Game) -> ui.LayoutView:
        """All optional rules as a menu of switches, and a menu of those that are numbers."""
        rules = rules_of(game.key)
        now = msgspec.to_builtins(msgspec.msgpack.decode(game.options, type=rules.options))
        items: list[ui.Item[Any]] = []
        switches = [name for name, value in now.items() if isinstance(value, bool)]
        for page, start in enumerate(range(0, len(switches), MENU)):
            entries = [
                discord.SelectOption(
                    label=rules.words.say(f"option_name.{name}")[:100],
                    description=rules.words.say(f"option_text.{name}")[:100],
                    value=name,
                    default=now[name],
                )
                for name in switches[start : start + MENU]
            ]
            press = Press(game.id, 0, page, "lobbyswitches")
            rules_menu = menu(press, entries, placeholder=say("menu.options"), least=0, most=len(entries))
            items.append(ui.ActionRow(rules_menu))
        others = [name for name in now if name not in switches]
        if others:
            entries = [
                discord.SelectOption(
                    label=say("lobby.number_option", name=rules.words.say(f"option_name.{name}"), value=str(now[name]))[
                        :100
                    ],
                    description=rules.words.say(f"option_text.{name}")[:100],
                    value=name,
                )
                for name in others[:MENU]
            ]
            numbers_menu = menu(Press(game.id, 0, 0, "lobbynumber"), entries, placeholder=say("button.number"))
            items.append(ui.ActionRow(numbers_menu))
        text = f"{say('lobby.options_title')}\n{say('lobby.options', options=options_text(game))}"
        return text_panel(text, None, items)

    async def options_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        async def work() -> None:
            await show(interaction, self.options_panel(await self.lobby(press.game)))

        await attend(interaction, work, fresh=True)

    async def switches_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        async def work() -> None:
            game = await self.lobby(press.game)
            rules = rules_of(game.key)
            now = msgspec.to_builtins(msgspec.msgpack.decode(game.options, type=rules.options))
            switches = [name for name, value in now.items() if isinstance(value, bool)]
            page = switches[press.number * MENU : (press.number + 1) * MENU]
            changed = await self.set_options(interaction, press.game, {name: name in values for name in page})
            await show(interaction, self.options_panel(changed))

        await attend(interaction, work)

    async def number_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A number option was picked from the menu: ask for its value."""
        await interaction.response.send_modal(OptionModal(press._replace(arg=values[0])))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """A submitted option; its custom id says which."""
        data: Any = interaction.data or {}
        prefix, _, rest = data.get("custom_id", "").partition(":")
        if interaction.type is not discord.InteractionType.modal_submit or prefix != "o":
            return
        game_id, _, name = rest.partition(":")

        async def work() -> None:
            value = modal_value(data["components"])
            game = await self.set_options(interaction, int(game_id), {name: None if value in ("", "-") else value})
            await show(interaction, self.options_panel(game))

        await attend(interaction, work)

    @game.command(name="options", description="Show and change the optional rules")
    @app_commands.describe(name="Which rule", value="yes, no, or a number")
    async def options(self, interaction: Interaction, name: str = "", value: str = "") -> None:
        async def work() -> None:
            game = await self.here(interaction)
            if name:
                word = value.strip().lower()
                meaning = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False, "": None}
                game = await self.set_options(interaction, game.id, {name: meaning.get(word, word)})
            await show(interaction, self.options_panel(game))

        await attend(interaction, work, fresh=True)

    @options.autocomplete("name")
    async def option_names(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = {
            name: rules_of(key).words.say(f"option_name.{name}")
            for key in GAMES
            for name in rules_of(key).options.__struct_fields__
        }
        typed = current.lower()
        return [
            app_commands.Choice(name=label[:100], value=name)
            for name, label in names.items()
            if typed in name or typed in label.lower()
        ][:25]

    # ---------------------------------------------------------------- start and end

    async def start(self, interaction: Interaction, game_id: int) -> None:
        """Turn the lobby into a running game."""
        async with self.locks[game_id]:
            game = await self.lobby(game_id)
            self.host_only(game, interaction)
            await self.tables.start(game, await self.store.members(game_id), interaction.id)

    async def start_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        await attend(interaction, lambda: self.start(interaction, press.game))

    @game.command(name="start", description="Start the game of this channel")
    async def start_command(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.start(interaction, (await self.here(interaction)).id)
            await tell(interaction, say("lobby.started"))

        await attend(interaction, work, fresh=True)

    async def any_here(self, interaction: Interaction) -> db.Game:
        """The open game of the channel, waiting or running."""
        game = await self.store.game_in_channel(interaction.channel_id or 0)
        if game is None:
            raise Refused(say("game.none_here"))
        return game

    async def cancel(self, interaction: Interaction, game: db.Game) -> None:
        """End a lobby, or a running game without a result."""
        self.host_only(game, interaction)
        if game.status == "lobby":
            cancelled = await self.store.update_game(game.id, now_ms=now_ms(), if_status="lobby", status="cancelled")
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
    @app_commands.describe(sure="A running game is lost for good: say yes")
    async def cancel_command(self, interaction: Interaction, sure: bool = False) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            if game.status == "running" and not sure:
                raise Refused(say("lobby.sure"))
            await self.cancel(interaction, game)
            await tell(interaction, say("lobby.cancelled"))

        await attend(interaction, work, fresh=True)

    @game.command(name="rewind", description="The host takes the last steps back, when the game is stuck")
    @app_commands.describe(steps="How many steps")
    async def rewind(self, interaction: Interaction, steps: app_commands.Range[int, 1, 100] = 1) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            self.host_only(game, interaction)
            live = self.tables.live.get(game.id)
            if live is None:
                raise Refused(say("game.broken" if game.id in self.tables.broken else "game.none_here"))
            await self.tables.rewind(live, steps, interaction.id)
            await tell(interaction, say("undo.done"))

        await attend(interaction, work, fresh=True)

    @game.command(name="skip", description="The host lets a stuck seat pass")
    async def skip(self, interaction: Interaction) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            self.host_only(game, interaction)
            live = self.tables.live.get(game.id)
            if live is None:
                raise Refused(say("game.none_here"))
            await self.tables.skip_stuck(live, interaction.id)
            await tell(interaction, say("lobby.options_set"))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- looking around

    @game.command(name="list", description="The open games of this server")
    async def list(self, interaction: Interaction) -> None:
        async def work() -> None:
            lines = [
                say(
                    "lobby.line",
                    id=game.id,
                    title=rules_of(game.key).title,
                    channel=f"<#{game.channel_id}>",
                    status=say(f"status.{game.status}"),
                )
                for game in await self._open_games(interaction.guild_id)
            ]
            await tell(interaction, "\n".join(lines) or say("lobby.none"))

        await attend(interaction, work, fresh=True)

    @game.command(name="info", description="Who plays here, by which rules, and what chance is committed to")
    async def info(self, interaction: Interaction) -> None:
        async def work() -> None:
            game = await self.any_here(interaction)
            members = await self.store.members(game.id)
            await show(interaction, lobby_panel(msgspec.structs.replace(game, status=game.status), members))

        await attend(interaction, work, fresh=True)


class OptionModal(ui.Modal):
    """Asks for the value of a number option. It is read in `on_interaction`, restarts or not."""

    def __init__(self, press: Press) -> None:
        super().__init__(title=say("button.options"), timeout=None, custom_id=f"o:{press.game}:{press.arg}")
        field: ui.TextInput[Any] = ui.TextInput(custom_id="value", max_length=12, required=False)
        self.add_item(ui.Label(text=say("lobby.value"), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `LobbyCog.on_interaction`."""


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(LobbyCog(bot))
