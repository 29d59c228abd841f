"""A question as something to press: its options as buttons and menus, and the selection in the making."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import discord
from discord import ui

from rules.choices import BACK
from rules.engine import SKIP, Option, Question

from .items import Press, button, menu
from .live import Draft, Live
from .standing import HOW_LONG
from .texts import say

ASIDE = (SKIP, BACK)
"""Options that are never mixed with others: to pass, and to go back."""
MENU, ROW = 25, 5
"""So many options fit into a menu, and so many buttons into a row."""
BUTTONS = 10
"""Of more options there is a menu instead."""
Item = ui.Item[Any]
T = TypeVar("T")
PRIMARY, SECONDARY = discord.ButtonStyle.primary, discord.ButtonStyle.secondary
SUCCESS, DANGER = discord.ButtonStyle.success, discord.ButtonStyle.danger


def short(question: Question) -> bool:
    """Whether the question fits on the message itself: no hidden options, no draft, no pages."""
    return not question.private and not drafted(question) and entries_of(question) <= MENU


def entries_of(question: Question) -> int:
    """How many lines its options take in a menu."""
    return sum(option.count for option in question.options if option.id not in ASIDE)


def drafted(question: Question) -> bool:
    """Whether the answer is put together press by press."""
    if question.most == 1 or question.number:
        return False
    return question.ordered or entries_of(question) > MENU


class Form(NamedTuple):
    """A question put to a seat, with its selection so far."""

    live: Live
    seat: int
    question: Question
    token: int
    draft: Draft = Draft()

    def press(self, verb: str, arg: str = "") -> Press:
        """A press on it."""
        return Press(self.live.id, self.seat, self.token, verb, arg)

    def texts(self) -> list[str]:
        """What is asked, and what is chosen so far."""
        live, question, picked = self.live, self.question, self.draft.picked
        remark = live.remark(self.token)
        ask, *more = live.words.question(question).splitlines()
        text = [*([remark] if remark else []), f"**{ask}**", *more]
        if drafted(question):
            chosen = live.words.answer(question, picked) if picked else say("panel.nothing")
            bounds = "exactly" if question.least == question.most else "bounds"
            text.append(say(f"panel.{bounds}", picked=chosen, least=question.least, most=question.most))
        return text

    def rows(self) -> list[Item]:
        """The rows of buttons and menus that answer it."""
        question = self.question
        options = self._in_order(option for option in question.options if option.id not in ASIDE)
        aside = [self._button(option) for option in question.options if option.id in ASIDE]
        if drafted(question):
            return self._draft_rows(options, aside)
        if question.number and len(options) > MENU:
            return rows_of([button(self.press("number"), say("button.number"), PRIMARY), *aside])
        if question.least == question.most == 1 and len(question.options) <= BUTTONS:
            return rows_of([*(self._button(option) for option in options), *aside])
        return self._menu_rows(options, aside)

    def _label(self, option: Option) -> str:
        return self.live.labels.option(self.question, option)

    def _button(self, option: Option, verb: str = "answer", label: str = "") -> Item:
        return button(self.press(verb, option.id), label or self._label(option), self._style(option))

    def _in_order(self, options: Iterable[Option]) -> list[Option]:
        """As they are listed, what is dangerous last."""
        return sorted(options, key=lambda option: self._style(option) is DANGER)

    def _style(self, option: Option) -> discord.ButtonStyle:
        """What is done rarely looks so: a game's words name such options (`[style]`, by question and option)."""
        named = self.live.words.texts.get(f"style.{self.question.key}.{option.id}")
        if named is not None:
            return discord.ButtonStyle[named]
        return SECONDARY if option.id in ASIDE else PRIMARY

    def _menu_rows(self, options: Sequence[Option], aside: Sequence[Item]) -> list[Item]:
        """One menu (a page of it, if need be), with what else can be pressed below."""
        question = self.question
        entries = [(option, n) for option in options for n in range(1, option.count + 1)]
        page, shown = page_of(entries, self.draft.page)
        rows: list[Item] = []
        if shown:
            most = min(question.most, len(shown))
            listed = menu(
                self.press("menu", str(page)),
                [self._entry(option, n) for option, n in shown],
                placeholder=say(
                    "menu.exactly" if question.least == most else "menu.bounds", n=question.least, most=most
                ),
                least=max(1, min(question.least, most)),
                most=most,
            )
            rows.append(ui.ActionRow(listed))
        below = list(aside)
        if question.most == len(entries) > 1:
            below.append(button(self.press("all"), say("button.all"), PRIMARY))
        if question.least == 0 and not question.skippable:  # else the button to pass says the same
            below.append(button(self.press("none"), say("button.none"), PRIMARY))
        return rows + rows_of(below + self._pages(page, len(entries)))

    def _entry(self, option: Option, n: int) -> discord.SelectOption:
        label = self._label(option)
        if option.count > 1:
            label = say("menu.nth", label=label, n=n, count=option.count)
        return discord.SelectOption(label=label[:100], value=f"{option.id}#{n}")

    def _draft_rows(self, options: Sequence[Option], aside: Sequence[Item]) -> list[Item]:
        """What adds to the selection, and below it what clears and confirms it."""
        question, picked = self.question, self.draft.picked
        counts = Counter(picked)
        left = [option for option in options if counts[option.id] < option.count]
        page, shown = page_of(left, self.draft.page)
        labels = [
            say("menu.left", label=self._label(option), left=option.count - counts[option.id]) for option in shown
        ]
        adding: list[Item] = []
        if len(picked) >= question.most:
            page, left = 0, []
        elif len(left) <= BUTTONS:
            adding = [self._button(option, "add", label) for option, label in zip(shown, labels, strict=True)]
        else:
            entries = [
                discord.SelectOption(label=label[:100], value=option.id)
                for option, label in zip(shown, labels, strict=True)
            ]
            adding = [menu(self.press("add", str(page)), entries, placeholder=say("menu.add"))]
        below: list[Item] = []
        if question.least <= len(picked) <= question.most:
            below.append(button(self.press("done"), say("button.done"), SUCCESS))
        if picked:
            below.append(button(self.press("clear"), say("button.clear")))
        return rows_of(adding) + rows_of([*below, *aside, *self._pages(page, len(left))])

    def _pages(self, page: int, entries: int) -> list[Item]:
        """Buttons to the page before and after, where there are such."""
        buttons: list[Item] = []
        if page > 0:
            buttons.append(button(self.press("page", str(page - 1)), say("button.before")))
        if (page + 1) * MENU < entries:
            buttons.append(button(self.press("page", str(page + 1)), say("button.after")))
        return buttons


def page_of(entries: Sequence[T], page: int) -> tuple[int, Sequence[T]]:
    """The page, or the last there is, and what stands on it."""
    page = max(0, min(page, (len(entries) - 1) // MENU))
    return page, entries[page * MENU : (page + 1) * MENU]


def stand_rows(form: Form, *, stands: bool) -> list[Item]:
    """Below a question in reaction windows: the button to pass there from now on, or to be asked again."""
    if not (form.question.windows and form.question.skippable):
        return []
    if stands:
        return [ui.ActionRow(button(form.press("stand"), say("button.ask_again")))]
    return [ui.ActionRow(*(button(form.press("stand", how), say(f"button.stand_{how}")) for how in HOW_LONG))]


def rows_of(items: Sequence[Item]) -> list[Item]:
    """The buttons in rows."""
    return [ui.ActionRow(*items[start : start + ROW]) for start in range(0, len(items), ROW)]
