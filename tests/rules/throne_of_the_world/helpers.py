"""Small positions and a way to play through them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rules.engine.pile import Pile
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.components import COUNTS
from rules.throne_of_the_world.options import Options
from rules.throne_of_the_world.state import State, Turn
from tests.rules.playing import PlayedPosition

NO_OPTIONS = Options()
LETTERS = {
    "S": "soldiers", "W": "wizards", "K": "knights", "F": "farmers", "M": "miners", "H": "hunters", "R": "royal_family",
}  # fmt: skip
ANY = "general_a"
"""Activates all but Wizards and Royal Family."""
NO_FIGHT = "general_b"
"""Activates all but Soldiers and Knights."""


def cards(letters: str) -> dict[str, int]:
    """`SSM` letters as counts of units."""
    return dict(Counter(LETTERS[letter] for letter in letters))


def position(
    *units: str,
    hands: Mapping[int, Iterable[str]] | None = None,
    races: Mapping[int, str] | None = None,
    money: Sequence[int] | int = 20,
    area: Iterable[str] = (),
    deck: Iterable[str] = ("supply",) * 3 + ("harvest",) * 3,
    discard: Iterable[str] = (),
    turn: int = 0,
    first: int = 0,
    options: Options = NO_OPTIONS,
    out: Sequence[int] = (),
) -> State:
    """A position at the start of a turn, one string of unit letters a seat. Seats have no race unless `races` says so,
    so that nothing but the rules of the book counts."""
    n = len(units)
    teams = 2 if n == 4 else n
    return State(
        options=options,
        colours=["red", "blue", "gold", "green"][:n],
        teams=[seat % teams for seat in range(n)],
        drafts=[[] for _ in range(n)],
        races=[(races or {}).get(seat, "") for seat in range(n)],
        money=[money] * teams if isinstance(money, int) else list(money),
        units=[cards(letters) for letters in units],
        hands=[dict(Counter((hands or {}).get(seat, ()))) for seat in range(n)],
        known=[[{} for _ in range(n)] for _ in range(n)],
        area=list(area),
        deck=Pile.of(deck),
        discard=dict(Counter(discard)),
        next=Turn(turn),
        first=first,
        active=turn,
        phase="mode",
        out=list(out),
    )


class Played(PlayedPosition[State]):
    """A position of this game."""

    rules = RULES

    def play(self, seat: int, card: str, *answers: str | tuple[str, ...]) -> "Played":
        """A card out of phase 2."""
        return self(seat, "card", card, *answers)

    def units(self, seat: int) -> str:
        """A seat's units in letters."""
        return "".join(letter * self.s.units[seat].get(name, 0) for letter, name in LETTERS.items())


def charge(
    *units: str, hands: Mapping[int, Iterable[str]] | None = None, draws: Sequence[int] = (), **more: object
) -> Played:
    """A position in phase 2 with the four points of a Charge; the active player keeps a spare card so that phase 2 does
    not end by itself."""
    given = {seat: list(cards) for seat, cards in (hands or {}).items()}
    turn = more.get("turn", 0)
    assert isinstance(turn, int)
    given.setdefault(turn, []).append("hunger")
    return Played(position(*units, hands=given, **more), *draws)(turn, "charge")  # type: ignore[arg-type]


def totals(s: State) -> Counter[str]:
    """All general cards there are."""
    found = Counter(s.deck.counts()) + Counter(s.discard) + Counter(s.area)
    for counts in (*s.hands, *s.units):
        found += Counter(counts)
    return found + Counter([s.card] if s.card else [])


ALL_CARDS = Counter(COUNTS)
