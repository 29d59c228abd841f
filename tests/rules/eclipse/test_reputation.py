"""Combat Phase: reputation tiles."""

import pytest

from rules.eclipse import RULES
from rules.eclipse.reputation import earned, room
from rules.eclipse.state import Battle, State
from rules.engine.chance import Chance
from rules.engine.pile import Pile

from .battlefield import HERE, dice, drew, field, fight, fit, refuge
from .helpers import DIRECTORATE, FEDERATION, MECHANEMA, ORION, UNION, Played, position

ONE = {"interceptor": 1}


def won(n: int = 1, ships: dict[str, int] | None = None) -> State:
    """Seat 1's quick ships against as many Interceptors of seat 0, who was there first."""
    s = field(DIRECTORATE, UNION, ships={0: ships or {"interceptor": n}, 1: {"interceptor": n}})
    fit(s, 1, "interceptor", "fusion_drive")
    return s


@pytest.mark.parametrize(
    ("kills", "retreated", "n"),
    [
        ({}, False, 1), ({}, True, 0), ({"interceptor": 1}, False, 2), ({"starbase": 1}, True, 1),
        ({"cruiser": 1}, False, 3), ({"dreadnought": 1}, False, 4), ({"ancient": 2}, False, 3), ({"gcds": 1}, False, 4),
        ({"interceptor": 3, "cruiser": 1}, False, 5), ({"dreadnought": 2}, True, 5),
    ],
)  # fmt: skip
def test_ruling_91_how_many_tiles(kills: dict[str, int], retreated: bool, n: int) -> None:
    s = position(DIRECTORATE, UNION)
    s.battle = Battle(HERE, kills={"0": kills}, retreated=[0] if retreated else [])
    assert earned(s, 0) == n


def test_ruling_91_in_order_of_entry_the_disc_gives_no_place() -> None:
    """Seat 0 has the disc but came last."""
    s = field(DIRECTORATE, UNION, FEDERATION, ships={2: ONE, 1: ONE, 0: ONE}, disc=0)
    for seat, computer in ((0, "gluon_computer"), (1, "positron_computer")):
        fit(s, seat, "interceptor", computer)
    game = fight(s, *dice(6), *dice(6))
    assert list(drew(game)) == [2, 1]
    game(1, "1")
    assert drew(game) == {2: 1, 1: 2, 0: 2}


def test_ruling_91_each_finishes_before_the_next_draws() -> None:
    game = fight(won(2), *dice(6, 6), 31, 0, 0, 0, 0)
    assert drew(game) == {0: 1, 1: 3}
    assert game.s.boards[0].reputation == [4]
    assert game.asked(1) == "reputation.keep"


def test_ruling_91_kills_of_all_battles_of_the_hex_are_added_up() -> None:
    s = field(DIRECTORATE, UNION, FEDERATION, ships={0: ONE, 1: ONE, 2: {"dreadnought": 1}})
    fit(s, 2, "dreadnought", "", "", "fusion_drive", "", "", "", "gluon_computer")
    game = fight(s, *dice(6, 1), *dice(6, 1))
    assert drew(game) == {0: 1, 1: 1, 2: 3}


def test_ruling_92_who_retreats_with_the_last_ships_gets_nothing_for_taking_part() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}, 1: ONE}, disc=0)
    refuge(s, 1)
    game = fight(s, *dice(1))(1, "retreat.interceptor.202")
    assert game.ships(1, "202") == ONE
    assert drew(game) == {0: 1}


def test_ruling_92_ships_shot_while_retreating_have_retreated() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"cruiser": 1}, 1: ONE}, disc=0)
    refuge(s, 1)
    game = fight(s, *dice(6))(1, "retreat.interceptor.202")
    assert drew(game) == {0: 2}
    game(0, game.ids(0)[0])
    assert (game.s.battle, drew(game)) == (None, {0: 2}), "the other draws none after that"


def test_ruling_92_kills_count_all_the_same() -> None:
    s = field(DIRECTORATE, UNION, ships={0: {"interceptor": 1, "cruiser": 1}, 1: ONE}, disc=0)
    fit(s, 1, "interceptor", "fusion_drive")
    refuge(s, 1)
    game = fight(s, *dice(6), *dice(1), *dice(1))(1, "attack.interceptor", "interceptor.0", "retreat.interceptor.202")
    assert drew(game) == {0: 1, 1: 1}


def test_ruling_92_only_the_last_ships_count() -> None:
    """The Interceptor gets away, the Cruiser falls later without retreating."""
    s = field(DIRECTORATE, UNION, ships={0: {"dreadnought": 1}, 1: {"interceptor": 1, "cruiser": 1}}, disc=0)
    refuge(s, 1)
    game = fight(s, *dice(1), *dice(1, 1), *dice(1), *dice(6, 6))
    game(1, "retreat.interceptor.202", "attack.cruiser", "attack.cruiser")
    assert game.ships(1, "202") == ONE
    assert drew(game) == {0: 3}
    game(0, "1")
    assert drew(game) == {0: 3, 1: 1}


def test_ruling_92_who_stays_to_the_last_has_not_retreated() -> None:
    """One volley destroys the retreating Interceptor and the Cruiser that stayed."""
    s = field(DIRECTORATE, UNION, ships={0: {"dreadnought": 2}, 1: {"interceptor": 1, "cruiser": 1}}, disc=0)
    fit(s, 0, "dreadnought", "", "gluon_computer", "plasma_cannon")
    refuge(s, 1)
    game = fight(s, *dice(1, 1, 1, 1, 1, 1), *dice(1), *dice(6, 6, 6, 6, 6, 6))
    game(1, "retreat.interceptor.202", "attack.cruiser")
    assert game.ships(1, "201") == {}
    game(0, "1")
    assert drew(game) == {0: 4, 1: 1}


