"""The rulebook's example of combat (pages 22 and 23), move by move with its dice."""

from rules.eclipse.battles import totals_for
from rules.eclipse.state import State, has

from .battlefield import HERE, battle, dice, drew, field, fight, fit, refuge, volleys
from .helpers import HYDRAN, MECHANEMA, Played

IAIN, VERNOR = 0, 1


def contested() -> State:
    """Iain's three Interceptors and a Cruiser, then Vernor's."""
    fleets = {IAIN: {"interceptor": 3, "cruiser": 1}, VERNOR: {"interceptor": 3, "cruiser": 1}}
    s = field(MECHANEMA, HYDRAN, number="201", disc=IAIN, ships=fleets, cubes=[0])
    refuge(s, VERNOR)
    fit(s, IAIN, "interceptor", "plasma_missile")
    fit(s, IAIN, "cruiser", "", "ion_cannon", "", "", "positron_computer", "")
    fit(s, VERNOR, "interceptor", "plasma_missile", "", "", "fusion_drive")
    fit(
        s,
        VERNOR,
        "cruiser",
        "improved_hull",
        "gauss_shield",
        "plasma_missile",
        "fusion_source",
        "plasma_cannon",
        "fusion_drive",
    )
    return s


def test_the_example() -> None:
    s = contested()
    rolls = (
        dice(6, 6, 5, 4, 3, 2)
        + dice(6, 6)
        + dice(3, 2)
        + dice(3)
        + dice(4, 2)
        + dice(6)
        + dice(1, 2)
        + dice(6)
        + dice(6)
    )
    tiles = [0, 30, 15, *[0] * 5]
    game = fight(s, *rolls, *tiles)

    # 1: Vernor assigns the sixes of his Interceptors to two of Iain's
    assert game.asked(VERNOR) == "combat.assign"
    game(VERNOR, "interceptor.0", "interceptor.0")
    assert game.ships(IAIN, "201") == {"interceptor": 1, "cruiser": 1}

    # 2: the Interceptor that is left hits an Interceptor and the Cruiser, which endures
    assert game.asked(IAIN) == "combat.assign"
    game(IAIN, "interceptor.0", "cruiser.0")
    assert game.ships(VERNOR, "201") == {"interceptor": 2, "cruiser": 1}
    assert [ship.damage for ship in battle(game).ships if ship.party == VERNOR and ship.ship == "cruiser"] == [2]

    # 3: the Cruiser's missiles miss, and the engagement rounds begin; 4: the Interceptors retreat
    assert volleys(game) == ["1 interceptor 6", "0 interceptor 2", "1 cruiser 2"]
    assert battle(game).round == 1
    assert game.ids(VERNOR) == ["attack.interceptor", "retreat.interceptor.202"]
    game(VERNOR, "retreat.interceptor.202")

    # 5: Iain attacks with his Interceptor and misses; 6: a 4 of his Cruiser hits a retreating Interceptor, not the
    # shielded Cruiser, so there is nothing to choose
    assert game.ids(IAIN) == ["attack.interceptor", "attack.cruiser"]
    game(IAIN, "attack.interceptor")
    assert volleys(game)[3:] == ["0 interceptor 1", "0 cruiser 2"]
    assert game.ships(VERNOR, "201") == {"interceptor": 1, "cruiser": 1}

    # 7: Vernor's Cruiser attacks and destroys an Interceptor
    assert game.ids(VERNOR) == ["attack.cruiser", "retreat.cruiser.202"]
    game(VERNOR, "attack.cruiser")
    assert game.asked(VERNOR) == "combat.assign"
    game(VERNOR, "interceptor.0")
    assert game.ships(IAIN, "201") == {"cruiser": 1}

    # 8: the retreat is complete, Iain's Cruiser misses; 9: Vernor destroys it
    assert battle(game).round == 2
    assert game.ships(VERNOR, "202") == {"interceptor": 1}
    game(VERNOR, "attack.cruiser")
    assert game.ships(IAIN, "201") == {}

    # 10: the population is attacked
    assert game.asked(VERNOR) == "population.attack"
    game(VERNOR, "attack.cruiser")
    assert game.s.boards[IAIN].graveyard["money"] == 1

    # Reputation: Iain draws three tiles, Vernor five, though his kills alone are worth five
    assert drew(game) == {IAIN: 3}
    game(IAIN, "4")
    assert drew(game) == {IAIN: 3, VERNOR: 5}
    game(VERNOR, "1")
    assert [board.reputation for board in game.s.boards] == [[4], [1]]

    # Iain's disc is gone with his last cube, Vernor places his own
    assert game.s.hexes[HERE].disc is None
    assert game.asked(VERNOR) == "conquest.place"
    game(VERNOR, "201")
    assert game.s.hexes[HERE].disc == VERNOR
    assert game.s.battle is None
    assert game.s.phase == "upkeep"


def test_the_ships_of_the_example() -> None:
    """Initiatives and dice as the example says."""
    s = contested()
    found = {(seat, ship): totals_for(s, seat, ship) for seat in (IAIN, VERNOR) for ship in ("interceptor", "cruiser")}
    assert [total.initiative for total in found.values()] == [3, 3, 4, 3]
    assert [total.missiles for total in found.values()] == [(2, 2), (), (2, 2), (2, 2)]
    assert [total.cannons for total in found.values()] == [(1,), (1, 1), (1,), (2,)]
    assert found[VERNOR, "cruiser"].shield == 1
    assert not has(s, VERNOR, "neutron_bombs")


def test_the_example_can_be_played_again_from_its_answers() -> None:
    """The same dice and answers lead to the same state."""

    def play() -> Played:
        rolls = dice(6, 6, 5, 4, 3, 2) + dice(6, 6)
        return fight(contested(), *rolls)(VERNOR, "rule")

    assert play().s == play().s
