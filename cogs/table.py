"""The running game in a channel: its buttons and menus, and `/table`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import discord
import msgspec
from discord import app_commands, ui
from discord.ext import commands

import db
from rules.engine import SKIP, Answer, Illegal, Plan, Question, encode, read

from . import panels
from .items import Interaction, Press, TableItem, button, verbs
from .live import BOT, Live
from .panels import ACT, ASIDE
from .replies import attend, in_private, show, tell
from .sender import Consenting, Message
from .tables import Draft, Refused, Stale, Tables, now_ms
from .texts import cut, say

PAGE_LINES = 25


class ActDraft(msgspec.Struct, frozen=True):
    """An act in the making: its name, the fields given, and the selection for the next one."""

    name: str
    fields: tuple[Answer, ...] = ()
    picked: Answer = ()
    page: int = 0


class TableCog(commands.Cog):
    """Presses on a game's messages, and the commands every game has."""

    table = app_commands.Group(name="table", description="The game in this channel", guild_only=True)

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        self.acting: dict[tuple[int, int], ActDraft] = {}
        for verb in ("answer", "menu", "all", "none", "add", "clear", "done", "page"):
            verbs[verb] = self.on_choice
        own = {
            "open": self.on_open,
            "number": self.on_number,
            "hand": self.on_hand,
            "text": self.on_text,
            "acts": self.on_acts,
            "act": self.on_act,
            "agree": self.on_consent,
            "refuse": self.on_consent,
            "undo": self.on_undo,
            "history": self.on_history,
        }
        verbs.update(own)

    @property
    def tables(self) -> Tables:
        tables: Tables = self.bot.tables
        return tables

    # ---------------------------------------------------------------- presses

    def live_of(self, press: Press) -> Live:
        """The running game of a press."""
        live = self.tables.live.get(press.game)
        if live is None:
            raise Refused(say("game.broken" if press.game in self.tables.broken else "game.gone"))
        return live

    def seat_for(self, live: Live, user_id: int) -> int:
        """The seat of this person; Refused when he only watches."""
        seat = live.seat_of(user_id)
        if seat is None:
            raise Refused(say("game.watching"))
        return seat

    async def on_choice(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """A press that answers, or works on a selection."""

        async def work() -> None:
            live = self.live_of(press)
            seat = self.seat_for(live, interaction.user.id)
            if press.number == ACT and press.seat == seat:
                await self._field(interaction, live, seat, press, values)
                return
            if press.seat != seat:
                raise Refused(say("game.not_yours", seat=live.names[press.seat]))
            try:
                await self._choice(interaction, live, seat, press, values)
            except Stale:
                await self._live_question(interaction, live, seat)

        await attend(interaction, work)

    async def _choice(
        self, interaction: Interaction, live: Live, seat: int, press: Press, values: Sequence[str]
    ) -> None:
        question = live.table.asked.get(seat)
        if question is None or live.table.number(seat) != press.number:
            raise Stale
        stored = await self.tables.store.draft(live.id, seat)
        draft = Draft()
        if stored is not None and stored.question == press.number:
            draft = msgspec.msgpack.decode(stored.data, type=Draft)
        answer, draft = chosen(question, press, values, draft)
        if answer is None:
            await self.tables.store.set_draft(live.id, seat, press.number, encode(draft))
            await show(interaction, panels.seat_panel(live, seat, draft.picked, draft.page))
            return
        await self.give(interaction, live, seat, press.number, answer)

    async def give(self, interaction: Interaction, live: Live, seat: int, number: int, answer: Answer) -> None:
        """Give the answer, and show its person how it goes on."""
        change = await self.tables.answer(live, seat, number, answer, interaction.id)
        if change is None:
            await show(interaction, panels.seat_panel(live, seat, note=say("panel.held")))
            return
        told = [line for event in change.events if (line := live.tell(0, event, seat))]
        following = live.table.asked.get(seat)
        if in_private(interaction) or interaction.type is discord.InteractionType.modal_submit:
            await show(interaction, panels.seat_panel(live, seat, note=cut("\n".join(told), 1500)))
        elif following is not None and not panels.short(following):
            await show(interaction, panels.seat_panel(live, seat))

    async def _live_question(self, interaction: Interaction, live: Live, seat: int) -> None:
        await show(interaction, panels.seat_panel(live, seat, note=say("game.stale")))

    async def on_open(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Open the presser's private panel."""

        async def work() -> None:
            live = self.live_of(press)
            seat = self.seat_for(live, interaction.user.id)
            draft = Draft()
            stored = await self.tables.store.draft(live.id, seat)
            if stored is not None and seat in live.table.asked and stored.question == live.table.number(seat):
                draft = msgspec.msgpack.decode(stored.data, type=Draft)
            await show(interaction, panels.seat_panel(live, seat, draft.picked, draft.page))

        await attend(interaction, work, fresh=True)

    async def on_number(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Ask for a number in a modal."""
        live = self.tables.live.get(press.game)
        seat = live.seat_of(interaction.user.id) if live else None
        if live is None or seat != press.seat:
            await attend(interaction, lambda: tell(interaction, say("game.watching")), fresh=True)
            return
        field = self._field_of(live, seat) if press.number == ACT else live.table.asked.get(seat)
        if field is None or (press.number != ACT and live.table.number(seat) != press.number):
            await attend(interaction, lambda: self._live_question(interaction, live, seat), fresh=True)
            return
        await interaction.response.send_modal(NumberModal(press, live.words.question(field), field))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """A submitted modal; its custom id says everything, so it survives a restart."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: Any = interaction.data or {}
        match = TableItem.__discord_ui_compiled_template__.match(data.get("custom_id", ""))
        if match is not None:
            press = Press.read(match)
            await self.on_choice(interaction, press._replace(verb="answer", arg=modal_value(data["components"])), ())

    async def on_hand(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Show the presser his hand."""
        await attend(interaction, lambda: self.show_hand(interaction, self.live_of(press)), fresh=True)

    async def show_hand(self, interaction: Interaction, live: Live) -> None:
        """The hand of the interaction's person, privately."""
        seat = self.seat_for(live, interaction.user.id)
        await show(interaction, await self.tables.sender.hand_message(live, seat))

    async def on_text(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Show the board as text."""
        await attend(interaction, lambda: self.show_board(interaction, self.live_of(press), text=True), fresh=True)

    async def show_board(self, interaction: Interaction, live: Live, *, text: bool) -> None:
        """The board as the interaction's person sees it, privately."""
        view = live.table.view(live.seat_of(interaction.user.id))
        if text:
            await tell(interaction, f"```\n{cut(live.rules.board(view, live.words), 3500)}\n```")
            return
        picture, board = await self.tables.sender.board(live, view, (), live.changed_places())
        await show(
            interaction,
            Message(panels.layout(panels.board_items(picture, board), live.colour(None)), picture),
        )

    # ---------------------------------------------------------------- acts

    async def on_acts(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """List what the presser may do outside his question."""

        async def work() -> None:
            live = self.live_of(press)
            await show(interaction, panels.acts_panel(live, self.seat_for(live, interaction.user.id)))

        await attend(interaction, work, fresh=True)

    async def on_act(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Begin an act."""

        async def work() -> None:
            live = self.live_of(press)
            seat = self.seat_for(live, interaction.user.id)
            self.acting[live.id, seat] = ActDraft(values[0])
            await self._next_field(interaction, live, seat)

        await attend(interaction, work)

    def _field_of(self, live: Live, seat: int) -> Question | None:
        draft = self.acting.get((live.id, seat))
        act = next((act for act in live.table.acts(seat) if draft is not None and act.name == draft.name), None)
        if draft is None or act is None or len(draft.fields) >= len(act.fields):
            return None
        return act.fields[len(draft.fields)]

    async def _field(
        self, interaction: Interaction, live: Live, seat: int, press: Press, values: Sequence[str]
    ) -> None:
        field = self._field_of(live, seat)
        draft = self.acting.get((live.id, seat))
        if field is None or draft is None:
            await show(interaction, panels.acts_panel(live, seat, say("game.stale")))
            return
        answer, chose = chosen(field, press, values, Draft(draft.picked, draft.page))
        if answer is None:
            self.acting[live.id, seat] = msgspec.structs.replace(draft, picked=chose.picked, page=chose.page)
        else:
            self.acting[live.id, seat] = ActDraft(draft.name, (*draft.fields, answer))
        await self._next_field(interaction, live, seat)

    async def _next_field(self, interaction: Interaction, live: Live, seat: int) -> None:
        draft = self.acting[live.id, seat]
        field = self._field_of(live, seat)
        if field is not None:
            await show(interaction, panels.field_panel(live, seat, field, draft.picked, draft.page))
            return
        del self.acting[live.id, seat]
        change = await self.tables.step(live, lambda table: table.act(seat, draft.name, draft.fields), interaction.id)
        told = [line for event in change.events if (line := live.tell(0, event, seat))]
        await show(interaction, panels.text_panel("\n".join(told) or say("acts.done")))

    # ---------------------------------------------------------------- /table

    def here(self, interaction: Interaction) -> Live:
        """The running game of the channel; Refused when there is none."""
        live = self.tables.in_channel(interaction.channel_id)
        if live is None:
            game_id = self.tables.by_channel.get(interaction.channel_id or 0)
            raise Refused(say("game.broken" if game_id in self.tables.broken else "game.none_here"))
        return live

    @table.command(name="board", description="Show the board as you see it")
    @app_commands.describe(text="As text instead of a picture")
    async def board(self, interaction: Interaction, text: bool = False) -> None:
        await attend(interaction, lambda: self.show_board(interaction, self.here(interaction), text=text), fresh=True)

    @table.command(name="hand", description="Show your hand, to you alone")
    async def hand(self, interaction: Interaction) -> None:
        await attend(interaction, lambda: self.show_hand(interaction, self.here(interaction)), fresh=True)

    @table.command(name="turn", description="Put the live question again, or open it if it is yours")
    async def turn(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = self.here(interaction)
            seat = live.seat_of(interaction.user.id)
            await self.tables.sender.refresh(live)
            if seat is not None and seat in live.table.asked:
                await show(interaction, panels.seat_panel(live, seat))
            else:
                await tell(interaction, panels.waiting_text(live))

        await attend(interaction, work, fresh=True)

    @table.command(name="answer", description="Answer your question in writing")
    @app_commands.describe(choice="What you choose: one, or several joined by + (in an order by >)")
    async def answer(self, interaction: Interaction, choice: str) -> None:
        async def work() -> None:
            live = self.here(interaction)
            seat = self.seat_for(live, interaction.user.id)
            question = live.table.asked.get(seat)
            if question is None:
                raise Illegal("engine.not_asked")
            await self.give_and_tell(interaction, live, seat, read(question, choice))

        await attend(interaction, work, fresh=True)

    async def give_and_tell(self, interaction: Interaction, live: Live, seat: int, answer: Answer) -> None:
        """Give an answer that came by slash command, and say what came of it."""
        change = await self.tables.answer(live, seat, live.table.number(seat), answer, interaction.id)
        if change is None:
            await show(interaction, panels.seat_panel(live, seat, note=say("panel.held")))
            return
        told = [line for event in change.events if (line := live.tell(0, event, seat))]
        await show(interaction, panels.seat_panel(live, seat, note=cut("\n".join(told), 1500)))

    @answer.autocomplete("choice")
    async def answer_choices(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        live = self.tables.in_channel(interaction.channel_id)
        seat = live.seat_of(interaction.user.id) if live else None
        question = live.table.asked.get(seat) if live and seat is not None else None
        return choices(live, question, current) if live and question else []

    @table.command(name="log", description="What has happened, as you may know it")
    @app_commands.describe(page="1 is the latest")
    async def log(self, interaction: Interaction, page: app_commands.Range[int, 1] = 1) -> None:
        async def work() -> None:
            live = self.here(interaction)
            seat = live.seat_of(interaction.user.id)
            lines = await self.tables.story(live, seat)
            last = max(1, -(-len(lines) // PAGE_LINES))
            at = min(page, last)
            end = len(lines) - (at - 1) * PAGE_LINES
            shown = "\n".join(lines[max(0, end - PAGE_LINES) : end])
            await tell(interaction, say("log.page", page=at, pages=last) + "\n" + cut(shown, 3400))

        await attend(interaction, work, fresh=True)

    @table.command(name="history", description="Step through the game board by board")
    async def history(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = self.here(interaction)
            await self._show_past(interaction, live, len(await self.tables.store.checkpoints(live.id)) - 1)

        await attend(interaction, work, fresh=True)

    async def on_history(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Another page of the history."""
        await attend(interaction, lambda: self._show_past(interaction, self.live_of(press), int(press.arg)))

    async def _show_past(self, interaction: Interaction, live: Live, at: int) -> None:
        seqs = await self.tables.store.checkpoints(live.id)
        at = max(0, min(at, len(seqs) - 1))
        view = await self.tables.view_at(live, seqs[at], live.seat_of(interaction.user.id))
        picture, board = await self.tables.sender.board(live, view)
        buttons = [
            button(Press(live.id, 0, n, "history", str(to)), say(label), disabled=not 0 <= to < len(seqs))
            for n, (to, label) in enumerate(
                (
                    (0, "button.first"),
                    (at - 1, "button.before"),
                    (at + 1, "button.after"),
                    (len(seqs) - 1, "button.last"),
                )
            )
        ]
        items = [
            ui.TextDisplay(say("history.page", page=at + 1, pages=len(seqs))),
            *panels.board_items(picture, board),
            ui.ActionRow(*buttons),
        ]
        await show(interaction, Message(panels.layout(items, live.colour(None)), picture))

    @table.command(name="export", description="The ended game as a file that can be verified")
    async def export(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = self.here(interaction)
            if not live.table.over:
                raise Illegal("engine.not_over")
            name = f"game-{live.id}.json"
            file = discord.File(io.BytesIO(await self.tables.sender.export(live)), name)
            view = panels.layout([ui.File(f"attachment://{name}")], live.colour(None))
            await interaction.edit_original_response(view=view, attachments=[file])

        await attend(interaction, work, fresh=True)

    @table.command(name="leave", description="Leave the game; a bot player takes your seat")
    async def leave(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = self.here(interaction)
            seat = self.seat_for(live, interaction.user.id)
            name = say("seat.bot", n=seat + 1)
            level = next(iter(live.rules.bots), "random")
            member = db.Member(live.id, seat, None, BOT, level, name, live.members[seat].preference)
            await self.tables.hand_over(live, seat, member)
            await tell(interaction, say("seat.left"))

        await attend(interaction, work, fresh=True)

    # ---------------------------------------------------------------- undo

    @table.command(name="undo", description="Take back your last step, after a look at what that means")
    async def undo(self, interaction: Interaction) -> None:
        async def work() -> None:
            live = self.here(interaction)
            seat = self.seat_for(live, interaction.user.id)
            plan = await self.tables.plan_undo(live, seat)
            await show(interaction, self._preview(live, seat, plan))

        await attend(interaction, work, fresh=True)

    def _preview(self, live: Live, seat: int, plan: Plan) -> ui.LayoutView:
        steps = [
            say("undo.step", seat="" if r.seat is None else live.names[r.seat], what=live.step_text(r))
            for r in plan.records
        ]
        people = [owner for owner in plan.owners if not live.is_bot(owner)]
        text = [say("undo.preview", steps=len(plan.records)), *steps[-20:]]
        if plan.redraws:
            text.append(say("undo.redraws"))
        if people:
            text.append(say("undo.consent", seats=", ".join(live.names[owner] for owner in people)))
        press = Press(live.id, seat, live.table.length, "undo", str(plan.to))
        confirm = button(press, say("button.ask" if people else "button.undo"), discord.ButtonStyle.danger)
        return panels.text_panel("\n".join(text), None, [ui.ActionRow(confirm)])

    async def on_undo(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The undo as previewed, or the request for it."""

        async def work() -> None:
            live = self.live_of(press)
            seat = self.seat_for(live, interaction.user.id)
            if seat != press.seat or live.table.length != press.number:
                raise Refused(say("undo.stale"))
            plan = await self.tables.plan_undo(live, seat, int(press.arg))
            bots = [owner for owner in plan.owners if live.is_bot(owner)]
            if len(bots) == len(plan.owners):
                await self.tables.undo(live, seat, plan.to, bots, interaction.id)
                await show(interaction, panels.seat_panel(live, seat, note=say("undo.done")))
                return
            request = db.UndoRequest(
                live.id, seat, plan.to, live.table.length, plan.owners, tuple(bots), created_ms=now_ms()
            )
            await self.tables.store.clear_undo_request(live.id)
            await self.tables.store.set_undo_request(request)
            await self.tables.sender.post(live.id, live.channel_id, f"undo{live.table.length}", Consenting())
            await tell(interaction, say("undo.asked"))

        await attend(interaction, work)

    async def on_consent(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Somebody agrees to an undo, or refuses it."""

        async def work() -> None:
            live = self.live_of(press)
            seat = self.seat_for(live, interaction.user.id)
            request = await self.tables.store.undo_request(live.id)
            if request is None or request.head_seq != press.number or request.head_seq != live.table.length:
                raise Refused(say("undo.stale"))
            if seat not in request.needed and not (press.verb == "refuse" and seat == request.seat):
                raise Refused(say("undo.not_asked"))
            if press.verb == "refuse":
                await self.tables.store.clear_undo_request(live.id)
                await self.tables.sender.withdraw(live.id, live.channel_id, f"undo{request.head_seq}")
                await tell(interaction, say("undo.refused"))
                return
            agreed = await self.tables.store.consent(live.id, seat)
            if agreed is not None and set(agreed.needed) <= set(agreed.consents):
                await self.tables.undo(live, agreed.seat, agreed.to_seq, agreed.consents, interaction.id)
                await self.tables.sender.withdraw(live.id, live.channel_id, f"undo{request.head_seq}")
            else:
                await self.tables.sender.post(live.id, live.channel_id, f"undo{live.table.length}", Consenting())

        await attend(interaction, work)


class NumberModal(ui.Modal):
    """Asks for a number within the question's range. It is read in `on_interaction`, restarts or not."""

    def __init__(self, press: Press, title: str, question: Question) -> None:
        super().__init__(title=title[:45], timeout=None, custom_id=press.custom_id)
        numbers = [option.id for option in question.options if option.id != SKIP]
        field: ui.TextInput[Any] = ui.TextInput(custom_id="number", max_length=12, required=True)
        self.add_item(ui.Label(text=say("modal.number", least=numbers[0], most=numbers[-1]), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `TableCog.on_interaction`."""


def modal_value(components: Any) -> str:
    """The one text of a submitted modal."""
    inner = components[0].get("component") or components[0]["components"][0]
    return str(inner.get("value", "")).strip()


def chosen(question: Question, press: Press, values: Sequence[str], draft: Draft) -> tuple[Answer | None, Draft]:
    """What a press chooses: a whole answer, or (None and) the selection so far."""
    picked = draft.picked
    match press.verb:
        case "answer":
            return (press.arg,), draft
        case "menu":
            return tuple(value.rpartition("#")[0] for value in values), draft
        case "all":
            return tuple(o.id for o in question.options for _ in range(o.count) if o.id not in ASIDE), draft
        case "none":
            return (), draft
        case "done":
            return picked, draft
        case "add":
            more = (*picked, values[0] if values else press.arg)
            if more.count(more[-1]) > question.option(more[-1]).count or len(more) > question.most:
                return None, draft
            return None, Draft(more)
        case "clear":
            return None, Draft()
        case _:
            return None, Draft(picked, int(press.arg or 0))


def choices(live: Live, question: Question, current: str) -> list[app_commands.Choice[str]]:
    """What autocomplete offers for an answer: options by name, added to what is written already."""
    joint = ">" if question.ordered else "+"
    done, _, typed = current.rpartition(joint)
    head = done + joint if done else ""
    written = [part for part in done.split(joint) if part]
    found = []
    for option in question.options:
        label = live.words.option(question, option)
        left = option.count - written.count(option.id)
        fits = typed.lower() in label.lower() or option.id.lower().startswith(typed.lower())
        if fits and left > 0 and len(head + option.id) <= 100:
            shown = label if not written else " + ".join([*written, label])
            found.append(app_commands.Choice(name=shown[-100:], value=head + option.id))
    return found[:25]


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    bot.add_dynamic_items(TableItem)
    await bot.add_cog(TableCog(bot))
