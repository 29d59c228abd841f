"""The components except ship parts and blueprints: sector tiles, technologies, species, discoveries, tracks and the
numbers of the rules; read from `data/`, each entry with its source."""

import msgspec

from rules.components import SeatColour, load

Names = tuple[str, ...]

RESOURCES = ("money", "science", "materials")
"""The three resources, which are also the population tracks and their squares."""
CATEGORIES = ("military", "grid", "nano")
RINGS = ("I", "II", "III")
"""The stacks: Inner, Middle, Outer."""
ADVANCED = {"money": "advanced_economy", "science": "advanced_labs", "materials": "advanced_mining"}
"""The technology that opens the starred squares of a kind."""
ACTIONS = ("explore", "influence", "research", "upgrade", "build", "move")
REACTIONS = ("upgrade", "build", "move")
CENTRE = "001"


class Square(msgspec.Struct, frozen=True):
    """A population square: money, science, materials or gray; `advanced`: starred."""

    kind: str
    advanced: bool = False


ORBITAL_SQUARE = Square("orbital")
"""The square of an Orbital, which takes a money or a science cube."""


class Tile(msgspec.Struct, frozen=True):
    """A sector tile. `ring`: centre, I, II, III or start. `wormholes`: edges 0..5 clockwise from the top as printed."""

    number: str
    ring: str
    points: int
    wormholes: tuple[int, ...]
    squares: tuple[Square, ...]
    source: str
    ancients: int = 0
    gcds: bool = False
    artifact: bool = False
    discovery: bool = False


class Technology(msgspec.Struct, frozen=True):
    """A technology. `kind`: part, build, instant or passive; it costs `price` less the discount, never under `least`."""

    id: str
    category: str
    kind: str
    price: int
    least: int
    tiles: int
    source: str


class Amounts(msgspec.Struct, frozen=True):
    """How much one action does. `refresh`: colony ships turned up by Influence."""

    explore: int
    influence: int
    refresh: int
    research: int
    upgrade: int
    build: int
    move: int


class Slots(msgspec.Struct, frozen=True):
    """Places of the Reputation Track by what they may hold."""

    ambassador: int
    either: int
    reputation: int


class Species(msgspec.Struct, frozen=True):
    """A side of a player board. `kind`: terran or alien; `home`: its start tile; `discs`: on the track before one goes
    home; `costs`: of what can be built; `reputation`: tiles drawn at the start; `bonus`: what scores extra at the end."""

    id: str
    kind: str
    colour: str
    home: str
    storage: dict[str, int]
    trade_rate: int
    actions: Amounts
    technologies: Names
    ships: dict[str, int]
    colony_ships: int
    discs: int
    slots: Slots
    costs: dict[str, int]
    source: str
    reputation: int = 0
    advanced_cubes: Names = ()
    powers: Names = ()
    bonus: str = ""


class Discovery(msgspec.Struct, frozen=True):
    """A discovery tile. `effect`: resources (`gain`), technology, ship (`ship`) or part (`part`)."""

    id: str
    count: int
    effect: str
    source: str
    gain: dict[str, int] = {}
    ship: str = ""
    part: str = ""


class Population(msgspec.Struct, frozen=True):
    """The population tracks: `income` by cubes taken off, `squares` on each, `cubes` on each at the start."""

    income: tuple[int, ...]
    squares: int
    cubes: int
    source: str


class Influence(msgspec.Struct, frozen=True):
    """The Influence Track: `upkeep` by discs on it; `reserve`: discs that wait for technologies."""

    upkeep: tuple[int, ...]
    reserve: int
    source: str


class TechnologyTrack(msgspec.Struct, frozen=True):
    """`discount` and `points` by technologies of a category; `extra_discs` some give; `artifact_gain`: a key's yield."""

    slots: int
    discount: tuple[int, ...]
    points: tuple[int, ...]
    extra_discs: dict[str, int]
    artifact_gain: int
    source: str


class Reputation(msgspec.Struct, frozen=True):
    """`tiles`: how many there are by value; `most`: drawn for a hex; `took_part`: drawn for taking part."""

    tiles: dict[str, int]
    tiles_source: str
    most: int
    took_part: int
    source: str


class Limits(msgspec.Struct, frozen=True):
    """What each player has."""

    ambassadors: int
    source: str


class Scoring(msgspec.Struct, frozen=True):
    """Points for one of each; `species_bonus`: for each thing a species scores extra."""

    ambassador: int
    discovery: int
    monolith: int
    traitor: int
    species_bonus: int
    source: str


class Play(msgspec.Struct, frozen=True):
    """`reaction`: how much a reaction does; `diplomacy_from`: players from which on there is diplomacy."""

    rounds: int
    reaction: int
    diplomacy_from: int
    source: str


class Start(msgspec.Struct, frozen=True):
    """A start spot: two hexes from the centre in a direction, its tile turned clockwise by so many sixths."""

    direction: int
    rotation: int


class Players(msgspec.Struct, frozen=True):
    """What follows from the number of players. `technologies`: drawn at the start; `new_technologies`: each cleanup."""

    players: int
    technologies: int
    new_technologies: int
    outer_hexes: int
    starts: tuple[Start, ...]
    source: str
    starts_source: str


class _Numbers(msgspec.Struct, frozen=True):
    population: Population
    influence: Influence
    technology: TechnologyTrack
    reputation: Reputation
    components: Limits
    scoring: Scoring
    play: Play
    players: tuple[Players, ...]


class _Lists(msgspec.Struct, frozen=True):
    hexes: tuple[Tile, ...] = ()
    technologies: tuple[Technology, ...] = ()
    species: tuple[Species, ...] = ()
    discoveries: tuple[Discovery, ...] = ()
    colours: tuple[SeatColour, ...] = ()


TILES = {tile.number: tile for tile in load(__file__, "hexes.toml", _Lists).hexes}
"""All sector tiles by printed number."""
TECHNOLOGIES = {technology.id: technology for technology in load(__file__, "technologies.toml", _Lists).technologies}
SPECIES = {species.id: species for species in load(__file__, "species.toml", _Lists).species}
DISCOVERIES = {discovery.id: discovery for discovery in load(__file__, "discoveries.toml", _Lists).discoveries}
COLOURS = load(__file__, "colours.toml", _Lists).colours

_numbers = load(__file__, "numbers.toml", _Numbers)
POPULATION = _numbers.population
INFLUENCE = _numbers.influence
TECHNOLOGY_TRACK = _numbers.technology
REPUTATION_TILES = _numbers.reputation
AMBASSADORS = _numbers.components.ambassadors
SCORING = _numbers.scoring
PLAY = _numbers.play
PLAYERS = {players.players: players for players in _numbers.players}
"""What follows from the number of players."""


def stack_of(ring: str) -> Names:
    """The numbers of all tiles of a ring."""
    return tuple(tile.number for tile in TILES.values() if tile.ring == ring)


def kinds_of(square: str) -> Names:
    """The tracks a square's cube may come from, or go back to."""
    return {"gray": RESOURCES, "orbital": ("money", "science")}.get(square, (square,))
