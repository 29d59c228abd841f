"""Combat Phase: which battles, in which order, and the battle itself."""

import pytest

from rules.eclipse.battles import in_line, next_types
from rules.eclipse.combat import next_in_combat
from rules.eclipse.state import Battle, Combat, EndOfCombat, State, Warship, add_ship, unused

from .battlefield import HERE, NORTH_EAST, SOUTH_EAST, battle, dice, drew, field, fight, fit, refuge, story, volleys
from .helpers import DIRECTORATE, DRACO, FEDERATION, ORION, UNION, Played, position, put, turned

ONE, TWO = {"interceptor": 1}, {"interceptor": 2}
UNARMED = ("", "hull", "", "")
"""An Interceptor without a weapon."""
ROCKET = ("", "plasma_missile", "", "")
"""An Interceptor with missiles and no cannon."""


def duel(attacker: dict[str, int], defender: dict[str, int], *, disc: int | None = 0, **more: object) -> State:
    """Seat 0 defends its hex against seat 1."""
    return field(DIRECTORATE, UNION, ships={0: defender, 1: attacker}, disc=disc, **more)  # type: ignore[arg-type]


def rivals(*order: int, disc: int | None = None, **more: object) -> State:
    """One Interceptor of each of three players, in this order of entry."""
    ships = dict.fromkeys(order, ONE)
    return field(DIRECTORATE, UNION, FEDERATION, ships=ships, disc=disc, **more)  # type: ignore[arg-type]


def hits(n: int = 1) -> list[int]:
    return dice(*[6] * n)


# Which battles, in which order


def test_ruling_71_hexes_in_descending_number_the_centre_last() -> None:
    s = position(DIRECTORATE, UNION)
    for number, place in (("301", "5,0"), ("101", "1,0"), ("317", "6,0"), ("202", "4,0")):
        put(s, number, place, ancients=0, ships={0: ONE, 1: ONE})
    add_ship(s.hexes["0,0"], 0, "interceptor")
    order, before = [], "999"
    while isinstance(following := next_in_combat(s, before), Combat):
        before = s.hexes[following.place].number
        order.append(before)
    assert order == ["317", "301", "202", "101", "001"]
    assert isinstance(next_in_combat(s, "001"), EndOfCombat)


@pytest.mark.parametrize(
    ("disc", "fights"),
    [(None, ["1>2", "1>0"]), (1, ["2>0", "2>1"]), (0, ["1>2", "1>0"]), (2, ["1>0", "1>2"])],
)
def test_ruling_71_72_the_latest_two_first_the_disc_last_the_earlier_defends(
    disc: int | None, fights: list[str]
) -> None:
    """Entered in the order 0, 2, 1. Whoever attacks hits at once; where the defender begins, it misses."""
    s = rivals(0, 2, 1, disc=disc)
    for seat in range(3):
        fit(s, seat, "interceptor", "gluon_computer" if fights[0][0] == str(seat) else "")
    game = fight(s, *hits(2))
    assert story(game) == fights


def test_ruling_71_ancients_and_the_defence_system_come_after_all_players() -> None:
    assert in_line(rivals(0, 1, 2, ancients=2).hexes[HERE]) == [2, 1, 0, "ancient"]
    assert in_line(rivals(0, 1, 2, disc=2).hexes[HERE]) == [1, 0, 2]
    s = rivals(0)
    add_ship(s.hexes["0,0"], 1, "cruiser")
    assert in_line(s.hexes["0,0"]) == [1, "gcds"]


def test_ruling_72_ancients_are_always_defenders() -> None:
    """Both have initiative 2: the Ancient shoots first, and two sixes end it."""
    game = fight(field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}}, ancients=1), *hits(2))
    assert story(game) == ["0>ancient"]
    assert volleys(game) == ["ancient ancient 2"]
    assert game.ships(0, "201") == {}


