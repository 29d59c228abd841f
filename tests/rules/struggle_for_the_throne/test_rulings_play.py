"""One test for each numbered ruling on setup, turns, cards and movement (1-34)."""

from collections import Counter

import pytest

from rules.engine.chance import Chance, ScriptedChance
from rules.engine.errors import Illegal
from rules.engine.table import Table
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.components import BOARD, ENDS
from rules.struggle_for_the_throne.options import Options
from rules.struggle_for_the_throne.setup import set_up
from rules.struggle_for_the_throne.state import Opening, State, Turn
from tests.rules.playing import DRAWS

from .helpers import NO_OPTIONS, Played, die, position

BASE = {"E0.c": "ALLCCCSSS"}
FOE = {"E3.c": "ALLCCCSSS"}
KILL = "assassinate_commander"
BRIBE = "bribe_commander"
SABOTAGE = "sabotage_squadron"


def fresh(seats: int, seed: int = 0, options: Options = NO_OPTIONS, wishes: tuple[str, ...] = ()) -> State:
    return set_up(Chance(b"seed%d" % seed), options, seats, wishes or ("",) * seats)


# Setup


def test_ruling_01_every_tile_edge_carries_one_planet() -> None:
    for planet, neighbours in BOARD.adjacent.items():
        tile, _, spot = planet.partition(".")
        across = [other for other in neighbours if other.partition(".")[0] != tile]
        assert len(across) <= (spot != "c")
        for other in across:
            assert int(other.partition(".")[2]) == (int(spot) + 3) % 6


def test_ruling_02_the_throne_is_an_ordinary_planet() -> None:
    game = Played(position({"C.3": "A"}, FOE))
    assert game.table.view(None).throne == "C.c"
    game(0, "move", "C.c")
    assert game.group(0, "C.c") == "A"


def test_ruling_03_all_tiles_lie_on_the_table_whatever_the_players() -> None:
    s = fresh(2)
    assert sorted(home for own in s.homes for home in own) == ["E0.c", "E3.c"]
    assert len(RULES.view(s, None).tiles) == 7


def test_ruling_04_homes_are_drawn_and_houses_wished_for() -> None:
    homes = Counter(fresh(3, seed).homes[0][0] for seed in range(60))
    assert set(homes) == {"E0.c", "E2.c", "E4.c"}
    for seed in range(5):
        houses = fresh(4, seed, wishes=("", "mengel", "mengel", "vorl")).houses
        assert houses[1] == "mengel"
        assert len(set(houses)) == 4
        assert "vorl" not in houses


def test_ruling_05_nine_units_five_cards_and_the_supply() -> None:
    for seats in range(2, 7):
        s = fresh(seats)
        assert s.supply == 52 - 3 * seats
        for seat in range(seats):
            assert s.groups[seat] == {s.homes[seat][0]: [1, 2, 3, 3]}
            assert sum(s.hands[seat].values()) == 5
            assert RULES.view(s, None).houses[seat].flags_free == 4
    lost = Played(position({"E0.c": "AC"}, {"E0.c": "AS"}, supply=10), *die(6, 1))
    lost(0, "battle", "1", ("thought_admiral",))(1, ("squadron",))
    assert (lost.group(1, "E0.c"), lost.s.supply) == ("A", 11)
    gone = Played(position({"E0.c": "AC"}, {"E0.c": "AC"}, supply=10), *die(6, 1))
    gone(0, "battle", "1", ("thought_admiral",))(1, ("commander",))
    assert (gone.group(1, "E0.c"), gone.s.supply) == ("A", 10)


def test_ruling_06_recruiting_is_building_and_takes_a_flag() -> None:
    assert "recruit_squadron" not in ENDS
    game = Played(position({"E0.1": "A"}, FOE, alive=False, hands={0: ["influence.build_squadron"]}))
    before = game.table.view(0).houses[0].flags_free
    game(0, "card", "build_squadron")
    assert game.group(0, "E0.c") == "S"
    assert game.table.view(0).houses[0].flags_free == before - 1


