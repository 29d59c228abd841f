"""What a viewer may know, built up from what is open and from the viewer's own reputation tiles."""

from collections.abc import Iterable, Iterator, Mapping

from . import explore
from .common import discount, income, reduced, upkeep
from .components import (
    ACTIONS,
    AMBASSADORS,
    CATEGORIES,
    PLAY,
    REACTIONS,
    RESOURCES,
    RINGS,
    SPECIES,
    TECHNOLOGIES,
    TILES,
)
from .hexes import EDGES, edges, neighbours, ring, squares_of
from .scoring import points, winners
from .ships import BLUEPRINTS, REPUTATION, SHIP_LIMITS, SHIP_TYPES, lying, totals, totals_of
from .state import Battle, Hex, PlayerBoard, State, Warship, controlled, deployed, seats
from .views import (
    BattleView,
    BlueprintView,
    DieView,
    FleetView,
    HexView,
    SeatView,
    SlotView,
    SpaceView,
    SquarePartView,
    SquareView,
    StackView,
    TechnologyView,
    TrackView,
    View,
    VolleyView,
    WarshipView,
)


def view(s: State, viewer: int | None) -> View:
    """The table as this seat (None: a spectator) sees it."""
    return View(
        viewer=viewer,
        round=s.round,
        rounds=PLAY.rounds,
        phase=s.phase,
        start=s.start,
        following=s.following,
        active=s.active,
        action=s.action,
        seats=tuple(seat_view(s, seat, viewer) for seat in seats(s)),
        hexes=tuple(hex_view(place, hex_) for place, hex_ in s.hexes.items()),
        spaces=tuple(space_views(s)),
        stacks=tuple(StackView(at, len(s.stacks[at].pile), tuple(s.stacks[at].discards)) for at in RINGS),
        supply=technology_views(s),
        bag=len(s.bag),
        reputation=len(s.reputation),
        discoveries=len(s.discoveries),
        exploring=s.exploring,
        turned=tuple(s.turned),
        rotations=tuple(rotation_views(s)),
        traitor=s.traitor,
        relations=tuple(
            (seat, other) for seat in seats(s) for other in sorted(s.boards[seat].ambassadors) if seat < other
        ),
        proposals=tuple((proposal.by, proposal.to) for proposal in s.proposals),
        declined=tuple(s.declined),
        battle=None if s.battle is None else battle_view(s, s.battle, viewer),
        hand=() if viewer is None else tuple(s.boards[viewer].reputation),
        winners=winners(s) if s.phase == "over" else (),
    )


# The galaxy


def hex_view(place: str, hex_: Hex) -> HexView:
    """A placed hex."""
    tile = TILES[hex_.number]
    return HexView(
        place=place,
        number=hex_.number,
        ring=tile.ring,
        rotation=hex_.rotation,
        wormholes=tuple(edge for edge in EDGES if edges(hex_.number, hex_.rotation)[edge]),
        points=tile.points,
        artifact=tile.artifact,
        squares=tuple(
            SquareView(square.kind, square.advanced, at in hex_.cubes)
            for at, square in enumerate(squares_of(hex_.number, hex_.orbital))
        ),
        disc=hex_.disc,
        discovery=hex_.discovery,
        ancients=hex_.ancients,
        gcds=hex_.gcds,
        orbital=hex_.orbital,
        monolith=hex_.monolith,
        fleets=tuple(FleetView(fleet.seat, counts_of(fleet.ships, SHIP_TYPES)) for fleet in hex_.fleets),
    )


