"""Vector-like shapes, drawn large once, scaled down, and kept.

A shape is a list of parts in the square -1..1; a part fills a polygon or an ellipse, or cuts it out of what is there.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from .palette import RGB

SCALE = 4
LARGE = 128 * 128
"""Plates and frames of so many pixels are made from small ones each time."""


class Sprite(NamedTuple):
    """A finished drawing with its transparency. Never draw into one: it is shared."""

    image: Image.Image
    width: int
    height: int


class Part(NamedTuple):
    """A polygon (three points or more) or an ellipse (two corners of its box); `cut` takes it out again."""

    points: tuple[tuple[float, float], ...]
    cut: bool = False


Shape = tuple[Part, ...]


def star(points: int, inner: float, turn: float = -90.0) -> Part:
    """A star with its corners on the circle of radius 1 and the ones between them nearer by `inner`."""
    corners = []
    for k in range(2 * points):
        radius, angle = (1.0 if k % 2 == 0 else inner), math.radians(turn + 180 * k / points)
        corners.append((radius * math.cos(angle), radius * math.sin(angle)))
    return Part(tuple(corners))


def regular(corners: int, turn: float = -90.0, radius: float = 1.0) -> Part:
    """A regular polygon."""
    angles = [math.radians(turn + 360 * k / corners) for k in range(corners)]
    return Part(tuple((radius * math.cos(a), radius * math.sin(a)) for a in angles))


def circle(x: float, y: float, radius: float, cut: bool = False) -> Part:
    """A disc."""
    return Part(((x - radius, y - radius), (x + radius, y + radius)), cut)


def polygon(*points: tuple[float, float], cut: bool = False) -> Part:
    """A polygon through these points."""
    return Part(points, cut)


SHAPES: dict[str, Shape] = {
    # pieces
    "star": (star(5, 0.42),),
    "diamond": (polygon((0, -1), (0.82, 0), (0, 1), (-0.82, 0)), polygon((0, -0.34), (0.28, 0), (0, 0.34), (-0.28, 0), cut=True)),
    "chevrons": (
        polygon((0, -0.95), (0.95, -0.1), (0.95, 0.35), (0, -0.45), (-0.95, 0.35), (-0.95, -0.1)),
        polygon((0, -0.2), (0.95, 0.65), (0.95, 1.0), (0, 0.25), (-0.95, 1.0), (-0.95, 0.65)),
    ),
    "dart": (polygon((0, -1), (0.78, 0.95), (0, 0.5), (-0.78, 0.95)),),
    "disc": (circle(0, 0, 1),),
    "ring": (circle(0, 0, 1), circle(0, 0, 0.7, cut=True)),
    "square": (polygon((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),),
    "hexagon": (regular(6),),
    "octagon": (regular(8, 22.5),),
    "shield": (polygon((-0.9, -0.95), (0.9, -0.95), (0.9, 0.1), (0.62, 0.55), (0, 1), (-0.62, 0.55), (-0.9, 0.1)),),
    # emblems
    "claws": (
        polygon((-0.95, -0.75), (-0.4, -0.95), (-0.5, 0.1), (-0.75, 0.9), (-0.8, 0.1)),
        polygon((-0.2, -0.8), (0.3, -0.95), (0.2, 0.25), (-0.05, 1), (-0.1, 0.2)),
        polygon((0.5, -0.75), (0.98, -0.85), (0.88, 0.1), (0.62, 0.9), (0.6, 0.1)),
    ),
    "crescent": (circle(-0.05, 0, 0.98), circle(0.42, -0.1, 0.76, cut=True)),
    "trefoil": (
        circle(0, -0.48, 0.48),
        circle(-0.5, 0.3, 0.48),
        circle(0.5, 0.3, 0.48),
        polygon((-0.14, 0), (0.14, 0), (0.3, 1), (-0.3, 1)),
        circle(0, 0.05, 0.3),
    ),
    "burst": (star(8, 0.5),),
    "eye": (
        polygon((-1, 0), (-0.55, -0.5), (0, -0.68), (0.55, -0.5), (1, 0), (0.55, 0.5), (0, 0.68), (-0.55, 0.5)),
        circle(0, 0, 0.44, cut=True),
        circle(0, 0, 0.22),
    ),
    "flame": (
        polygon((0.1, -1), (0.2, -0.45), (0.5, -0.65), (0.78, 0), (0.72, 0.5), (0.4, 0.92), (0, 1)),
        polygon((0.1, -1), (-0.4, -0.4), (-0.75, 0.15), (-0.68, 0.6), (-0.35, 0.92), (0, 1), (0.3, 0.4)),
        polygon((0.02, 0.1), (0.28, 0.5), (0.2, 0.78), (0, 0.86), (-0.22, 0.76), (-0.26, 0.5), cut=True),
    ),
    "drop": (circle(0, 0.36, 0.62), polygon((0, -1), (0.5, 0), (0, 0.3), (-0.5, 0))),
    "orbit": (
        Part(((-1, -0.42), (1, 0.42))),
        Part(((-0.84, -0.26), (0.84, 0.26)), cut=True),
        circle(0, 0, 0.58),
    ),
    "fangs": (polygon((-0.95, -0.85), (-0.05, -0.85), (-0.4, 0.95)), polygon((0.95, -0.85), (0.05, -0.85), (0.4, 0.95))),
    "hammer": (polygon((-0.95, -0.9), (0.95, -0.9), (0.95, -0.15), (-0.95, -0.15)), polygon((-0.2, -0.2), (0.2, -0.2), (0.2, 1), (-0.2, 1))),
    "sabre": (
        polygon((-0.55, 1), (-0.8, 0.75), (-0.1, 0.35), (0.4, -0.2), (0.62, -1), (0.9, -0.2), (0.55, 0.4), (-0.1, 0.78)),
        polygon((-0.75, 0.1), (-0.05, 0.9), (-0.2, 1), (-0.9, 0.25)),
    ),
    "tower": (
        polygon((-0.8, -0.95), (-0.4, -0.95), (-0.4, -0.65), (-0.2, -0.65), (-0.2, -0.95), (0.2, -0.95), (0.2, -0.65), (0.4, -0.65), (0.4, -0.95), (0.8, -0.95), (0.8, -0.3), (0.5, -0.05), (0.6, 0.95), (-0.6, 0.95), (-0.5, -0.05), (-0.8, -0.3)),
    ),
    # signs
    "crown": (
        polygon((-0.95, -0.55), (-0.48, 0.05), (0, -0.85), (0.48, 0.05), (0.95, -0.55), (0.78, 0.75), (-0.78, 0.75)),
        circle(-0.95, -0.6, 0.16),
        circle(0, -0.86, 0.16),
        circle(0.95, -0.6, 0.16),
    ),
    "broken_crown": (
        polygon((-0.95, -0.55), (-0.48, 0.05), (0, -0.85), (0.48, 0.05), (0.95, -0.55), (0.78, 0.75), (-0.78, 0.75)),
        polygon((0.02, -1), (0.3, -0.5), (0.02, -0.1), (0.28, 0.25), (0.08, 0.9), (-0.12, 0.9), (0.06, 0.28), (-0.2, -0.1), (0.08, -0.5), cut=True),
    ),
    "throne": (
        polygon((-0.6, -1), (0.6, -1), (0.6, 0.05), (-0.6, 0.05)),
        polygon((-0.36, -0.75), (0.36, -0.75), (0.36, -0.1), (-0.36, -0.1), cut=True),
        polygon((-0.85, 0), (0.85, 0), (0.85, 0.4), (-0.85, 0.4)),
        polygon((-0.85, 0.4), (-0.5, 0.4), (-0.5, 1), (-0.85, 1)),
        polygon((0.5, 0.4), (0.85, 0.4), (0.85, 1), (0.5, 1)),
    ),
    "card": (polygon((-0.62, -0.95), (0.62, -0.95), (0.72, -0.85), (0.72, 0.85), (0.62, 0.95), (-0.62, 0.95), (-0.72, 0.85), (-0.72, -0.85)),),
    "cards": (
        polygon((-0.95, -0.6), (-0.05, -0.95), (0.5, 0.55), (-0.4, 0.9)),
        polygon((-0.02, -1), (0.99, -0.8), (0.7, 0.98), (0.5, 0.95), cut=True),
        polygon((0.16, -0.85), (0.98, -0.68), (0.72, 0.9), (0.62, 0.88)),
    ),
    "flag": (polygon((-0.7, -1), (-0.45, -1), (-0.45, 1), (-0.7, 1)), polygon((-0.45, -0.95), (0.9, -0.45), (-0.45, 0.1))),
    "swords": (
        polygon((-0.95, -0.95), (-0.6, -0.9), (0.55, 0.35), (0.35, 0.55), (-0.9, -0.6)),
        polygon((0.95, -0.95), (0.6, -0.9), (-0.55, 0.35), (-0.35, 0.55), (0.9, -0.6)),
        polygon((0.2, 0.75), (0.75, 0.2), (0.88, 0.33), (0.33, 0.88)),
        polygon((-0.2, 0.75), (-0.75, 0.2), (-0.88, 0.33), (-0.33, 0.88)),
        polygon((0.5, 0.66), (0.66, 0.5), (0.98, 0.82), (0.82, 0.98)),
        polygon((-0.5, 0.66), (-0.66, 0.5), (-0.98, 0.82), (-0.82, 0.98)),
    ),
    "cross": (polygon((-0.9, -0.65), (-0.65, -0.9), (0, -0.25), (0.65, -0.9), (0.9, -0.65), (0.25, 0), (0.9, 0.65), (0.65, 0.9), (0, 0.25), (-0.65, 0.9), (-0.9, 0.65), (-0.25, 0)),),
    "arrow": (polygon((-0.7, -0.9), (0.9, 0), (-0.7, 0.9)),),
    "arrow_left": (polygon((0.7, -0.9), (-0.9, 0), (0.7, 0.9)),),
    "tick": (polygon((-0.95, 0.1), (-0.65, -0.25), (-0.25, 0.2), (0.65, -0.8), (0.95, -0.5), (-0.25, 0.8)),),
}  # fmt: skip


def learn(shapes: Mapping[str, Shape]) -> None:
    """Add a game's own shapes; ValueError when a name is taken."""
    taken = SHAPES.keys() & shapes.keys()
    if taken:
        raise ValueError(f"shapes there are already: {sorted(taken)}")
    SHAPES.update(shapes)