def test_ruling_07_highest_roll_starts_and_ties_roll_again() -> None:
    s = position(BASE, {"E2.c": "A"}, {"E4.c": "A"})
    s.next = Opening()
    game = Played(s, *die(2, 5, 5, 3, 4))
    assert (game.s.first, game.s.active) == (2, 2)


def test_ruling_07_the_next_to_the_left_starts_when_the_first_is_out() -> None:
    s = position({"E0.c": "A"}, {"E0.c": "S"}, {"E4.c": "A"}, alive=False, turn=0)
    s.first = 1
    game = Played(s, *die(6, 1))
    game(0, "battle")
    game(0, "end")
    assert (game.s.first, game.s.active, game.s.round) == (2, 2, 2)


# Turn and actions


def test_ruling_08_three_actions_of_any_mix_then_draw_then_left() -> None:
    game = Played(position({"E0.c": "ASS"}, FOE, hands={0: ["plant_spy.free_move"]}))
    game(0, "move", ("squadron",), "E0.0")
    game(0, "move", "E0.0", "E0.5")
    game(0, "card", "plant_spy.free_move")
    assert game.asked(0) == ""
    assert sum(game.s.hands[0].values()) == 5
    assert game.asked(1) == "action"


def test_ruling_08_after_three_actions_only_free_cards_are_left() -> None:
    game = Played(position({"E0.c": "AS"}, FOE, hands={0: ["influence.sneak_attack"]}))
    for goal in ("E0.0", "E0.c", "E0.0"):
        game(0, "move", ("squadron", "thought_admiral"), goal)
    assert game.ids(0) == ["card", "end"]
    game(0, "card")
    assert game.ids(0) == ["back"]


def test_ruling_09_what_costs_an_action() -> None:
    costly = {end.id for end in ENDS.values() if end.actions}
    assert costly == {KILL, BRIBE, SABOTAGE, "steal_plans", "plant_spy", "build_squadron"}
    assert {end.actions for end in ENDS.values()} == {0, 1}
    s = position({"E0.c": "AS"}, FOE, hands={0: ["influence.build_squadron", "plant_spy.free_move"]}, alive=False)
    game = Played(s)
    game(0, "card", "free_move", ("squadron",), "E0.0")
    assert game.s.actions_left == 3
    game(0, "card", "build_squadron")
    assert game.s.actions_left == 2


def test_ruling_10_ambush_and_battle_are_one_action() -> None:
    game = Played(position({"E1.c": "A"}, {"E1.c": "AS"}, hands={0: ["ambush"]}), *die(6, 1))
    game(0, "battle", "ambush")(1, ("squadron",))
    assert game.s.actions_left == 2
    assert game.s.discard == {"ambush": 1}


def test_ruling_11_an_action_is_finished_before_the_next() -> None:
    game = Played(position({"E0.c": "AS"}, {"E0.c": "AS"}))
    game(0, "battle", "2")
    assert game.s.busy
    assert (game.asked(0), game.asked(1)) == ("battle.order", "battle.order")
    with pytest.raises(Illegal):
        game(0, "move")


def test_ruling_12_the_hand_is_filled_at_the_end_of_the_own_turn_only() -> None:
    hands = {0: [SABOTAGE] * 2, 1: [], 2: ["ambush"] * 7}
    game = Played(position({"E0.c": "A"}, {"E2.c": "ASS"}, {"E4.c": "A"}, hands=hands))
    game(0, "card", SABOTAGE)
    assert sum(game.s.hands[0].values()) == 1
    game(0, "end")
    assert [sum(hand.values()) for hand in game.s.hands] == [5, 0, 7]
    game(1, "end")(2, "end")
    assert [sum(hand.values()) for hand in game.s.hands] == [5, 5, 7]


def test_ruling_13_a_turn_may_end_between_any_actions() -> None:
    game = Played(position({"E0.c": "A"}, FOE))
    game(0, "end")
    assert game.asked(1) == "action"
    game(1, "move", ("squadron",), "E3.0")(1, "end")
    assert game.asked(0) == "action"


# Deck


