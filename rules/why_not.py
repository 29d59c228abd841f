"""Why not: what stands against something that a person wanted, and the chapter of the rulebook that says so.

A game declares the conditions (`Rules.why_not`), their words (`why.<key>`), and in `[chapters]` the rulebook's chapters: by
the key of a reason, or by the beginning of a question's key, `act` standing for what is done outside questions.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from .engine.errors import Illegal
from .engine.questions import Arg, Option, Question
from .engine.table import Table
from .engine.words import Words

S = TypeVar("S")
Reason = tuple[str, dict[str, Arg]]
Explain = Callable[[S, int, Question, str], Reason | None]
"""What stands against an answer to a question: of the state, for the seat, the question, and what was wanted."""
ACT = "act"
ANSWERS = ("engine.no_such_option", "engine.too_often", "engine.skip_alone", "engine.how_many")
"""What the engine says of an answer that does not fit."""


def because(key: str, **args: Arg) -> Reason:
    """A reason: its words stand at `why.<key>`."""
    return f"why.{key}", args


def meant(words: Words, wanted: str, *kinds: str) -> str:
    """The id that is called `wanted` (words `<kind>.<id>`); without one, `wanted` as an id is written."""
    name = wanted.strip().casefold()
    return next((_names(words, kind)[name] for kind in kinds if name in _names(words, kind)), name.replace(" ", "_"))


@cache
def _names(words: Words, kind: str) -> dict[str, str]:
    """The ids of a kind by their names in small letters."""
    found = ((key.partition("."), text) for key, text in words.texts.items())
    return {text.casefold(): id for (first, _, id), text in found if first == kind}


def chapter(words: Words, *keys: str) -> str:
    """The chapter of the first key that has one, shortened part by part at its end; "" when none has."""
    for key in keys:
        while key:
            if f"chapters.{key}" in words:
                return words.texts[f"chapters.{key}"]
            key = key.rpartition(".")[0]
    return ""


def explained(table: Table, seat: int, question: Question, refusal: Illegal) -> Illegal:
    """The refusal of an answer to that question, with what stands against it and the chapter, as far as known."""
    key, args = refusal.key, refusal.args_
    if key not in ANSWERS:
        return refusal
    if key == "engine.no_such_option":
        key, args = table.rules.why_not(table.state, seat, question, str(args["option"])) or (key, args)
    if key == "engine.how_many" and args["least"] == args["most"]:
        key = "engine.exactly"
    return _with_chapter(table, key, args, question.key)


@contextmanager
def explaining(table: Table, seat: int, question: Question) -> Iterator[None]:
    """A refusal of an answer to that question inside is explained."""
    try:
        yield
    except Illegal as refusal:
        raise explained(table, seat, question, refusal) from refusal


def explained_act(table: Table, seat: int, name: str, refusal: Illegal) -> Illegal:
    """The refusal of an act, with what stands against it and the chapter, as far as known."""
    key, args = refusal.key, refusal.args_
    if key == "engine.no_such_act":
        question = Question(ACT, tuple(Option(act.name) for act in table.acts(seat)))
        key, args = table.rules.why_not(table.state, seat, question, name) or (key, args)
    return _with_chapter(table, key, args, f"{ACT}.{name}")


def _with_chapter(table: Table, key: str, args: dict[str, Any], asked: str) -> Illegal:
    found = args.get("chapter") or chapter(table.rules.words, key, asked)
    return Illegal(key, **{**args, "chapter": found} if found else args)
