"""The state of a game: plain data, and the questions one asks of it everywhere.

A *place* is the id of a space of the galaxy, its axial coordinates as `"q,r"`; the centre is `"0,0"` (see hexes.py).
Seats are numbers. In battles the Ancients and the Galactic Center Defense System are parties beside the seats.
"""

import msgspec

from rules.engine.pile import Pile

from .components import SPECIES, TECHNOLOGIES, TILES, Species
from .options import Options
from .ships import ANCIENT as ANCIENT
from .ships import GCDS as GCDS
from .ships import SHIP_LIMITS

Party = int | str
"""A seat, ANCIENT or GCDS."""


class Fleet(msgspec.Struct):
    """A player's ships in a hex: how many by type, none of them 0."""

    seat: int
    ships: dict[str, int] = {}


class Hex(msgspec.Struct, omit_defaults=True):
    """A placed hex. `rotation`: sixths clockwise from how it is printed. `disc`: whose disc lies here. `cubes`: indexes of
    the filled squares, in order, all the disc's owner's; the Orbital's square comes after the printed ones. `discovery`:
    a face-down tile lies here (which one is drawn when it is taken). `fleets`: in order of entry, the earliest first."""

    number: str
    rotation: int = 0
    disc: int | None = None
    cubes: list[int] = []
    ancients: int = 0
    gcds: bool = False
    discovery: bool = False
    orbital: bool = False
    monolith: bool = False
    fleets: list[Fleet] = []


class PlayerBoard(msgspec.Struct):
    """What lies on and beside a player's board.

    `tracks`: cubes on the population tracks, `graveyard`: cubes killed this round, both by kind. `discs`: on the Influence
    Track; `reserve`: discs that wait for technologies. `actions`, `reactions`: discs by action. `technologies`: in the
    order gained, the preprinted ones first. `blueprints`: by type of ship the tile on each square, "" for none (the
    printed part shows). `parts`: ancient parts kept aside. `colony_ships`: face up; `used_ships`: face down.
    `reputation`: values of the tiles (hidden). `returned`: values this player knows to be in the reputation bag (hidden).
    `ambassadors`: seats whose ambassador lies here; the cube on it is one of theirs. `discoveries`: tiles kept for points.
    `out`: "" while playing, else "collapsed" or "gave_up", and `score` is what then counted.
    """

    colour: str
    species: str = ""
    storage: dict[str, int] = {}
    tracks: dict[str, int] = {}
    graveyard: dict[str, int] = {}
    discs: int = 0
    reserve: int = 0
    actions: dict[str, int] = {}
    reactions: dict[str, int] = {}
    technologies: list[str] = []
    blueprints: dict[str, list[str]] = {}
    parts: list[str] = []
    colony_ships: int = 0
    used_ships: int = 0
    reputation: list[int] = []
    returned: list[int] = []
    ambassadors: list[int] = []
    discoveries: list[str] = []
    passed: bool = False
    out: str = ""
    score: dict[str, int] = {}


class Stack(msgspec.Struct):
    """A stack of sector tiles. `discards`: face up, by number. `known`: its tiles were discards before, so everybody knows
    which there are."""

    pile: Pile
    discards: list[str] = []
    known: bool = False


class Warship(msgspec.Struct):
    """One ship in a battle. `retreat`: the place it retreats to, "" while it stays; `away`: it has got there."""

    party: Party
    ship: str
    damage: int = 0
    retreat: str = ""
    away: bool = False


class Die(msgspec.Struct):
    """One die of a volley. `damage`: of a hit. `target`: index among the battle's `ships`, or the square's index for
    population; None while unassigned or when it can hit nothing. `hit`: whether it hits something at all."""

    damage: int
    roll: int
    hit: bool = False
    target: int | None = None


class Volley(msgspec.Struct):
    """All ships of a type firing together. `round`: 0 is the missiles, -1 an attack on the population."""

    round: int
    party: Party
    ship: str
    dice: list[Die]


