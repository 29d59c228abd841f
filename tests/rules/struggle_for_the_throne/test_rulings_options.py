"""One test at least for each numbered ruling on the optional rules (59-71)."""

import msgspec
import pytest

from rules.engine.chance import Chance
from rules.engine.errors import Illegal
from rules.engine.table import Table
from rules.struggle_for_the_throne import RULES
from rules.struggle_for_the_throne.components import GREAT_BOARD
from rules.struggle_for_the_throne.options import CONFLICTS, Options
from rules.struggle_for_the_throne.setup import set_up

from .helpers import Played, die, position

JAM = "influence.jam_communications"
STEAL = "steal_plans.free_move"
FOE = {"E3.c": "ALLCCCSSS"}
BOOLEAN = [name for name in Options.__struct_fields__ if name != "round_limit"]


def with_option(name: str) -> Options:
    return Options(**{name: True})


def seats_for(options: Options) -> int:
    return 8 if options.twelve_players else 3


# 59


def test_ruling_59_everything_is_off_by_default() -> None:
    assert not any(msgspec.to_builtins(Options()).values())
    assert {name for pair in CONFLICTS for name in pair} <= set(BOOLEAN)
    assert len(BOOLEAN) == 16


@pytest.mark.parametrize("pair", CONFLICTS)
def test_ruling_59_some_options_exclude_each_other(pair: tuple[str, str]) -> None:
    options = Options(**dict.fromkeys(pair, True))
    seats = 8 if options.twelve_players else 3
    keys = [key for key, _ in RULES.problems(options, seats)]
    assert "why.options_conflict" in keys
    for name in pair:
        assert RULES.problems(with_option(name), seats_for(with_option(name))) == []
    with pytest.raises(Illegal):
        Table.start(RULES, options, seats=seats, secret=bytes(32))


@pytest.mark.parametrize(
    ("options", "seats", "why"),
    [
        (Options(), 7, "why.needs_two_boxes"),
        (Options(twelve_players=True), 6, "why.too_few_for_two_boxes"),
        (Options(double_forces=True), 4, "why.double_forces_seats"),
        (Options(), 1, "engine.seats"),
        (Options(twelve_players=True), 13, "engine.seats"),
    ],
)
def test_ruling_59_numbers_of_players(options: Options, seats: int, why: str) -> None:
    assert [key for key, _ in RULES.problems(options, seats)] == [why]


def test_ruling_59_no_fights_without_ambushes_and_without_the_death() -> None:
    options = Options(leave_emperor_dies_out=True, no_card_reuse=True)
    assert [key for key, _ in RULES.problems(options, 3)] == ["why.options_conflict"]


# 60


@pytest.mark.parametrize(
    ("options", "actions"),
    [
        (Options(), 3),
        (with_option("two_actions_per_turn"), 2),
        (with_option("actions_per_turn_4"), 4),
        (with_option("actions_per_turn_5"), 5),
    ],
)
def test_ruling_60_actions_a_turn(options: Options, actions: int) -> None:
    game = Played(position({"E0.c": "A"}, FOE, options=options))
    for i in range(actions):
        game(0, "move", "E0.0" if i % 2 == 0 else "E0.c")
    assert game.asked(1) == "action"


# 61


def test_ruling_61_emperor_dies_is_played_at_the_end_of_the_turn_at_the_latest() -> None:
    options = with_option("emperor_dies_forced")
    game = Played(position({"E0.c": "A"}, FOE, hands={0: ["emperor_dies"]}, options=options))
    assert game.ids(0) == Played(position({"E0.c": "A"}, FOE, hands={0: [JAM]}, options=options)).ids(0)
    game(0, "end")
    assert not game.s.emperor_alive
    assert sum(game.s.hands[0].values()) == 5


def test_ruling_61_a_card_drawn_in_the_turn_waits_for_the_next() -> None:
    options = with_option("emperor_dies_forced")
    s = position({"E0.c": "A"}, FOE, hands={0: [JAM], 1: [JAM] * 5}, deck=["emperor_dies"], options=options)
    game = Played(s)
    game(0, "discard", JAM)
    game(0, "end")
    assert (game.s.emperor_alive, game.s.hands[0].get("emperor_dies")) == (True, 1)
    game(1, "end")(0, "end")
    assert not game.s.emperor_alive


