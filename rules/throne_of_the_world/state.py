"""The state of a game: plain data, and the questions one asks of it everywhere."""

import msgspec

from rules.engine.pile import Pile

from .options import Options


class Attack(msgspec.Struct):
    """An attack being settled. `source`: the attacking profession or power; `damage`: after all modifiers; `returned`:
    professions of the units sent back to hand, which counted `tolerance` together; `coins`: paid."""

    attacker: int
    victim: int
    source: str
    damage: int
    returned: list[str] = []
    tolerance: int = 0
    coins: int = 0

    @property
    def missing(self) -> int:
        """What is still to be settled."""
        return max(0, self.damage - self.tolerance - self.coins)


class Demand(msgspec.Struct):
    """A Royal Family's demand that the victim is to answer; `left`: demands of this activation after it."""

    attacker: int
    victim: int
    left: int


class Draft(msgspec.Struct, tag="draft"):
    """Before the first turn: races are chosen, cards are dealt."""


class Turn(msgspec.Struct, tag="turn"):
    """One player's turn."""

    seat: int


class State(msgspec.Struct):
    """Everything. Lists are by seat where nothing else is said; `teams` holds each seat's team, `money` is by team.

    `drafts`: the race cards each may choose from, until they are revealed. `units`: real units in play by profession.
    `hands` and `discard` count cards by id. `known[a][b]`: cards that `a` knows `b` to hold (at least). `card`: the action
    or skill card being resolved. `acted`, `skills`, `used`: professions activated, types of skill card played and powers
    used this turn. `out`: teams in the order in which they were eliminated.
    """

    options: Options
    colours: list[str]
    teams: list[int]
    drafts: list[list[str]]
    races: list[str]
    money: list[int]
    units: list[dict[str, int]]
    hands: list[dict[str, int]]
    known: list[list[dict[str, int]]]
    area: list[str]
    deck: Pile
    discard: dict[str, int]
    next: Draft | Turn
    round: int = 1
    first: int = 0
    active: int = 0
    phase: str = "draft"
    points: int = 0
    acted: list[str] = []
    skills: list[str] = []
    used: list[str] = []
    harvest: bool = False
    card: str = ""
    attack: Attack | None = None
    demand: Demand | None = None
    out: list[int] = []
    winners: list[int] = []
    victory: str = ""


def seats(s: State) -> range:
    """All seats, playing or not."""
    return range(len(s.teams))


def is_playing(s: State, seat: int) -> bool:
    """Whether the seat is still in the game."""
    return s.teams[seat] not in s.out


def playing_from(s: State, seat: int) -> list[int]:
    """The seats in the game, in turn order, beginning with `seat` or the next after it."""
    n = len(s.teams)
    return [at % n for at in range(seat, seat + n) if is_playing(s, at % n)]


def opponents(s: State, seat: int) -> list[int]:
    """The seats of other teams in the game, in turn order after `seat`."""
    return [other for other in playing_from(s, seat) if s.teams[other] != s.teams[seat]]


def money_of(s: State, seat: int) -> int:
    """The coins of the seat's team."""
    return s.money[s.teams[seat]]


def can_spend(s: State, seat: int, coins: int) -> bool:
    """Whether the seat may pay this of its own will: the team keeps at least one coin."""
    return money_of(s, seat) > coins


def hand_size(s: State, seat: int) -> int:
    """How many cards the seat holds."""
    return sum(s.hands[seat].values())


def real_units(s: State, seat: int) -> int:
    """How many units the seat has in play."""
    return sum(s.units[seat].values())
