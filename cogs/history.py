"""Looking back: `/table history`, `/table since` and `/table reel`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import app_commands, ui

from .base import GuestCog
from .errors import Refused
from .groups import add_under
from .items import Interaction, Press, button, modals, verbs
from .live import Live
from .messages import Message
from .panels import board_items, layout, page_row, text_panel
from .past import Past, places_of
from .reels import Reels
from .replies import ask_in_modal, attend, show
from .rows import turn_slot
from .texts import TEXT_LENGTH, cut, say

LINES: Final = 25
STORY_LENGTH: Final = 1800


class HistoryCog(GuestCog):
    """What has been at the table."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self.reels = Reels(self.tables)
        verbs["history"] = self.history_press
        verbs["historyturn"] = self.turn_press
        verbs["since"] = self.since_press
        verbs["reel"] = self.reel_press
        modals["historyturn"] = self.turn_entered

    # ---------------------------------------------------------------- board by board

    @app_commands.command(name="history", description="Step through the game board by board")
    @app_commands.describe(turn="The turn to begin with (the last one, if you say nothing)")
    async def history(self, interaction: Interaction, turn: app_commands.Range[int, 1] | None = None) -> None:
        async def work() -> None:
            live = await self.table.here(interaction)
            past = await Past.of(self.tables, live)
            await self._show_board(interaction, past, len(past.boards) - 1 if turn is None else past.at_turn(turn))

        await attend(interaction, work)

    async def history_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Another board; from a message that everybody sees, the last one, in a panel of one's own."""

        async def work() -> None:
            past = await Past.of(self.tables, await self.table.live_of(press))
            await self._show_board(interaction, past, int(press.arg or len(past.boards)))

        await attend(interaction, work, fresh=not press.arg)

    async def turn_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Ask for the number of a turn."""
        await ask_in_modal(interaction, TurnModal(press))

    async def turn_entered(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Go to the turn of that number."""

        async def work() -> None:
            if not press.arg.isdecimal():
                raise Refused(say("history.no_number"))
            past = await Past.of(self.tables, await self.table.live_of(press))
            await self._show_board(interaction, past, past.at_turn(int(press.arg)))

        await attend(interaction, work)

    async def _show_board(self, interaction: Interaction, past: Past, page: int) -> None:
        """The board at that place as the person could know it then, and what led to it."""
        live, seat = past.live, past.live.seat_of(interaction.user.id)
        page = min(page, len(past.boards) - 1)
        shown = past.boards[page]
        events = past.told(seat, shown.first, shown.last)
        view = await past.view(shown, seat)
        picture, board = await self.tables.composer.board(live, view, (), places_of(events))
        head = say("history.page", page=page + 1, pages=len(past.boards), turn=await self._turn(live, shown.turn))
        text = cut("\n".join([head, *live.told(events, seat)]), STORY_LENGTH)
        jump = button(Press(live.id, 0, 0, "historyturn"), say("button.historyturn"))
        row = page_row(live.id, "history", page, len(past.boards))
        items = [ui.TextDisplay(text), *board_items(picture, board), row, ui.ActionRow(jump)]
        await show(interaction, Message(layout(items, live.colour(None)), picture))

    async def _turn(self, live: Live, turn: int | None) -> str:
        """The turn's number, as a link to its message if there is one."""
        slot = None if turn is None else await self.tables.store.slot(live.id, turn_slot(turn))
        name = "" if turn is None else say("history.turn", turn=turn)
        if slot is None:
            return name
        place = live.game.guild_id or "@me"
        return f"[{name}](https://discord.com/channels/{place}/{slot.channel_id}/{slot.message_id})"

    # ---------------------------------------------------------------- what is new

    @app_commands.command(name="since", description="What has changed since you last looked or did something")
    async def since(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.table.here(interaction)
            look = await self.tables.store.look(live.id, interaction.user.id)
            past = await Past.of(self.tables, live)
            await self._show_since(interaction, past, look)

        await attend(interaction, work)

    async def _show_since(self, interaction: Interaction, past: Past, look: int) -> None:
        """The board with what has changed ringed, and the first lines."""
        live, seat = past.live, past.live.seat_of(interaction.user.id)
        known = len(live.told(past.told(seat, 0, look - 1), seat)) if look else 0
        lines = live.told(past.told(seat, 0), seat)
        view = await past.view(past.boards[-1], seat)
        picture, board = await self.tables.composer.board(live, view, (), past.changed_since(look, seat))
        text, rows = since_page(live.id, lines, known, 0, TEXT_LENGTH - len(board))
        await self.tables.store.set_look(live.id, interaction.user.id, past.length)
        items = [ui.TextDisplay(text), *board_items(picture, board), *rows]
        await show(interaction, Message(layout(items, live.colour(None)), picture))

    async def since_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """More lines. The custom id counts lines that the person knows, never records, which would tell of secrets."""

        async def work() -> None:
            past = await Past.of(self.tables, await self.table.live_of(press))
            seat = past.live.seat_of(interaction.user.id)
            known, page = (int(part) for part in press.arg.split("."))
            text, rows = since_page(past.live.id, past.live.told(past.told(seat, 0), seat), known, page)
            await show(interaction, text_panel(text, None, rows))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- the whole game at once

    @app_commands.command(name="reel", description="The board's whole life as one animated picture")
    @app_commands.describe(mine="As you see it, instead of as those who watch do")
    async def reel(self, interaction: Interaction, mine: bool = False) -> None:
        async def work() -> None:
            await self._show_reel(interaction, await self.table.here(interaction), mine=mine)

        await attend(interaction, work)

    async def reel_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The reel, from the message at the game's end."""

        async def work() -> None:
            await self._show_reel(interaction, await self.table.live_of(press), mine=False)

        await attend(interaction, work, fresh=True)

    async def _show_reel(self, interaction: Interaction, live: Live, *, mine: bool) -> None:
        seat = self.table.seat_for(live, interaction.user.id) if mine else None
        reel = await self.reels.of(live, seat)
        text = say("reel.title", title=live.rules.title, game=live.id, shown=reel.frames, boards=reel.boards)
        item = discord.MediaGalleryItem(f"attachment://{reel.filename}", description=reel.alt)
        panel = layout([ui.TextDisplay(text), ui.MediaGallery(item)], live.colour(None))
        await show(interaction, Message(panel, file=(reel.filename, reel.gif)))


def since_page(
    game: int, lines: Sequence[str], known: int, page: int, length: int = TEXT_LENGTH
) -> tuple[str, list[ui.Item[Any]]]:
    """A page of the lines after the first `known` ones, no longer than that, with the buttons to other pages."""
    new = lines[known:]
    pages = max(1, -(-len(new) // LINES))
    page = min(page, pages - 1)
    head = say("since.page", n=len(new), page=page + 1, pages=pages) if new else say("since.none")
    text = cut("\n".join([head, *new[page * LINES : (page + 1) * LINES]]), length)
    return text, [page_row(game, "since", page, pages, f"{known}.")] if pages > 1 else []


class TurnModal(ui.Modal):
    """Asks for the number of a turn. It is read by `modals`, restarts or not."""

    def __init__(self, press: Press) -> None:
        super().__init__(title=say("button.historyturn")[:45], timeout=None, custom_id=press.custom_id)
        field: ui.TextInput[Any] = ui.TextInput(custom_id="number", max_length=6, required=True)
        self.add_item(ui.Label(text=say("history.number"), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `TableCog.on_interaction`."""


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", HistoryCog(bot))
