"""Hexes: sectors, wormholes, control."""

from rules.eclipse import explore, influence
from rules.eclipse.hexes import CENTRE, connected, distance, edges, links, links_for, ring
from rules.eclipse.state import controlled

from .helpers import DIRECTORATE, UNION, home, position, put, step, turned


def test_a_turned_tile() -> None:
    assert [edge for edge in range(6) if edges("304", 0)[edge]] == [0, 3]
    assert [edge for edge in range(6) if edges("304", 1)[edge]] == [1, 4]
    assert [edge for edge in range(6) if edges("201", 5)[edge]] == [0, 2, 4]


def test_ruling_10_wormholes_on_both_sides() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    south = step(at, 3)
    put(s, "106", south, turned("106", 0))
    assert connected(s, at, 3)
    assert south in links(s, at)


def test_ruling_10_one_side_is_enough_for_the_owner_of_a_wormhole_generator() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    south = step(at, 3)
    put(s, "106", south, turned("106", shut=[0]))
    assert list(links(s, at)) == []
    s.boards[0].technologies.append("wormhole_generator")
    assert list(links_for(s, at, 0)) == [south]
    assert list(links_for(s, at, 1)) == []
    assert at in links_for(s, south, 0)


def test_ruling_10_no_wormhole_never_connects() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    s.boards[0].technologies.append("wormhole_generator")
    put(s, "106", step(at, 2), turned("106", shut=[5]))
    assert list(links_for(s, at, 0)) == []


def test_ruling_11_sectors() -> None:
    assert ring(CENTRE) == "centre"
    assert {ring(place) for place in ("0,-1", "1,0", "-1,1")} == {"I"}
    assert {ring(place) for place in ("0,-2", "1,-2", "2,-1", "-2,2")} == {"II"}
    assert {ring(place) for place in ("0,-3", "3,0", "2,1", "-5,2", "7,7")} == {"III"}
    assert distance("2,-1") == 2
    assert distance("2,1") == 3


def test_ruling_11_start_spots_nobody_took_are_middle() -> None:
    s = position(DIRECTORATE, UNION)
    put(s, "106", "1,-1", turned("106", 1, shut=[4]), disc=0)
    assert "2,-2" in explore.spaces(s, 0)
    assert ring("2,-2") == "II"


def test_ruling_12_one_disc_which_is_control() -> None:
    s = position(DIRECTORATE, UNION)
    at = home(s, 0)
    put(s, "106", step(at, 3), turned("106", 0), disc=1)
    assert controlled(s, 0) == [at]
    assert influence.goals(s, 0) == [], "no second disc beside another's"
