"""One test for each numbered ruling on influence, battle and victory (35-58)."""

import pytest

from rules.engine.errors import Illegal
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.options import Options
from rules.struggle_for_the_throne.units import bonus, tokens

from .helpers import Played, die, position

FOE = {"E3.c": "ALLCCCSSS"}
JAM = "influence.jam_communications"
SNEAK = "influence.sneak_attack"
MAPS = "influence.use_asteroid_maps"
CUT = "assassinate_commander.cut_supply_lines"
HOSTAGES = "catch_assassin.hold_hostages"

# Influence


def test_ruling_35_any_number_of_cards_and_the_last_column() -> None:
    none = Played(position({"E0.c": "A"}, FOE), *die(6, 6))
    none(0, "influence", ())
    result = none.told("influence.result")[0].args
    assert (result["roll"], result["column"], result["result"]) == (12, 0, 1)
    many = Played(position({"E0.c": "A"}, FOE, hands={0: [SNEAK] * 7}), *die(6, 6))
    many(0, "influence", (SNEAK,) * 7)
    assert many.told("influence.result")[0].args["result"] == 5
    assert many.s.discard == {SNEAK: 7}
    assert many.s.hands[0] == {}


def test_ruling_35_only_while_the_emperor_lives() -> None:
    assert "influence" not in Played(position({"E0.c": "A"}, FOE, alive=False)).ids(0)


def test_ruling_36_others_may_counter_card_for_card() -> None:
    hands = {0: [SNEAK] * 3, 1: [JAM, MAPS], 2: [JAM] * 5, 3: []}
    s = position({"E0.c": "A"}, {"E1.c": "A"}, {"E3.c": "A"}, {"E4.c": "A"}, hands=hands)
    game = Played(s, *die(1, 1))
    game(0, "influence", (SNEAK,) * 3)
    assert sorted(game.table.asked) == [1, 2], "who has no cards is not asked"
    game(2, (JAM,) * 3)
    assert game.told("influence.result") == []
    game(1, (JAM,))
    assert game.told("influence.result")[0].args["column"] == 0, "the column stops at 0"
    assert game.s.hands[1:3] == [{MAPS: 1}, {JAM: 3}], "what is not needed stays in hand"


def test_what_is_told_of_influence() -> None:
    def lines(game: Played) -> list[str]:
        return [RULES.words.event(event) for event in game.events if event.kind.startswith(("infl", "squad"))]

    game = Played(position({"E0.c": "A"}, FOE), *die(3, 4))
    assert lines(game(0, "influence", ())) == [
        "Seat 1 asks the Emperor for Squadrons.",
        "The Emperor answers: dice 3, 4, total 7, column 0. Squadrons for Seat 1: 0.",
    ]
    other = Played(position({"E0.c": "A"}, {"E3.c": "ASS", "E3.0": "S"}), *die(1, 3))
    assert lines(other(0, "accuse", ())(0, "E3.c")) == [
        "The Emperor answers: dice 1, 3, total 4, column 0. Squadrons for Seat 2: -1.",
        "Seat 1 takes 1 Squadron of Seat 2 from E3.c to E0.c.",
    ]


@pytest.mark.parametrize(
    ("options", "laid"), [(Options(own_favour_unopposed=True), (SNEAK,)), (Options(), ())], ids=["option", "no cards"]
)
def test_ruling_36_nobody_is_asked_when_there_is_nothing_to_counter(options: Options, laid: tuple[str, ...]) -> None:
    s = position({"E0.c": "A"}, FOE, hands={0: [SNEAK], 1: [JAM]}, options=options)
    game = Played(s, *die(4, 4))
    game(0, "influence", laid)
    assert game.told("influence.result")[0].args["column"] == len(laid)
    assert 1 not in game.table.asked


def test_ruling_37_gained_squadrons_come_to_the_center_tile() -> None:
    game = Played(position({"E0.c": "A"}, FOE, hands={0: [SNEAK] * 3}), *die(6, 6))
    game(0, "influence", (SNEAK,) * 3)
    assert game.asked(0) == "squadrons.place"
    assert game.ids(0) == ["C.c", "C.0", "C.1", "C.2", "C.3", "C.4", "C.5"]
    game(0, ("C.0", "C.0", "C.3"))
    assert (game.group(0, "C.0"), game.group(0, "C.3")) == ("SS", "S")