def test_ruling_73_draco_and_ancients_never_fight() -> None:
    s = field(DRACO, UNION, ships={0: ONE}, ancients=2)
    assert isinstance(next_in_combat(s), EndOfCombat)
    game = fight(field(DRACO, UNION, ships={0: ONE, 1: ONE}, ancients=1), *dice(6))
    assert story(game) == ["1>0"]
    assert game.ships(0, "201") == ONE
    assert game.s.hexes[HERE].ancients == 1


def test_ruling_73_who_defeats_draco_then_fights_the_ancients() -> None:
    s = field(DRACO, UNION, ships={0: ONE, 1: ONE}, ancients=2, disc=0)
    fit(s, 1, "interceptor", "positron_computer")
    game = fight(s, *dice(6), *dice(6), *dice(6, 1, 1, 1))
    assert story(game) == ["1>0", "1>ancient"]
    assert game.ships(1, "201") == {}


def test_ruling_87_two_ancients_are_one_party() -> None:
    game = fight(field(DIRECTORATE, UNION, ships={0: ONE}, ancients=2), *dice(1, 6, 1, 1, 1))
    assert volleys(game) == ["0 interceptor 1", "ancient ancient 4"]


def test_ruling_74_a_disc_without_ships_is_no_party() -> None:
    s = field(DIRECTORATE, UNION, ships={1: ONE}, disc=0, cubes=[0])
    game = fight(s)
    assert story(game) == []
    assert game.asked(1) == "population.attack"
    game(1, "skip")
    assert drew(game) == {}


def test_ruling_74_no_ships_and_no_cubes_need_no_combat() -> None:
    assert isinstance(next_in_combat(field(DIRECTORATE, UNION, ships={1: ONE}, disc=0)), EndOfCombat)


def test_ruling_75_damage_stays_through_the_battles_of_a_hex() -> None:
    """Seat 2's Cruiser is hit by seat 1 and then destroyed by one more hit of seat 0."""
    s = field(DIRECTORATE, UNION, FEDERATION, ships={0: ONE, 1: ONE, 2: {"cruiser": 1}})
    game = fight(s, *dice(6, 6), *dice(6))
    assert story(game) == ["2>1", "2>0"]
    assert game.ships(0, "201") == ONE
    assert game.ships(2, "201") == {}


def test_ruling_75_damage_is_gone_after_the_phase() -> None:
    game = fight(field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}}, ancients=1), *dice(6, 1, 6, 1, 1, 6), 0, 0, 0)
    game(0, "1")
    assert game.ships(0, "201") == {"cruiser": 1}
    assert game.s.battle is None


# Initiative


def order_of(s: State, attacker: int, defender: int) -> list[str]:
    """The types in the order in which they act."""
    hex_ = s.hexes[HERE]
    ships = [Warship(fleet.seat, ship) for fleet in hex_.fleets for ship in fleet.ships]
    b = Battle(HERE, attacker=attacker, defender=defender, ships=ships)
    found = []
    while tied := next_types(s, b):
        found.append("+".join(f"{party}.{ship}" for party, ship in tied))
        b.acted += tied
    return found


def test_ruling_76_types_act_by_initiative_and_ties_favour_the_defender() -> None:
    fleet = {"interceptor": 2, "cruiser": 1, "dreadnought": 1}
    s = duel(fleet, fleet)
    assert order_of(s, 1, 0) == [
        "0.interceptor", "1.interceptor", "0.cruiser", "1.cruiser", "0.dreadnought", "1.dreadnought"
    ]  # fmt: skip
    fit(s, 1, "cruiser", "", "", "", "", "gluon_computer")
    assert order_of(s, 1, 0)[:3] == ["1.cruiser", "0.interceptor", "1.interceptor"]


