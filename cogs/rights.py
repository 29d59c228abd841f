"""Who may do more than a player."""

from __future__ import annotations

import db

from .items import Interaction
from .tables import Refused
from .texts import say

MODERATES = ("manage_guild", "manage_messages", "moderate_members")
"""Who holds one of these permissions in the channel may do what the host may."""


def moderates(interaction: Interaction) -> bool:
    """Whether the person is a moderator of the server."""
    return any(getattr(interaction.permissions, name) for name in MODERATES)


def in_charge(game: db.Game, interaction: Interaction) -> bool:
    """Whether the person hosts the game or is a moderator."""
    return interaction.user.id == game.host_id or moderates(interaction)


def in_charge_only(game: db.Game, interaction: Interaction) -> None:
    """Refused unless the person hosts the game or is a moderator."""
    if not in_charge(game, interaction):
        raise Refused(say("lobby.not_host", host=f"<@{game.host_id}>"))
