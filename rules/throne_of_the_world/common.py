"""Small things every chapter uses: the way back out of a choice, choices that answer themselves, lists of cards."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rules.choices import BACK as BACK
from rules.choices import back as back
from rules.choices import one_or_ask as one_or_ask
from rules.engine.flow import Flow, choose
from rules.engine.questions import SKIP, Answer, Option

from .components import PLACE


def must_choose(seat: int, key: str, build: Callable[[], Sequence[Option]], **args: Any) -> Flow[str]:
    """The only option there is, or the one chosen; openly, and there is no way back."""
    options = build()
    if len(options) == 1:
        return options[0].id
    return (yield from choose(seat, key, build, **args))


def picked(answer: Answer) -> Answer:
    """What was chosen; nothing when the question was passed."""
    return () if answer == (SKIP,) else answer


def seat_options(seats: Iterable[int]) -> list[Option]:
    """Seats as options."""
    return [Option(str(seat), "option.seat", {"seat": seat}) for seat in seats]


def spread(cards: dict[str, int]) -> list[str]:
    """Every single card, in the order of the card list."""
    return [card for card in sorted(cards, key=PLACE.__getitem__) for _ in range(cards[card])]


def kinds(cards: dict[str, int]) -> list[str]:
    """Each kind of card there is, in the order of the card list."""
    return sorted(cards, key=PLACE.__getitem__)


def card_options(cards: dict[str, int]) -> list[Option]:
    """Cards as options that may be chosen as often as there are of them."""
    return [Option(card, f"card.{card}", count=cards[card]) for card in kinds(cards)]


def told(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as the argument of a text: equal ones together, as `2.soldiers`."""
    counts: dict[str, int] = {}
    for card in sorted(cards, key=PLACE.__getitem__):
        counts[card] = counts.get(card, 0) + 1
    return tuple(card if n == 1 else f"{n}.{card}" for card, n in counts.items())


def place(seat: int, profession: str) -> str:
    """The place on the table where a seat's units of a profession lie."""
    return f"{seat}.{profession}"
