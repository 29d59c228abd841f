"""Fairness: the commitment comes first, the secret last, and anybody can check everything in between."""

from __future__ import annotations

import hashlib
import json
import re
import sys

import pytest

from cogs.fairness import verdict
from rules import rules_of
from rules.engine import Damaged
from rules.verify import read_export, verify
from sandbox.client import Message, attached

from .playing import played, step
from .world import GAMES, THRONE, WAIT, Game, World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def ended() -> dict[str, Game]:
    return {}


async def over(here: World, ended: dict[str, Game], key: str) -> Game:
    """An ended game of that kind, the same for all tests."""
    if key not in ended:
        ended[key] = await played(here, key)
    return ended[key]


async def first(game: Game) -> Message:
    """The first message that says something."""
    return next(m for m in await game.seen() if m.raw["type"] == 0)


async def last(game: Game) -> Message:
    messages = await game.seen()
    return next(m for m in messages if any(file["filename"].endswith(".json") for file in m.raw["attachments"]))


@pytest.mark.parametrize("key", GAMES)
async def test_first_the_commitment_last_the_secret(here: World, ended: dict[str, Game], key: str):
    game = await over(here, ended, key)
    begun, end = await first(game), await last(game)
    (committed,) = re.findall(r"[0-9a-f]{64}", begun.text)
    secret, commitment = re.findall(r"[0-9a-f]{64}", end.text)
    assert committed == commitment == hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    data = json.loads(await here.client.download(end.raw["attachments"][0]["url"]))
    assert (data["secret"], data["header"]["commitment"]) == (secret, committed)


@pytest.mark.parametrize("key", GAMES)
async def test_the_game_of_the_channel_is_checked(here: World, ended: dict[str, Game], key: str):
    game = await over(here, ended, key)
    end = await last(game)
    for told in (
        await game.says(here.people[4], "table verify"),
        (await here.people[4].press(end.id, end.button("Check it").custom_id, finish=WAIT)).message.text,
    ):
        assert "everything fits" in told
        assert "what the first message of this game says" in told
        assert here.people[0].name in told
        assert "🏆" in told


async def test_without_its_first_message_a_game_is_checked_all_the_same(here: World):
    game = await played(here, THRONE)
    await here.client.delete_message((await first(game)).id)
    assert "Compare it with the first message" in await game.says(here.people[0], "table verify")


async def test_a_first_message_that_says_something_else_is_found(here: World):
    game = await played(here, THRONE)
    for part in here.sandbox.core.world.messages[(await first(game)).id].components[0]["components"]:
        if "content" in part:
            part["content"] = re.sub(r"[0-9a-f]{64}", "0" * 64, part["content"])
    told = await game.says(here.people[0], "table verify")
    assert "does not fit, at header.commitment" in told


async def test_an_ended_game_stays_as_it_ended_under_new_rules(here: World, ended: dict[str, Game], monkeypatch):
    game = await over(here, ended, THRONE)
    rules = type(rules_of(THRONE))
    monkeypatch.setattr(rules, "version", rules.version + 1)
    monkeypatch.setattr(rules, "upgraders", {rules.version - 1: lambda state: state})
    here.tables.ended.clear()
    assert "everything fits" in await game.says(here.people[4], "table verify")  # by the old rules, in its process
    assert "The game is over" in await game.says(here.people[0], "table turn")
    data = await here.tables.composer.export(await here.tables.find(game.id))
    with pytest.raises(Damaged) as newer:
        verify(read_export(data), rules())
    assert "all draws fit" in verdict({"valid": False, "where": newer.value.where, "why": newer.value.args_["why"]}, "")
    here.tables.ended.clear()


