"""Drawing beside the event loop: a few threads, a time limit for each job, a bounded queue."""

import asyncio
import contextlib
import itertools
import logging
import queue
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from PIL import Image

from . import GamePictures, painter_for, stats
from . import reel as reels
from .cache import PictureCache, key_of
from .canvas import Picture

log = logging.getLogger(__name__)

Draw = Callable[[], Picture]
T = TypeVar("T")


class PictureFailed(Exception):
    """No picture: the caller sends the text board."""


class _Job:
    """A drawing under way and the future that waits for it."""

    def __init__(self, draw: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.draw = draw
        self.loop = loop
        self.done: asyncio.Future[Any] = loop.create_future()
        self.begun = False
        self.given_up = False
        self.replaced = False

    def run(self) -> None:
        """Draw in a painter thread and report to the event loop."""
        try:
            picture = self.draw()
        except Exception as error:
            log.exception("a picture could not be drawn")
            self._report(self._fail, PictureFailed(repr(error)))
        else:
            self._report(self._finish, picture)

    def _report(self, call: Callable[[Any], None], value: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(call, value)

    def _finish(self, picture: Any) -> None:
        if not self.done.done():
            self.done.set_result(picture)

    def _fail(self, why: PictureFailed) -> None:
        if not self.done.done():
            self.done.set_exception(why)


class Painter:
    """Pictures for the event loop. Every failure, whatever its cause, is PictureFailed.

    A thread cannot be stopped: one whose job overran its limit is written off and replaced, as long as no more than
    `spares` are stuck; it ends when its job does.
    """

    def __init__(
        self, *, threads: int = 2, limit: float = 5.0, waiting: int = 64, spares: int = 2, cache_bytes: int = 32 << 20
    ) -> None:
        self.limit = limit
        self.cache = PictureCache(cache_bytes)
        self._threads = threads
        self._spares = spares
        self._stuck = 0
        self._lock = threading.Lock()
        self._jobs: queue.PriorityQueue[tuple[bool, int, _Job | None]] = queue.PriorityQueue(waiting)
        self._count = itertools.count()
        self._open: dict[bytes, asyncio.Task[Picture]] = {}
        self._closed = False
        for _ in range(threads):
            self._hire()

    async def board(
        self,
        key: str,
        view: Any,
        *,
        names: Mapping[int, str],
        ringed: Collection[str] = (),
        changed: Collection[str] = (),
        title: str = "",
        patient: bool = False,
    ) -> Picture:
        """The board of a game as this view's viewer sees it. `patient`: others are drawn first."""
        game = self._game(key)
        return await self._picture(
            key_of(key, "board", view, names, ringed, changed, title),
            lambda: game.board(view, names=names, ringed=ringed, changed=changed, title=title),
            patient,
        )

    async def hand(self, key: str, view: Any, *, names: Mapping[int, str]) -> Picture:
        """The hand of this view's viewer."""
        game = self._game(key)
        return await self._picture(key_of(key, "hand", view, names), lambda: game.hand(view, names=names))

    async def extra(self, key: str, kind: str, view: Any, *, names: Mapping[int, str]) -> Picture:
        """One of the game's other pictures, by name."""
        draw = self._game(key).EXTRAS.get(kind)
        if draw is None:
            raise PictureFailed(f"{key} has no picture {kind!r}")
        return await self._picture(key_of(key, kind, view, names), lambda: draw(view, names=names))

    async def sheet(self, shown: stats.Sheet) -> Picture:
        """A sheet of statistics."""
        return await self._picture(key_of("", "sheet", shown, {}), lambda: stats.sheet(shown))

    @property
    def waiting(self) -> int:
        """How many pictures wait for a thread."""
        return self._jobs.qsize()

    async def reel(self, key: str, views: Sequence[Any], *, names: Mapping[int, str], titles: Sequence[str]) -> bytes:
        """The boards of these views as an animated picture. Each frame and each encoding is a job of its own, so that
        other pictures come between."""
        game, frames = self._game(key), []

        def frame(view: Any, title: str) -> Image.Image:
            return reels.frame(game.board(view, names=names, title=title))

        for view, title in zip(views, titles, strict=True):
            frames.append(await self._run(partial(frame, view, title), True))
        for smaller in reels.sizes(len(frames)):
            data = await self._run(partial(reels.encoded, frames, smaller), True)
            if len(data) <= reels.MOST_BYTES:
                return data
        raise PictureFailed("it cannot be made small enough")

    def close(self) -> None:
        """Let the threads end after the jobs they have; later calls fail."""
        self._closed = True
        for _ in range(self._threads):
            with contextlib.suppress(queue.Full):
                self._jobs.put_nowait((True, next(self._count), None))

    def _game(self, key: str) -> GamePictures:
        try:
            return painter_for(key)
        except KeyError:
            raise PictureFailed(f"no pictures for {key!r}") from None

    async def _picture(self, key: bytes, draw: Draw, patient: bool = False) -> Picture:
        kept = self.cache.get(key)
        if kept is not None:
            return kept
        task = self._open.get(key)
        if task is None:
            task = asyncio.create_task(self._draw(key, draw, patient))
            self._open[key] = task
            task.add_done_callback(lambda done: self._settled(key, done))
        return await asyncio.shield(task)

    def _settled(self, key: bytes, task: "asyncio.Task[Picture]") -> None:
        self._open.pop(key, None)
        if not task.cancelled():
            task.exception()

    async def _draw(self, key: bytes, draw: Draw, patient: bool) -> Picture:
        picture = await self._run(draw, patient)
        self.cache.put(key, picture)
        return picture

    async def _run(self, work: Callable[[], T], patient: bool = False) -> T:
        """What the work returns, done by a painter thread, after everything that is less patient."""
        if self._closed:
            raise PictureFailed("the painter is closed")
        job = _Job(work, asyncio.get_running_loop())
        try:
            self._jobs.put_nowait((patient, next(self._count), job))
        except queue.Full:
            raise PictureFailed("too many pictures are waiting") from None
        try:
            return await asyncio.wait_for(job.done, self.limit)
        except TimeoutError:
            self._give_up(job)
            raise PictureFailed(f"no picture within {self.limit} s") from None

    def _hire(self) -> None:
        threading.Thread(target=self._work, name="painter", daemon=True).start()

    def _give_up(self, job: _Job) -> None:
        """Forget a job; if a thread is stuck in it, another takes that thread's place."""
        with self._lock:
            job.given_up = True
            if not job.begun or self._stuck >= self._spares:
                return
            self._stuck += 1
            job.replaced = True
        self._hire()

    def _work(self) -> None:
        while (job := self._jobs.get()[-1]) is not None:
            with self._lock:
                if job.given_up:
                    continue
                job.begun = True
            job.run()
            if self._replaced(job):
                return

    def _replaced(self, job: _Job) -> bool:
        """Whether this thread was written off while it drew; then it leaves."""
        with self._lock:
            job.begun = False
            self._stuck -= job.replaced
            return job.replaced


__all__ = ["Painter", "PictureFailed"]
