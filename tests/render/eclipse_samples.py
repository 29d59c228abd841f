"""Galaxies of Eclipse to draw from, built as states by hand and seen through the rules' own view."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from rules.eclipse import explore, setup
from rules.eclipse.components import SPECIES, TECHNOLOGIES, TILES
from rules.eclipse.hexes import neighbours, ring
from rules.eclipse.options import Options
from rules.eclipse.state import Battle, Die, Fleet, State, Turn, Volley, Warship
from rules.eclipse.view import view
from rules.eclipse.views import View
from rules.engine.chance import Chance
from rules.engine.flow import Game

NAMES = {0: "Anna", 1: "Benjamin of the North", 2: "🦊 Foxy", 3: "שלום עולם", 4: "Eva", 5: "Zoë"}
LONG = dict.fromkeys(range(6), "Maximiliana-Wilhelmina von und zu Hohenwürttemberg-Langenfels")
ALIENS = ("eridani_empire", "hydran_progress", "planta", "descendants_of_draco", "mechanema", "orion_hegemony")
TERRANS = tuple(species.id for species in SPECIES.values() if species.kind == "terran")


def begun(seats: int = 6, species: Sequence[str] = ALIENS, seed: bytes = b"sample") -> State:
    """Round 1: every species on its start hex."""
    chance = Chance(seed)
    s = setup.set_up(chance, Options(), seats, ())
    s.start = 0
    game: Game[State] = Game(s, chance)
    for seat in range(seats):
        setup.settle(game, seat, SPECIES[species[seat]])
    s.active, s.phase, s.next = 0, "action", Turn(0)
    return s


def grown(s: State, hexes: int, seed: bytes = b"grow") -> State:
    """The galaxy explored by every seat in turn, with discs, cubes and ships as they come."""
    chance = Chance(seed)
    for turn in range(hexes):
        seat = turn % len(s.boards)
        near = [at for at, hex_ in s.hexes.items() if hex_.disc == seat]
        free = list(dict.fromkeys(space for at in near for space in neighbours(at) if space not in s.hexes))
        if not free:
            continue
        place = chance.pick(free)
        number = s.stacks[ring(place)].pile.draw(chance)
        if number is None:
            continue
        hex_ = s.hexes[place] = setup.new_hex(number, chance.below(6))
        if hex_.ancients and seat != 3:
            continue
        hex_.disc, hex_.discovery = seat, bool(hex_.ancients)
        hex_.cubes = [at for at, square in enumerate(TILES[number].squares) if not square.advanced or turn % 2]
        hex_.orbital, hex_.monolith = turn % 5 == 0, turn % 7 == 3
        if hex_.orbital:
            hex_.cubes.append(len(TILES[number].squares))
    return s


def put(s: State, place: str, fleets: Mapping[int, dict[str, int]]) -> None:
    """Ships in a hex, the earliest first."""
    s.hexes[place].fleets = [Fleet(seat, dict(ships)) for seat, ships in fleets.items()]


def boards(s: State) -> State:
    """Every player's board as it may look in round 6."""
    for seat, board in enumerate(s.boards):
        board.storage = {"money": 4 + 3 * seat, "science": 11 - seat, "materials": 2 + seat}
        board.tracks = {"money": 9 - seat, "science": 4 + seat, "materials": 6}
        board.graveyard["science"] = seat % 3
        board.discs = 6 - seat
        board.actions = (
            {"explore": 2, "research": 1, "build": 1, "move": 1} if seat % 2 else {"upgrade": 1, "influence": 1}
        )
        board.reactions = {"move": 1} if seat == 1 else {}
        board.colony_ships, board.used_ships = 1, board.colony_ships - 1
        wanted = [id for k, id in enumerate(TECHNOLOGIES) if (k + seat) % 3 == 0]
        board.technologies += [id for id in wanted if id not in board.technologies]
        board.reputation = [1 + seat % 4, 2, 4][: 1 + seat % 3]
        board.discoveries = ["money_8"] * (seat % 3)
        board.parts = ["axion_computer"] if seat == 1 else []
        board.blueprints["cruiser"][0] = "improved_hull"
        board.blueprints["interceptor"][0] = "flux_shield" if seat == 0 else "plasma_missile"
        board.blueprints["dreadnought"][:3] = ["antimatter_cannon", "gluon_computer", "fusion_source"]
    return s


def midgame(seats: int = 6, hexes: int = 34, viewer: int | None = None) -> View:
    """Round 6 with ships all over the place."""
    return view(fleets(boards(grown(begun(seats), hexes))), viewer)


