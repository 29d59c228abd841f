"""What every part of the server needs at hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import payloads
from .clock import Clock
from .errors import Json
from .faults import Faults
from .gateway import GUILDS, REACTIONS, Gateway
from .ratelimit import Limiter
from .spec import Spec
from .world import Channel, Message, Overwrite, World, iso

TOKEN = "c2FuZGJveA.c2FuZGJveA.c2FuZGJveC1ib2FyZC1nYW1lcw"
"""The bot's token: not a secret, it opens only the sandbox."""


@dataclass
class Stats:
    interactions: int = 0
    answered: int = 0
    ack_ms: list[float] = field(default_factory=list)
    messages: int = 0
    edits: int = 0
    images: int = 0
    requests: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    rejected: list[Json] = field(default_factory=list)
    unknown_routes: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)


ACK_SECONDS = 3.0
"""How soon an interaction must be answered, by the wall clock; tests on slow machines allow more."""


class Core:
    """The world with its clock, gateway, limits, faults and figures."""

    def __init__(
        self, base_url: str, *, speed: float = 1.0, people: int = 6, nonce_window: float = 300.0, seed: int = 0
    ) -> None:
        self.clock = Clock(speed)
        self.world = World(self.clock, base_url, people=people)
        self.gateway = Gateway(self.world, base_url.replace("http", "ws", 1) + "/gateway", TOKEN)
        self.limiter = Limiter(self.clock)
        self.faults = Faults(seed)
        self.spec = Spec()
        self.stats = Stats()
        self.nonce_window = nonce_window
        self.ack_seconds = ACK_SECONDS
        self.nonces: dict[tuple[str, str, str], tuple[float, str]] = {}  # (author, channel, nonce) -> when, message

    def channel_event(self, event: str, channel: Channel) -> None:
        """Tell the bot and the people that a channel or thread came, changed or went."""
        world = self.world
        thread = channel.thread is not None
        kind = "thread" if thread else "channel"
        if event != "DELETE":
            world.permissions_changed()
        audience = world.audience(channel)
        full = payloads.channel(world, channel)
        name = f"{kind.upper()}_{event}"
        if event == "DELETE" and thread:
            data = {k: full[k] for k in ("id", "guild_id", "parent_id", "type")}
        else:
            data = full | ({"newly_created": True} if thread and event == "CREATE" else {})
        # Every channel is known to the bot; only of threads it learns just what it may see.
        self.gateway.emit(name, data, intent=GUILDS, channel=channel if thread else None)
        world.record(kind, audience, channel_id=channel.id, body=full | {"event": event.lower()})
        world.permissions_changed()

    def remove_channel(self, channel: Channel) -> Json:
        """Delete a channel with its threads, or a thread."""
        world = self.world
        for thread in [c for c in world.channels.values() if c.parent_id == channel.id and c.thread is not None]:
            self.remove_channel(thread)
        data = payloads.channel(world, channel)
        self.channel_event("DELETE", channel)
        for message in world.history(channel):
            message.deleted = True
        del world.channels[channel.id]
        return data

    def set_overwrite(
        self, channel: Channel, target: str, kind: int, allow: int, deny: int, *, tell: bool = True
    ) -> None:
        """Say what a role or member may or may not do in a channel."""
        world = self.world
        before = world.sees(world.bot.id, channel)
        channel.overwrites[target] = Overwrite(target, kind, allow, deny)
        world.permissions_changed()
        if not tell:
            return
        self.channel_event("UPDATE", channel)
        if not before and world.sees(world.bot.id, channel):  # the bot learns of the threads in it
            threads = [c for c in world.channels.values() if c.parent_id == channel.id and world.sees(world.bot.id, c)]
            active = [c for c in threads if c.thread is not None and not c.thread.archived]
            data = {
                "guild_id": world.guild_id,
                "channel_ids": [channel.id],
                "threads": [payloads.channel(world, c) for c in active],
                "members": [payloads.thread_member(c, world.bot.id) for c in active if world.bot.id in c.members],
            }
            self.gateway.emit("THREAD_LIST_SYNC", data, intent=GUILDS)

    def reaction_event(self, name: str, message: Message, emoji: str, user_id: str) -> None:
        """Tell that somebody reacted or took it back."""
        world = self.world
        channel = world.channels[message.channel_id]
        data: Json = {"channel_id": channel.id, "message_id": message.id, "user_id": user_id}
        data |= {"emoji": {"id": None, "name": emoji}, "burst": False, "type": 0}
        if name.endswith("ADD"):
            data["message_author_id"] = message.author_id
        if channel.guild_id:
            data["guild_id"] = channel.guild_id
            if name.endswith("ADD"):
                data["member"] = payloads.member(world.members[user_id])
        self.gateway.emit(name, data, intent=REACTIONS, channel=channel)
        fields = {"channel_id": channel.id, "message_id": message.id, "author_id": user_id}
        body = {"emoji": emoji, "event": name.rsplit("_", 1)[1].lower()}
        world.record("reaction", world.audience(channel), body=body, **fields)

    def sweep(self) -> None:
        """Archive the threads in which nothing happened for their time."""
        now = self.clock.now()
        for channel in list(self.world.channels.values()):
            thread = channel.thread
            if thread is not None and not thread.archived and now - thread.active > thread.auto_archive * 60:
                self.archive(channel, True)

    def archive(self, channel: Channel, archived: bool) -> None:
        """Archive or reopen a thread."""
        thread = channel.thread
        if thread is None or thread.archived == archived:
            return
        thread.archived = archived
        thread.archive_timestamp = iso(self.clock.steady())
        thread.active = self.clock.now()
        self.channel_event("UPDATE", channel)
