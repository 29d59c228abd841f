"""Diplomacy: who may form relations, ambassadors, and breaking."""

from collections.abc import Sequence

from rules.eclipse import RULES, diplomacy, scoring
from rules.eclipse.state import State, add_ship
from rules.engine.chance import Chance
from rules.engine.flow import Game

from .helpers import (
    ALLIANCE,
    DIRECTORATE,
    DRACO,
    FEDERATION,
    ORION,
    UNION,
    Played,
    position,
    put,
    turned,
)

FOUR = (DIRECTORATE, FEDERATION, UNION, ALLIANCE)
MINE, THEIRS = "1,-1", "1,0"


def contact(species: Sequence[str] = FOUR, *, half: bool = False) -> State:
    """Hex 106 of seat 0 and hex 103 of seat 1 connect; `half`: by one wormhole only. Nobody has colony ships, so that
    nobody is asked about them."""
    s = position(*species)
    put(s, "106", MINE, turned("106", 1, 3), disc=0)
    put(s, "103", THEIRS, turned("103", shut=[0]) if half else turned("103", 0, 3), disc=1)
    for board in s.boards:
        board.colony_ships, board.used_ships = 0, 3
    return s


def allied(s: State, one: int = 0, other: int = 1) -> State:
    """With a relation between two seats, their cubes from the money tracks."""
    for seat, partner in ((one, other), (other, one)):
        s.boards[seat].ambassadors.append(partner)
        s.boards[partner].tracks["money"] -= 1
    return s


def cubes(s: State, seat: int) -> int:
    """All cubes of a seat: on tracks, in hexes, on ambassadors."""
    board = s.boards[seat]
    here = sum(len(hex_.cubes) for hex_ in s.hexes.values() if hex_.disc == seat)
    return sum(board.tracks.values()) + here + sum(seat in other.ambassadors for other in s.boards)


# Who may


def test_ruling_64_a_full_connection_between_own_hexes() -> None:
    assert diplomacy.partners(contact(), 0) == [1]
    assert diplomacy.partners(contact(), 1) == [0]
    assert diplomacy.partners(contact(), 2) == []
    s = contact(half=True)
    s.boards[0].technologies.append("wormhole_generator")
    assert diplomacy.partners(s, 0) == [], "never by a half connection"
    ships_only = contact()
    ships_only.hexes[THEIRS].disc = None
    add_ship(ships_only.hexes[THEIRS], 1, "cruiser")
    assert diplomacy.partners(ships_only, 0) == []


def test_ruling_64_no_ship_of_one_with_a_ship_or_disc_of_the_other() -> None:
    with_disc = contact()
    add_ship(with_disc.hexes[MINE], 1, "interceptor")
    assert not diplomacy.partners(with_disc, 0)
    with_ship = contact()
    for seat in (0, 1):
        add_ship(with_ship.hexes["0,0"], seat, "interceptor")
    assert not diplomacy.partners(with_ship, 1)
    others = contact()
    for seat in (1, 2):
        add_ship(others.hexes["0,0"], seat, "interceptor")
    add_ship(others.hexes[MINE], 3, "interceptor")
    assert diplomacy.partners(others, 0) == [1], "ships of third parties do not matter"


def test_ruling_64_the_connection_need_not_last() -> None:
    game = Played(allied(contact()))(0, "influence", "106", "track", "done")
    assert game.s.boards[0].ambassadors == [1]


def test_ruling_09_no_diplomacy_with_three_players() -> None:
    s = position(DIRECTORATE, FEDERATION, UNION)
    put(s, "106", "0,-1", turned("106", 0, 3), disc=0)
    put(s, "103", "1,-1", 0, disc=1)
    s.hexes["0,-1"].disc = 1
    assert diplomacy.meet(s, 0, 1), "home of seat 0 and 106"
    assert diplomacy.partners(s, 0) == []
    assert "propose" not in Played(s).acts(0)


# Proposals