def test_ruling_61_a_card_won_from_another_counts_as_drawn_then() -> None:
    options = with_option("emperor_dies_forced")
    hands = {0: [STEAL, JAM], 1: ["emperor_dies"]}
    game = Played(position({"E0.c": "A"}, FOE, hands=hands, options=options))
    game(0, "card", STEAL, "emperor_dies", JAM, "end")
    assert game.s.emperor_alive
    game(1, "end")(0, "end")
    assert not game.s.emperor_alive


def test_without_ruling_61_the_card_may_be_held() -> None:
    game = Played(position({"E0.c": "A"}, FOE, hands={0: ["emperor_dies"]}))
    game(0, "end")
    assert game.s.emperor_alive


# 62


@pytest.mark.parametrize(
    ("option", "alive", "comes_back"),
    [
        ("no_recycle_after_death", True, True),
        ("no_recycle_after_death", False, False),
        ("no_card_reuse", True, False),
        ("no_card_reuse", False, False),
        ("", False, True),
    ],
)
def test_ruling_62_used_cards(option: str, alive: bool, comes_back: bool) -> None:
    options = with_option(option) if option else Options()
    s = position({"E0.c": "A"}, FOE, deck=[], discard=[JAM] * 9, alive=alive, options=options, hands={0: ["ambush"]})
    game = Played(s)
    assert ("discard" in game.ids(0)) == comes_back
    game(0, "end")
    assert sum(game.s.hands[0].values()) == (5 if comes_back else 1)


# 63

FALL = with_option("admiral_death_eliminates")


def test_ruling_63_a_family_falls_with_its_admiral() -> None:
    foe = {"E0.c": "ALCS", "E3.c": "LCC", "E3.0": "L"}
    s = position({"E0.c": "AS"}, foe, {"E4.c": "A"}, hands={0: [], 1: [JAM]}, options=FALL)
    game = Played(s, *die(6, 1))
    supply = game.s.supply
    game(0, "battle", "2", ("thought_admiral", "squadron"))(1, ("thought_admiral", "loyal_commander"))(0, "more")
    assert len(game.told("battle.combat")) == 1, "the other combat lapses"
    assert (game.group(0, "E0.c"), game.group(0, "E3.c"), game.group(0, "E3.0")) == ("ACSS", "CC", "")
    assert (game.s.groups[1], game.s.hands[0], game.s.supply) == ({}, {JAM: 1}, supply)
    assert game.asked(0) == "action"


def test_ruling_63_the_defender_wins_a_family_likewise() -> None:
    s = position({"E0.c": "AS", "E0.0": "C"}, {"E0.c": "A"}, {"E4.c": "A"}, options=FALL)
    game = Played(s, *die(1, 1))
    game(0, "battle", ("thought_admiral",))
    assert (game.group(1, "E0.c"), game.group(1, "E0.0")) == ("AS", "C")
    assert game.asked(1) == "action"


def test_ruling_63_flags_limit_what_is_kept() -> None:
    own = {"E0.c": "A", "C.0": "S", "C.1": "S", "C.2": "S"}
    foe = {"E0.c": "A", "E3.0": "S", "E3.1": "C", "E3.2": "SS", "C.0": "S"}
    game = Played(position(own, foe, {"E4.c": "A"}, options=FALL), *die(6, 1))
    supply = game.s.supply
    game(0, "battle")
    assert (game.asked(0), game.ids(0), game.table.asked[0].least) == ("spoils", ["E3.0", "E3.1", "E3.2"], 1)
    game(0, "E3.1")
    assert (game.group(0, "E3.1"), game.group(0, "C.0"), game.group(0, "E3.2")) == ("C", "SS", "")
    assert game.s.supply == supply + 3


def test_ruling_63_with_double_forces_only_the_head_counts() -> None:
    options = Options(admiral_death_eliminates=True, double_forces=True)
    foe = {"E0.c": "A", "E3.c": "AS"}
    for head, out in (("E3.c", []), ("E0.c", [1])):
        s = position({"E0.c": "A"}, foe, {"E4.c": "A"}, heads={1: head}, options=options)
        game = Played(s, *die(6, 1))
        game(0, "battle")
        assert game.s.out == out


# 64