def test_ruling_37_flags_limit_the_planets() -> None:
    own = {"E0.c": "A", "E0.0": "S", "E0.1": "S", "E0.2": "S"}
    game = Played(position(own, FOE, hands={0: [SNEAK] * 3}), *die(6, 6))
    game(0, "influence", (SNEAK,) * 3, "C.4")
    assert game.group(0, "C.4") == "SSS", "one flag, one planet"
    full = Played(position({**own, "E0.3": "S"}, FOE, hands={0: [SNEAK] * 3}), *die(6, 6))
    full(0, "influence", (SNEAK,) * 3)
    assert set(full.ids(0)) == {"E0.c", "E0.0", "E0.1", "E0.2", "E0.3"}, "no flag: any own group"
    centre = Played(position({**own, "C.2": "S"}, FOE, hands={0: [SNEAK] * 3}), *die(6, 6))
    centre(0, "influence", (SNEAK,) * 3)
    assert centre.group(0, "C.2") == "SSSS", "no flag, but a group in the Center Tile"


def test_ruling_37_the_supply_may_run_out() -> None:
    game = Played(position({"E0.c": "A"}, FOE, hands={0: [SNEAK] * 3}, supply=2), *die(6, 6))
    game(0, "influence", (SNEAK,) * 3, ("C.0", "C.0"))
    assert (game.group(0, "C.0"), game.s.supply) == ("SS", 0)


def test_ruling_37_the_owner_chooses_what_is_lost_but_no_head() -> None:
    game = Played(position({"E0.c": "ASS", "E0.0": "SS"}, FOE), *die(1, 1))
    game(0, "influence", ())
    assert game.asked(0) == "squadrons.lose"
    game(0, ("E0.c", "E0.0", "E0.0"))
    assert (game.group(0, "E0.c"), game.group(0, "E0.0")) == ("AS", "")
    heads = Played(position({"E0.c": "SS", "E0.0": "S"}, FOE), *die(1, 1))
    heads(0, "influence", ())
    assert (heads.group(0, "E0.c"), heads.group(0, "E0.0")) == ("S", "")


def test_ruling_38_all_may_bid_until_nobody_does() -> None:
    hands = {0: [SNEAK, SNEAK], 1: [JAM], 2: [MAPS], 3: []}
    s = position({"E0.c": "A"}, {"E1.c": "A"}, {"E3.c": "A"}, {"E4.c": "A"}, hands=hands)
    game = Played(s, *die(3, 4))
    game(0, "accuse", "1", (SNEAK,))
    assert sorted(game.table.asked) == [0, 1, 2]
    assert all(question.private and question.windows == ("bid",) for question in game.table.asked.values())
    game(1, f"accused.{JAM}")(2, "skip")(0, "skip")
    assert sorted(game.table.asked) == [0, 2], "who has no cards left is asked no more"
    game(2, f"accuser.{MAPS}")(0, f"accuser.{SNEAK}")
    assert game.told("influence.result")[0].args["column"] == 1 - 3


def test_ruling_38_one_may_change_sides_between_rounds() -> None:
    s = position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands={2: [MAPS, JAM]})
    game = Played(s, *die(3, 4))
    game(0, "accuse", "1", ())
    game(2, f"accuser.{MAPS}")
    game(2, f"accused.{JAM}")
    assert game.told("influence.result")[0].args["column"] == 0


def test_ruling_38_a_card_named_for_both_sides_stays_in_hand() -> None:
    s = position({"E0.c": "A"}, {"E2.c": "A"}, {"E4.c": "A"}, hands={2: [MAPS, JAM, JAM]})
    game = Played(s, *die(3, 4))
    game(0, "accuse", "1", ())
    game(2, (f"accuser.{MAPS}", f"accuser.{JAM}", f"accused.{MAPS}"))
    assert game.s.hands[2] == {JAM: 1, MAPS: 1}
    game(2, (f"accuser.{MAPS}", f"accused.{MAPS}"))
    assert game.told("influence.result")[0].args["column"] == -1


@pytest.mark.parametrize(("laid", "dice", "change"), [(2, (1, 1), -5), (0, (6, 6), 1), (2, (6, 6), 0)])
def test_ruling_39_the_table_speaks_of_the_accused(laid: int, dice: tuple[int, int], change: int) -> None:
    s = position({"E0.c": "ASSSSS"}, {"E3.c": "ASSSSS"}, hands={0: [SNEAK] * laid})
    game = Played(s, *die(*dice))
    game(0, "accuse", (SNEAK,) * laid)
    assert (game.group(0, "E0.c"), game.group(1, "E3.c")) == ("A" + "S" * (5 - change), "A" + "S" * (5 + change))


