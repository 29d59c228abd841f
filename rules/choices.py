"""Choices that games share: the way back out of one, and those that answer themselves."""

from collections.abc import Callable, Sequence
from typing import Any

from .engine.flow import Flow, choose
from .engine.questions import Option

BACK = "back"


def back() -> Option:
    """The option that takes back what was begun, at no cost."""
    return Option(BACK, "option.back")


def one_or_ask(
    seat: int, key: str, build: Callable[[], Sequence[Option]], *, private: bool = False, **args: Any
) -> Flow[str]:
    """The only option there is, or the one chosen, or BACK."""
    options = build()
    if len(options) == 1:
        return options[0].id
    return (yield from choose(seat, key, lambda: [*build(), back()], private=private, **args))