def test_ruling_14_hands_are_secret_sizes_and_discards_open() -> None:
    s = position(BASE, FOE, hands={0: ["ambush", "emperor_dies"], 1: ["outbid_bribe"]}, discard=["ambush"])
    for viewer in (1, None):
        view = RULES.view(s, viewer)
        assert [house.cards for house in view.houses] == [2, 1]
        assert [card.alive for card in view.discard] == ["ambush"]
    assert [card.alive for card in RULES.view(s, 1).hand] == ["outbid_bribe"]
    assert RULES.view(s, None).hand == ()
    assert "emperor" not in repr(RULES.view(s, 1)).replace("emperor_alive", "")


def test_ruling_14_discards_are_mixed_only_when_a_card_must_be_drawn() -> None:
    s = position({"E0.c": "A"}, FOE, deck=["ambush"] * 5, discard=["outbid_bribe"] * 4, hands={1: ["ambush"] * 3})
    game = Played(s)
    game(0, "end")
    assert (len(game.s.deck), game.s.discard) == (0, {"outbid_bribe": 4})
    game(1, "end")
    assert game.s.hands[1] == {"ambush": 3, "outbid_bribe": 2}
    assert (game.s.deck.counts(), game.s.discard) == ({"outbid_bribe": 2}, {})
    assert len(game.told("reshuffled")) == 1


def test_ruling_14_play_goes_on_without_cards() -> None:
    game = Played(position({"E0.c": "A"}, FOE, deck=["ambush"] * 2))
    game(0, "end")
    assert sum(game.s.hands[0].values()) == 2
    assert game.told("no_cards_left")
    assert game.asked(1) == "action"


def test_ruling_15_swapping_a_card() -> None:
    s = position({"E0.c": "A"}, FOE, hands={0: ["emperor_dies", "ambush"]}, deck=["outbid_bribe"])
    game = Played(s)
    game(0, "discard")
    assert game.ids(0) == ["ambush", "back"]
    game(0, "ambush")
    assert game.s.hands[0] == {"emperor_dies": 1, "outbid_bribe": 1}
    assert (game.s.discard, game.s.actions_left) == ({"ambush": 1}, 2)


def test_ruling_15_the_swapped_card_may_come_back_when_it_is_the_only_one() -> None:
    s = position({"E0.c": "A"}, FOE, hands={0: ["ambush"]}, deck=[], discard=["ambush"])
    game = Played(s)
    game(0, "discard", "ambush")
    assert game.s.hands[0] == {"ambush": 1}
    none = Played(position({"E0.c": "A"}, FOE, hands={0: ["ambush"]}, deck=[]))
    assert "discard" not in none.ids(0)


def test_ruling_16_all_cards_turn_over_at_the_death() -> None:
    s = position(
        {"E0.c": "A"}, FOE, hands={0: ["emperor_dies", "influence.build_squadron"], 1: ["plant_spy.free_move"]}
    )
    game = Played(s)
    game(0, "card")
    assert game.ids(0) == ["emperor_dies", "back"]
    game(0, "emperor_dies", "card")
    assert "build_squadron" in game.ids(0)
    game(0, "back", "end")(1, "card")
    assert game.ids(1) == ["free_move", "back"]


# Emperor Dies


def test_ruling_17_emperor_dies_is_free_and_replaced_at_once() -> None:
    s = position({"E0.c": "A"}, FOE, hands={0: ["emperor_dies"], 1: []}, deck=["ambush"] * 20)
    game = Played(s)
    for goal in ("E0.0", "E0.c", "E0.0"):
        game(0, "move", goal)
    game(0, "card", "emperor_dies")
    assert not game.s.emperor_alive
    assert (game.s.hands[0], game.s.removed, game.s.discard) == ({"ambush": 1}, {"emperor_dies": 1}, {})


def test_ruling_17_not_in_anothers_turn() -> None:
    game = Played(position({"E0.c": "A"}, FOE, hands={1: ["emperor_dies"]}))
    assert list(game.table.asked) == [0]
    game(
        0,
        "end",
    )
    game(1, "card")
    assert game.ids(1) == ["emperor_dies", "back"]


