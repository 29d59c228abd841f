"""Unit cards, action cards, attacks and the Royal Family."""

import pytest

from rules.throne_of_the_world.common import spread

from .helpers import ANY, LETTERS, NO_FIGHT, Played, charge, position

OMNI = "general_c"
"""Activates all but Miners and Wizards: also the Royal Family."""


def test_ruling_17_a_full_set_takes_no_more() -> None:
    game = charge("MMM", "", hands={0: ["miners", "soldiers"]}, area=["steal"])(0, "card")
    assert game.ids(0) == ["soldiers", "back"]
    game(0, "back", "exchange")
    assert "miners" in game.ids(0)


@pytest.mark.parametrize(
    ("profession", "gives"),
    [("miners", [2, 5, 8]), ("farmers", [1, 3, 6, 9]), ("hunters", [2, 4, 7])],
)
def test_ruling_18_production_follows_from_the_number(profession: str, gives: list[int]) -> None:
    letter = profession[0].upper()
    for n, coins in enumerate(gives, 1):
        game = charge(letter * n, "", hands={0: [NO_FIGHT]}).play(0, NO_FIGHT)
        assert game.s.money[0] == 20 + coins


def test_ruling_19_units_act_at_once() -> None:
    game = charge("MM", "", hands={0: ["miners", ANY]})
    game.play(0, "miners").play(0, ANY)
    assert game.s.money[0] == 28


def test_ruling_21_once_a_turn_or_twice_by_a_double_card() -> None:
    game = charge("M", "", hands={0: [ANY, ANY, "double_miners"]}).play(0, ANY)(0, "card")
    assert game.ids(0) == ["back"], "they have acted"
    double = charge("M", "", hands={0: [ANY, "double_miners"]}).play(0, "double_miners")
    assert double.s.money[0] == 24
    assert double(0, "card").ids(0) == ["back"]
    assert double.s.points == 3


def test_ruling_22_the_second_activation_has_its_own_goal() -> None:
    game = charge("SSSS", "", "", hands={0: ["double_soldiers"]}).play(0, "double_soldiers", "1")
    assert game.s.money == [26, 14, 20]
    assert (game.asked(0), game.table.asked[0].private) == ("again", False)
    game(0, "2")
    assert game.s.money == [32, 14, 14]
    declined = charge("SSSS", "", hands={0: ["double_soldiers"]}).play(0, "double_soldiers")(0, "skip")
    assert declined.s.money == [26, 14]
    assert declined.asked(0) == "move"


def test_ruling_23_excluded_professions() -> None:
    game = charge("SWR", "", hands={0: [ANY, "double_knights", "double_wizards"], 1: ["steal"]})(0, "card")
    assert game.ids(0) == [ANY, "double_wizards", "back"]
    game(0, ANY)
    assert game.s.money == [21, 19], "only the Soldiers can"
    none = charge("W", "", hands={0: [ANY]})(0, "card")
    assert none.ids(0) == ["back"]


def test_ruling_23_which_profession_is_a_private_choice_with_a_way_back() -> None:
    game = charge("SM", "", "", hands={0: [ANY]})(0, "card", ANY)
    assert (game.asked(0), game.table.asked[0].private) == ("card.profession", True)
    assert game.ids(0) == ["soldiers", "miners", "back"]
    game(0, "soldiers")
    assert (game.asked(0), game.table.asked[0].private) == ("card.goal", True)
    game(0, "back")
    assert (game.asked(0), game.s.points, game.s.hands[0][ANY]) == ("move", 4, 1)


def test_ruling_24_many_professions_may_act() -> None:
    game = charge("FMH", "", hands={0: [NO_FIGHT] * 3})
    game.play(0, NO_FIGHT, "farmers").play(0, NO_FIGHT, "miners").play(0, NO_FIGHT)
    assert game.s.money[0] == 25


def test_ruling_25_newcomers_give_no_new_action() -> None:
    game = charge("M", "", hands={0: [ANY, ANY, "miners"]}).play(0, ANY).play(0, "miners")(0, "card")
    assert game.ids(0) == ["back"]


# Attack