def test_ruling_65_proposed_and_accepted_in_the_turn_of_either() -> None:
    game = Played(contact())
    assert "propose" in game.acts(0)
    game.act(0, "propose", "1", "science")
    assert game.table.view(2).proposals == ((0, 1),)
    assert "propose" not in game.acts(0)
    assert "accept" in game.acts(1), "it is the turn of seat 0"
    game(0, "build", "skip")
    assert "accept" in game.acts(1), "it is the own turn"
    game(1, "build", "skip")
    assert "accept" not in game.acts(1), "it is the turn of seat 2"
    game(2, "pass")(3, "pass")
    assert "accept" in game.acts(1)
    game.act(1, "accept", "0", "money")
    s = game.s
    assert (s.boards[0].ambassadors, s.boards[1].ambassadors, s.proposals) == ([1], [0], [])
    assert s.boards[0].tracks == {"money": 10, "science": 9, "materials": 10}
    assert s.boards[1].tracks == {"money": 9, "science": 10, "materials": 10}
    assert game.table.view(None).relations == ((0, 1),)
    assert game.told("diplomacy.formed")[0].audience is None


def test_ruling_65_also_by_who_has_passed() -> None:
    game = Played(contact())(0, "pass")
    for seat in (1, 2, 3):
        game(seat, "build", "skip")
    assert game.asked(0) == "reaction.choose"
    game.act(0, "propose", "1", "science").act(1, "accept", "0", "science")
    assert game.s.boards[0].ambassadors == [1]


def test_ruling_65_who_has_met_somebody_is_asked_before_the_turn_ends() -> None:
    s = contact()
    s.hexes[MINE].disc = None
    s.boards[0].used_ships = 0
    game = Played(s)(0, "influence", "track", "106", "done")
    assert (game.asked(0), game.ids(0)) == ("action.end", ["propose.1", "skip"])
    assert not game.table.passes(0), "a question that can only be passed is passed by itself"
    game(0, "propose.1", "back", "propose.1", "science")
    assert game.table.view(2).proposals == ((0, 1),)
    assert game.asked(1) == "action.choose", "nothing is left to ask"
    assert Played(contact())(0, "build", "skip").asked(0) == "", "they had met before"
    game = Played(s)(0, "influence", "track", "106", "done", "propose.1")
    game.act(1, "propose", "0", "science").act(0, "accept", "1", "money")(0, "science")
    assert (game.s.boards[0].ambassadors, game.s.proposals) == ([1], []), "formed while the track was chosen"


def test_proposals_are_withdrawn_and_declined() -> None:
    game = Played(contact()).act(0, "propose", "1", "science")
    game.act(1, "withdraw", "0")
    assert (game.s.proposals, game.table.view(2).declined) == ([], ((0, 1),))
    game.act(0, "propose", "1", "science").act(0, "withdraw", "1")
    assert (game.s.proposals, game.s.declined) == ([], [(0, 1)]), "only who declines is noted"
    game.act(1, "propose", "0", "science")
    assert game.s.declined == [], "and thinks better of it"


def test_ruling_65_a_proposal_is_accepted_by_whom_it_was_made_to() -> None:
    s = contact()
    s.hexes[MINE].rotation = 2
    put(s, "102", "0,-1", turned("102", 2), disc=2)
    assert diplomacy.partners(s, 0) == [1, 2]
    game = Played(s).act(0, "propose", "1", "science")
    assert "accept" in game.acts(1)
    assert "accept" not in game.acts(2)


def test_ruling_65_who_could_accept_finds_it_beside_the_actions() -> None:
    game = Played(contact()).act(0, "propose", "1", "science")
    assert "accept.1" not in game.ids(0)
    game(0, "build", "skip")
    assert game.ids(1)[-2:] == ["accept.0", "pass"]
    game(1, "accept.0", "back", "accept.0", "materials")
    assert (game.s.boards[0].ambassadors, game.s.boards[1].ambassadors, game.s.proposals) == ([1], [0], [])
    assert game.asked(1) == "action.choose", "the turn is still to come"
    passed = Played(contact())(0, "pass")
    for seat in (1, 2):
        passed(seat, "build", "skip")
    passed.act(1, "propose", "0", "money")(3, "build", "skip")
    assert (passed.asked(0), passed.ids(0)[-2:]) == ("reaction.choose", ["accept.1", "skip"])
    passed(0, "accept.1", "science")
    assert passed.s.boards[0].ambassadors == [1]


