"""Who may do more than a player, and where the bot may play."""

from __future__ import annotations

import discord

import db

from .check import PERMISSIONS
from .errors import Refused
from .items import Interaction
from .texts import say

MODERATES = ("manage_guild", "moderate_members")
"""Who holds one of these permissions may do what the host of any game of the server may."""
MODERATES_HERE = (*MODERATES, "manage_messages")
"""Who holds one of these in a channel may do so in its games."""


def moderates(game: db.Game, interaction: Interaction) -> bool:
    """Whether the person is a moderator where the game is."""
    here = interaction.channel_id in (game.channel_id, game.home_channel_id)
    return any(getattr(interaction.permissions, name) for name in (MODERATES_HERE if here else MODERATES))


def in_charge(game: db.Game, interaction: Interaction) -> bool:
    """Whether the person hosts the game or is a moderator."""
    return interaction.user.id == game.host_id or moderates(game, interaction)


def in_charge_only(game: db.Game, interaction: Interaction) -> None:
    """Refused unless the person hosts the game or is a moderator."""
    if not in_charge(game, interaction):
        raise Refused(say("lobby.not_host", host=f"<@{game.host_id}>"))


def playable_only(held: discord.Permissions) -> None:
    """Refused, with what is missing, unless the bot holds all that a game's channel needs."""
    if missing := [name for name in PERMISSIONS if not getattr(held, name)]:
        raise Refused(say("lobby.permissions", missing=", ".join(missing).replace("_", " ")))
