"""`/table picture`: the other pictures of a game, such as another player's board, privately."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from render import painter_for
from render.worker import PictureFailed

from . import panels
from .base import TablesCog
from .errors import Refused
from .groups import add_under
from .items import Interaction
from .live import Live
from .messages import Message
from .replies import attend, show
from .table import TableCog
from .texts import plain, say


def kinds_of(live: Live) -> dict[str, str]:
    """The game's other pictures and what they are called: `player3` is what the third seat's person is called."""
    kinds = {kind: kind for kind in painter_for(live.game.key).EXTRAS}
    for kind in [kind for kind in kinds if kind.startswith("player")]:
        seat = int(kind.removeprefix("player")) - 1
        kinds[kind] = live.names.get(seat, "")
    return {kind: name for kind, name in kinds.items() if name}


class PicturesCog(TablesCog):
    """`/table picture`."""

    @app_commands.command(name="picture", description="Show another picture of the game as you see it")
    @app_commands.describe(which="Which one")
    async def picture(self, interaction: Interaction, which: str) -> None:
        async def work() -> None:
            cog: TableCog = self.bot.get_cog("TableCog")
            live = await cog.here(interaction)
            kinds = kinds_of(live)
            if which not in kinds:
                raise Refused(say("picture.unknown", which=plain(which), kinds=", ".join(kinds)))
            view = live.table.view(live.seat_of(interaction.user.id))
            try:
                drawn = await self.tables.painter.extra(live.game.key, which, view, names=live.names)
            except PictureFailed:
                raise Refused(say("picture.failed")) from None
            items = panels.board_items(drawn, "")
            await show(interaction, Message(panels.layout(items, live.colour(None)), drawn))

        await attend(interaction, work)

    @picture.autocomplete("which")
    async def pictures(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The pictures that the game of the channel has."""
        live = self.tables.in_channel(interaction.channel_id)
        kinds = kinds_of(live) if live is not None else {}
        shown = {kind: kind if name == kind else f"{kind}: {name}"[:100] for kind, name in kinds.items()}
        found = [(label, kind) for kind, label in shown.items() if current.casefold() in label.casefold()]
        return [app_commands.Choice(name=label, value=kind) for label, kind in found[:25]]


async def setup(bot: Any) -> None:
    """Add the command to `/table`."""
    await add_under(bot, "table", PicturesCog(bot))
