"""Colours: the dark theme, the fixed 256-colour palette of every picture, and quick quantising to it."""

from functools import cache

from PIL import Image

RGB = tuple[int, int, int]

SPACE: RGB = (10, 13, 22)
TILE: RGB = (20, 26, 41)
TILE_EDGE: RGB = (52, 63, 92)
PANEL: RGB = (26, 33, 52)
PANEL_EDGE: RGB = (58, 70, 102)
PATH: RGB = (62, 75, 108)
ROCK: RGB = (72, 82, 108)
MUTED: RGB = (150, 161, 186)
TEXT: RGB = (236, 240, 248)
INK: RGB = (12, 15, 24)
GOLD: RGB = (255, 205, 84)
TARGET: RGB = (80, 232, 255)
CHANGED: RGB = (255, 176, 60)
DANGER: RGB = (255, 92, 92)
GOOD: RGB = (110, 226, 140)
PAPER: RGB = (232, 226, 210)

#: twelve seat colours; the first six are far apart for every kind of colour vision
SEATS: dict[str, RGB] = {
    "red": (216, 58, 66),
    "blue": (46, 112, 255),
    "green": (84, 222, 166),
    "yellow": (255, 240, 62),
    "purple": (176, 118, 220),
    "orange": (238, 156, 58),
    "teal": (40, 176, 206),
    "pink": (250, 128, 190),
    "white": (242, 245, 255),
    "brown": (150, 92, 44),
    "lime": (168, 238, 84),
    "grey": (150, 166, 152),
}

_RAMP_STEPS = 5
_GREYS = 40


def mix(first: RGB, second: RGB, share: float) -> RGB:
    """`first` with `share` (0..1) of `second` in it."""
    return (
        round(first[0] + (second[0] - first[0]) * share),
        round(first[1] + (second[1] - first[1]) * share),
        round(first[2] + (second[2] - first[2]) * share),
    )


def shade(colour: RGB, share: float) -> RGB:
    """The colour made lighter (`share` > 0) or darker (`share` < 0)."""
    return mix(colour, (255, 255, 255), share) if share > 0 else mix(colour, INK, -share)


def luminance(colour: RGB) -> float:
    """How bright the colour looks, 0..1."""
    red, green, blue = (float((part / 255) ** 2.2) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(colour: RGB) -> RGB:
    """The text colour that reads best on this ground."""
    return INK if luminance(colour) > 0.2 else TEXT


@cache
def fixed() -> tuple[RGB, ...]:
    """The 256 colours: greys, theme colours, and for each seat colour its blends with the grounds."""
    found: dict[RGB, None] = dict.fromkeys(
        (SPACE, TILE, TILE_EDGE, PANEL, PANEL_EDGE, PATH, ROCK, MUTED, TEXT, INK, PAPER)
    )
    for step in range(_GREYS):
        share = step / (_GREYS - 1)
        found[mix(mix(INK, PANEL_EDGE, min(1.0, share * 3)), (255, 255, 255), max(0.0, share * 1.5 - 0.5))] = None
    for colour in SEATS.values():
        for step in range(1, _RAMP_STEPS + 1):
            found[mix(TILE, colour, step / _RAMP_STEPS)] = None
        for light in (0.25, 0.45, -0.35, -0.65):
            found[shade(colour, light)] = None
        for ground, tint in ((TILE, 0.1), (INK, 0.14), (PANEL, 0.3)):
            found[mix(ground, colour, tint)] = None
    for colour in (GOLD, TARGET, CHANGED, DANGER, GOOD):
        for step in range(1, _RAMP_STEPS + 1):
            found[mix(TILE, colour, step / _RAMP_STEPS)] = None
        found[mix(PANEL, colour, 0.16)] = None
    for darker in (0.35, 0.4):
        found[mix(PANEL, INK, darker)] = None
    for step in range(1, 8):
        found[mix(INK, PAPER, step / 8)] = None
    return tuple(found)


@cache
def _carrier() -> Image.Image:
    image = Image.new("P", (1, 1))
    colours = fixed() + (fixed()[-1],) * (256 - len(fixed()))
    image.putpalette([part for colour in colours for part in colour])
    return image


def quantise(image: Image.Image) -> Image.Image:
    """The picture in the fixed palette, every pixel its nearest colour."""
    return image.quantize(palette=_carrier(), dither=Image.Dither.NONE)