def test_ruling_26_one_attack_has_one_target() -> None:
    game = charge("KKK", "", "", hands={0: [ANY]})(0, "card", ANY)
    assert game.ids(0) == ["1", "2", "back"]
    game(0, "2")
    assert game.s.money == [29, 20, 11]


def settled(*answers: str, victim: str = "SSM", coins: int = 20) -> Played:
    """Nine points of damage, answered so."""
    game = charge("KKK", victim, hands={0: [ANY]}, money=[20, coins]).play(0, ANY)
    return game(1, *answers)


@pytest.mark.parametrize(
    ("answers", "left", "coins"),
    [
        (("soldiers", "soldiers", "pay"), "M", 1),
        (("pay",), "SSM", 9),
        (("soldiers", "soldiers", "miners"), "", 0),
    ],
)
def test_ruling_27_the_rulebooks_example(answers: tuple[str, ...], left: str, coins: int) -> None:
    game = settled(*answers)
    assert (game.units(1), game.s.money) == (left, [20 + coins, 20 - coins])
    assert spread(game.s.hands[1]) == [*["soldiers"] * (2 - left.count("S")), *["miners"] * (1 - left.count("M"))]
    assert game.s.attack is None
    assert game.asked(0) == "move"


def test_ruling_27_the_victim_is_asked_openly_out_of_turn() -> None:
    game = charge("KKK", "SSM", hands={0: [ANY]}).play(0, ANY)
    assert list(game.table.asked) == [1]
    assert (game.asked(1), game.table.asked[1].private) == ("defend", False)
    assert game.ids(1) == ["soldiers", "miners", "pay"]
    game(1, "soldiers")
    attack = game.table.view(None).attack
    assert (attack.damage, attack.returned, attack.tolerance, attack.missing) == (9, ("soldiers",), 4, 5)


def test_ruling_27_no_unit_is_given_in_vain() -> None:
    game = charge("WW", "FFS", hands={0: [OMNI, "double_wizards"]}).play(0, "double_wizards")
    game(1, "farmers", "farmers")
    assert game.ids(1) == ["pay"] if game.asked(1) else True
    again = charge("WW", "FFS", hands={0: ["double_wizards"]}).play(0, "double_wizards")
    again(1, "farmers", "farmers")
    assert (again.s.money[1], again.units(1)) == (18, "S"), "with the Soldier one Farmer would have been in vain"
    exact = charge("KK", "FS", hands={0: [ANY]}).play(0, ANY)(1, "farmers")
    assert exact.s.money[1] == 18, "four are settled by the Soldier alone, so after a Farmer coins must follow"


def test_ruling_27_units_alone_are_found_where_coins_are_short() -> None:
    game = charge("KK", "FFS", hands={0: [ANY]}, money=[20, 1]).play(0, ANY)
    assert game.ids(1) == ["soldiers", "farmers"]
    game(1, "farmers")
    assert game.units(1) == "S", "the second Farmer follows by itself"
    assert game.s.money[1] == 1


def test_ruling_28_a_team_mates_units_do_not_count() -> None:
    game = charge("KKK", "", "", "SSSS", hands={0: [ANY]}).play(0, ANY, "1")
    assert (game.units(3), game.s.money) == ("SSSS", [29, 11])


def test_ruling_29_when_nothing_is_enough_all_is_lost() -> None:
    game = charge("KKK", "S", "", hands={0: [ANY], 1: ["steal"]}, money=[20, 4, 20]).play(0, ANY, "1")
    assert game.s.money == [24, 0, 20]
    assert game.s.out == [1]
    assert (game.units(1), game.s.hands[1]) == ("", {})
    assert game.s.discard == {ANY: 1, "soldiers": 1, "steal": 1}
    assert game.told("unit_returned")


def test_ruling_30_returned_units_may_exceed_the_hand_limit() -> None:
    game = charge("KK", "S", hands={0: [ANY], 1: ["steal"] * 8}).play(0, ANY)(1, "soldiers")
    assert sum(game.s.hands[1].values()) == 9
    weak = charge("S", "S", hands={0: [ANY]}, races={1: "treants"}).play(0, ANY)
    assert (weak.s.money, weak.units(1), weak.asked(0)) == ([20, 20], "S", "move")


