"""Reels: which frames, how large, how long."""

import io

import pytest
from PIL import Image, ImageDraw

from render import reel
from render.canvas import Canvas
from render.palette import SEATS


def drawing(n: int, width: int = 1200, height: int = 900) -> Image.Image:
    canvas = Canvas(width, height)
    ImageDraw.Draw(canvas.image).rectangle((n * 40, 0, n * 40 + 200, 200 + n * 10), fill=SEATS["red"])
    return reel.frame(canvas.picture("board.png", "a board"))


@pytest.mark.parametrize(("length", "most"), [(1, 5), (5, 5), (6, 5), (100, 48), (49, 48), (3, 1)])
def test_a_sample_has_both_ends_and_no_doubles(length: int, most: int):
    things = list(range(length))
    found = reel.sampled(things, most)
    assert len(found) == min(length, most)
    assert found == sorted(set(found))
    assert found[-1] == things[-1]
    assert found[0] == 0 or most == 1


def test_frames_are_small_and_the_last_is_held():
    frames = [drawing(n, height=900 + 40 * n) for n in range(6)]
    assert {frame.width for frame in frames} == {reel.WIDTHS[0]}
    with Image.open(io.BytesIO(reel.encoded(frames, reel.Size(640, 4)))) as film:
        assert film.n_frames == 4
        assert film.size == (640, round(frames[-1].height * 640 / reel.WIDTHS[0]))
        film.seek(3)
        assert film.info["duration"] == reel.HOLD_MS
        last = film.convert("RGB")
    wanted = frames[-1].convert("RGB").resize(last.size)
    near = sum(abs(a - b) < 40 for a, b in zip(last.tobytes(), wanted.tobytes(), strict=True))
    assert near > 0.98 * len(last.tobytes()), "it is another picture"


def test_what_is_tried_gets_smaller_and_ends():
    tried = list(reel.sizes(48))
    assert tried[0] == (720, 48)
    assert tried[-1] == (360, 1)
    assert len(tried) < 30
