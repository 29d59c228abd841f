"""Build: ships and structures, paid in materials."""

from rules.engine.flow import Flow, Game
from rules.engine.questions import SKIP, Option

from . import trade
from .common import hex_options, must_choose
from .ships import SHIP_TYPES
from .state import State, add_ship, controlled, has, place_of, species, unused

ORBITAL, MONOLITH = "orbital", "monolith"
ITEMS = (*SHIP_TYPES, ORBITAL, MONOLITH)
NEED_TECHNOLOGY = ("starbase", ORBITAL, MONOLITH)
"""What may only be built with the technology of that name."""


def items(s: State, seat: int) -> int:
    """How much the seat may build with the whole action (rulings 17 and 54)."""
    return species(s, seat).actions.build + has(s, seat, "nanorobots")


def build(game: Game[State], seat: int, items: int) -> Flow[None]:
    """The action or reaction: up to so many ships and structures, each in any own hex."""
    while items and (yield from build_one(game, seat, items)):
        items -= 1


def build_one(game: Game[State], seat: int, left: int) -> Flow[bool]:
    """Pay for an item and choose its hex; whether one was built."""
    s = game.state
    item = yield from trade.or_trade(
        game, seat, "build.item", lambda: buildable(s, seat), skip="option.build.done", n=left
    )
    if item == SKIP:
        return False
    s.boards[seat].storage["materials"] -= species(s, seat).costs[item]
    number = yield from must_choose(seat, "build.place", lambda: hex_options(s, sites(s, seat, item)), item=item)
    put(game, seat, item, place_of(s, number))
    return True


def buildable(s: State, seat: int) -> list[Option]:
    """What the seat can pay, is allowed to build and has room and ships for."""
    costs, materials = species(s, seat).costs, s.boards[seat].storage["materials"]
    return [
        Option(item, "option.build.item", {"item": item, "n": costs[item]})
        for item in ITEMS
        if costs[item] <= materials
        and (item not in NEED_TECHNOLOGY or has(s, seat, item))
        and (item not in SHIP_TYPES or unused(s, seat, item))
        and sites(s, seat, item)
    ]


def sites(s: State, seat: int, item: str) -> list[str]:
    """The own hexes where an item may be put: a hex has one Orbital and one Monolith at most (ruling 55)."""
    return [place for place in controlled(s, seat) if item in SHIP_TYPES or not getattr(s.hexes[place], item)]


def put(game: Game[State], seat: int, item: str, place: str) -> None:
    """An item that is paid comes into a hex; a ship enters it at this moment (ruling 56)."""
    s = game.state
    hex_, cost = s.hexes[place], species(s, seat).costs[item]
    if item in SHIP_TYPES:
        add_ship(hex_, seat, item)
    elif item == ORBITAL:
        hex_.orbital = True
    else:
        hex_.monolith = True
    game.tell("build.built", seat=seat, item=item, number=hex_.number, n=cost, places=[place])
