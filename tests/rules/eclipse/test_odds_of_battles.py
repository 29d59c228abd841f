"""Odds of battles in a game: from what everybody sees, and in agreement with the battles that are then fought."""

from collections.abc import Mapping

import pytest

from rules.eclipse import RULES
from rules.eclipse.odds import Odds, of_battle, of_hex, of_sides, of_texts, read_side, squad
from rules.eclipse.state import State, ships_in
from rules.engine.chance import Chance
from rules.engine.table import Table

from .battlefield import HERE, dice, field, fight, fit, refuge
from .helpers import DIRECTORATE, DRACO, FEDERATION, ORION, PLANTA, UNION, Played

ONE = {"interceptor": 1}


def seen(game: Played) -> Odds:
    found = of_battle(RULES.view(game.s, None))
    assert found is not None
    return found


def fleets(
    attacker: str, attacking: Mapping[str, int], defender: str, defending: Mapping[str, int], ancients: int = 0
) -> State:
    """A hex with both, or with Ancients; some have better parts."""
    ships = {1: attacking} if ancients else {0: defending, 1: attacking}
    s = field(defender, attacker, ships=ships, ancients=ancients)
    fit(s, 1, "interceptor", "plasma_missile")
    fit(s, 1, "cruiser", "", "positron_computer", "plasma_cannon")
    fit(s, 0, "dreadnought", "plasma_missile", "", "gauss_shield")
    return s


@pytest.mark.parametrize(
    "s",
    [
        fleets(UNION, {"interceptor": 2, "cruiser": 1}, ORION, {"interceptor": 1, "dreadnought": 1}),
        fleets(PLANTA, {"interceptor": 3, "dreadnought": 1}, UNION, {"cruiser": 2, "starbase": 1}),
        fleets(UNION, {"cruiser": 1}, ORION, {}, ancients=2),
    ],
)
def test_battles_fought_by_the_rule_for_ancients_end_as_the_odds_say(s: State) -> None:
    [(attacker, _, odds)] = of_hex(RULES.view(s, None), HERE)
    n, won = 300, 0
    for seed in range(n):
        table = Table.at(RULES, s, Chance(b"%d" % seed), s.options)
        table.answer(0, ("pass",))
        while table.state.battle is not None and table.state.battle.step in ("missiles", "engagement"):
            [(seat, question)] = table.asked.items()
            table.answer(seat, (question.options[0].id,))
        won += ships_in(table.state.hexes[HERE], attacker) > 0  # type: ignore[arg-type]
    assert odds.exact
    assert 0.05 < odds.attacker_wins < 0.95
    assert won / n == pytest.approx(odds.attacker_wins, abs=4 * (0.25 / n) ** 0.5)


def test_the_odds_of_a_hex_are_those_of_the_command_line() -> None:
    s = field(DIRECTORATE, ORION, ships={1: {"cruiser": 1}}, ancients=2)
    [(attacker, defender, odds)] = of_hex(RULES.view(s, 0), HERE)
    assert (attacker, defender) == (1, "ancient")
    assert odds == of_texts("1 orion cruiser", "2 ancients")


def test_all_that_may_meet_in_a_hex_in_the_order_of_the_battles() -> None:
    s = field(DRACO, UNION, FEDERATION, ships={0: ONE, 1: ONE, 2: ONE}, ancients=1, disc=0)
    pairs = [(attacker, defender) for attacker, defender, _ in of_hex(RULES.view(s, None), HERE)]
    assert pairs == [(2, 1), (2, 0), (2, "ancient"), (1, 0), (1, "ancient")]
    assert of_hex(RULES.view(s, None), "0,0") == []


def test_the_question_whether_to_retreat_can_show_the_odds() -> None:
    """They change with the damage and with who has acted; announced retreats are as good as gone."""
    s = field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}, 1: {"interceptor": 1, "cruiser": 1}}, disc=0)
    refuge(s, 1)
    game = fight(s, *dice(6), *dice(1))
    assert game.ids(1)[0] == "attack.interceptor"
    fresh = seen(game)
    assert fresh.attacker_wins == pytest.approx(
        of_texts("1 terran interceptor, 1 terran cruiser", "1 terran cruiser").attacker_wins
    )
    game(1, "attack.interceptor")
    assert game.ids(1)[0] == "attack.cruiser"
    hurt = seen(game)
    assert hurt.exact
    sides = (
        read_side("1 terran interceptor, 1 terran cruiser"),
        [read_side("1 terran cruiser")[0]._replace(damage=(1,))],
    )
    expected = of_sides(*sides, order=[(0, 0), (1, 0), (0, 1)], at=2, missiles=False)
    assert hurt.attacker_wins == pytest.approx(expected.attacker_wins)
    game(1, "retreat.cruiser.202")
    alone = seen(game)
    assert alone.attacker_wins < hurt.attacker_wins


def test_missiles_still_to_come_count() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"interceptor": 1}, 1: {"interceptor": 1, "cruiser": 1}})
    fit(s, 1, "cruiser", "plasma_missile", "nuclear_drive")
    fit(s, 1, "interceptor", "plasma_missile")
    game = fight(s)
    assert game.asked(1) == "combat.missiles"
    [(_, _, odds)] = of_hex(RULES.view(s, None), HERE)
    assert seen(game) == odds
    view = RULES.view(s, None)
    sides = [squad(view, 1, "interceptor", 1), squad(view, 1, "cruiser", 1)], [squad(view, 0, "interceptor", 1)]
    assert odds.attacker_wins > of_sides(*sides, missiles=False).attacker_wins + 0.05


def test_no_battle_no_odds_and_everybody_sees_the_same() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}, 1: ONE}, disc=0)
    assert of_battle(RULES.view(s, None)) is None
    refuge(s, 1)
    game = fight(s, *dice(1))
    assert len({of_battle(RULES.view(game.s, viewer)) for viewer in (0, 1, None)}) == 1