def test_ruling_18_the_game_can_be_won_while_the_emperor_lives() -> None:
    game = Played(position({"E0.c": "A"}, {"E0.c": "S"}), *die(2, 4))
    game(0, "battle")
    assert game.s.emperor_alive
    assert (game.table.over, game.s.winner) == (True, 0)


def test_ruling_19_forced_discards_spare_emperor_dies() -> None:
    s = position(
        {"E0.c": "A"}, {"E0.c": "S"}, {"E4.c": "A"}, hands={0: ["ambush"] * 4, 1: ["emperor_dies", "outbid_bribe"]}
    )
    game = Played(s, *die(6, 1))
    game(0, "battle")
    assert game.asked(0) == "prize.discard"
    assert game.ids(0) == ["ambush", "outbid_bribe"]
    game(0, "ambush")
    assert game.s.hands[0] == {"ambush": 3, "emperor_dies": 1, "outbid_bribe": 1}


@pytest.mark.parametrize("thief_has_it", [True, False])
def test_ruling_19_plans_may_hold_emperor_dies(thief_has_it: bool) -> None:
    hands = {0: ["steal_plans.free_move", "ambush"], 1: ["ambush"]}
    hands[0 if thief_has_it else 1].append("emperor_dies")
    game = Played(position({"E0.c": "A"}, FOE, hands=hands))
    give, take = ("emperor_dies", "ambush") if thief_has_it else ("ambush", "emperor_dies")
    game(0, "card", "steal_plans.free_move", take, give)
    assert [hand.get("emperor_dies", 0) for hand in game.s.hands] == ([0, 1] if thief_has_it else [1, 0])


def test_ruling_20_battles_begun_go_on_after_the_death() -> None:
    s = position({"E1.c": "A"}, {"E1.c": "AS"}, hands={0: ["emperor_dies"]}, begun=[("E1.c", 0, 1)])
    game = Played(s, *die(6, 1))
    game(0, "card", "emperor_dies")
    assert game.s.begun == [("E1.c", 0, 1)]
    assert "battle" in game.ids(0)


def test_ruling_21_no_influence_after_the_death() -> None:
    s = position({"E0.c": "A"}, FOE, hands={0: ["emperor_dies", "influence.sneak_attack"]})
    game = Played(s)
    assert {"influence", "accuse"} <= set(game.ids(0))
    game(0, "card", "emperor_dies")
    assert not {"influence", "accuse"} & set(game.ids(0))


# Attack cards


def test_ruling_22_the_victim_alone_may_counter() -> None:
    hands = {0: [KILL, KILL], 1: ["catch_assassin"], 2: ["catch_assassin"]}
    game = Played(position({"E0.c": "A"}, {"E2.c": "AC"}, {"E4.c": "A"}, hands=hands))
    game(0, "card", KILL)
    assert list(game.table.asked) == [1]
    game(1, "catch_assassin")
    assert (game.group(1, "E2.c"), game.s.actions_left) == ("AC", 2)
    assert game.s.discard == {KILL: 1, "catch_assassin": 1}
    game(0, "card", KILL)
    assert game.group(1, "E2.c") == "A"


def test_ruling_22_whoever_holds_cards_is_asked_and_nobody_else() -> None:
    for hand, asked in ((["ambush"], "counter"), ([], "")):
        game = Played(position({"E0.c": "A"}, {"E2.c": "AC"}, hands={0: [KILL], 1: hand}))
        game(0, "card", KILL)
        assert game.asked(1) == asked
    assert game.group(1, "E2.c") == "A"


def test_ruling_23_whom_assassins_reach() -> None:
    game = Played(position({"E0.c": "A"}, {"E2.c": "ALCS"}, {"E4.c": "LCS"}, hands={0: [KILL]}))
    game(0, "card", KILL)
    assert game.ids(0) == ["1", "2", "back"]
    game(0, "1")
    assert game.ids(0) == ["loyal_commander.E2.c", "commander.E2.c", "back"]
    game(0, "back", "card", KILL, "2")
    assert (game.group(2, "E4.c"), game.s.heads[2].rank) == ("LS", 1)