@pytest.mark.parametrize("key", GAMES)
async def test_a_file_is_checked(here: World, ended: dict[str, Game], key: str):
    game = await over(here, ended, key)
    data = await here.client.download((await last(game)).raw["attachments"][0]["url"])
    commitment = json.loads(data)["header"]["commitment"]
    told = await game.says(here.people[5], "table verify", file=attached("game.json", data))
    assert "everything fits" in told
    assert "Compare it" in told
    assert here.people[0].name not in told
    options = {"file": attached("game.json", data), "commitment": commitment.upper()}
    assert "the commitment you gave" in await game.says(here.people[5], "table verify", **options)
    options["commitment"] = "00" * 32
    assert "does not fit, at header.commitment" in await game.says(here.people[5], "table verify", **options)
    for wrong in (data[:-100], b"nonsense", b"", data.replace(b'"score": ', b'"score": 1', 1)):
        said = await game.says(here.people[5], "table verify", file=attached("game.json", wrong))
        assert "does not fit" in said, wrong[:50]


async def test_what_is_too_large_or_too_slow_is_refused(here: World, ended: dict[str, Game], monkeypatch):
    game = await over(here, ended, THRONE)
    monkeypatch.setattr(sys.modules["cogs.fairness"], "LARGEST", 10)
    assert "too large" in await game.says(here.people[5], "table verify", file=attached("game.json", b"x" * 11))
    monkeypatch.setattr(sys.modules["cogs.fairness"], "SECONDS", 0.2)
    monkeypatch.setattr(sys.modules["cogs.fairness"], "CHILD", "import time; time.sleep(60)")
    assert "could not be checked within" in await game.says(here.people[5], "table verify")
    monkeypatch.setattr(sys.modules["cogs.fairness"], "CHILD", "import sys; sys.exit(3)")
    assert "could not be checked" in await game.says(here.people[5], "table verify")


async def test_one_at_a_time(here: World, ended: dict[str, Game]):
    game = await over(here, ended, THRONE)
    cog = here.bot.get_cog("FairnessCog")
    async with cog._checking:
        assert "Another game is being checked" in await game.says(here.people[5], "table verify")
    assert "everything fits" in await game.says(here.people[5], "table verify")


async def test_the_check_knows_no_secret_of_the_bot(here: World, ended: dict[str, Game], monkeypatch):
    game = await over(here, ended, THRONE)
    monkeypatch.setenv("DISCORD_TOKEN", "oh")
    look = "import os, json; print(json.dumps({'valid': False, 'where': ' '.join(os.environ), 'why': ''}))"
    monkeypatch.setattr(sys.modules["cogs.fairness"], "CHILD", look)
    assert "DISCORD" not in await game.says(here.people[5], "table verify")


@pytest.mark.parametrize("key", GAMES)
async def test_a_running_game_tells_nothing_hidden(here: World, key: str):
    game = await here.game(2, key=key)
    for _ in range(6):
        await step(game)
    assert "still going on" in await game.says(here.people[0], "table verify")
    told = await game.says(here.people[0], "table luck")
    assert "🃏" not in told
    assert "draws" not in told
    assert "🎲" in told if key == THRONE else "Nothing has been rolled" in told


@pytest.mark.parametrize("key", GAMES)
async def test_luck_at_the_end(here: World, ended: dict[str, Game], key: str):
    game = await over(here, ended, key)
    end = await last(game)
    told = (await here.people[3].press(end.id, end.button("Luck").custom_id, finish=WAIT)).message.text
    assert told == await game.says(here.people[0], "table luck")
    assert told.count("🃏") == 2
    assert "0.500 ±" in told
    assert ("🎲" in told) == (key == THRONE)
    assert re.search(r"🃏 .*?: \d+ cards", told)


async def test_what_was_taken_back_does_not_count(here: World):
    game = await here.game(2)
    for _ in range(12):
        await step(game)
    before = await game.says(here.people[0], "table luck")
    assert "🎲" in before
    assert "Taken back" in await game.says(here.people[0], "game rewind", steps=100)
    after = await game.says(here.people[0], "table luck")
    dice = [int(n) for n in re.findall(r": (\d+) d", before)]
    fewer = [int(n) for n in re.findall(r": (\d+) d", after)]
    assert sum(fewer) <= sum(dice)
    events = [seq for seq, _, _ in await here.store.events(game.id, 0)]
    assert max(events) > 12
