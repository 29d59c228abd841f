"""Combat Phase: attacking population."""

from rules.eclipse.combat import next_in_combat
from rules.eclipse.state import Combat, EndOfCombat, State, add_ship

from .battlefield import HERE, dice, drew, field, fight, fit, story
from .helpers import DIRECTORATE, DRACO, ORION, PLANTA, UNION, Played

SQUARES = "105"
"""A hex with a money, a science and an advanced materials square."""


def invasion(
    fleet: dict[str, int], *, cubes: tuple[int, ...] = (0, 1, 2), number: str = SQUARES, **more: object
) -> State:
    """Seat 1's ships alone in a hex of seat 0."""
    return field(DIRECTORATE, UNION, number=number, disc=0, ships={1: fleet}, cubes=cubes, **more)  # type: ignore[arg-type]


def graveyard(game: Played, seat: int = 0) -> dict[str, int]:
    return {kind: n for kind, n in game.s.boards[seat].graveyard.items() if n}


def test_ruling_86_each_ship_once_with_its_cannons_and_computers() -> None:
    game = fight(invasion({"interceptor": 2, "cruiser": 1}))
    assert game.asked(1) == "population.attack"
    assert game.ids(1) == ["attack.interceptor", "attack.cruiser", "skip"]
    s = invasion({"interceptor": 2, "cruiser": 1})
    game = fight(s, *dice(5), *dice(6, 5))(1, "attack.cruiser", "money")
    assert graveyard(game) == {"money": 1}
    assert game.ids(1) == ["attack.interceptor", "skip"]
    game(1, "attack.interceptor", "materials.advanced")
    assert game.s.phase != "combat", "nothing is asked when all have fired"
    assert game.s.hexes[HERE].cubes == [1]
    assert game.s.hexes[HERE].disc == 0
    assert drew(game) == {}


def test_ruling_86_one_of_two_cubes_on_equal_squares() -> None:
    s = invasion({"interceptor": 1}, cubes=(0, 4, 5), number="001", gcds=False)
    game = fight(s, *dice(6))(1, "attack.interceptor", "gray")
    game(0, "money")
    assert (game.s.hexes[HERE].cubes, game.s.battle) == ([0, 5], None)
    s.hexes[HERE].cubes = [4, 5]
    assert fight(s, *dice(6))(1, "attack.interceptor").asked(0) == "population.graveyard", "they are all the same"


def test_ruling_86_missiles_do_not_count_nor_do_shields() -> None:
    s = invasion({"interceptor": 1})
    fit(s, 1, "interceptor", "plasma_missile")
    fit(s, 0, "interceptor", "phase_shield")
    game = fight(s, *dice(6))(1, "attack.interceptor")
    assert game.told("population.cannons")[0].args["rolls"] == (6,)
    fit(s, 1, "interceptor", "", "hull")
    assert isinstance(next_in_combat(s), EndOfCombat)


def test_ruling_86_a_die_of_several_points_kills_several_cubes_and_the_surplus_is_lost() -> None:
    s = invasion({"interceptor": 1})
    fit(s, 1, "interceptor", "", "plasma_cannon")
    game = fight(s, *dice(6))(1, "attack.interceptor")
    assert game.asked(1) == "population.cubes"
    assert (game.table.asked[1].least, game.table.asked[1].most) == (2, 2)
    game(1, ("money", "science"))
    assert game.s.hexes[HERE].cubes == [2]
    fit(s, 1, "interceptor", "", "antimatter_cannon")
    game = fight(s, *dice(6))(1, "attack.interceptor")
    assert graveyard(game) == {"money": 1, "science": 1, "materials": 1}
    assert game.s.hexes[HERE].cubes == []


def test_ruling_86_directly_after_the_last_battle_of_the_hex() -> None:
    s = field(DIRECTORATE, UNION, number=SQUARES, disc=0, ships={0: {"interceptor": 1}, 1: {"cruiser": 1}}, cubes=[0])
    game = fight(s, *dice(1), *dice(6))
    assert story(game) == ["1>0"]
    assert game.asked(1) == "population.attack"
    assert drew(game) == {}


def test_ruling_87_not_while_ships_of_the_owner_or_ancients_are_left() -> None:
    s = invasion({"interceptor": 1})
    assert next_in_combat(s) == Combat(HERE)
    s = field(DRACO, UNION, number=SQUARES, disc=0, ships={1: {"interceptor": 1}}, cubes=[0], ancients=1)
    game = fight(s, *dice(1), *dice(6, 6))
    assert story(game) == ["1>ancient"]
    assert game.s.hexes[HERE].cubes == [0]
    assert "population.cannons" not in [event.kind for event in game.events]


