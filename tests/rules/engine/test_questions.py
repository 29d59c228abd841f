"""Questions, their bounds, and the notation of answers."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.engine import SKIP, Chance, Decision, Illegal, Option, Question, numbers, places, random_player, read, write
from tests.rules.toy import RULES

ids = st.text(alphabet="abcXYZ019._:/-é", min_size=1, max_size=5).filter(lambda id: id not in ("-", SKIP))


@st.composite
def questions(draw: st.DrawFn) -> Question:
    options = [
        Option(id, count=draw(st.integers(1, 3))) for id in draw(st.lists(ids, min_size=1, max_size=6, unique=True))
    ]
    if draw(st.booleans()):
        options.append(Option(SKIP, "pass"))
    least = draw(st.integers(0, 4))
    most = draw(st.integers(max(least, 1), 6))
    return Question(draw(st.sampled_from(["a", "a.b", "x_1"])), tuple(options), least, most, draw(st.booleans()))


@st.composite
def answered(draw: st.DrawFn) -> tuple[Question, tuple[str, ...]]:
    question = draw(questions())
    assume(question.problem() is None)
    seed = draw(st.binary(min_size=1, max_size=8))
    return question, random_player(Decision(0, None, question), Chance(seed))


@given(answered())
def test_notation_reads_back(case: tuple[Question, tuple[str, ...]]) -> None:
    question, answer = case
    text = write(question, answer)
    assert "\n" not in text
    assert read(question, text) == answer
    assert read(question, f"  {text.partition('=')[2]} ") == answer


@given(answered())
def test_check_is_canonical_and_stable(case: tuple[Question, tuple[str, ...]]) -> None:
    question, answer = case
    assert question.check(answer) == answer
    if not question.ordered:
        assert question.check(answer[::-1]) == answer


@given(questions())
def test_whatever_can_be_put_can_be_answered_safely(question: Question) -> None:
    if question.problem() is None:
        safe = RULES.safe(question)
        assert question.check(safe) == safe
        assert safe == (SKIP,) or not question.skippable


@given(questions(), st.lists(ids, max_size=7))
def test_only_selections_within_the_bounds_are_legal(question: Question, picked: list[str]) -> None:
    counts = {option.id: option.count for option in question.options}
    legal = (
        all(picked.count(id) <= counts.get(id, 0) for id in picked)
        and (SKIP not in picked or picked == [SKIP])
        and (picked == [SKIP] or question.least <= len(picked) <= question.most)
    )
    try:
        question.check(tuple(picked))
    except Illegal:
        assert not legal
    else:
        assert legal


@pytest.mark.parametrize(
    "question",
    [
        Question("q", ()),
        Question("q", (Option("a"), Option("a"))),
        Question("q", (Option("a b"),)),
        Question("q", (Option("a+b"),)),
        Question("q", (Option("a>b"),)),
        Question("q", (Option("a=b"),)),
        Question("q", (Option("a\tb"),)),
        Question("q", (Option(""),)),
        Question("q", (Option("-"),)),
        Question("q", (Option("a", count=0),)),
        Question("q", (Option("a"),), 2, 2),
        Question("q", (Option("a"),), -1, 1),
        Question("q", (Option("a"), Option("b")), 2, 1),
        Question("q", (Option("a"),), 0, 0),
        Question("q", (Option("a"),), number=True),
    ],
)
def test_what_cannot_be_put(question: Question) -> None:
    assert question.problem()


@pytest.mark.parametrize(
    "question",
    [
        Question("q", (Option(SKIP, "pass"),)),
        Question("q", (Option("a", count=3),), 2, 3),
        Question("q", (Option("a"), Option(SKIP, "pass")), 2, 2),
        Question("q", (*numbers(-2, 3), Option(SKIP, "pass")), number=True),
        Question("q", (Option("a"),), 0, 1),
    ],
)
def test_what_can_be_put(question: Question) -> None:
    assert question.problem() is None


@pytest.mark.parametrize(
    ("text", "key"),
    [("x=a", "other_question"), ("q=z", "no_such_option"), ("a+b", "how_many"), ("", "how_many"), ("skip+a", "skip")],
)
def test_what_cannot_be_read(text: str, key: str) -> None:
    question = Question("q", (Option("a"), Option("b"), Option(SKIP, "pass")))
    with pytest.raises(Illegal) as refused:
        read(question, text)
    assert key in refused.value.key


def test_shapes() -> None:
    ordered = Question("q", tuple(numbers(1, 3)), 0, 3, True)
    assert write(ordered, ("3", "1")) == "q=3>1"
    assert read(ordered, "3>1") == ("3", "1")
    assert write(ordered, ()) == "q=-"
    assert read(ordered, "-") == ()
    assert [option.place for option in places(["x"])] == ["x"]


@given(questions(), st.binary(min_size=1, max_size=8))
def test_random_players_answer_legally(question: Question, seed: bytes) -> None:
    assume(question.problem() is None)
    answer = random_player(Decision(0, None, question), Chance(seed))
    assert question.check(answer) == answer
