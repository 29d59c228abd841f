"""Panels: a question as buttons and menus, and the messages of a table as Components V2 layouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import discord
import msgspec
from discord import ui

import db
from render import Picture
from rules import rules_of
from rules.engine import SKIP, Answer, Option, Question, commitment

from .items import Press, button, menu
from .live import Live
from .texts import TEXT_LENGTH, cut, plain, say

ACT = 999_999_999
"""In place of a question's number: a press on a field of an act in the making."""
ASIDE = (SKIP, "back")
"""Options that are never mixed with others: to pass, and to go back."""
MENU = 25
BUTTONS = 10
Item = ui.Item[Any]


def short(question: Question) -> bool:
    """Whether the question fits on the message itself: no hidden options, no draft, no pages."""
    if question.private or question.number or (question.ordered and question.most > 1):
        return False
    return sum(option.count for option in question.options if option.id not in ASIDE) <= MENU


def turn_panel(live: Live, picture: Picture | None, board: str, marker: int) -> ui.LayoutView:
    """The message of the turn under way: its story, the board, and the question."""
    asked = live.table.asked
    seat = next(iter(asked), None)
    lines = [say("turn.header", title=live.rules.title, game=live.id, turn=live.turn.number), *live.lines()]
    items: list[Item] = [ui.TextDisplay(cut("\n".join(lines), TEXT_LENGTH - len(board) - 600))]
    items += board_items(picture, board)
    items.append(ui.TextDisplay(awaiting(live)))
    if len(asked) == 1 and seat is not None and not live.is_bot(seat) and short(asked[seat]):
        items += answer_rows(live, seat, asked[seat], live.table.number(seat))
    items.append(ui.ActionRow(*table_buttons(live)))
    return layout(items, live.colour(seat), marker)


def awaiting(live: Live) -> str:
    """Who is asked what, as everybody may know."""
    asked = live.table.asked
    if not asked:
        return say("turn.over")
    if len(asked) > 1:
        return say("turn.several", seats=", ".join(live.mention(seat) for seat in asked))
    ((seat, question),) = asked.items()
    if question.private:
        return say("turn.private", seat=live.mention(seat), ask=public_ask(live, question))
    return say("turn.asked", seat=live.mention(seat), ask=live.words.question(question))


def public_ask(live: Live, question: Question) -> str:
    """What everybody may read of a private question."""
    key = f"public.{question.key}"
    return live.words.say(key, question.args) if key in live.words else say("turn.choosing")


def table_buttons(live: Live) -> list[Item]:
    """The buttons under every open turn: the private panel where one is needed, and the hand."""
    asked = live.table.asked
    people = live.asked_humans()
    buttons: list[Item] = []
    if people and (len(asked) > 1 or not short(asked[people[0]])):
        buttons.append(open_button(live, people[0]))  # it opens the panel of whoever presses it
    if hasattr(live.table.view(None), "hand"):
        buttons.append(button(Press(live.id, 0, 0, "hand"), say("button.hand")))
    buttons.append(button(Press(live.id, 0, 0, "text"), say("button.text")))
    if any(live.table.acts(seat) for seat in live.members):
        buttons.append(button(Press(live.id, 0, 0, "acts"), say("button.acts")))
    return buttons


def open_button(live: Live, seat: int) -> Item:
    """Opens the private panel of whoever presses it."""
    return button(
        Press(live.id, seat, live.table.number(seat), "open"), say("button.choose"), discord.ButtonStyle.primary
    )


def consent_row(game: int, head: int) -> Item:
    """Agree or refuse to an undo that was asked for when the log stood at `head`."""
    return ui.ActionRow(
        button(Press(game, 0, head, "agree"), say("button.agree"), discord.ButtonStyle.success),
        button(Press(game, 0, head, "refuse"), say("button.refuse"), discord.ButtonStyle.danger),
    )


def finished_panel(live: Live, lines: Sequence[str], picture: Picture | None, board: str, marker: int) -> ui.LayoutView:
    """A turn that is over: its story and the board as it stood then."""
    items: list[Item] = [ui.TextDisplay(cut("\n".join(lines), TEXT_LENGTH - len(board)) or "…")]
    return layout(items + board_items(picture, board), discord.Colour.dark_grey(), marker)


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
    return view


def seat_panel(live: Live, seat: int, picked: Answer = (), page: int = 0, note: str = "") -> ui.LayoutView:
    """The private panel of a seat: its live question with everything needed to answer it."""
    question = live.table.asked.get(seat)
    if question is None:
        return text_panel("\n".join(part for part in (note, waiting_text(live)) if part))
    text = [note, f"**{live.words.question(question)}**"]
    if seat in live.table.sealed or seat in live.held:
        given = live.table.sealed.get(seat) or live.held[seat][1]
        text.append(say("panel.sealed", answer=live.words.answer(question, given)))
    number = live.table.number(seat)
    if drafted(question):
        chosen = live.words.answer(question, picked) if picked else say("panel.nothing")
        text.append(say("panel.picked", picked=chosen, least=question.least, most=question.most))
    rows = answer_rows(live, seat, question, number, picked, page)
    return layout([ui.TextDisplay(cut("\n".join(part for part in text if part))), *rows], live.colour(seat))


def acts_panel(live: Live, seat: int, note: str = "") -> ui.LayoutView:
    """What the seat may do outside its question."""
    acts = live.table.acts(seat)
    if not acts:
        return text_panel(note or say("acts.none"))
    entries = [
        discord.SelectOption(label=live.words.say(f"act.{act.name}", act.args)[:100], value=act.name)
        for act in acts[:MENU]
    ]
    listed = menu(Press(live.id, seat, ACT, "act"), entries, placeholder=say("acts.choose"))
    return layout([ui.TextDisplay(note or say("acts.title")), ui.ActionRow(listed)], live.colour(seat))


def field_panel(live: Live, seat: int, field: Question, picked: Answer, page: int) -> ui.LayoutView:
    """One field of an act in the making."""
    text = [f"**{live.words.question(field)}**"]
    if drafted(field):
        chosen = live.words.answer(field, picked) if picked else say("panel.nothing")
        text.append(say("panel.picked", picked=chosen, least=field.least, most=field.most))
    rows = answer_rows(live, seat, field, ACT, picked, page)
    return layout([ui.TextDisplay(cut("\n".join(text))), *rows], live.colour(seat))


def waiting_text(live: Live) -> str:
    """What a person who is not asked may know."""
    if live.table.over:
        return say("turn.over")
    return say("panel.waiting", seats=", ".join(live.names[seat] for seat in live.table.asked))


def drafted(question: Question) -> bool:
    """Whether the answer is put together press by press."""
    if question.most == 1 or question.number:
        return False
    return question.ordered or sum(option.count for option in question.options if option.id not in ASIDE) > MENU


def answer_rows(
    live: Live, seat: int, question: Question, number: int, picked: Answer = (), page: int = 0
) -> list[Item]:
    """The rows of buttons and menus that answer the question."""

    def press(verb: str, arg: str = "") -> Press:
        return Press(live.id, seat, number, verb, arg)

    options = [option for option in question.options if option.id not in ASIDE]
    skip = [option for option in question.options if option.id in ASIDE]
    if drafted(question):
        return _draft_rows(live, question, options, skip, picked, page, press)
    if question.number and len(options) > MENU:
        rows: list[list[Item]] = [[button(press("number"), say("button.number"), discord.ButtonStyle.primary)]]
        rows[0] += [_button(live, question, option, press) for option in skip]
    elif question.least == question.most == 1 and len(question.options) <= BUTTONS:
        rows = list(rows_of([_button(live, question, option, press) for option in question.options]))
    else:
        rows = _menu_rows(live, question, options, skip, page, press)
    return [ui.ActionRow(*row) for row in rows]


def rows_of(items: Sequence[Item], size: int = 5) -> Iterable[list[Item]]:
    """The items in rows of at most `size`."""
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


def _button(live: Live, question: Question, option: Option, press: Any, verb: str = "answer") -> Item:
    style = discord.ButtonStyle.secondary if option.id in (*ASIDE, "end") else discord.ButtonStyle.primary
    return button(press(verb, option.id), live.words.option(question, option), style)


def _menu_rows(
    live: Live, question: Question, options: Sequence[Option], skip: Sequence[Option], page: int, press: Any
) -> list[list[Item]]:
    """One menu (a page of it, if need be), with what else can be pressed below."""
    entries = [(option, n) for option in options for n in range(1, option.count + 1)]
    shown = entries[page * MENU : (page + 1) * MENU]
    chosen = [_entry(live, question, option, n) for option, n in shown]
    most = min(question.most, len(chosen))
    rows: list[list[Item]] = []
    if chosen:
        least = max(1, min(question.least, most))
        listed = menu(
            press("menu", str(page)), chosen, placeholder=live.words.question(question), least=least, most=most
        )
        rows.append([listed])
    below = [_button(live, question, option, press) for option in skip]
    if question.most == len(entries) > 1 and not question.ordered:
        below.append(button(press("all"), say("button.all"), discord.ButtonStyle.primary))
    if question.least == 0:
        below.append(button(press("none"), say("button.none"), discord.ButtonStyle.primary))
    below += page_buttons(page, len(entries), press)
    return [*rows, *([below] if below else [])]


def _entry(live: Live, question: Question, option: Option, n: int) -> discord.SelectOption:
    label = live.words.option(question, option)
    if option.count > 1:
        label = say("menu.nth", label=label, n=n, count=option.count)
    return discord.SelectOption(label=label[:100], value=f"{option.id}#{n}")


