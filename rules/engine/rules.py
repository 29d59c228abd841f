"""What a game declares. A new game is one subclass of `Rules`, its state, its views and its words."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from .chance import Chance
from .flow import Act, Event, Flow, Game
from .questions import SKIP, Answer, Arg, Question
from .words import Words

S = TypeVar("S", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741
V = TypeVar("V", bound=msgspec.Struct)


class Colour(msgspec.Struct, frozen=True):
    """A colour (house, species, race ...) a seat may wish for: its id, which is also its words key `colour.<id>`."""

    id: str
    rgb: tuple[int, int, int]


class Standing(msgspec.Struct, frozen=True):
    """How a seat stands: `rank` 1 is the best; `score` and what it is made of, by words key."""

    seat: int
    rank: int
    score: int
    parts: dict[str, int] = {}
    winner: bool = False


class Decision(msgspec.Struct, frozen=True):
    """What a bot player is given: what its seat may know, and the question put to it."""

    seat: int
    view: Any
    question: Question


BotPlayer = Callable[[Decision, Chance], Answer]


class Rules(ABC, Generic[S, O, V]):
    """The declaration of a game, without state of its own."""

    key: ClassVar[str]
    title: ClassVar[str]
    seats: ClassVar[range]
    version: ClassVar[int] = 1
    options: type[O]
    state: type[S]
    words: Words
    colours: ClassVar[tuple[Colour, ...]] = ()
    #: from rules version n to n + 1: the state as plain builtins in, the upgraded one out
    upgraders: ClassVar[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
    #: bot players by level, the strongest first; `random` is always there
    bots: ClassVar[Mapping[str, BotPlayer]] = {}

    def problems(self, options: O, seats: int) -> list[tuple[str, dict[str, Arg]]]:
        """Why a game cannot start with these options: words keys with arguments; empty when it can."""
        bounds: dict[str, Arg] = {"least": self.seats[0], "most": self.seats[-1], "seats": seats}
        return [] if seats in self.seats else [("engine.seats", bounds)]

    @abstractmethod
    def setup(self, chance: Chance, options: O, seats: int, wishes: Sequence[str]) -> S:
        """The state in which the first segment starts. `wishes`: the colour each seat would like, "" for any."""

    @abstractmethod
    def segment(self, game: Game[S]) -> Flow[None]:
        """The flow of the segment that the state names as next. At its end the state names the one after it."""

    def acts(self, state: S, seat: int) -> list[Act]:
        """What the seat may do outside the question asked of it. Pure."""
        return []

    def why_not(self, state: S, seat: int, question: Question, wanted: str) -> tuple[str, dict[str, Arg]] | None:
        """What stands against `wanted` (an id or a name) as an answer: a words key with arguments. See `rules.why_not`."""
        return None

    def has_acts(self, options: O) -> bool:
        """Whether there are any acts in a game with these options."""
        return type(self).acts is not Rules.acts

    @abstractmethod
    def over(self, state: S) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What this seat (None: a spectator) may know, built up from what is allowed."""

    def retold(self, view: V, before: Sequence[Event], events: Sequence[Event]) -> V:
        """The view after a turn with what was seen in it, such as a battle. `before`: told by the step before it."""
        return view

    @abstractmethod
    def standings(self, state: S) -> list[Standing]:
        """One for each seat, the best first."""

    def tally(self, state: S) -> tuple[str, ...]:
        """What of an ended game is worth counting over many games, such as the kind of victory."""
        return ()

    @abstractmethod
    def resample(self, state: S, viewer: int | None, chance: Chance) -> S:
        """A state that looks the same to the viewer, with all he cannot know drawn anew."""

    @abstractmethod
    def board(self, view: V, words: Words) -> str:
        """The whole of a view as text, complete enough to play by."""

    def hand(self, view: V, words: Words) -> str:
        """The viewer's hand as text; "" in games without hands (their views have no `hand`)."""
        return ""

    @abstractmethod
    def playing(self, state: S) -> tuple[int, ...]:
        """The seats still in the game, in turn order."""

    def colour(self, view: V, seat: int) -> str:
        """The id of the colour the seat plays in; "" when it has none."""
        return ""

    def safe(self, question: Question) -> Answer:
        """A harmless answer for somebody who is away: pass where that is possible, else the first ones listed."""
        if question.skippable:
            return (SKIP,)
        picked = [option.id for option in question.options for _ in range(option.count)]
        return question.check(tuple(picked[: question.least]))


def random_player(decision: Decision, chance: Chance) -> Answer:
    """Any legal answer, drawn from the bot's own chance."""
    question = decision.question
    if question.least == question.most == 1:
        return (chance.pick(question.options).id,)
    pool = [option.id for option in question.options for _ in range(option.count) if option.id != SKIP]
    most = min(question.most, len(pool))
    if (question.skippable and chance.below(2)) or most < question.least:
        return (SKIP,)
    return question.check(tuple(chance.shuffled(pool)[: question.least + chance.below(most - question.least + 1)]))
