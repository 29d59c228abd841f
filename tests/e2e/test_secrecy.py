"""Twin games differ only in what one viewer cannot know; everything that viewer receives must be the same.

Two games start from twin states with one secret, the same presses are made in both, and after each of them everything
that the viewer and a spectator can get hold of is compared: messages with their components, custom ids, texts for
screen readers and image bytes, private panels, direct messages, autocomplete.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

import msgspec
import pytest

from cogs import panels
from rules import rules_of
from rules.engine import SKIP, Chance, Question, Table, encode, random_player
from rules.engine.rules import Decision
from sandbox.client import Message, Person
from sandbox.limits import walk

from .world import THRONE, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
RULES = rules_of(THRONE)
SEATS = 3
STEPS = 14
SECRET = b"the same in both games, always !"
VIEWER = 1
OPTIONS = {"trading": True}


def midgame(seed: int) -> Any:
    """The state at the start of some turn."""
    options = msgspec.convert(OPTIONS, RULES.options)
    table, _ = Table.start(RULES, options, seats=SEATS, secret=bytes([seed]) * 32)
    chance = Chance(f"walk{seed}".encode())
    turns = 0
    while True:
        seat = chance.pick([seat for seat in table.asked if seat not in table.sealed])
        answer = random_player(Decision(seat, table.view(seat), table.asked[seat]), chance)
        if "surrender" in answer:
            continue
        change = table.answer(seat, answer)
        turns += bool(change.checkpoints)
        if turns > 4 + 6 * (seed % 3) and change.checkpoints:
            return msgspec.msgpack.decode(encode(table.state), type=RULES.state)


class Watcher:
    """Gathers what one person can see, in a form in which two games can be compared."""

    def __init__(self, game: Game, person: Person) -> None:
        self.game = game
        self.person = person
        self.ids: dict[str, str] = {}
        self.pictures: dict[str, str] = {}

    def plain(self, text: Any) -> Any:
        """The text (or what holds texts) without the numbers that are others in every game: Discord's and the game's."""
        if isinstance(text, dict):
            return {key: self.plain(value) for key, value in text.items()}
        if isinstance(text, list):
            return [self.plain(value) for value in text]
        if not isinstance(text, str):
            return text
        text = re.sub(rf"\bt:{self.game.id}:", "t:GAME:", text)
        text = re.sub(rf"(?i)\b(game[ -]){self.game.id}\b", r"\1GAME", text)
        return re.sub(r"\d{17,20}", lambda found: self.ids.setdefault(found[0], f"ID{len(self.ids)}"), text)

    async def picture(self, attachment: dict[str, Any]) -> str:
        """What identifies an attachment: its name and its bytes."""
        if attachment["id"] not in self.pictures:
            data = await self.game.world.client.download(attachment["url"])
            self.pictures[attachment["id"]] = hashlib.sha256(data).hexdigest()
        return f"{attachment['filename']} {self.pictures[attachment['id']]}"

    async def message(self, message: Message) -> Any:
        """All of a message."""
        parts = []
        for _, part in walk(message.raw["components"]):
            shown = {k: v for k, v in part.items() if k not in ("id", "components", "items", "media", "file")}
            shown["alt"] = [item.get("description") for item in part.get("items") or ()]
            parts.append(self.plain(shown))
        files = [await self.picture(attachment) for attachment in message.raw["attachments"]]
        return [message.ephemeral, sorted(map(self.plain, message.mentions)), parts, files]

    async def sees(self) -> Any:
        """The channel, the direct messages of this game, and what autocomplete says."""
        messages = await self.person.visible(self.game.thread, limit=100)
        messages.sort(key=lambda m: m.ephemeral)  # a reply and a message of the channel may overtake each other
        shown = [await self.message(m) for m in messages]
        dms = [m for m in await self.person.visible("@me", limit=100) if self.game.thread in m.text]
        offered = []
        for command, name in (("table answer", "choice"), ("throne card", "card"), ("throne bid", "cards")):
            given = await self.person.autocomplete(command, {name: ""}, name, channel=self.game.thread)
            offered.append([(self.plain(choice.name), choice.value) for choice in given.choices])
        return [shown, [await self.message(m) for m in dms], offered]

    async def asks(self) -> Any:
        """What the private panels say."""
        found = []
        turn = await self.game.turn()
        for label in ("Choose…", "My hand", "As text", "Deals…"):
            if any(button.label == label for button in turn.buttons):
                found.append(await self.message((await self.game.press(self.person, turn, label)).message))
        for command in ("table log", "table undo", "table history", "table since", "table reel", "table turn"):
            found.append(await self.message((await self.game.command(self.person, command)).reply))
        return found


def pressed(question: Question, chance: Chance) -> str:
    """An answer that is there whatever the hand is."""
    ids = [option.id for option in question.options]
    if not question.private:
        fair = [id for id in ids if id != "surrender"]
        secret = [id for id in ("card", "discard", "accuse", "influence") if id in ids and question.key == "action"]
        fair = secret if secret and chance.below(2) else fair
        return "+".join(chance.pick(fair) for _ in range(max(1, question.least)))
    if question.ordered:
        return ">".join([option.id for option in question.options for _ in range(option.count)][: question.least])
    return SKIP if SKIP in ids else "back" if "back" in ids else "-"


async def played(here: World, monkeypatch: pytest.MonkeyPatch, state: Any, seed: int) -> list[Any]:
    """A game from this state, and what the viewer and a spectator saw of it, step by step."""
    game = await here.lobby(SEATS, options={"trading": "yes"})
    await here.store.update_game(game.id, now_ms=0, secret=SECRET)
    for seat in range(SEATS):
        await here.store.update_member(game.id, seat, salt=str(seat))
    with monkeypatch.context() as patched:
        patched.setattr(
            type(RULES), "setup", lambda self, *given: msgspec.msgpack.decode(encode(state), type=RULES.state)
        )
        assert "started" in await game.says(here.people[0], "game start")
    watchers = [Watcher(game, here.people[VIEWER]), Watcher(game, here.people[SEATS])]
    chance = Chance(f"presses{seed}".encode())
    seen = []
    for n in range(STEPS):
        await game.settled()
        seen.append([await watcher.sees() for watcher in watchers])
        if n % 7 == 3:
            seen.append([await watcher.asks() for watcher in watchers])
        seat = game.unanswered
        question = game.table.asked[seat]
        seen.append((seat, question.key, pressed(question, chance)))
        await game.answer(seen[-1][2], seat)
        if game.id not in here.tables.live:
            break
    if game.id in here.tables.live:
        await game.says(here.people[0], "game cancel", sure=True)
    return seen


async def twins(here: World, monkeypatch: pytest.MonkeyPatch, seed: int) -> tuple[list[Any], list[Any]]:
    """What was seen of a game and of its twin, whose hidden part is another."""
    state = midgame(seed)
    chance = Chance(f"twin{seed}".encode())
    twin = RULES.resample(state, VIEWER, chance)
    assert encode(RULES.view(twin, VIEWER)) == encode(RULES.view(state, VIEWER))
    assert twin.hands != state.hands
    return await played(here, monkeypatch, state, seed), await played(here, monkeypatch, twin, seed)


@pytest.mark.parametrize("seed", range(3))
async def test_twin_games_look_the_same(here: World, monkeypatch: pytest.MonkeyPatch, seed: int):
    one, other = await twins(here, monkeypatch, seed)
    for before, after in zip(one, other, strict=True):
        assert difference(before, after) is None


def difference(one: Any, other: Any) -> Any:
    """The first place where they differ."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next((found for pair in zip(one, other, strict=True) if (found := difference(*pair)) is not None), None)
    return None if one == other else (one, other)


LEAKS = {
    "words": ("public_ask", lambda live, question: " ".join(option.id for option in question.options)),
    "buttons": ("short", lambda question: len(question.options) > 3),
    "tokens": ("awaiting", lambda live: str([live.mark(q.options) for q in live.table.asked.values()])),
}


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_leak_is_found(here: World, monkeypatch: pytest.MonkeyPatch, leak: str):
    name, leaky = LEAKS[leak]
    monkeypatch.setattr(panels, name, leaky)
    for seed in range(3):
        one, other = await twins(here, monkeypatch, seed)
        if one != other:
            return
    pytest.fail("nobody noticed")
