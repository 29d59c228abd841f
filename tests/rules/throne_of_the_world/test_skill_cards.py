"""Skill cards."""

from .helpers import ANY, Played, charge, position


def test_ruling_33_each_type_once_a_turn() -> None:
    game = charge("", "", hands={0: ["supply", "supply", "harvest"]}).play(0, "supply")(0, "card")
    assert "supply" not in game.ids(0)
    game(0, "harvest", "end", ("hunger",))(1, "recover")(0, "charge", "card")
    assert "supply" in game.ids(0)


def test_ruling_34_supply_and_assemble() -> None:
    supply = charge("", "", hands={0: ["supply"]}).play(0, "supply")
    assert sum(supply.s.hands[0].values()) == 4
    game = charge("MM", "", hands={0: ["assemble", "miners", "miners", "soldiers", "knights"]})(0, "card", "assemble")
    question = game.table.asked[0]
    assert (question.private, question.least, question.most) == (True, 1, 3)
    assert {option.id: option.count for option in question.options} == {
        "soldiers": 1, "knights": 1, "miners": 1, "skip": 1,
    }  # fmt: skip
    game(0, ("soldiers", "knights", "miners"))
    assert (game.units(0), game.s.points) == ("SKMMM", 3)
    back = charge("", "", hands={0: ["assemble", "miners"]})(0, "card", "assemble", "skip")
    assert (back.asked(0), back.s.points) == ("move", 4)
    none = charge("", "", hands={0: ["assemble"]})(0, "card")
    assert none.ids(0) == ["back"]


def test_ruling_35_harvest() -> None:
    game = charge("SMMM", "", hands={0: ["harvest"]}, races={0: "humans"}).play(0, "harvest")(0, "end")
    assert game.asked(0) == "discard"
    assert (game.s.money[0], game.units(0)) == (25, "SMMM")
    hungry = game(0, ("hunger",))(1, "recover")(0, "recover")
    assert hungry.s.harvest is False
    victim = charge("", "SS", hands={1: ["harvest"]}, turn=1).play(1, "harvest")(1, "end", "skip")(0, "charge")
    assert victim.s.money[1] == 20


def test_ruling_35_harvest_does_not_stop_hunger() -> None:
    game = charge("", "SS", hands={0: ["hunger"]}).play(0, "hunger")
    assert game.s.money == [20, 18]


def test_ruling_36_assassinate_discards_an_opponents_real_unit() -> None:
    game = charge("S", "F", "M", hands={0: ["assassinate"]}, races={1: "humans"})(0, "card", "assassinate")
    assert game.ids(0) == ["1.farmers", "2.miners", "back"]
    game(0, "1.farmers")
    assert (game.units(1), game.s.discard) == ("", {"farmers": 1, "assassinate": 1})
    virtual = charge("", "", hands={0: ["assassinate"]}, races={1: "humans"})(0, "card")
    assert virtual.ids(0) == ["back"]


def test_ruling_37_purchase() -> None:
    game = charge("SMMM", "MS", hands={0: ["purchase"]})(0, "card", "purchase")
    assert (game.units(0), game.units(1), game.s.money) == ("SSMMM", "M", [18, 22]), "Miners have no room"
    assert charge("", "S", hands={0: ["purchase"]}, money=[2, 20])(0, "card").ids(0) == ["hunger", "back"]
    dwarf = charge("", "M", hands={0: ["purchase"]}, races={0: "dwarves"}).play(0, "purchase")
    assert dwarf.asked(0) == "move", "buying is not playing"


def test_ruling_37_unit_and_coins_change_hands_as_one_step() -> None:
    game = charge("SWKFMH", "R", hands={0: ["purchase"]}, money=[16, 20]).play(0, "purchase")
    assert (game.s.money, game.s.winners) == ([14, 22], [])
    rich = charge("SWKFMH", "R", hands={0: ["purchase"]}, money=[17, 20]).play(0, "purchase")
    assert (rich.s.winners, rich.s.victory) == ([0], "professions")


def test_ruling_38_steal_takes_a_random_card() -> None:
    taken = set()
    for draw in range(3):
        hands = {0: ["steal"], 1: ["soldiers", "knights", "supply"]}
        game = charge("", "", hands=hands, draws=[draw]).play(0, "steal")
        (card,) = (card for card in game.s.hands[0] if card != "hunger")
        taken.add(card)
        event = game.told("took_card")[0]
        assert (event.audience, event.owner) == ((0, 1), 1)
    assert taken == {"soldiers", "knights", "supply"}
    assert charge("", "", hands={0: ["steal"]})(0, "card").ids(0) == ["back"]


def test_ruling_39_hunger_is_paid_in_full() -> None:
    for race in ("zergs", "orcs", "humans"):
        game = charge("", "SSS", races={1: race}).play(0, "hunger")
        assert game.s.money == [20, 17]
    starved = charge("", "SSS", "", money=[20, 3, 20]).play(0, "hunger")
    assert starved.s.out == [1]


def test_ruling_40_harm_names_opponents_only() -> None:
    hands = {0: [ANY, "assassinate", "purchase", "steal"], 1: ["supply"], 2: ["supply"], 3: ["supply"]}
    game = charge("K", "S", "S", "", hands=hands)
    game(0, "card", ANY)
    assert game.ids(0) == ["1", "3", "back"]
    game(0, "back", "card", "steal")
    assert game.ids(0) == ["1", "3", "back"]
    game(0, "back").play(0, "assassinate")
    assert game.units(1) == ""
    assert game(0, "card").ids(0) == [ANY, "steal", "back"], "nothing to buy, nobody to starve but the team mate"


def test_private_aims_lead_back_at_no_cost() -> None:
    game = charge("", "S", "S", hands={0: ["assassinate"]})(0, "card", "assassinate")
    assert game.table.asked[0].private
    game(0, "back")
    assert (game.s.points, game.s.hands[0]["assassinate"]) == (4, 1)
    assert isinstance(Played(position("", "")), Played)
