"""Pictures of Throne of the World."""

from collections.abc import Mapping

from .. import Extra
from .attack import attack
from .board import board
from .draft import draft
from .hand import hand

EXTRAS: Mapping[str, Extra] = {"attack": attack, "draft": draft}

__all__ = ["EXTRAS", "attack", "board", "draft", "hand"]
