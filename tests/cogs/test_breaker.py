"""The circuit breaker by itself."""

import asyncio
import functools

import pytest

from cogs import breaker
from cogs.breaker import FAILURES, Breaker, State


class Jumping(asyncio.SelectorEventLoop):
    """Its time stands still as long as there is something to do, and jumps to what comes next."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self.now = max(self.now, self._scheduled[0].when())
        super()._run_once()


def jumping(test):
    """The test on such a loop: exact on any machine, and over at once."""

    @functools.wraps(test)
    def run():
        with asyncio.Runner(loop_factory=Jumping) as runner:
            runner.run(test())

    return run


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(breaker, "FIRST_SECONDS", 0.05)
    monkeypatch.setattr(breaker, "LONGEST_SECONDS", 0.2)


async def entered(one: Breaker, seconds: float) -> bool:
    """Whether one may send within that time."""
    try:
        async with asyncio.timeout(seconds), one.turn():
            return True
    except TimeoutError:
        return False


def broken() -> Breaker:
    one = Breaker()
    for _ in range(FAILURES):
        one.report(ok=False)
    return one


@jumping
async def test_it_opens_only_when_failures_come_in_a_row():
    one = Breaker()
    for _ in range(5):
        for _ in range(FAILURES - 1):
            one.report(ok=False)
        one.report(ok=True)
    assert one.state is State.CLOSED
    assert broken().state is State.OPEN


@jumping
async def test_nothing_passes_while_it_is_open_and_then_one():
    one, passed = broken(), []

    async def send(n: int) -> None:
        async with one.turn():
            passed.append(n)
            await asyncio.sleep(0.1)
            one.report(ok=True)

    tasks = [asyncio.create_task(send(n)) for n in range(5)]
    await asyncio.sleep(0.02)
    assert passed == []
    await asyncio.sleep(0.08)
    assert len(passed) == 1
    assert one.state is State.HALF_OPEN
    await asyncio.gather(*tasks)
    assert len(passed) == 5
    assert one.state is State.CLOSED


@jumping
async def test_a_failed_try_opens_it_for_longer():
    one, waited = broken(), []
    loop = asyncio.get_running_loop()
    for _ in range(4):
        since = loop.time()
        async with one.turn():
            one.report(ok=False)
        waited.append(loop.time() - since)
    assert waited[1] > waited[0] * 1.2
    assert waited[2] > waited[1] * 1.2
    assert waited[3] < 0.3  # the longest there is
    assert one.opened == 5


@jumping
async def test_a_try_that_comes_to_no_request_lets_the_next_one_try():
    one = broken()
    assert await entered(one, 1)
    assert one.state is State.OPEN
    assert await entered(one, 0.05)


@jumping
async def test_at_the_stop_nobody_waits():
    one = broken()
    waiting = asyncio.create_task(entered(one, 5))
    await asyncio.sleep(0)
    one.stop()
    assert await asyncio.wait_for(waiting, 0.03)
