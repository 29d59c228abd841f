"""Small positions and a way to play through them."""

from collections import Counter
from collections.abc import Iterable

from rules.engine.pile import Pile
from rules.struggle_for_the_throne import RULES, home_control
from rules.struggle_for_the_throne.components import RANKS, SQUADRON, UNITS, home_tiles
from rules.struggle_for_the_throne.options import Options
from rules.struggle_for_the_throne.state import Head, State, Turn
from tests.rules.playing import PlayedPosition

NO_OPTIONS = Options()
LETTERS = {"A": 0, "L": 1, "C": 2, "S": 3}


def units(letters: str) -> list[int]:
    """`ALCS` letters as counts by rank."""
    counts = [0] * len(RANKS)
    for letter in letters:
        counts[LETTERS[letter]] += 1
    return counts


def position(
    *groups: dict[str, str],
    hands: dict[int, Iterable[str]] | None = None,
    heads: dict[int, str] | None = None,
    deck: Iterable[str] = ("influence.sneak_attack",) * 30,
    discard: Iterable[str] = (),
    alive: bool = True,
    turn: int = 0,
    supply: int | None = None,
    options: Options = NO_OPTIONS,
    begun: Iterable[tuple[str, int, int]] = (),
) -> State:
    """A position, one dict of planet -> unit letters a seat; an empty dict is a seat that is out.

    The head is the highest unit, on the first planet that has one, unless `heads` says where.
    """
    homes = home_tiles(len(groups), options.sets)
    s = State(
        options=options,
        houses=["bardur", "garkallos", "klevann", "klinja", "mengel", "morbus"][: len(groups)],
        homes=[[f"{t}.c" for t in homes[i * options.sets : (i + 1) * options.sets]] for i in range(len(groups))],
        groups=[{planet: units(letters) for planet, letters in own.items()} for own in groups],
        heads=[head_of(own, (heads or {}).get(seat)) for seat, own in enumerate(groups)],
        hands=[dict(sorted(Counter((hands or {}).get(seat, ())).items())) for seat in range(len(groups))],
        known=[[{} for _ in groups] for _ in groups],
        deck=Pile.of(deck),
        discard=dict(sorted(Counter(discard).items())),
        removed={},
        supply=0,
        next=Turn(turn),
        emperor_alive=alive,
        first=0,
        active=turn,
        begun=list(begun),
        out=[seat for seat, own in enumerate(groups) if not own],
    )
    s.supply = UNITS[SQUADRON].total - squadrons(s) if supply is None else supply
    home_control.set_up(s)
    for planet in s.arrivals:
        s.arrivals[planet] = [seat for seat in range(len(groups)) if planet in s.groups[seat]]
    return s


def head_of(own: dict[str, str], planet: str | None) -> Head | None:
    """The head by default or on this planet."""
    if not own:
        return None
    rank = min(LETTERS[letter] for letters in own.values() for letter in letters)
    letter = next(letter for letter, number in LETTERS.items() if number == rank)
    return Head(rank, planet or next(p for p, letters in own.items() if letter in letters))


def squadrons(s: State) -> int:
    """All Squadrons on the board."""
    return sum(group[SQUADRON] for own in s.groups for group in own.values())


class Played(PlayedPosition[State]):
    """A position of this game."""

    rules = RULES

    def group(self, seat: int, planet: str) -> str:
        """A group in letters."""
        counts = self.s.groups[seat].get(planet, [0] * len(RANKS))
        return "".join(letter * counts[rank] for letter, rank in LETTERS.items())


def die(*values: int) -> list[int]:
    """Dice as scripted draws."""
    return [value - 1 for value in values]
