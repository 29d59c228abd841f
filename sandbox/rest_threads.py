"""REST: threads and their members."""

from __future__ import annotations

import time
from typing import Any

from . import messages, payloads
from .core import Core
from .errors import ApiError, Json, invalid_form
from .gateway import GUILDS
from .permissions import require
from .rest_channels import CHANNEL, opened
from .routing import Call, route
from .world import HAS_THREAD, PRIVATE_THREAD, PUBLIC_THREAD, TEXT, Channel, Message, ThreadState, iso

ACTIVE_LIMIT = 1000
DURATIONS = {60, 1440, 4320, 10080}


def start_thread(
    core: Core, parent: Channel, owner_id: str, body: Json, *, kind: int = PUBLIC_THREAD, message: Message | None = None
) -> Channel:
    """Open a thread, from a message or on its own."""
    world = core.world
    active = sum(c.thread is not None and not c.thread.archived for c in world.channels.values())
    if active >= ACTIVE_LIMIT:
        raise ApiError(160006)
    now = iso(time.time())
    duration = body.get("auto_archive_duration") or 1440
    if duration not in DURATIONS:
        raise invalid_form([(("auto_archive_duration",), "BASE_TYPE_CHOICES", f"Value must be one of {DURATIONS}")])
    thread = Channel(
        message.id if message else world.new_id(),
        kind,
        body["name"],
        world.guild_id,
        parent.id,
        slowmode=body.get("rate_limit_per_user") or 0,
        thread=ThreadState(owner_id, now, now, core.clock.now(), duration, invitable=body.get("invitable", True)),
        members={owner_id: now},
    )
    world.channels[thread.id] = thread
    core.channel_event("CREATE", thread)
    reference = {"channel_id": parent.id, "guild_id": world.guild_id}
    if message is not None:
        message.flags |= HAS_THREAD
        core.gateway.emit_message("MESSAGE_UPDATE", message)
        reference = reference | {"message_id": message.id}
        messages.create(core, thread, owner_id, {}, kind=21, reference=reference)
    elif kind == PUBLIC_THREAD:
        reference = reference | {"channel_id": thread.id}
        messages.create(core, parent, owner_id, {"content": thread.name}, kind=18, reference=reference)
    return thread


@route("POST", CHANNEL + "/messages/{message_id}/threads")
def from_message(call: Call) -> Any:
    world = call.core.world
    parent = opened(call, "create_public_threads", "read_message_history")
    if parent.type != TEXT:
        raise ApiError(50024)
    message = world.message(parent.id, call.params["message_id"])
    if message.id in world.channels:
        raise ApiError(160004)
    return payloads.channel(world, start_thread(call.core, parent, world.bot.id, call.body, message=message))


@route("POST", CHANNEL + "/threads")
def from_nothing(call: Call) -> Any:
    world = call.core.world
    kind = call.body.get("type") or PRIVATE_THREAD
    private = kind == PRIVATE_THREAD
    parent = opened(call, "create_private_threads" if private else "create_public_threads")
    if parent.type != TEXT or kind not in (PUBLIC_THREAD, PRIVATE_THREAD):
        raise ApiError(50024)
    return payloads.channel(world, start_thread(call.core, parent, world.bot.id, call.body, kind=kind))


def _thread(call: Call, *, writing: bool = False) -> Channel:
    channel = opened(call)
    if channel.thread is None:
        raise ApiError(50024)
    if writing and channel.thread.archived:
        raise ApiError(50083)
    return channel


def members_event(core: Core, channel: Channel, *, added: str | None = None, removed: str | None = None) -> None:
    """Tell that somebody came into a thread or left it."""
    world = core.world
    world.permissions_changed()
    data: Json = {"id": channel.id, "guild_id": channel.guild_id, "member_count": len(channel.members)}
    if added is not None:
        person = payloads.member(world.members[added])
        data["added_members"] = [payloads.thread_member(channel, added) | {"member": person, "presence": None}]
    if removed is not None:
        data["removed_member_ids"] = [removed]
    core.gateway.emit("THREAD_MEMBERS_UPDATE", data, intent=GUILDS, channel=channel)
    audience = world.audience(channel) | ({removed} if removed else set())
    world.record(
        "thread", audience, channel_id=channel.id, body=payloads.channel(world, channel) | {"event": "members"}
    )


