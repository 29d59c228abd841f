"""Pictures already drawn, by what they show."""

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from .canvas import Picture

_encoder = msgspec.msgpack.Encoder(order="deterministic")


def key_of(
    game: str,
    kind: str,
    view: Any,
    names: Mapping[int, str],
    ringed: Collection[str] = (),
    changed: Collection[str] = (),
    title: str = "",
) -> bytes:
    """Everything a picture depends on, encoded. The viewer is part of the view."""
    return _encoder.encode((game, kind, view, sorted(names.items()), sorted(ringed), sorted(changed), title))


class PictureCache:
    """The pictures used last, up to a number of bytes."""

    def __init__(self, most_bytes: int = 32 << 20) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[bytes, Picture] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: bytes) -> Picture | None:
        """The picture, which is now the most recent; None when it is not kept."""
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
        return picture

    def put(self, key: bytes, picture: Picture) -> None:
        """Keep a picture; the longest unused ones go."""
        self.drop(key)
        self._kept[key] = picture
        self.bytes += len(key) + len(picture.png)
        while self.bytes > self.most_bytes and self._kept:
            self.drop(next(iter(self._kept)))

    def drop(self, key: bytes) -> None:
        """Forget a picture if it is kept."""
        picture = self._kept.pop(key, None)
        if picture is not None:
            self.bytes -= len(key) + len(picture.png)