def test_ruling_24_a_bribed_commander_joins_any_group() -> None:
    s = position({"E0.c": "A", "E0.0": "S"}, {"E2.c": "ALC"}, {"E4.c": "C"}, hands={0: [BRIBE, BRIBE]})
    game = Played(s)
    game(0, "card", BRIBE)
    assert game.asked(0) == "bribe.place"
    assert game.ids(0) == ["E0.0", "E0.c"]
    game(0, "E0.0")
    assert (game.group(0, "E0.0"), game.group(1, "E2.c")) == ("CS", "AL")
    game(0, "card")
    assert BRIBE not in game.ids(0), "no Loyal Commander, no head"


def test_ruling_25_sabotage_reaches_everywhere_but_no_head() -> None:
    game = Played(position({"E0.c": "A"}, {"E2.c": "A", "C.c": "S"}, {"E4.c": "S"}, hands={0: [SABOTAGE] * 2}))
    supply = game.s.supply
    game(0, "card", SABOTAGE)
    assert (game.group(1, "C.c"), game.s.supply) == ("", supply + 1)
    game(0, "card")
    assert game.ids(0) == ["back"]


def test_ruling_26_only_the_spy_sees_the_hand() -> None:
    hands = {0: ["plant_spy.free_move"], 1: ["ambush", "ambush"]}
    game = Played(position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands=hands))
    game(0, "card", "plant_spy.free_move", "1")
    assert game.told("plant_spy")[0].audience is None
    saw = game.told("saw_hand")[0]
    assert (saw.audience, saw.owner, saw.args["cards"]) == ((0,), 1, ("2.ambush",))
    assert game.s.hands[1] == {"ambush": 2}


def test_ruling_27_stolen_plans_are_swapped_and_known_to_two() -> None:
    hands = {0: ["steal_plans.free_move", "ambush", KILL], 1: ["outbid_bribe", BRIBE, SABOTAGE]}
    game = Played(position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands=hands))
    game(0, "card", "steal_plans.free_move", "1")
    assert game.s.discard == {"steal_plans.free_move": 1}
    assert game.table.asked[0].most == 2
    game(0, (BRIBE, SABOTAGE))
    assert game.ids(0) == ["ambush", KILL]
    game(0, ("ambush", KILL))
    assert game.s.hands[:2] == [{BRIBE: 1, SABOTAGE: 1}, {"ambush": 1, KILL: 1, "outbid_bribe": 1}]
    assert game.told("stole")[0].audience is None
    assert game.told("stole_cards")[0].audience == (0, 1)


def test_ruling_27_nothing_need_be_stolen() -> None:
    hands = {0: ["steal_plans.free_move", "ambush"], 1: [BRIBE]}
    game = Played(position({"E0.c": "A"}, FOE, hands=hands))
    game(0, "card", "steal_plans.free_move", ())
    assert game.asked(0) == "action"
    assert game.s.hands[1] == {BRIBE: 1}
    assert len(game.told("stole_nothing")) == 1


def test_ruling_28_without_a_target_a_card_can_only_be_swapped() -> None:
    game = Played(position({"E0.c": "A"}, {"E2.c": "AL"}, hands={0: [SABOTAGE, BRIBE]}))
    game(0, "card")
    assert game.ids(0) == ["back"]
    game(0, "back", "discard")
    assert game.ids(0) == [BRIBE, SABOTAGE, "back"]


def test_ruling_29_where_a_squadron_may_be_built() -> None:
    hand = {0: ["influence.build_squadron"]}
    own = {"E0.1": "A", "C.0": "S", "C.1": "S", "C.2": "S"}
    beside_enemies = Played(position(own, {"E0.c": "A"}, alive=False, hands=hand))
    beside_enemies(0, "card", "build_squadron")
    assert beside_enemies.group(0, "E0.c") == "S"
    for s in (
        position(own, FOE, alive=False, hands=hand, supply=0),
        position({**own, "C.3": "S"}, FOE, alive=False, hands=hand),
    ):
        game = Played(s)
        game(0, "card")
        assert game.ids(0) == ["back"]


