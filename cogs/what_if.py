"""`/table try`: play on in private, on a table of one's own on which nothing is known that one cannot know."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final

import discord
from discord import app_commands, ui

from render import Picture
from render.worker import PictureFailed
from rules.engine import SECRET_BYTES, Illegal, Question, encode
from rules.what_if import WhatIf

from .attempts import Attempt, Patience, TryForm, line_of
from .base import GuestCog
from .errors import Refused, Stale
from .forms import DANGER, MENU, SECONDARY, SUCCESS, Item, rows_of
from .groups import add_under
from .items import Interaction, Press, button, menu, modals, verbs
from .live import TOKENS, Draft
from .messages import Message
from .panels import board_items, layout, text_panel
from .past import places_of
from .picking import NumberModal, chosen, selection
from .replies import ask_in_modal, attend, show, show_outcome
from .texts import cut, say

log = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""So many people can try something at the same time; who has waited longest has to begin anew."""
IDLE_MS: Final = 1_800_000
STORY_LENGTH: Final = 1500
CHOICES: Final = ("answer", "menu", "all", "none", "add", "clear", "done", "page")


class WhatIfCog(GuestCog):
    """What-ifs: in memory only, a few at a time, thought out in a thread one after the other."""

    def __init__(self, bot: Any) -> None:
        super().__init__(bot)
        self.attempts: dict[int, Attempt] = {}
        self._begun: set[int] = set()
        self._room = asyncio.Semaphore(1)
        for verb in CHOICES:
            verbs[f"try{verb}"] = self.choice_press
        verbs["trynumber"] = self.number_press
        modals["trynumber"] = self.choice_press
        verbs["tryundo"] = self.undo_press
        verbs["tryalone"] = self.alone_press
        verbs["trygo"] = self.go_press
        verbs["tryacts"] = self.acts_press
        verbs["tryact"] = self.act_press
        verbs["tryreal"] = self.real_press
        verbs["tryend"] = self.end_press

    @app_commands.command(name="try", description="Play on in private, to see what would be; the game stays as it is")
    async def try_(self, interaction: Interaction) -> None:
        async def work() -> None:
            live, _ = await self.table.seat_here(interaction)
            async with live.lock:
                seat = self.table.seat_for(
                    live, interaction.user.id
                )  # somebody else might have sat down there meanwhile
                copy, asked = live.table.copy(), seat in live.table.asked
                token, view = live.token(seat) if asked else None, encode(live.table.view(seat))
            with self._alone(interaction.user.id):
                async with self._room:
                    seed, patience = self.tables.bot.entropy(SECRET_BYTES), Patience()
                    trial = await asyncio.to_thread(WhatIf, copy, seat, seed, patience)
            attempt = self._keep(interaction.user.id, Attempt(live, seat, token, view, trial, patience))
            async with attempt.lock:
                await self._do(interaction, attempt, trial.advance)

        await attend(interaction, work)

    @contextlib.contextmanager
    def _alone(self, user_id: int) -> Iterator[None]:
        """Refused while the person's what-if before is still being thought out."""
        if user_id in self._begun:
            raise Refused(say("try.busy"))
        self._begun.add(user_id)
        try:
            yield
        finally:
            self._begun.discard(user_id)

    def _keep(self, user_id: int, attempt: Attempt) -> Attempt:
        """Have the person's what-if at hand, instead of any before; the one idle for longest goes if there are many."""
        self.attempts.pop(user_id, None)
        now = self.tables.clock.now_ms()
        for other in [user for user, old in self.attempts.items() if now - old.used_ms > IDLE_MS]:
            del self.attempts[other]
        while len(self.attempts) >= AT_ONCE:
            del self.attempts[min(self.attempts, key=lambda user: self.attempts[user].used_ms)]
        attempt.used_ms = now
        self.attempts[user_id] = attempt
        return attempt

    def _attempt(self, interaction: Interaction, press: Press) -> Attempt | None:
        """The person's what-if of that game, if there still is one."""
        attempt = self.attempts.get(interaction.user.id)
        now = self.tables.clock.now_ms()
        if attempt is None or attempt.live.id != press.game or now - attempt.used_ms > IDLE_MS:
            return None
        attempt.used_ms = now
        return attempt

    # ---------------------------------------------------------------- presses

    async def _attend(
        self, interaction: Interaction, press: Press, do: Callable[[Attempt], Callable[[], object] | None]
    ) -> None:
        """Do something in the what-if, in a thread, and show what came of it; a press on what has gone only shows.
        `do` prepares it, and returns None when there is nothing to think out."""

        async def work(attempt: Attempt) -> None:
            await self._do(interaction, attempt, do(attempt))

        await self._with(interaction, press, work)

    async def _with(self, interaction: Interaction, press: Press, work: Callable[[Attempt], Awaitable[None]]) -> None:
        """Work on the person's what-if; one that is over, or another question than that pressed on, is only shown."""

        async def found() -> None:
            attempt = self._attempt(interaction, press)
            if attempt is None:
                await show(interaction, text_panel(say("try.gone")))
                return
            async with attempt.lock:
                if press.number != attempt.number:
                    await self._show(interaction, attempt, say("game.stale"))
                else:
                    await work(attempt)

        await attend(interaction, found)

    async def _do(self, interaction: Interaction, attempt: Attempt, think: Callable[[], object] | None) -> None:
        note = ""
        if think is not None:
            try:
                async with self._room:
                    attempt.patience.begin()
                    await asyncio.to_thread(think)
            except Illegal as error:
                note = attempt.live.words.say(error.key, error.args_)
            except Exception:  # a rule or a bot player failed, on a table that is nobody's
                log.exception("a what-if failed", extra={"game": attempt.live.id})
                note = say("try.broken")
            attempt.number = secrets.randbelow(TOKENS)
            attempt.draft = Draft()
        await self._show(interaction, attempt, note)

    async def choice_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """An answer, or work on a selection."""
        plain = press._replace(verb=press.verb.removeprefix("try"))

        def do(attempt: Attempt) -> Callable[[], object] | None:
            question = attempt.question
            if question is None:
                return None
            answer = attempt.draft.picked if plain.verb == "done" else chosen(question, plain, values)
            if answer is None:
                attempt.draft = selection(question, plain, values, attempt.draft)
                return None
            return lambda: attempt.answer(answer)

        await self._attend(interaction, press, do)

    async def number_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Ask for a number in a modal."""
        attempt = self._attempt(interaction, press)
        question = None if attempt is None or press.number != attempt.number else attempt.question
        if attempt is None or question is None:
            await self._attend(interaction, press, lambda _: None)
        else:
            await ask_in_modal(interaction, NumberModal(press, attempt.live.labels.question(question), question))

    async def undo_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """One answer back."""
        await self._attend(interaction, press, lambda attempt: attempt.undo)

    async def alone_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Answer for the others oneself, or let bot players do it."""

        def do(attempt: Attempt) -> Callable[[], object]:
            attempt.trial.alone = not attempt.trial.alone
            return attempt.trial.advance

        await self._attend(interaction, press, do)

    async def go_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Let the bot players go on."""
        await self._attend(interaction, press, lambda attempt: attempt.trial.advance)

    async def acts_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """List what can be done beside the question."""

        async def look(attempt: Attempt) -> None:
            live, acts = attempt.live, attempt.trial.table.acts(attempt.seat)[:MENU]
            if not acts:
                await self._show(interaction, attempt, say("acts.none"))
                return
            labels = [live.labels.say(f"act.{act.name}", act.args)[:100] for act in acts]
            entries = [discord.SelectOption(label=label, value=a.name) for label, a in zip(labels, acts, strict=True)]
            meant = Press(press.game, press.seat, attempt.number, "tryact")
            listed = menu(meant, entries, placeholder=say("acts.choose"))
            await show(interaction, text_panel(say("acts.title"), None, [ui.ActionRow(listed)]))

        await self._with(interaction, press, look)

    async def act_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Begin an act."""
        await self._attend(interaction, press, lambda attempt: lambda: attempt.begin_act(values[0]))

    async def end_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """The what-if is over."""

        async def work() -> None:
            if self._attempt(interaction, press) is not None:
                del self.attempts[interaction.user.id]
            await show(interaction, text_panel(say("try.ended")))

        await attend(interaction, work)

    # ---------------------------------------------------------------- for real

    async def real_press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """Give the person's own answers in the true game, up to the first draw or answer of another."""

        async def submit(attempt: Attempt) -> None:
            live = await self.table.live_of(press)
            if attempt.token is None or live is not attempt.live or not attempt.stands():
                await self._show(interaction, attempt, say("try.moved"))
                return
            try:
                change = await self.tables.steps.play_line(live, line_of(attempt), attempt.token, interaction.id)
            except Stale:
                await self._show(interaction, attempt, say("try.moved"))
            else:
                self.attempts.pop(interaction.user.id, None)
                await show_outcome(interaction, live, attempt.seat, change)

        await self._with(interaction, press, submit)

    # ---------------------------------------------------------------- the panel

    async def _show(self, interaction: Interaction, attempt: Attempt, note: str = "") -> None:
        """The panel: what came of it, the board and the hand as they would be, and the question."""
        live, trial = attempt.live, attempt.trial
        view = trial.table.view(attempt.seat)
        events = [event for _, event in trial.events[attempt.shown :] if event.seen_by(attempt.seat)]
        question = None if trial.table.over else attempt.question
        ringed = [option.place for option in question.options if option.place] if question else []
        board = self.tables.painter.board(
            live.game.key, view, names=live.names, ringed=ringed, changed=places_of(events), title=say("try.title")
        )
        picture = await self._drawn(board)
        text_board = "" if picture else cut(live.rules.board(view, live.labels), 1000)
        hand = None
        if getattr(view, "hand", None):
            hand = await self._drawn(self.tables.painter.hand(live.game.key, view, names=live.names))
        head = say("try.head" if trial.there else "try.head_start", title=live.rules.title, game=live.id)
        text = cut("\n".join(line for line in (*live.told(events, attempt.seat), note) if line), STORY_LENGTH)
        items: list[Item] = [ui.TextDisplay(f"{head}\n{text}"), *board_items(picture, text_board)]
        items += board_items(hand, "")
        items += self._asked(attempt, question)
        items += rows_of(self._buttons(attempt))
        more = (hand,) if hand is not None else ()
        await show(interaction, Message(layout(items, live.colour(attempt.seat)), picture, more=more))

    async def _drawn(self, drawing: Awaitable[Picture]) -> Picture | None:
        """The picture, if it can be drawn."""
        try:
            return await drawing
        except PictureFailed:
            return None

    def _asked(self, attempt: Attempt, question: Question | None) -> list[Item]:
        """The question and what answers it."""
        live, trial = attempt.live, attempt.trial
        if question is None:
            return [ui.TextDisplay(say("turn.over" if trial.table.over else "try.waiting"))]
        seat = attempt.seat if attempt.acting is not None or trial.asked is None else trial.asked
        form = TryForm(live, seat, question, attempt.number, attempt.draft)
        texts = form.texts() if seat == attempt.seat else [say("try.for", seat=live.name(seat)), *form.texts()]
        return [ui.TextDisplay(cut("\n".join(texts), 900)), *form.rows()]

    def _buttons(self, attempt: Attempt) -> list[Item]:
        """What can be done beside answering."""
        live, trial = attempt.live, attempt.trial

        def pressed(verb: str, style: discord.ButtonStyle = SECONDARY, *, label: str = "", off: bool = False) -> Item:
            press = Press(live.id, attempt.seat, attempt.number, f"try{verb}")
            return button(press, say(f"button.{label or f'try{verb}'}"), style, disabled=off)

        waits = not trial.table.over and trial.asked is None
        others = "trybots" if trial.alone else "tryalone"
        buttons = [pressed("undo", off=attempt.acting is None and trial.table.length <= trial.begun)]
        buttons += [pressed("alone", label=others)]
        buttons += [pressed("go")] if waits else []
        buttons += [pressed("acts", label="acts")] if live.has_acts and attempt.acting is None else []
        if trial.there and attempt.token is not None:
            buttons.append(pressed("real", SUCCESS, off=not trial.line()))
        return [*buttons, pressed("end", DANGER)]


async def setup(bot: Any) -> None:
    """Called by discord.py when the extension is loaded."""
    await add_under(bot, "table", WhatIfCog(bot))
