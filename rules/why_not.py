"""Why not: what stands against something that a person wanted, and the chapter of the rulebook that says so.

A game declares the conditions (`Rules.why_not`), their words (`why.<key>`), and in `[chapters]` the rulebook's chapters: by
the key of a reason, or by the beginning of a question's key, `act` standing for what is done outside questions.
"""

from collections.abc import Callable
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


def because(key: str, **args: Arg) -> Reason:
    """A reason: its words stand at `why.<key>`."""
    return f"why.{key}", args


def meant(words: Words, wanted: str, *kinds: str) -> str:
    """The id that is called `wanted` (words `<kind>.<id>`); without one, `wanted` as an id is written."""
    name = wanted.strip().casefold()
    for kind in kinds:
        for key, text in words.texts.items():
            if key.startswith(f"{kind}.") and text.casefold() == name:
                return key.removeprefix(f"{kind}.")
    return name.replace(" ", "_")


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
    if key == "engine.no_such_option":
        key, args = table.rules.why_not(table.state, seat, question, str(args["option"])) or (key, args)
    if key == "engine.how_many" and args["least"] == args["most"]:
        key = "engine.exactly"
    return _with_chapter(table, key, args, question.key)


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
