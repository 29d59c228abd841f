"""What the pictures of every game must hold to."""

import io
import subprocess
import sys
from hashlib import sha256

from PIL import Image

from render.canvas import ALT_LENGTH, MOST_PIXELS, Picture


def within_limits(picture: Picture, most_bytes: int) -> None:
    """Its size, description and format are what a chat takes."""
    assert len(picture.png) < most_bytes
    assert picture.width * picture.height <= MOST_PIXELS
    assert 0 < len(picture.alt.encode("utf-16-le")) // 2 < ALT_LENGTH
    image = Image.open(io.BytesIO(picture.png))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (picture.width, picture.height))


def digest(*pictures: Picture) -> str:
    """What tells these pictures and their descriptions from others."""
    return sha256(b"".join(picture.png + picture.alt.encode() for picture in pictures)).hexdigest()


def digests_elsewhere(code: str) -> set[str]:
    """The digests of the `pictures` that the code makes in other processes, where sets have other orders."""
    whole = f"{code}\nfrom tests.render.checks import digest\nprint(digest(*pictures))"
    return {
        subprocess.run(
            [sys.executable, "-c", whole], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
