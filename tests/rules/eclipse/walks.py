"""A random player that lasts: it chooses at random, but keeps its house in order, so that games reach the ninth round;
and what must be true of every state."""

from collections import Counter

from rules.eclipse import RULES
from rules.eclipse.components import (
    DISCOVERIES,
    INFLUENCE,
    POPULATION,
    REPUTATION_TILES,
    RESOURCES,
    SPECIES,
    TECHNOLOGIES,
    stack_of,
)
from rules.eclipse.options import Options
from rules.eclipse.ships import SHIP_LIMITS, SHIP_TYPES, fault, lying
from rules.eclipse.state import State, seats, unused
from rules.engine.chance import Chance
from rules.engine.questions import SKIP, Answer, Question
from rules.engine.rules import Decision, random_player
from rules.engine.table import Table

IN_HAND = ("cube.track",)
"""While these are asked, a cube is on its way."""
TIGHT = 5
"""Upkeep from which on the player passes."""


def start(seats: int, seed: int, options: Options | None = None) -> Table:
    """A new game."""
    return Table.start(RULES, options, seats=seats, secret=seed.to_bytes(32, "big"))[0]


def lasting(seat: int, question: Question, chance: Chance) -> Answer:
    """A random answer of a player who passes in time, seldom reacts, and does not give up hexes or trade at a whim."""
    ids = [option.id for option in question.options]
    if question.key == "action.choose":
        upkeep = question.args["upkeep"]
        assert isinstance(upkeep, int)
        if "colony" in ids:
            return ("colony",)
        if upkeep >= TIGHT:
            return ("pass",)
        ids = [id for id in ids if id != "trade" or chance.below(9) == 0]
        return (chance.pick(ids),)
    if question.key == "reaction.choose" and chance.below(6):
        return (SKIP,)
    if question.key in ("action.end", "colony.upkeep") and len(ids) > 1:
        return (chance.pick([id for id in ids if id != SKIP]),)
    if question.key == "influence.from":
        kept = [id for id in ids if id in ("track", "refresh", "done")]
        return (chance.pick(kept if chance.below(6) else ids),)
    return random_player(Decision(seat, None, question), chance)


def step(table: Table, chance: Chance, *, acts: bool = False) -> str:
    """One answer, or sometimes an act; the key of the question, or the act's name."""
    if acts and chance.below(6) == 0:
        seat = chance.below(table.header.seats)
        if offered := table.acts(seat):
            act = chance.pick(offered)
            if act.name != "trade":
                fields = [(chance.pick(field.options).id,) for field in act.fields]
                table.act(seat, act.name, fields)
                return act.name
    seat = next(seat for seat in table.asked if seat not in table.sealed)
    question = table.asked[seat]
    table.answer(seat, lasting(seat, question, chance))
    return question.key


def check_components(table: Table) -> None:
    """Nothing is lost or multiplied, and nobody owes anything."""
    s: State = table.state
    if s.phase == "beginning":
        return
    keys = [question.key for question in table.asked.values()]
    for seat in seats(s):
        check_board(s, seat, sum(key in IN_HAND for key in keys), full="diplomacy.return" not in keys)
    technologies = Counter(s.bag.counts()) + Counter(s.supply)
    for board in s.boards:
        technologies += Counter(board.technologies[len(SPECIES[board.species].technologies) :])
    assert technologies == Counter({id: one.tiles for id, one in TECHNOLOGIES.items()})
    drawn = s.battle.drawn if s.battle and s.battle.drawing is not None else []
    tiles = Counter({int(value): n for value, n in s.reputation.counts().items()}) + Counter(drawn)
    for board in s.boards:
        tiles += Counter(board.reputation)
        assert Counter(board.returned) <= Counter({int(v): n for v, n in s.reputation.counts().items()})
    assert tiles == Counter({int(value): n for value, n in REPUTATION_TILES.tiles.items()})
    assert len(s.discoveries) >= sum(hex_.discovery for hex_ in s.hexes.values())
    assert sum(len(board.discoveries) for board in s.boards) + len(s.discoveries) <= sum(
        one.count for one in DISCOVERIES.values()
    )
    placed = [hex_.number for hex_ in s.hexes.values()]
    for ring, stack in s.stacks.items():
        own = Counter(stack.pile.counts()) + Counter(stack.discards)
        own += Counter(number for number in (*placed, *s.turned) if number in stack_of(ring))
        assert max(own.values()) == 1
        assert ring == "III" or own == Counter(stack_of(ring))


def check_board(s: State, seat: int, moving: int, *, full: bool) -> None:
    """One player's pieces; `full`: a reputation track holds no more than it has slots."""
    board = s.boards[seat]
    hexes = [hex_ for hex_ in s.hexes.values() if hex_.disc == seat]
    if board.out:
        assert not hexes
        assert not any(fleet.seat == seat for hex_ in s.hexes.values() for fleet in hex_.fleets)
        assert not board.ambassadors
        return
    abroad = sum(seat in other.ambassadors for other in s.boards)
    cubes = sum(board.tracks.values()) + sum(board.graveyard.values()) + sum(len(one.cubes) for one in hexes) + abroad
    assert 0 <= POPULATION.cubes * 3 - cubes <= moving, (seat, cubes)
    assert all(0 <= board.tracks[kind] <= POPULATION.squares for kind in RESOURCES)
    discs = board.discs + len(hexes) + sum(board.actions.values()) + sum(board.reactions.values()) + board.reserve
    assert discs == SPECIES[board.species].discs + INFLUENCE.reserve
    assert all(0 <= unused(s, seat, ship) <= SHIP_LIMITS[ship] for ship in SHIP_TYPES)
    assert all(board.storage[kind] >= 0 for kind in RESOURCES)
    assert board.colony_ships + board.used_ships == SPECIES[board.species].colony_ships
    assert all(seat in s.boards[partner].ambassadors or moving for partner in board.ambassadors)
    slots = SPECIES[board.species].slots
    room = slots.either + slots.reputation - max(0, len(board.ambassadors) - slots.ambassador)
    drawing = s.battle is not None and s.battle.drawing == seat
    assert not full or len(board.reputation) <= room + drawing
    if s.action != "upgrade":
        for ship in SHIP_TYPES:
            assert fault(board.species, ship, lying(board.species, ship, board.blueprints[ship])) is None
