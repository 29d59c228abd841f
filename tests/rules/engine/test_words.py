"""Words: texts by key, with arguments filled in."""

from __future__ import annotations

from pathlib import Path

from rules.engine import Event, Option, Question, Words
from rules.engine.words import flatten

WORDS = Words(
    {
        "card.sun": "the Sun",
        "hello": "Hello {who:seat}",
        "n": "{n} {n:plural:card,cards}",
        "cards": "{cards:list:card}",
        "card": "{card:card}",
        "event.played": "{seat:seat} plays {card:card}.",
        "ask.q": "Where to, {who:seat}?",
        "place.p": "the Port",
        "q.x": "Ex",
        "option.y": "Why",
        "own": "Own {n}",
        "option.none": "nothing",
    }
)


def test_arguments() -> None:
    assert WORDS.say("hello", {"who": 0}) == "Hello Seat 1"
    assert WORDS.named(lambda seat: "Ann").say("hello", {"who": 0}) == "Hello Ann"
    assert [WORDS.say("n", {"n": n}) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert WORDS.say("cards", {"cards": ("sun", "moon")}) == "the Sun, moon"
    assert WORDS.say("cards", {"cards": ()}) == "nothing"
    assert WORDS.say("card", {"card": "sun"}) == "the Sun"


def test_what_is_missing_shows_instead_of_failing() -> None:
    assert WORDS.say("no.such.key") == "no.such.key"
    assert WORDS.say("n") == "{n} cards"
    assert "hello" in WORDS
    assert "bye" not in WORDS


def test_names_cannot_smuggle_in_fields() -> None:
    assert WORDS.named(lambda seat: "{n}").say("hello", {"who": 1, "n": 5}) == "Hello {n}"


def test_options_take_the_first_text_that_fits() -> None:
    question = Question("q", ())
    labels = [
        WORDS.option(question, option)
        for option in (
            Option("x", place="p"),
            Option("z", place="p"),
            Option("y", place="r"),
            Option("z", place="r"),
            Option("z"),
            Option("x", "own", {"n": 3}),
        )
    ]
    assert labels == ["Ex", "the Port", "Why", "r", "z", "Own 3"]


def test_events_questions_and_answers() -> None:
    assert WORDS.event(Event("played", {"seat": 1, "card": "sun"})) == "Seat 2 plays the Sun."
    assert WORDS.question(Question("q", (), args={"who": 0})) == "Where to, Seat 1?"
    question = Question("q", (Option("x"), Option("y")), 0, 2)
    assert WORDS.answer(question, ("x", "y")) == "Ex, Why"
    assert WORDS.answer(Question("q", question.options, 0, 2, True), ("y", "x")) == "Why > Ex"
    assert WORDS.answer(question, ()) == "nothing"


def test_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text('a = "1"\n[b.c]\nd = "2"\n')
    other.write_text('[b]\nc.d = "3"\n')
    assert Words.load(one, other).texts == {"a": "1", "b.c.d": "3"}
    flat: dict[str, str] = {}
    flatten("x.", {"y": {"z": 1}}, flat)
    assert flat == {"x.y.z": "1"}


def test_events_are_seen_by_their_audience() -> None:
    assert Event("x").seen_by(None)
    private = Event("x", audience=(0, 2))
    assert [private.seen_by(seat) for seat in (None, 0, 1, 2)] == [False, True, False, True]
