"""A command that answers the same question several times has a parameter for each."""

from collections.abc import Sequence
from typing import Any

import pytest

from cogs.lines import Steps
from rules.engine import Answer, Event, Illegal, Option, Question
from rules.engine.questions import SKIP

BUILD = Steps(
    {"action": ("build",)},
    {"item": ("first", "second"), "place": ("first_at", "second_at"), "cubes": "cubes"},
    ("cubes",),
)
ITEMS, PLACES = (Option("cruiser"), Option("orbital")), (Option("204"), Option("221"))
ACTION = Question("action", (Option("build"), Option("pass")))
SERIES = [
    ACTION,
    Question("item", ITEMS),
    Question("place", PLACES),
    Question("item", ITEMS),
    Question("place", PLACES),
]


class Asked:
    """Stands for a line: puts these questions one after the other."""

    def __init__(self, questions: Sequence[Question], events: Sequence[Event] = ()) -> None:
        self.questions = list(questions)
        self.answers: list[Answer] = []
        self.events = tuple(events)
        self.seat = 0

    @property
    def question(self) -> Question | None:
        return self.questions[len(self.answers)] if len(self.answers) < len(self.questions) else None

    def answer(self, answer: Answer) -> tuple[Event, ...]:
        self.answers.append(answer)
        return self.events


def played(
    questions: Sequence[Question], focused: str = "", events: Sequence[Event] = (), **given: str
) -> tuple[list[Answer], Question | None]:
    line: Any = Asked(questions, events)
    question = BUILD.line(line, given, focused)
    return line.answers, question


def test_each_parameter_answers_its_own_time() -> None:
    answers, _ = played(SERIES, first="cruiser", first_at="204", second="orbital", second_at="221")
    assert answers == [("build",), ("cruiser",), ("204",), ("orbital",), ("221",)]
    assert played(SERIES, first="orbital", first_at="221")[0] == [("build",), ("orbital",), ("221",)]


def test_completion_stops_before_its_own_parameter() -> None:
    answers, question = played(SERIES, "second_at", first="cruiser", first_at="204", second="orbital")
    assert len(answers) == 4
    assert question is SERIES[4]


def test_a_parameter_in_between_is_missed() -> None:
    with pytest.raises(Illegal) as refused:
        played(SERIES, first="cruiser", second="orbital")
    assert (refused.value.key, refused.value.args_) == ("line.missing", {"name": "first_at", "later": "second"})


def test_what_the_rules_chose_by_themselves_may_be_said() -> None:
    placed = Event("built", {"item": "cruiser", "at": "204", "seat": 1})
    one, two = [ACTION, SERIES[1]], [ACTION, SERIES[1], SERIES[3]]
    for asked in (one, two):
        assert len(played(asked, events=[placed], first="cruiser", first_at="204")[0]) == 2
        assert len(played(asked, events=[placed], first="cruiser", first_at="-")[0]) == 2
        for wrong in ("221", "1"):
            with pytest.raises(Illegal) as refused:
                played(asked, events=[placed], first="cruiser", first_at=wrong)
            assert (refused.value.key, refused.value.args_) == ("line.only_way", {"name": "first_at", "given": wrong})
    assert len(played(two, events=[placed], first="cruiser", first_at="204", second="orbital")[0]) == 3


def test_what_was_done_once_is_not_taken_for_done_twice() -> None:
    placed = Event("built", {"item": "cruiser", "at": "204"})
    for more in ({"second": "cruiser"}, {"second": "cruiser", "second_at": "204"}):
        with pytest.raises(Illegal):
            played([ACTION, SERIES[1]], events=[placed], first="cruiser", **more)
    with pytest.raises(Illegal) as refused:
        played([*SERIES[:4]], events=[placed], first="cruiser", first_at="204", second="orbital", second_at="221")
    assert refused.value.key == "line.only_way"


def test_a_spared_parameter_is_passed_for_a_later_one() -> None:
    steps = Steps({}, {"back": "returned", "item": "first"}, ("returned",), ("returned",))
    back, item = Question("back", (Option("hull"), Option(SKIP))), Question("item", ITEMS)

    def answers(*questions: Question, focused: str = "", **given: str) -> tuple[list[Answer], Any]:
        line: Any = Asked(questions)
        question = steps.line(line, given, focused)
        return line.answers, question

    assert answers(back, item, first="cruiser")[0] == [(SKIP,), ("cruiser",)]
    assert answers(back, back, item, returned="hull", first="cruiser")[0] == [("hull",), (SKIP,), ("cruiser",)]
    assert answers(back, item, focused="first") == ([(SKIP,)], item)
    assert answers(back, item, focused="returned", first="cruiser") == ([], back)
    assert answers(back, item)[0] == []
    assert answers(Question("back", back.options[:1]), item, first="cruiser")[0] == [], "where it cannot be passed"


def test_one_parameter_answers_as_often_as_it_is_asked() -> None:
    again = Question("cubes", (Option("money"), Option("science")))
    assert played([again, again], cubes="money+science")[0] == [("money",), ("science",)]
