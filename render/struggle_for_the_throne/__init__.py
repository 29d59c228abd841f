"""Pictures of Struggle for the Throne."""

from collections.abc import Mapping

from .. import Extra
from .board import board

EXTRAS: Mapping[str, Extra] = {}

__all__ = ["EXTRAS", "board"]
