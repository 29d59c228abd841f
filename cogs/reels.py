"""The whole life of a board as one animated picture."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from render.reel import FRAMES, sampled
from render.worker import PictureFailed

from .errors import Refused
from .live import Live
from .past import Past
from .texts import say

if TYPE_CHECKING:
    from .tables import Tables

KEPT: Final = 6
"""So many reels stay in memory, of 5 MB at the most each."""
PATIENCE: Final = 240.0


class Reel(NamedTuple):
    """An animated picture: GIF, which every client plays where it stands; how many of the game's boards it shows."""

    gif: bytes
    filename: str
    alt: str
    frames: int
    boards: int


class Reels:
    """Makes reels, each once, a few at a time, and keeps the last ones."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._kept: OrderedDict[tuple[int, int | None, bytes], asyncio.Task[Reel]] = OrderedDict()
        self._room = asyncio.Semaphore(1)

    async def of(self, live: Live, seat: int | None) -> Reel:
        """The reel of the game so far as that seat (None: a spectator) could follow it. Refused when it cannot be
        made."""
        past = await Past.of(self.tables, live)
        key = (live.id, seat, past.mark(seat))
        task = self._kept.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            self._kept[key] = task = asyncio.create_task(self._make(past, seat))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        try:
            return await asyncio.shield(task)
        except (PictureFailed, TimeoutError) as error:
            raise Refused(say("reel.failed")) from error

    async def _make(self, past: Past, seat: int | None) -> Reel:
        live = past.live
        async with asyncio.timeout(PATIENCE), self._room:
            boards = sampled(past.boards, FRAMES)
            views = [await past.view(board, seat) for board in boards]
            titles = ["" if board.turn is None else say("reel.turn", turn=board.turn) for board in boards]
            gif = await self.tables.painter.reel(live.game.key, views, names=live.names, titles=titles)
        alt = say("reel.alt", title=live.rules.title, frames=len(boards))
        return Reel(gif, "reel.gif", alt, len(boards), len(past.boards))
