"""The gateway: sessions, events, RESUME, and the compressions that discord.py asks for."""

from __future__ import annotations

import asyncio
import contextlib
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
import zstandard
from aiohttp import WSMsgType, web

from . import payloads
from .errors import Json
from .world import DM, Channel, Message, World

GUILDS, MEMBERS, MESSAGES, REACTIONS, TYPING = 1 << 0, 1 << 1, 1 << 9, 1 << 10, 1 << 11
DM_MESSAGES, DM_REACTIONS, DM_TYPING, CONTENT = 1 << 12, 1 << 13, 1 << 14, 1 << 15
PRESENCES = 1 << 8
PRIVILEGED = MEMBERS | PRESENCES | CONTENT
IN_DM = {MESSAGES: DM_MESSAGES, REACTIONS: DM_REACTIONS, TYPING: DM_TYPING}
HEARTBEAT_MS = 41250
ACK_SECONDS = 0.05
BUFFER = 5000  # events kept for a RESUME
RESUMABLE = 180.0  # seconds that a session outlives its socket
PAYLOAD = 4096
RATE = (120, 60.0)  # frames a client may send, and within how many seconds


def _plain(data: bytes) -> str | bytes:
    return data.decode()


def _compressor(kind: str | None) -> Callable[[bytes], str | bytes]:
    if kind == "zlib-stream":
        z = zlib.compressobj()
        return lambda data: z.compress(data) + z.flush(zlib.Z_SYNC_FLUSH)
    if kind == "zstd-stream":
        s = zstandard.ZstdCompressor().compressobj()
        return lambda data: s.compress(data) + s.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return _plain


class Socket:
    """One websocket; everything goes out through its queue, so senders need not wait."""

    def __init__(self, ws: web.WebSocketResponse, compress: str | None) -> None:
        self.ws = ws
        self._encode = _compressor(compress)
        self._queue: asyncio.Queue[bytes | int] = asyncio.Queue()
        self.session: Session | None = None
        self.muted = False  # frames are lost on the way, as on a connection that died unnoticed

    def send(self, frame: bytes) -> None:
        """Queue a frame."""
        self._queue.put_nowait(frame)

    def op(self, code: int, data: Any = None) -> None:
        """Queue a frame that is not an event."""
        self.send(orjson.dumps({"op": code, "d": data, "s": None, "t": None}))

    def close(self, code: int) -> None:
        """Close after what is queued."""
        self._queue.put_nowait(code)

    async def run(self) -> None:
        """Send until closed."""
        while True:
            item = await self._queue.get()
            if isinstance(item, int):
                await self.ws.close(code=item)
                return
            if self.muted:
                continue
            encoded = self._encode(item)
            with contextlib.suppress(ConnectionError):
                if isinstance(encoded, str):
                    await self.ws.send_str(encoded)
                else:
                    await self.ws.send_bytes(encoded)


