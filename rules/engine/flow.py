"""Flows: a rule is a generator that asks and is sent the answer, and so reads as the rulebook does."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from .chance import Chance
from .questions import SKIP, Answer, Arg, Option, Question

S = TypeVar("S")
T = TypeVar("T")

Answers = dict[int, Answer]


class Ask(NamedTuple):
    """What a flow yields: these seats must each answer the question that `build` lists for them. `build` is pure and
    may be called again at any time. With several seats the answers are sealed until all are in."""

    seats: tuple[int, ...]
    build: Callable[[int], Question]


Flow = Generator[Ask, Answers, T]


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """`kind` is a words key; `audience` None means everyone, else only these seats. `owner`: whose hidden information
    was shown by it. `drawn`: chance was drawn on the way to it. `places`: board places that changed."""

    kind: str
    args: dict[str, Arg] = {}
    audience: tuple[int, ...] | None = None
    owner: int | None = None
    drawn: bool = False
    places: tuple[str, ...] = ()

    def seen_by(self, seat: int | None) -> bool:
        """Whether this seat (None: a spectator) may know of it."""
        return self.audience is None or seat in self.audience


class Game(msgspec.Struct, Generic[S]):
    """A game being played, as a flow sees it: its state, its chance, and the place where it tells what happened."""

    state: S
    chance: Chance
    events: list[Event] = []
    draws_told: int = 0

    def roll(self, sides: int = 6) -> int:
        """One die, 1..sides."""
        return self.chance.roll(sides)

    def tell(
        self, kind: str, *, to: Iterable[int] | None = None, owner: int | None = None, places: Iterable[str] = (),
        **args: Arg,
    ) -> None:  # fmt: skip
        """Something happened. `to`: only these seats may know of it. `owner`: whose hidden information it shows. What
        is told to some without an owner belongs to all: whoever takes it back needs everybody's consent."""
        audience = None if to is None else tuple(sorted(to))
        drawn = len(self.chance.draws) > self.draws_told
        self.draws_told = len(self.chance.draws)
        self.events.append(Event(kind, args, audience, owner, drawn, tuple(places)))


def choose(
    seat: int, key: str, build: Callable[[], Sequence[Option]], *,
    skip: str | None = None, private: bool = False, number: bool = False, **args: Arg,
) -> Flow[str]:  # fmt: skip
    """Ask `seat` for one of the options that `build` lists; `skip` names the words of an added option to pass (SKIP)."""
    more: Any = args
    return (yield from choose_many(seat, key, build, 1, 1, skip=skip, private=private, number=number, **more))[0]


def choose_many(
    seat: int, key: str, build: Callable[[], Sequence[Option]], least: int, most: int, *, ordered: bool = False,
    skip: str | None = None, private: bool = False, number: bool = False, **args: Arg,
) -> Flow[Answer]:  # fmt: skip
    """Ask `seat` for `least` to `most` of the options, in an order if `ordered`. Passing answers `(SKIP,)`."""

    def question(_: int) -> Question:
        options = (*build(), Option(SKIP, skip)) if skip else tuple(build())
        return Question(key, options, least, most, ordered, private, number, (), args)

    return (yield Ask((seat,), question))[seat]


def ask_all(seats: Iterable[int], build: Callable[[int], Question]) -> Flow[Answers]:
    """Ask several seats at once. Answers are sealed until all are in; a seat may replace its own until then."""
    asked = tuple(seats)
    if not asked:
        return {}
    return (yield Ask(asked, build))


class Offer(NamedTuple):
    """One named chance to interrupt: what a seat could do (pure), and what happens when it does. `resolve(seat, option
    id)` runs when its turn in the window has come (None: it asks nothing). Offers of one moment have distinct ids."""

    name: str
    build: Callable[[int], Sequence[Option]]
    resolve: Callable[[int, str], Flow[Any] | None]


def window(
    seats: Callable[[], Iterable[int]], *offers: Offer, key: str, skip: str, once: bool = False,
    until: Callable[[], bool] = lambda: False, **args: Arg,
) -> Flow[bool]:  # fmt: skip
    """A reaction window, the offers of one moment merged into one private question a seat. `seats` lists who is asked,
    in turn order from the active seat, from *public* knowledge only. Answers are sealed and resolve in that order,
    each checked again before; when something was used the window reopens for all, unless `once`. It ends when all pass
    or when `until` says the moment is gone (cancelled, say)."""

    def question(seat: int) -> Question:
        options = [option for offer in offers for option in offer.build(seat)]
        names = tuple(offer.name for offer in offers)
        return Question(key, (*options, Option(SKIP, skip)), private=True, windows=names, args=args)

    def chosen(seat: int, id: str) -> Offer | None:
        """The offer that the answer takes, if it still stands."""
        return next((offer for offer in offers if any(option.id == id for option in offer.build(seat))), None)

    uses = 0
    while not until():
        before, asked = uses, tuple(seats())
        answers = yield from ask_all(asked, question)
        for seat in asked:
            offer = None if until() else chosen(seat, answers[seat][0])
            if offer is not None:
                uses += 1
                yield from offer.resolve(seat, answers[seat][0]) or ()
        if once or uses == before:
            break
    return uses > 0


def play_card(
    announce: Callable[[], None], counters: Callable[[], Flow[bool]], resolve: Callable[[], Flow[T] | None]
) -> Flow[T | None]:
    """The one procedure for cards: announce with its targets, the chance to cancel, then resolve unless cancelled."""
    announce()
    flow = None if (yield from counters()) else resolve()
    return None if flow is None else (yield from flow)


class Act(NamedTuple):
    """What a seat may do outside the question asked of it. `fields` are given with the act, all at once, each
    independent of the others. `flow` may raise Illegal before it changes anything, and may ask (it is pushed above the
    standing question); an instant act returns None or asks nothing. `harmless`: allowed even while several are asked
    at once, since it changes nothing their answers depend on."""

    name: str
    flow: Callable[[Any, int, tuple[Answer, ...]], Flow[None] | None]
    fields: tuple[Question, ...] = ()
    harmless: bool = False
    args: Mapping[str, Arg] = {}