@pytest.mark.parametrize(
    ("option", "kept"), [("keep_all_captured_cards", 13), ("keep_ten_captured_cards", 10), ("", 5)]
)
def test_ruling_64_prizes(option: str, kept: int) -> None:
    options = with_option(option) if option else Options()
    s = position({"E0.c": "A"}, {"E0.c": "S"}, {"E4.c": "A"}, hands={0: [JAM] * 5, 1: [JAM] * 8}, options=options)
    game = Played(s, *die(6, 1))
    game(0, "battle")
    if kept < 13:
        game(0, (JAM,) * (13 - kept))
    assert sum(game.s.hands[0].values()) == kept
    game(0, "end")
    assert sum(game.s.hands[0].values()) == kept, "who has too many does not draw"


@pytest.mark.parametrize(("option", "kept"), [("keep_all_captured_cards", 12), ("keep_ten_captured_cards", 10)])
def test_ruling_64_stolen_plans(option: str, kept: int) -> None:
    hands = {0: [STEAL, *["ambush"] * 5], 1: [JAM] * 7}
    game = Played(position({"E0.c": "A"}, FOE, hands=hands, options=with_option(option)))
    game(0, "card", STEAL, (JAM,) * 7)
    if kept == 10:
        assert game.asked(0) == "prize.discard"
        game(0, ("ambush",) * 2)
    assert game.s.hands[0] == {"ambush": kept - 7, JAM: 7}
    assert game.s.hands[1] == {}


# 65

DOUBLE = with_option("double_forces")


@pytest.mark.parametrize("seats", [2, 3])
def test_ruling_65_two_sets_each(seats: int) -> None:
    pairs = {2: [{"E0.c", "E1.c"}, {"E3.c", "E4.c"}], 3: [{"E0.c", "E1.c"}, {"E2.c", "E3.c"}, {"E4.c", "E5.c"}]}
    s = set_up(Chance(b"seed"), DOUBLE, seats, [""] * seats)
    assert all(set(own) in pairs[seats] for own in s.homes)
    assert all(own == {planet: [1, 2, 3, 3] for planet in homes} for own, homes in zip(s.groups, s.homes, strict=True))
    assert s.supply == 52 - 6 * seats
    assert RULES.view(s, None).houses[0].flags_free == 8


def test_ruling_65_the_head_is_named_and_the_other_admiral_succeeds() -> None:
    table, _ = Table.start(RULES, DOUBLE, seats=2, secret=bytes(32))
    assert {question.key for question in table.asked.values()} == {"head.first"}
    for seat in (0, 1):
        table.answer(seat, (table.state.homes[seat][1],))
    assert [head.planet for head in table.state.heads] == [homes[1] for homes in table.state.homes]
    foe = {"E0.c": "AS", "E3.c": "ALL"}
    game = Played(position({"E0.c": "A"}, foe, heads={1: "E0.c"}, options=DOUBLE), *die(6, 1))
    game(0, "battle")
    assert game.ids(1) == ["head.thought_admiral", "squadron"]
    game(1, ("head.thought_admiral",))
    assert (game.s.heads[1].rank, game.s.heads[1].planet) == (0, "E3.c")


def test_ruling_65_both_homes_are_home() -> None:
    build = {0: ["influence.build_squadron"]}
    game = Played(position({"E0.c": "A", "E1.c": "A"}, FOE, alive=False, hands=build, options=DOUBLE))
    game(0, "card", "build_squadron")
    assert game.ids(0) == ["E0.c", "E1.c", "back"]
    game(0, "E1.c")
    assert game.group(0, "E1.c") == "AS"
    for tile in ("E0", "E1"):
        fight = Played(position({f"{tile}.1": "A"}, {f"{tile}.1": "A", "E3.c": "A"}, options=DOUBLE))
        assert "battle" in fight.ids(0)
    away = Played(position({"E2.1": "A"}, {"E2.1": "A", "E3.c": "A"}, options=DOUBLE))
    assert "battle" not in away.ids(0)


def test_ruling_65_no_admiral_is_assassinated() -> None:
    s = position({"E0.c": "A"}, {"E3.c": "A", "E4.c": "A"}, hands={0: ["assassinate_commander"]}, options=DOUBLE)
    game = Played(s)
    game(0, "card")
    assert game.ids(0) == ["back"]


