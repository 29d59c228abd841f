"""How lucky each seat was: its dice and cards by the events of the game, against what could be expected.

A game says which of its events tell what chance gave: `LUCK` in its module `luck`, by event kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from .engine import Arg, Draw, Event, Rules


class Dice(NamedTuple):
    """The event's argument `seat` names who rolled (nobody's dice are left out), and `got` holds what."""

    seat: str
    got: str
    sides: int = 6


class Cards(NamedTuple):
    """The event's argument `seat` names who drew, and `got` holds what: kinds, several of one as `3.kind`."""

    seat: str
    got: str


class Rolled(NamedTuple):
    """A seat's dice: how many, their sum, the expected sum, and the share of luckless others: 0.9 means that nine of
    ten would have rolled less."""

    seat: int
    dice: int
    total: int
    expected: float
    above: float


class Drew(NamedTuple):
    """A seat's cards of one kind, and its share of all that were drawn of it."""

    seat: int
    kind: str
    got: int
    expected: float


Declared = Mapping[str, tuple[Dice | Cards, ...]]


def declared(rules: Rules[Any, Any, Any]) -> Declared:
    """What of this game is luck; nothing when it does not say."""
    try:
        found: Declared = import_module(f"{__package__}.{rules.key}.luck").LUCK
    except ModuleNotFoundError:
        return {}
    return found


def rolled(luck: Declared, events: Iterable[Event]) -> list[Rolled]:
    """The dice of each seat that rolled any, by seat."""
    sums: dict[int, tuple[int, int, float, float]] = {}
    for event, chance in _chances(luck, events):
        seat = event.args.get(chance.seat)
        got = _numbers(event.args.get(chance.got)) if isinstance(chance, Dice) else []
        if isinstance(chance, Dice) and isinstance(seat, int) and got:
            dice, total, mean, spread = sums.get(seat, (0, 0, 0.0, 0.0))
            n = len(got)
            mean += n * (chance.sides + 1) / 2
            sums[seat] = (dice + n, total + sum(got), mean, spread + n * (chance.sides**2 - 1) / 12)
    return [
        Rolled(seat, dice, total, mean, (1 + math.erf((total - mean) / math.sqrt(2 * spread))) / 2)
        for seat, (dice, total, mean, spread) in sorted(sums.items())
    ]


def drew(luck: Declared, events: Iterable[Event]) -> list[Drew]:
    """The cards of each seat by kind, every kind that anybody drew; by seat and kind."""
    got: dict[int, dict[str, int]] = {}
    for event, chance in _chances(luck, events):
        seat, cards = event.args.get(chance.seat), event.args.get(chance.got)
        if isinstance(chance, Cards) and isinstance(seat, int):
            own = got.setdefault(seat, {})
            for card in cards if isinstance(cards, tuple) else (cards,):
                count, _, kind = str(card).partition(".")
                n, kind = (int(count), kind) if count.isdigit() and kind else (1, str(card))
                own[kind] = own.get(kind, 0) + n
    whole = sum(sum(own.values()) for own in got.values())
    kinds = sorted({kind: None for own in got.values() for kind in own})
    totals = {kind: sum(own.get(kind, 0) for own in got.values()) for kind in kinds}
    return [
        Drew(seat, kind, own.get(kind, 0), totals[kind] * sum(own.values()) / whole)
        for seat, own in sorted(got.items())
        for kind in kinds
    ]


def evenness(draws: Sequence[Draw]) -> tuple[float, float]:
    """The mean of all draws, each scaled to 0..1 (0.5 is expected), and what it may well be off by (two sigmas)."""
    wide = [draw for draw in draws if draw.range > 1]
    if not wide:
        return 0.5, 0.0
    mean = sum(draw.result / (draw.range - 1) for draw in wide) / len(wide)
    spread = sum((draw.range + 1) / (12 * (draw.range - 1)) for draw in wide)
    return mean, 2 * math.sqrt(spread) / len(wide)


def _chances(luck: Declared, events: Iterable[Event]) -> Iterable[tuple[Event, Dice | Cards]]:
    return ((event, chance) for event in events for chance in luck.get(event.kind, ()))


def _numbers(got: Arg) -> list[int]:
    return [int(value) for value in (got if isinstance(got, tuple) else (got,)) if value is not None]
