"""Pictures of Eclipse."""

from collections.abc import Mapping

from .. import Extra
from .battle import battle
from .board import board
from .placement import placement
from .player import hand, player_at
from .scores import scores
from .supply import supply

MOST_SEATS = 6

EXTRAS: Mapping[str, Extra] = {
    "supply": supply,
    "battle": battle,
    "placement": placement,
    "scores": scores,
    **{f"player{seat + 1}": player_at(seat) for seat in range(MOST_SEATS)},
}
"""`player1` and on: the board of that player, as the viewer sees it."""

__all__ = ["EXTRAS", "battle", "board", "hand", "placement", "scores", "supply"]
