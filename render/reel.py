"""Animated pictures: boards drawn smaller, one after the other, the last one held. GIF, since Discord plays it on every
client where it stands (of an animated PNG it shows the first frame), and since our pictures have 256 colours anyway."""

import io
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from PIL import Image

from .canvas import Picture
from .palette import SPACE, quantise

T = TypeVar("T")

FRAMES: Final = 40
WIDTHS: Final = (720, 600, 480, 360)
"""How wide the frames are, in pixels: as wide as the file's size allows."""
MOST_BYTES: Final = 5_000_000
STEP_MS: Final = 700
HOLD_MS: Final = 6000


class Size(NamedTuple):
    """How wide the frames are at the most, and how many there are."""

    width: int
    frames: int


def sizes(frames: int) -> Iterator[Size]:
    """What to try, one after the other, until the file is small enough: smaller frames, then also fewer of them."""
    while frames > 1:
        yield from (Size(width, frames) for width in WIDTHS)
        frames //= 2
    yield Size(WIDTHS[-1], 1)


def sampled(things: Sequence[T], most: int) -> list[T]:
    """At most so many of them, evenly spread, with the first and the last (of one only the last)."""
    last = len(things) - 1
    if last < most:
        return list(things)
    return [things[last - round(n * last / max(1, most - 1))] for n in reversed(range(most))]


def frame(picture: Picture, width: int = WIDTHS[0]) -> Image.Image:
    """A board as one frame, no wider than that, in the fixed palette."""
    with Image.open(io.BytesIO(picture.png)) as image:
        return shrunk(image, width)


def shrunk_size(image: Image.Image, width: int) -> tuple[int, int]:
    """The image's size, no wider than that."""
    return image.size if image.width <= width else (width, round(image.height * width / image.width))


def shrunk(image: Image.Image, width: int) -> Image.Image:
    """The image, no wider than that, in the fixed palette."""
    size = shrunk_size(image, width)
    if size == image.size and image.mode == "P":
        image.load()
        return image
    return quantise(image.convert("RGB").resize(size, Image.Resampling.LANCZOS))


def encoded(frames: Sequence[Image.Image], size: Size) -> bytes:
    """The frames as a GIF, each on a ground as large as the largest."""
    shown = sampled(frames, size.frames)
    boxes = [shrunk_size(image, size.width) for image in shown]
    box = max(width for width, _ in boxes), max(height for _, height in boxes)
    first, *rest = shown
    out = io.BytesIO()
    times = [STEP_MS] * len(rest) + [HOLD_MS]
    # one after the other: together they would take much memory
    more = (on_ground(shrunk(image, size.width), box) for image in rest)
    start = on_ground(shrunk(first, size.width), box)
    start.save(out, "GIF", save_all=True, append_images=more, duration=times, loop=0, optimize=False)
    return out.getvalue()


def on_ground(image: Image.Image, box: tuple[int, int]) -> Image.Image:
    """The image at the left top of a ground of that size."""
    if image.size == box:
        return image
    ground = quantise(Image.new("RGB", box, SPACE))
    ground.paste(image, (0, 0))
    return ground
