"""Pictures of Struggle for the Throne."""

from collections.abc import Mapping

from .. import Extra
from .battle import battle
from .board import board
from .hand import hand

EXTRAS: Mapping[str, Extra] = {"battle": battle}

__all__ = ["EXTRAS", "battle", "board", "hand"]
