"""What others may have chosen in secret, guessed from what was told afterwards: which card it was, say, once it has been
played. Everything here follows from what the guesser knows."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from .engine.chance import Chance
from .engine.flow import Event
from .engine.questions import SKIP, Answer, Arg, Option, Question
from .engine.rules import Decision, random_player

PASSING: Final = 4
"""Who can pass in secret, and of whom nothing was told, is taken to have passed in all but one of so many guesses."""


def guess(seat: int, question: Question, told: Sequence[Event], chance: Chance) -> Answer:
    """An answer such as may have led to what was told, in this order; now and then any other."""
    named = [option for option in question.options if _named(option, told)]
    concerned = any(str(seat) in _values(event) for event in told)
    if question.skippable and chance.below(PASSING) and not (named and concerned):
        return (SKIP,)
    if named and chance.below(PASSING):
        if question.most == 1:
            return (chance.pick(named).id,)
        return _filled(question, _sequence(named, told, chance), chance)
    return random_player(Decision(seat, None, question), chance)


def _values(event: Event) -> list[str]:
    """What the event names, in order."""
    return [text for value in event.args.values() for text in _texts(value)]


def _texts(value: Arg) -> list[str]:
    return [str(one) for one in (value if isinstance(value, tuple) else (value,))]


def _named(option: Option, told: Sequence[Event]) -> bool:
    """Whether one of the events names all that the option is about."""
    about = [text for value in option.args.values() for text in _texts(value)]
    return any(option.id in (values := _values(event)) or (about and set(about) <= set(values)) for event in told)


def _sequence(named: Sequence[Option], told: Sequence[Event], chance: Chance) -> list[str]:
    """What the events name of the options, one after the other: by one of their arguments."""
    ids = {option.id for option in named}
    lists: dict[str, list[str]] = {}
    for event in told:
        for name, value in event.args.items():
            lists.setdefault(name, []).extend(text for text in _texts(value) if text in ids)
    found = [one for one in lists.values() if one]
    return chance.pick(found) if found else [option.id for option in named]


def _filled(question: Question, first: Sequence[str], chance: Chance) -> Answer:
    """An answer that begins with these ids, as far as they fit, and goes on with others if it must."""
    left = Counter({option.id: option.count for option in question.options if option.id != SKIP})
    answer: list[str] = []
    for id in first:
        if left[id] and len(answer) < question.most:
            answer.append(id)
            left[id] -= 1
    while len(answer) < question.least and (rest := list(left.elements())):
        answer.append(chance.pick(rest))
        left[answer[-1]] -= 1
    return question.check(tuple(answer))