def test_ruling_76_ties_of_one_player_are_the_players_choice() -> None:
    s = duel({"interceptor": 1, "cruiser": 1}, {"starbase": 1})
    fit(s, 1, "cruiser", "", "nuclear_drive")
    assert order_of(s, 1, 0) == ["0.starbase", "1.interceptor+1.cruiser"]
    game = fight(s, *dice(1), *dice(1), *dice(1), *dice(1), *dice(1), *dice(1))
    assert game.ids(1) == ["attack.interceptor", "attack.cruiser"]
    game(1, "attack.cruiser")
    assert volleys(game)[:3] == ["0 starbase 1", "1 cruiser 1", "1 interceptor 1"]


# Missiles


def test_ruling_77_missiles_once_at_the_start_by_initiative() -> None:
    s = duel(TWO, {"starbase": 1})
    for at, part in ((0, "plasma_missile"), (1, "plasma_missile")):
        s.boards[1].blueprints["interceptor"][at] = part
    fit(s, 0, "starbase", "", "plasma_missile")
    game = fight(s, *dice(6, 1), *dice(6, 6, 1, 1))
    assert volleys(game) == ["0 starbase 2", "1 interceptor 4"]
    assert game.told("combat.round") == []
    assert game.ships(1, "201") == ONE
    assert game.ships(0, "201") == {}


def test_ruling_77_the_destroyed_do_not_fire() -> None:
    s = duel(ONE, ONE)
    fit(s, 0, "interceptor", *ROCKET)
    fit(s, 1, "interceptor", *ROCKET)
    assert volleys(fight(s, *dice(6, 1))) == ["0 interceptor 2"]


def test_ruling_77_nobody_fires_when_one_side_is_gone() -> None:
    s = duel({"interceptor": 1, "cruiser": 1}, ONE)
    fit(s, 1, "interceptor", *ROCKET)
    fit(s, 1, "cruiser", "plasma_missile")
    assert volleys(fight(s, *dice(6, 1))) == ["1 interceptor 2"]


def test_ruling_77_missiles_are_fired_again_in_the_next_battle() -> None:
    s = rivals(0, 1, 2)
    fit(s, 2, "interceptor", *ROCKET)
    game = fight(s, *dice(6, 1), *dice(1, 6))
    assert volleys(game) == ["2 interceptor 2", "2 interceptor 2"]
    assert game.ships(2, "201") == ONE
    fit(s, 2, "interceptor", "plasma_missile", "ion_cannon")
    game = fight(s, *dice(1, 1), *dice(1), *dice(6), *dice(6, 1))
    assert volleys(game) == ["2 interceptor 2", "1 interceptor 1", "2 interceptor 1", "2 interceptor 2"]


def test_ruling_77_the_order_of_equal_types_is_asked_only_if_both_have_missiles() -> None:
    s = duel({"interceptor": 1, "cruiser": 1}, {"interceptor": 1})
    fit(s, 1, "interceptor", *ROCKET)
    fit(s, 1, "cruiser", "plasma_missile", "nuclear_drive")
    game = fight(s)
    assert game.asked(1) == "combat.missiles"
    assert game.ids(1) == ["attack.interceptor", "attack.cruiser"]
    fit(s, 1, "interceptor", *UNARMED)
    assert volleys(fight(s, *dice(6, 6)))[0] == "1 cruiser 2"


# Hitting


@pytest.mark.parametrize(
    ("roll", "computer", "shield", "hit"),
    [
        (6, "", "", True), (5, "", "", False), (5, "electron_computer", "", True), (3, "gluon_computer", "", True),
        (2, "gluon_computer", "", False), (4, "gluon_computer", "gauss_shield", True),
        (3, "gluon_computer", "gauss_shield", False), (6, "", "phase_shield", True),
    ],
)  # fmt: skip
def test_ruling_78_rolls_computers_and_shields(roll: int, computer: str, shield: str, hit: bool) -> None:
    s = duel(ONE, ONE)
    s.boards[1].blueprints["interceptor"] = [computer, "", "", "fusion_drive"]
    s.boards[0].blueprints["interceptor"] = [shield, "", "", ""]
    game = fight(s, *dice(roll), *dice(6), *dice(6))
    assert (game.ships(0, "201") == {}) == hit


