"""Panels: the messages of a table, and what is shown privately, as Components V2 layouts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import discord
from discord import ui

import db
from render import Picture
from rules.engine import Question

from .forms import DANGER, MENU, PRIMARY, SUCCESS, Form, Item, rows_of, short, stand_rows
from .items import Press, button, menu
from .live import ActDraft, Draft, Live
from .standing import ALWAYS
from .texts import TEXT_LENGTH, cut, say

TAKEN_BACK = 20


# ---------------------------------------------------------------- the messages of a table


def turn_panel(live: Live, picture: Picture | None, board: str, marker: int) -> ui.LayoutView:
    """The message of the turn under way: its story, the board, and the question."""
    asked = live.table.asked
    seat = next(iter(asked), None)
    lines = [say("turn.header", title=live.rules.title, game=live.id, turn=live.turn.number), *live.lines()]
    question = "\n".join(part for part in (remarked(live), awaiting(live), clock_text(live)) if part)
    items: list[Item] = [ui.TextDisplay(cut("\n".join(lines), TEXT_LENGTH - len(board) - len(question)))]
    items += board_items(picture, board)
    items.append(ui.TextDisplay(question))
    if len(asked) == 1 and seat is not None and not live.is_bot(seat) and short(asked[seat]):
        form = Form(live, seat, asked[seat], live.token(seat))
        items += [*form.rows(), *stand_rows(form, stands=False)]
    items += rows_of(table_buttons(live))
    return layout(items, live.colour(seat), marker)


def awaiting(live: Live) -> str:
    """Who is asked what, as everybody may know."""
    asked = live.table.asked
    if not asked:
        return say("turn.over")
    seats = ", ".join(live.mention(seat) for seat in asked)
    question = next(iter(asked.values()))
    if len(asked) == 1 and not question.private:
        return say("turn.asked", seat=seats, ask=live.words.question(question))
    return say("turn.private" if len(asked) == 1 else "turn.several", seat=seats, ask=public_ask(live, question))


def remarked(live: Live) -> str:
    """What the game has to say beside the one question that everybody may read."""
    asked = live.table.asked
    return live.remark(live.token(next(iter(asked)))) if len(asked) == 1 else ""


def clock_text(live: Live) -> str:
    """Until when there is time; one moment for all that are asked."""
    timing = live.timing
    if timing.paused_ms is not None:
        return say("turn.paused")
    return "" if timing.due_ms is None else say("turn.due", due=f"<t:{timing.due_ms // 1000}:R>")


def public_ask(live: Live, question: Question) -> str:
    """What everybody may read of a question that only its seat sees."""
    key = f"public.{question.key}"
    return live.words.say(key, question.args) if key in live.words else say("turn.choosing")


def ask_text(live: Live, seat: int, turn_id: int | None = None) -> str:
    """The short message to a seat that is asked inside a turn: what is asked, in which game, and where."""
    question = live.table.asked[seat]
    secret = question.private or len(live.table.asked) > 1
    ask = public_ask(live, question) if secret else live.words.question(question)
    asked = say("turn.private" if secret else "turn.asked", seat=live.mention(seat), ask=ask)
    link = link_to(live.game, live.channel_id, turn_id)
    return asked + "\n" + say("ping.where", title=live.rules.title, game=live.id, link=link)


def link_to(game: db.Game, channel_id: int, message_id: int | None = None) -> str:
    """The address of a message, or of the channel."""
    place = f"https://discord.com/channels/{game.guild_id or '@me'}/{channel_id}"
    return place if message_id is None else f"{place}/{message_id}"


def table_buttons(live: Live) -> list[Item]:
    """The buttons under every open turn. They are the same for whatever is hidden."""
    asked = live.table.asked
    people = live.asked_humans()
    buttons: list[Item] = []
    if people and (len(asked) > 1 or not short(asked[people[0]])):
        buttons.append(open_button(live))
    if hasattr(live.table.view(None), "hand"):
        buttons.append(button(Press(live.id, 0, 0, "hand"), say("button.hand")))
    buttons.append(button(Press(live.id, 0, 0, "text"), say("button.text")))
    if live.has_acts:
        buttons.append(button(Press(live.id, 0, 0, "acts"), say("button.acts")))
    return buttons


def open_button(live: Live) -> Item:
    """Opens the private panel of whoever presses it."""
    return button(Press(live.id, 0, 0, "open"), say("button.choose"), PRIMARY)


def finished_panel(lines: Sequence[str], picture: Picture | None, board: str, marker: int) -> ui.LayoutView:
    """A turn that is over: its story and the board as it stood then."""
    items: list[Item] = [ui.TextDisplay(cut("\n".join(lines), TEXT_LENGTH - len(board)) or "…")]
    return layout(items + board_items(picture, board), discord.Colour.dark_grey(), marker)


def wish_panel(
    live: Live, seat: int, mark: int, lines: Sequence[str], missing: Sequence[int], marker: int
) -> ui.LayoutView:
    """A wish to undo that others must agree to."""
    who = ", ".join(live.mention(other) for other in missing)
    text = say("undo.asks", seat=live.name(seat), steps=taken_back(lines), seats=who)
    buttons: list[Item] = [
        button(Press(live.id, 0, mark, "agree"), say("button.agree"), SUCCESS),
        button(Press(live.id, 0, mark, "refuse"), say("button.refuse"), DANGER),
    ]
    return text_panel(text, marker, rows_of(buttons))


def offer_panel(live: Live, offer: db.Invitation, marker: int) -> ui.LayoutView:
    """A seat that is offered to somebody, or to anybody."""
    whom = say("offer.anybody") if offer.user_id is None else f"<@{offer.user_id}>"
    text = say("offer.text", user=whom, seat=live.name(offer.seat), title=live.rules.title, by=f"<@{offer.by_id}>")
    buttons: list[Item] = [
        button(Press(live.id, offer.seat, live.mark(offer), "takeseat"), say("button.takeseat"), SUCCESS),
        button(Press(live.id, offer.seat, live.mark(offer), "noseat"), say("button.noseat")),
    ]
    return text_panel(text, marker, rows_of(buttons))


def taken_back(lines: Sequence[str]) -> str:
    """The lines that an undo would take back."""
    return cut("\n".join(f"> {line}" for line in lines[-TAKEN_BACK:]) or say("undo.unseen"), 2500)


def board_items(picture: Picture | None, board: str) -> list[Item]:
    """The board as a picture, or as text when there is none."""
    if picture is not None:
        media = discord.MediaGalleryItem(f"attachment://{picture.filename}", description=picture.alt[:1024])
        return [ui.MediaGallery(media)]
    return [ui.TextDisplay(f"```\n{board}\n```")] if board else []


def text_panel(text: str, marker: int | None = None, extra: Iterable[Item] = ()) -> ui.LayoutView:
    """A message of text, and maybe more below it."""
    return layout([ui.TextDisplay(cut(text) or "…"), *extra], discord.Colour.dark_grey(), marker)


def layout(items: Iterable[Item], colour: discord.Colour, marker: int | None = None) -> ui.LayoutView:
    """One container. `marker`: an id by which the message is found again in a channel's history."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.Container(*items, accent_colour=colour, id=marker))
    view.stop()  # its presses are known by their custom ids: discord.py need not keep it for each message
    return view


