"""Guesses of what others chose in secret: mostly such as fit what was told, and never only those."""

from __future__ import annotations

from collections import Counter

from rules.engine import SKIP, Answer, Chance, Option, Question
from rules.engine.flow import Event
from rules.guesses import guess

CARDS = tuple(Option(card, "card", {"card": card}) for card in ("bribe", "move", "steal", "scout", "spy"))


def guesses(question: Question, *told: Event) -> Counter[Answer]:
    chance = Chance(b"guess")
    found = Counter(guess(2, question, told, chance) for _ in range(400))
    assert all(question.check(answer) == answer for answer in found)
    return found


def test_the_card_that_was_played_is_guessed_to_have_been_chosen():
    question = Question("card", CARDS, private=True)
    found = guesses(question, Event("attack", {"seat": 2, "card": "steal", "rival": 1}))
    assert found[("steal",)] > 280
    assert len(found) == 5, "any other now and then"
    assert max(guesses(question).values()) < 120, "nothing was told"


def test_all_that_an_option_is_about_must_have_been_told():
    units = tuple(Option(f"{u}.{p}", "t", {"unit": u, "planet": p}) for u in ("scout", "tank") for p in ("A", "B"))
    found = guesses(Question("target", units, private=True), Event("hit", {"unit": "tank", "planet": "B"}))
    assert found[("tank.B",)] > 280


def test_an_order_is_guessed_from_what_was_laid_open_one_after_the_other():
    units = (Option("tank", count=2), Option("scout", count=2), Option("spy"))
    question = Question("order", units, 3, 3, ordered=True, private=True)
    pairs = [Event("pair", {"mine": "spy", "theirs": "tank"}), Event("pair", {"mine": "tank", "theirs": "tank"})]
    found = guesses(question, *pairs)
    first = Counter(answer[:2] for answer in found.elements())
    assert first[("spy", "tank")] > 100
    assert first[("tank", "tank")] > 100


def test_who_can_pass_has_mostly_passed_unless_it_was_told_of_him():
    question = Question("counter", (Option("guard"), Option(SKIP)), private=True, windows=("counter",))
    assert guesses(question)[(SKIP,)] > 280
    assert guesses(question, Event("countered", {"seat": 1, "card": "guard"}))[(SKIP,)] > 280
    assert guesses(question, Event("countered", {"seat": 2, "card": "guard"}))[("guard",)] > 280
