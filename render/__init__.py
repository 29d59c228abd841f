"""Views in, pictures out. A new game is one folder here and one line in `GAMES`."""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from .canvas import Picture

GAMES = {
    "struggle_for_the_throne": "render.struggle_for_the_throne",
    "throne_of_the_world": "render.throne_of_the_world",
    "eclipse": "render.eclipse",
}


class Board(Protocol):
    """Draws the board; `ringed`: places that can be chosen, `changed`: places where something just happened."""

    def __call__(
        self,
        view: Any,
        *,
        names: Mapping[int, str],
        ringed: Collection[str] = (),
        changed: Collection[str] = (),
        title: str = "",
    ) -> Picture: ...


class Extra(Protocol):
    """Draws another picture of a view: a hand, a battle."""

    def __call__(self, view: Any, *, names: Mapping[int, str]) -> Picture: ...


class GamePictures(Protocol):
    """What a game's folder offers. `EXTRAS`: its other pictures by name."""

    @property
    def board(self) -> Board: ...

    @property
    def hand(self) -> Extra: ...

    @property
    def EXTRAS(self) -> Mapping[str, Extra]: ...


def painter_for(game: str) -> GamePictures:
    """The pictures of a game; KeyError when it has none."""
    return cast(GamePictures, import_module(GAMES[game]))


__all__ = ["GAMES", "Board", "Extra", "GamePictures", "Picture", "painter_for"]
