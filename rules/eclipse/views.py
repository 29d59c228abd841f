"""What a viewer may know of a game of Eclipse. Figures printed on tiles and boards are in `components` and `ships`.

Words: `hex.<number>`, `species.<species>`, `technology.<id>`, `part.<id>`, `ship.<type>`, `discovery.<id>`, `resource.<kind>`,
`action.<action>`, `colour.<colour>`. A place is `"q,r"` (axial, flat-topped; edges 0..5 clockwise from the top, see hexes.py).
A party is a seat, "ancient" or "gcds".
"""

import msgspec

Party = int | str


class SquareView(msgspec.Struct, frozen=True):
    """A population square of a hex. `kind`: money, science, materials, gray or orbital; `advanced`: starred; `filled`: a
    cube of the hex's owner is on it."""

    kind: str
    advanced: bool
    filled: bool


class FleetView(msgspec.Struct, frozen=True):
    """A player's ships in a hex: (type, how many), small types first."""

    seat: int
    ships: tuple[tuple[str, int], ...]


class HexView(msgspec.Struct, frozen=True):
    """A placed hex. `ring`: centre, I, II, III or start. `wormholes`: edges as it lies, turned by `rotation` sixths
    clockwise. `squares`: printed ones, then the Orbital's. `discovery`: a face-down tile lies here. `fleets`: in order of
    entry, the earliest first."""

    place: str
    number: str
    ring: str
    rotation: int
    wormholes: tuple[int, ...]
    points: int
    artifact: bool
    squares: tuple[SquareView, ...]
    disc: int | None
    discovery: bool
    ancients: int
    gcds: bool
    orbital: bool
    monolith: bool
    fleets: tuple[FleetView, ...]


class SpaceView(msgspec.Struct, frozen=True):
    """An unexplored space next to a placed hex. `ring`: I, II or III; `seats`: who could explore it now."""

    place: str
    ring: str
    seats: tuple[int, ...]


class StackView(msgspec.Struct, frozen=True):
    """A stack of sector tiles: how many are left, and the discarded ones by number."""

    ring: str
    size: int
    discards: tuple[str, ...]


class TechnologyView(msgspec.Struct, frozen=True):
    """A technology. `count`: tiles on the supply board; `price`: as printed, `least`: its minimum; `prices`: for each
    seat what it would pay, None if it has it or its track is full."""

    id: str
    category: str
    count: int
    price: int
    least: int
    prices: tuple[int | None, ...]


class SquarePartView(msgspec.Struct, frozen=True):
    """A square of a blueprint: the part to be seen ("": none), the printed part below, and whether it is a tile."""

    part: str
    printed: str
    tile: bool


class BlueprintView(msgspec.Struct, frozen=True):
    """A seat's ships of one type. `cannons`, `missiles`: the damage of each die of one ship. `cost` in materials; `left`:
    how many may still be built. `energy_bonus` and the like: printed outside the squares."""

    ship: str
    squares: tuple[SquarePartView, ...]
    initiative_bonus: int
    energy_bonus: int
    computer_bonus: int
    initiative: int
    computer: int
    shield: int
    hull: int
    movement: int
    production: int
    consumption: int
    cannons: tuple[int, ...]
    missiles: tuple[int, ...]
    cost: int
    left: int


class SlotView(msgspec.Struct, frozen=True):
    """A place of the Reputation Track. `kind`: what it may hold (ambassador, either, reputation). `holds`: "", ambassador
    or reputation; `seat`: whose ambassador; `value`: of the tile, None unless the viewer knows it."""

    kind: str
    holds: str
    seat: int | None
    value: int | None


