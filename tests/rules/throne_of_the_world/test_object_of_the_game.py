"""Object of the game: elimination and the victories."""

import pytest

from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.options import Options

from .helpers import ANY, Played, charge, position


def test_ruling_13_exactly_nothing_is_out() -> None:
    game = charge("KKK", "", "", hands={0: [ANY]}, money=[20, 9, 20]).play(0, ANY, "1")
    assert (game.s.out, game.s.money) == ([1], [29, 0, 20])
    assert RULES.playing(game.s) == (0, 2)


def test_ruling_14_what_one_does_by_choice_leaves_a_coin() -> None:
    assert "exchange" not in charge("", "", hands={0: ["steal"]}, area=["supply"], money=[2, 20]).ids(0)
    assert "exchange" in charge("", "", hands={0: ["steal"]}, area=["supply"], money=[3, 20]).ids(0)
    demanded = charge("R", "", hands={0: ["double_royal_family"], 1: ["steal"] * 2}, money=[20, 3])
    assert demanded.play(0, "double_royal_family").ids(1) == ["steal"]
    bribed = charge("R", "", hands={0: ["double_royal_family"], 1: ["steal"] * 2}, money=[20, 4])
    assert bribed.play(0, "double_royal_family").ids(1) == ["steal", "pay"]
    struck = charge("KK", "", "", hands={0: [ANY]}, money=[20, 4, 20]).play(0, ANY, "1")
    assert struck.s.out == [1]


def test_ruling_15_who_gets_the_coins() -> None:
    damage = charge("KK", "", hands={0: [ANY]}).play(0, ANY)
    assert damage.s.money == [24, 16]
    bought = charge("", "S", hands={0: ["purchase"]}).play(0, "purchase")
    assert bought.s.money == [18, 22]
    hungry = charge("", "SS").play(0, "hunger")
    assert hungry.s.money == [20, 18]


def test_ruling_16_no_debts() -> None:
    game = charge("", "SSSS", "", money=[20, 2, 20]).play(0, "hunger")
    assert game.s.money == [20, 0, 20]
    assert game.told("starved")[0].args["n"] == 2


def test_ruling_57_who_is_out_leaves_everything_and_is_skipped() -> None:
    hands = {0: ["double_knights"], 1: ["steal"]}
    game = charge("KKK", "S", "", hands=hands, money=[20, 1, 20]).play(0, "double_knights", "1")
    assert (game.units(1), game.s.hands[1]) == ("", {})
    assert (game.asked(0), game.ids(0)) == ("again", ["2", "skip"]), "the card goes on with those who are left"
    game(0, "skip", "end", "skip", "skip")
    assert game.s.active == 2


def test_ruling_57_a_running_turn_ends() -> None:
    game = charge("S", "", "", money=[1, 20, 20])(0, "end", "skip")
    assert (game.s.out, game.s.active, game.asked(1)) == ([0], 1, "mode")
    assert game.s.hands[0] == {}


def test_ruling_57_team_mates_leave_together() -> None:
    game = charge("KKK", "", "", "SS", hands={0: [ANY], 3: ["steal"]}, money=[20, 9]).play(0, ANY, "1")
    assert (game.s.winners, game.s.victory) == ([0, 2], "last")
    assert (game.units(3), game.s.hands[3]) == ("", {})


def test_ruling_58_victory_by_coins_at_once() -> None:
    game = charge("MMM", "", hands={0: ["double_miners"]}, money=[37, 20]).play(0, "double_miners")
    assert (game.s.winners, game.s.victory, game.s.money[0]) == ([0], "money", 45), "before the second activation"
    assert game.table.over
    damage = charge("KKK", "", hands={0: [ANY]}, money=[36, 20]).play(0, ANY)
    assert damage.s.victory == "money"


def test_ruling_58_victory_by_sets_at_once() -> None:
    game = charge("MMMWWR", "", hands={0: ["royal_family"]}, money=[15, 20]).play(0, "royal_family")
    assert (game.s.winners, game.s.victory) == ([0], "sets")


def test_ruling_58_victory_in_the_middle_of_assemble() -> None:
    hands = {0: ["assemble", "royal_family", "soldiers", "hunters"]}
    game = charge("MMMWWR", "", hands=hands).play(0, "assemble", ("soldiers", "hunters", "royal_family"))
    assert game.s.victory == "sets"