def test_ruling_78_a_1_misses_whatever_the_computers_say() -> None:
    s = duel(ONE, ONE)
    s.boards[1].blueprints["interceptor"] = ["gluon_computer", "", "gluon_computer", "fusion_drive"]
    assert fight(s, *dice(1), *dice(6)).ships(1, "201") == {}
    assert fight(s, *dice(2)).ships(0, "201") == {}


def test_ruling_78_all_dice_of_a_type_are_rolled_and_then_assigned_by_the_player() -> None:
    s = duel({"cruiser": 2}, {"interceptor": 2, "dreadnought": 1})
    fit(s, 1, "cruiser", "", "", "plasma_cannon", "fusion_source", "gluon_computer")
    game = fight(s, *dice(4, 4), *dice(1), *dice(1, 1), *dice(4, 1))
    assert game.asked(1) == "combat.assign"
    assert game.ids(1) == ["rule", "dreadnought.0", "interceptor.0"]
    question = game.table.asked[1]
    assert question.option("rule").args["ships"] == ("dreadnought", "dreadnought")
    game(1, "interceptor.0")
    assert game.ids(1) == ["interceptor.0", "dreadnought.0", "interceptor.2"]
    assert game.table.asked[1].option("interceptor.2").words == "option.combat.doomed"
    assert game.ships(0, "201") == {"interceptor": 2, "dreadnought": 1}
    game(1, "dreadnought.0")
    assert game.ships(0, "201") == {"interceptor": 1, "dreadnought": 1}
    assert [ship.damage for ship in battle(game).ships if ship.ship == "dreadnought"] == [2]


def test_ruling_78_the_damage_of_a_die_is_not_split_and_too_much_is_allowed() -> None:
    s = duel(ONE, TWO)
    fit(s, 1, "interceptor", "fusion_drive", "antimatter_cannon", "fusion_source")
    game = fight(s, *dice(6), *dice(6))
    assert game.ships(0, "201") == ONE


def test_ruling_78_doomed_ships_may_be_shot_at_again() -> None:
    s = duel({"interceptor": 2}, {"interceptor": 1, "cruiser": 1, "dreadnought": 1})
    fit(s, 1, "interceptor", "fusion_drive")
    game = fight(s, *dice(6, 6), *dice(1), *dice(1, 1), *dice(6, 6))
    game(1, "interceptor.0", "interceptor.1")
    assert game.told("combat.hits")[0].args["ships"] == ("interceptor", "interceptor")
    assert game.ships(0, "201") == {"cruiser": 1, "dreadnought": 1}


def test_the_strongest_die_is_assigned_first_of_equal_ones_the_lowest_roll() -> None:
    s = duel({"interceptor": 1}, {"cruiser": 1, "dreadnought": 1})
    s.boards[1].blueprints["interceptor"] = ["ion_turret", "plasma_cannon", "gluon_computer", "fusion_drive"]
    game = fight(s, *dice(6, 4, 5))
    asked = []
    for answer in ("dreadnought.0", "cruiser.0", ""):
        asked.append((game.table.asked[1].args["damage"], game.table.asked[1].args["roll"]))
        if answer:
            game(1, answer)
    assert asked == [(2, 5), (1, 4), (1, 6)]


def test_nothing_is_asked_where_nothing_can_be_chosen() -> None:
    """One target, or two alike and one hit, or all of them destroyed by the rule."""
    faster = ("fusion_drive",)
    for defender, rolls in (({"cruiser": 1}, (6, 6)), (TWO, (6, 1)), ({"interceptor": 1, "cruiser": 1}, (6, 6, 6))):
        s = duel({"interceptor": len(rolls)}, defender)
        fit(s, 1, "interceptor", *faster)
        game = Played(s, *dice(*rolls, *[6] * 9))(0, "pass")
        assert game.asked(1) != "combat.assign"


