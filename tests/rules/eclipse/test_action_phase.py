"""Action Phase: turns, passing, reactions, trade."""

import pytest

from rules.eclipse import trade
from rules.eclipse.components import ACTIONS
from rules.eclipse.state import State
from rules.engine.errors import Illegal
from rules.engine.pile import Pile

from .helpers import DIRECTORATE, MECHANEMA, ORION, UNION, Played, home, position


def quiet(*species: str, active: int = 0) -> State:
    """Nobody has colony ships to use."""
    s = position(*species, active=active)
    for board in s.boards:
        board.used_ships, board.colony_ships = board.colony_ships, 0
    return s


def test_ruling_13_one_action_each_clockwise() -> None:
    game = Played(quiet(DIRECTORATE, UNION, MECHANEMA, active=2))
    game(2, "build", "skip")
    assert game.asked(0) == "action.choose"
    game(0, "build", "skip")(1, "build", "skip")
    assert game.asked(2) == "action.choose"
    board = game.s.boards[2]
    assert (board.discs, board.actions) == (11, {"build": 1})
    game(2, "build", "skip")
    assert (game.s.boards[2].discs, game.s.boards[2].actions) == (10, {"build": 2}), "the same action again"


def test_ruling_13_without_a_disc_only_passing_is_left() -> None:
    s = quiet(DIRECTORATE, UNION)
    s.boards[0].actions, s.boards[0].discs = {"build": 12}, 0
    assert [id for id in Played(s).ids(0) if id in ACTIONS] == []


def test_ruling_14_an_action_may_do_nothing_though_it_could() -> None:
    game = Played(quiet(DIRECTORATE, UNION))(0, "upgrade", "skip")
    assert game.asked(1) == "action.choose"
    assert game.s.boards[0].actions == {"upgrade": 1}


def test_ruling_14_what_could_do_nothing_is_not_offered() -> None:
    s = quiet(DIRECTORATE, UNION)
    for stack in s.stacks.values():
        stack.pile = Pile()
    s.boards[0].storage = {"money": 1, "science": 1, "materials": 1}
    s.boards[0].used_ships, s.boards[0].passed = 0, True
    assert Played(s).ids(0) == ["upgrade", "skip"]
    s.boards[0].passed = False
    assert Played(s).ids(0) == ["influence", "upgrade", "pass"], "the disc at home could be moved"
    s.boards[0].storage["science"] = 2
    assert Played(s).ids(0) == ["influence", "research", "upgrade", "build", "trade", "pass"], "by trade"


def test_ruling_14_who_can_only_pass_is_not_asked() -> None:
    s = quiet(DIRECTORATE, UNION)
    s.boards[0].actions, s.boards[0].discs = {"build": 12}, 0
    s.boards[0].storage = {"money": 1, "science": 1, "materials": 1}
    game = Played(s)
    assert game.asked(1) == "action.choose"
    assert game.s.boards[0].passed


def test_ruling_15_the_first_to_pass_starts_the_next_round() -> None:
    game = Played(quiet(DIRECTORATE, UNION, MECHANEMA))
    game(0, "build", "skip")(1, "pass")(2, "pass")
    assert game.s.following == 1
    assert game.s.start == 0
    game(0, "pass")
    assert (game.s.round, game.s.start, game.s.following) == (2, 1, None)
    assert game.asked(1) == "action.choose"


def test_ruling_15_the_phase_ends_with_the_last_pass() -> None:
    game = Played(quiet(DIRECTORATE, UNION))
    game(0, "pass")(1, "pass")
    assert game.s.round == 2, "seat 0 gets no further reaction"


def test_ruling_16_reactions_as_often_as_the_turn_comes() -> None:
    game = Played(quiet(DIRECTORATE, UNION))
    game.s.boards[0].storage["materials"] = 20
    game(0, "pass")(1, "build", "skip")
    assert game.ids(0) == ["upgrade", "build", "trade", "skip"]
    game(0, "skip")(1, "build", "skip")
    game(0, "build", "interceptor")
    assert game.s.boards[0].reactions == {"build": 1}
    game(1, "build", "skip")(0, "upgrade", "skip")
    assert game.s.boards[0].reactions == {"build": 1, "upgrade": 1}
    assert game.s.boards[0].discs == 10


