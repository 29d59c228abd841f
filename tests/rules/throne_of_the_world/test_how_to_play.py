"""How to play: the four phases, the piles, exchanges."""

import pytest

from rules.engine.errors import Illegal

from .helpers import ANY, Played, charge, position


def test_ruling_04_what_phase_1_gives() -> None:
    for mode, cards, points in (("march", 2, 3), ("trade", 0, 4), ("charge", 0, 4)):
        game = Played(position("", "", hands={0: ["steal"], 1: ["steal"]}, deck=["supply"] * 12, area=["hunger"] * 5))
        assert game.ids(0) == ["march", "trade", "charge", "recover"]
        game(0, mode)
        assert (sum(game.s.hands[0].values()), game.s.points) == (1 + cards, points)
        assert (game.s.area == ["supply"] * 5) == (mode == "trade")
        assert game.s.discard == ({"hunger": 5} if mode == "trade" else {})


def test_ruling_05_recover_ends_the_turn() -> None:
    game = Played(position("SSM", "", hands={0: ["steal"] * 7}, races={0: "humans"}))(0, "recover")
    assert game.s.active == 1
    assert game.s.money == [20, 20]
    assert sum(game.s.hands[0].values()) == 12
    game(1, "recover")(0, "charge", "end", "skip")
    question = game.table.asked[0]
    assert (question.key, question.least) == ("discard", 4)


def test_ruling_05_recover_gives_no_unity() -> None:
    game = Played(position("MMM", "", races={0: "humans"}))(0, "recover")
    assert game.s.money == [20, 20]


def test_ruling_06_points_play_cards_and_the_rest_is_lost() -> None:
    game = charge("", "", hands={0: ["soldiers", "farmers"]}, area=["knights"], races={0: "goblins"})
    game.play(0, "soldiers")
    assert game.s.points == 3
    game(0, "exchange", "hunger", "knights")
    assert game.s.points == 3
    game(0, "barter", "farmers")
    assert (game.s.points, game.s.money[0]) == (3, 20)
    game(0, "end", "skip", "skip")
    assert game.s.points == 0
    assert game.s.active == 1


def test_ruling_06_phase_2_ends_by_itself_when_nothing_is_left_to_do() -> None:
    game = Played(position("", "", hands={0: ["soldiers"]}))(0, "charge", "card", "soldiers")
    assert game.asked(0) == "payment"


def test_ruling_07_a_card_cannot_draw_itself() -> None:
    game = charge("", "", hands={0: ["supply"]}, deck=["soldiers"])
    game.play(0, "supply")
    assert game.s.hands[0] == {"hunger": 1, "soldiers": 1}
    assert game.s.discard == {"supply": 1}
    assert game.told("no_cards_left")


@pytest.mark.parametrize("held", [8, 9, 11])
def test_ruling_08_discard_any_keep_eight(held: int) -> None:
    game = Played(position("", "", hands={0: ["soldiers"] * held}))(0, "charge", "end")
    question = game.table.asked[0]
    assert (question.key, question.private, question.most) == ("discard", True, held)
    assert question.least == max(0, held - 8)
    assert question.skippable == (held <= 8)
    game(0, ("soldiers",) * held)
    assert game.s.hands[0] == {}


def test_ruling_09_the_discards_are_mixed_when_a_card_must_be_drawn() -> None:
    game = Played(position("", "", deck=["supply"], discard=["steal"] * 2))(0, "march")
    assert game.told("reshuffled")
    assert sum(game.s.hands[0].values()) == 2
    assert (len(game.s.deck), game.s.discard) == (1, {})
    empty = Played(position("", "", deck=["supply"] * 2, discard=["steal"]))(0, "march")
    assert len(empty.s.deck) == 0
    assert not empty.told("reshuffled"), "an empty pile alone is no reason"


def test_ruling_10_trade_discards_the_old_area_first() -> None:
    game = Played(position("", "", hands={0: ["steal"]}, deck=["supply"], area=["hunger"] * 3))(0, "trade")
    assert sorted(game.s.area) == ["hunger"] * 3 + ["supply"]
    assert (len(game.s.deck), game.s.discard) == (0, {})


def test_ruling_11_exchanges() -> None:
    game = charge("", "", hands={0: ["soldiers"]}, area=["knights", "miners"])
    game(0, "exchange")
    assert game.table.asked[0].private
    game(0, "back")(0, "exchange", "soldiers", "back")
    assert (game.s.money, game.s.area) == ([20, 20], ["knights", "miners"])
    game(0, "exchange", "soldiers", "knights")
    assert game.s.area == ["soldiers", "miners"]
    assert game.s.hands[0] == {"hunger": 1, "knights": 1}
    game(0, "exchange", "knights", "soldiers")
    assert (game.s.area, game.s.money[0]) == (["knights", "miners"], 16)
    assert "exchange" not in charge("", "").ids(0), "an empty area"


def test_ruling_12_the_bank_gets_the_price() -> None:
    game = charge("", "", hands={0: ["soldiers"]}, area=["knights"])(0, "exchange", "soldiers", "knights")
    assert game.s.money == [18, 20]


def test_ruling_20_units_stay_until_phase_3() -> None:
    game = charge("SM", "")
    assert game.ids(0) == ["card", "end"]


def test_ruling_41_phase_3_in_order() -> None:
    game = charge("MMMS", "", races={0: "humans"}, money=[3, 20])(0, "end")
    question = game.table.asked[0]
    assert (question.key, question.private) == ("payment", False)
    assert game.s.money[0] == 8, "Unity comes first"
    assert question.least == 0
    game(0, ("miners",))
    assert (game.s.money[0], game.units(0), game.s.discard) == (5, "SMM", {"miners": 1})


def test_ruling_41_units_that_cannot_be_paid_must_go() -> None:
    game = charge("SSSS", "", money=[3, 20])(0, "end")
    assert (game.table.asked[0].least, game.table.asked[0].skippable) == (1, False)
    game(0, ("soldiers",))
    assert game.s.winners == [1], "paying all the money puts the team out"


def test_ruling_41_all_units_may_go() -> None:
    game = charge("SSSS", "", money=[3, 20])(0, "end", ("soldiers",) * 4)
    assert (game.s.money[0], game.units(0), game.asked(0)) == (3, "", "discard")


def test_the_safe_answer_to_the_payment_keeps_the_team_in_the_game() -> None:
    from rules.throne_of_the_world import RULES

    game = charge("SSSS", "", money=[3, 20])(0, "end")
    assert RULES.safe(game.table.asked[0]) == ("soldiers", "soldiers")
    rich = charge("SS", "")(0, "end")
    assert RULES.safe(rich.table.asked[0]) == ("skip",)


def test_what_is_not_offered_is_illegal() -> None:
    game = charge("", "", hands={0: ["soldiers"]})
    with pytest.raises(Illegal):
        game(1, "march")
    with pytest.raises(Illegal):
        game(0, "exchange")
    game(0, "card")
    with pytest.raises(Illegal):
        game(0, ANY)