def test_ruling_40_the_gainer_picks_and_the_emperor_adds() -> None:
    s = position({"E0.c": "A", "E0.0": "S"}, {"E3.c": "ASS", "E3.0": "S"})
    game = Played(s, *die(1, 2))
    supply = game.s.supply
    game(0, "accuse", ())
    assert game.asked(0) == "squadrons.take"
    game(0, ("E3.0", "E3.c"))
    assert game.asked(0) == "squadrons.join"
    game(0, ("E0.0", "E0.c"))
    assert (game.group(0, "E0.0"), game.group(0, "E0.c"), game.group(1, "E3.c")) == ("SS", "AS", "AS")
    assert game.s.supply == supply
    short = Played(position({"E0.c": "A"}, {"E3.c": "ASS"}), *die(1, 1))
    supply = short.s.supply
    short(0, "accuse", ())
    assert (short.group(0, "E0.c"), short.group(1, "E3.c"), short.asked(0)) == ("ASS", "A", "squadrons.place")
    short(0, "C.c")
    assert (short.group(0, "C.c"), short.s.supply) == ("S", supply - 1)


def test_ruling_41_influence_never_eliminates() -> None:
    game = Played(position({"E0.c": "S"}, {"E3.c": "S"}), *die(1, 1, 1, 1))
    game(0, "influence", ())
    assert game.group(0, "E0.c") == "S"
    game(0, "accuse", (), ("C.c",) * 3)
    assert game.group(1, "E3.c") == "S"
    assert not game.table.over


# Battle


def test_ruling_42_no_battle_in_the_center_tile_while_the_emperor_lives() -> None:
    s = position({"C.c": "A"}, {"C.c": "A"}, hands={0: ["ambush"]}, begun=[("C.c", 0, 1)])
    assert "battle" not in Played(s).ids(0)


def test_ruling_43_an_ambush_starts_a_battle_and_none_goes_on_with_it() -> None:
    hands = {0: ["ambush", JAM], 1: [JAM]}
    game = Played(position({"E1.c": "ASS"}, {"E1.c": "ASS"}, {"E1.c": "A"}, hands=hands), *die(1, 6, 1, 6, 1, 6))
    game(0, "battle", "1", "1", "ambush", ("squadron",))(1, ("squadron",))
    assert game.s.begun == [("E1.c", 0, 1)]
    game(0, "battle", "1", "1", ("squadron",))(1, ("squadron",))
    game(0, "battle", "2")
    assert game.ids(0) == ["back"], "another opponent takes another Ambush"
    game(0, "back", "end")
    game(1, "battle", "0", ("squadron",))
    assert game.s.battle is None
    assert len(game.told("battle.combat")) == 3


def test_ruling_43_at_home_no_ambush_is_needed() -> None:
    game = Played(position({"E0.1": "A"}, {"E0.1": "AS"}), *die(6, 1))
    game(0, "battle")(1, ("squadron",))
    assert game.group(1, "E0.1") == "A"
    assert "battle" not in Played(position({"E3.1": "A"}, {"E3.1": "A"})).ids(0)


def test_ruling_43_a_battle_ends_when_one_side_is_gone() -> None:
    game = Played(position({"E1.c": "A"}, {"E1.c": "A"}, hands={0: [JAM]}, begun=[("E1.c", 0, 1)]))
    game(0, "move", "E1.0")
    assert game.s.begun == []
    game(0, "move", "E1.c", "battle")
    assert game.ids(0) == ["back"]


def test_ruling_43_whoever_holds_a_card_may_try_and_go_back() -> None:
    game = Played(position({"E1.c": "A"}, {"E1.c": "A"}, hands={0: [JAM]}))
    game(0, "battle")
    assert (game.asked(0), game.ids(0), game.table.asked[0].private) == ("battle.ambush", ["back"], True)
    game(0, "back")
    assert game.s.actions_left == 3
    assert "battle" not in Played(position({"E1.c": "A"}, {"E1.c": "A"})).ids(0)


def test_ruling_44_after_the_death_battles_are_free_everywhere() -> None:
    for planet in ("C.c", "E1.4"):
        game = Played(position({planet: "A"}, {planet: "S", "E3.c": "A"}, alive=False), *die(1, 1))
        game(0, "battle")
        assert game.group(1, planet) == ""


