"""The drawing surface: sprites are pasted on it, everything said is remembered, and a PNG comes out."""

import io
import math
from typing import NamedTuple

import msgspec
from PIL import Image, ImageDraw

from . import sprites, text
from .geometry import Box, Point
from .palette import RGB, SPACE, TEXT, quantise
from .sprites import Sprite

MOST_PIXELS = 4_000_000
ALT_LENGTH = 1024
PNG_LEVEL = 6


class Picture(msgspec.Struct, frozen=True):
    """A finished picture: PNG bytes, the name to send it under, its description, its size."""

    png: bytes
    filename: str
    alt: str
    width: int
    height: int


class Mark(NamedTuple):
    """Something meaningful that was drawn: what kind, where on the board, what it says, its box."""

    kind: str
    place: str
    says: str
    box: Box


class Canvas:
    """An RGB surface. `marks` lists what was drawn with a meaning, for descriptions and checks."""

    def __init__(self, width: int, height: int, ground: RGB = SPACE) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self.pen = ImageDraw.Draw(self.image)
        self.marks: list[Mark] = []

    @property
    def box(self) -> Box:
        """The whole surface."""
        return Box(0, 0, self.image.width, self.image.height)

    def put(self, sprite: Sprite, x: float, y: float) -> Box:
        """Paste a sprite with its left top corner here."""
        left, top = round(x), round(y)
        self.image.paste(sprite.image, (left, top), sprite.image)
        return Box(left, top, left + sprite.width, top + sprite.height)

    def centred(self, sprite: Sprite, at: Point) -> Box:
        """Paste a sprite with its middle here."""
        return self.put(sprite, at.x - sprite.width / 2, at.y - sprite.height / 2)

    def mark(self, kind: str, place: str, says: str, box: Box) -> None:
        """Remember what was drawn."""
        self.marks.append(Mark(kind, place, says, box))

    def write(
        self,
        words: str,
        x: float,
        y: float,
        size: int,
        colour: RGB = TEXT,
        font: text.Font = text.Font.MEDIUM,
        *,
        anchor: str = "l",
        room: float | None = None,
        edge: RGB | None = None,
    ) -> Box:
        """A line of text with its vertical middle at y, from x on (`l`), around it (`m`) or up to it (`r`)."""
        shown = text.clean(words) if room is None else text.fit(words, size, room, font)
        sprite = text.label(shown, size, colour, font, edge)
        left = x - {"l": 0.0, "m": sprite.width / 2, "r": float(sprite.width)}[anchor]
        return self.put(sprite, left, y - sprite.height / 2)

    def plate(self, box: Box, radius: int, fill: RGB, edge: RGB | None = None, rim: int = 2) -> None:
        """A rounded rectangle."""
        self.put(
            sprites.plate(round(box.width), round(box.height), radius, fill, edge, rim), round(box.left), round(box.top)
        )

    def below(self, other: "Canvas") -> None:
        """Add another surface at the bottom, in the same width."""
        scale = self.image.width / other.image.width
        added = other.image.resize((self.image.width, round(other.image.height * scale)), Image.Resampling.BILINEAR)
        top = self.image.height
        whole = Image.new("RGB", (self.image.width, top + added.height))
        whole.paste(self.image, (0, 0))
        whole.paste(added, (0, top))
        self.image, self.pen = whole, ImageDraw.Draw(whole)
        for kind, place, says, box in other.marks:
            edges = (box.left * scale, box.top * scale + top, box.right * scale, box.bottom * scale + top)
            self.mark(kind, place, says, Box(*edges))

    def picture(self, filename: str, alt: str) -> Picture:
        """Encode: at most four megapixels, the fixed palette, PNG."""
        image = fitted(self.image)
        out = io.BytesIO()
        quantise(image).save(out, "PNG", compress_level=PNG_LEVEL)
        return Picture(out.getvalue(), filename, shorten(alt), image.width, image.height)


def fitted(image: Image.Image) -> Image.Image:
    """The image itself, or scaled down when it has more pixels than allowed."""
    pixels = image.width * image.height
    if pixels <= MOST_PIXELS:
        return image
    scale = math.sqrt(MOST_PIXELS / pixels)
    return image.resize((int(image.width * scale), int(image.height * scale)), Image.Resampling.LANCZOS)


def shorten(alt: str, most: int = ALT_LENGTH - 1) -> str:
    """A description within Discord's limit (counted in UTF-16 units)."""
    while len(alt.encode("utf-16-le")) // 2 > most:
        alt = alt[: most - 1 if len(alt) > most else len(alt) - 2].rstrip() + text.ELLIPSIS
    return alt