def test_ruling_87_the_owner_does_not_attack_its_own() -> None:
    s = field(DIRECTORATE, UNION, number=SQUARES, disc=0, ships={0: {"cruiser": 1}, 1: {"interceptor": 1}}, cubes=[0])
    game = fight(s, *dice(1), *dice(6))
    assert game.told("combat.won")[0].args["party"] == 0
    assert game.s.hexes[HERE].cubes == [0]


def test_ruling_88_neutron_bombs_kill_all_cubes_without_a_roll() -> None:
    s = field(DIRECTORATE, ORION, number=SQUARES, disc=0, ships={1: {"interceptor": 1}}, cubes=[0, 1, 2])
    fit(s, 1, "interceptor", "", "hull")
    game = fight(s)
    assert game.ids(1) == ["bombs", "skip"]
    game(1, "bombs")
    assert graveyard(game) == {"money": 1, "science": 1, "materials": 1}
    assert game.told("population.cannons") == []


def test_ruling_88_bombs_may_be_left_and_cannons_used() -> None:
    s = field(DIRECTORATE, ORION, number=SQUARES, disc=0, ships={1: {"interceptor": 1}}, cubes=[0, 1, 2])
    game = fight(s, *dice(6))
    assert game.ids(1) == ["bombs", "attack.interceptor", "skip"]
    game(1, "attack.interceptor", "science")
    assert game.ids(1) == ["bombs", "skip"]
    assert graveyard(game) == {"science": 1}
    game(1, "skip")
    assert game.s.hexes[HERE].cubes == [0, 2]


def test_ruling_89_the_owner_chooses_the_graveyard_of_gray_squares_and_orbitals() -> None:
    s = invasion({"interceptor": 1}, cubes=(0, 2), number="103", orbital=True)
    fit(s, 1, "interceptor", "gluon_computer", "plasma_cannon")
    s.boards[0].tracks["money"] = 5
    game = fight(s, *dice(6))(1, "attack.interceptor")
    assert game.asked(0) == "population.graveyard"
    assert game.ids(0) == ["money", "science"]
    game(0, "science")
    assert graveyard(game) == {"money": 1, "science": 1}
    assert game.s.hexes[HERE].orbital
    game = fight(invasion({"dreadnought": 1}, cubes=(1,), number="103"), *dice(6, 6))(1, "attack.dreadnought")
    assert game.ids(0) == ["money", "science", "materials"]
    game(0, "materials")
    assert graveyard(game) == {"materials": 1}


def test_ruling_89_each_cube_lies_in_the_hex_until_its_graveyard_is_chosen() -> None:
    s = invasion({"interceptor": 1}, cubes=(1, 2), number="103", orbital=True)
    fit(s, 1, "interceptor", "gluon_computer", "plasma_cannon")
    game = fight(s, *dice(6))(1, "attack.interceptor")
    assert game.s.hexes[HERE].cubes == [1, 2]
    game(0, "materials")
    assert (game.asked(0), game.s.hexes[HERE].cubes) == ("population.graveyard", [2])
    game(0, "money")
    assert graveyard(game) == {"materials": 1, "money": 1}


def test_ruling_89_cubes_bring_no_reputation() -> None:
    game = fight(invasion({"dreadnought": 1}), *dice(6, 6))(1, "attack.dreadnought", ("money", "science"))
    assert drew(game) == {}


def test_ruling_90_planta_lose_all_cubes_without_a_roll() -> None:
    """At the end of the phase, before discs are removed; nothing is asked of the attacker."""
    s = field(PLANTA, UNION, number="103", disc=0, ships={1: {"interceptor": 1}}, cubes=[0, 1])
    assert isinstance(next_in_combat(s), EndOfCombat)
    game = fight(s)
    assert game.asked(0) == "population.graveyard"
    game(0, "science")
    assert graveyard(game) == {"money": 1, "science": 1}
    assert game.s.hexes[HERE].disc is None
    assert game.asked(1) == "conquest.place"


def test_ruling_90_own_ships_do_no_harm() -> None:
    s = field(PLANTA, UNION, number="103", disc=0, ships={0: {"interceptor": 1}}, cubes=[0])
    add_ship(s.hexes[HERE], 0, "cruiser")
    assert fight(s).s.hexes[HERE].cubes == [0]
