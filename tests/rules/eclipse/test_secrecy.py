"""Hidden information: what a viewer cannot know is drawn anew and shows nowhere."""

from collections import Counter

import msgspec
import pytest

from rules.eclipse import RULES, resample
from rules.eclipse.components import stack_of
from rules.eclipse.state import Battle, State
from rules.engine.chance import Chance
from rules.engine.log import encode
from rules.engine.pile import Pile

from .helpers import DIRECTORATE, ERIDANI, UNION, position
from .walks import check_components, lasting, start, step

VIEWERS = (None, 0, 1, 2)


def twins(s: State, viewer: int | None, n: int = 40) -> list[State]:
    """States that look the same to the viewer."""
    return [resample.resample(s, viewer, Chance(b"twin%d" % seed)) for seed in range(n)]


def held(*tiles: tuple[int, ...]) -> State:
    """A position in which the seats hold these reputation tiles."""
    s = position(DIRECTORATE, UNION, "terran_federation")
    left = Counter(s.reputation.counts())
    for board, values in zip(s.boards, tiles, strict=True):
        board.reputation = list(values)
        left -= Counter(str(value) for value in values)
    s.reputation = Pile.of(left.elements())
    return s


@pytest.mark.parametrize("viewer", VIEWERS)
def test_twins_look_the_same_all_through_a_game(viewer: int | None) -> None:
    table, chance = start(3, 5), Chance(b"twins")
    while not table.over:
        step(table, chance)
        if table.length % 9 == 0:
            twin = resample.resample(table.state, viewer, Chance(b"%d" % table.length))
            assert encode(RULES.view(twin, viewer)) == encode(RULES.view(table.state, viewer))
            if table.state.phase != "beginning":
                other = type("Twin", (), {"state": twin, "asked": table.asked})
                check_components(other)  # type: ignore[arg-type]


def test_others_reputation_tiles_are_drawn_anew_and_own_ones_stay() -> None:
    s = held((4, 4), (3, 1), (2,))
    for viewer in VIEWERS:
        for seat in range(3):
            values = {tuple(sorted(twin.boards[seat].reputation)) for twin in twins(s, viewer)}
            assert (len(values) == 1) == (seat == viewer)


def test_tiles_the_viewer_put_back_are_in_the_bag() -> None:
    s = held((1,), (2, 2), (2,))
    s.boards[0].returned = [4, 4, 4, 4]
    assert not any(4 in board.reputation for twin in twins(s, 0) for board in twin.boards)
    assert any(4 in board.reputation for twin in twins(s, 1) for board in twin.boards)


def test_tiles_just_drawn_are_seen_by_who_drew_them_only() -> None:
    s = held((1,), (2,), ())
    s.battle = Battle("0,0", step="reputation", drawing=1, drawn=[4, 3])
    s.reputation.layers[0]["4"] -= 1
    s.reputation.layers[0]["3"] -= 1
    shown = [RULES.view(s, viewer).battle for viewer in VIEWERS]
    assert [battle.drawn for battle in shown if battle] == [(), (), (4, 3), ()]
    assert {tuple(twin.battle.drawn) for twin in twins(s, 1) if twin.battle} == {(4, 3)}
    assert len({tuple(twin.battle.drawn) for twin in twins(s, 0) if twin.battle}) > 3


def test_the_tiles_of_a_player_who_left_are_open() -> None:
    s = held((4,), (2,), (1,))
    s.boards[0].out, s.boards[0].score = "collapsed", {"reputation": 4}
    assert {tuple(twin.boards[0].reputation) for twin in twins(s, 1)} == {(4,)}


def test_which_outer_tiles_are_in_the_game_is_hidden_until_they_come_round() -> None:
    s = position(DIRECTORATE, UNION)
    piles = {tuple(twin.stacks["III"].pile.counts()) for twin in twins(s, 0)}
    assert len(piles) > 10
    assert all(len(pile) == 5 for pile in piles)
    s.stacks["III"].known = True
    assert len({tuple(twin.stacks["III"].pile.counts()) for twin in twins(s, 0)}) == 1


def test_tiles_seen_stay_out_of_the_outer_stack() -> None:
    s = position(DIRECTORATE, UNION)
    tiles = stack_of("III")
    s.stacks["III"].pile, s.stacks["III"].discards, s.turned = Pile.of(tiles[:3]), [tiles[4]], [tiles[5]]
    for twin in twins(s, 0):
        assert not {tiles[4], tiles[5]} & set(twin.stacks["III"].pile.counts())


def test_inner_tiles_and_technologies_have_no_hidden_part() -> None:
    s = position(ERIDANI, UNION)
    for twin in twins(s, 1, 5):
        assert twin.stacks["I"] == s.stacks["I"]
        assert twin.stacks["II"] == s.stacks["II"]
        assert (twin.bag, twin.discoveries) == (s.bag, s.discoveries)


def test_no_view_holds_a_bag_or_another_seats_tiles() -> None:
    """What is hidden is changed to something that could not be missed."""
    table, chance = start(4, 8), Chance(b"mark")
    while table.state.round < 3:
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        table.answer(seat, lasting(seat, table.asked[seat], chance))
    s = msgspec.msgpack.decode(encode(table.state), type=State)
    before = [encode(RULES.view(s, viewer)) for viewer in (None, 0)]
    s.boards[1].reputation, s.boards[1].returned = [77] * len(s.boards[1].reputation), [78]
    s.stacks["III"].pile = Pile.of(["999"] * len(s.stacks["III"].pile))
    s.reputation = Pile.of(["79"] * len(s.reputation))
    assert [encode(RULES.view(s, viewer)) for viewer in (None, 0)] == before