def page_row(game: int, verb: str, page: int, pages: int, prefix: str = "") -> Item:
    """Buttons to step through pages 0 .. pages - 1; each press's `arg` is the page after the prefix."""
    to = (("first", 0), ("before", page - 1), ("after", page + 1), ("last", pages - 1))
    return ui.ActionRow(
        *(
            button(
                Press(game, 0, n, verb, f"{prefix}{at}"),
                say(f"button.{label}"),
                disabled=at == page or not 0 <= at < pages,
            )
            for n, (label, at) in enumerate(to)
        )
    )


# ---------------------------------------------------------------- private panels


def seat_panel(live: Live, seat: int, draft: Draft | None = None, note: str = "") -> ui.LayoutView:
    """The private panel of a seat: its live question with everything needed to answer it."""
    question = live.table.asked.get(seat)
    if question is None:
        return text_panel("\n".join(part for part in (note, waiting_text(live)) if part))
    form = Form(live, seat, question, live.token(seat), draft or Draft())
    given = live.held[seat][1] if seat in live.held else live.table.sealed.get(seat)
    text = [note, *form.texts()]
    if given is not None:
        text.append(say("panel.sealed", answer=live.words.answer(question, given)))
    rows = form.rows()
    rows += stand_rows(form, stands=set(question.windows) <= set(live.table.standing.get(seat, ())))
    return layout([ui.TextDisplay(cut("\n".join(part for part in text if part))), *rows], live.colour(seat))


def waiting_text(live: Live) -> str:
    """What a person who is not asked may know."""
    if live.table.over:
        return say("turn.over")
    return say("panel.waiting", seats=", ".join(live.name(seat) for seat in live.table.asked))


def acts_panel(live: Live, seat: int, note: str = "") -> ui.LayoutView:
    """What the seat may do outside its question."""
    acts = live.table.acts(seat)[:MENU]
    if not acts:
        return text_panel(note or say("acts.none"))
    entries = [
        discord.SelectOption(label=live.labels.say(f"act.{act.name}", act.args)[:100], value=act.name) for act in acts
    ]
    listed = menu(Press(live.id, seat, 0, "act"), entries, placeholder=say("acts.choose"))
    return text_panel(note or say("acts.title"), None, [ui.ActionRow(listed)])


def field_panel(live: Live, seat: int, field: Question, draft: ActDraft) -> ui.LayoutView:
    """One field of an act in the making."""
    form = Form(live, seat, field, draft.token, Draft(draft.picked, draft.page))
    return layout([ui.TextDisplay(cut("\n".join(form.texts()))), *form.rows()], live.colour(seat))


def standing_panel(live: Live, seat: int) -> ui.LayoutView:
    """The windows in which the seat passes by itself, and a menu to be asked again."""
    names = live.table.standing.get(seat, ())[:MENU]
    if not names:
        return text_panel(say("standing.none"))
    entries = [
        discord.SelectOption(
            label=window_name(live, name)[:100],
            value=name,
            description=say(f"standing.until_{live.until.get((seat, name), ALWAYS)}"),
        )
        for name in names
    ]
    listed = menu(Press(live.id, seat, 0, "standing"), entries, placeholder=say("standing.choose"), most=len(entries))
    return text_panel(say("standing.title"), None, [ui.ActionRow(listed)])


def window_name(live: Live, name: str) -> str:
    """A reaction window's name in words."""
    key = f"window.{name}"
    return live.labels.say(key) if key in live.labels else name.replace("_", " ").replace(".", ": ")
