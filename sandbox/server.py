"""The sandbox's web server."""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import socket
from pathlib import Path
from types import TracebackType

from aiohttp import web
from aiohttp.typedefs import Handler

from . import rest_channels, rest_guild, rest_interactions, rest_threads
from .control import Control
from .core import TOKEN, Core
from .routing import Api
from .uploads import BODY_LIMIT

HOST = "127.0.0.1"
PAGE = Path(__file__).with_name("page")
SWEEP = 1.0  # seconds between looks for threads to archive
_REGISTERED = (rest_channels, rest_guild, rest_interactions, rest_threads)  # importing them fills the table of routes
__all__ = ["HOST", "TOKEN", "Sandbox"]


class Sandbox:
    """A Discord on this machine. `async with Sandbox() as sandbox:` serves one on a free port."""

    def __init__(
        self, port: int = 0, *, speed: float = 1.0, people: int = 6, nonce_window: float = 300.0, seed: int = 0
    ) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((HOST, port))
        self.url = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self.core = Core(self.url, speed=speed, people=people, nonce_window=nonce_window, seed=seed)
        self._runner: web.AppRunner | None = None
        self._sweeper: asyncio.Task[None] | None = None

    @web.middleware
    async def _own_page_only(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what a browser sends on behalf of some other site."""
        origin = request.headers.get("Origin")
        local = request.host.partition(":")[0] in (HOST, "localhost")
        if not local or origin not in (None, f"http://{request.host}"):
            return web.Response(status=403)
        return await handler(request)

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=BODY_LIMIT + 2**20, middlewares=[self._own_page_only])
        app.router.add_route("*", "/api/v10/{tail:.*}", Api(self.core).handle)
        app.router.add_get("/gateway", self.core.gateway.handle)
        app.router.add_get("/gateway/", self.core.gateway.handle)
        app.router.add_get("/cdn/attachments/{channel}/{file}/{name}", self._file)
        app.router.add_routes(Control(self.core).routes())
        app.router.add_get("/", self._page)
        app.router.add_get("/channels/{tail:.*}", self._page)
        app.router.add_static("/page", PAGE)
        return app

    async def _file(self, request: web.Request) -> web.Response:
        kept = self.core.world.files.get(request.match_info["file"])
        data = self.core.world.blob(request.match_info["file"])
        if kept is None or data is None:
            return web.Response(status=404)
        return web.Response(body=data, content_type=kept.content_type.partition(";")[0])

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(PAGE / "index.html", headers={"Content-Type": mimetypes.types_map[".html"]})

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.core.sweep()

    async def start(self) -> None:
        """Serve, on loopback only."""
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket, backlog=512).start()
        self._sweeper = asyncio.create_task(self._sweep())

    async def stop(self) -> None:
        """Stop serving."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sweeper
        self.core.gateway.drop(1001)
        if self._runner is not None:
            await self._runner.cleanup()
        self._socket.close()

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()