def test_a_proposal_is_worth_nothing_when_it_could_not_be_formed_any_more() -> None:
    game = Played(contact()).act(0, "propose", "1", "science")
    add_ship(game.s.hexes[MINE], 1, "interceptor")
    assert "accept" not in game.acts(1)
    game.s.boards[0].tracks["science"] = 0
    game.s.hexes[MINE].fleets = []
    game.act(1, "accept", "0", "science")
    assert game.s.boards[0].tracks == {"money": 9, "science": 0, "materials": 10}, "another track"


def test_proposals_of_a_player_who_leaves_lapse() -> None:
    game = Played(contact()).act(0, "propose", "1", "science")
    assert game.acts(1)[-1] == "withdraw"
    assert list(scoring.leave(Game(game.s, Chance(b"")), 0, "gave_up")) == []
    assert game.s.proposals == []
    assert "withdraw" not in game.acts(1)


def test_ruling_65_once_more_after_combat() -> None:
    game = Played(contact())
    for seat in range(4):
        game(seat, "pass")
    assert (game.asked(0), game.acts(0)) == ("diplomacy.partner", ["trade"]), "only where it is asked"
    game(0, "1")
    assert (game.asked(1), game.ids(1)) == ("diplomacy.answer", ["accept", "skip"])
    game(1, "skip")
    assert game.s.declined == [(0, 1)]
    assert game.asked(1) == "diplomacy.partner", "then seat 1 may propose in its turn"
    game(1, "0")(0, "accept")(1, "science")(0, "materials")
    assert (game.s.boards[0].ambassadors, game.s.boards[1].ambassadors) == ([1], [0])
    assert game.s.declined == []
    assert game.asked(0) == "action.choose"
    assert game.s.round == 2


def test_ruling_65_after_combat_an_open_proposal_is_simply_accepted() -> None:
    game = Played(contact()).act(1, "propose", "0", "materials")
    for seat in range(4):
        game(seat, "pass")
    game(0, "1", "science")
    assert (game.s.boards[0].ambassadors, game.s.boards[1].ambassadors, game.s.proposals) == ([1], [0], [])
    assert game.s.boards[1].tracks == {"money": 10, "science": 10, "materials": 9}


def test_ruling_66_one_relation_with_each_three_in_all_and_a_cube_to_give() -> None:
    assert not diplomacy.partners(allied(contact()), 0)
    s = contact()
    s.boards[1].ambassadors = [2, 3, 3]
    assert not diplomacy.partners(s, 0), "no ambassador left"
    s = contact()
    s.boards[1].tracks = dict.fromkeys(s.boards[1].tracks, 0)
    assert not diplomacy.partners(s, 0), "no cube left"


# The reputation track


def test_ruling_67_reputation_tiles_make_room() -> None:
    s = contact()
    s.boards[0].reputation = [1, 2, 3, 4]
    game = Played(s)
    bag = len(game.s.reputation)
    game.act(0, "propose", "1", "science").act(1, "accept", "0", "science")
    assert game.s.boards[0].ambassadors == [1], "on the slot only for ambassadors"
    assert len(game.s.boards[0].reputation) == 4
    full = contact()
    full.boards[0].reputation = [1, 2, 2, 4]
    put(full, "102", "0,-1", disc=2)
    allied(full, 0, 2)
    game = Played(full).act(0, "propose", "1", "science").act(1, "accept", "0", "science")
    question = game.table.asked[0]
    assert (question.key, question.private) == ("diplomacy.return", True)
    assert game.ids(0) == ["1", "2", "4"]
    game(0, "2")
    assert game.s.boards[0].reputation == [1, 2, 4]
    assert game.s.boards[0].returned == [2]
    assert len(game.s.reputation) == bag + 1
    assert game.told("diplomacy.tile_returned")[0].audience == (0,)
    assert game.asked(0) == "action.choose", "the turn goes on"