@lru_cache(maxsize=512)
def mask(shape: str, size: int) -> Image.Image:
    """The shape's coverage in a square of `size` pixels."""
    side = size * SCALE
    large = Image.new("L", (side, side), 0)
    pen = ImageDraw.Draw(large)
    half = (side - 1) / 2
    for part in SHAPES[shape]:
        points = [(half + x * half, half + y * half) for x, y in part.points]
        if len(points) == 2:
            pen.ellipse(points, fill=0 if part.cut else 255)
        else:
            pen.polygon(points, fill=0 if part.cut else 255)
    return large.reduce(SCALE)


def _laid(layers: list[tuple[Image.Image, tuple[int, int], RGB]], size: tuple[int, int]) -> Image.Image:
    """Masks in their colours, one upon the other."""
    result = Image.new("RGBA", size, (0, 0, 0, 0))
    for cover, at, colour in layers:
        layer = Image.new("RGBA", size, (*colour, 0))
        layer.paste(Image.merge("RGBA", [*Image.new("RGB", cover.size, colour).split(), cover]), at)
        result = Image.alpha_composite(result, layer)
    return result


@lru_cache(maxsize=2048)
def sprite(shape: str, size: int, colour: RGB, edge: RGB | None = None, width: int = 2) -> Sprite:
    """A shape in one colour, with an edge of `width` pixels around it if wished; `size` includes the edge."""
    if edge is None:
        return Sprite(_laid([(mask(shape, size), (0, 0), colour)], (size, size)), size, size)
    core = mask(shape, size - 2 * width)
    layers = [
        (core, (width + round(width * math.cos(a)), width + round(width * math.sin(a))), edge)
        for a in (math.tau * k / 12 for k in range(12))
    ]
    layers.append((core, (width, width), colour))
    return Sprite(_laid(layers, (size, size)), size, size)


