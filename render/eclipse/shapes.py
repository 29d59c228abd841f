"""The signs of this game: ships, resources, parts, structures, species, actions; told apart without colour."""

import math

from .. import sprites
from ..sprites import Part, Shape, circle, polygon, regular, star


def turned(part: Part, degrees: float) -> Part:
    """A polygon turned around the middle."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return Part(tuple((x * cosine - y * sine, x * sine + y * cosine) for x, y in part.points), part.cut)


def moved(part: Part, x: float, y: float, scale: float = 1.0) -> Part:
    """A part made smaller and put elsewhere."""
    return Part(tuple((x + scale * px, y + scale * py) for px, py in part.points), part.cut)


def bar(left: float, top: float, right: float, bottom: float, cut: bool = False) -> Part:
    """A rectangle."""
    return polygon((left, top), (right, top), (right, bottom), (left, bottom), cut=cut)


def mirrored(*half: tuple[float, float], cut: bool = False) -> Part:
    """A polygon that is the same left and right, given by its right half from the top to the bottom."""
    return Part((*half, *((-x, y) for x, y in reversed(half))), cut)


def sector(start: float, end: float, outer: float, inner: float, x: float = 0, y: float = 0) -> Part:
    """A piece of a ring between two angles (degrees, 0 to the right, clockwise)."""
    steps = [start + (end - start) * k / 24 for k in range(25)]
    rim = [(x + outer * math.cos(math.radians(a)), y + outer * math.sin(math.radians(a))) for a in steps]
    core = [(x + inner * math.cos(math.radians(a)), y + inner * math.sin(math.radians(a))) for a in reversed(steps)]
    return Part((*rim, *core))


GEAR = (star(8, 0.74, -78), star(8, 0.74, -102), circle(0, 0, 0.36, cut=True))

SHIPS: dict[str, Shape] = {
    "interceptor": (mirrored((0, -1), (0.2, -0.3), (0.72, 0.72), (0.22, 0.5), (0.14, 0.92)),),
    "cruiser": (
        mirrored((0, -1), (0.26, -0.66), (0.3, -0.1), (0.98, 0.3), (0.98, 0.86), (0.62, 0.62), (0.34, 0.62), (0.3, 0.98)),
        polygon((0, -0.4), (0.12, -0.1), (0, 0.2), (-0.12, -0.1), cut=True),
    ),
    "dreadnought": (
        mirrored((0.3, -1), (0.42, -0.5), (0.72, -0.36), (0.72, -0.9), (0.98, -0.9), (0.98, 0.5), (0.66, 0.66), (0.66, 1), (0.3, 1), (0.26, 0.7)),
        polygon((0, -0.62), (0.16, -0.3), (0, 0.02), (-0.16, -0.3), cut=True),
        bar(-0.4, 0.24, 0.4, 0.4, cut=True),
    ),
    "starbase": (
        circle(0, 0, 0.74),
        circle(0, 0, 0.5, cut=True),
        circle(0, 0, 0.28),
        *(turned(bar(-0.11, -1, 0.11, 1), a) for a in (0, 90)),
        *(turned(bar(-0.3, -1, 0.3, -0.82), a) for a in (0, 90, 180, 270)),
    ),
    "ancient": (
        *(turned(polygon((-0.24, -0.3), (0, -1), (0.24, -0.3)), a) for a in (0, 120, 240)),
        *(turned(polygon((-0.14, -0.4), (0, -0.8), (0.14, -0.4)), a) for a in (60, 180, 300)),
        circle(0, 0, 0.56),
        circle(0, 0, 0.3, cut=True),
        circle(0, 0, 0.15),
    ),
    "gcds": (
        star(12, 0.84),
        circle(0, 0, 0.68, cut=True),
        circle(0, 0, 0.54),
        polygon((-0.44, 0), (0, -0.26), (0.44, 0), (0, 0.26), cut=True),
        circle(0, 0, 0.16),
    ),
}  # fmt: skip

RESOURCES: dict[str, Shape] = {
    "coins": (circle(0, 0, 0.96), circle(0, 0, 0.72, cut=True), mirrored((0, -0.5), (0.4, 0), (0, 0.5))),
    "flask": (
        mirrored((0.34, -1), (0.34, -0.78), (0.22, -0.74), (0.22, -0.2), (0.82, 0.72), (0.74, 0.96)),
        mirrored((0.2, 0.1), (0.34, 0.34), cut=True),
    ),
    "ore": (
        polygon((-0.6, -0.2), (-0.3, -0.86), (0.3, -0.9), (0.58, -0.2)),
        polygon((-1, 0.9), (-0.8, 0.1), (-0.16, 0.02), (0.0, 0.9)),
        polygon((0.08, 0.9), (0.2, 0.02), (0.76, 0.06), (1, 0.9)),
    ),
    "any": (mirrored((0, -0.9), (0.9, 0), (0, 0.9)), mirrored((0, -0.5), (0.5, 0), (0, 0.5), cut=True)),
    "satellite": (
        sector(0, 360, 0.62, 0.4),
        bar(-1, -0.26, -0.6, 0.26),
        bar(0.6, -0.26, 1, 0.26),
        bar(-0.14, -0.95, 0.14, -0.55),
        bar(-0.14, 0.55, 0.14, 0.95),
    ),
}

PARTS: dict[str, Shape] = {
    "muzzle": (
        bar(-0.95, -0.34, 0.1, 0.34),
        bar(0.1, -0.2, 0.5, 0.2),
        polygon((0.56, -0.14), (0.98, -0.4), (0.84, 0), (0.98, 0.4), (0.56, 0.14)),
        bar(-0.7, 0.34, -0.3, 0.72),
    ),
    "rocket": tuple(
        turned(part, 45)
        for part in (
            mirrored((0, -1.1), (0.3, -0.6), (0.3, 0.5)),
            mirrored((0.3, 0.1), (0.7, 0.7), (0.26, 0.6)),
            mirrored((0.16, 0.6), (0, 1.05)),
        )
    ),
    "plates": (
        bar(-0.9, -0.9, 0.9, 0.9),
        bar(-0.06, -0.9, 0.06, 0.9, cut=True),
        bar(-0.9, -0.06, 0.9, 0.06, cut=True),
        *(circle(x, y, 0.13, cut=True) for x in (-0.66, 0.66) for y in (-0.66, 0.66)),
    ),
    "thrust": (
        polygon((-0.2, -0.85), (0.25, -0.85), (0.95, 0), (0.25, 0.85), (-0.2, 0.85), (0.45, 0)),
        polygon((-0.95, -0.85), (-0.5, -0.85), (0.2, 0), (-0.5, 0.85), (-0.95, 0.85), (-0.3, 0)),
    ),
    "sight": (
        sector(0, 360, 0.76, 0.54),
        circle(0, 0, 0.2),
        *(turned(bar(-0.11, -1, 0.11, -0.42), a) for a in (0, 90, 180, 270)),
    ),
    "spark": (polygon((0.3, -1), (-0.66, 0.18), (-0.08, 0.18), (-0.34, 1), (0.66, -0.26), (0.1, -0.26)),),
    "dome": (sector(180, 360, 1, 0.74, y=0.5), sector(180, 360, 0.56, 0.34, y=0.5), bar(-1, 0.58, 1, 0.8)),
    "initiative": (
        polygon((-0.9, -0.9), (0.9, -0.9), (0.12, 0), (0.9, 0.9), (-0.9, 0.9), (-0.12, 0)),
        polygon((-0.4, -0.68), (0.4, -0.68), (0, -0.24), cut=True),
    ),
}

THINGS: dict[str, Shape] = {
    "pentagon": (regular(5),),
    "lozenge": (mirrored((0, -1), (1, 0), (0, 1)),),
    "slab": (polygon((-0.36, -0.78), (0.1, -1), (0.4, -0.82), (0.4, 0.96), (-0.36, 0.96)), polygon((0.04, -0.66), (0.13, -0.7), (0.13, 0.96), (0.04, 0.96), cut=True)),
    "relic": (
        mirrored((0, -1), (0.62, -0.36), (0.36, 0.36), (0, 0.62)),
        mirrored((0, -0.66), (0.3, -0.3), (0, 0.3), cut=True),
        mirrored((0.5, 0.74), (0.66, 1)),
    ),
    "capsule": (
        mirrored((0, -1), (0.5, -0.5), (0.5, 0.42)),
        mirrored((0.5, 0.06), (0.86, 0.5), (0.86, 0.98), (0.4, 0.66)),
        circle(0, -0.3, 0.2, cut=True),
    ),
    "medal": (polygon((-0.7, -1), (-0.2, -1), (0.16, -0.2), (-0.24, -0.1)), polygon((0.7, -1), (0.2, -1), (-0.16, -0.2), (0.24, -0.1)), circle(0, 0.36, 0.62), moved(Part(star(5, 0.42).points, cut=True), 0, 0.36, 0.42)),
    "envoy": (circle(0, -0.56, 0.4), mirrored((0.36, -0.06), (0.76, 0.3), (0.84, 0.96)), mirrored((0, 0.12), (0.16, 0.5), (0, 0.86), cut=True)),
    "mask": (mirrored((0.9, -0.8), (0.86, 0.1), (0.5, 0.7), (0.12, 0.95)), turned(bar(-0.72, -0.34, -0.16, -0.06, cut=True), 12), turned(bar(0.16, -0.34, 0.72, -0.06, cut=True), -12), bar(-0.34, 0.36, 0.34, 0.5, cut=True)),
    "cube": (
        mirrored((0, -0.98), (0.88, -0.5), (0.88, 0.5), (0, 0.98)),
        polygon((-0.8, -0.42), (0, 0.0), (0.8, -0.42), (0.8, -0.3), (0.07, 0.1), (0.07, 0.9), (-0.07, 0.9), (-0.07, 0.1), (-0.8, -0.3), cut=True),
    ),
    "bomb": (circle(-0.12, 0.24, 0.7), turned(bar(-0.2, -0.74, 0.2, -0.4), 40), polygon((0.52, -0.62), (0.62, -1), (0.74, -0.7), (1, -0.66), (0.76, -0.5))),
    "vortex": (
        *(turned(sector(0, 150, 1 - 0.1 * k, 0.76 - 0.1 * k), 120 * k) for k in range(3)),
        circle(0, 0, 0.34),
    ),
    "grid": tuple(bar(x - 0.26, y - 0.26, x + 0.26, y + 0.26) for x in (-0.64, 0, 0.64) for y in (-0.64, 0, 0.64)),
    "atom": (
        Part(((-1, -0.36), (1, 0.36))),
        Part(((-0.84, -0.22), (0.84, 0.22)), cut=True),
        sector(0, 360, 1, 0.86),
        circle(0, 0, 0.3),
    ),
    "telescope": (
        *(turned(bar(*box), -30) for box in ((-0.9, -0.2, -0.4, 0.2), (-0.36, -0.3, 0.2, 0.3), (0.24, -0.42, 0.9, 0.42))),
        polygon((-0.1, 0.2), (0.1, 0.2), (0.4, 1), (0.16, 1), (0, 0.5), (-0.16, 1), (-0.4, 1)),
    ),
    "wrench": tuple(
        turned(part, 45)
        for part in (bar(-0.2, -0.4, 0.2, 1.1), moved(regular(12), 0, -0.6, 0.54), bar(-0.2, -1.2, 0.2, -0.56, cut=True))
    ),
    "crane": (bar(-0.66, -0.9, -0.4, 0.95), bar(-0.95, -0.9, 0.9, -0.64), bar(0.56, -0.7, 0.7, 0), bar(0.36, 0, 0.9, 0.5), bar(-0.95, 0.76, 0.1, 0.95), polygon((-0.4, -0.3), (0.1, -0.66), (-0.1, -0.66), (-0.4, -0.46))),
}  # fmt: skip

SPECIES: dict[str, Shape] = {
    "compass": (star(4, 0.26), moved(turned(star(4, 0.3), 45), 0, 0, 0.56)),
    "links": (sector(0, 360, 0.58, 0.3, -0.4), sector(0, 360, 0.58, 0.3, 0.4)),
    "torch": (mirrored((0, -1), (0.3, -0.6), (0.36, -0.3), (0.2, -0.08)), bar(-0.5, -0.04, 0.5, 0.16), mirrored((0.3, 0.16), (0.12, 1))),
    "towers": (bar(-0.85, -0.2, -0.35, 0.9), bar(-0.25, -0.95, 0.25, 0.9), bar(0.35, -0.5, 0.85, 0.9)),
    "wave": tuple(
        polygon(*((x / 6, y + 0.2 * math.sin(x * 0.9)) for x in range(-6, 7)), *((x / 6, y + 0.26 + 0.2 * math.sin(x * 0.9)) for x in range(6, -7, -1)))
        for y in (-0.72, -0.13, 0.46)
    ),
    "sprout": (
        bar(-0.1, -0.1, 0.1, 1),
        polygon((0, 0.1), (0.2, -0.56), (0.95, -0.75), (0.8, -0.1)),
        polygon((0, 0.46), (-0.2, -0.1), (-0.95, -0.4), (-0.8, 0.3)),
    ),
    "horns": (
        mirrored((0.3, -0.2), (0.6, -0.4), (0.66, -1), (0.98, -0.4), (0.7, 0.1), (0.4, 0.4), (0.2, 1)),
        polygon((0.1, 0.0), (0.34, -0.1), (0.26, 0.14), cut=True),
        polygon((-0.1, 0.0), (-0.34, -0.1), (-0.26, 0.14), cut=True),
    ),
    "cog": GEAR,
    "helm": (
        mirrored((0, -0.95), (0.6, -0.7), (0.86, -0.1), (0.8, 0.9), (0.3, 0.9), (0.26, 0.1), (0.12, 0)),
        mirrored((0.12, -0.3), (0.66, -0.24), (0.6, 0.0), (0.12, -0.1), cut=True),
    ),
}  # fmt: skip

sprites.learn(SHIPS | RESOURCES | PARTS | THINGS | SPECIES)
