"""The running game in a channel: its buttons and menus, and `/table`."""

from __future__ import annotations

import io
import logging
import secrets
from collections.abc import Sequence
from typing import Any

import discord
import msgspec
from discord import app_commands, ui
from discord.ext import commands

from rules.engine import Illegal, Question, read
from rules.why_not import explained_act, explaining

from . import panels, standing
from .base import TablesCog
from .errors import Refused
from .forms import short
from .items import Interaction, Press, TableItem, modals, verbs
from .live import TOKENS, ActDraft, Draft, Live
from .messages import Message
from .picking import NumberModal, chosen, field_of, modal_value, selection
from .replies import NOTE_LENGTH, ask_in_modal, attend, in_private, reason, show, show_outcome, tell
from .tables import Tables
from .texts import cut, say
from .writing import by_name, choices

logger = logging.getLogger(__name__)

PAGE_LINES = 25


class TableCog(TablesCog):
    """Presses on a game's messages, and the commands every game has."""

    table = app_commands.Group(name="table", description="The game in this channel", guild_only=True)

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        for verb in ("answer", "menu", "all", "none", "add", "clear", "done", "page"):
            verbs[verb] = self.on_choice
        own = {
            "unknown": self.on_unknown,
            "open": self.on_open,
            "number": self.on_number,
            "stand": self.on_stand,
            "standing": self.on_stand,
            "hand": self.on_hand,
            "text": self.on_text,
            "acts": self.on_acts,
            "act": self.on_act,
            "log": self.on_log,
        }
        verbs.update(own)
        modals["number"] = self.on_choice

    # ---------------------------------------------------------------- presses

    async def live_of(self, press: Press) -> Live:
        """The game of a press, running or ended; Refused when there is none."""
        live = await self.tables.find(press.game)
        if live is None:
            raise Refused(say("game.broken" if press.game in self.tables.broken else "game.gone"))
        return live

    async def seat_of(self, interaction: Interaction, press: Press, *, own: bool = False) -> tuple[Live, int]:
        """The game of a press, and the presser's seat; Refused when he only watches. `own`: it must be the press's."""
        live = await self.live_of(press)
        seat = self.seat_for(live, interaction.user.id)
        if own and press.seat != seat:
            raise Refused(say("game.not_yours", seat=live.name(press.seat)))
        return live, seat

    def seat_for(self, live: Live, user_id: int) -> int:
        """The seat of this person; Refused when he only watches."""
        seat = live.seat_of(user_id)
        if seat is None:
            raise Refused(say("game.watching"))
        return seat

    async def on_unknown(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A button that this version does not know."""
        await attend(interaction, lambda: tell(interaction, say("game.unknown_button")), fresh=True)

    async def on_choice(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A press that answers, or works on a selection."""

        async def work() -> None:
            live, seat = await self.seat_of(interaction, press, own=True)
            if press.number >= TOKENS:
                await self._field(interaction, live, seat, press, values)
            else:
                await self._choice(interaction, live, seat, press, values)

        await attend(interaction, work)

    async def _choice(
        self, interaction: Interaction, live: Live, seat: int, press: Press, values: Sequence[str]
    ) -> None:
        self.tables.steps.check_live(live, seat, press.number)
        question = live.table.asked[seat]
        answer = chosen(question, press, values)
        if press.verb == "done":
            answer = live.draft(await self.tables.store.draft(live.id, seat), seat).picked
        if answer is None:
            selected = await self.tables.steps.select(
                live, seat, press.number, lambda draft: selection(question, press, values, draft)
            )
            await show(interaction, panels.seat_panel(live, seat, selected))
            return
        change = await self.tables.steps.answer(live, seat, press.number, answer, interaction.id)
        following = live.table.asked.get(seat)
        asked_on = following is not None and not short(following)
        if change is None or asked_on or in_private(interaction) or press.verb == "number":
            await show_outcome(interaction, live, seat, change)

    async def on_open(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Open the presser's private panel."""

        async def work() -> None:
            await self.show_panel(interaction, *await self.seat_of(interaction, press))

        await attend(interaction, work, fresh=True)

    async def show_panel(self, interaction: Interaction, live: Live, seat: int) -> None:
        """The private panel of a seat, with its selection so far."""
        draft = live.draft(await self.tables.store.draft(live.id, seat), seat)
        await live.work_out_for(seat)
        await show(interaction, panels.seat_panel(live, seat, draft))

    async def on_number(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Ask for a number in a modal."""
        live = self.tables.live.get(press.game)
        seat = live.seat_of(interaction.user.id) if live else None
        field = None
        if live is not None and seat is not None and seat == press.seat:
            field = self._asked(live, seat, press.number)
        if live is None or field is None:
            await self.on_choice(interaction, press, values)  # which says why not
        else:
            await ask_in_modal(interaction, NumberModal(press, live.labels.question(field), field))

    def _asked(self, live: Live, seat: int, token: int) -> Question | None:
        """The question, or field of an act, that the token stands for; None when it has gone."""
        if token >= TOKENS:
            return field_of(live, seat) if seat in live.acting and live.acting[seat].token == token else None
        asked = live.table.asked.get(seat)
        return asked if asked is not None and live.token(seat) == token else None

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """A submitted modal."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: Any = interaction.data or {}
        match = TableItem.__discord_ui_compiled_template__.match(data.get("custom_id", ""))
        if match is not None:
            press = Press.read(match)._replace(arg=modal_value(data["components"]))
            await modals.get(press.verb, verbs["unknown"])(interaction, press, ())

    async def on_stand(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Leave a standing answer to pass in the windows of the question, or withdraw it."""

        async def work() -> None:
            live, seat = await self.seat_of(interaction, press, own=True)
            if press.verb == "stand":
                self.tables.steps.check_live(live, seat, press.number)
                windows = live.table.asked[seat].windows
            else:
                windows = tuple(values)
            how_long = press.arg if press.arg in standing.HOW_LONG else ""
            for window in windows:
                if how_long or window in live.table.standing.get(seat, ()):
                    await self.tables.steps.step(
                        live,
                        seat,
                        interaction.user.id,
                        lambda table, name=window: standing.stand(live, table, seat, name, how_long),  # type: ignore[misc]
                    )
            panel = panels.seat_panel(live, seat, note=say(f"standing.{how_long or 'off'}"))
            await show(interaction, panel if press.verb == "stand" else panels.standing_panel(live, seat))

        await attend(interaction, work)

    async def on_hand(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Show the presser his hand."""

        async def work() -> None:
            await self.show_hand(interaction, await self.live_of(press))

        await attend(interaction, work, fresh=True)

    async def show_hand(self, interaction: Interaction, live: Live) -> None:
        """The hand of the interaction's person, privately."""
        seat, length = self.seat_for(live, interaction.user.id), live.table.length
        if not hasattr(live.table.view(seat), "hand"):
            raise Refused(say("hand.none"))
        await self.tables.sender.refusals.try_dm_again(live, seat)
        shown = await self.tables.composer.hand(live, seat, interaction.user.id)
        if shown is None:
            raise Refused(say("game.watching"))
        await self.tables.store.set_look(live.id, interaction.user.id, length)
        await show(interaction, shown)

    async def on_text(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Show the board as text."""

        async def work() -> None:
            await self.show_board(interaction, await self.live_of(press), text=True)

        await attend(interaction, work, fresh=True)

    async def show_board(self, interaction: Interaction, live: Live, *, text: bool) -> None:
        """The board as the interaction's person sees it, privately."""
        view, length = live.table.view(live.seat_of(interaction.user.id)), live.table.length
        await self.tables.store.set_look(live.id, interaction.user.id, length)
        if text:
            await tell(interaction, f"```\n{cut(live.rules.board(view, live.labels), 3500)}\n```")
            return
        picture, board = await self.tables.composer.board(live, view, (), live.changed_places())
        await show(
            interaction,
            Message(panels.layout(panels.board_items(picture, board), live.colour(None)), picture),
        )

    # ---------------------------------------------------------------- acts

    async def on_acts(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """List what the presser may do outside his question."""

        async def work() -> None:
            await show(interaction, panels.acts_panel(*await self.seat_of(interaction, press)))

        await attend(interaction, work, fresh=True)

    async def on_act(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Begin an act."""

        async def work() -> None:
            live, seat = await self.seat_of(interaction, press, own=True)
            live.acting[seat] = ActDraft(values[0], TOKENS + secrets.randbelow(TOKENS))
            await self._next_field(interaction, live, seat)

        await attend(interaction, work)

    async def _field(
        self, interaction: Interaction, live: Live, seat: int, press: Press, values: Sequence[str]
    ) -> None:
        field = self._asked(live, seat, press.number)
        if field is None:
            await show(interaction, panels.acts_panel(live, seat, say("game.stale")))
            return
        draft = live.acting[seat]
        answer = draft.picked if press.verb == "done" else chosen(field, press, values)
        if answer is None:
            picks = selection(field, press, values, Draft(draft.picked, draft.page))
            live.acting[seat] = msgspec.structs.replace(draft, picked=picks.picked, page=picks.page)
        else:
            live.acting[seat] = ActDraft(draft.name, draft.first, (*draft.fields, field.check(answer)))
        await self._next_field(interaction, live, seat)

    async def _next_field(self, interaction: Interaction, live: Live, seat: int) -> None:
        draft = live.acting[seat]
        field = field_of(live, seat)
        if field is not None:
            await show(interaction, panels.field_panel(live, seat, field, draft))
            return
        del live.acting[seat]
        try:
            change = await self.tables.steps.step(
                live, seat, interaction.user.id, lambda table: table.act(seat, draft.name, draft.fields), interaction.id
            )
        except Illegal as illegal:
            why = explained_act(live.table, seat, draft.name, illegal)
            await show(interaction, panels.acts_panel(live, seat, reason(why, live)[0]))
            return
        told = "\n".join(live.told(change.events, seat)) or say("acts.done")
        await show(interaction, panels.seat_panel(live, seat, note=cut(told, NOTE_LENGTH)))

    # ---------------------------------------------------------------- /table

    async def here(self, interaction: Interaction, *, ended: bool = True) -> Live:
        """The game of the channel; Refused when there is none, or when it has ended and that does not do."""
        live = await self.tables.find_in(interaction.channel_id)
        if live is None:
            raise await none_here(self.tables, interaction)
        if live.table.over and not ended:
            raise Illegal("engine.over")
        return live

    async def seat_here(self, interaction: Interaction) -> tuple[Live, int]:
        """The running game of the channel and the person's seat in it."""
        live = await self.here(interaction, ended=False)
        return live, self.seat_for(live, interaction.user.id)

    @table.command(name="board", description="Show the board as you see it")
    @app_commands.describe(text="As text instead of a picture")
    async def board(self, interaction: Interaction, text: bool = False) -> None:
        async def work() -> None:
            await self.show_board(interaction, await self.here(interaction), text=text)

        await attend(interaction, work)

    @table.command(name="hand", description="Show your hand, to you alone")
    async def hand(self, interaction: Interaction) -> None:
        async def work() -> None:
            await self.show_hand(interaction, await self.here(interaction))

        await attend(interaction, work)

    @table.command(name="turn", description="Put the live question again, and open it if it is yours")
    async def turn(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.here(interaction, ended=False)
            seat = live.seat_of(interaction.user.id)
            if seat is None:
                await tell(interaction, panels.waiting_text(live))
                return
            await self.tables.sender.refresh(live)
            await self.show_panel(interaction, live, seat)

        await attend(interaction, work)

    @table.command(name="answer", description="Answer your question in writing")
    @app_commands.describe(choice="What you choose: one, or several joined by + (in an order by >)")
    async def answer(self, interaction: Interaction, choice: str) -> None:
        async def work() -> None:
            live, seat = await self.seat_here(interaction)
            if seat not in live.table.asked:
                raise Illegal("engine.not_asked")
            question = live.table.asked[seat]
            with explaining(live.table, seat, question):
                answer = read(question, by_name(live, question, choice))
            change = await self.tables.steps.answer(live, seat, live.token(seat), answer, interaction.id)
            await show_outcome(interaction, live, seat, change)

        await attend(interaction, work)

    @answer.autocomplete("choice")
    async def answer_choices(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        live = self.tables.in_channel(interaction.channel_id)
        seat = live.seat_of(interaction.user.id) if live else None
        question = live.table.asked.get(seat) if live and seat is not None else None
        return choices(live, question, current) if live and question else []

    @table.command(name="standing", description="Where you pass by yourself when others could interrupt")
    async def standing(self, interaction: Interaction) -> None:
        async def work() -> None:
            await show(interaction, panels.standing_panel(*await self.seat_here(interaction)))

        await attend(interaction, work)

    @table.command(name="log", description="What has happened, as you may know it")
    @app_commands.describe(page="1 is the latest")
    async def log(self, interaction: Interaction, page: app_commands.Range[int, 1] = 1) -> None:
        async def work() -> None:
            await self._show_log(interaction, await self.here(interaction), page - 1)

        await attend(interaction, work)

    async def on_log(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Another page of the log."""

        async def work() -> None:
            await self._show_log(interaction, await self.live_of(press), int(press.arg))

        await attend(interaction, work)

    async def _show_log(self, interaction: Interaction, live: Live, page: int) -> None:
        """A page of the log, 0 being the latest."""
        lines = await self.tables.story(live, live.seat_of(interaction.user.id))
        pages = max(1, -(-len(lines) // PAGE_LINES))
        page = min(page, pages - 1)
        end = len(lines) - page * PAGE_LINES
        shown = cut("\n".join(lines[max(0, end - PAGE_LINES) : end]), 3400)
        text = say("log.page", page=page + 1, pages=pages) + "\n" + shown
        await show(interaction, panels.text_panel(text, None, [panels.page_row(live.id, "log", page, pages)]))

    @table.command(name="export", description="The ended game as a file that can be verified")
    async def export(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = await self.here(interaction)
            if not live.table.over:
                raise Illegal("engine.not_over")
            name = f"game-{live.id}.json"
            file = discord.File(io.BytesIO(await self.tables.composer.export(live)), name)
            view = panels.layout([ui.File(f"attachment://{name}")], live.colour(None))
            await interaction.edit_original_response(view=view, attachments=[file])

        await attend(interaction, work)


async def none_here(tables: Tables, interaction: Interaction) -> Refused:
    """Why no game is running in the channel."""
    game = await tables.store.game_in_channel(interaction.channel_id or 0)
    if game is not None and game.status == "lobby":
        return Refused(say("game.not_started"))
    return Refused(say("game.broken" if game is not None and game.id in tables.broken else "game.none_here"))


async def on_tree_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """A command that never reached its own code, such as one that Discord still shows after it has changed."""
    out_of_date = isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch)
    out_of_reach = isinstance(error, app_commands.TransformerError)  # a channel or thread that the bot does not see
    if not out_of_date and not out_of_reach:
        logger.error("a command failed", exc_info=error, extra={"interaction": interaction.id})
    if interaction.type is discord.InteractionType.application_command and not interaction.response.is_done():
        text = say("game.unknown_command" if out_of_date else "game.out_of_reach" if out_of_reach else "trouble.bug")
        await attend(interaction, lambda: tell(interaction, text))


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    bot.add_dynamic_items(TableItem)
    bot.tree.error(on_tree_error)
    await bot.add_cog(TableCog(bot))
