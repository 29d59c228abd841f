"""What a press, a menu or a modal picks of a question's options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui

from rules.engine import Answer, Question

from .forms import ASIDE
from .items import Interaction, Press
from .live import Draft, Live
from .texts import say


class NumberModal(ui.Modal):
    """Asks for a number within the question's range. It is read in `on_interaction`, restarts or not."""

    def __init__(self, press: Press, title: str, question: Question) -> None:
        super().__init__(title=title[:45], timeout=None, custom_id=press.custom_id)
        numbers = [option.id for option in question.options if option.id not in ASIDE]
        field: ui.TextInput[Any] = ui.TextInput(custom_id="number", max_length=12, required=True)
        self.add_item(ui.Label(text=say("modal.number", least=numbers[0], most=numbers[-1]), component=field))

    async def on_submit(self, interaction: Interaction) -> None:
        """See `TableCog.on_interaction`."""


def modal_value(components: Any) -> str:
    """The one text of a submitted modal."""
    inner = components[0].get("component") or components[0]["components"][0]
    return str(inner.get("value", "")).strip()


def field_of(live: Live, seat: int) -> Question | None:
    """The next field of the act that the seat is making; None when there is none (any more)."""
    draft = live.acting.get(seat)
    act = next((act for act in live.table.acts(seat) if draft is not None and act.name == draft.name), None)
    if draft is None or act is None or len(draft.fields) >= len(act.fields):
        return None
    return act.fields[len(draft.fields)]


def chosen(question: Question, press: Press, values: Sequence[str]) -> Answer | None:
    """The whole answer that a press gives; None when it works on a selection."""
    match press.verb:
        case "answer" | "number":
            return (press.arg,)
        case "menu":
            return tuple(value.rpartition("#")[0] for value in values)
        case "all":
            return tuple(o.id for o in question.options for _ in range(o.count) if o.id not in ASIDE)
        case "none":
            return ()
    return None


def selection(question: Question, press: Press, values: Sequence[str], draft: Draft) -> Draft:
    """What a press makes of a selection."""
    match press.verb:
        case "add":
            more = (*draft.picked, values[0] if values else press.arg)
            fits = more.count(more[-1]) <= question.option(more[-1]).count and len(more) <= question.most
            return Draft(more) if fits else draft
        case "clear":
            return Draft()
    return Draft(draft.picked, int(press.arg or 0))
