"""The games under test, at every player count, with their optional rules varied.

A new game is tested by its line in `rules/__init__.py`. The environment sets how much: CONFORMANCE_SEEDS (games a
case), CONFORMANCE_EVERY (decisions between two full checks), CONFORMANCE_LONGEST (decisions a game may last),
CONFORMANCE_TWINS (steps after which twins are compared, for each seed).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from rules import GAMES, rules_of
from rules.engine import Chance, Rules, Table
from tests.rules import toy

SEEDS = int(os.environ.get("CONFORMANCE_SEEDS", "2"))
EVERY = int(os.environ.get("CONFORMANCE_EVERY", "7"))
LONGEST = int(os.environ.get("CONFORMANCE_LONGEST", "20000"))
TWINS = int(os.environ.get("CONFORMANCE_TWINS", "600"))

RULES: list[Rules[Any, Any, Any]] = [toy.RULES, *(rules_of(key) for key in GAMES)]


class Case(NamedTuple):
    """One way to play a game."""

    rules: Rules[Any, Any, Any]
    seats: int
    options: dict[str, Any]

    @property
    def name(self) -> str:
        """The test's id."""
        return "-".join([self.rules.key, str(self.seats), *(f"{name}={value}" for name, value in self.options.items())])

    def start(self, seed: str) -> Table:
        """A new game."""
        options = msgspec.convert(self.options, self.rules.options)
        secret = Chance(seed.encode()).seed.ljust(32, b".")[:32]
        salts = [f"{seed}{seat}" for seat in range(self.seats)]
        return Table.start(self.rules, options, seats=self.seats, secret=secret, salts=salts)[0]

    def allowed(self) -> bool:
        """Whether the game can be played so."""
        return not self.rules.problems(msgspec.convert(self.options, self.rules.options), self.seats)


def values(rules: Rules[Any, Any, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Each optional rule's values beside its default."""
    info = msgspec.inspect.type_info(rules.options)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        kind = field.type
        if isinstance(kind, msgspec.inspect.BoolType):
            yield field.name, [not field.default]
        elif isinstance(kind, msgspec.inspect.LiteralType):
            yield field.name, [value for value in kind.values if value != field.default]
        elif isinstance(kind, msgspec.inspect.IntType):
            low = kind.ge if kind.ge is not None else 1
            yield field.name, [n for n in range(low, low + 4) if n != field.default]
        else:
            raise AssertionError(f"{rules.key}: the option {field.name} is no switch, number or choice")


def cases() -> list[Case]:
    """Every player count; every value of every optional rule alone and in random company."""
    found: dict[str, Case] = {}
    for rules in RULES:
        varied = dict(values(rules))
        chance = Chance(f"cases/{rules.key}".encode())
        wanted: list[dict[str, Any]] = [{}]
        wanted += [{name: value} for name, others in varied.items() for value in others]
        wanted += [
            {name: chance.pick(others) for name, others in varied.items() if chance.below(len(varied)) < 3}
            for _ in range(8 * SEEDS)
        ]
        for options in wanted:
            fitting = [case for seats in rules.seats if (case := Case(rules, seats, options)).allowed()]
            some = fitting if not options else [chance.pick(fitting)] if fitting else []
            found.update({case.name: case for case in some})
        for seats in rules.seats:  # counts that need an optional rule
            if not any(case.rules is rules and case.seats == seats for case in found.values()):
                singles = [Case(rules, seats, {name: value}) for name, others in varied.items() for value in others]
                case = next(case for case in singles if case.allowed())
                found[case.name] = case
    return list(found.values())


CASES = cases()
#: games that random answers end early: what keeps them going, and the options shunned for it (`option` or `key=option`)
DEEP: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "struggle_for_the_throne": ({"round_limit": 8}, ("surrender",)),
    "eclipse": (
        {},
        (
            *(f"reaction.choose={action}" for action in ("upgrade", "build", "move")),
            *(f"action.choose={action}" for action in ("upgrade", "research", "trade")),
            "influence.to=track",
        ),
    ),
}
DEEP_CASES = [
    Case(rules, seats, options)
    for rules in RULES
    if rules.key in DEEP
    for options in (DEEP[rules.key][0],)
    for seats in rules.seats
    if Case(rules, seats, options).allowed()
]
every_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
every_game = pytest.mark.parametrize("rules", RULES, ids=[rules.key for rules in RULES])
every_deep_case = pytest.mark.parametrize("case", DEEP_CASES, ids=[case.name for case in DEEP_CASES])
some = pytest.mark.parametrize("seed", range(SEEDS))


def plain_case(rules: Rules[Any, Any, Any], seats: int | None = None) -> Case:
    """The game as it is without options, at the fewest players it allows or at `seats`."""
    return next(case for case in CASES if case.rules is rules and not case.options and seats in (None, case.seats))