# 66, 67


def test_ruling_66_without_emperor_dies() -> None:
    options = with_option("leave_emperor_dies_out")
    s = set_up(Chance(b"seed"), options, 2, ["", ""])
    cards = [*s.deck.counts().items(), *(item for hand in s.hands for item in hand.items())]
    assert sum(n for _, n in cards) == 75
    assert "emperor_dies" not in dict(cards)
    game = Played(position({"E0.c": "A"}, FOE, hands={0: [JAM]}, options=options))
    for goal in ("E0.0", "E0.c", "E0.0"):
        game(0, "move", goal)
    assert game.asked(1) == "action", "no free card can be there"


def test_ruling_67_two_dice() -> None:
    options = with_option("two_dice_combat")
    game = Played(position({"E0.c": "A"}, {"E0.c": "A", "E3.c": "L"}, options=options), *die(1, 6, 4, 3))
    game(0, "battle")
    combat = game.told("battle.combat")[0].args
    assert (combat["attack"], combat["defence"], combat["winner"]) == (10, 10, 1)
    assert combat["attacker_dice"] == ("1", "6")


# 68

HOMES = with_option("home_control")


def test_ruling_68_a_home_is_lost_to_whoever_stands_there_alone() -> None:
    game = Played(position({"E0.c": "A"}, {"E0.0": "AS", "E2.c": "L"}, {"E4.c": "A"}, options=HOMES))
    game(0, "end")(1, "move", "E0.0", ("squadron",), "E0.c")
    assert game.table.view(None).houses[0].controls_home
    game(1, "end")(2, "end")(0, "move", "E0.1")
    assert not game.table.view(None).houses[0].controls_home
    game(0, "end")(1, "move", "E0.c", "E0.0")
    assert not game.table.view(None).houses[0].controls_home, "control is kept after leaving"
    game(1, "end")(2, "end")(0, "move", "E0.c")
    assert game.table.view(None).houses[0].controls_home


def test_ruling_68_the_first_to_come_takes_control() -> None:
    own = {"E0.1": "A", "E0.c": "S"}
    s = position(own, {"E0.c": "A"}, {"E0.c": "A"}, options=HOMES)
    s.arrivals["E0.c"] = [0, 2, 1]
    game = Played(s)
    game(0, "move", "E0.c", "E0.0")
    assert game.s.control["E0.c"] == 2


@pytest.mark.parametrize("attacking", [True, False])
def test_ruling_68_opponents_fight_with_one_more(attacking: bool) -> None:
    s = position({"E0.1": "AS"}, {"E0.1": "AS", "E0.c": "L"}, options=HOMES, alive=False, turn=1 if attacking else 0)
    s.control["E0.c"] = 1
    s.hands = [{}, {}]
    game = Played(s, *die(3, 3))
    attacker = 1 if attacking else 0
    game(attacker, "battle", "1")(0, ("squadron",))(1, ("squadron",))
    combat = game.told("battle.combat")[0].args
    assert (combat["attack"], combat["defence"]) == ((4, 3) if attacking else (3, 4))


def test_ruling_68_with_double_forces_either_home_counts() -> None:
    options = Options(home_control=True, double_forces=True)
    s = position({"E0.c": "A", "E1.c": "A"}, {"E3.c": "A", "E4.c": "A"}, options=options)
    s.control["E1.c"] = 1
    assert not RULES.view(s, None).houses[0].controls_home


# 69

TRADING = with_option("trading")


def trading_game() -> Played:
    hands = {0: ["ambush", JAM, "emperor_dies"], 1: ["outbid_bribe", JAM], 2: [JAM]}
    own = {"E0.c": "ALCSS", "E0.0": "S"}
    return Played(position(own, {"E2.c": "ACS", "E2.0": "C"}, {"E4.c": "A"}, hands=hands, options=TRADING))


def test_ruling_69_what_may_be_offered() -> None:
    game = trading_game()
    (offer,) = game.table.acts(0)
    gives = {option.id: option.count for option in offer.fields[1].options}
    assert gives == {"ambush": 1, JAM: 1, "commander.E0.c": 1, "squadron.E0.0": 1, "squadron.E0.c": 2}
    wants = [option.id for option in offer.fields[2].options]
    assert {"commander", "squadron", "ambush"} <= set(wants)
    assert not {"emperor_dies", "loyal_commander", "thought_admiral"} & set(wants)
    assert all(field.private for field in offer.fields)