def test_ruling_31_damage_leaves_nothing_behind() -> None:
    game = charge("SSK", "K", hands={0: [ANY, ANY]}).play(0, ANY, "soldiers")(1, "knights")
    game.play(0, ANY)
    assert game.s.money[1] == 18, "the first two points do not count again"


# Royal Family


def test_ruling_32_a_demand_is_answered_with_a_card_or_coins() -> None:
    game = charge("R", "", hands={0: [OMNI], 1: ["steal", "supply"]}).play(0, OMNI)
    question = game.table.asked[1]
    assert (question.key, question.private) == ("demand", True)
    assert game.ids(1) == ["supply", "steal", "pay"]
    assert game.table.view(None).demand.victim == 1
    game(1, "supply")
    assert game.s.hands == [{"hunger": 1, "supply": 1}, {"steal": 1}]
    assert game.told("gave_card")[0].audience == (0, 1)
    paid = charge("R", "", hands={0: [OMNI], 1: ["steal"]}).play(0, OMNI)(1, "pay")
    assert (paid.s.money, paid.s.hands[1]) == ([23, 17], {"steal": 1})


def test_ruling_32_each_demand_may_name_another_and_the_rest_left_out() -> None:
    hands = {0: [OMNI], 1: ["steal"], 2: ["supply"]}
    game = charge("RR", "", "", hands=hands).play(0, OMNI, "1")(1, "steal")
    assert (game.asked(0), game.ids(0)) == ("demand.next", ["2", "skip"])
    game(0, "2")(2, "supply")
    assert game.s.hands[0] == {"hunger": 1, "steal": 1, "supply": 1}
    less = charge("RR", "", "", hands=hands).play(0, OMNI, "1")(1, "steal")(0, "skip")
    assert less.asked(0) == "move"


def test_ruling_32_a_single_card_is_given_without_a_question() -> None:
    game = charge("R", "", hands={0: [OMNI], 1: ["steal"]}, money=[20, 3]).play(0, OMNI)
    assert (game.s.hands[1], game.asked(0)) == ({}, "move")
    nobody = charge("R", "", hands={0: [OMNI]})(0, "card")
    assert nobody.ids(0) == ["back"], "nobody has a card"


def test_activated_professions_are_forgotten_at_the_turns_end() -> None:
    game = charge("M", "", hands={0: [ANY]}).play(0, ANY)
    assert game.table.view(None).seats[0].sets[4].acted
    game(0, "end", "skip", "skip")
    assert not game.table.view(None).seats[0].sets[4].acted
    assert Played(position("M", "")).s.acted == []


def ways(units: str, money: int, damage: int = 9) -> set[tuple[str, int]]:
    """Every answer in which nothing is given in vain, by trying all."""
    worth = {"S": 4, "F": 2, "M": 3, "H": 3, "W": 3, "K": 4, "R": 4}
    found = set()
    for mask in range(1 << len(units)):
        chosen = [units[i] for i in range(len(units)) if mask >> i & 1]
        total = sum(worth[unit] for unit in chosen)
        coins = max(0, damage - total)
        minimal = all(total - worth[unit] + coins < damage for unit in chosen)
        if coins <= money and minimal:
            found.add(("".join(sorted(chosen)), coins))
    return found


def offered(units: str, money: int, answers: tuple[str, ...] = ()) -> set[tuple[str, int]]:
    """Every answer that the chain of questions leads to."""
    game = charge("KKK", units, "", hands={0: [ANY]}, money=[20, money, 20]).play(0, ANY, "1")
    game(1, *answers)
    if game.asked(1) == "defend":
        return {way for id in game.ids(1) for way in offered(units, money, (*answers, id))}
    paid = sum(event.args["n"] for event in game.told("damage_paid"))
    names = {name: letter for letter, name in LETTERS.items()}
    returned = sorted(names[event.args["unit"]] for event in game.told("unit_returned"))
    return {("".join(returned), paid)}


@pytest.mark.parametrize("units", ["FFFS", "SSM", "FFHHM", "WWFFF", "FFFFMM"])
@pytest.mark.parametrize("money", [1, 3, 20])
def test_ruling_27_all_ways_without_waste_and_no_others(units: str, money: int) -> None:
    assert offered(units, money) == ways(units, money)
