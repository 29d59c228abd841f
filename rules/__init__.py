"""The games. Pure Python: nothing here knows Discord, pictures, files of saved games, clocks or global randomness."""

from importlib import import_module
from typing import Any

from .engine import Rules

GAMES = ("struggle_for_the_throne", "throne_of_the_world", "eclipse")
"""The registry: a game is the package of this name here, which offers its `RULES`."""


def rules_of(key: str) -> Rules[Any, Any, Any]:
    """The rules of the game with this key; KeyError if there is none."""
    if key not in GAMES:
        raise KeyError(key)
    rules: Rules[Any, Any, Any] = import_module(f"{__name__}.{key}").RULES
    return rules