def test_ruling_58_victory_in_anothers_turn() -> None:
    game = charge("", "SWKFMHR", hands={0: ["purchase"]}, money=[20, 13])
    assert not game.table.over
    game.play(0, "purchase", "1.farmers")
    assert not game.table.over, "a profession is gone"
    bought = charge("", "SSWKFMHR", hands={0: ["purchase"]}, money=[20, 13]).play(0, "purchase", "1.soldiers")
    assert (bought.s.winners, bought.s.victory) == ([1], "professions")


def test_ruling_59_the_active_player_comes_first() -> None:
    s = position("SWKFMHR", "SWKFMHR", money=14, hands={0: ["steal"], 1: ["steal"]})
    s.money = [14, 15]
    s.races = ["goblins", ""]
    game = Played(s)(0, "charge", "barter", "steal")
    assert game.s.winners == [0]
    both = position("MMMWWRRSKFH", "", money=[14, 20], hands={0: ["steal"]}, races={0: "goblins"})
    won = Played(both)(0, "charge", "barter", "steal")
    assert won.s.victory == "sets", "of several conditions the first"


def test_ruling_60_team_mates_win_together_by_one_players_units() -> None:
    spread_out = charge("SWKF", "", "MH", "", hands={0: ["miners"]}, money=20)
    spread_out.play(0, "miners")
    assert not spread_out.table.over
    game = charge("SWKFMH", "", "", "", hands={0: ["royal_family"]}, money=20).play(0, "royal_family")
    assert game.s.winners == [0, 2]
    standings = RULES.standings(game.s)
    assert [(st.seat, st.rank, st.winner) for st in standings[:2]] == [(0, 1, True), (2, 1, True)]


@pytest.mark.parametrize(("money", "wins"), [(14, False), (15, True)])
def test_ruling_61_exactly_15_are_enough(money: int, wins: bool) -> None:
    game = charge("SWKFMH", "", hands={0: ["royal_family"]}, money=[money, 20]).play(0, "royal_family")
    assert game.table.over == wins


@pytest.mark.parametrize(("money", "wins"), [(36, False), (37, True)])
def test_ruling_61_exactly_45_are_enough(money: int, wins: bool) -> None:
    game = charge("MMM", "", hands={0: [ANY]}, money=[money, 20]).play(0, ANY)
    assert game.table.over == wins


def test_ruling_62_when_nobody_is_left_the_active_team_wins() -> None:
    from rules.engine.chance import ScriptedChance
    from rules.engine.flow import Game
    from rules.throne_of_the_world.object_of_the_game import Won, settle

    s = position("", "", turn=1, money=0)
    with pytest.raises(Won):
        settle(Game(s, ScriptedChance([])))
    assert (s.winners, s.victory) == ([1], "last")


def test_ruling_63_a_round_limit_and_its_ties() -> None:
    game = Played(position("", "", options=Options(round_limit=1), money=[21, 20]))(0, "recover")
    assert not game.table.over
    game(1, "recover")
    assert (game.s.winners, game.s.victory) == ([0], "round_limit")
    tie = Played(position("", "", options=Options(round_limit=1)))(0, "recover")(1, "recover")
    assert tie.s.winners == [1]
    units = Played(position("S", "", options=Options(round_limit=1)))(0, "recover")(1, "recover")
    assert units.s.winners == [0]


def test_ruling_63_a_round_is_one_turn_of_each_player_left() -> None:
    game = Played(position("", "", "", turn=1, first=1, out=[0], money=[0, 20, 20]))
    game(1, "recover")(2, "recover")
    assert (game.s.round, game.s.active) == (2, 1)
    assert not Played(position("", "", options=Options()))(0, "recover")(1, "recover").table.over


def test_standings_of_those_who_are_out() -> None:
    s = position("", "S", "", out=[2], money=[5, 9, 0])
    assert [(st.seat, st.rank) for st in RULES.standings(s)] == [(1, 1), (0, 2), (2, 3)]
    assert RULES.standings(s)[0].parts == {"coins": 9, "sets": 0, "professions": 1, "units": 1}
