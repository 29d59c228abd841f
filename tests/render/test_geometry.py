"""Hexes, and the galaxy laid out on them."""

import math

import pytest

from render.geometry import DIRECTIONS, Box, HexGrid, Point
from render.struggle_for_the_throne.galaxy import PITCH, galaxy
from rules.struggle_for_the_throne import components

from .samples import make


@pytest.mark.parametrize("flat", [False, True])
def test_neighbours_meet_at_the_edge_that_faces_them(flat: bool) -> None:
    grid = HexGrid(40, Point(3, 5), flat)
    for direction, (dq, dr) in enumerate(DIRECTIONS):
        here, there = grid.spot(2, -1, direction, 1), grid.spot(2 + dq, -1 + dr, (direction + 3) % 6, 1)
        assert math.dist(here, there) < 1e-9
        assert math.isclose(math.dist(grid.centre(2, -1), grid.centre(2 + dq, -1 + dr)), 2 * grid.apothem)


@pytest.mark.parametrize("flat", [False, True])
def test_touches_agrees_with_the_shape(flat: bool) -> None:
    grid = HexGrid(50, Point(0, 0), flat)
    assert grid.touches(0, 0, Box(-5, -5, 5, 5))
    corner = grid.bounds([(0, 0)])
    assert not grid.touches(0, 0, Box(corner.left, corner.top, corner.left + 5, corner.top + 5))
    assert not grid.touches(0, 0, Box(corner.right, 0, corner.right + 9, 9))


@pytest.mark.parametrize(("seats", "board"), [(6, components.BOARD), (12, components.GREAT_BOARD)])
def test_the_map_shows_every_planet_and_every_way(seats: int, board: components.Board) -> None:
    land = galaxy(make(seats).tiles)
    assert set(land.planets) == set(board.planets)
    drawn = sorted(tuple(sorted(path)) for path in land.paths)
    assert drawn == sorted({(a, b) for a, others in board.adjacent.items() for b in others if a < b})


def test_all_neighbours_are_equally_far_and_nothing_is_nearer() -> None:
    land = galaxy(make(6).tiles)
    lengths = {round(math.dist(land.planets[a], land.planets[b]), 6) for a, b in land.paths}
    assert lengths == {PITCH}
    planets = list(land.planets.values())
    assert min(math.dist(a, b) for k, a in enumerate(planets) for b in planets[:k]) >= PITCH - 1e-6
