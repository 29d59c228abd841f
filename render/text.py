"""Text as cached labels. Any Unicode string can be drawn: what no font has becomes a hollow box."""

import unicodedata
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from .palette import RGB, TEXT
from .sprites import Sprite

FONTS = Path(__file__).parent / "fonts"
MISSING = "\u25a1"
ELLIPSIS = "\u2026"
LONGEST = 160


class Font(Enum):
    """The vendored fonts; the last two stand in for signs that the first two lack."""

    MEDIUM = "Roboto-Medium.ttf"
    BOLD = "Roboto-Bold.ttf"
    WIDE = "DejaVuSans.ttf"
    EMOJI = "NotoEmoji-Subset.ttf"


@lru_cache(maxsize=256)
def face(font: Font, size: int) -> ImageFont.FreeTypeFont:
    """A font at a size."""
    layout = ImageFont.Layout.RAQM if font is Font.WIDE and _shaping() else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS / font.value, size, layout_engine=layout)


@cache
def _shaping() -> bool:
    from PIL import features

    return bool(features.check("raqm"))


@cache
def _nothing(font: Font) -> tuple[tuple[int, int], bytes]:
    return _drawn(font, "\U000e0fff")


def _drawn(font: Font, sign: str) -> tuple[tuple[int, int], bytes]:
    drawn = ImageFont.truetype(FONTS / font.value, 16, layout_engine=ImageFont.Layout.BASIC).getmask(sign)
    return drawn.size, bytes(drawn)


@lru_cache(maxsize=8192)
def has(font: Font, sign: str) -> bool:
    """Whether the font can draw this character."""
    if sign.isascii():
        return font is not Font.EMOJI
    return _drawn(font, sign) != _nothing(font)


def clean(text: str) -> str:
    """One line without control and joining characters, stacked accents and skin tones, of bearable length."""
    kept: list[str] = []
    for sign in unicodedata.normalize("NFC", text[: 4 * LONGEST]):
        kind = unicodedata.category(sign)
        if kind in ("Zs", "Zl", "Zp") or sign in "\t\n\r":
            kept.append(" ")
        elif (kind[0] == "C" and kind != "Co") or (
            kind in ("Mn", "Me") and (not kept or unicodedata.combining(kept[-1]) or "\ufe00" <= sign <= "\ufe0f")
        ):
            continue
        elif not "\U0001f3fb" <= sign <= "\U0001f3ff":
            kept.append(sign)
    return " ".join("".join(kept).split())[:LONGEST]


@lru_cache(maxsize=4096)
def runs(text: str, font: Font) -> tuple[tuple[Font, str], ...]:
    """The text cut into pieces of one font each; a text with right-to-left letters stays in one piece."""
    if any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in text):
        return ((Font.WIDE, "".join(sign if has(Font.WIDE, sign) else MISSING for sign in text)),)
    pieces: list[tuple[Font, str]] = []
    for sign in text:
        chosen = next((f for f in (font, Font.WIDE, Font.EMOJI) if sign == " " or has(f, sign)), None)
        if sign == " " and pieces:
            chosen = pieces[-1][0]
        shown = sign if chosen else MISSING
        chosen = chosen or Font.WIDE
        if pieces and pieces[-1][0] is chosen:
            pieces[-1] = (chosen, pieces[-1][1] + shown)
        else:
            pieces.append((chosen, shown))
    return tuple(pieces)


@lru_cache(maxsize=8192)
def width(text: str, size: int, font: Font = Font.MEDIUM) -> float:
    """How wide the text will be."""
    return sum(face(f, size).getlength(piece) for f, piece in runs(text, font))


@lru_cache(maxsize=4096)
def fit(text: str, size: int, room: float, font: Font = Font.MEDIUM) -> str:
    """The cleaned text, shortened with an ellipsis until it is no wider than `room`."""
    text = clean(text)
    if width(text, size, font) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, size, font) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


@lru_cache(maxsize=2048)
def wrap(text: str, size: int, room: float, font: Font = Font.MEDIUM, lines: int = 9) -> tuple[str, ...]:
    """The text in lines no wider than `room`; the last of `lines` is shortened if more would follow."""
    words = clean(text).split(" ")
    done: list[str] = []
    while words and len(done) < lines - 1:
        taken = 1
        while taken < len(words) and width(" ".join(words[: taken + 1]), size, font) <= room:
            taken += 1
        done.append(fit(" ".join(words[:taken]), size, room, font))
        words = words[taken:]
    if words:
        done.append(fit(" ".join(words), size, room, font))
    return tuple(done)


@lru_cache(maxsize=4096)
def label(text: str, size: int, colour: RGB = TEXT, font: Font = Font.MEDIUM, edge: RGB | None = None) -> Sprite:
    """A line of text as a sprite as high as the font's line; `edge` outlines it."""
    rim = max(2, size // 10) if edge else 0
    ascent, descent = face(font, size).getmetrics()
    wide = max(1, round(width(text, size, font) + 0.5)) + 2 * rim
    image = Image.new("RGBA", (wide, ascent + descent + 2 * rim), (*(edge or colour), 0))
    pen = ImageDraw.Draw(image)
    x = float(rim)
    for chosen, piece in runs(text, font):
        drawn = face(chosen, size)
        pen.text((x, rim + ascent), piece, font=drawn, fill=colour, anchor="ls", stroke_width=rim, stroke_fill=edge)
        x += drawn.getlength(piece)
    return Sprite(image, image.width, image.height)
