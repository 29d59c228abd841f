"""The races' special abilities, by what the rules ask of them."""

import pytest

from rules.throne_of_the_world.components import POWERS

from .helpers import ANY, NO_FIGHT, Played, charge, position


def n(power: str, which: str) -> int:
    """A figure of a power."""
    return next(powers[power].n[which] for powers in POWERS.values() if power in powers)


def test_ruling_42_zergs_pay_half_of_the_sum() -> None:
    game = charge("SSSMM", "", races={0: "zergs"})(0, "end", "skip")
    assert game.s.money[0] == 17
    dropped = charge("SSSMM", "", races={0: "zergs"})(0, "end", ("soldiers",))
    assert dropped.s.money[0] == 18
    poor = charge("SSSMM", "", races={0: "zergs"}, money=[2, 20])(0, "end")
    assert poor.table.asked[0].least == 1


def test_ruling_43_unity() -> None:
    game = charge("MMMHHH", "", races={0: "humans"})(0, "end")
    assert game.s.money[0] == 25, "once, not for each set"
    assert charge("SSSS", "", races={0: "humans"})(0, "end").s.money[0] == 20
    assert charge("FFF", "", races={0: "humans"})(0, "end").s.money[0] == 25, "with the virtual one they are four"


def test_ruling_43_the_virtual_farmer() -> None:
    game = charge("", "", hands={0: [ANY]}, races={0: "humans"}).play(0, ANY)
    assert game.s.money[0] == 21, "it acts alone"
    full = charge("FFF", "", hands={0: ["farmers", ANY]}, races={0: "humans"})(0, "card")
    assert full.ids(0) == [ANY, "back"], "there is room for three more only"
    full(0, ANY, "end", "skip")
    assert full.s.money[0] == 20 + 9 + 5 - 3
    attacked = charge("KKK", "", hands={0: [ANY]}, races={1: "humans"}).play(0, ANY)
    assert attacked.s.money[1] == 11, "it cannot defend"
    last = charge("SWKMH", "", hands={0: ["royal_family"]}, races={0: "humans"}).play(0, "royal_family")
    assert (last.s.winners, last.s.victory) == ([0], "professions")


def test_ruling_44_mermaids() -> None:
    game = charge("", "", hands={0: ["steal"]}, area=["supply"], races={0: "mermaids"})
    game(0, "exchange", "steal", "supply")
    assert game.s.money[0] == 19
    double = charge("M", "", hands={0: ["double_miners"]}, races={0: "mermaids"}).play(0, "double_miners")
    assert (double.s.money, double.asked(0)) == ([24, 20], "seduction")
    double(0, "1")
    assert (double.s.money, double.asked(0)) == ([24, 19], "move")
    skipped = charge("M", "", hands={0: [ANY]}, races={0: "mermaids"}).play(0, ANY)(0, "skip")
    assert skipped.s.money == [22, 20]
    final = charge("M", "", hands={0: [ANY]}, races={0: "mermaids"}, money=[20, 1]).play(0, ANY)(0, "1")
    assert (final.s.winners, final.s.victory) == ([0], "last")


def test_ruling_45_zerg_hunters_may_attack() -> None:
    game = charge("HHH", "", hands={0: ["double_hunters"]}, races={0: "zergs"})(0, "card", "double_hunters")
    assert game.ids(0) == ["produce", "1", "back"]
    game(0, "1")
    assert game.s.money == [27, 13]
    assert game.ids(0) == ["produce", "1", "skip"]
    game(0, "produce")
    assert game.s.money == [34, 13]


def test_ruling_46_dwarves_act_again_and_draw() -> None:
    hands = {0: [ANY, ANY, "double_miners"]}
    game = charge("M", "", hands=hands, races={0: "dwarves"}, deck=["soldiers"] * 9).play(0, ANY)
    assert game.asked(0) == "prospecting"
    game(0, "draw").play(0, ANY)(0, "skip").play(0, "double_miners")
    assert game.s.money[0] == 26
    game(0, "draw")
    assert game.s.money[0] == 28, "a double card gives two activations, each with its card"
    game(0, "draw")
    assert game.s.hands[0] == {"hunger": 1, "soldiers": 3}
    soldier = charge("S", "", hands={0: [ANY, ANY]}, races={0: "dwarves"}).play(0, ANY)(0, "card")
    assert soldier.ids(0) == ["back"]


def test_ruling_46_dwarves_draw_for_each_miner_played() -> None:
    hands = {0: ["assemble", "miners", "miners", "soldiers"]}
    game = charge("", "", hands=hands, races={0: "dwarves"}).play(0, "assemble", ("miners", "miners", "soldiers"))
    assert game.asked(0) == "prospecting"
    game(0, "draw", "draw")
    assert (game.asked(0), game.units(0)) == ("move", "SMM")


def test_ruling_47_orcs() -> None:
    game = charge("SM", "", hands={0: [ANY]}, races={0: "orcs"}).play(0, ANY, "soldiers")
    damage = 1 + n("ferocity", "bonus")
    assert game.s.money == [20 + damage + n("plunder", "coins"), 20 - damage]
    game(0, "end")
    assert [option.id for option in game.table.asked[0].options] == ["miners", "skip"], "Soldiers are not paid"
    wizards = charge("W", "", hands={0: ["double_wizards"]}, races={0: "orcs"}).play(0, "double_wizards")
    assert wizards.s.money[1] == 17


