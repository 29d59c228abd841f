"""Choices that games share: the way back out of one, and those that answer themselves."""

from collections.abc import Callable, Sequence
from typing import Any

from .engine.flow import Flow, choose
from .engine.questions import Option, Question

BACK = "back"
WAY_BACK = "option.back"
"""The words of an option that takes back what was begun, whatever its id."""


def back() -> Option:
    """The option that takes back what was begun, at no cost."""
    return Option(BACK, WAY_BACK)


def way_back(question: Question) -> str | None:
    """The option that takes back what was begun; None when there is none."""
    return next((option.id for option in question.options if option.words == WAY_BACK), None)


def one_or_ask(
    seat: int, key: str, build: Callable[[], Sequence[Option]], *, private: bool = False, **args: Any
) -> Flow[str]:
    """The only option there is, or the one chosen, or BACK."""
    options = build()
    if len(options) == 1:
        return options[0].id
    return (yield from choose(seat, key, lambda: [*build(), back()], private=private, **args))
