"""Move: ships go through wormholes, held up by enemy ships (pinning)."""

from collections.abc import Iterator

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import SKIP, Arg, Option

from . import diplomacy
from .common import must_choose
from .hexes import links_for
from .ships import SHIP_TYPES, lying, totals
from .state import State, add_ship, enemies, fleet, place_of, remove_ship, ships_in, unpinned

IMMOBILE = "starbase"
Broken = tuple[int, ...]
"""The partners whose relation a way breaks, in seat order."""


def move(game: Game[State], seat: int, moves: int) -> Flow[None]:
    """The action or reaction: up to so many moves of one ship each, the same one again if wished (ruling 57)."""
    while moves and (yield from move_one(game, seat, moves)):
        moves -= 1


def move_one(game: Game[State], seat: int, left: int) -> Flow[bool]:
    """Choose a ship and where it goes; whether one moved."""
    s = game.state
    id = yield from must_choose(seat, "move.ship", lambda: movable(s, seat), skip="option.move.done", n=left)
    if id == SKIP:
        return False
    number, _, ship = id.partition(".")
    start = place_of(s, number)
    ask = must_choose if only_goal(s, seat, start, ship) else choose
    goal = place_of(s, (yield from ask(seat, "move.to", lambda: goals(s, seat, start, ship), ship=ship, at=number)))
    broken = yield from choose_way(s, seat, start, ship, goal)
    yield from go(game, seat, ship, start, goal, broken)
    return True


def movable(s: State, seat: int) -> list[Option]:
    """The ships that can go somewhere, by hex and type; which of a type goes makes no difference (ruling 58)."""
    found = []
    for place, ship in free_to_go(s, seat):
        number, n = s.hexes[place].number, fleet(s.hexes[place], seat)[ship]
        args: dict[str, Arg] = {"ship": ship, "number": number, "n": n}
        if only := only_goal(s, seat, place, ship):
            args["goal"] = s.hexes[only].number
        words = "option.move.only" if only else "option.move.ship"
        found.append(Option(f"{number}.{ship}", words, args, place))
    return found


def free_to_go(s: State, seat: int) -> Iterator[tuple[str, str]]:
    """The ships that can go somewhere, as place and type."""
    for place, hex_ in s.hexes.items():
        if unpinned(s, hex_, seat) and any(links_for(s, place, seat)):
            counts = fleet(hex_, seat)
            yield from ((place, ship) for ship in SHIP_TYPES if ship in counts and ship != IMMOBILE)


def only_goal(s: State, seat: int, start: str, ship: str) -> str:
    """The one hex a ship can go to; "" if there are others, or going there ends a relation, which is worth a question."""
    found = ways(s, seat, start, ship)
    return next((to for to, outcomes in found.items() if outcomes == [()]), "") if len(found) == 1 else ""


def goals(s: State, seat: int, start: str, ship: str) -> list[Option]:
    """Where a ship can go, and whose relation that ends however it goes."""
    found = []
    for to, outcomes in ways(s, seat, start, ship).items():
        args: dict[str, Arg] = {"number": s.hexes[to].number}
        ended = [partner for partner in outcomes[0] if all(partner in broken for broken in outcomes)]
        if ended:
            args["seats"] = tuple(ended)
        found.append(Option(s.hexes[to].number, "option.move.betray" if ended else "option.hex", args, to))
    return found


def movement(s: State, seat: int, ship: str) -> int:
    """How many hexes the seat's ships of a type go with one move."""
    board = s.boards[seat]
    return totals(board.species, ship, lying(board.species, ship, board.blueprints[ship])).movement


def ways(s: State, seat: int, start: str, ship: str) -> dict[str, list[Broken]]:
    """Where a ship can go with one move, and which relations that breaks: one entry for each different outcome."""
    found: dict[str, list[Broken]] = {}
    reached: list[tuple[str, Broken]] = [(start, ())]
    seen = dict.fromkeys(reached)
    for _ in range(movement(s, seat, ship)):
        following = []
        for at, before in reached:
            for to in links_for(s, at, seat):
                step = to, tuple(sorted({*before, *diplomacy.attacked(s, seat, to)}))
                if step in seen or to == start:
                    continue
                seen[step] = None
                found.setdefault(to, []).append(step[1])
                if passable(s, seat, to):
                    following.append(step)
        reached = following
    return found


def passable(s: State, seat: int, place: str) -> bool:
    """Whether a ship that comes into a hex could go on: the ships already there hold the enemy ships (rulings 59, 60)."""
    hex_ = s.hexes[place]
    return not hex_.gcds and ships_in(hex_, seat) >= enemies(s, hex_, seat)


def choose_way(s: State, seat: int, start: str, ship: str, goal: str) -> Flow[Broken]:
    """Which relations the way breaks; asked only where ways differ in this."""
    if len(outcomes := ways(s, seat, start, ship)[goal]) == 1:
        return outcomes[0]
    number = s.hexes[goal].number
    way = yield from choose(seat, "move.way", lambda: way_options(s, seat, start, ship, goal), ship=ship, at=number)
    return tuple(int(partner) for partner in way.split(".")[1:])


def way_options(s: State, seat: int, start: str, ship: str, goal: str) -> list[Option]:
    """The ways by the seats whose relation they break, the most peaceful first."""
    outcomes = sorted(ways(s, seat, start, ship)[goal], key=lambda broken: (len(broken), broken))
    return [
        Option(
            ".".join(("way", *(str(partner) for partner in broken))),
            "option.move.break" if broken else "option.move.keep",
            {"seats": broken},
        )
        for broken in outcomes
    ]


def go(game: Game[State], seat: int, ship: str, start: str, goal: str, broken: Broken) -> Flow[None]:
    """One ship goes; relations with those it attacks on the way are broken (ruling 68)."""
    s = game.state
    remove_ship(s.hexes[start], seat, ship)
    add_ship(s.hexes[goal], seat, ship)
    number, to = s.hexes[start].number, s.hexes[goal].number
    game.tell("move.moved", seat=seat, ship=ship, number=number, goal=to, places=[start, goal])
    yield from diplomacy.betray(game, seat, broken)