def test_ruling_67_what_else_is_done_while_room_is_made_takes_nothing_twice() -> None:
    """The cube and the ambassador are gone before the player is asked, and no second relation comes between."""
    s = contact()
    s.boards[0].reputation = [1, 2, 2, 4]
    s.boards[0].tracks["science"] = 1
    s.boards[0].colony_ships, s.boards[0].used_ships = 1, 2
    put(s, "102", "0,-1", turned("102", 2), disc=2)
    put(s, "107", "0,1", turned("107", 4), disc=3)
    s.hexes[MINE].rotation = turned("106", 1, 3)
    s.hexes["0,0"].disc, s.hexes["0,0"].gcds = 0, False
    s.hexes["0,1"].rotation = turned("107", 0)
    allied(s, 0, 2)
    game = Played(s).act(0, "propose", "3", "money").act(0, "propose", "1", "science").act(1, "accept", "0", "science")
    assert game.asked(0) == "diplomacy.return"
    assert "accept" not in game.acts(3), "first things first"
    assert [o.id for act in game.table.acts(0) if act.name == "colonize" for o in act.fields[0].options] == [
        "001.2.materials", "001.4.money", "001.4.materials", "106.1.materials",
    ]  # fmt: skip
    game(0, "2").act(3, "accept", "0", "money")(0, "1")
    assert game.s.boards[0].ambassadors == [2, 1, 3]
    assert game.s.boards[0].tracks["science"] == 0
    assert game.s.boards[0].reputation == [2, 4]


def test_ruling_67_a_slot_for_reputation_only_is_no_place_for_an_ambassador() -> None:
    s = contact((ORION, FEDERATION, UNION, DIRECTORATE))
    s.boards[0].ambassadors = [2]
    for tiles, surplus in ((3, 0), (4, 1), (1, 0)):
        s.boards[0].reputation = [1] * tiles
        assert diplomacy.surplus(s, 0) == surplus
    s.boards[0].ambassadors, s.boards[0].reputation = [2, 3], [1, 1, 1]
    assert diplomacy.surplus(s, 0, 0) == 0, "all five slots are taken"


def test_ruling_67_ambassadors_cannot_be_discarded() -> None:
    s = contact((DRACO, FEDERATION, UNION, ALLIANCE))
    s.boards[0].ambassadors = [2, 3]
    s.boards[0].reputation = [1, 1]
    assert diplomacy.surplus(s, 0) == 1
    s.boards[0].reputation = []
    s.boards[0].ambassadors = [1, 2, 3, 3]
    assert diplomacy.surplus(s, 0) == 1, "more than there are tiles"


# Breaking


def attack(s: State, *answers: str) -> Played:
    """Seat 0 has an Interceptor in 106 and moves."""
    add_ship(s.hexes[MINE], 0, "interceptor")
    return Played(s)(0, "move", "106.interceptor", *answers)


def test_ruling_68_moving_in_on_a_disc_or_a_ship() -> None:
    game = attack(allied(contact()), "103")
    assert game.s.traitor == 0
    assert game.s.boards[0].ambassadors == []
    with_ship = allied(contact())
    with_ship.hexes[THEIRS].disc = 2
    add_ship(with_ship.hexes[THEIRS], 1, "interceptor")
    assert attack(with_ship, "103").s.traitor == 0
    neither = allied(contact())
    neither.hexes[THEIRS].disc = 2
    assert attack(neither, "103").s.traitor is None