def test_ruling_45_one_opponent_a_battle() -> None:
    game = Played(position({"E0.c": "A"}, {"E0.c": "S", "E2.c": "A"}, {"E0.c": "S", "E4.c": "A"}), *die(6, 1, 6, 1))
    game(0, "battle")
    assert game.ids(0) == ["1", "2", "back"]
    game(0, "2")
    assert (game.group(1, "E0.c"), game.group(2, "E0.c"), game.s.actions_left) == ("S", "", 2)
    game(0, "battle")
    assert (game.group(1, "E0.c"), game.s.actions_left) == ("", 1)


def test_ruling_46_the_attacker_says_how_many_and_the_defender_meets_them() -> None:
    game = Played(position({"E0.c": "ALCSS"}, {"E0.c": "ACS"}))
    game(0, "battle")
    assert game.ids(0) == ["1", "2", "3", "back"], "no more combats than the defender has units"
    game(0, "2")
    for seat in (0, 1):
        question = game.table.asked[seat]
        assert (question.key, question.least, question.most, question.ordered) == ("battle.order", 2, 2, True)


def test_ruling_47_orders_are_hidden_and_the_attacker_may_stop() -> None:
    game = Played(position({"E0.c": "ALC"}, {"E0.c": "ACS"}), *die(1, 6))
    game(0, "battle", "3", ("commander", "thought_admiral", "loyal_commander"))
    assert game.table.view(1).battle.combats == ()
    game(1, ("squadron", "thought_admiral", "commander"))
    view = game.table.view(None).battle
    assert [(c.attacker_unit, c.defender_unit) for c in view.combats] == [("commander", "squadron")]
    assert game.ids(0) == ["more", "stop"]
    game(0, "stop")
    assert (game.group(0, "E0.c"), game.group(1, "E0.c")) == ("AL", "ACS")
    assert len(game.told("battle.pair")) == 1


def test_ruling_47_revealing_a_pair_is_a_barrier_for_the_defender() -> None:
    game = Played(position({"E0.c": "AC"}, {"E0.c": "AC"}), *die(1, 6, 1, 6))
    game(0, "battle", "2", ("commander", "thought_admiral"))(1, ("thought_admiral", "commander"))
    game(0, "more")
    assert [event.owner for event in game.told("battle.pair")] == [1, 1]


def test_ruling_48_attacker_then_defender_lay_cards_one_a_combat() -> None:
    hands = {0: [SNEAK, CUT, "ambush"], 1: [JAM, MAPS]}
    game = Played(position({"E0.c": "SS"}, {"E0.c": "SS"}, hands=hands, alive=False), *die(2, 3, 3, 3))
    game(0, "battle", "2")
    game(0, ("squadron", "head.squadron"))(1, ("squadron", "head.squadron"))(0, "more")
    assert (game.asked(0), game.asked(1)) == ("battle_cards.attacker", "")
    game(0, "cut_supply_lines.1")
    assert game.ids(0) == ["ambush.2", "sneak_attack.2", "skip"]
    game(0, "sneak_attack.2")
    assert (game.asked(0), game.asked(1)) == ("", "battle_cards.defender")
    assert game.ids(1) == [
        "jam_communications.1",
        "jam_communications.2",
        "use_asteroid_maps.1",
        "use_asteroid_maps.2",
        "skip",
    ]
    game(1, "jam_communications.2", "skip")
    combats = game.told("battle.combat")
    assert [(e.args["attack"], e.args["defence"], e.args["winner"]) for e in combats] == [(5, 3, 0), (4, 4, 1)]
    assert game.s.discard == {CUT: 1, SNEAK: 1, JAM: 1}


def test_ruling_48_no_cards_while_the_emperor_lives() -> None:
    game = Played(position({"E0.c": "A"}, {"E0.c": "AS"}, hands={0: ["ambush"], 1: [JAM]}), *die(6, 1))
    game(0, "battle")(1, ("squadron",))
    assert game.s.hands[:2] == [{"ambush": 1}, {JAM: 1}]


def test_ruling_48_cards_of_lapsed_combats_are_spent() -> None:
    s = position(
        {"E0.c": "AS"},
        {"E0.c": "AS"},
        {"E4.c": "A"},
        hands={0: [CUT]},
        alive=False,
        options=Options(admiral_death_eliminates=True),
    )
    game = Played(s, *die(6, 1))
    game(0, "battle", "2", ("thought_admiral", "squadron"))(1, ("thought_admiral", "squadron"))
    game(0, "more", "cut_supply_lines.2")
    assert (game.s.discard, len(game.told("battle.combat"))) == ({CUT: 1}, 1)