@dataclass
class Session:
    """What IDENTIFY starts and RESUME continues."""

    id: str
    intents: int
    shard: tuple[int, int]
    seq: int = 0
    buffer: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=BUFFER))
    socket: Socket | None = None
    lost: float = 0.0  # sandbox clock when the socket went

    def push(self, event: str, data: Json) -> None:
        """Number an event, keep it for a RESUME and send it if anybody listens."""
        self.seq += 1
        frame = orjson.dumps({"op": 0, "t": event, "s": self.seq, "d": data})
        self.buffer.append((self.seq, frame))
        if self.socket is not None:
            self.socket.send(frame)


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, url: str, token: str) -> None:
        self._world = world
        self.url = url
        self._token = token
        self.sessions: dict[str, Session] = {}
        self.sockets: set[Socket] = set()
        self.refusing = False
        self.compression = True
        self.identifies: list[Json] = []
        self.resumes = 0
        self._arrived = asyncio.Event()

    # events

    def emit(self, event: str, data: Json, *, intent: int = 0, channel: Channel | None = None) -> None:
        """Send an event to the sessions that asked for its kind and may see its channel."""
        world = self._world
        direct = channel is not None and channel.type == DM
        if channel is not None and not world.sees(world.bot.id, channel):
            return
        wanted = IN_DM.get(intent, intent) if direct else intent
        for session in self.sessions.values():
            if (not wanted or session.intents & wanted) and self._serves(session, direct):
                session.push(event, data)

    def _serves(self, session: Session, direct: bool) -> bool:
        shard, count = session.shard
        return shard == (0 if direct else (int(self._world.guild_id) >> 22) % count)

    def emit_message(self, event: str, message: Message) -> None:
        """MESSAGE_CREATE or MESSAGE_UPDATE."""
        world = self._world
        channel = world.channels[message.channel_id]
        data = payloads.message(world, message)
        if channel.guild_id:
            data["guild_id"] = channel.guild_id
            author = world.members.get(message.author_id)
            if author is not None:
                data["member"] = payloads.member(author, with_user=False)
        self.emit(event, payloads.seen_by_bot(world, message, data), intent=MESSAGES, channel=channel)

    @property
    def connected(self) -> bool:
        """Whether a bot is listening."""
        return any(s.socket is not None for s in self.sessions.values())

    def emit_interaction(self, data: Json, *, direct: bool) -> None:
        """INTERACTION_CREATE, which needs no intent and no access to the channel."""
        for session in self.sessions.values():
            if self._serves(session, direct):
                session.push("INTERACTION_CREATE", data)

    async def ready(self, seconds: float) -> bool:
        """Wait until a bot is listening."""
        try:
            async with asyncio.timeout(seconds):
                while not self.connected:
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            return False
        return True

    # faults

    def drop(self, code: int) -> int:
        """Close every socket; sessions stay resumable as Discord's would."""
        count = len(self.sockets)
        for socket in list(self.sockets):
            if code in (4004, 4007, 4009) and socket.session is not None:
                self.sessions.pop(socket.session.id, None)
            socket.close(code)
        return count

    def mute(self) -> None:
        """Send nothing more over the present sockets, without closing them."""
        for socket in self.sockets:
            socket.muted = True

    def tell(self, op: int, data: Any) -> int:
        """Send an op, such as 7 or 9, to every socket."""
        count = len(self.sockets)
        for socket in list(self.sockets):
            if op == 9 and not data and socket.session is not None:
                self.sessions.pop(socket.session.id, None)
            socket.op(op, data)
        return count

    # the websocket

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one websocket."""
        if self.refusing:
            return web.Response(status=503)
        ws = web.WebSocketResponse(heartbeat=None)
        await ws.prepare(request)
        socket = Socket(ws, request.query.get("compress") if self.compression else None)
        self.sockets.add(socket)
        writer = asyncio.create_task(socket.run())
        socket.op(10, {"heartbeat_interval": HEARTBEAT_MS})
        recent: deque[float] = deque()
        try:
            async for frame in ws:
                if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                now = self._world.clock.now()
                recent.append(now)
                while recent[0] < now - RATE[1]:
                    recent.popleft()
                if len(recent) > RATE[0]:
                    socket.close(4008)
                elif len(frame.data) > PAYLOAD:
                    socket.close(4002)
                else:
                    self._receive(socket, orjson.loads(frame.data))
        finally:
            self.sockets.discard(socket)
            if socket.session is not None and socket.session.socket is socket:
                socket.session.socket = None
                socket.session.lost = self._world.clock.now()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
        return ws

    def _receive(self, socket: Socket, frame: Json) -> None:
        op, data = frame.get("op"), frame.get("d")
        if op == 1:  # never before the client has noted that it sent the heartbeat: it would think itself behind
            asyncio.get_running_loop().call_later(ACK_SECONDS, socket.op, 11)
            return None
        if op == 2:
            return self._identify(socket, data or {})
        if op == 6:
            return self._resume(socket, data or {})
        if socket.session is None:
            return socket.close(4003)
        if op == 8:
            return self._members(socket.session, data or {})
        return None if op in (3, 4) else socket.close(4001)

    def _identify(self, socket: Socket, data: Json) -> None:
        world = self._world
        if data.get("token") != self._token:
            return socket.close(4004)
        if socket.session is not None:
            return socket.close(4005)
        intents = data.get("intents", 0)
        if intents & PRIVILEGED & ~world.granted_intents:
            return socket.close(4014)
        shard, count = data.get("shard") or (0, 1)
        self._prune((shard, count))
        session = Session(world.new_id(), intents, (shard, count), socket=socket)
        socket.session = session
        self.sessions[session.id] = session
        self.identifies.append({"shard": [shard, count], "intents": intents, "at": world.clock.now()})
        here = self._serves(session, direct=False)
        ready = {
            "v": 10,
            "user": payloads.user(world.bot) | {"verified": True, "mfa_enabled": False, "locale": "en-US"},
            "guilds": [{"id": world.guild_id, "unavailable": True}] if here else [],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "session_type": "normal",
            "shard": [shard, count],
            "application": {"id": world.bot.id, "flags": 0},
            "private_channels": [],
            "geo_ordered_rtc_regions": [],
        }
        session.push("READY", ready)
        if here and intents & GUILDS:
            session.push("GUILD_CREATE", payloads.guild_create(world, all_members=bool(intents & MEMBERS)))
        self._arrived.set()
        return None

    def _prune(self, shard: tuple[int, int]) -> None:
        """Drop the sessions that nobody can resume any more."""
        limit = self._world.clock.now() - RESUMABLE
        for session in list(self.sessions.values()):
            if session.socket is None and (session.lost < limit or session.shard == shard):
                del self.sessions[session.id]

    def _resume(self, socket: Socket, data: Json) -> None:
        if data.get("token") != self._token:
            return socket.close(4004)
        session = self.sessions.get(str(data.get("session_id")))
        seq = data.get("seq") or 0
        expired = session is not None and session.socket is None and session.lost < self._world.clock.now() - RESUMABLE
        if session is None or expired or (session.buffer and seq < session.buffer[0][0] - 1) or seq > session.seq:
            return socket.op(9, False)
        if session.socket is not None:
            session.socket.session = None
            session.socket.close(4000)
        session.socket = socket
        socket.session = session
        for number, frame in session.buffer:
            if number > seq:
                socket.send(frame)
        self.resumes += 1
        session.push("RESUMED", {})
        self._arrived.set()
        return None

    def _members(self, session: Session, data: Json) -> None:
        world = self._world
        wanted, query = data.get("user_ids"), data.get("query")
        if wanted is None and query == "" and not session.intents & MEMBERS:
            return  # the whole list needs the privileged intent
        found = list(world.members.values())
        if wanted is not None:
            ids = {str(i) for i in ([wanted] if isinstance(wanted, str | int) else wanted)}
            found = [m for m in found if m.user.id in ids]
        elif query:
            found = [m for m in found if m.user.username.startswith(str(query).lower())]
        if limit := data.get("limit"):
            found = found[:limit]
        chunk: Json = {
            "guild_id": world.guild_id,
            "members": [payloads.member(m) for m in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
        }
        if data.get("nonce"):
            chunk["nonce"] = data["nonce"]
        session.push("GUILD_MEMBERS_CHUNK", chunk)
