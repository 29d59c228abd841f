"""The state of a game: plain data, and the questions one asks of it everywhere."""

import msgspec

from rules.engine.pile import Pile

from .components import BOARD, GREAT_BOARD, RANKS, UNITS, Board, tile_of
from .options import Options


class Head(msgspec.Struct, array_like=True):
    """The head of a family: its rank (index in RANKS) and where it stands, "" while its owner chooses among equals."""

    rank: int
    planet: str


class Combat(msgspec.Struct, omit_defaults=True):
    """One pair of a battle, by unit tokens (see `units`)."""

    attacker_unit: str
    defender_unit: str
    attacker_card: str = ""
    defender_card: str = ""
    attacker_dice: tuple[int, ...] = ()
    defender_dice: tuple[int, ...] = ()
    attacker_bonus: int = 0
    defender_bonus: int = 0
    winner: int | None = None


class Battle(msgspec.Struct):
    """The battle under way. `orders`: the hidden orders of attacker and defender; `combats`: the pairs laid open."""

    planet: str
    attacker: int
    defender: int
    size: int
    orders: tuple[list[str], list[str]] = ([], [])
    combats: list[Combat] = []


class Offer(msgspec.Struct):
    """A trade one seat offers another: card labels, and units by `rank.planet`; what it wants by label and rank.
    `id` counts the offers of the one to the other, so that it tells nothing of what others offer."""

    id: int
    by: int
    to: int
    gives: dict[str, int]
    wants: dict[str, int]
    into: str


class Opening(msgspec.Struct, tag="opening"):
    """Before the first turn: heads are named where there is a choice, and the dice say who goes first."""


class Turn(msgspec.Struct, tag="turn"):
    """One player's turn."""

    seat: int


class State(msgspec.Struct):
    """Everything. Lists are by seat where nothing else is said.

    `groups`: planet -> how many units of each rank. `hands`, `discard`, `removed` (out of the game) and `deck` count
    cards by id. `known[a][b]`: cards that `a` knows `b` to hold (at least). `begun`: planet and two seats that may go on
    fighting there. `arrivals`: who stands on each home planet, first come first. `due`: Emperor Dies must be
    played this turn (not by whom it came to meanwhile). `busy`: an action is going on. `fought`: the last battle, without
    its hidden orders, until another action is begun. `offer_counts`: how many the
    seat `a` made to `b`, at `a.b`.
    """

    options: Options
    houses: list[str]
    homes: list[list[str]]
    groups: list[dict[str, list[int]]]
    heads: list[Head | None]
    hands: list[dict[str, int]]
    known: list[list[dict[str, int]]]
    deck: Pile
    discard: dict[str, int]
    removed: dict[str, int]
    supply: int
    next: Opening | Turn
    emperor_alive: bool = True
    round: int = 1
    first: int = 0
    active: int = 0
    actions_left: int = 0
    busy: bool = True
    due: bool = False
    begun: list[tuple[str, int, int]] = []
    control: dict[str, int] = {}
    arrivals: dict[str, list[int]] = {}
    offers: list[Offer] = []
    offer_counts: dict[str, int] = {}
    battle: Battle | None = None
    fought: Battle | None = None
    out: list[int] = []
    winner: int | None = None


def seats(s: State) -> range:
    """All seats, playing or not."""
    return range(len(s.heads))


def is_playing(s: State, seat: int) -> bool:
    """Whether the seat is still in the game."""
    return s.heads[seat] is not None


def playing_from(s: State, seat: int) -> list[int]:
    """The seats in the game, in turn order, beginning with `seat` or the next to its left."""
    n = len(s.heads)
    return [at % n for at in range(seat, seat + n) if s.heads[at % n] is not None]


def others_from(s: State, seat: int) -> list[int]:
    """The other seats in the game, in turn order from the left of `seat`."""
    return [other for other in playing_from(s, seat + 1) if other != seat]


def board_of(s: State) -> Board:
    """The board in use."""
    return GREAT_BOARD if s.options.twelve_players else BOARD


def home_tiles_of(s: State, seat: int) -> list[str]:
    """The home tiles of a seat."""
    return [tile_of(planet) for planet in s.homes[seat]]


def hand_size(s: State, seat: int) -> int:
    """How many cards the seat holds."""
    return sum(s.hands[seat].values())


def strength(s: State, seat: int) -> tuple[int, int]:
    """How many units the seat has, and the sum of their combat bonuses."""
    totals = [sum(group[rank] for group in s.groups[seat].values()) for rank in range(len(RANKS))]
    return sum(totals), sum(n * unit.bonus for n, unit in zip(totals, UNITS, strict=True))
