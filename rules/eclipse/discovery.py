"""Discovery tiles: two points, or what the face shows."""

from rules.engine.flow import Flow, Game, choose
from rules.engine.questions import Arg, Option

from . import research
from .common import must_choose
from .components import DISCOVERIES, Discovery
from .ships import BLUEPRINTS, SHIP_TYPES, fault, lying
from .state import State, add_ship, unused

USE, POINTS, ASIDE = "use", "points", "aside"


def take(game: Game[State], seat: int, place: str) -> Flow[None]:
    """The tile of a hex is taken and one side of it chosen at once (ruling 40)."""
    s = game.state
    s.hexes[place].discovery = False
    id = s.discoveries.draw(game.chance)
    assert id is not None
    game.tell("discovery.found", seat=seat, tile=id, places=[place])
    part = DISCOVERIES[id].part
    face = Option(USE, f"option.discovery.{'part' if part else 'use'}", {"tile": id, "part": part})
    sides = [face, Option(POINTS, "option.discovery.points")]
    if (yield from choose(seat, "discovery.side", lambda: sides, tile=id)) == POINTS:
        s.boards[seat].discoveries.append(id)
        game.tell("discovery.points", seat=seat)
    else:
        yield from use(game, seat, place, DISCOVERIES[id])


def use(game: Game[State], seat: int, place: str, tile: Discovery) -> Flow[None]:
    """The benefit of the face."""
    s = game.state
    for kind, n in tile.gain.items():
        s.boards[seat].storage[kind] += n
        game.tell("discovery.gained", seat=seat, n=n, resource=kind)
    if tile.effect == "technology" and research.cheapest(s, seat):
        yield from learn(game, seat)
    elif tile.effect == "ship" and unused(s, seat, tile.ship):
        add_ship(s.hexes[place], seat, tile.ship)
        game.tell("discovery.ship", seat=seat, ship=tile.ship, number=s.hexes[place].number, places=[place])
    elif tile.effect == "part":
        yield from fit(game, seat, tile.part)
    elif not tile.gain:
        game.tell("discovery.nothing", seat=seat)


# Ancient Technology


def learn(game: Game[State], seat: int) -> Flow[None]:
    """The cheapest technology on offer, free (ruling 42)."""
    s = game.state
    technology = yield from must_choose(
        seat, "discovery.technology", lambda: [Option(id, f"technology.{id}") for id in research.cheapest(s, seat)]
    )
    game.tell("discovery.technology", seat=seat, technology=technology)
    yield from research.gain(game, seat, technology)


# Ancient ship parts


def fit(game: Game[State], seat: int, part: str) -> Flow[None]:
    """The part goes onto a square now, as far as the blueprint stays legal, or is kept aside (ruling 44)."""
    s = game.state
    square = yield from must_choose(seat, "discovery.square", lambda: squares(s, seat, part), part=part)
    board = s.boards[seat]
    if square == ASIDE:
        board.parts.append(part)
        game.tell("discovery.aside", seat=seat, part=part)
        return
    ship, _, at = square.partition(".")
    board.blueprints[ship][int(at)] = part
    game.tell("discovery.part", seat=seat, part=part, ship=ship)


def squares(s: State, seat: int, part: str) -> list[Option]:
    """Where the part may go, equal squares of a blueprint (with the same below) once, and keeping it aside."""
    board = s.boards[seat]
    found: dict[tuple[str, str, str], Option] = {}
    for ship in SHIP_TYPES:
        tiles = board.blueprints[ship]
        for at, (tile, printed) in enumerate(zip(tiles, BLUEPRINTS[board.species][ship].parts, strict=True)):
            fitted = [*tiles[:at], part, *tiles[at + 1 :]]
            if fault(board.species, ship, lying(board.species, ship, fitted)) is None:
                on = ("cover" if printed else "tile") if tile else "printed" if printed else "empty"
                args: dict[str, Arg] = {"ship": ship, "n": at + 1, "part": tile or printed, "printed": printed}
                found.setdefault((ship, tile, printed), Option(f"{ship}.{at}", f"option.discovery.{on}", args))
    return [*found.values(), Option(ASIDE, "option.discovery.aside")]