def test_ruling_49_the_combat_example() -> None:
    game = Played(position({"E0.c": "A"}, {"E0.c": "AC"}), *die(3, 3))
    game(0, "battle")(1, ("commander",))
    combat = game.told("battle.combat")[0].args
    assert (combat["attack"], combat["defence"], combat["winner"]) == (6, 4, 0)
    assert (game.group(0, "E0.c"), game.group(1, "E0.c")) == ("A", "A")


def test_ruling_49_ties_go_to_the_defender() -> None:
    game = Played(position({"E0.c": "AC"}, {"E0.c": "AL"}), *die(4, 3))
    game(0, "battle", "1", ("commander",))(1, ("loyal_commander",))
    assert (game.group(0, "E0.c"), game.group(1, "E0.c")) == ("A", "AL")


def test_ruling_50_attackers_and_defenders_have_their_own_cards() -> None:
    everything = [SNEAK, CUT, "ambush", JAM, MAPS, HOSTAGES]
    s = position({"E0.c": "A"}, {"E0.c": "AS"}, hands={0: everything, 1: everything}, alive=False)
    game = Played(s, *die(6, 1))
    game(0, "battle")(1, ("squadron",))
    assert set(game.ids(0)) == {"ambush.1", "cut_supply_lines.1", "sneak_attack.1", "skip"}
    game(0, "skip")
    assert set(game.ids(1)) == {"hold_hostages.1", "jam_communications.1", "use_asteroid_maps.1", "skip"}


def test_ruling_51_one_round_and_then_free_again() -> None:
    game = Played(position({"E0.c": "AS"}, {"E0.c": "AS"}), *die(6, 1))
    game(0, "battle", "1", ("thought_admiral",))(1, ("squadron",))
    assert game.asked(0) == "action"
    assert {"battle", "move", "end"} <= set(game.ids(0))


def test_ruling_52_the_chain_of_command() -> None:
    game = Played(position({"E0.c": "AS"}, {"E0.c": "A", "E3.c": "LC", "E3.0": "L", "E3.1": "S"}), *die(6, 1))
    game(0, "battle", "thought_admiral")
    assert (game.asked(1), game.ids(1)) == ("head", ["E3.0", "E3.c"])
    assert not game.table.asked[1].private
    assert game.table.view(None).houses[1].head_at == ""
    assert "head LC@?" in RULES.board(game.table.view(None), RULES.words)
    game(1, "E3.0")
    view = game.table.view(None).houses[1]
    assert (view.head, view.head_at) == ("loyal_commander", "E3.0")


@pytest.mark.parametrize(("units", "head"), [("ALCS", "loyal_commander"), ("ACS", "commander"), ("AS", "squadron")])
def test_ruling_52_the_highest_rank_left_succeeds_with_its_own_bonus(units: str, head: str) -> None:
    game = Played(position({"E0.c": "A"}, {"E0.c": units}), *die(6, 1))
    game(0, "battle")(1, ("thought_admiral",))
    assert game.table.view(None).houses[1].head == head
    assert next(iter(tokens(game.s, 1, "E0.c"))) == f"head.{head}"
    assert bonus(f"head.{head}") == bonus(head)


def test_ruling_52_a_unit_that_waits_in_a_combat_may_succeed() -> None:
    game = Played(position({"E0.c": "ALL"}, {"E0.c": "ALL", "E3.c": "L"}), *die(6, 1, 6, 1))
    game(0, "battle", "2", ("thought_admiral", "loyal_commander"))(1, ("thought_admiral", "loyal_commander"))
    game(0, "more")
    assert game.ids(1) == ["E0.c", "combat.2", "E3.c"]
    game(1, "combat.2")
    (named,) = game.told("head.in_combat")
    assert RULES.words.event(named) == "The Loyal Commander in combat 2 is now the head of Seat 2's family."
    assert game.ids(1) == ["E0.c", "E3.c"], "the new head fell in the next combat"
    game(1, "E3.c")
    assert game.group(1, "E0.c") == "L"
    assert game.s.heads[1].planet == "E3.c"


