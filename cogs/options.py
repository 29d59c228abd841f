"""`/game options`: the optional rules of a game that waits for players, by the panel's menus or in writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
import msgspec
from discord import app_commands, ui
from discord.ext import commands

import db
from rules import rules_of
from rules.engine import encode

from .base import GuestCog
from .errors import Refused
from .forms import MENU
from .groups import add_under
from .items import Interaction, Press, verbs
from .lobby_panels import chosen_options, listed_of, options_panel, switches_of
from .picking import modal_value
from .replies import ask_in_modal, attend, show
from .rights import in_charge_only
from .texts import plain, say

WRITTEN: Final[dict[bool | str | None, str]] = {True: "yes", False: "no", None: "empty"}


class OptionsCog(GuestCog):
    """Shows and changes the optional rules of a lobby."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        verbs["lobbyoptions"] = self.options_press
        verbs["lobbyswitches"] = self.switches_press
        verbs["lobbynumber"] = self.number_press
        verbs["lobbyvalue"] = self.value_press

    async def set_options(self, interaction: Interaction, game_id: int, changes: dict[str, Any]) -> db.Game:
        """Change optional rules of a lobby."""
        async with self.lobbies.lock(game_id):
            game = await self.lobbies.lobby(game_id)
            in_charge_only(game, interaction)
            now = chosen_options(game)
            try:
                chosen = msgspec.convert({**now, **changes}, rules_of(game.key).options, strict=False)
                if unknown := changes.keys() - now.keys():
                    raise msgspec.ValidationError(str(unknown))
            except msgspec.ValidationError:
                raise Refused(bad_option(game.key, now, *next(iter(changes.items())))) from None
            game = await self.tables.store.update_game(
                game_id, now_ms=self.tables.clock.now_ms(), if_status="lobby", options=encode(chosen)
            )
        await self.lobbies.redraw(game)
        return game

    async def options_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        async def work() -> None:
            await show(interaction, options_panel(await self.lobbies.lobby(press.game)))

        await attend(interaction, work, fresh=True)

    async def switches_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        async def work() -> None:
            page = switches_of(await self.lobbies.lobby(press.game))[press.number * MENU : (press.number + 1) * MENU]
            changed = await self.set_options(interaction, press.game, {name: name in values for name in page})
            await show(interaction, options_panel(changed))

        await attend(interaction, work)

    async def value_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """One of several ways was picked from its menu."""

        async def work() -> None:
            await show(
                interaction, options_panel(await self.set_options(interaction, press.game, {press.arg: values[0]}))
            )

        await attend(interaction, work)

    async def number_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A number option was picked from the menu: ask for its value."""
        await ask_in_modal(interaction, OptionModal(press._replace(arg=values[0])))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """A submitted option; its custom id says which."""
        data: Any = interaction.data or {}
        prefix, _, rest = data.get("custom_id", "").partition(":")
        if interaction.type is not discord.InteractionType.modal_submit or prefix != "o":
            return
        game_id, _, name = rest.partition(":")

        async def work() -> None:
            game = await self.set_options(interaction, int(game_id), {name: meant(modal_value(data["components"]))})
            await show(interaction, options_panel(game))

        await attend(interaction, work)

    @app_commands.command(name="options", description="Show and change the optional rules")
    @app_commands.describe(name="Which rule", value="yes, no, a number, or one of several ways")
    async def options(self, interaction: Interaction, name: str = "", value: str = "") -> None:
        async def work() -> None:
            game = await self.lobbies.here(interaction)
            if name:
                labels = {label.lower(): key for key, label in option_labels(game.key).items()}
                game = await self.set_options(interaction, game.id, {labels.get(name.lower(), name): meant(value)})
            await show(interaction, options_panel(game))

        await attend(interaction, work)

    @options.autocomplete("name")
    async def option_names(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        key = self.tables.lobbies.get(interaction.channel_id or 0)
        typed = current.lower()
        return [
            app_commands.Choice(name=label[:100], value=name)
            for name, label in ({} if key is None else option_labels(key)).items()
            if typed in name or typed in label.lower()
        ][:25]

    @options.autocomplete("value")
    async def option_values(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        key, name = self.tables.lobbies.get(interaction.channel_id or 0), interaction.namespace["name"] or ""
        values = listed_of(key).get(name, ()) if key is not None else ()
        return [app_commands.Choice(name=value, value=value) for value in values if current.lower() in value][:25]


class OptionModal(ui.Modal):
    """Asks for the value of a number option. It is read in `on_interaction`, restarts or not."""

    def __init__(self, press: Press) -> None:
        super().__init__(title=say("button.options"), timeout=None, custom_id=f"o:{press.game}:{press.arg}")
        field: ui.TextInput[Any] = ui.TextInput(custom_id="value", max_length=12, required=False)
        self.add_item(ui.Label(text=say("lobby.value"), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `OptionsCog.on_interaction`."""


def option_labels(key: str) -> dict[str, str]:
    """The optional rules of a game, and what they are called."""
    rules = rules_of(key)
    return {name: rules.words.say(f"option_name.{name}") for name in rules.options.__struct_fields__}


def bad_option(key: str, now: Mapping[str, Any], name: str, value: bool | str | None) -> str:
    """Why an optional rule cannot have that value, or that there is no such rule."""
    if name not in now:
        return say("lobby.no_option", name=plain(name))
    hint = say("lobby.yes_or_no") if isinstance(now[name], bool) else rules_of(key).words.say(f"option_text.{name}")
    typed = WRITTEN.get(value, str(value))
    return say("lobby.bad_option", name=option_labels(key)[name], value=plain(typed), hint=hint)


def meant(text: str) -> bool | str | None:
    """The value that was typed for an optional rule."""
    word = text.strip().lower()
    meaning = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False, "": None, "-": None}
    return meaning.get(word, word)


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "game", OptionsCog(bot))
