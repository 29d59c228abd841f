"""Combat Phase: after the battles of a hex, ships attack its population."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from rules.engine.flow import Flow, Game, choose, choose_many
from rules.engine.questions import SKIP, Arg, Option

from .battles import battle, standing, totals_for
from .common import must_choose
from .components import kinds_of
from .dice import least_roll
from .hexes import squares_of
from .ships import SHIP_TYPES
from .state import Die, State, Volley, fleet, has

BOMBS, ATTACK = "bombs", "attack"
FRAGILE = "fragile_population"
ROUND = -1
"""Stands for the attack on the population among the rounds of volleys."""


def attacker(s: State, place: str) -> int | None:
    """The seat that may attack the population of a hex: after the battles its ships are the only ones, the cubes another
    player's (rulings 86 and 87). Cubes that die at the end of the phase anyway need no attack."""
    hex_ = s.hexes[place]
    if hex_.disc is None or not hex_.cubes or len(hex_.fleets) != 1 or has(s, hex_.disc, FRAGILE):
        return None
    seat = hex_.fleets[0].seat
    able = has(s, seat, "neutron_bombs") or any(totals_for(s, seat, ship).cannons for ship in hex_.fleets[0].ships)
    return seat if seat != hex_.disc and able else None


def attack(game: Game[State], place: str) -> Flow[None]:
    """The types one after the other, as long as the player likes and cubes are left."""
    s, b = game.state, battle(game.state)
    b.step, b.acted = "population", []
    while (seat := attacker(s, place)) is not None and ways(s, place, seat):
        answer = yield from choose(
            seat, "population.attack", partial(ways, s, place, seat), skip="option.population.done",
            hex=s.hexes[place].number, n=len(s.hexes[place].cubes),
        )  # fmt: skip
        if answer == SKIP:
            return
        if answer == BOMBS:
            n = len(s.hexes[place].cubes)
            game.tell("population.bombed", seat=seat, n=n, hex=s.hexes[place].number, places=[place])
            yield from kill(game, place, list(s.hexes[place].cubes))
        else:
            ship = answer.partition(".")[2]
            battle(s).acted.append((seat, ship))
            yield from choose_cubes(game, place, seat, roll(game, place, seat, ship))


def ways(s: State, place: str, seat: int) -> list[Option]:
    """Neutron Bombs without a roll (ruling 88), or the cannons of a type that has not fired yet."""
    number = s.hexes[place].number
    found = [Option(BOMBS, "option.population.bombs", place=place)] if has(s, seat, "neutron_bombs") else []
    ships = fleet(s.hexes[place], seat)
    for ship in SHIP_TYPES:
        if ship in ships and totals_for(s, seat, ship).cannons and (seat, ship) not in battle(s).acted:
            args: dict[str, Arg] = {"ship": ship, "n": ships[ship], "hex": number}
            found.append(Option(f"{ATTACK}.{ship}", "option.population.attack", args, place))
    return found


def roll(game: Game[State], place: str, seat: int, ship: str) -> int:
    """All cannons of a type once, with computers and without shields; the points of damage."""
    s, b = game.state, battle(game.state)
    sum_, n = totals_for(s, seat, ship), len(standing(b, seat, ship))
    needed = least_roll(sum_.computer, 0)
    dice = [Die(damage, game.roll()) for damage in sum_.cannons for _ in range(n)]
    for die in dice:
        die.hit = die.roll >= needed
    b.volleys.append(Volley(ROUND, seat, ship, dice))
    points = sum(die.damage for die in dice if die.hit)
    game.tell(
        "population.cannons", party=seat, ship=ship, n=n, round=ROUND, rolls=tuple(die.roll for die in dice),
        damages=tuple(die.damage for die in dice), needed=needed, hits=sum(die.hit for die in dice), points=points, places=[place],
    )  # fmt: skip
    return points


def choose_cubes(game: Game[State], place: str, seat: int, points: int) -> Flow[None]:
    """Each point kills a cube of the attacker's choice; what is too much is lost."""
    s = game.state
    n = min(points, len(s.hexes[place].cubes))
    options = cube_options(s, place)
    if 0 < n < len(s.hexes[place].cubes) and len(options) > 1:
        chosen = yield from choose_many(
            seat, "population.cubes", lambda: cube_options(s, place), n, n, hex=s.hexes[place].number, n=n
        )
    else:
        chosen = tuple(option.id for option in options for _ in range(option.count))[:n]
    wanted = Counter(chosen)
    killed = []
    for at in s.hexes[place].cubes:
        if wanted[square_id(s, place, at)]:
            wanted[square_id(s, place, at)] -= 1
            killed.append(at)
    yield from kill(game, place, killed)


def square_id(s: State, place: str, at: int) -> str:
    """The kind of a square, as an option."""
    square = squares_of(s.hexes[place].number, s.hexes[place].orbital)[at]
    return f"{square.kind}.advanced" if square.advanced else square.kind


def cube_options(s: State, place: str) -> list[Option]:
    """The cubes of a hex by kind of square."""
    counts = Counter(square_id(s, place, at) for at in s.hexes[place].cubes)
    return [
        Option(
            id, f"option.population.{'advanced' if '.' in id else 'square'}", {"square": id.partition(".")[0]}, place, n
        )
        for id, n in counts.items()
    ]


def kill(game: Game[State], place: str, squares: list[int]) -> Flow[None]:
    """The cubes on these squares go to their graveyards; from gray squares and Orbitals to one of the owner's choice
    (ruling 89)."""
    s, hex_ = game.state, game.state.hexes[place]
    owner, printed = hex_.disc, squares_of(hex_.number, hex_.orbital)
    assert owner is not None
    if squares:
        game.tell("population.killed", seat=owner, n=len(squares), hex=hex_.number, places=[place])
    for at in squares:
        kind = yield from must_choose(owner, "population.graveyard", partial(graveyards, kinds_of(printed[at].kind)))
        s.hexes[place].cubes.remove(at)
        s.boards[owner].graveyard[kind] += 1


def graveyards(kinds: Sequence[str]) -> list[Option]:
    """Where a killed cube may go."""
    return [Option(kind, f"resource.{kind}") for kind in kinds]