def test_ruling_16_who_cannot_react_is_not_asked() -> None:
    s = quiet(DIRECTORATE, UNION)
    s.boards[0].actions, s.boards[0].discs = {"build": 12}, 0
    game = Played(s)(0, "pass")(1, "build", "skip")
    assert game.asked(1) == "action.choose"


def test_ruling_16_a_reaction_is_passed_by_a_standing_answer() -> None:
    game = Played(quiet(DIRECTORATE, UNION))
    game(0, "pass")(1, "build", "skip")
    assert game.table.asked[0].windows == ("reaction",)
    assert not game.table.passes(0)
    game.table.stand(0, "reaction", True)
    assert game.table.passes(0)


def test_ruling_17_reactions_are_the_same_for_all_species() -> None:
    s = quiet(MECHANEMA, UNION)
    s.boards[0].storage["materials"] = 20
    game = Played(s)(0, "pass")(1, "build", "skip")
    game(0, "build", "interceptor")
    assert game.asked(1) == "action.choose"
    game(1, "build", "skip")(0, "upgrade", "ion_cannon", "interceptor.1")
    assert game.asked(1) == "action.choose"


def test_ruling_18_trade_at_the_species_rate() -> None:
    s = quiet(DIRECTORATE, ORION)
    s.boards[0].storage = {"money": 1, "science": 3, "materials": 1}
    s.boards[1].storage = {"money": 4, "science": 3, "materials": 3}
    game = Played(s)
    assert {option.id for option in trade.options(s, 0)} == {"science.money", "science.materials"}
    game(0, "trade", "science.money")
    assert game.s.boards[0].storage == {"money": 2, "science": 1, "materials": 1}
    game.act(1, "trade", "money.science")
    assert game.s.boards[1].storage == {"money": 0, "science": 4, "materials": 3}, "in another's turn"
    assert "trade.done" in [event.kind for event in game.events]


def test_ruling_18_kinds_are_not_mixed_to_reach_the_rate() -> None:
    s = quiet(DIRECTORATE, ORION)
    s.boards[1].storage = {"money": 3, "science": 3, "materials": 3}
    assert not trade.can_trade(s, 1)
    assert "trade" not in Played(s).acts(1)


def test_ruling_18_no_trade_of_ones_own_will_while_upkeep_is_paid() -> None:
    s = position(DIRECTORATE, UNION)
    s.boards[1].storage["materials"] = 9
    game = Played(s)(0, "pass")
    assert "trade" in game.acts(1)
    game(1, "pass")
    assert game.s.phase == "upkeep" or game.s.round == 2
    s.phase = "upkeep"
    assert trade.acts(s, 1) == []
    s.phase = "combat"
    assert [act.name for act in trade.acts(s, 1)] == ["trade"]


def test_a_trade_that_cannot_be_paid_any_more_is_refused() -> None:
    s = quiet(DIRECTORATE, UNION)
    game = Played(s)(0, "trade")
    game.act(0, "trade", "science.money")
    assert "science.money" not in game.ids(0)
    with pytest.raises(Illegal):
        game(0, "science.money")
    game(0, "back")
    assert game.asked(0) == "action.choose"
    assert home(game.s, 0)


def test_the_question_says_what_upkeep_takes_even_after_a_trade() -> None:
    s = quiet(DIRECTORATE, UNION)
    s.boards[0].storage = {"money": 4, "science": 4, "materials": 0}
    game = Played(s)
    before = game.table.asked[0].args
    game.act(0, "trade", "science.money")
    after = game.table.asked[0].args
    assert after == before | {"money": before["money"] + 1}
    assert before["upkeep"] == 0