def test_ruling_78_a_die_whose_targets_are_alike_is_assigned_without_asking() -> None:
    s = duel({"interceptor": 2}, {"cruiser": 2})
    fit(s, 1, "interceptor", "fusion_drive")
    game = Played(s, *dice(6, 6, *[1] * 9))(0, "pass")
    assert game.asked(1) == "combat.assign"
    assert (game.table.asked[1].args["n"], game.ids(1)) == (1, ["cruiser.1", "cruiser.0"]), "the second of two hits"


def test_ruling_79_a_ship_dies_when_damage_exceeds_its_hull() -> None:
    s = duel({"interceptor": 2}, {"starbase": 1})
    game = fight(s, *dice(1), *dice(6, 6), *dice(1), *dice(6, 1))
    assert volleys(game) == ["0 starbase 1", "1 interceptor 2"] * 2
    assert game.ships(0, "201") == {}


# The rule for Ancients (see also test_odds.py)


def test_ruling_80_ancients_destroy_the_largest_they_can() -> None:
    """The example of the rulebook: the Interceptor dies, the other hit goes to the Dreadnought."""
    s = field(DIRECTORATE, UNION, ships={0: {"interceptor": 1, "dreadnought": 1}}, ancients=1)
    game = fight(s, *dice(1), *dice(5, 6), *dice(6, 6))
    assert game.ships(0, "201") == {"dreadnought": 1}
    assert game.s.hexes[HERE].ancients == 0
    assert game.told("combat.hits")[0].args["ships"] == ("interceptor", "dreadnought")
    assert game.told("combat.hits")[0].args["targets"] == (0, 1)


# Attack or retreat


def test_ruling_81_types_choose_each_for_itself() -> None:
    s = duel({"interceptor": 1, "cruiser": 1}, {"dreadnought": 1})
    refuge(s, 1)
    game = fight(s, *dice(1, 1, 1))
    assert game.ids(1) == ["attack.interceptor", "retreat.interceptor.202"]
    game(1, "retreat.interceptor.202")
    assert game.ids(1) == ["attack.cruiser", "retreat.cruiser.202"]
    game(1, "attack.cruiser")
    assert game.ships(1, "202") == ONE
    assert game.ships(1, "201") == {"cruiser": 1}


def test_ruling_81_without_cannons_a_type_may_do_nothing() -> None:
    s = duel(ONE, ONE)
    fit(s, 1, "interceptor", *UNARMED)
    assert volleys(fight(s, *dice(6, 6, 6))) == ["0 interceptor 1"] * 2
    refuge(s, 1)
    assert fight(s, *dice(1)).ids(1) == ["hold.interceptor", "retreat.interceptor.202"]


def test_ruling_82_two_activations_on_the_edge_as_a_target() -> None:
    s = duel(TWO, {"interceptor": 1})
    refuge(s, 1)
    fit(s, 1, "interceptor", "fusion_drive")
    game = fight(s, *dice(6))
    game(1, "retreat.interceptor.202")
    assert game.ships(1, "201") == {}
    assert game.ships(1, "202") == ONE
    assert len(game.told("combat.retreats")) == len(game.told("combat.left")) == 1
    assert volleys(game) == ["0 interceptor 1"]


def test_ruling_82_goals() -> None:
    """Connected, with an own disc, without an enemy ship."""
    s = duel(ONE, {"dreadnought": 1}, number="106")
    refuge(s, 1, NORTH_EAST, "202")
    refuge(s, 1, SOUTH_EAST, "205")
    assert fight(s).ids(1) == ["attack.interceptor", "retreat.interceptor.202", "retreat.interceptor.205"]
    add_ship(s.hexes[SOUTH_EAST], 0, "interceptor")
    assert fight(s, *dice(6)).ids(1) == ["attack.interceptor", "retreat.interceptor.202"]
    s.hexes[NORTH_EAST].disc = 0
    s.hexes[SOUTH_EAST].fleets = []
    assert fight(s).ids(1) == ["attack.interceptor", "retreat.interceptor.205"]
    s.hexes[SOUTH_EAST].rotation = turned("205", shut=(5,))
    assert fight(s, *dice(1, 6, 6)).asked(1) != "combat.action"