def counts_of(counts: Mapping[str, int], order: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Counts by kind, in a fixed order."""
    return tuple((kind, counts[kind]) for kind in order if kind in counts)


def space_views(s: State) -> Iterator[SpaceView]:
    """The unexplored spaces next to placed hexes, and who could explore them."""
    around = dict.fromkeys(space for place in s.hexes for space in neighbours(place) if space not in s.hexes)
    may = {} if s.phase == "beginning" else {seat: explore.spaces(s, seat) for seat in seats(s)}
    for space in around:
        yield SpaceView(space, ring(space), tuple(seat for seat, spaces in may.items() if space in spaces))


def rotation_views(s: State) -> Iterator[tuple[int, ...]]:
    """How each tile turned may lie."""
    if s.active is not None:
        for number in s.turned:
            yield tuple(explore.rotations(s, s.active, s.exploring, number))


# The supply board


def technology_views(s: State) -> tuple[TechnologyView, ...]:
    """All technologies, with what they cost each seat."""
    offs = [{category: discount(s, seat, category) for category in CATEGORIES} for seat in seats(s)]
    return tuple(
        TechnologyView(
            id=one.id,
            category=one.category,
            count=s.supply.get(one.id, 0),
            price=one.price,
            least=one.least,
            prices=tuple(
                None if one.id in board.technologies else reduced(one.id, off[one.category])
                for board, off in zip(s.boards, offs, strict=True)
            ),
        )
        for one in TECHNOLOGIES.values()
    )


# Player boards


def seat_view(s: State, seat: int, viewer: int | None) -> SeatView:
    """What the viewer sees of a seat."""
    board = s.boards[seat]
    chosen = SPECIES.get(board.species)
    known = viewer == seat or s.phase == "over" or bool(board.out)
    score = points(s, seat, hidden=known)
    return SeatView(
        seat=seat,
        colour=board.colour,
        species=board.species,
        home=chosen.home if chosen else "",
        tracks=tuple(
            TrackView(kind, board.tracks[kind], board.graveyard[kind], income(board, kind), board.storage[kind])
            for kind in (RESOURCES if chosen else ())
        ),
        trade_rate=chosen.trade_rate if chosen else 0,
        discs=board.discs,
        reserve=board.reserve,
        upkeep=upkeep(board) if chosen else 0,
        actions=counts_of(board.actions, ACTIONS),
        reactions=counts_of(board.reactions, REACTIONS),
        technologies=tuple(
            (category, tuple(id for id in board.technologies if TECHNOLOGIES[id].category == category))
            for category in CATEGORIES
        ),
        discounts=tuple(discount(s, seat, category) or 0 for category in CATEGORIES),
        blueprints=blueprint_views(s, seat) if chosen else (),
        parts=tuple(board.parts),
        colony_ships=board.colony_ships,
        used_ships=board.used_ships,
        slots=tuple(slot_views(board, known)) if chosen else (),
        reputation=len(board.reputation),
        ambassadors=tuple(sorted(board.ambassadors)),
        ambassadors_left=AMBASSADORS - len(board.ambassadors),
        discoveries=tuple(board.discoveries),
        hexes=tuple(controlled(s, seat)),
        passed=board.passed,
        traitor=s.traitor == seat,
        out=board.out,
        points=tuple(score.items()),
        total=sum(score.values()),
    )


def blueprint_views(s: State, seat: int) -> tuple[BlueprintView, ...]:
    """A seat's ships by type."""
    used = deployed(s, seat)
    return tuple(blueprint_view(s.boards[seat], ship, SHIP_LIMITS[ship] - used.get(ship, 0)) for ship in SHIP_TYPES)


def blueprint_view(board: PlayerBoard, ship: str, left: int) -> BlueprintView:
    """A seat's ships of one type, so many of which can still be built."""
    printed, tiles = BLUEPRINTS[board.species][ship], board.blueprints[ship]
    parts = lying(board.species, ship, tiles)
    sum_ = totals(board.species, ship, parts)
    return BlueprintView(
        ship=ship,
        squares=tuple(
            SquarePartView(part, below, bool(tile))
            for part, below, tile in zip(parts, printed.parts, tiles, strict=True)
        ),
        initiative_bonus=printed.bonus.initiative,
        energy_bonus=printed.bonus.production,
        computer_bonus=printed.bonus.computer,
        initiative=sum_.initiative,
        computer=sum_.computer,
        shield=sum_.shield,
        hull=sum_.hull,
        movement=sum_.movement,
        production=sum_.production,
        consumption=sum_.consumption,
        cannons=sum_.cannons,
        missiles=sum_.missiles,
        cost=SPECIES[board.species].costs[ship],
        left=left,
    )


def slot_views(board: PlayerBoard, known: bool) -> Iterator[SlotView]:
    """The Reputation Track: ambassadors first where only they fit, tiles first where only they fit."""
    slots = SPECIES[board.species].slots
    ambassadors = sorted(board.ambassadors)
    values: list[int | None] = [value if known else None for value in sorted(board.reputation, reverse=True)]
    rows: list[tuple[str, str]] = []
    alone = min(slots.ambassador, len(ambassadors))
    rows += [("ambassador", "ambassador" if at < alone else "") for at in range(slots.ambassador)]
    tiles_alone = min(slots.reputation, len(values))
    mixed = ["ambassador"] * (len(ambassadors) - alone) + ["reputation"] * (len(values) - tiles_alone)
    rows += [("either", mixed[at] if at < len(mixed) else "") for at in range(slots.either)]
    rows += [("reputation", "reputation" if at < tiles_alone else "") for at in range(slots.reputation)]
    for kind, holds in rows:
        seat = ambassadors.pop(0) if holds == "ambassador" else None
        yield SlotView(kind, holds, seat, values.pop(0) if holds == "reputation" else None)


# Battles


def battle_view(s: State, battle: Battle, viewer: int | None) -> BattleView:
    """The hex being fought over; drawn tiles only for the seat that drew them."""
    return BattleView(
        place=battle.place,
        number=s.hexes[battle.place].number,
        step=battle.step,
        parties=tuple(battle.parties),
        attacker=battle.attacker,
        defender=battle.defender,
        round=battle.round,
        ships=tuple(warship_view(s, ship, at in battle.fallen) for at, ship in enumerate(battle.ships)),
        acting=battle.acting,
        acted=tuple(battle.acted),
        volleys=tuple(
            VolleyView(
                volley.round,
                volley.party,
                volley.ship,
                tuple(DieView(die.damage, die.roll, die.hit, die.target) for die in volley.dice),
            )
            for volley in battle.volleys
        ),
        kills=tuple((int(seat), counts_of(kills, REPUTATION)) for seat, kills in sorted(battle.kills.items())),
        retreated=tuple(battle.retreated),
        drawing=battle.drawing,
        drawn=tuple(battle.drawn) if viewer is not None and viewer == battle.drawing else (),
    )


def warship_view(s: State, one: Warship, fallen: bool) -> WarshipView:
    """One ship in a battle."""
    if isinstance(one.party, str):
        hull = totals_of(one.party).hull
    else:
        board = s.boards[one.party]
        hull = totals(board.species, one.ship, lying(board.species, one.ship, board.blueprints[one.ship])).hull
    return WarshipView(one.party, one.ship, one.damage, hull, one.retreat, fallen, one.away)
