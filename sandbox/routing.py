"""The table of the bot's REST routes and what happens around each of them."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import web

from . import uploads
from .core import TOKEN, Core
from .errors import ApiError, Json, invalid_form
from .faults import Fault


@dataclass(slots=True)
class Call:
    """One request, its body accepted by the document."""

    core: Core
    params: dict[str, str]
    query: Mapping[str, str]
    body: Any = None
    files: list[uploads.Upload] = field(default_factory=list)


Handler = Callable[[Call], Any]
_ROUTES: dict[str, list[tuple[re.Pattern[str], str, Handler]]] = {}


def route(method: str, *patterns: str) -> Callable[[Handler], Handler]:
    """Register a handler; it returns JSON, or None for 204."""

    def register(handler: Handler) -> Handler:
        for pattern in patterns:
            expression = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern) + "$")
            _ROUTES.setdefault(method, []).append((expression, pattern, handler))
            _ROUTES[method].sort(key=lambda known: known[1].count("{"))  # fixed words before parameters
        return handler

    return register


def find(method: str, path: str) -> tuple[str, dict[str, str], Handler] | None:
    """The route's pattern, its parameters and its handler."""
    for expression, pattern, handler in _ROUTES.get(method, ()):
        if match := expression.match(path):
            return pattern, match.groupdict(), handler
    return None


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """JSON whose content type is exactly what discord.py compares it with."""
    if data is None:
        return web.Response(status=204, headers=headers)
    response = web.Response(body=orjson.dumps(data), status=status, headers=headers)
    response.headers["Content-Type"] = "application/json"
    return response


def _broken(fault: Fault) -> ApiError:
    headers = {}
    extra: Json = {}
    if fault.status == 429:
        headers = {"Via": "1.1 google", "Retry-After": str(fault.retry_after), "X-RateLimit-Scope": "user"}
        extra = {"retry_after": fault.retry_after, "global": False}
    return ApiError(
        fault.code, status=fault.status, message="The sandbox was told to fail", extra=extra, headers=headers
    )


class Api:
    """Serves `/api/v10`."""

    def __init__(self, core: Core) -> None:
        self.core = core

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, with whatever fault is due."""
        core, path = self.core, "/" + request.match_info["tail"]
        core.stats.requests += 1
        fault = core.faults.hit(request.method, path)
        headers: dict[str, str] = {}
        if fault is not None and fault.delay:
            await asyncio.sleep(fault.delay)
        try:
            if fault is not None and fault.status and not fault.after:
                await request.read()
                raise _broken(fault)
            data = await self._serve(request, path, headers)
            if fault is not None and fault.status:
                raise _broken(fault)
            response = answer(data, headers=headers)
        except ApiError as error:
            response = answer(error.body, error.status, headers | error.headers)
        except Exception as error:  # a bug of the sandbox: kept where a test can see it
            core.stats.crashes.append("".join(traceback.format_exception(error)))
            response = answer({"code": 0, "message": f"The sandbox crashed: {error!r}"}, 500)
        core.limiter.answered(response.status)
        core.stats.statuses[response.status] = core.stats.statuses.get(response.status, 0) + 1
        if fault is not None and fault.delay_answer:
            await asyncio.sleep(fault.delay_answer)
        if fault is not None and fault.drop and request.transport is not None:
            request.transport.close()
        return response

    async def _serve(self, request: web.Request, path: str, headers: dict[str, str]) -> Any:
        core = self.core
        found = find(request.method, path)
        if found is None:
            core.stats.unknown_routes.append(f"{request.method} {path}")
            raise ApiError(0, status=404, message="404: Not Found")
        pattern, params, handler = found
        by_token = pattern.startswith(("/interactions", "/webhooks/{webhook_id}/{webhook_token}"))
        if not by_token and request.headers.get("Authorization") != f"Bot {TOKEN}":
            raise ApiError(0)
        headers |= core.limiter.request(request.method, pattern, params)
        body, files = await uploads.read(request)
        if body is None and core.spec.needs_body(request.method, pattern):
            body = {}
        call = Call(core, params, request.query, body, files)
        try:
            if body is not None and (problems := core.spec.check(request.method, pattern, body)):
                raise invalid_form(problems)
            result = handler(call)
            return await result if isinstance(result, Awaitable) else result
        except ApiError as error:
            if error.code in (40005, 50006, 50035, 50109):
                core.stats.rejected.append({"method": request.method, "path": path, "error": error.body, "body": body})
            raise