def test_ruling_82_the_wormhole_generator_helps() -> None:
    s = duel(ONE, {"dreadnought": 1})
    refuge(s, 1)
    s.hexes[NORTH_EAST].rotation = turned("202", shut=(4,))
    assert fight(s, *dice(1, 6, 6)).asked(1) != "combat.action"
    s.boards[1].technologies.append("wormhole_generator")
    assert fight(s).ids(1) == ["attack.interceptor", "retreat.interceptor.202"]


def test_ruling_82_for_draco_ancients_at_the_goal_are_no_obstacle() -> None:
    for species, goal in ((DRACO, True), (ORION, False)):
        s = field(UNION, species, ships={0: {"dreadnought": 1}, 1: ONE}, disc=0)
        refuge(s, 1)
        s.hexes[NORTH_EAST].ancients = 1
        assert (fight(s, *dice(1, 6, 6)).asked(1) == "combat.action") == goal


def test_ruling_82_starbases_never_retreat_and_the_announced_do_not_attack() -> None:
    s = duel({"interceptor": 1}, {"starbase": 1, "interceptor": 1})
    refuge(s, 0)
    game = fight(s, *dice(1), *dice(6))
    assert volleys(game) == ["0 starbase 1"]
    assert game.ids(0) == ["attack.interceptor", "retreat.interceptor.202"]
    game(0, "retreat.interceptor.202")
    assert "0 interceptor 1" not in volleys(game)


def test_ruling_82_from_the_defence_system_too() -> None:
    s = position(DIRECTORATE, UNION)
    for board in s.boards:
        board.passed = True
    s.boards[0].passed = False
    add_ship(s.hexes["0,0"], 0, "cruiser")
    put(s, "101", "1,-1", turned("101", 4), disc=0, ancients=0)
    game = fight(s)
    assert game.ids(0) == ["attack.cruiser", "retreat.cruiser.101"]
    game(0, "retreat.cruiser.101")
    assert volleys(game) == ["gcds gcds 4"]
    assert game.ships(0, "101") == {"cruiser": 1}


def test_the_defence_system_is_gone_when_it_is_destroyed() -> None:
    s = position(DIRECTORATE, UNION)
    for board in s.boards:
        board.passed = True
    s.boards[0].passed = False
    add_ship(s.hexes["0,0"], 0, "cruiser", 4)
    fit(s, 0, "cruiser", "plasma_cannon", "plasma_cannon")
    game = fight(s, *hits(12))
    assert not game.s.hexes["0,0"].gcds
    assert drew(game) == {0: 4}


def test_ruling_83_the_round_is_finished_for_those_that_had_announced_their_retreat() -> None:
    """The attacker's Dreadnought announced in round 1 and leaves in round 2, though its Interceptor has just won."""
    s = duel({"interceptor": 1, "dreadnought": 1}, {"cruiser": 1})
    refuge(s, 1)
    game = fight(s, *dice(6), *dice(1), *dice(6))
    game(1, "attack.interceptor", "retreat.dreadnought.202", "attack.interceptor")
    assert game.ships(0, "201") == {}
    assert game.ships(1, "202") == {"dreadnought": 1}
    assert game.ships(1, "201") == {"interceptor": 1}


def test_ruling_83_those_that_announced_it_in_the_last_round_stay() -> None:
    s = duel({"interceptor": 1, "dreadnought": 1}, {"starbase": 1})
    fit(s, 0, "starbase", "ion_cannon", "", "ion_cannon")
    fit(s, 1, "interceptor", "fusion_drive")
    refuge(s, 1)
    fit(s, 1, "dreadnought", "gluon_computer", "gluon_computer", "gluon_computer")
    game = fight(s, *dice(6))
    assert game.ids(1) == ["attack.dreadnought", "retreat.dreadnought.202"]
    game(1, "retreat.dreadnought.202", "attack.interceptor")
    assert game.ships(1, "201") == {"interceptor": 1, "dreadnought": 1}
    assert game.ships(1, "202") == {}