def test_ruling_69_offer_and_accept() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush", "squadron.E0.c"), ("outbid_bribe", "commander"), "E0.0")
    assert len(game.table.view(0).offers) == len(game.table.view(1).offers) == 1
    assert game.table.view(2).offers == game.table.view(None).offers == ()
    assert game.told("trade.offered")[0].audience == (0, 1)
    with pytest.raises(Illegal):
        game.act(1, "trade_accept", "1.2.1", (), "E2.0")
    game.act(1, "trade_accept", "1.2.1", ("commander.E2.c",), "E2.0")
    assert (game.group(0, "E0.0"), game.group(0, "E0.c")) == ("CS", "ALCS")
    assert (game.group(1, "E2.0"), game.group(1, "E2.c")) == ("CS", "AS")
    assert game.s.hands[0] == {"emperor_dies": 1, JAM: 1, "outbid_bribe": 1}
    assert game.s.hands[1] == {"ambush": 1, JAM: 1}
    assert game.told("traded")[0].audience is None
    assert "ambush" not in repr(game.told("traded")[0].args)
    assert game.told("traded_cards")[0].audience == (0, 1)
    assert game.asked(0) == "action"
    assert game.s.actions_left == 3


@pytest.mark.parametrize(("seat", "told"), [(0, "trade.withdrawn"), (1, "trade.declined")])
def test_ruling_69_withdrawn_or_declined(seat: int, told: str) -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    assert [act.name for act in game.table.acts(2)] == ["trade_offer"]
    game.act(seat, "trade_withdraw", "1.2.1")
    assert len(game.told(told)) == 1
    assert game.s.offers == []
    with pytest.raises(Illegal):
        game.act(1, "trade_accept", "1.2.1", (), "E2.c")


def test_ruling_69_what_is_gone_cannot_be_traded() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    game.act(0, "trade_offer", "2", ("ambush",), (JAM,), "E0.0")
    game.act(1, "trade_accept", "1.2.1", (), "E2.c")
    with pytest.raises(Illegal, match="trade_gone"):
        game.act(2, "trade_accept", "1.3.1", (), "E4.c")
    game.act(1, "trade_offer", "2", (), ("outbid_bribe",), "E2.c")
    with pytest.raises(Illegal, match="trade_lacking"):
        game.act(2, "trade_accept", "2.3.1", (), "E4.c")
    with pytest.raises(Illegal, match="trade_nothing"):
        game.act(0, "trade_offer", "1", (), (), "E0.c")


def test_ruling_69_who_cannot_pay_does_not_learn_what_the_other_holds() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "2", ("ambush",), ("outbid_bribe",), "E0.0")
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    game.act(1, "trade_accept", "1.2.1", (), "E2.c")
    with pytest.raises(Illegal, match="trade_lacking"):
        game.act(2, "trade_accept", "1.3.1", (), "E4.c")
    game.act(1, "trade_offer", "2", ("outbid_bribe",), (), "E2.c")
    game.act(2, "trade_accept", "2.3.1", (), "E4.c")
    with pytest.raises(Illegal, match="trade_gone"):
        game.act(2, "trade_accept", "1.3.1", (), "E4.c")


def test_ruling_69_what_everybody_reads_of_a_trade() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush", JAM), ("commander",), "E0.0")
    game.act(1, "trade_accept", "1.2.1", ("commander.E2.c",), "E2.0")
    (traded,) = game.told("traded")
    assert RULES.words.event(traded) == "Seat 1 and Seat 2 trade: Seat 1 gives 2 cards; Seat 2 gives Commander."


def test_ruling_69_not_inside_an_action() -> None:
    game = trading_game()
    game(0, "move")
    assert game.table.acts(0) == game.table.acts(1) == []
    game(0, "back")
    assert len(game.table.acts(1)) == 1


def test_ruling_69_offers_lapse_when_cards_turn_or_a_player_is_out() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    game(0, "card", "emperor_dies")
    assert game.s.offers == []
    assert game.told("trade.lapsed")[0].audience == (0, 1)
    other = trading_game()
    other.act(1, "trade_offer", "2", (JAM,), (), "E2.0")
    other.act(0, "trade_offer", "2", (JAM,), (), "E0.0")
    other(0, "surrender", "1")
    assert [offer.by for offer in other.s.offers] == [1]