def fleets(s: State) -> State:
    """Ships of everybody in many places, and all that can meet in one."""
    s.round, s.following = 6, 1
    s.boards[1].passed = True
    n = len(s.boards)
    for k, place in enumerate(list(s.hexes)):
        if k % 3 == 0:
            put(s, place, {k % n: {"interceptor": 1 + k % 4}})
        if k % 7 == 4:
            met: dict[int, dict[str, int]] = {k % n: {"interceptor": 2, "cruiser": 1}}
            put(s, place, met | {(k + 1) % n: {"cruiser": 3, "dreadnought": 1}})
    put(s, "0,0", {seat: {"interceptor": 1, "cruiser": 2, "dreadnought": 1, "starbase": 1} for seat in range(n)})
    return s


def replaced(of: View, **changes: object) -> View:
    """The same view but for some fields."""
    return msgspec.structs.replace(of, **changes)


def fighting(rounds: int = 3, viewer: int | None = None, drawing: int | None = None) -> View:
    """A battle in the centre under way: two sides with all types, others waiting."""
    s = fleets(boards(grown(begun(6), 20)))
    s.phase, s.action = "combat", ""
    put(s, "0,0", {2: {"interceptor": 4, "dreadnought": 2}, 0: {"interceptor": 8, "cruiser": 4, "starbase": 1}})
    fleet = [(0, "interceptor")] * 8 + [(0, "cruiser")] * 4 + [(0, "starbase")] + [(2, "interceptor")] * 4
    ships = [Warship(party, ship) for party, ship in fleet + [(2, "dreadnought")] * 2]
    ships[8].damage, ships[17].damage, ships[9].retreat = 2, 1, "0,-1"
    chance = Chance(b"dice")
    volleys = []
    for turn in range(rounds + 1):
        for party, ship, damage, first in ((0, "interceptor", 1, 13), (2, "dreadnought", 4, 0), (0, "cruiser", 2, 17)):
            rolls = [chance.roll(6) for _ in range(sum(one == (party, ship) for one in fleet) or 2)]
            found = [Die(damage, roll, roll > 4, first + k % 2 if roll > 4 else None) for k, roll in enumerate(rolls)]
            volleys.append(Volley(turn, party, ship, found))
    s.battle = Battle(
        place="0,0",
        step="engagement" if rounds else "missiles",
        parties=[0, 2, 4, "gcds"],
        attacker=0,
        defender=2,
        round=rounds,
        ships=ships,
        fallen=[0, 1, 13],
        acting=(2, "interceptor"),
        volleys=volleys,
        kills={0: {"interceptor": 1}},
        drawing=drawing,
        drawn=[] if drawing is None else [3, 4],
    )
    return view(s, viewer)


def placing(tiles: int = 1, viewer: int | None = None) -> View:
    """A tile, or two, turned for a space."""
    s = boards(grown(begun(6), 24))
    s.action, s.active = "explore", 3
    s.exploring = explore.spaces(s, 3)[0]
    s.turned = [s.stacks[ring(s.exploring)].pile.draw(Chance(b"turn%d" % k)) or "" for k in range(tiles)]
    return view(s, viewer)


def ended() -> View:
    """The end, with a traitor and somebody who collapsed."""
    s = fleets(boards(grown(begun(6), 34)))
    s.phase, s.round, s.traitor, s.active = "over", 9, 2, None
    s.boards[4].out, s.boards[4].score = "collapsed", {"hexes": 3, "reputation": 2}
    return view(s, None)


def researching(viewer: int | None = None) -> View:
    """Somebody about to buy a technology."""
    s = fleets(boards(grown(begun(4), 12)))
    s.active, s.action = 2, "research"
    return view(s, viewer)


def upgrading(viewer: int | None = None) -> View:
    """Somebody about to change blueprints."""
    s = fleets(boards(grown(begun(4), 12)))
    s.active, s.action = 2, "upgrade"
    return view(s, viewer)


def unchosen(viewer: int | None = None) -> View:
    """Before species are chosen, but for one."""
    chance = Chance(b"unchosen")
    s = setup.set_up(chance, Options(), 4, ())
    setup.settle(Game(s, chance), 2, SPECIES["planta"])
    s.active = 1
    return view(s, viewer)


VIEWS: dict[str, Callable[[], View]] = {
    "unchosen": unchosen,
    "begun": lambda: view(begun(3), None),
    "two": lambda: midgame(2, 12),
    "six": midgame,
    "late": lambda: midgame(6, 70),
    "terrans": lambda: view(begun(6, TERRANS), 0),
    "battle": fighting,
    "missiles": lambda: fighting(0),
    "placing": placing,
    "placing two": lambda: placing(2),
    "research": researching,
    "upgrade": upgrading,
    "end": ended,
}