def test_ruling_48_dragons() -> None:
    game = charge("KKK", "SM", hands={0: [ANY]}, races={1: "dragons"}).play(0, ANY)(1, "soldiers", "miners")
    assert game.s.money[1] == 20, "9 are settled by 4 and 3 and the Scales of both"
    assert n("scales", "bonus") == 1
    breath = charge("", "", "", hands={0: ["steal", "supply", "supply"]}, races={0: "dragons"})(0, "breath", "2")
    assert breath.table.asked[0].private
    breath(0, "steal", "supply")
    assert (breath.s.money[2], breath.s.points) == (20 - n("breath", "damage"), 4)
    assert breath.s.discard == {"steal": 1, "supply": 1}
    assert "breath" not in breath.ids(0)
    back = charge("", "", hands={0: ["steal", "supply"]}, races={0: "dragons"})(0, "breath", "steal", "back")
    assert (back.asked(0), back.s.discard) == ("move", {})


def test_ruling_49_night_elves() -> None:
    game = Played(position("", "", hands={0: ["steal"]}, races={0: "night_elves"}))(0, "march")
    assert game.s.points == n("swiftness", "points")
    assert sum(game.s.hands[0].values()) == 1 + n("swiftness", "draw")
    hands = {0: ["assassinate", "purchase", "steal"], 1: ["supply"]}
    shadow = charge("K", "S", hands=hands, races={1: "night_elves"})(0, "card")
    assert shadow.ids(0) == ["steal", "hunger", "back"], "nobody can name their units"


def test_ruling_50_werewolves() -> None:
    game = Played(position("", "", hands={0: ["steal"]}, races={0: "werewolves"}))(0, "charge")
    assert game.s.points == n("frenzy", "points")
    assert sum(game.s.hands[0].values()) == 1 + n("frenzy", "draw")
    rend = charge("KKK", "SMM", hands={0: [ANY]}, races={0: "werewolves"}).play(0, ANY)(
        1, "soldiers", "miners", "miners"
    )
    assert (rend.asked(1), rend.ids(1)) == ("rend", ["soldiers", "miners"])
    rend(1, "miners")
    assert (rend.s.hands[1], rend.s.discard) == ({"soldiers": 1, "miners": 1}, {"miners": 1, ANY: 1})
    coins = charge("KKK", "SMM", hands={0: [ANY]}, races={0: "werewolves"}).play(0, ANY)(1, "pay")
    assert coins.asked(0) == "move"


def test_ruling_51_treants() -> None:
    game = charge("KKK", "", hands={0: [ANY]}, races={1: "treants"}).play(0, ANY)
    assert game.s.money[1] == 20 - 9 + n("bark", "reduction")
    sun = Played(position("", "", races={0: "treants"}))(0, "recover")
    assert sun.s.money[0] == 20 + n("sunlight", "coins")


def test_ruling_52_ninjas() -> None:
    hands = {0: ["harvest", "soldiers"], 1: ["steal"]}
    game = charge("", "", hands=hands, races={0: "ninjas"})(0, "infiltrate")
    assert game.s.money[0] == 20 - n("infiltrate", "coins")
    assert game.s.hands[1] == {}
    assert "infiltrate" not in game.ids(0)
    game.play(0, "harvest")
    assert game.s.points == 4
    game.play(0, "soldiers")
    assert game.s.points == 3
    spent = charge("", "", hands={0: ["soldiers", "knights", "miners", "farmers", "harvest"]}, races={0: "ninjas"})
    for unit in ("soldiers", "knights", "miners", "farmers"):
        spent.play(0, unit)
    assert (spent.s.points, spent.ids(0)) == (0, ["card", "end"])
    spent(0, "card")
    assert spent.ids(0) == ["harvest", "back"]
    spent(0, "harvest")
    assert spent.asked(0) == "discard", "the second skill card would need a point, and nothing else is left"


def test_ruling_53_goblins() -> None:
    game = charge("", "", hands={0: ["steal"]}, races={0: "goblins"})(0, "barter")
    assert game.table.asked[0].private
    game(0, "steal")
    assert (game.s.money[0], game.s.discard) == (20 + n("barter", "coins"), {"steal": 1})
    assert "barter" not in game.ids(0)


def test_ruling_54_witches() -> None:
    game = charge("W", "", hands={0: [ANY, "harvest"]}, races={0: "witches"}).play(0, ANY)
    damage = 3 + n("coven", "bonus")
    assert game.s.money == [20 + damage, 20 - damage]
    game.play(0, "harvest")
    assert game.s.money[0] == 20 + damage + n("brew", "coins")
    won = charge("W", "", hands={0: ["harvest"]}, races={0: "witches"}, money=[44, 20]).play(0, "harvest")
    assert won.s.winners == [0]


def test_ruling_55_gods() -> None:
    game = Played(position("", "", races={0: "gods"}, hands={0: ["steal"] * 9}))(0, "march")
    assert sum(game.s.hands[0].values()) == 9 + n("providence", "march_draw")
    game(0, "end")
    assert game.table.asked[0].least == max(0, 9 + n("providence", "march_draw") - n("providence", "hand_limit"))
    rest = Played(position("", "", races={0: "gods"}, deck=["supply"] * 9))(0, "recover")
    assert sum(rest.s.hands[0].values()) == n("providence", "recover_draw")
    omni = charge("WS", "", hands={0: [NO_FIGHT]}, races={0: "gods"})(0, "card", NO_FIGHT)
    assert omni.ids(0) == ["soldiers", "wizards", "back"]


@pytest.mark.parametrize(("race", "draw", "points"), [("", 2, 3), ("gods", n("providence", "march_draw"), 3)])
def test_ruling_56_a_races_figure_replaces_the_printed_one(race: str, draw: int, points: int) -> None:
    game = Played(position("", "", races={0: race}))
    march = game.table.asked[0].options[0]
    assert march.args == {"draw": draw, "points": points}