class Battle(msgspec.Struct):
    """What happens in the hex whose battles are being fought.

    `step`: missiles, engagement, population or reputation. `parties`: all who take part in the hex, in the order they
    fight, the first two first; `entered`: the seats among them in order of entry. `attacker`, `defender`: of the present
    battle, `fought`: the seats that have been in one. `ships`: all that were here, `fallen`: indexes of those destroyed.
    `acting`: (party, type) whose turn it is; `acted`: whose was already, in this step or round. `volleys`: the latest;
    the last one may be being assigned. `kills`: by seat (as text), what it destroyed in this hex. `retreated`: seats whose last ships left
    by retreat. `drawing`: the seat that has drawn reputation tiles, `drawn`: their values (hidden from others).
    """

    place: str
    step: str = "missiles"
    parties: list[Party] = []
    entered: list[int] = []
    attacker: Party = -1
    defender: Party = -1
    fought: list[int] = []
    round: int = 0
    ships: list[Warship] = []
    fallen: list[int] = []
    acting: tuple[Party, str] | None = None
    acted: list[tuple[Party, str]] = []
    volleys: list[Volley] = []
    kills: dict[str, dict[str, int]] = {}
    retreated: list[int] = []
    drawing: int | None = None
    drawn: list[int] = []


class Proposal(msgspec.Struct):
    """A diplomatic relation that one seat has proposed to another. `track`: where the proposer's cube is to come from."""

    by: int
    to: int
    track: str


class Beginning(msgspec.Struct, tag="beginning"):
    """Species are chosen and the last components placed."""


class Turn(msgspec.Struct, tag="turn"):
    """A player's turn in the Action Phase: an action, a reaction or passing."""

    seat: int


class Combat(msgspec.Struct, tag="combat"):
    """Everything that is fought out in one hex."""

    place: str


class EndOfCombat(msgspec.Struct, tag="end_of_combat"):
    """Discs are removed and placed, ships repaired."""


class Upkeep(msgspec.Struct, tag="upkeep"):
    """The Upkeep Phase."""


class Cleanup(msgspec.Struct, tag="cleanup"):
    """The Cleanup Phase."""


Next = Beginning | Turn | Combat | EndOfCombat | Upkeep | Cleanup


class State(msgspec.Struct):
    """Everything. `boards` are by seat; `hexes` by place.

    `phase`: beginning, action, combat, upkeep, cleanup or over. `start`: who holds the start player marker; `following`:
    who gets it next, the first to pass. `active`: whose turn it is (None between turns). `action`: the action or reaction
    being carried out, "" for none. `proposals`: diplomatic ones that lie open; `declined`: those
    last declined, as (by, to). `refreshed`: colony ships turned up in this action. `stacks`: by ring I, II, III.
    `supply`: technology tiles on offer by id; `bag`: those to come. `reputation`: the bag of reputation tiles, values as
    texts. `discoveries`: all discovery tiles nobody has taken, those lying in hexes included. `traitor`: who holds the
    card. `exploring`: the space being explored; `turned`: tiles turned for it. `battle`: in the hex being fought over.
    """

    options: Options
    boards: list[PlayerBoard]
    hexes: dict[str, Hex]
    stacks: dict[str, Stack]
    supply: dict[str, int]
    bag: Pile
    reputation: Pile
    discoveries: Pile
    next: Next
    start: int
    following: int | None = None
    round: int = 1
    phase: str = "beginning"
    active: int | None = None
    action: str = ""
    refreshed: int = 0
    traitor: int | None = None
    proposals: list[Proposal] = []
    declined: list[tuple[int, int]] = []
    exploring: str = ""
    turned: list[str] = []
    battle: Battle | None = None


# Seats


def seats(s: State) -> range:
    """All seats, playing or not."""
    return range(len(s.boards))


def playing_from(s: State, seat: int) -> list[int]:
    """The seats in the game, clockwise, beginning with `seat` or the next after it."""
    n = len(s.boards)
    return [at % n for at in range(seat, seat + n) if not s.boards[at % n].out]