@lru_cache(maxsize=512)
def badge(ground: str, sign: str, size: int, colour: RGB, ink: RGB, edge: RGB) -> Sprite:
    """A sign on a coloured ground shape with an edge: a seat's emblem."""
    rim = max(1, size // 16)
    inner = size - 2 * rim
    small = round(size * 0.56)
    at = (size - small) // 2
    layers = [
        (mask(ground, size), (0, 0), edge),
        (mask(ground, inner), (rim, rim), colour),
        (mask(sign, small), (at, at), ink),
    ]
    return Sprite(_laid(layers, (size, size)), size, size)


def plate(
    width: int, height: int, radius: int, fill: RGB, edge: RGB | None = None, rim: int = 2, alpha: int = 255
) -> Sprite:
    """A rounded rectangle."""
    reach = max(radius, rim) + 1
    if width * height < LARGE or min(width, height) <= 2 * reach:
        return _plate(width, height, radius, fill, edge, rim, alpha)
    return _stretched(_plate(2 * reach + 1, 2 * reach + 1, radius, fill, edge, rim, alpha), width, height)


@lru_cache(maxsize=512)
def _plate(width: int, height: int, radius: int, fill: RGB, edge: RGB | None, rim: int, alpha: int) -> Sprite:
    large = Image.new("RGBA", (width * SCALE, height * SCALE), (*(edge or fill), 0))
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, width * SCALE - 1, height * SCALE - 1),
        radius * SCALE,
        fill=(*fill, alpha),
        outline=(*edge, 255) if edge else None,
        width=rim * SCALE if edge else 0,
    )
    return Sprite(large.reduce(SCALE), width, height)