def test_ruling_93_the_wiped_out_still_draw() -> None:
    game = fight(won(), *dice(6))
    assert game.ships(0, "201") == {}
    assert drew(game) == {0: 1, 1: 2}


def test_ruling_94_a_bag_with_too_few_tiles() -> None:
    s = won(2)
    s.reputation = Pile.of("44")
    game = fight(s, *dice(6, 6))
    assert drew(game) == {0: 1, 1: 1}
    assert game.s.boards[1].reputation == [4]
    s.reputation = Pile([])
    game = fight(s, *dice(6, 6))
    assert drew(game) == {}


def test_ruling_95_with_a_free_slot_one_tile_must_be_kept() -> None:
    game = fight(won(), *dice(6), 0, 30, 0)
    assert game.asked(1) == "reputation.keep"
    assert game.ids(1) == ["4", "1"]
    game(1, "1")
    assert game.s.boards[1].reputation == [1]
    assert game.s.reputation.counts() == {"1": 10, "2": 9, "3": 7, "4": 4}
    assert game.s.boards[1].returned == [4]


def test_ruling_95_an_ambassador_only_slot_does_not_suit() -> None:
    s = position(DIRECTORATE, MECHANEMA, ORION, UNION)
    assert [room(s, seat) for seat in range(4)] == [4, 4, 5, 4]
    for board in s.boards:
        board.ambassadors = [seat for seat in range(4) if s.boards[seat] is not board][:2]
    assert [room(s, seat) for seat in range(4)] == [3, 2, 3, 3]


def test_what_others_know_of_the_bag_is_void_when_tiles_were_drawn() -> None:
    s = won()
    s.boards[0].returned, s.boards[1].returned = [3], [4, 2]
    game = fight(s, *dice(6), 0, 0, 29)(1, "4")
    assert game.s.boards[0].returned == []
    assert game.s.boards[1].returned == [1]
    s.boards[0].returned = []
    game = fight(s, *dice(6), 0, 0, 0)(1, "1")
    assert game.s.boards[1].returned == [1]


def full(*tiles: int) -> Played:
    s = won()
    s.boards[1].reputation = list(tiles)
    return fight(s, *dice(6), 0, 30, 0)


def test_ruling_96_a_full_track_returns_any_one_tile_the_new_or_an_old_one() -> None:
    game = full(2, 2, 3, 1)(1, "4")
    assert game.asked(1) == "reputation.return"
    assert game.ids(1) == ["1", "2", "3", "4"]
    game(1, "1")
    assert sorted(game.s.boards[1].reputation) == [2, 2, 3, 4]
    game = full(2, 2, 3, 1)(1, "4", "4")
    assert sorted(game.s.boards[1].reputation) == [1, 2, 2, 3]
    assert sorted(game.s.boards[1].returned) == [1, 4]


def test_ruling_96_with_ambassadors_in_all_suitable_slots_the_new_tile_goes_back() -> None:
    s = field(DIRECTORATE, MECHANEMA, ships={0: ONE, 1: ONE})
    s.boards[1].ambassadors = [0, 0, 0, 0]
    fit(s, 1, "interceptor", "fusion_drive")
    game = fight(s, *dice(6), 0, 30, 0)(1, "4")
    assert game.s.boards[1].reputation == []
    assert len(game.s.reputation) == 31
    assert game.told("reputation.no_room") != []


# Secrecy


def test_values_are_told_to_their_owner_only() -> None:
    game = fight(won(), *dice(6), 0, 30, 0)(1, "4")
    told = [event for event in game.events if event.kind in ("reputation.values", "reputation.now")]
    assert [(event.audience, event.owner) for event in told] == [((0,), 0)] * 2 + [((1,), 1)] * 2
    public = [event for event in game.events if event.kind.startswith("reputation.") and event.audience is None]
    assert all(set(event.args) <= {"seat", "n"} for event in public)


def test_what_is_asked_does_not_depend_on_the_values() -> None:
    """Three equal tiles are asked about like different ones; others see neither them nor the options."""
    game = fight(won(), *dice(6), 0, 0, 0)
    assert game.ids(1) == ["1"]
    question = game.table.asked[1]
    assert question.private
    for viewer in (0, None):
        seen = RULES.view(game.s, viewer).battle
        assert seen is not None
        assert (seen.drawing, seen.drawn) == (1, ())
    own = RULES.view(game.s, 1).battle
    assert own is not None
    assert own.drawn == (1, 1)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_tiles_are_conserved_and_twins_look_alike_while_they_are_drawn(viewer: int | None) -> None:
    for game in (full(2, 2, 3, 1), full(2, 2, 3, 1)(1, "4")):
        twin = RULES.resample(game.s, viewer, Chance(b"twin"))
        assert RULES.view(twin, viewer) == RULES.view(game.s, viewer)
        assert tiles(twin) == tiles(game.s)


def tiles(s: State) -> int:
    """All reputation tiles there are."""
    assert s.battle is not None
    return len(s.reputation) + sum(len(board.reputation) for board in s.boards) + len(s.battle.drawn)
