"""Drawing beside the event loop: limits, failures, the cache."""

import asyncio
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import pytest

import render
from render import Picture, worker
from render.cache import PictureCache, key_of
from render.worker import Painter, PictureFailed

from .samples import CARDS, NAMES, fight, make

GAME = "struggle_for_the_throne"
BLANK = Picture(b"png", "board.png", "", 1, 1)


class Stand:
    """A game whose board is whatever the test says."""

    EXTRAS: Mapping[str, Any] = {}

    def __init__(self, draw: Callable[[Any], Picture]) -> None:
        self.draw = draw
        self.drawn: list[Any] = []

    def board(self, view: Any, **_: Any) -> Picture:
        self.drawn.append(view)
        return self.draw(view)

    def hand(self, view: Any, *, names: Mapping[int, str]) -> Picture:
        return self.draw(view)


@pytest.fixture
def painters() -> Iterator[Callable[..., Painter]]:
    made: list[Painter] = []

    def make_one(**options: Any) -> Painter:
        made.append(Painter(**options))
        return made[-1]

    yield make_one
    for painter in made:
        painter.close()


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], Picture]], Stand]:
    def put(draw: Callable[[Any], Picture]) -> Stand:
        game = Stand(draw)
        monkeypatch.setattr(worker, "painter_for", lambda key: game)
        return game

    return put


async def test_the_painter_draws_what_the_game_draws(painters: Callable[..., Painter]) -> None:
    painter = painters()
    game = render.painter_for(GAME)
    view = make(4, viewer=1, hand=CARDS, battle=fight())
    assert await painter.board(GAME, view, names=NAMES, ringed={"C.0"}) == game.board(view, names=NAMES, ringed={"C.0"})
    assert await painter.hand(GAME, view, names=NAMES) == game.hand(view, names=NAMES)
    assert await painter.extra(GAME, "battle", view, names=NAMES) == game.EXTRAS["battle"](view, names=NAMES)


async def test_the_patient_come_last(painters: Callable[..., Painter], stand: Callable[..., Stand]) -> None:
    go = threading.Event()

    def draw(view: Any) -> Picture:
        go.wait(60)
        return BLANK

    game, painter = stand(draw), painters(threads=1)
    wanted = [("first", True), ("bots", True), ("bots again", True), ("a person", False), ("another", False)]
    tasks = []
    for view, patient in wanted:
        tasks.append(asyncio.create_task(painter.board("x", view, names={}, patient=patient)))
        while not game.drawn:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)
    assert painter.waiting == 4
    go.set()
    await asyncio.gather(*tasks)
    assert game.drawn == ["first", "a person", "another", "bots", "bots again"]


async def test_unknown_pictures_fail(painters: Callable[..., Painter]) -> None:
    with pytest.raises(PictureFailed):
        await painters().board("no_such_game", None, names={})
    with pytest.raises(PictureFailed):
        await painters().extra(GAME, "no_such_picture", make(2), names={})


async def test_equal_pictures_are_drawn_once(
    painters: Callable[..., Painter], stand: Callable[[Callable[[Any], Picture]], Stand]
) -> None:
    game = stand(lambda view: (time.sleep(0.02), BLANK)[1])
    painter = painters()
    await asyncio.gather(*(painter.board("g", 1, names={}) for _ in range(5)))
    await painter.board("g", 1, names={})
    await painter.board("g", 1, names={}, ringed=["x"])
    assert game.drawn == [1, 1]


async def test_an_error_becomes_picture_failed_and_is_not_kept(
    painters: Callable[..., Painter], stand: Callable[[Callable[[Any], Picture]], Stand]
) -> None:
    answers: list[Any] = [ValueError("broken"), BLANK]

    def draw(view: Any) -> Picture:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    stand(draw)
    painter = painters()
    with pytest.raises(PictureFailed, match="broken"):
        await painter.board("g", 1, names={})
    assert await painter.board("g", 1, names={}) == BLANK


