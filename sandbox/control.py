"""The control API: the people, the faults, the clock and the whole world, under `/sandbox/`. See CONTROL.md."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from . import admin, human, messages, screens
from .core import Core
from .errors import ApiError, Json, Refused
from .journal import Match
from .routing import answer
from .world import User

WAIT_MOST = 300.0
Action = Callable[[Core, User, Json], Any]


def _finish(body: Json) -> float:
    return float(body.get("finish", 0.0))


def _say(core: Core, user: User, b: Json) -> Json:
    return messages.view(core, human.say(core, user, b["channel"], b["content"], b.get("reply_to")))


# What a person does: POST /sandbox/people/{person}/{action}
ACTIONS: dict[str, Action] = {
    "send": _say,
    "command": lambda core, user, b: human.run_command(
        core, user, b.get("channel", "games"), b["command"], b.get("options") or {}, _finish(b)
    ),
    "menu": lambda core, user, b: human.run_menu(
        core, user, b.get("channel", "games"), b["command"], b["target"], _finish(b)
    ),
    "autocomplete": lambda core, user, b: human.autocomplete(
        core, user, b.get("channel", "games"), b["command"], b.get("options") or {}, b["focused"]
    ),
    "press": lambda core, user, b: human.press(core, user, b["message_id"], b["custom_id"], _finish(b)),
    "choose": lambda core, user, b: human.choose(core, user, b["message_id"], b["custom_id"], b["values"], _finish(b)),
    "submit": lambda core, user, b: human.submit(core, user, b["modal_id"], b.get("values") or {}, _finish(b)),
    "dismiss": lambda core, user, b: human.dismiss_modal(core, user, b["modal_id"]),
    "react": lambda core, user, b: human.react(core, user, b["message_id"], b["emoji"], b.get("add", True)),
    "read": lambda core, user, b: screens.read(core, user, human.enter(core, user, b["channel"])),
}


def _kinds(text: str | None) -> frozenset[str] | None:
    return frozenset(text.split(",")) if text else None


class Control:
    """The handlers; `routes` puts them into an application."""

    def __init__(self, core: Core) -> None:
        self.core = core

    def routes(self) -> list[web.RouteDef]:
        """All routes of the control API."""
        get, post = self._wrap(self.read), self._wrap(self.write)
        person = "/sandbox/people/{person}"
        return [
            web.get(person + "/stream", self.stream),
            web.get(person + "/{view}", self._wrap(self.see)),
            web.post(person + "/{action}", self._wrap(self.act)),
            web.get("/sandbox/{view}", get),
            web.post("/sandbox/{action}", post),
        ]

    def _wrap(
        self, handler: Callable[[web.Request], Awaitable[Any]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def wrapped(request: web.Request) -> web.Response:
            try:
                data = await handler(request)
            except Refused as error:
                return answer({"error": str(error)}, 409)
            except KeyError as error:
                return answer({"error": f"not found or missing: {error.args[0]}"}, 404)
            except ApiError as error:
                return answer({"error": str(error), "discord": error.body}, 400)
            except (ValueError, TypeError) as error:
                return answer({"error": str(error)}, 400)
            return answer({} if data is None else data)

        return wrapped

    def _user(self, request: web.Request) -> User:
        return self.core.world.find_user(request.match_info["person"])

    async def _body(self, request: web.Request) -> Json:
        raw = await request.read()
        body = orjson.loads(raw) if raw else {}
        if not isinstance(body, dict):
            raise ValueError("the body is a JSON object")
        return body

    # one person

    async def see(self, request: web.Request) -> Any:
        """GET /sandbox/people/{person}/{view}"""
        core, user, query = self.core, self._user(request), request.query
        view = request.match_info["view"]
        if view == "guild":
            return screens.tree(core, user)
        if view == "messages":
            return screens.timeline(
                core,
                user,
                query["channel"],
                limit=int(query.get("limit", 50)),
                before=int(query["before"]) if "before" in query else None,
                after=int(query["after"]) if "after" in query else None,
                mark=query.get("mark", "0") in ("1", "true"),
            )
        if view == "message":
            return messages.view(core, human.look(core, user, query["id"]))
        if view == "commands":
            return human.commands(core, user, human.enter(core, user, query.get("channel", "games")))
        if view == "wait":
            return await self._wait(user, query)
        if view == "export":
            return [e.json() for e in core.world.journal.select(0, Match(user.id))]
        raise KeyError(view)

    async def act(self, request: web.Request) -> Any:
        """POST /sandbox/people/{person}/{action}"""
        action = ACTIONS[request.match_info["action"]]
        result = action(self.core, self._user(request), await self._body(request))
        return await result if isinstance(result, Awaitable) else result

    async def _wait(self, user: User, query: Any) -> Json:
        journal = self.core.world.journal
        channel = query.get("channel")
        if channel:
            channel = human.enter(self.core, user, channel).id
        kinds = _kinds(query.get("kinds"))
        since = int(query.get("cursor", len(journal)))
        timeout = min(float(query.get("timeout", 30)), WAIT_MOST)

        cursor, found = await journal.wait(since, timeout, Match(user.id, channel, kinds))
        return {"cursor": cursor, "entries": [e.json() for e in found]}

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """GET /sandbox/people/{person}/stream: the journal as it grows, over a WebSocket."""
        journal, user = self.core.world.journal, self._user(request)
        cursor = int(request.query.get("cursor", len(journal)))
        ws = web.WebSocketResponse(heartbeat=30)
        await ws.prepare(request)

        async def push() -> None:
            nonlocal cursor
            while True:
                cursor, found = await journal.wait(cursor, WAIT_MOST, Match(user.id))
                for entry in found:
                    await ws.send_bytes(orjson.dumps(entry.json()))

        task = asyncio.create_task(push())
        try:
            async for frame in ws:
                if frame.type is WSMsgType.ERROR:
                    break
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await task
        return ws

    # the whole world

    async def read(self, request: web.Request) -> Any:
        """GET /sandbox/{view}"""
        core, query = self.core, request.query
        view = request.match_info["view"]
        if view == "journal":
            viewer = core.world.find_user(query["viewer"]).id if "viewer" in query else None
            match = Match(viewer, query.get("channel"), _kinds(query.get("kinds")))
            found = core.world.journal.select(int(query.get("since", 0)), match)
            return {"cursor": len(core.world.journal), "entries": [e.json() for e in found]}
        return admin.VIEWS[view](core)

    async def write(self, request: web.Request) -> Any:
        """POST /sandbox/{action}"""
        result = admin.ACTIONS[request.match_info["action"]](self.core, await self._body(request))
        return await result if isinstance(result, Awaitable) else result
