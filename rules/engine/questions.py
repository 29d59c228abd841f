"""Questions, their options, and the written form of an answer."""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from .errors import Illegal

Answer = tuple[str, ...]
Scalar = str | int | bool | None
Arg = Scalar | tuple[Scalar, ...]

SKIP = "skip"
_written = re.compile(r"(?!-$)[^\s+>=]+").fullmatch
_number = re.compile(r"-?\d+").fullmatch


class Option(msgspec.Struct, frozen=True):
    """One thing to choose, up to `count` times. `id` is short, stable and unique in its question (letters, digits, `.`,
    `_`); `words` a key of the game's words (empty: the place's or the id's own name); `place` the board place."""

    id: str
    words: str = ""
    args: dict[str, Arg] = {}
    place: str | None = None
    count: int = 1


class Question(msgspec.Struct, frozen=True):
    """What one seat is asked: choose between `least` and `most` of `options`, in an order if `ordered`. Any selection
    within these bounds is legal. `private`: the options show hidden information. `number`: the options are a range of
    numbers. `windows`: the named reaction windows it stands for."""

    key: str
    options: tuple[Option, ...]
    least: int = 1
    most: int = 1
    ordered: bool = False
    private: bool = False
    number: bool = False
    windows: tuple[str, ...] = ()
    args: dict[str, Arg] = {}

    def option(self, id: str) -> Option:
        """The option with this id; Illegal if there is none."""
        for option in self.options:
            if option.id == id:
                return option
        raise Illegal("engine.no_such_option", option=id)

    @property
    def skippable(self) -> bool:
        """Whether one of the options is to pass."""
        return any(option.id == SKIP for option in self.options)

    def check(self, answer: Answer) -> Answer:
        """The answer in its canonical form (the options' order unless ordered); Illegal says which bound it breaks."""
        counts = Counter(answer)
        for id, n in counts.items():
            if n > self.option(id).count:
                raise Illegal("engine.too_often", option=id, count=self.option(id).count)
        if SKIP in counts and len(answer) > 1:
            raise Illegal("engine.skip_alone")
        if answer != (SKIP,) and not self.least <= len(answer) <= self.most:
            raise Illegal("engine.how_many", least=self.least, most=self.most, given=len(answer))
        if self.ordered or len(answer) < 2:
            return answer
        return tuple(option.id for option in self.options for _ in range(counts[option.id]))

    def problem(self) -> str | None:
        """Why this question cannot be put; None when it can (law 1)."""
        counts = {option.id: option.count for option in self.options}
        bad = [id for id in counts if not _written(id) or (self.number and id != SKIP and not _number(id))]
        too_few = SKIP not in counts and sum(counts.values()) < self.least
        faults = (
            (not counts, "nothing to choose"),
            (len(counts) != len(self.options), "an option's id stands twice"),
            (bool(bad), f"option ids {bad} cannot be written"),
            (any(n < 1 for n in counts.values()), "an option that cannot be chosen"),
            (too_few or not 0 <= self.least <= self.most or self.most < 1, f"bounds {self.least}..{self.most}"),
        )
        return next((f"{self.key}: {fault}" for holds, fault in faults if holds), None)


def numbers(low: int, high: int) -> list[Option]:
    """The options of a range of numbers, both ends included."""
    return [Option(str(n)) for n in range(low, high + 1)]


def places(ids: Iterable[str]) -> list[Option]:
    """One option for each board place."""
    return [Option(id, place=id) for id in ids]


def write(question: Question, answer: Answer) -> str:
    """The answer in notation: `key=a`, `key=a+b`, in an order `key=a>b`, nothing chosen `key=-`."""
    return f"{question.key}={(('>' if question.ordered else '+').join(answer)) or '-'}"


def read(question: Question, text: str) -> Answer:
    """The answer written as `text`, with or without the question's key; Illegal when it does not fit."""
    key, _, rest = text.strip().rpartition("=")
    if key and key != question.key:
        raise Illegal("engine.other_question", asked=question.key, given=key)
    parts = () if rest == "-" else tuple(part for part in rest.replace(">", "+").split("+") if part)
    return question.check(parts)