async def test_a_job_that_takes_too_long_fails_and_others_go_on(
    painters: Callable[..., Painter], stand: Callable[[Callable[[Any], Picture]], Stand]
) -> None:
    release = threading.Event()

    def draw(view: Any) -> Picture:
        if view == "slow":
            release.wait(60)
        return BLANK

    stand(draw)
    painter = painters(threads=1, limit=0.1)
    with pytest.raises(PictureFailed, match="within"):
        await painter.board("g", "slow", names={})
    painter.limit = 60.0
    assert await painter.board("g", "quick", names={}) == BLANK
    release.set()


async def test_a_full_queue_refuses_at_once(
    painters: Callable[..., Painter], stand: Callable[[Callable[[Any], Picture]], Stand]
) -> None:
    release = threading.Event()
    game, tasks = stand(lambda view: (release.wait(60), BLANK)[1]), []
    painter = painters(threads=1, waiting=1, limit=60.0)
    for there in (lambda: game.drawn, lambda: painter.waiting):
        tasks.append(asyncio.create_task(painter.board("g", len(tasks), names={})))
        while not there():  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    third = asyncio.create_task(painter.board("g", 7, names={}))
    fourth = asyncio.create_task(painter.board("g", 8, names={}))
    done, _ = await asyncio.wait([third, fourth], timeout=60, return_when=asyncio.FIRST_COMPLETED)
    assert [type(task.exception()) for task in done][:1] == [PictureFailed]
    release.set()
    await asyncio.gather(*tasks, third, fourth, return_exceptions=True)


async def test_a_caller_who_leaves_does_not_disturb_the_others(
    painters: Callable[..., Painter], stand: Callable[[Callable[[Any], Picture]], Stand]
) -> None:
    stand(lambda view: (time.sleep(0.05), BLANK)[1])
    painter = painters()
    first = asyncio.create_task(painter.board("g", 1, names={}))
    second = asyncio.create_task(painter.board("g", 1, names={}))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == BLANK


async def test_a_closed_painter_fails(painters: Callable[..., Painter]) -> None:
    painter = painters()
    painter.close()
    with pytest.raises(PictureFailed):
        await painter.board(GAME, make(2), names={})


async def test_the_event_loop_stays_free_while_drawing(painters: Callable[..., Painter]) -> None:
    painter = painters()
    await painter.board(GAME, make(6), names=NAMES)
    jobs = asyncio.gather(*(painter.board(GAME, make(6), names=NAMES, title=str(n)) for n in range(12)))
    worst = 0.0  # by what this process has done meanwhile: the machine may do other things too
    while not jobs.done():
        start = time.process_time()
        await asyncio.sleep(0.001)
        worst = max(worst, time.process_time() - start)
    assert len(await jobs) == 12
    assert worst < 0.15


def test_the_cache_forgets_the_longest_unused() -> None:
    cache = PictureCache(most_bytes=40)
    picture = Picture(b"0123456789", "a.png", "", 1, 1)
    for key in (b"a", b"b", b"c"):
        cache.put(key, picture)
    assert cache.get(b"a") == picture
    cache.put(b"d", picture)
    assert [cache.get(key) is not None for key in (b"a", b"b", b"c", b"d")] == [True, False, True, True]
    assert cache.bytes == 33
    cache.put(b"a", picture)
    assert len(cache) == 3


@pytest.mark.parametrize(
    "other",
    [
        lambda: key_of("g", "hand", make(2), NAMES),
        lambda: key_of("g", "board", make(2, viewer=0), NAMES),
        lambda: key_of("g", "board", make(2), {}),
        lambda: key_of("g", "board", make(2), NAMES, ["C.0"]),
        lambda: key_of("g", "board", make(2), NAMES, [], ["C.0"]),
        lambda: key_of("g", "board", make(2), NAMES, title="x"),
    ],
)
def test_the_key_holds_all_that_matters(other: Callable[[], bytes]) -> None:
    assert other() != key_of("g", "board", make(2), NAMES)
    places: Collection[str] = {"b", "a"}
    assert key_of("g", "board", make(2), NAMES, places) == key_of("g", "board", make(2), NAMES, ["a", "b"])
