"""Buttons and menus: what a custom id carries, and the two dynamic items that survive restarts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from re import Match
from typing import Any, NamedTuple, Self

import discord
from discord import ui

TEMPLATE = r"t:(?P<game>\d+):(?P<seat>\d+):(?P<number>\d+):(?P<verb>[a-z]+):(?P<arg>[^\s]{0,60})"


class Press(NamedTuple):
    """What a press means: `verb` with `arg`, on that game, and for that seat's question of that number if it is one.

    The verbs are the keys of `verbs`, each filled in by the cog that understands it.
    """

    game: int
    seat: int
    number: int
    verb: str
    arg: str = ""

    @property
    def custom_id(self) -> str:
        return f"t:{self.game}:{self.seat}:{self.number}:{self.verb}:{self.arg}"

    @classmethod
    def read(cls, match: Match[str]) -> Self:
        """The press that a custom id stands for."""
        return cls(int(match["game"]), int(match["seat"]), int(match["number"]), match["verb"], match["arg"])


Interaction = discord.Interaction[Any]
OnPress = Callable[[Interaction, Press, Sequence[str]], Awaitable[None]]

verbs: dict[str, OnPress] = {}
"""What is done at a press, by verb: called with the interaction, the press and the values chosen in a menu. `unknown`
is for buttons of an older or a newer version of the bot."""

modals: dict[str, OnPress] = {}
"""What is done when a modal is submitted, by the verb of its custom id: called with the press, whose `arg` is what was
typed. The custom id says everything, so modals survive restarts."""


class TableItem(ui.DynamicItem[ui.Item[Any]], template=TEMPLATE):
    """A button or menu on one of a game's messages. What it does is all in its custom id, so it survives restarts."""

    def __init__(self, press: Press, item: ui.Item[Any]) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: Match[str]) -> Self:
        return cls(Press.read(match), item)

    async def callback(self, interaction: Interaction) -> None:
        data: Any = interaction.data or {}
        do = verbs.get(self.press.verb, verbs["unknown"])
        await do(interaction, self.press, [str(value) for value in data.get("values", [])])


def button(
    press: Press, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary, *, disabled: bool = False
) -> TableItem:
    """A button that means `press`."""
    return TableItem(
        press, ui.Button(label=label[:80] or "…", style=style, custom_id=press.custom_id, disabled=disabled)
    )


def menu(
    press: Press, options: list[discord.SelectOption], *, placeholder: str = "", least: int = 1, most: int = 1
) -> TableItem:
    """A menu that means `press` with the values chosen."""
    return TableItem(
        press,
        ui.Select(
            custom_id=press.custom_id,
            options=options,
            placeholder=placeholder[:150] or None,
            min_values=least,
            max_values=most,
        ),
    )