@route("PUT", CHANNEL + "/thread-members/@me", CHANNEL + "/thread-members/{user_id}")
def add_member(call: Call) -> Any:
    core = call.core
    channel = _thread(call, writing=True)
    user_id = call.params.get("user_id", core.world.bot.id)
    if user_id not in core.world.members:
        raise ApiError(10007)
    if user_id != core.world.bot.id:
        require(core.world, channel, "send_messages_in_threads")
        invitable = channel.type == PUBLIC_THREAD or (channel.thread is not None and channel.thread.invitable)
        if not invitable and core.world.bot.id != getattr(channel.thread, "owner_id", None):
            require(core.world, channel, "manage_threads")
    if user_id in channel.members:
        return
    channel.members[user_id] = iso(time.time())
    if user_id != core.world.bot.id:
        messages.create(core, channel, core.world.bot.id, {}, kind=1)
    members_event(core, channel, added=user_id)


@route("DELETE", CHANNEL + "/thread-members/@me", CHANNEL + "/thread-members/{user_id}")
def remove_member(call: Call) -> Any:
    core = call.core
    channel = _thread(call, writing=True)
    user_id = call.params.get("user_id", core.world.bot.id)
    own = channel.thread is not None and channel.thread.owner_id == core.world.bot.id
    if user_id != core.world.bot.id and not (own and channel.type == PRIVATE_THREAD):
        require(core.world, channel, "manage_threads")
    if channel.members.pop(user_id, None) is not None:
        members_event(core, channel, removed=user_id)


@route("GET", CHANNEL + "/thread-members")
def thread_members(call: Call) -> Any:
    channel = _thread(call)
    return [payloads.thread_member(channel, user_id) for user_id in channel.members]


@route("GET", CHANNEL + "/thread-members/{user_id}")
def thread_member(call: Call) -> Any:
    channel = _thread(call)
    user_id = call.params["user_id"].replace("@me", call.core.world.bot.id)
    if user_id not in channel.members:
        raise ApiError(10071)
    return payloads.thread_member(channel, user_id)


def _listing(call: Call, threads: list[Channel]) -> Json:
    world = call.core.world
    mine = [c for c in threads if world.bot.id in c.members]
    return {
        "threads": [payloads.channel(world, c) for c in threads],
        "members": [payloads.thread_member(c, world.bot.id) for c in mine],
    }


def _archived(call: Call, kind: int, *, joined: bool = False) -> Any:
    world = call.core.world
    parent = opened(call, "read_message_history")
    if kind == PRIVATE_THREAD and not joined:
        require(world, parent, "manage_threads")
    limit = int(call.query.get("limit", 50))
    before = call.query.get("before", "~")
    found = [
        c
        for c in world.channels.values()
        if c.parent_id == parent.id and c.type == kind and c.thread is not None and c.thread.archived
    ]
    if joined:
        found = [c for c in found if world.bot.id in c.members]
    found.sort(key=lambda c: c.thread.archive_timestamp if c.thread else "", reverse=True)
    found = [c for c in found if c.thread is not None and c.thread.archive_timestamp < before]
    return _listing(call, found[:limit]) | {"has_more": len(found) > limit}


@route("GET", CHANNEL + "/threads/archived/public")
def archived_public(call: Call) -> Any:
    return _archived(call, PUBLIC_THREAD)


@route("GET", CHANNEL + "/threads/archived/private")
def archived_private(call: Call) -> Any:
    return _archived(call, PRIVATE_THREAD)


@route("GET", CHANNEL + "/users/@me/threads/archived/private")
def archived_joined(call: Call) -> Any:
    return _archived(call, PRIVATE_THREAD, joined=True)


@route("GET", "/guilds/{guild_id}/threads/active")
def active_threads(call: Call) -> Any:
    world = call.core.world
    found = [c for c in world.channels.values() if c.thread is not None and not c.thread.archived]
    return _listing(call, [c for c in found if world.sees(world.bot.id, c)])