def species(s: State, seat: int) -> Species:
    """The seat's species, which must have been chosen."""
    return SPECIES[s.boards[seat].species]


def has(s: State, seat: int, name: str) -> bool:
    """Whether the seat has this technology or this power of a species."""
    board = s.boards[seat]
    return name in board.technologies or name in SPECIES[board.species].powers


def in_category(s: State, seat: int, category: str) -> int:
    """How many technologies of a category the seat has."""
    return sum(TECHNOLOGIES[technology].category == category for technology in s.boards[seat].technologies)


# Hexes


def controlled(s: State, seat: int) -> list[str]:
    """The places of the hexes with the seat's disc."""
    return [place for place, hex_ in s.hexes.items() if hex_.disc == seat]


def place_hex(s: State, place: str, hex_: Hex) -> None:
    """A hex comes onto the board. Keys stay in the order in which a decoded state has them."""
    s.hexes = dict(sorted({**s.hexes, place: hex_}.items()))


def place_of(s: State, number: str) -> str:
    """Where the hex with this printed number lies."""
    return next(place for place, hex_ in s.hexes.items() if hex_.number == number)


def has_artifact(hex_: Hex) -> bool:
    """Whether there is an Artifact."""
    return TILES[hex_.number].artifact


# Ships


def fleet(hex_: Hex, seat: int) -> dict[str, int]:
    """The seat's ships in a hex by type; not to be changed."""
    for one in hex_.fleets:
        if one.seat == seat:
            return one.ships
    return {}


def ships_in(hex_: Hex, seat: int) -> int:
    """How many ships the seat has in a hex."""
    return sum(fleet(hex_, seat).values())


def add_ship(hex_: Hex, seat: int, ship: str, n: int = 1) -> None:
    """Ships come into a hex; a player without any there until now is the last to have entered."""
    for one in hex_.fleets:
        if one.seat == seat:
            one.ships = dict(sorted({**one.ships, ship: one.ships.get(ship, 0) + n}.items()))
            return
    hex_.fleets.append(Fleet(seat, {ship: n}))


def remove_ship(hex_: Hex, seat: int, ship: str, n: int = 1) -> None:
    """Ships leave a hex."""
    one = next(one for one in hex_.fleets if one.seat == seat)
    one.ships[ship] -= n
    if not one.ships[ship]:
        del one.ships[ship]
    if not one.ships:
        hex_.fleets.remove(one)


def deployed(s: State, seat: int) -> dict[str, int]:
    """The seat's ships on the board by type."""
    found: dict[str, int] = {}
    for hex_ in s.hexes.values():
        for one in hex_.fleets:
            if one.seat == seat:
                for ship, n in one.ships.items():
                    found[ship] = found.get(ship, 0) + n
    return found


def unused(s: State, seat: int, ship: str) -> int:
    """How many of the seat's ships of a type are not on the board."""
    return SHIP_LIMITS[ship] - deployed(s, seat).get(ship, 0)


def enemies(s: State, hex_: Hex, seat: int) -> int:
    """How many enemy ships are in a hex: other players', the defence system, and Ancients, except for their kin."""
    others = sum(sum(one.ships.values()) for one in hex_.fleets if one.seat != seat)
    if hex_.ancients and not has(s, seat, "ancient_kin"):
        others += hex_.ancients
    return others + hex_.gcds


def unpinned(s: State, hex_: Hex, seat: int) -> int:
    """How many of the seat's ships in a hex are free to go (rulings 58, 60, 61): one stays for each enemy ship, and the
    defence system holds all."""
    own = 0 if hex_.gcds else ships_in(hex_, seat)
    return max(0, own - enemies(s, hex_, seat)) if own else 0


def on_board(s: State, seat: int) -> bool:
    """Whether the seat has any disc in a hex or any ship."""
    return any(hex_.disc == seat or ships_in(hex_, seat) for hex_ in s.hexes.values())
