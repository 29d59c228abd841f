"""Everything the bot can send fits into Discord's limits: the whole command tree, and each game's largest prompts."""

from __future__ import annotations

import re
from typing import Any

import discord
import msgspec
import pytest

import bot
import db
from cogs import sync
from cogs.ballot import vote_panel
from cogs.config import Config
from cogs.items import TEMPLATE, Press, button
from cogs.live import TOKENS, ActDraft, Draft, Live, Turn
from cogs.lobby_panels import lobby_panel, options_panel
from cogs.panels import (
    acts_panel,
    ask_text,
    field_panel,
    finished_panel,
    layout,
    page_row,
    seat_panel,
    standing_panel,
    text_panel,
    turn_panel,
    wish_panel,
)
from cogs.picking import NumberModal
from cogs.texts import WORDS
from cogs.waits import Timing, Wait
from cogs.writing import choices
from render import Picture
from rules import GAMES, rules_of
from rules.engine import Chance, Illegal, Question, Table, encode, random_player
from sandbox import limits
from sandbox.spec import Spec

LONGEST_NAMES = ("W" * 32, "_*~|>" * 6, "😀" * 32, "ש" * 32, "@everyone" * 3)
GAME_ID = 999_999_999
GAMES_PLAYED = 6
DECISIONS = 500
MESSAGES = "/channels/{channel_id}/messages"
PICTURE = Picture(b"", "board.png", "a" * 1024, 1600, 1400)
spec = Spec()


def fits(view: discord.ui.LayoutView) -> None:
    """The view can be sent, and every custom id on it is understood again."""
    components = view.to_components()
    body = {"components": components, "flags": 1 << 15}
    problems = [*spec.check("POST", MESSAGES, body), *limits.message(body)]
    assert not problems, problems
    for _, part in limits.walk(components):
        if "custom_id" in part:
            match = re.fullmatch(TEMPLATE, part["custom_id"])
            assert match, part["custom_id"]
            assert Press.read(match).custom_id == part["custom_id"]


def the_largest(key: str, seed: int) -> Live:
    """A game with as many players, as many optional rules and as long names as there can be."""
    rules, chance = rules_of(key), Chance(f"{key}{seed}".encode())
    wanted = {
        name: True
        for name, value in msgspec.to_builtins(rules.options()).items()
        if value is False and (name in ("twelve_players", "trading") or chance.below(3) == 0)
    }
    seats = rules.seats[-1 - seed % 2 * (len(rules.seats) - 1)]
    options = rules.options()
    for name in wanted:
        more = msgspec.structs.replace(options, **{name: True})
        options = options if rules.problems(more, seats) else more
    while rules.problems(options, seats):
        seats -= 1
    table, change = Table.start(rules, options, seats=seats, secret=bytes([seed + 1]) * 32)
    members = [
        db.Member(GAME_ID, seat, 10**18 + seat, name=LONGEST_NAMES[(seat + seed) % len(LONGEST_NAMES)])
        for seat in range(seats)
    ]
    live = Live(a_game(key, "running"), members, table, Turn(999, 0, bots_only=False))
    live.note(change)
    return live


def a_game(key: str, status: Any) -> db.Game:
    """A game's row."""
    options = encode(rules_of(key).options())
    ids = (10**18, 10**18, 10**18, 10**18)
    return db.Game(GAME_ID, key, *ids, status, options, b"s" * 32, b"", b"", 0, 0, b"")


def drafts(question: Question, chance: Chance) -> list[Draft]:
    """Nothing chosen, and something."""
    options = [option.id for option in question.options for _ in range(option.count)]
    some = tuple(chance.shuffled(options)[: chance.below(question.most) + 1])
    return [Draft(), Draft(some, page=chance.below(4)), Draft(tuple(options[: question.most]), page=9)]


def every_panel(live: Live, chance: Chance) -> None:
    """All there is to show at this moment, to anybody."""
    wait = Wait(0, 0, 0, due_ms=10**13)
    live.timing = Timing(waits=dict.fromkeys(live.table.asked, wait))
    fits(turn_panel(live, PICTURE, "", 2**31 - 1))
    fits(turn_panel(live, None, "b" * 1900, 2**31 - 1))
    for seat, question in live.table.asked.items():
        for draft in drafts(question, chance):
            fits(seat_panel(live, seat, draft, note="n" * 1500))
        fits(text_panel(ask_text(live, seat)))
        if question.number:
            modal(NumberModal(Press(GAME_ID, seat, TOKENS - 1, "number"), live.labels.question(question), question))
        offered(live, question)
    for kind in ("pause", "late", "miss", "takeover"):
        everybody = tuple(live.members)
        vote = db.Vote(GAME_ID, kind, {"seat": everybody[-1]}, None, everybody, (), (), 0, 10**13, id=TOKENS - 1)
        fits(vote_panel(live, vote, 2**31 - 1)[0])
    for seat in live.members:
        fits(acts_panel(live, seat))
        for act in live.table.acts(seat):
            for n, field in enumerate(act.fields):
                for draft in drafts(field, chance):
                    making = ActDraft(act.name, 2 * TOKENS - 9, ((),) * n, draft.picked, draft.page)
                    fits(field_panel(live, seat, field, making))
                offered(live, field)


