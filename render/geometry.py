"""Hexes on the screen: axial coordinates in, pixels out. y grows downwards."""

import math
from collections.abc import Iterable
from typing import NamedTuple

#: axial steps of the directions 0..5, counter-clockwise, 0 to the east (pointy) or south-east (flat)
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
ROOT3 = math.sqrt(3)


class Point(NamedTuple):
    """A place on the canvas."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle on the canvas: left and top inside, right and bottom outside."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    def meets(self, other: "Box") -> bool:
        """Whether the two share an area."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def inside(self, other: "Box") -> bool:
        """Whether this one lies wholly in the other."""
        return (
            other.left <= self.left
            and other.top <= self.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds them all."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


class HexGrid(NamedTuple):
    """A grid of hexes: `size` is the distance from a centre to its corners, `origin` where (0, 0) lies."""

    size: float
    origin: Point = Point(0, 0)
    flat: bool = False

    @property
    def apothem(self) -> float:
        """The distance from a centre to its edges."""
        return self.size * ROOT3 / 2

    def centre(self, q: int, r: int) -> Point:
        """The middle of a hex."""
        if self.flat:
            x, y = 1.5 * q, ROOT3 * (r + q / 2)
        else:
            x, y = ROOT3 * (q + r / 2), 1.5 * r
        return Point(self.origin.x + x * self.size, self.origin.y + y * self.size)

    def corners(self, q: int, r: int, share: float = 1.0) -> list[Point]:
        """The six corners of a hex, drawn towards its middle by `share` < 1."""
        middle = self.centre(q, r)
        turn = 0 if self.flat else 30
        return [_away(middle, self.size * share, turn + 60 * k) for k in range(6)]

    def spot(self, q: int, r: int, direction: int, share: float) -> Point:
        """The point on the way from a hex's middle to the edge in this direction, `share` of that way."""
        middle = self.centre(q, r)
        turn = -30 if self.flat else 0
        return _away(middle, self.apothem * share, -(turn + 60 * direction))

    def bounds(self, hexes: Iterable[tuple[int, int]]) -> Box:
        """The box around these hexes."""
        points = [corner for q, r in hexes for corner in self.corners(q, r)]
        xs, ys = [p.x for p in points], [p.y for p in points]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def touches(self, q: int, r: int, box: Box) -> bool:
        """Whether the hex and the box share an area (separating axes)."""
        corners = self.corners(q, r)
        frame = [Point(box.left, box.top), Point(box.right, box.top), Point(*box[2:]), Point(box.left, box.bottom)]
        angles = (0, 90, *((30, 150, 90) if self.flat else (0, 60, 120)))
        return not any(_apart(corners, frame, math.radians(angle)) for angle in angles)


def _away(start: Point, distance: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return Point(start.x + distance * math.cos(angle), start.y + distance * math.sin(angle))


def _apart(some: list[Point], others: list[Point], angle: float) -> bool:
    axis = math.cos(angle), math.sin(angle)
    first = [p.x * axis[0] + p.y * axis[1] for p in some]
    second = [p.x * axis[0] + p.y * axis[1] for p in others]
    return max(first) <= min(second) or max(second) <= min(first)