def test_ruling_30_free_move_is_one_step_of_a_group_or_part_of_it() -> None:
    game = Played(position({"E0.c": "AS"}, FOE, alive=False, hands={0: ["plant_spy.free_move"]}))
    game(0, "card", "free_move", ("squadron",))
    assert set(game.ids(0)) == {*BOARD.adjacent["E0.c"], "back"}
    game(0, "back")
    assert game.s.hands[0] == {"plant_spy.free_move": 1}
    game(0, "card", "free_move", ("squadron",), "E0.0")
    assert (game.group(0, "E0.c"), game.group(0, "E0.0")) == ("A", "S")
    assert (game.s.actions_left, game.s.discard) == (3, {"plant_spy.free_move": 1})
    game(0, "end")
    assert list(game.table.asked) == [1], "nobody can play it in this turn"


# Movement


def test_ruling_31_groups_merge_and_planets_are_never_full() -> None:
    game = Played(position({"E0.c": "A", "E0.0": "CSSS"}, {"E0.c": "ALLCCCSSS"}, {"E0.c": "ALLCCC"}))
    game(0, "move", "E0.0", ("commander", "squadron", "squadron", "squadron"), "E0.c")
    assert game.group(0, "E0.c") == "ACSSS"
    assert len([group for group in game.table.view(None).groups if group.planet == "E0.c"]) == 3


def test_ruling_32_no_fifth_group_under_a_flag() -> None:
    own = {"E0.c": "ASS", "E0.0": "SS", "E0.1": "S", "E0.2": "C", "E0.3": "S"}
    game = Played(position(own, FOE))
    game(0, "move", "E0.c", ("squadron",))
    assert set(game.ids(0)) == {"E0.0", "E0.1", "E0.2", "E0.3", "back"}
    game(0, "back", "move", "E0.c", ("thought_admiral",))
    assert set(game.ids(0)) == {"E0.0", "E0.1", "E0.2", "E0.3", "back"}, "what is left behind needs a flag, too"
    game(0, "back", "move", "E0.c", ("thought_admiral", "squadron", "squadron"))
    assert "E0.5" in game.ids(0)


def test_ruling_32_a_fifth_group_left_by_a_loss_may_stand_and_move() -> None:
    own = {"C.c": "A", "E0.c": "SS", "E0.0": "S", "E0.1": "S", "E0.2": "C", "E0.3": "S"}
    game = Played(position(own, FOE))
    assert game.table.view(0).houses[0].flags_free == 0
    game(0, "move", "E0.c", ("squadron",))
    assert set(game.ids(0)) == {"E0.0", "E0.1", "E0.2", "E0.3", "back"}
    game(0, "back", "move", "E0.0", "E0.5")
    assert game.group(0, "E0.5") == "S"


def test_ruling_33_one_unit_a_part_or_all_and_enemies_never_block() -> None:
    game = Played(position({"E0.c": "ASS"}, {"E0.0": "ALL"}))
    game(0, "move", ("squadron",), "E0.0")
    game(0, "move", "E0.0", "E0.1")
    assert (game.group(0, "E0.c"), game.group(0, "E0.1")) == ("AS", "S")
    game(0, "move", "E0.c", ("thought_admiral", "squadron"), "E0.0")
    assert game.group(0, "E0.0") == "AS"
    with pytest.raises(Illegal):
        Played(position({"E0.c": "ASS"}, FOE))(0, "move", ())


def test_ruling_34_tiles_are_crossed_at_the_shared_edge_only() -> None:
    game = Played(position({"E0.3": "A"}, FOE))
    game(0, "move")
    assert set(game.ids(0)) == {"E0.2", "E0.4", "E0.c", "C.0", "back"}


def test_setup_through_the_table_uses_the_dice() -> None:
    s = fresh(2)
    table = Table.at(RULES, s, ScriptedChance([*die(1, 6), *[0] * DRAWS]))
    assert table.state.next == Turn(1)
