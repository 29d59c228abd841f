"""What the component tables of all games have in common: TOML files in `data/`, each entry with its source."""

from pathlib import Path
from typing import TypeVar

import msgspec

from rules.engine import Colour

T = TypeVar("T")


def load(beside: str, name: str, type_: type[T]) -> T:
    """The table `data/<name>` beside the module of this `__file__`; `msgspec.ValidationError` when it is no `type_`."""
    return msgspec.toml.decode((Path(beside).parent / "data" / name).read_bytes(), type=type_)


class SeatColour(Colour, frozen=True):
    """A colour for a seat that is no more than that."""

    source: str
