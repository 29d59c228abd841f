"""Twin games differ only in what one viewer cannot know; everything that viewer receives must be the same.

Two games start from twin states with one secret, the same presses are made in both, and after each of them everything
that the viewer and a spectator can get hold of is compared: messages with their components, custom ids, texts for
screen readers and image bytes, private panels, direct messages, autocomplete.
"""

from __future__ import annotations

import hashlib
import os
import re
from itertools import count
from typing import Any, NamedTuple

import msgspec
import pytest

from cogs import panels
from rules import rules_of
from rules.bots import bot_player
from rules.engine import SKIP, Chance, Decision, Question, Rules, Table, encode
from sandbox.client import Message, Person
from sandbox.limits import walk

from .world import ECLIPSE, THRONE, WORLD, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")
SEATS = 3
SEEDS = int(os.environ.get("E2E_TWINS", "2"))
STEPS = 14
SECRET = b"the same in both games, always !"
VIEWER = 1


class Case(NamedTuple):
    """A game to be watched: its optional rules, how it comes to the middle of it, what is then asked by autocomplete, and
    which answers to action questions would turn something up that nobody could know before."""

    key: str
    options: dict[str, Any]
    lobby: dict[str, str]
    bots: str
    turns: tuple[int, ...]
    completions: tuple[tuple[str, str], ...]
    avoided: frozenset[str] = frozenset({"surrender", "give_up"})

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        return rules_of(self.key)


CASES = {
    THRONE: Case(THRONE, {"trading": True}, {"trading": "yes"}, "random", (4, 10, 16),
                 (("table answer", "choice"), ("throne card", "card"), ("throne bid", "cards"))),
    WORLD: Case(WORLD, {}, {}, "random", (6, 12, 18), (("table answer", "choice"), ("world card", "card")),
                frozenset({"march", "trade", "recover", "infiltrate"})),
    ECLIPSE: Case(ECLIPSE, {}, {}, "policy", (60, 90, 120),
                  (("table answer", "choice"), ("eclipse build", "first"), ("eclipse research", "first")),
                  frozenset({"give_up", "explore"})),
}  # fmt: skip


def midgame(case: Case, seed: int) -> Any:
    """The state at the start of some turn in which somebody hides something."""
    rules = case.rules
    options = msgspec.convert(case.options, rules.options)
    player = bot_player(rules, case.bots)
    for secret in count(seed, 3):
        table, _ = Table.start(rules, options, seats=SEATS, secret=bytes([secret % 256]) * 32)
        chance = Chance(f"walk{secret}".encode())
        turns = 0
        while not table.over:
            seat = chance.pick([seat for seat in table.asked if seat not in table.sealed])
            answer = player(Decision(seat, table.view(seat), table.asked[seat]), chance)
            if "surrender" in answer:
                continue
            change = table.answer(seat, answer)
            turns += bool(change.checkpoints)
            if turns > case.turns[seed % 3] and change.checkpoints and differing(case, table.state) is not None:
                return msgspec.msgpack.decode(encode(table.state), type=rules.state)
    raise AssertionError


def differing(case: Case, state: Any) -> Any:
    """A twin in which somebody else holds something else; None if there is nothing to hide."""
    for n in range(10):
        twin = case.rules.resample(state, VIEWER, Chance(f"twin{n}".encode()))
        views = [(case.rules.view(twin, seat), case.rules.view(state, seat)) for seat in range(SEATS)]
        assert encode(views[VIEWER][0]) == encode(views[VIEWER][1])
        if any(one != other for one, other in views):
            return twin
    return None


class Watcher:
    """Gathers what one person can see, in a form in which two games can be compared."""

    def __init__(self, case: Case, game: Game, person: Person) -> None:
        self.case = case
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
        for command, name in self.case.completions:
            given = await self.person.autocomplete(command, {name: ""}, name, channel=self.game.thread)
            offered.append([(self.plain(choice.name), choice.value) for choice in given.choices])
        return [shown, [await self.message(m) for m in dms], offered]

    async def asks(self) -> Any:
        """What the private panels say."""
        found = []
        turn = await self.game.turn()
        for label in ("Choose…", "My hand", "As text", "More…"):
            if any(button.label == label for button in turn.buttons):
                found.append(await self.message((await self.game.press(self.person, turn, label)).message))
        for command in ("table log", "table undo", "table history", "table since", "table reel", "table turn"):
            found.append(await self.message((await self.game.command(self.person, command)).reply))
        return found