def offered(live: Live, question: Question) -> None:
    """What autocomplete offers, with nothing typed and with everything."""
    joint = ">" if question.ordered else "+"
    all_ids = [option.id for option in question.options for _ in range(option.count)]
    for typed in ("", joint.join(all_ids[:-1]) + joint, "\x00" * 6000):
        found = [choice.to_dict() for choice in choices(live, question, typed)]
        body = {"type": 8, "data": {"choices": found}}
        assert not spec.check("POST", "/interactions/{interaction_id}/{interaction_token}/callback", body)
        assert not limits.choices(found)


def modal(made: discord.ui.Modal) -> None:
    """The modal can be sent."""
    data = made.to_dict()
    body = {"type": 9, "data": data}
    assert not spec.check("POST", "/interactions/{interaction_id}/{interaction_token}/callback", body)
    assert not limits.modal(data)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seed", range(GAMES_PLAYED))
def test_every_prompt_of_random_games(key: str, seed: int):
    live, chance = the_largest(key, seed), Chance(f"limits{seed}".encode())
    seen: set[tuple[str, int]] = set()
    for _ in range(DECISIONS):
        if live.table.over:
            break
        seat = chance.pick([seat for seat in live.table.asked if seat not in live.table.sealed])
        question = live.table.asked[seat]
        kind = (question.key, len(question.options))
        if kind not in seen or chance.below(40) == 0:
            seen.add(kind)
            every_panel(live, chance)
        change = step(live, seat, question, chance)
        live.note(change)
        live.story = live.story[-200:]
    lines = live.lines()
    fits(finished_panel(lines, PICTURE, "", 1))
    fits(finished_panel(lines, None, "b" * 1900, 1))
    fits(wish_panel(live, 0, TOKENS - 1, lines, list(live.members), 1))
    live.table.standing = {0: tuple(f"window{n}" for n in range(40))}
    fits(standing_panel(live, 0))


def step(live: Live, seat: int, question: Question, chance: Chance) -> Any:
    """Anything legal; an act from time to time, so that there are offers."""
    acts = [act for act in live.table.acts(seat) if act.fields]
    if acts and chance.below(4) == 0:
        act = chance.pick(acts)
        fields = []
        for field in act.fields:
            options = [option.id for option in field.options for _ in range(option.count)]
            fields.append(
                field.check(tuple(chance.shuffled(options)[: max(field.least, chance.below(field.most + 1))]))
            )
        try:
            return live.table.act(seat, act.name, fields)
        except Illegal:
            pass
    reluctant = [option for option in question.options if option.id == "surrender"]
    while True:
        answer = random_player(decision(live, seat, question), chance)
        if not reluctant or answer != ("surrender",):
            return live.table.answer(seat, answer)


def decision(live: Live, seat: int, question: Question) -> Any:
    from rules.engine import Decision

    return Decision(seat, live.table.view(seat), question)


@pytest.mark.parametrize("key", GAMES)
def test_the_lobby(key: str):
    rules = rules_of(key)
    everything = msgspec.convert(
        {n: True if v is False else v for n, v in msgspec.to_builtins(rules.options()).items()}, rules.options
    )
    for status in ("lobby", "running", "ended", "cancelled", "abandoned"):
        game = msgspec.structs.replace(a_game(key, status), options=encode(everything))
        longest = [
            db.Member(
                GAME_ID, seat, None if seat % 2 else 10**18, "bot", name=LONGEST_NAMES[seat % 5], preference="x" * 20
            )
            for seat in range(rules.seats[-1])
        ]
        fits(lobby_panel(game, longest, 1))
        fits(lobby_panel(game, []))
        fits(options_panel(game, "n" * 300))
    assert "anything" in str(lobby_panel(msgspec.structs.replace(game, key="anything"), []).to_components())


def test_pages():
    for page, pages in ((0, 1), (0, 2), (1, 2), (4, 9)):
        fits(text_panel("x" * 5000, None, [page_row(GAME_ID, "history", page, pages)]))


def test_what_does_not_fit_is_found():
    with pytest.raises(AssertionError):
        fits(layout([discord.ui.TextDisplay("x" * 4001)], discord.Colour.red()))
    with pytest.raises(AssertionError):
        fits(text_panel("x", None, [discord.ui.ActionRow(button(Press(1, 1, 1, "answer", "x" * 61), "x"))]))


async def test_the_command_tree(tmp_path):
    async with await db.Store.open(tmp_path / "games.sqlite3") as store, bot.build_bot(Config(), store) as made:
        await made.load()
        payload = sync.payload(made.tree)
        assert not spec.check("PUT", "/applications/{application_id}/commands", payload)
        assert not limits.commands(payload)
        assert {command["name"] for command in payload} >= {"game", "table", "throne"}
        there = {command.qualified_name for command in made.tree.walk_commands()}
        texts = "\n".join(
            text for words in (WORDS, *(rules_of(key).words for key in GAMES)) for text in words.texts.values()
        )
        named = set(re.findall(r"`/((?:game|table|my|stats|admin|talk)(?: [a-z-]+)?)", texts))
        assert len(named) > 10
        assert named <= there
