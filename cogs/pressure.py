"""How far messages and pictures are behind, who waits for them, and what is therefore put off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .live import Live
from .throttle import Throttle

if TYPE_CHECKING:
    from .tables import Tables

EDITS_AT_ONCE: Final = 3
MOST_SECONDS: Final = 4.0
PICTURES_A_SECOND: Final = 10
"""What one thread draws on a slow machine."""


class Pressure:
    """Bot players play, and are shown, the slower the more there is to send; people do not wait for them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.throttle = Throttle()
        self._edits: dict[int, tuple[int, ...]] = {}
        """When each game's turn message was shown last, in milliseconds, the latest at the end."""

    @property
    def seconds(self) -> float:
        """How far messages and pictures are behind."""
        drawing = self.tables.painter.waiting / PICTURES_A_SECOND
        return min(MOST_SECONDS, max(self.throttle.seconds, drawing))

    def waited_for(self, live: Live) -> bool:
        """Whether a person is asked, or has done something since the turn was last shown."""
        shown = self._edits.get(live.id, (0,))[-1]
        return bool(live.asked_humans()) or max(live.pressed.values(), default=0) >= shown

    def not_before(self, live: Live) -> int:
        """When the turn message may be edited again, in milliseconds: a few times at once, then at the pace that is
        set; half as often while nobody waits for it, and less the more there is to send."""
        edits = self._edits.get(live.id, ())
        pause = int(self.tables.config.play.edit_seconds * 1000)
        if edits and not self.waited_for(live):
            return edits[-1] + int(2 * pause * (1 + self.seconds))
        return edits[-EDITS_AT_ONCE] + EDITS_AT_ONCE * pause if len(edits) >= EDITS_AT_ONCE else 0

    def shown(self, game_id: int) -> None:
        """The game's turn message has just been sent or edited."""
        self._edits[game_id] = (*self._edits.get(game_id, ())[1 - EDITS_AT_ONCE :], self.tables.clock.now_ms())

    def forget(self, game_id: int) -> None:
        """The game is over."""
        self._edits.pop(game_id, None)
