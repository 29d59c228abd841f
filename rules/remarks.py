"""What a game says beside a question: something that helps to answer and takes a while to work out, such as odds."""

from typing import Any, Protocol, runtime_checkable

from .engine.questions import Arg, Question

Remark = tuple[str, dict[str, Arg]]
"""A words key with its arguments."""


@runtime_checkable
class Remarks(Protocol):
    """The rules of a game that has such remarks."""

    def remark(self, view: Any, question: Question) -> Remark | None:
        """What is worth knowing for this question, from what the view's viewer knows; None: nothing. It may take long."""
