"""A Python client of the control API: drive the people, look at everything, break things.

>>> async with SandboxClient("http://127.0.0.1:8420") as sandbox:
...     north, east = (await sandbox.people())[:2]
...     made = await north.command("game create", game="eclipse", finish=5)
...     joined = await east.press(made.message.id, made.message.button("Join").custom_id)
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

import aiohttp
import orjson

from .shown import Button, Choice, Entry, Field, Image, Json, Message, Modal, Option, Outcome, Place, Select

__all__ = [
    "Button",
    "Choice",
    "Entry",
    "Field",
    "Image",
    "Json",
    "Message",
    "Modal",
    "Option",
    "Outcome",
    "Person",
    "Place",
    "SandboxClient",
    "SandboxError",
    "Select",
    "attached",
]


class SandboxError(Exception):
    """The sandbox refused: the person could not have done that, or the call was wrong."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Person:
    """Somebody to act as."""

    def __init__(self, client: SandboxClient, raw: Json) -> None:
        self._client = client
        self.id: str = raw["id"]
        self.name: str = raw["name"]

    def __repr__(self) -> str:
        return f"<Person {self.name} {self.id}>"

    async def _get(self, view: str, **query: Any) -> Any:
        return await self._client.get(f"people/{self.id}/{view}", **query)

    async def _act(self, action: str, **body: Any) -> Any:
        return await self._client.post(f"people/{self.id}/{action}", body)

    # looking

    async def channels(self) -> list[Place]:
        """Everything that this person can open: channels, threads, direct messages."""
        raw = await self._get("guild")
        found: list[Place] = []
        for channel in raw["channels"]:
            found += [Place.of(channel), *map(Place.of, channel["threads"])]
        return found + [Place.of(d) for d in raw["dms"]]

    async def modals(self) -> list[Modal]:
        """The modals open on the screen."""
        return [Modal.of(m) for m in (await self._get("guild"))["modals"]]

    async def visible(
        self,
        channel: str,
        *,
        limit: int = 50,
        before: str | None = None,
        after: str | None = None,
        mark: bool = False,
    ) -> list[Message]:
        """The channel's messages, oldest first ("@me": the direct messages); `mark` marks them as read."""
        raw = await self._get("messages", channel=channel, limit=limit, before=before, after=after, mark=int(mark))
        return [Message.of(m) for m in raw]

    async def message(self, message_id: str) -> Message:
        """One message as it is now."""
        return Message.of(await self._get("message", id=message_id))

    async def commands(self, channel: str = "games") -> list[Json]:
        """The commands offered there, as Discord describes them."""
        found: list[Json] = await self._get("commands", channel=channel)
        return found

    async def wait(
        self,
        cursor: int | None = None,
        timeout: float = 30.0,  # noqa: ASYNC109
        *,
        channel: str | None = None,
        kinds: Iterable[str] = (),
    ) -> tuple[int, list[Entry]]:
        """The next cursor and what is new for this person since the given one (None: from now on)."""
        raw = await self._get("wait", cursor=cursor, timeout=timeout, channel=channel, kinds=",".join(kinds) or None)
        return raw["cursor"], [Entry.of(e) for e in raw["entries"]]

    async def stream(self, cursor: int | None = None) -> AsyncIterator[Entry]:
        """What is new for this person, as it comes."""
        query = {} if cursor is None else {"cursor": str(cursor)}
        url = f"{self._client.url}/sandbox/people/{self.id}/stream"
        async with self._client.session.ws_connect(url, params=query, max_msg_size=0) as ws:
            async for frame in ws:
                yield Entry.of(orjson.loads(frame.data))

    async def export(self) -> list[Entry]:
        """Everything that was ever shown to this person."""
        return [Entry.of(e) for e in await self._get("export")]

    # acting

    async def command(
        self,
        path: str,
        /,
        *,
        channel: str = "games",
        finish: float = 0.0,
        given: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Outcome:
        """Run a slash command; `given` is for options whose names are taken here."""
        body = {"command": path, "channel": channel, "finish": finish, "options": {**(given or {}), **options}}
        return Outcome.of(await self._act("command", **body))

    async def menu(self, name: str, target: str, *, channel: str = "games", finish: float = 0.0) -> Outcome:
        """Run a context menu command on a user or a message."""
        return Outcome.of(await self._act("menu", command=name, target=target, channel=channel, finish=finish))

    async def autocomplete(
        self, path: str, options: Mapping[str, Any], focused: str, *, channel: str = "games"
    ) -> Outcome:
        """Type into an option; `options[focused]` is what was typed."""
        body = {"command": path, "options": dict(options), "focused": focused, "channel": channel}
        return Outcome.of(await self._act("autocomplete", **body))

    async def press(self, message_id: str, custom_id: str, *, finish: float = 0.0) -> Outcome:
        """Press a button."""
        return Outcome.of(await self._act("press", message_id=message_id, custom_id=custom_id, finish=finish))

    async def choose(self, message_id: str, custom_id: str, values: Iterable[str], *, finish: float = 0.0) -> Outcome:
        """Choose in a select: option values, or users, roles and channels by id or name."""
        body = {"message_id": message_id, "custom_id": custom_id, "values": list(values), "finish": finish}
        return Outcome.of(await self._act("choose", **body))

    async def submit(
        self, modal: Modal | str, values: Mapping[str, Any] | None = None, *, finish: float = 0.0
    ) -> Outcome:
        """Submit an open modal, its values by custom id."""
        modal_id = modal if isinstance(modal, str) else modal.id
        return Outcome.of(await self._act("submit", modal_id=modal_id, values=dict(values or {}), finish=finish))

    async def dismiss(self, modal: Modal | str) -> None:
        """Close a modal without submitting it."""
        await self._act("dismiss", modal_id=modal if isinstance(modal, str) else modal.id)

    async def send(self, channel: str, content: str, *, reply_to: str | None = None) -> Message:
        """Write a message."""
        return Message.of(await self._act("send", channel=channel, content=content, reply_to=reply_to))

    async def react(self, message_id: str, emoji: str, *, add: bool = True) -> None:
        """React to a message, or take a reaction back."""
        await self._act("react", message_id=message_id, emoji=emoji, add=add)

    async def read(self, channel: str) -> None:
        """Mark a channel as read."""
        await self._act("read", channel=channel)


def attached(filename: str, data: bytes) -> Json:
    """A file for a file field of a modal or an attachment option."""
    return {"filename": filename, "data": base64.b64encode(data).decode()}


class SandboxClient:
    """The sandbox at an address."""

    def __init__(self, base_url: str) -> None:
        self.url = base_url.rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connection pool, opened on first use."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
            )
        return self._session

    async def close(self) -> None:
        """Let the connections go."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def get(self, path: str, **query: Any) -> Any:
        """A GET of the control API."""
        params = {k: str(v) for k, v in query.items() if v is not None}
        async with self.session.get(f"{self.url}/sandbox/{path}", params=params) as response:
            return await self._read(response)

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """A POST of the control API."""
        async with self.session.post(f"{self.url}/sandbox/{path}", data=orjson.dumps(dict(body))) as response:
            return await self._read(response)

    async def _read(self, response: aiohttp.ClientResponse) -> Any:
        raw = await response.read()
        if response.status != 200:
            try:
                text = orjson.loads(raw)["error"]
            except (orjson.JSONDecodeError, KeyError):
                text = raw.decode(errors="replace")
            raise SandboxError(response.status, text)
        return orjson.loads(raw)

    # the whole world

    async def people(self) -> list[Person]:
        """Those to act as."""
        return [Person(self, p) for p in await self.get("people")]

    async def person(self, ref: str) -> Person:
        """Somebody by name or id; "Keeper" owns the guild."""
        return Person(self, (await self.get(f"people/{ref}/guild"))["person"])

    async def add_person(self, name: str) -> Person:
        """One more."""
        return Person(self, await self.post("people", {"name": name}))

    async def stats(self) -> Json:
        """The figures of this run."""
        found: Json = await self.get("stats")
        return found

    async def rejected(self) -> list[Json]:
        """Every body that Discord would not have taken."""
        found: list[Json] = await self.get("rejected")
        return found

    async def journal(
        self, since: int = 0, *, viewer: str | None = None, channel: str | None = None, kinds: Iterable[str] = ()
    ) -> tuple[int, list[Entry]]:
        """The next cursor and all that was sent since the given one."""
        raw = await self.get("journal", since=since, viewer=viewer, channel=channel, kinds=",".join(kinds) or None)
        return raw["cursor"], [Entry.of(e) for e in raw["entries"]]

    async def world(self) -> Json:
        """Every channel with its messages, and the commands."""
        found: Json = await self.get("world")
        return found

    async def download(self, url: str) -> bytes:
        """The bytes of an attachment."""
        async with self.session.get(url) as response:
            response.raise_for_status()
            return await response.read()

    # the clock, faults and administration

    async def advance(self, seconds: float) -> None:
        """Let time pass for limits, tokens, nonces and idle threads."""
        await self.post("clock", {"advance": seconds})

    async def ready(self, timeout: float = 30.0) -> bool:  # noqa: ASYNC109
        """Wait until a bot is connected."""
        found: Json = await self.post("gateway", {"do": "wait", "timeout": timeout})
        return bool(found["connected"])

    async def gateway(self) -> Json:
        """The bot's connections."""
        found: Json = await self.get("gateway")
        return found

    async def drop(self, code: int = 4000) -> None:
        """Close the bot's websockets."""
        await self.post("gateway", {"do": "drop", "code": code})

    async def reconnect(self) -> None:
        """Ask the bot to reconnect (op 7)."""
        await self.post("gateway", {"do": "op", "op": 7})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """Declare the bot's session invalid (op 9)."""
        await self.post("gateway", {"do": "op", "op": 9, "d": resumable})

    async def refuse(self, on: bool = True) -> None:
        """Refuse new gateway connections, or take them again."""
        await self.post("gateway", {"do": "refuse", "on": on})

    async def mute(self) -> None:
        """Let the bot's websockets fall silent without closing them."""
        await self.post("gateway", {"do": "mute"})

    async def fault(self, **spec: Any) -> int:
        """Misbehave: method, path, status, after, drop, delay, delay_answer, times, chance, code, retry_after."""
        found: Json = await self.post("fault", spec)
        return int(found["id"])

    async def clear_faults(self, fault_id: int | None = None) -> None:
        """Behave again."""
        await self.post("clear_faults", {"id": fault_id})

    async def close_dm(self, person: Person | str, closed: bool = True) -> None:
        """Somebody no longer takes direct messages, or does again."""
        await self.post("dm", {"person": _ref(person), "closed": closed})

    async def permit(
        self,
        person: Person | str = "bot",
        *,
        channel: str | None = None,
        grant: Iterable[str] = (),
        deny: Iterable[str] = (),
    ) -> None:
        """Grant and deny permissions, in one channel or everywhere."""
        body = {"person": _ref(person), "channel": channel, "grant": list(grant), "deny": list(deny)}
        await self.post("permission", body)

    async def membership(self, person: Person | str, present: bool) -> None:
        """Somebody leaves the guild or comes back."""
        await self.post("membership", {"person": _ref(person), "present": present})

    async def add_channel(self, name: str) -> str:
        """A new text channel; its id."""
        return str((await self.post("channel", {"name": name}))["id"])

    async def delete_message(self, message_id: str) -> None:
        """A moderator deletes a message."""
        await self.post("delete", {"message_id": message_id})

    async def delete_channel(self, channel: str) -> None:
        """A moderator deletes a channel or thread."""
        await self.post("delete", {"channel": channel})

    async def archive(self, thread: str, archived: bool = True, *, locked: bool | None = None) -> None:
        """A moderator archives or reopens a thread, and may lock it."""
        body: Json = {"channel": thread, "archived": archived}
        await self.post("thread", body if locked is None else body | {"locked": locked})

    async def settings(self, **changes: Any) -> Json:
        """Read or change nonce_window, granted_intents and compression."""
        found: Json = await self.post("settings", changes)
        return found


def _ref(person: Person | str) -> str:
    return person if isinstance(person, str) else person.id