def test_ruling_83_in_the_next_battle_they_fight_again() -> None:
    """Seat 2's Cruiser announced its retreat in the round in which its Interceptor won; against seat 0 it shoots."""
    s = field(DIRECTORATE, UNION, FEDERATION, ships={0: ONE, 1: ONE, 2: {"interceptor": 1, "cruiser": 1}})
    for at, part in ((0, "fusion_drive"), (4, "gluon_computer"), (1, "gluon_computer")):
        s.boards[2].blueprints["cruiser"][at] = part
    s.boards[2].blueprints["interceptor"][0] = "nuclear_drive"
    refuge(s, 2)
    game = fight(s, *dice(6))(2, "retreat.cruiser.202", "attack.interceptor")
    assert story(game) == ["2>1", "2>0"]
    assert [ship.retreat for ship in battle(game).ships] == ["", "", "", ""]
    assert game.ids(2) == ["attack.cruiser", "retreat.cruiser.202"]


def test_ruling_84_stalemate_attackers_retreat_or_are_destroyed() -> None:
    s = duel({"interceptor": 2, "cruiser": 1}, {"interceptor": 1})
    for seat in (0, 1):
        fit(s, seat, "interceptor", *UNARMED)
        fit(s, seat, "cruiser", "hull", "", "hull")
    refuge(s, 1)
    game = fight(s, 0, 0, 0)
    assert volleys(game) == []
    assert game.asked(1) == "combat.withdraw"
    game(1, "202")
    assert game.ships(1, "202") == {"interceptor": 2}
    game(1, "stay")
    assert game.ships(1, "201") == {}
    assert game.ships(0, "201") == ONE
    assert drew(game) == {0: 3}


def test_ruling_84_ships_on_retreat_leave_first_and_that_may_be_the_end() -> None:
    """The attacker's armed Cruiser is away after round 2, in which the defender announced its retreat."""
    s = duel({"interceptor": 1, "cruiser": 1}, {"interceptor": 1}, number="106")
    for seat in (0, 1):
        fit(s, seat, "interceptor", *UNARMED)
    refuge(s, 1)
    refuge(s, 0, SOUTH_EAST, "205")
    game = fight(s)(0, "hold.interceptor")(1, "hold.interceptor")(1, "retreat.cruiser.202")
    game(0, "retreat.interceptor.205")(1, "hold.interceptor")
    assert game.told("combat.stalemate") == []
    assert (game.ships(0, "205"), game.ships(1, "106")) == (ONE, ONE)
    assert game.told("combat.won")[0].args["party"] == 1


def test_ruling_84_without_a_goal_they_are_destroyed() -> None:
    s = duel({"interceptor": 2}, {"interceptor": 1}, disc=None)
    for seat in (0, 1):
        fit(s, seat, "interceptor", *UNARMED)
    game = fight(s)
    assert game.ships(1, "201") == {}
    assert drew(game) == {0: 3}


def test_ruling_84_only_when_no_cannon_is_left_on_either_side_at_the_start_of_a_round() -> None:
    s = duel({"interceptor": 1}, {"interceptor": 1, "starbase": 1})
    fit(s, 0, "interceptor", *UNARMED)
    fit(s, 1, "interceptor", *ROCKET)
    game = fight(s, *dice(1, 1), *dice(6))
    assert game.told("combat.stalemate") == []
    assert volleys(game) == ["1 interceptor 2", "0 starbase 1"]


def test_ruling_85_destroyed_ships_are_back_with_their_owners() -> None:
    s = duel(ONE, ONE)
    game = fight(s, *dice(6))
    assert game.ships(1, "201") == {}

    assert unused(game.s, 1, "interceptor") == 7