def test_ruling_08_a_single_way_that_breaks_a_relation_is_asked_for_and_says_so() -> None:
    s = allied(contact())
    s.hexes[THEIRS].rotation = turned("103", 0, 2)
    put(s, "301", "2,0", turned("301", 5), ships={0: {"interceptor": 1}}, ancients=0)
    game = Played(s)(0, "move", "301.interceptor")
    asked = game.table.asked[0]
    assert (asked.key, game.ids(0)) == ("move.to", ["103"])
    assert RULES.words.option(asked, asked.options[0]) == f"103 Beta Leonis: breaks with {RULES.words.seat_name(1)}"
    assert game(0, "103").s.traitor == 0


def test_ruling_68_every_hex_entered_on_the_way_counts() -> None:
    s = allied(contact())
    s.boards[0].blueprints["interceptor"][0] = "nuclear_drive"
    s.hexes[MINE].rotation = turned("106", 3, shut=[4])
    s.hexes[THEIRS].rotation = turned("103", 0, 5)
    s.hexes["0,0"].gcds = False
    game = attack(s)
    assert {"001", "103"} <= {*game.ids(0)}
    game(0, "001")
    assert game.s.traitor == 0, "the only way leads through the partner's hex"


def test_ruling_68_where_ways_differ_the_player_is_asked() -> None:
    def ring() -> State:
        s = contact()
        s.boards[0].blueprints["interceptor"][0] = "nuclear_drive"
        s.hexes[MINE].rotation = turned("106", 3, 4)
        s.hexes[THEIRS].rotation = turned("103", 0, 4)
        s.hexes["0,0"].gcds = False
        put(s, "107", "0,1", turned("107", 0, 1))
        return s

    assert "106" not in attack(allied(ring())).ids(0), "not back to where it was"
    game = attack(allied(ring()), "107")
    assert (game.asked(0), game.ids(0)) == ("move.way", ["way", "way.1"])
    game(0, "way")
    assert game.s.traitor is None
    assert attack(allied(ring()), "107", "way.1").s.traitor == 0
    assert attack(ring(), "107").asked(0) == "move.ship", "without a relation the way makes no difference"


def test_ruling_68_building_and_placing_a_disc_break_nothing() -> None:
    s = allied(contact())
    s.boards[0].storage["materials"] = 5
    add_ship(s.hexes[MINE], 1, "interceptor")
    add_ship(s.hexes["0,0"], 1, "interceptor")
    game = Played(s)(0, "build", "cruiser", "106", "skip")
    assert game.s.traitor is None
    assert game.s.boards[0].ambassadors == [1]


def test_ruling_69_both_go_home_and_the_breaker_takes_the_card() -> None:
    s = allied(contact())
    s.traitor = 3
    game = attack(s, "103")
    assert game.s.traitor == 0
    assert [game.s.boards[seat].ambassadors for seat in (0, 1)] == [[], []]
    assert game.asked(1) == "cube.track"
    game(1, "science")(0, "materials")
    assert game.s.boards[1].tracks == {"money": 9, "science": 11, "materials": 10}
    assert game.s.boards[0].tracks == {"money": 9, "science": 10, "materials": 11}
    assert all(cubes(game.s, seat) == 33 for seat in range(4))
    assert game.asked(0) == "move.ship", "and the action goes on"


def test_ruling_69_one_card_for_several_and_other_relations_stay() -> None:
    s = allied(allied(allied(contact()), 0, 2), 0, 3)
    add_ship(s.hexes[THEIRS], 2, "interceptor")
    game = attack(s, "103")(1, "money")(0, "money")(2, "money")(0, "money")
    assert len(game.told("diplomacy.broken")) == 2
    assert len(game.told("diplomacy.traitor")) == 1
    assert (game.s.traitor, game.s.boards[0].ambassadors, game.s.boards[3].ambassadors) == (0, [3], [0])


def test_ruling_70_a_traitor_forms_no_relation() -> None:
    s = contact()
    s.traitor = 1
    assert not diplomacy.partners(s, 0)
    assert not diplomacy.partners(s, 1)
    s.traitor = 3
    assert diplomacy.partners(s, 0) == [1], "a former holder is free again"
