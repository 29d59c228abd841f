"""Autocomplete for answers of several options, however long their ids are; and how a question reads."""

from types import SimpleNamespace
from typing import Any

from cogs.forms import Form
from cogs.writing import by_name, choices
from rules.engine import Option, Question, Words, read

LONG = tuple(Option(f"a_card_with_a_very_long_name_{n}") for n in range(12))
QUESTION = Question("discard", LONG, 6, 12)
LIVE: Any = SimpleNamespace(labels=Words({}))


def test_a_selection_goes_on_where_its_ids_would_be_too_long() -> None:
    written = "+".join(option.id for option in LONG[:3])
    chosen = written
    for n in range(3, 12):
        offered = choices(LIVE, QUESTION, chosen + "+")
        assert all(len(choice.value) <= 100 for choice in offered)
        assert len(offered) == 12 - n
        chosen = offered[0].value
    assert read(QUESTION, by_name(LIVE, QUESTION, chosen)) == tuple(option.id for option in LONG)


def test_a_number_means_the_option_at_that_place() -> None:
    assert by_name(LIVE, QUESTION, "#1+#12") == f"{LONG[0].id}+{LONG[11].id}"
    assert by_name(LIVE, QUESTION, "#13") == "#13"


def test_ids_may_be_written_with_spaces() -> None:
    """What an option's label says beside its name need not be written."""
    assert by_name(LIVE, QUESTION, "A card with a very long name 3") == LONG[3].id


def test_a_printed_number_means_the_option_about_it() -> None:
    """As long as only one of them is about it."""
    options = (
        Option("attack.cruiser", args={"ship": "cruiser", "n": 2}),
        Option("retreat.cruiser.227", args={"ship": "cruiser", "hex": "227"}, place="1,0"),
        Option("retreat.cruiser.301", args={"ship": "cruiser", "hex": "301"}, place="2,0"),
        Option("retreat.starbase.301", args={"ship": "starbase", "hex": "301"}, place="2,0"),
    )
    question = Question("combat.action", options)
    assert by_name(LIVE, question, "227") == by_name(LIVE, question, "1,0") == "retreat.cruiser.227"
    assert by_name(LIVE, question, "301") == "301"
    assert by_name(LIVE, question, "2") == "2"


def test_what_is_asked_stands_out_from_what_explains_it() -> None:
    words = Words({"ask.race": "Which one?\nElves. Quick.\nDwarves. Strong."})
    live: Any = SimpleNamespace(words=words, remark=lambda _: "")
    form = Form(live, 0, Question("race", (Option("elves"), Option("dwarves"))), 1)
    assert form.texts() == ["**Which one?**", "Elves. Quick.", "Dwarves. Strong."]
