"""The guild, its channels, people and messages, as plain data."""

from __future__ import annotations

import asyncio
import bisect
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from . import permissions
from .clock import Clock
from .errors import ApiError, Json
from .journal import Entry, Journal

EPOCH = 1420070400000
TEXT, DM, CATEGORY, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 4, 11, 12
EPHEMERAL, LOADING, SILENT, HAS_THREAD, V2 = 1 << 6, 1 << 7, 1 << 12, 1 << 5, 1 << 15
HANDLES = ("North", "East", "South", "West")


def iso(seconds: float) -> str:
    """A time as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@dataclass(slots=True)
class User:
    id: str
    username: str
    global_name: str | None
    bot: bool = False
    listed: bool = True  # one of the people a driver plays
    dm_closed: bool = False


@dataclass(slots=True)
class Member:
    user: User
    joined_at: str
    roles: list[str] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True)
class Role:
    id: str
    name: str
    permissions: int
    position: int
    managed: bool = False


@dataclass(slots=True)
class Overwrite:
    id: str
    type: int  # 0 role, 1 member
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class ThreadState:
    owner_id: str
    created: str
    archive_timestamp: str
    active: float  # sandbox clock at the last activity
    auto_archive: int = 1440
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    sent: int = 0


@dataclass(slots=True)
class Channel:
    id: str
    type: int
    name: str
    guild_id: str | None = None
    parent_id: str | None = None
    position: int = 0
    topic: str | None = None
    recipient_id: str | None = None
    slowmode: int = 0
    last_message_id: str | None = None
    last_pin: str | None = None
    thread: ThreadState | None = None
    overwrites: dict[str, Overwrite] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)  # of a thread: user id -> when joined
    message_ids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Attachment:
    id: str
    filename: str
    size: int
    content_type: str
    url: str
    sha256: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(slots=True)
class Message:
    id: str
    channel_id: str
    author_id: str
    created: float  # sandbox clock
    timestamp: str
    type: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    edited: str | None = None
    mentions: list[str] = field(default_factory=list)
    mention_everyone: bool = False
    reference: Json | None = None
    nonce: str | None = None
    pinned: bool = False
    reactions: dict[str, list[str]] = field(default_factory=dict)
    interaction: Json | None = None
    webhook_id: str | None = None
    reader: str | None = None  # of an ephemeral message: the only one who sees it
    versions: int = 1
    deleted: bool = False


@dataclass(slots=True)
class Interaction:
    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    data: Json
    steady: float
    created: float
    message_id: str | None = None
    kind: int | None = None  # of the first answer
    ack_ms: float | None = None
    response_id: str | None = None
    followups: list[str] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None
    acked: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)  # nothing more is promised


class World:
    """All there is, and the few rules that hold for everything."""

    def __init__(self, clock: Clock, base_url: str, *, people: int = 6, blob_limit: int = 256 * 2**20) -> None:
        self.clock = clock
        self.base_url = base_url
        self.journal = Journal()
        self._last_id = 0
        self.users: dict[str, User] = {}
        self.members: dict[str, Member] = {}
        self.roles: dict[str, Role] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.interactions: dict[str, Interaction] = {}  # by token
        self.commands: dict[str | None, dict[str, Json]] = {None: {}}  # guild id or None -> command id -> command
        self.dms: dict[str, str] = {}  # user id -> channel id
        self.modals: dict[str, dict[str, Interaction]] = {}  # user id -> modal id -> what showed it
        self.read: dict[tuple[str, str], int] = {}  # (user, channel) -> last message read
        self.files: dict[str, Attachment] = {}
        self._blobs: OrderedDict[str, bytes] = OrderedDict()
        self._blob_bytes = 0
        self._blob_limit = blob_limit
        self._audiences: dict[str, frozenset[str]] = {}
        self.granted_intents = 0  # of the privileged ones

        self.guild_id = self.new_id()
        self.guild_name = "The Table"
        self.created_at = iso(time.time())
        self.owner = self._join("keeper", "Keeper", listed=False)
        self.bot = self._join("boardgames", "Board Games", bot=True, listed=False)
        self.roles[self.guild_id] = Role(self.guild_id, "@everyone", permissions.EVERYONE, 0)
        role = Role(self.new_id(), "Board Games", permissions.BOT_ROLE, 1, managed=True)
        self.roles[role.id] = role
        self.members[self.bot.id].roles.append(role.id)
        for n in range(people):
            self.add_person(HANDLES[n] if n < len(HANDLES) else f"Player {n + 1}")
        category = self.add_channel("Tables", CATEGORY)
        self.add_channel("lobby", TEXT, category.id)
        self.add_channel("games", TEXT, category.id)

    # ids and time

    def new_id(self) -> str:
        """The next snowflake: unique, growing, and at the wall clock's time."""
        self._last_id = max(self._last_id + 1, (int(time.time() * 1000) - EPOCH) << 22)
        return str(self._last_id)

    # people

    def _join(self, username: str, name: str, *, bot: bool = False, listed: bool = True) -> User:
        user = User(self.new_id(), username, name, bot, listed)
        self.users[user.id] = user
        self.members[user.id] = Member(user, iso(time.time()))
        self._audiences.clear()
        return user

    def add_person(self, name: str) -> User:
        """A new member who is not a bot."""
        username = "".join(c for c in name.lower().replace(" ", "_") if c.isalnum() or c in "_.") or "person"
        if any(u.username == username for u in self.users.values()):
            raise ValueError(f"there is already somebody called {name!r}")
        return self._join(username, name)

    def people(self) -> list[User]:
        """Those whom a driver plays."""
        return [u for u in self.users.values() if u.listed]

    def find_user(self, ref: str) -> User:
        """A user by id, mention, username or display name."""
        ref = ref.strip().removeprefix("<@").removeprefix("!").removesuffix(">")
        if user := self.users.get(ref):
            return user
        for user in self.users.values():
            if ref.lower() in (user.username, (user.global_name or "").lower()):
                return user
        raise KeyError(f"nobody is called {ref!r}")

    def find_channel(self, ref: str) -> Channel:
        """A channel by id, mention or name."""
        ref = ref.strip().removeprefix("<#").removeprefix("#").removesuffix(">")
        if channel := self.channels.get(ref):
            return channel
        for channel in self.channels.values():
            if channel.guild_id and channel.name == ref:
                return channel
        raise KeyError(f"no channel is called {ref!r}")

    # channels

    def add_channel(self, name: str, kind: int = TEXT, parent_id: str | None = None) -> Channel:
        """A new guild channel."""
        channel = Channel(self.new_id(), kind, name, self.guild_id, parent_id, position=len(self.channels))
        self.channels[channel.id] = channel
        return channel

    def dm_with(self, user_id: str) -> Channel:
        """The direct channel between the bot and that user."""
        if user_id not in self.dms:
            channel = Channel(self.new_id(), DM, "", recipient_id=user_id)
            self.channels[channel.id] = channel
            self.dms[user_id] = channel.id
        return self.channels[self.dms[user_id]]

    def channel(self, channel_id: str) -> Channel:
        """The channel, or Discord's 404."""
        try:
            return self.channels[channel_id]
        except KeyError:
            raise ApiError(10003) from None

    def can(self, user_id: str, channel: Channel | None, name: str) -> bool:
        """Whether that member holds the permission there."""
        return bool(permissions.compute(self, user_id, channel) & permissions.BITS[name])

    def sees(self, user_id: str, channel: Channel) -> bool:
        """Whether that user can open the channel at all."""
        return self.can(user_id, channel, "view_channel")

    def permissions_changed(self) -> None:
        """Forget who sees which channel."""
        self._audiences.clear()

    def audience(self, channel: Channel) -> frozenset[str]:
        """The users other than bots who see what is posted there."""
        found = self._audiences.get(channel.id)
        if found is None:
            ids = [channel.recipient_id] if channel.type == DM else self.members
            found = frozenset(i for i in ids if i and not self.users[i].bot and self.sees(i, channel))
            self._audiences[channel.id] = found
        return found

    # messages

    def message(self, channel_id: str, message_id: str) -> Message:
        """A message that can be fetched from its channel, or Discord's 404."""
        found = self.messages.get(message_id)
        if found is None or found.deleted or found.channel_id != channel_id or found.reader is not None:
            raise ApiError(10008)
        return found

    def store(self, message: Message) -> None:
        """Take in a new message."""
        self.messages[message.id] = message
        channel = self.channels[message.channel_id]
        bisect.insort(channel.message_ids, int(message.id))
        if message.reader is None:
            channel.last_message_id = message.id
            if channel.thread is not None:
                channel.thread.sent += 1
                channel.thread.active = self.clock.now()
        if not self.users[message.author_id].bot:
            self.read[message.author_id, channel.id] = int(message.id)

    def history(
        self, channel: Channel, viewer: str | None = None, *, after: int = 0, before: int | None = None
    ) -> list[Message]:
        """The channel's messages, oldest first; ephemeral ones only for their reader."""
        ids = channel.message_ids
        start = bisect.bisect_right(ids, after)
        end = len(ids) if before is None else bisect.bisect_left(ids, before)
        found = (self.messages[str(i)] for i in ids[start:end])
        return [m for m in found if m.reader is None or m.reader == viewer]

    def forget(self, message: Message) -> None:
        """Take a message out of its channel; what it said stays in the journal only."""
        message.deleted = True
        message.content, message.components, message.embeds = "", [], []
        ids = self.channels[message.channel_id].message_ids
        place = bisect.bisect_left(ids, int(message.id))
        if place < len(ids) and ids[place] == int(message.id):
            del ids[place]

    def record(self, kind: str, audience: frozenset[str], body: Json | None = None, **fields: Any) -> Entry:
        """Write into the journal, at this moment."""
        return self.journal.add(kind, self.clock.now(), time.time(), audience, body or {}, **fields)

    # files

    def keep_file(self, channel_id: str, filename: str, content_type: str, data: bytes) -> Attachment:
        """Store an upload; the oldest bytes go when there are too many."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._blobs:
            self._blobs[digest] = data
            self._blob_bytes += len(data)
            while self._blob_bytes > self._blob_limit and len(self._blobs) > 1:
                self._blob_bytes -= len(self._blobs.popitem(last=False)[1])
        else:
            self._blobs.move_to_end(digest)
        file_id = self.new_id()
        url = f"{self.base_url}/cdn/attachments/{channel_id}/{file_id}/{filename}"
        kept = Attachment(file_id, filename, len(data), content_type, url, digest)
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            kept.content_type = "image/png"
            kept.width, kept.height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        self.files[file_id] = kept
        return kept

    def blob(self, file_id: str) -> bytes | None:
        """The bytes of an upload, while they are kept."""
        kept = self.files.get(file_id)
        return self._blobs.get(kept.sha256) if kept else None
