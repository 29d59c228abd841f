"""Figures for Prometheus: counted as things happen, and asked for when somebody looks. No person and no game by name."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import aiohttp
from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from .breaker import Breaker
    from .vitals import Vitals

T = TypeVar("T")
REGISTRY: Final = CollectorRegistry()
ADDRESS: Final = "127.0.0.1"
QUICK: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0)
SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
MESSAGES: Final = re.compile(r"/(channels/\d+|users/@me/channels)")
"""The addresses by which messages are sent; interactions have others."""

interactions = Counter("bot_interactions", "Interactions by what came of them", ["outcome"], registry=REGISTRY)
late = Histogram(
    "bot_interaction_age_seconds", "From a press to its arrival, by Discord's clock", registry=REGISTRY, buckets=QUICK
)
acknowledged = Histogram(
    "bot_acknowledgement_seconds", "From an interaction's arrival to its acknowledgement", registry=REGISTRY,
    buckets=QUICK,
)  # fmt: skip
steps = Counter("bot_steps", "Steps of games that were stored", ["game"], registry=REGISTRY)
requests = Counter("bot_requests", "Requests to Discord by their answer", ["method", "status"], registry=REGISTRY)
request_seconds = Histogram("bot_request_seconds", "How long Discord takes", registry=REGISTRY, buckets=SLOW)
pictures = Histogram("bot_picture_seconds", "From a wish for a picture to the picture", registry=REGISTRY, buckets=SLOW)


disable_created_metrics()  # type: ignore[no-untyped-call]


async def timed(drawing: Coroutine[Any, Any, T]) -> T:
    """Draw, and note how long it took."""
    with pictures.time():
        return await drawing


def tracing(breaker: Breaker) -> aiohttp.TraceConfig:
    """Has every request that discord.py makes counted, its own repetitions too, and the breaker told of messages."""
    trace = aiohttp.TraceConfig()

    async def begun(_: object, context: SimpleNamespace, asked: aiohttp.TraceRequestStartParams) -> None:
        context.begun = time.perf_counter()

    async def ended(_: object, context: SimpleNamespace, asked: aiohttp.TraceRequestEndParams) -> None:
        status = asked.response.status
        request_seconds.observe(time.perf_counter() - context.begun)
        requests.labels(asked.method, str(status)).inc()
        if status != 429 and MESSAGES.search(asked.url.path):
            breaker.report(ok=status < 500)

    async def failed(_: object, context: SimpleNamespace, asked: aiohttp.TraceRequestExceptionParams) -> None:
        requests.labels(asked.method, type(asked.exception).__name__).inc()
        if MESSAGES.search(asked.url.path):
            breaker.report(ok=False)

    trace.on_request_start.append(begun)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


class _Now(Collector):
    """The state of the bot at one moment, as gauges."""

    def __init__(self, vitals: Vitals) -> None:
        self.vitals = vitals

    def collect(self) -> Iterator[Metric]:
        for name, (value, what) in self.vitals.gauges().items():
            yield GaugeMetricFamily(f"bot_{name}", what, value=value)


async def written(look: Callable[[], Awaitable[Vitals]]) -> bytes:
    """All figures, as Prometheus reads them."""
    now = CollectorRegistry()
    now.register(_Now(await look()))
    return generate_latest(REGISTRY) + generate_latest(now)


async def serve(look: Callable[[], Awaitable[Vitals]], port: int) -> web.AppRunner:
    """Answer on this machine's loopback address, at `/metrics`. OSError when the port is taken."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=await written(look), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, ADDRESS, port).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner
