"""The join panel of a game that waits for players, and its optional rules as menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import discord
import msgspec
from discord import ui

import db
from rules import GAMES, rules_of
from rules.engine import Rules, commitment

from .forms import DANGER, MENU, PRIMARY, SECONDARY, SUCCESS, Item
from .items import Press, button, menu
from .panels import layout, text_panel
from .texts import plain, say


def title_of(key: str) -> str:
    """The game's title; its key when this version of the bot has no such game."""
    return rules_of(key).title if key in GAMES else key


def chosen_options(game: db.Game) -> dict[str, Any]:
    """The value of each optional rule."""
    values: dict[str, Any] = msgspec.to_builtins(msgspec.msgpack.decode(game.options, type=rules_of(game.key).options))
    return values


def switches_of(game: db.Game) -> list[str]:
    """The optional rules that are on or off."""
    return [name for name, value in chosen_options(game).items() if isinstance(value, bool)]


def listed_of(key: str) -> dict[str, tuple[str, ...]]:
    """The optional rules of a game that are one of several ways, and these."""
    hints = get_type_hints(rules_of(key).options)
    return {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Literal}


def valued(key: str, name: str, value: object) -> str:
    """An optional rule and its value in words."""
    words = rules_of(key).words
    label = f"option_value.{name}.{value}"
    value = words.say(label) if label in words else value
    return say("lobby.number_option", name=words.say(f"option_name.{name}"), value=str(value))


def problems_of(game: db.Game, seats: int) -> list[str]:
    """Why the game cannot start so, in words."""
    rules = rules_of(game.key)
    options = msgspec.msgpack.decode(game.options, type=rules.options)
    return [words_of(rules, key, args) for key, args in rules.problems(options, seats)]


def words_of(rules: Rules[Any, Any, Any], key: str, args: Any) -> str:
    """The game's own words for the key, else the bot's."""
    return rules.words.say(key, args) if key in rules.words else say(key, **args)


def lobby_panel(
    game: db.Game, members: Sequence[db.Member], marker: int | None = None, notes: Sequence[str] = ()
) -> ui.LayoutView:
    """The join panel: who sits where, the rules chosen, what else is agreed on (`notes`), and the buttons to join and
    start."""
    if game.key not in GAMES:
        return text_panel(say("game.unknown", title=game.key, status=say(f"status.{game.status}")), marker)
    rules = rules_of(game.key)
    seats = rules.seats
    text = [
        say("lobby.title", title=rules.title),
        say("lobby.head", game=game.id, host=f"<@{game.host_id}>", least=seats[0], most=seats[-1]),
        *(seat_line(rules, member, wishes=game.status == "lobby") for member in members),
        say("lobby.options", options=options_text(game)),
        *notes,
        say("lobby.commitment", commitment=commitment(game.secret)),
    ]
    if not members:
        text.insert(2, say("lobby.empty"))
    items: list[Item] = []
    if game.status != "lobby":
        text.append(say("lobby.status", status=say(f"status.{game.status}")))
    else:
        items = lobby_rows(game, members)
        if len(members) >= seats[0] and (problems := problems_of(game, len(members))):
            text.append(say("lobby.cannot_start", why=" ".join(problems)))
    return layout([ui.TextDisplay("\n".join(text)), *items], discord.Colour.dark_grey(), marker)


def seat_line(rules: Rules[Any, Any, Any], member: db.Member, *, wishes: bool) -> str:
    """Who sits there, and with `wishes` the colour wished for, which need not be the one that was dealt."""
    name = f"<@{member.user_id}>" if member.user_id else plain(member.name)
    if not wishes or not member.preference:
        return say("lobby.seat", n=member.seat + 1, name=name)
    colour = rules.words.say(f"colour.{member.preference}")
    return say("lobby.wish", n=member.seat + 1, name=name, colour=colour)


def hands_text(shown: bool, behind: int | None) -> str:
    """What the players are told of it; empty when hands are never shown."""
    if not shown:
        return ""
    return say("hands.on_after") if behind is None else say("hands.warning", n=behind)


def options_text(game: db.Game) -> str:
    """The optional rules that differ from the rulebook's own."""
    rules = rules_of(game.key)
    plainest = msgspec.to_builtins(rules.options())
    shown = []
    for name, value in chosen_options(game).items():
        if value != plainest[name]:
            label = rules.words.say(f"option_name.{name}")
            shown.append(label if value is True else valued(game.key, name, value))
    return ", ".join(shown) or say("lobby.plain")


def lobby_rows(game: db.Game, members: Sequence[db.Member]) -> list[Item]:
    """The buttons of a join panel, and the menu of colours."""
    rules = rules_of(game.key)

    def lobby_button(verb: str, style: discord.ButtonStyle = SECONDARY, off: bool = False) -> Item:
        return button(Press(game.id, 0, 0, f"lobby{verb}"), say(f"button.{verb}"), style, disabled=off)

    full = len(members) >= rules.seats[-1]
    rows: list[Item] = [
        ui.ActionRow(
            lobby_button("join", SUCCESS, full),
            lobby_button("leave"),
            lobby_button("bot", off=full),
            lobby_button("nobot"),
        ),
        ui.ActionRow(
            lobby_button("start", PRIMARY, len(members) < rules.seats[0]),
            lobby_button("options"),
            lobby_button("cancel", DANGER),
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


def options_panel(game: db.Game, note: str = "") -> ui.LayoutView:
    """All optional rules: menus of switches, and a menu of those that are numbers."""
    words, now = rules_of(game.key).words, chosen_options(game)

    def entry(name: str, label: str, default: bool = False) -> discord.SelectOption:
        text = words.say(f"option_text.{name}")
        return discord.SelectOption(label=label[:100], description=text[:100], value=name, default=default)

    items: list[Item] = []
    switches = switches_of(game)
    for page, start in enumerate(range(0, len(switches), MENU)):
        entries = [entry(name, words.say(f"option_name.{name}"), now[name]) for name in switches[start : start + MENU]]
        press = Press(game.id, 0, page, "lobbyswitches")
        listed = menu(press, entries, placeholder=say("menu.options"), least=0, most=len(entries))
        items.append(ui.ActionRow(listed))
    ways = listed_of(game.key)
    for name, values in ways.items():
        entries = [
            discord.SelectOption(label=valued(game.key, name, value)[:100], value=value, default=value == now[name])
            for value in values
        ]
        items.append(ui.ActionRow(menu(Press(game.id, 0, 0, "lobbyvalue", name), entries)))
    others = [name for name in now if name not in switches and name not in ways][:MENU]
    if others:
        labels = [valued(game.key, name, now[name]) for name in others]
        entries = [entry(name, label) for name, label in zip(others, labels, strict=True)]
        listed = menu(Press(game.id, 0, 0, "lobbynumber"), entries, placeholder=say("menu.value"))
        items.append(ui.ActionRow(listed))
    text = [note, say("lobby.options_title"), say("lobby.options", options=options_text(game))]
    return text_panel("\n".join(part for part in text if part), None, items)