def pressed(case: Case, question: Question, chance: Chance) -> str:
    """An answer that is there whatever the hand is."""
    ids = [option.id for option in question.options]
    if not question.private:
        fair = [id for id in ids if id not in case.avoided]
        secret = [id for id in ("card", "discard", "accuse", "influence") if id in ids and question.key == "action"]
        fair = secret if secret and chance.below(2) else fair
        return "+".join(chance.pick(fair) for _ in range(max(1, question.least)))
    if question.ordered:
        return ">".join([option.id for option in question.options for _ in range(option.count)][: question.least])
    return SKIP if SKIP in ids else "back" if "back" in ids else "-"


async def played(here: World, monkeypatch: pytest.MonkeyPatch, case: Case, state: Any, seed: int) -> list[Any]:
    """A game from this state, and what the viewer and a spectator saw of it, step by step."""
    rules = case.rules
    game = await here.lobby(SEATS, key=case.key, options=case.lobby)
    await here.store.update_game(game.id, now_ms=0, secret=SECRET)
    for seat in range(SEATS):
        await here.store.update_member(game.id, seat, salt=str(seat))
    with monkeypatch.context() as patched:
        patched.setattr(
            type(rules), "setup", lambda self, *given: msgspec.msgpack.decode(encode(state), type=rules.state)
        )
        assert "started" in await game.says(here.people[0], "game start")
    watchers = [Watcher(case, game, here.people[VIEWER]), Watcher(case, game, here.people[SEATS])]
    chance = Chance(f"presses{seed}".encode())
    seen = []
    for n in range(STEPS):
        await game.settled()
        seen.append([await watcher.sees() for watcher in watchers])
        if n % 7 == 3:
            seen.append([await watcher.asks() for watcher in watchers])
        seat = game.unanswered
        question = game.table.asked[seat]
        seen.append((seat, question.key, pressed(case, question, chance)))
        await game.answer(seen[-1][2], seat)
        if game.id not in here.tables.live:
            break
    if game.id in here.tables.live:
        await game.says(here.people[0], "game cancel", sure=True)
    return seen


async def twins(
    here: World, monkeypatch: pytest.MonkeyPatch, seed: int, key: str = THRONE
) -> tuple[list[Any], list[Any]]:
    """What was seen of a game and of its twin, whose hidden part is another."""
    case = CASES[key]
    state = midgame(case, seed)
    twin = differing(case, state)
    # drawn once before, so that no picture of the first game comes later than its twin's
    await here.tables.painter.board(key, case.rules.view(state, None), names={})
    one = await played(here, monkeypatch, case, state, seed)
    return one, await played(here, monkeypatch, case, twin, seed)


@pytest.mark.parametrize("key", CASES)
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_twin_games_look_the_same(here: World, monkeypatch: pytest.MonkeyPatch, seed: int, key: str):
    one, other = await twins(here, monkeypatch, seed, key)
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


async def test_nobody_sees_that_somebody_has_answered_in_secret(here: World):
    """While others are still asked, what they and a spectator can get hold of stays as it was."""
    game = await here.game(SEATS, key=WORLD)  # which begins with a choice of all at once
    first, *others = game.table.asked
    people = [*(game.people[seat] for seat in others), game.people[SEATS]]
    watchers = [Watcher(CASES[WORLD], game, person) for person in people]
    looks = []
    for look in range(3):  # the first one makes the second one find nothing new
        if look == 2:
            await game.answer_simply(first)
            await game.settled()
            assert first in game.table.sealed
        asked = [await watcher.asks() for watcher in watchers]
        stands = [[m for m in (await watcher.sees())[0] if not m[0]] for watcher in watchers]
        looks.append(re.sub(r"ID\d+", "ID", str((asked, stands))))  # the question was put again
    assert looks[1] == looks[2]


@pytest.mark.parametrize("leak", LEAKS)
async def test_a_leak_is_found(here: World, monkeypatch: pytest.MonkeyPatch, leak: str):
    name, leaky = LEAKS[leak]
    monkeypatch.setattr(panels, name, leaky)
    for seed in range(3):
        one, other = await twins(here, monkeypatch, seed)
        if one != other:
            return
    pytest.fail("nobody noticed")