def page_buttons(page: int, entries: int, press: Any) -> list[Item]:
    """Buttons to the page before and after, where there are such."""
    buttons: list[Item] = []
    if page > 0:
        buttons.append(button(press("page", str(page - 1)), say("button.before")))
    if (page + 1) * MENU < entries:
        buttons.append(button(press("page", str(page + 1)), say("button.after")))
    return buttons


def _draft_rows(
    live: Live,
    question: Question,
    options: Sequence[Option],
    skip: Sequence[Option],
    picked: Answer,
    page: int,
    press: Any,
) -> list[Item]:
    """Buttons that add to the selection, and below them those that clear and confirm it."""
    counts = Counter(picked)
    left = [option for option in options if counts[option.id] < option.count]
    rows: list[Item] = []
    if len(picked) < question.most and left:
        entries = [
            discord.SelectOption(
                label=say(
                    "menu.left",
                    label=live.words.option(question, option),
                    left=option.count - counts[option.id],
                )[:100],
                value=option.id,
            )
            for option in left[page * MENU : (page + 1) * MENU]
        ]
        if len(left) <= BUTTONS:
            items = [button(press("add", e.value), e.label, discord.ButtonStyle.primary) for e in entries]
            rows += [ui.ActionRow(*row) for row in rows_of(items)]
        else:
            rows.append(ui.ActionRow(menu(press("add", str(page)), entries, placeholder=say("menu.add"))))
    below: list[Item] = []
    if question.least <= len(picked) <= question.most:
        below.append(button(press("done"), say("button.done"), discord.ButtonStyle.success))
    if picked:
        below.append(button(press("clear"), say("button.clear")))
    below += [_button(live, question, option, press) for option in skip]
    below += page_buttons(page, len(left), press) if len(left) > MENU else []
    return [*rows, *([ui.ActionRow(*below)] if below else [])]


def lobby_panel(game: db.Game, members: Sequence[db.Member], marker: int | None = None) -> ui.LayoutView:
    """The join panel: who sits where, the rules chosen, and the buttons to join and start."""
    rules = rules_of(game.key)
    seats = rules.seats
    text = [
        say("lobby.title", title=rules.title),
        say("lobby.head", game=game.id, host=f"<@{game.host_id}>", least=seats[0], most=seats[-1]),
        *(
            say(
                "lobby.seat",
                n=member.seat + 1,
                name=f"<@{member.user_id}>" if member.user_id else plain(member.name),
                colour=rules.words.say(f"colour.{member.preference}") if member.preference else "",
            )
            for member in members
        ),
    ]
    if not members:
        text.append(say("lobby.empty"))
    text.append(say("lobby.options", options=options_text(game)))
    text.append(say("lobby.commitment", commitment=commitment(game.secret)))
    items: list[Item] = []
    if game.status == "lobby":
        items = lobby_rows(game, members)
    else:
        text.append(say("lobby.cancelled" if game.status == "cancelled" else "lobby.started"))
    return layout([ui.TextDisplay("\n".join(text)), *items], discord.Colour.dark_grey(), marker)


def options_text(game: db.Game) -> str:
    """The optional rules that differ from the rulebook's own."""
    rules = rules_of(game.key)
    chosen = msgspec.msgpack.decode(game.options, type=rules.options)
    plainest = msgspec.to_builtins(rules.options())
    shown = []
    for name, value in msgspec.to_builtins(chosen).items():
        if value != plainest[name]:
            label = rules.words.say(f"option_name.{name}")
            shown.append(label if value is True else say("lobby.number_option", name=label, value=str(value)))
    return ", ".join(shown) or say("lobby.plain")


def lobby_rows(game: db.Game, members: Sequence[db.Member]) -> list[Item]:
    """The buttons of a join panel, and the menu of colours."""
    rules = rules_of(game.key)

    def lobby_button(verb: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary, off: bool = False) -> Item:
        return button(Press(game.id, 0, 0, f"lobby{verb}"), say(f"button.{verb}"), style, disabled=off)

    full = len(members) >= rules.seats[-1]
    rows: list[Item] = [
        ui.ActionRow(
            lobby_button("join", discord.ButtonStyle.success, full),
            lobby_button("leave"),
            lobby_button("bot", off=full),
            lobby_button("nobot"),
        ),
        ui.ActionRow(
            lobby_button("start", discord.ButtonStyle.primary, len(members) < rules.seats[0]),
            lobby_button("options"),
            lobby_button("cancel", discord.ButtonStyle.danger),
        ),
    ]
    if rules.colours:
        entries = [
            discord.SelectOption(label=rules.words.say(f"colour.{colour.id}")[:100], value=colour.id)
            for colour in rules.colours[:MENU]
        ]
        listed = menu(Press(game.id, 0, 0, "lobbycolour"), entries, placeholder=say("menu.colour"), least=0)
        rows.append(ui.ActionRow(listed))
    return rows
