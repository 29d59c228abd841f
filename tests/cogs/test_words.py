"""What the bot says about every game has its words."""

import pytest

from cogs.compose import score_parts
from cogs.following import moments_of
from rules import GAMES, rules_of
from rules.engine import Standing
from rules.engine.table import Table
from rules.struggle_for_the_throne import RULES as THRONE


@pytest.mark.parametrize("key", GAMES)
def test_the_parts_of_a_score(key: str) -> None:
    rules = rules_of(key)
    table, _ = Table.start(rules, rules.options(), seats=2, secret=bytes(32))
    for standing in table.standings():
        assert standing.parts
        for part, number in standing.parts.items():
            assert str(number) in rules.words.say(f"part.{part}", {"n": number})


def test_the_parts_of_a_score_are_counted() -> None:
    said = [THRONE.words.say("part.unit.commander", {"n": n}) for n in (1, 3)]
    assert said == ["1 Commander", "3 Commanders"]


def test_what_brought_nothing_is_no_part_of_a_score() -> None:
    words = rules_of("eclipse").words
    parts = {"reputation": 0, "hexes": 3, "ambassadors": 1}
    assert score_parts(words, Standing(0, 1, 4, parts=parts)) == " (3 from hexes, 1 from ambassadors)"
    assert score_parts(words, Standing(0, 2, 0, parts={"hexes": 0})) == ""


@pytest.mark.parametrize("key", GAMES)
def test_what_everybody_reads_of_a_private_question_is_a_sentence(key: str) -> None:
    """It stands after a name."""
    texts = {name: text for name, text in rules_of(key).words.texts.items() if name.startswith("public.")}
    assert texts
    for name, text in texts.items():
        assert text.endswith("."), name
        assert not text.startswith(("which", "whether", "what")), name


@pytest.mark.parametrize("key", GAMES)
def test_moments_are_events_of_the_game(key: str) -> None:
    """What followers are told of: rounds and battles, each a kind of event with words."""
    rules = rules_of(key)
    moments = moments_of(rules)
    assert set(moments.values()) == {"round", "battle"}
    for kind in moments:
        assert rules.words.texts.get(f"event.{kind}"), kind
