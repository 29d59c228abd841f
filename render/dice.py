"""Six-sided dice with pips."""

from functools import lru_cache

from PIL import Image, ImageDraw

from .palette import INK, PAPER, RGB
from .sprites import SCALE, Sprite

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@lru_cache(maxsize=128)
def die(value: int, size: int, ground: RGB = PAPER, ink: RGB = INK) -> Sprite:
    """A die that shows `value`; blank for a value it has not."""
    side = size * SCALE
    large = Image.new("RGBA", (side, side), (*ground, 0))
    pen = ImageDraw.Draw(large)
    pen.rounded_rectangle((0, 0, side - 1, side - 1), side // 6, fill=(*ground, 255))
    for x, y in _PIPS.get(value, ()):
        cx, cy, radius = side / 2 + x * side * 0.26, side / 2 + y * side * 0.26, side * 0.095
        pen.ellipse((cx - radius, cy - radius, cx + radius, cy + radius), fill=(*ink, 255))
    return Sprite(large.reduce(SCALE), size, size)