def test_ruling_52_a_head_stays_head_when_a_higher_rank_joins() -> None:
    hands = {0: ["bribe_commander"], 1: ["assassinate_commander"]}
    game = Played(position({"E0.c": "SS"}, {"E3.c": "AC"}, hands=hands))
    game(0, "card", "bribe_commander")(1, "skip")(0, "end")(1, "card", "assassinate_commander")
    assert game.asked(0) == "counter"
    game(0, "skip")
    assert game.group(0, "E0.c") == "SS", "the Commander is no head, and so not safe"
    assert game.table.view(None).houses[0].head == "squadron"


def test_ruling_53_who_chooses_what_is_lost() -> None:
    card = Played(position({"E0.c": "A"}, {"E2.c": "AC", "E2.0": "C"}, hands={0: ["bribe_commander"]}))
    card(0, "card", "bribe_commander")
    assert (card.asked(0), card.ids(0)[:2]) == ("card.target", ["commander.E2.0", "commander.E2.c"])
    own = Played(position({"E0.c": "ASS", "E0.0": "SS"}, FOE), *die(1, 1))
    own(0, "influence", ())
    assert own.asked(0) == "squadrons.lose"
    accused = Played(position({"E0.c": "A"}, {"E2.c": "ASS", "E2.0": "SS"}), *die(1, 1))
    accused(0, "accuse", ())
    assert accused.asked(0) == "squadrons.take"


# Elimination, surrender, victory


def test_ruling_54_the_prize_is_a_hand_and_five_are_kept() -> None:
    hands = {0: ["ambush"] * 4, 1: [JAM] * 3}
    game = Played(position({"E0.c": "A"}, {"E0.c": "S"}, {"E4.c": "A"}, hands=hands), *die(6, 1))
    game(0, "battle")
    assert game.told("prize_cards")[0].audience == (0,)
    question = game.table.asked[0]
    assert (question.key, question.least, question.most, question.private) == ("prize.discard", 2, 2, True)
    game(0, ("ambush", "ambush"))
    assert game.s.hands[:2] == [{"ambush": 2, JAM: 3}, {}]
    assert RULES.playing(game.s) == (0, 2)


def test_ruling_55_a_defender_takes_the_prize_too_and_the_turn_ends() -> None:
    s = position({"E0.c": "S"}, {"E0.c": "A"}, {"E4.c": "A"}, hands={0: [JAM] * 3, 1: ["ambush"]})
    game = Played(s, *die(6, 3))
    game(0, "battle")
    assert game.s.out == [0]
    assert game.s.hands[1] == {"ambush": 1, JAM: 3}
    assert game.asked(1) == "action"


def test_ruling_56_surrender_is_final_and_hands_over_the_cards() -> None:
    s = position({"E0.c": "ASS"}, {"E2.c": "A"}, {"E4.c": "A"}, hands={0: [JAM] * 2, 2: ["ambush"]})
    game = Played(s)
    supply = game.s.supply
    game(0, "surrender")
    assert game.ids(0) == ["1", "2", "back"]
    game(0, "back", "surrender", "2")
    assert (game.s.groups[0], game.s.supply, game.s.hands[2]) == ({}, supply + 2, {"ambush": 1, JAM: 2})
    assert list(game.table.asked) == [1]
    game(1, "end")(2, "end")
    assert list(game.table.asked) == [1]


def test_ruling_57_the_last_one_wins_at_once() -> None:
    s = position({"E0.c": "ASS"}, {"E0.c": "S"}, {}, hands={1: [JAM]}, alive=False)
    game = Played(s, *die(6, 1))
    game(0, "battle", ("squadron",))
    game(1, "skip")
    assert (game.table.over, game.s.winner) == (True, 0)
    assert [standing.seat for standing in RULES.standings(game.s)] == [0, 1, 2]
    assert [standing.winner for standing in RULES.standings(game.s)] == [True, False, False]


def test_ruling_57_surrender_of_the_last_rival_wins() -> None:
    game = Played(position({"E0.c": "A"}, {"E3.c": "A"}))
    game(0, "surrender", "1")
    assert (game.table.over, game.s.winner) == (True, 1)


def test_ruling_58_nothing_changes_hands_without_the_trading_option() -> None:
    game = Played(position({"E0.c": "A"}, FOE, hands={0: [JAM]}))
    assert game.table.acts(0) == game.table.acts(1) == []
    with pytest.raises(Illegal):
        game.act(0, "trade_offer", "1", (), ("squadron",), "E0.c")
