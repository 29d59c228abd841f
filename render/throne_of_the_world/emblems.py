"""The signs of this game: one shape for each profession, kind of card, race and figure, told apart without colour."""

import math

from .. import sprites
from ..sprites import Part, Shape, circle, polygon, star


def turned(part: Part, degrees: float) -> Part:
    """A polygon or disc turned around the middle."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    if len(part.points) == 2:
        (left, top), (right, bottom) = part.points
        x, y, radius = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
        return circle(x * cosine - y * sine, x * sine + y * cosine, radius, part.cut)
    return Part(tuple((x * cosine - y * sine, x * sine + y * cosine) for x, y in part.points), part.cut)


def moved(part: Part, x: float, y: float, scale: float = 1.0) -> Part:
    """A part made smaller and put elsewhere."""
    return Part(tuple((x + scale * px, y + scale * py) for px, py in part.points), part.cut)


def leaf(x: float, y: float, degrees: float, length: float, width: float) -> Part:
    """A pointed leaf that begins here and points up, turned by so much."""
    outline = ((0, 0), (width, -0.35 * length), (0.7 * width, -0.7 * length), (0, -length))
    mirrored = tuple((-px, py) for px, py in reversed(outline[1:-1]))
    return moved(turned(polygon(*outline, *mirrored), degrees), x, y)


BOLT = polygon((0.25, -1), (-0.68, 0.16), (-0.1, 0.16), (-0.3, 1), (0.68, -0.28), (0.1, -0.28), (0.5, -1))

PROFESSIONS: dict[str, Shape] = {
    "soldiers": (
        polygon((-0.88, -0.92), (0, -0.78), (0.88, -0.92), (0.84, 0.12), (0.55, 0.62), (0, 1), (-0.55, 0.62), (-0.84, 0.12)),
        polygon((-0.13, -0.5), (0.13, -0.5), (0.13, 0.6), (-0.13, 0.6), cut=True),
        polygon((-0.52, -0.26), (0.52, -0.26), (0.52, 0), (-0.52, 0), cut=True),
    ),
    "wizards": (
        Part(((-1, 0.44), (1, 0.98))),
        Part(((-0.66, 0.3), (0.66, 0.66)), cut=True),
        polygon((-0.56, 0.5), (-0.3, -0.3), (-0.02, -0.98), (0.62, -0.72), (0.3, -0.56), (0.56, 0.5), (0.3, 0.6), (-0.3, 0.6)),
        moved(Part(star(5, 0.42).points, cut=True), 0.04, 0.06, 0.27),
    ),
    "knights": (
        polygon(
            (-0.12, -0.98), (0.06, -0.74), (0.42, -0.58), (0.72, -0.16), (0.8, 0.3), (0.68, 0.6), (-0.52, 0.6), (-0.36, 0.32),
            (0.02, 0.06), (0.06, -0.16), (-0.3, -0.06), (-0.46, 0.22), (-0.74, 0.26), (-0.9, 0.04), (-0.62, -0.44), (-0.34, -0.7),
        ),
        polygon((-0.72, 0.7), (0.84, 0.7), (0.84, 1), (-0.72, 1)),
        circle(-0.2, -0.42, 0.11, cut=True),
    ),
    "farmers": (
        polygon((-0.07, -0.4), (0.07, -0.4), (0.07, 1), (-0.07, 1)),
        leaf(0, -0.36, 0, 0.64, 0.22),
        *(leaf(side * 0.07, y, side * 48, 0.8, 0.22) for y in (0.08, 0.46, 0.84) for side in (-1, 1)),
    ),
    "miners": tuple(
        turned(part, 40)
        for part in (
            polygon((-0.13, -0.85), (0.13, -0.85), (0.15, 1.08), (-0.15, 1.08)),
            polygon((-0.98, -0.02), (-0.64, -0.56), (0, -0.84), (0.64, -0.56), (0.98, -0.02), (0.58, -0.28), (0, -0.42), (-0.58, -0.28)),
        )
    ),
    "hunters": tuple(
        turned(part, -45)
        for part in (
            circle(-0.42, 0, 1.06),
            circle(-0.7, 0, 1.0, cut=True),
            polygon((-0.5, -0.98), (-0.36, -0.98), (-0.36, 0.98), (-0.5, 0.98)),
            polygon((-1.05, -0.1), (0.8, -0.1), (0.8, 0.1), (-1.05, 0.1)),
            polygon((1.2, 0), (0.64, -0.34), (0.64, 0.34)),
        )
    ),
    "royal_family": sprites.SHAPES["crown"],
}  # fmt: skip

SIGNS: dict[str, Shape] = {
    "bolt": (BOLT,),
    "bolts": (moved(BOLT, -0.46, -0.08, 0.8), moved(BOLT, 0.46, 0.08, 0.8)),
    "sparkle": (star(4, 0.3), moved(star(4, 0.3), 0.72, -0.7, 0.3), moved(star(4, 0.3), -0.7, 0.7, 0.24)),
    "pawn": (
        circle(0, -0.52, 0.46),
        polygon((-0.3, -0.2), (0.3, -0.2), (0.7, 0.98), (-0.7, 0.98)),
    ),
    "coin": (circle(0, 0, 1), circle(0, 0, 0.76, cut=True), circle(0, 0, 0.6)),
    "heart": (
        circle(-0.46, -0.36, 0.52),
        circle(0.46, -0.36, 0.52),
        polygon((-0.92, -0.14), (0, -0.4), (0.92, -0.14), (0, 0.96)),
    ),
}

RACES: dict[str, Shape] = {
    "trident": (
        polygon((-0.12, -0.9), (0.12, -0.9), (0.12, 1), (-0.12, 1)),
        polygon((-0.8, -0.8), (-0.56, -0.8), (-0.56, -0.1), (0.56, -0.1), (0.56, -0.8), (0.8, -0.8), (0.8, 0.14), (-0.8, 0.14)),
        polygon((0, -1), (0.26, -0.62), (-0.26, -0.62)),
        polygon((-0.68, -1), (-0.42, -0.62), (-0.94, -0.62)),
        polygon((0.68, -1), (0.94, -0.62), (0.42, -0.62)),
    ),
    "paw": (
        Part(((-0.56, 0), (0.56, 0.95))),
        circle(-0.72, -0.08, 0.25),
        circle(-0.27, -0.6, 0.28),
        circle(0.27, -0.6, 0.28),
        circle(0.72, -0.08, 0.25),
    ),
    "tree": (
        polygon((0, -1), (0.6, -0.36), (0.32, -0.36), (0.86, 0.36), (0.16, 0.36), (0.16, 1), (-0.16, 1), (-0.16, 0.36), (-0.86, 0.36), (-0.32, -0.36), (-0.6, -0.36)),
    ),
    "shuriken": (star(4, 0.34), circle(0, 0, 0.16, cut=True)),
    "sack": (
        circle(0, 0.32, 0.66),
        polygon((-0.3, -0.2), (-0.5, -0.9), (0, -0.7), (0.5, -0.9), (0.3, -0.2)),
        polygon((-0.5, -0.3), (0.5, -0.3), (0.5, -0.2), (-0.5, -0.2), cut=True),
    ),
    "cauldron": (
        circle(0, 0.2, 0.76),
        polygon((-1, -1), (1, -1), (1, -0.26), (-1, -0.26), cut=True),
        polygon((-0.94, -0.42), (0.94, -0.42), (0.94, -0.16), (-0.94, -0.16)),
        circle(-0.2, -0.72, 0.18),
        circle(0.26, -0.82, 0.14),
        polygon((-0.56, 0.7), (-0.28, 0.86), (-0.5, 1), (-0.74, 1)),
        polygon((0.56, 0.7), (0.28, 0.86), (0.5, 1), (0.74, 1)),
    ),
    "person": (circle(0, -0.5, 0.42), polygon((-0.8, 0.98), (-0.62, 0.3), (-0.3, 0.06), (0.3, 0.06), (0.62, 0.3), (0.8, 0.98))),
}  # fmt: skip

sprites.learn(PROFESSIONS | SIGNS | RACES)
