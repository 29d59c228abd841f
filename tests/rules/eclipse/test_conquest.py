"""Combat Phase: its end."""

from rules.eclipse.state import State, add_ship

from .battlefield import HERE, NORTH_EAST, dice, field, fight
from .helpers import DIRECTORATE, DRACO, FEDERATION, PLANTA, UNION, put

ONE = {"interceptor": 1}
BEYOND = "5,-2"


def invaded(**more: object) -> State:
    """Seat 1's Interceptor in a hex of seat 0 without cubes."""
    return field(DIRECTORATE, UNION, ships={1: ONE}, disc=0, **more)  # type: ignore[arg-type]


def test_ruling_97_the_steps_in_their_order() -> None:
    """Planta's cubes, then discs off, then discs on with discoveries, then diplomacy, then upkeep."""
    s = field(PLANTA, UNION, ships={1: ONE}, disc=0, cubes=[0, 1], discovery=True)
    game = fight(s)(1, "201", "points")
    kinds = [event.kind for event in game.events]
    steps = ["population.killed", "influence.removed", "influence.placed", "discovery.found"]
    assert [kind for kind in kinds if kind in steps] == steps
    assert game.s.phase == "upkeep"


def test_ruling_97_diplomacy_comes_after_all_discs_are_placed() -> None:
    s = field(DIRECTORATE, UNION, FEDERATION, PLANTA, ships={1: ONE})
    put(s, "106", "3,-2", disc=2)
    put(s, "107", BEYOND, disc=2)
    s.hexes[HERE].rotation, s.hexes["3,-2"].rotation = 5, 0
    game = fight(s)
    assert game.asked(1) == "conquest.place"
    game(1, "201")
    asked = {seat: game.asked(seat) for seat in range(4) if game.asked(seat)}
    assert asked == {1: "diplomacy.partner"}


def test_ruling_98_a_ship_removes_the_disc_of_a_hex_without_cubes() -> None:
    s = invaded()
    discs = s.boards[0].discs
    game = fight(s)
    assert game.s.hexes[HERE].disc is None
    assert game.s.boards[0].discs == discs + 1


def test_ruling_98_also_where_there_never_were_squares_and_unwanted() -> None:
    game = fight(field(DIRECTORATE, UNION, number="315", ships={1: ONE}, disc=0))
    assert game.s.hexes[HERE].disc is None
    game(1, "skip")
    assert game.s.hexes[HERE].disc is None


def test_ruling_98_with_cubes_the_disc_stays() -> None:
    game = fight(invaded(cubes=[0]), *dice(1))(1, "skip")
    assert game.s.hexes[HERE].disc == 0
    assert game.asked(1) != "conquest.place"


def test_ruling_98_the_owners_ships_do_no_harm() -> None:
    assert fight(field(DIRECTORATE, UNION, ships={0: ONE}, disc=0)).s.hexes[HERE].disc == 0


def test_ruling_99_in_clockwise_order_each_hex_in_descending_number() -> None:
    s = field(DIRECTORATE, UNION, number="201", ships={1: ONE})
    put(s, "315", NORTH_EAST, ships={1: ONE}, discovery=False)
    put(s, "101", BEYOND, ships={0: ONE}, discovery=False, ancients=0)
    s.start = 1
    game = fight(s)
    order = []
    while game.asked(0) == "conquest.place" or game.asked(1) == "conquest.place":
        seat = 0 if game.asked(0) else 1
        order.append((seat, game.ids(seat)[0]))
        game(seat, game.ids(seat)[0])
    assert order == [(1, "315"), (1, "201"), (0, "101")]
    assert [game.s.hexes[at].disc for at in (HERE, NORTH_EAST, BEYOND)] == [1, 1, 0]


def test_ruling_99_no_connection_is_needed_but_a_disc_on_the_track() -> None:
    s = field(DIRECTORATE, UNION, ships={1: ONE})
    s.boards[1].discs = 1
    assert fight(s).asked(1) == "conquest.place"
    s.boards[1].discs = 0
    assert fight(s).asked(1) != "conquest.place"


def test_ruling_99_ancients_and_the_defence_system_prevent_it_except_for_kin() -> None:
    s = field(DRACO, UNION, ships={0: ONE}, ancients=1, discovery=True)
    add_ship(s.hexes["0,0"], 0, "interceptor")
    game = fight(s, *dice(1), *dice(6, 1, 1, 1))
    assert game.told("combat.battle")[0].args["defender"] == "gcds"
    assert game.ids(0) == ["201", "skip"]
    game(0, "201")
    assert game.s.hexes[HERE].disc == 0
    assert game.s.hexes[HERE].discovery
    assert game.told("discovery.found") == []


def test_ruling_100_discoveries_are_taken_with_the_disc_and_a_cruiser_causes_no_battle() -> None:
    s = field(DIRECTORATE, UNION, ships={1: ONE}, discovery=True)
    at = sorted(s.discoveries.counts()).index("ancient_cruiser")
    before = sum(s.discoveries.counts()[id] for id in sorted(s.discoveries.counts())[:at])
    game = fight(s, before)(1, "201", "use")
    assert game.ships(1, "201") == {"interceptor": 1, "cruiser": 1}
    assert not game.s.hexes[HERE].discovery
    assert game.s.phase == "upkeep"
