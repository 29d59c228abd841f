"""Any fleets, any blueprints, any answers: every battle ends, and nothing is lost or gained but what was destroyed."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.eclipse import RULES
from rules.eclipse.assignment import KEPT_VOLLEYS
from rules.eclipse.components import REPUTATION_TILES
from rules.eclipse.ships import PARTS, SHIP_TYPES, fault, lying
from rules.eclipse.state import State
from rules.eclipse.story import battles
from rules.engine.chance import Chance
from rules.engine.flow import Event
from rules.engine.rules import Decision, random_player
from rules.engine.table import Table

from .battlefield import field, refuge
from .helpers import DRACO, ORION, PLANTA, UNION

SPECIES = (UNION, DRACO, ORION, PLANTA)
fleets = st.dictionaries(
    st.integers(0, 3), st.dictionaries(st.sampled_from(SHIP_TYPES), st.integers(1, 2), min_size=1), min_size=1
)


def modified(s: State, chance: Chance) -> State:
    """Blueprints as they may come to be."""
    for board in s.boards:
        for ship in SHIP_TYPES:
            tiles = [chance.pick(("", "", *PARTS)) for _ in board.blueprints[ship]]
            if fault(board.species, ship, lying(board.species, ship, tiles)) is None:
                board.blueprints[ship] = tiles
    return s


def ships(s: State) -> Counter[tuple[object, str]]:
    """All ships on the board, Ancients included."""
    found: Counter[tuple[object, str]] = Counter()
    for hex_ in s.hexes.values():
        found["ancient", "ancient"] += hex_.ancients
        for fleet in hex_.fleets:
            found.update({(fleet.seat, ship): n for ship, n in fleet.ships.items()})
    return +found


def tiles(s: State) -> int:
    """All reputation tiles there are."""
    drawn = s.battle.drawn if s.battle else []
    return len(s.reputation) + sum(len(board.reputation) for board in s.boards) + len(drawn)


@settings(max_examples=60, deadline=None)
@given(
    fleets, st.integers(0, 2), st.one_of(st.none(), st.integers(0, 3)), st.sampled_from(("105", "103", "106")),
    st.integers(0, 10**6),
)  # fmt: skip
def test_any_combat(
    parties: dict[int, dict[str, int]], ancients: int, disc: int | None, number: str, seed: int
) -> None:
    chance = Chance(b"%d" % seed)
    cubes = [0, 1] if disc is not None else []
    s = field(*SPECIES, number=number, ships=parties, ancients=ancients, disc=disc, cubes=cubes)
    refuge(s, chance.below(4))
    before, told = ships(modified(s, chance)), list[Event]()
    table = Table.at(RULES, s, Chance(b"dice %d" % seed), s.options)
    told += table.answer(0, ("pass",)).events
    while table.state.phase == "combat" and table.asked:
        assert tiles(table.state) == sum(REPUTATION_TILES.tiles.values())
        assert table.state.battle is None or len(table.state.battle.volleys) <= KEPT_VOLLEYS + len(SHIP_TYPES)
        seat = next(iter(table.asked))
        answer = random_player(Decision(seat, table.view(seat), table.asked[seat]), chance)
        told += table.answer(seat, answer).events
    lost = Counter((event.args["party"], str(event.args["ship"])) for event in told if event.kind == "combat.destroyed")
    found = Counter((e.args["seat"], str(e.args["ship"])) for e in told if e.kind == "discovery.ship")
    after = ships(table.state)
    assert after + lost == before + found
    for hex_ in table.state.hexes.values():
        assert len(hex_.fleets) <= 1
        if hex_.ancients:
            assert all(fleet.seat == SPECIES.index(DRACO) for fleet in hex_.fleets)
    for retold in battles(told):
        assert all(one.fallen == (one.damage > one.hull) for one in retold.ships if stalemates(told) == 0)


def stalemates(told: list[Event]) -> int:
    return sum(event.kind == "combat.stalemate" for event in told)
