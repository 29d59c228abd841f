"""Setup: the supply, the stacks and the centre; then each player chooses a species and places its start hex."""

from collections.abc import Sequence

from rules.engine.chance import Chance
from rules.engine.flow import Flow, Game
from rules.engine.pile import Pile
from rules.engine.questions import Option
from rules.wishes import grant

from .common import must_choose
from .components import CENTRE as CENTRE_TILE
from .components import (
    COLOURS,
    DISCOVERIES,
    INFLUENCE,
    PLAYERS,
    POPULATION,
    REPUTATION_TILES,
    RESOURCES,
    RINGS,
    SPECIES,
    TECHNOLOGIES,
    TILES,
    Species,
    stack_of,
)
from .hexes import CENTRE, start_places
from .options import Options
from .ships import SHIP_TYPES, no_tiles
from .state import Beginning, Hex, PlayerBoard, Stack, State, Turn, add_ship, place_hex, seats


def set_up(chance: Chance, options: Options, n: int, wishes: Sequence[str]) -> State:
    """Everything that lies ready before species are chosen (rulings 1 and 3)."""
    players = PLAYERS[n]
    outer = chance.shuffled(stack_of("III"))[: players.outer_hexes]
    s = State(
        options=options,
        # these hold until species are chosen
        boards=[PlayerBoard(id) for id in grant(chance, n, wishes, (colour.id for colour in COLOURS))],
        hexes={CENTRE: new_hex(CENTRE_TILE)},
        stacks={ring: Stack(Pile.of(outer if ring == "III" else stack_of(ring))) for ring in RINGS},
        supply={},
        bag=Pile.of(technology.id for technology in TECHNOLOGIES.values() for _ in range(technology.tiles)),
        reputation=Pile.of(value for value, count in REPUTATION_TILES.tiles.items() for _ in range(count)),
        discoveries=Pile.of(tile.id for tile in DISCOVERIES.values() for _ in range(tile.count)),
        next=Beginning(),
        start=chance.below(n),
    )
    draw_technologies(s, chance, players.technologies)
    return s


def new_hex(number: str, rotation: int = 0) -> Hex:
    """A hex just placed, with the Ancients or the defence system and the discovery tile its symbols ask for."""
    tile = TILES[number]
    return Hex(number, rotation, ancients=tile.ancients, gcds=tile.gcds, discovery=tile.discovery)


def draw_technologies(s: State, chance: Chance, n: int) -> list[str]:
    """Technology tiles from the bag go on offer, as many as there are; the ids drawn."""
    drawn = []
    for _ in range(n):
        technology = s.bag.draw(chance)
        if technology is not None:
            s.supply[technology] = s.supply.get(technology, 0) + 1
            drawn.append(technology)
    s.supply = dict(sorted(s.supply.items()))
    return drawn


def beginning(game: Game[State]) -> Flow[None]:
    """Species in turn, then the first round."""
    s = game.state
    game.tell("setup.start_player", seat=s.start)
    for seat in choosing_order(s):
        s.active = seat
        yield from choose_species(game, seat)
    s.active, s.phase, s.next = None, "action", Turn(s.start)
    game.tell("cleanup.round", round=s.round)


def choosing_order(s: State) -> list[int]:
    """Terrans alone: clockwise from the start player; with aliens counterclockwise, the start player last (ruling 2)."""
    n = len(s.boards)
    if s.options.species == "terrans":
        return [(s.start + at) % n for at in seats(s)]
    return [(s.start - 1 - at) % n for at in seats(s)]


def choose_species(game: Game[State], seat: int) -> Flow[None]:
    """The player's choice, or chance's among the sides of a board in the player's colour."""
    s = game.state
    if s.options.choice == "random":
        own = [species for species in s.options.taking_part if species.colour == s.boards[seat].colour]
        id = game.chance.pick(own).id
    else:
        id = yield from must_choose(seat, "setup.species", lambda: free_species(s, seat))
    settle(game, seat, SPECIES[id])


def free_species(s: State, seat: int) -> list[Option]:
    """The species whose board is still there, those of the seat's own colour first."""
    taken = [SPECIES[board.species].colour for board in s.boards if board.species]
    free = [species for species in s.options.taking_part if species.colour not in taken]
    free.sort(key=lambda species: species.colour != s.boards[seat].colour)
    at = start_of(s, seat)[0]
    return [Option(species.id, "option.setup.species", {"species": species.id}, at) for species in free]


def start_of(s: State, seat: int) -> tuple[str, int]:
    """Where the seat's start hex lies, and its rotation."""
    return start_places(len(s.boards))[seat]


def settle(game: Game[State], seat: int, species: Species) -> None:
    """The player's board is filled and the start hex placed with disc, cubes and ships (rulings 4 to 6)."""
    s, board = game.state, game.state.boards[seat]
    for other in s.boards:
        if other.colour == species.colour:
            other.colour = board.colour
    board.colour, board.species = species.colour, species.id
    board.storage = {kind: species.storage[kind] for kind in RESOURCES}
    board.tracks = dict.fromkeys(RESOURCES, POPULATION.cubes)
    board.graveyard = dict.fromkeys(RESOURCES, 0)
    board.discs, board.reserve = species.discs - 1, INFLUENCE.reserve
    board.technologies = list(species.technologies)
    board.blueprints = {ship: no_tiles(species.id, ship) for ship in SHIP_TYPES}
    board.colony_ships = species.colony_ships
    place, rotation = start_of(s, seat)
    home = new_hex(species.home, rotation)
    place_hex(s, place, home)
    home.disc = seat
    for at, square in enumerate(TILES[species.home].squares):
        if not square.advanced or square.kind in species.advanced_cubes:
            home.cubes.append(at)
            board.tracks[square.kind] -= 1
    for ship, n in species.ships.items():
        add_ship(home, seat, ship, n)
    game.tell("setup.species", seat=seat, species=species.id, number=species.home, places=[place])
    draw_first_reputation(game, seat, species.reputation)


def draw_first_reputation(game: Game[State], seat: int, n: int) -> None:
    """Some species begin with reputation tiles and keep all of them (ruling 6)."""
    drawn = [value for _ in range(n) if (value := game.state.reputation.draw(game.chance)) is not None]
    if drawn:
        game.state.boards[seat].reputation += [int(value) for value in drawn]
        game.tell("setup.reputation", seat=seat, n=len(drawn))
        game.tell("setup.reputation_values", to=[seat], owner=seat, values=tuple(drawn))