def _stretched(small: Sprite, width: int, height: int) -> Sprite:
    """The rounded rectangle made larger: its corners stay, its middle row and column are drawn out. Cheap enough not to
    be kept, which many large ones would make dear."""
    reach = small.width // 2
    result = Image.new("RGBA", (width, height))
    spans = [
        [
            (0, reach, 0, reach),
            (reach, reach + 1, reach, whole - reach),
            (reach + 1, 2 * reach + 1, whole - reach, whole),
        ]
        for whole in (width, height)
    ]
    for left, right, to_left, to_right in spans[0]:
        for top, bottom, to_top, to_bottom in spans[1]:
            part = small.image.crop((left, top, right, bottom))
            result.paste(
                part.resize((to_right - to_left, to_bottom - to_top), Image.Resampling.NEAREST), (to_left, to_top)
            )
    return Sprite(result, width, height)


@lru_cache(maxsize=128)
def hoop(size: int, colour: RGB, rim: int, dashes: int = 0) -> Sprite:
    """A circle line, whole or in dashes."""
    side = size * SCALE
    cover = Image.new("L", (side, side), 0)
    pen = ImageDraw.Draw(cover)
    box = (0, 0, side - 1, side - 1)
    if not dashes:
        pen.ellipse(box, outline=255, width=rim * SCALE)
    for k in range(dashes):
        start = 360 * k / dashes
        pen.arc(box, start, start + 228 / dashes, fill=255, width=rim * SCALE)
    return Sprite(_laid([(cover.reduce(SCALE), (0, 0), colour)], (size, size)), size, size)


def frame(width: int, height: int, radius: int, colour: RGB, rim: int, gaps: bool = False) -> Sprite:
    """The outline of a rounded rectangle; with `gaps` only its corners."""
    reach = max(radius, rim) + 1
    if gaps or width * height < LARGE or min(width, height) <= 2 * reach:
        return _frame(width, height, radius, colour, rim, gaps)
    return _stretched(_frame(2 * reach + 1, 2 * reach + 1, radius, colour, rim, False), width, height)


@lru_cache(maxsize=128)
def _frame(width: int, height: int, radius: int, colour: RGB, rim: int, gaps: bool) -> Sprite:
    cover = Image.new("L", (width * SCALE, height * SCALE), 0)
    pen = ImageDraw.Draw(cover)
    right, bottom = width * SCALE - 1, height * SCALE - 1
    pen.rounded_rectangle((0, 0, right, bottom), radius * SCALE, outline=255, width=rim * SCALE)
    if gaps:
        pen.rectangle((0, bottom * 0.36, right, bottom * 0.64), fill=0)
        pen.rectangle((right * 0.36, 0, right * 0.64, bottom), fill=0)
    return Sprite(_laid([(cover.reduce(SCALE), (0, 0), colour)], (width, height)), width, height)