class TrackView(msgspec.Struct, frozen=True):
    """A population track: cubes on it, cubes of the kind in the graveyard, what it produces, what is stored."""

    kind: str
    cubes: int
    graveyard: int
    income: int
    stored: int


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `species` and `home` are "" until chosen. `tracks`: money, science, materials. `discs`: on the Influence
    Track, `reserve`: waiting for technologies; `upkeep`: money due now. `actions`, `reactions`: (action, discs).
    `technologies`: (category, ids in the order gained). `discounts`: by category as in `technologies`. `slots`: the
    Reputation Track as filled now. `ambassadors_left`: own ones still to give. `discoveries`: kept for points.
    `parts`: ancient parts kept aside. `out`: "", collapsed or gave_up. `points`: what stands now by words key
    (reputation only where the viewer knows it); `total`: their sum. `hexes`: places with the disc."""

    seat: int
    colour: str
    species: str
    home: str
    tracks: tuple[TrackView, ...]
    trade_rate: int
    discs: int
    reserve: int
    upkeep: int
    actions: tuple[tuple[str, int], ...]
    reactions: tuple[tuple[str, int], ...]
    technologies: tuple[tuple[str, tuple[str, ...]], ...]
    discounts: tuple[int, ...]
    blueprints: tuple[BlueprintView, ...]
    parts: tuple[str, ...]
    colony_ships: int
    used_ships: int
    slots: tuple[SlotView, ...]
    reputation: int
    ambassadors: tuple[int, ...]
    ambassadors_left: int
    discoveries: tuple[str, ...]
    hexes: tuple[str, ...]
    passed: bool
    traitor: bool
    out: str
    points: tuple[tuple[str, int], ...]
    total: int


class WarshipView(msgspec.Struct, frozen=True):
    """One ship in a battle. `hull`: damage it can take; `retreat`: the place it retreats to, "" while it stays; `away`: it
    has got there."""

    party: Party
    ship: str
    damage: int
    hull: int
    retreat: str
    fallen: bool
    away: bool


class DieView(msgspec.Struct, frozen=True):
    """One die. `damage`: of a hit; `hit`: whether it hits something; `target`: index among the battle's ships (or of the
    hex's squares), None while unassigned or lost."""

    damage: int
    roll: int
    hit: bool
    target: int | None


class VolleyView(msgspec.Struct, frozen=True):
    """All ships of a type firing together. `round`: 0 is the missiles, -1 an attack on the population."""

    round: int
    party: Party
    ship: str
    dice: tuple[DieView, ...]


class BattleView(msgspec.Struct, frozen=True):
    """The hex being fought over. `step`: missiles, engagement, population or reputation. `parties`: all in the hex in
    the order they fight. `ships`: all that were there. `acting`: (party, type) whose turn it is, `acted`: whose was
    already, in this step or round. `volleys`: the latest, the last may be being assigned. `kills`: (seat, ((type, how many), ...)). `drawing`: the seat that chooses among the
    reputation tiles it has drawn, `drawn`: their values, for itself only."""

    place: str
    number: str
    step: str
    parties: tuple[Party, ...]
    attacker: Party
    defender: Party
    round: int
    ships: tuple[WarshipView, ...]
    acting: tuple[Party, str] | None
    acted: tuple[tuple[Party, str], ...]
    volleys: tuple[VolleyView, ...]
    kills: tuple[tuple[int, tuple[tuple[str, int], ...]], ...]
    retreated: tuple[int, ...]
    drawing: int | None
    drawn: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """The whole table for one viewer. `viewer` None: a spectator. `phase`: beginning, action, combat, upkeep, cleanup or
    over. `start`: who holds the start player marker, `following`: who gets it next. `active`: whose turn it is, `action`:
    what is being carried out. `spaces`: unexplored ones next to placed hexes. `supply`: all technologies. `bag`,
    `reputation`: how many tiles the bags hold; `discoveries`: tiles nobody has taken. `exploring`: the space being explored,
    `turned`: the tiles turned for it, `rotations`: for each how it may lie there. `relations`: pairs of seats, the lower
    first. `proposals`: open ones (by, to); `declined`: those last declined. `hand`: the viewer's reputation tiles. `winners`: at the end."""

    viewer: int | None
    round: int
    rounds: int
    phase: str
    start: int
    following: int | None
    active: int | None
    action: str
    seats: tuple[SeatView, ...]
    hexes: tuple[HexView, ...]
    spaces: tuple[SpaceView, ...]
    stacks: tuple[StackView, ...]
    supply: tuple[TechnologyView, ...]
    bag: int
    reputation: int
    discoveries: int
    exploring: str
    turned: tuple[str, ...]
    rotations: tuple[tuple[int, ...], ...]
    traitor: int | None
    relations: tuple[tuple[int, int], ...]
    proposals: tuple[tuple[int, int], ...]
    declined: tuple[tuple[int, int], ...]
    battle: BattleView | None
    hand: tuple[int, ...]
    winners: tuple[int, ...]