def test_ruling_69_a_big_hand_stays_until_the_next_draw() -> None:
    hands = {0: [JAM] * 5, 1: ["ambush"] * 5}
    game = Played(position({"E0.c": "A"}, {"E3.c": "A"}, hands=hands, options=TRADING))
    game.act(0, "trade_offer", "1", (), ("ambush",) * 3, "E0.c")
    game.act(1, "trade_accept", "1.2.1", (), "E3.c")
    game(0, "end")
    assert [sum(hand.values()) for hand in game.s.hands] == [8, 2]
    game(1, "end")
    assert [sum(hand.values()) for hand in game.s.hands] == [8, 5]


def test_ruling_69_open_offers_are_limited() -> None:
    game = trading_game()
    for _ in range(5):
        game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    assert [act.name for act in game.table.acts(0)] == ["trade_withdraw"]


def test_ruling_69_names_of_offers_tell_nothing_of_others() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    game.act(0, "trade_offer", "2", ("ambush",), (), "E0.0")
    game.act(1, "trade_offer", "2", (JAM,), (), "E2.c")
    assert [offer.id for offer in game.table.view(2).offers] == ["1.3.1", "2.3.1"]
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    (accept,) = [act for act in game.table.acts(1) if act.name == "trade_accept"]
    labels = [RULES.words.option(accept.fields[0], option) for option in accept.fields[0].options]
    assert len(set(labels)) == 2, "equal offers can be told apart"


def test_ruling_69_an_offer_is_taken_back_among_the_two() -> None:
    game = trading_game()
    game.act(0, "trade_offer", "1", ("ambush",), (), "E0.0")
    game.act(0, "trade_withdraw", "1.2.1")
    assert game.table.plan_undo(0).owners == (1,)
    four = [{"E0.c": "A"}, {"E1.c": "A"}, {"E3.c": "A"}, {"E4.c": "A"}]
    other = Played(position(*four, hands={0: ["ambush"]}, options=TRADING))
    other.act(0, "trade_offer", "1", ("ambush",), (), "E0.c")
    other(0, "surrender", "2")
    assert 3 not in other.table.plan_undo(0).owners


# 70, 71


@pytest.mark.parametrize("seats", [7, 9, 12])
def test_ruling_70_two_boxes(seats: int) -> None:
    s = set_up(Chance(b"seed"), with_option("twelve_players"), seats, [""] * seats)
    cards = len(s.deck) + sum(sum(hand.values()) for hand in s.hands)
    assert cards == 151
    emperors = s.deck.counts().get("emperor_dies", 0) + sum(hand.get("emperor_dies", 0) for hand in s.hands)
    assert emperors == 1
    assert s.supply == 104 - 3 * seats
    assert len(set(s.houses)) == seats
    view = RULES.view(s, None)
    assert len(view.tiles) == 13
    order = ["E0", "E1", "E2", "E3", "E4", "E5", "F0", "F3", "F1", "F4", "F2", "F5"]
    assert sorted(home for own in s.homes for home in own) == sorted(f"{tile}.c" for tile in order[:seats])
    assert len(GREAT_BOARD.adjacent["F0.4"]) == 4


def test_ruling_71_round_limit() -> None:
    own, strong, equal = {"E0.c": "ASS"}, {"E2.c": "ALC"}, {"E4.c": "ACCC"}
    options = Options(round_limit=1)
    game = Played(position(own, strong, {"E4.c": "AS"}, options=options))
    game(0, "end")(1, "end")
    assert not game.table.over
    game(2, "end")
    assert (game.table.over, game.s.winner) == (True, 1), "as many units, but more combat bonus"
    most = Played(position(own, strong, equal, options=options))
    most(0, "end")(1, "end")(2, "end")
    assert most.s.winner == 2
    same = Played(position({"E0.c": "AS"}, {"E2.c": "AS"}, {"E4.c": "A"}, options=options))
    same(0, "end")(1, "end")(2, "end")
    assert same.s.winner == 1, "of equals the one who acts later"
    assert [standing.rank for standing in RULES.standings(same.s)] == [1, 2, 3]
