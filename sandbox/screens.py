"""What a person has on the screen."""

from __future__ import annotations

from . import human, messages
from .core import Core
from .errors import Json
from .world import CATEGORY, PRIVATE_THREAD, Channel, User


def unread(core: Core, user: User, channel: Channel) -> tuple[int, int]:
    """How many messages that person has not read there, and how many of them call for them."""
    mark = core.world.read.get((user.id, channel.id), 0)
    mine = [m for m in core.world.history(channel, user.id, after=mark) if m.author_id != user.id]
    direct = channel.guild_id is None
    return len(mine), sum(direct or m.mention_everyone or user.id in m.mentions for m in mine)


def _place(core: Core, user: User, channel: Channel) -> Json:
    count, calls = unread(core, user, channel)
    data: Json = {
        "id": channel.id,
        "name": channel.name,
        "type": channel.type,
        "parent_id": channel.parent_id,
        "topic": channel.topic,
        "unread": count,
        "mentions": calls,
        "last_message_id": channel.last_message_id,
    }
    if channel.thread is not None:
        data |= {
            "archived": channel.thread.archived,
            "locked": channel.thread.locked,
            "joined": user.id in channel.members,
            "private": channel.type == PRIVATE_THREAD,
            "member_ids": sorted(channel.members, key=int),
        }
    return data


def tree(core: Core, user: User) -> Json:
    """The guild with its channels and threads, and the direct messages."""
    world = core.world
    seen = [c for c in world.channels.values() if c.guild_id and world.sees(user.id, c)]
    threads = [c for c in seen if c.thread is not None]
    channels = [
        _place(core, user, c) | {"threads": [_place(core, user, t) for t in threads if t.parent_id == c.id]}
        for c in seen
        if c.thread is None
    ]
    parents = {c["parent_id"] for c in channels}
    direct = [world.channels[world.dms[user.id]]] if user.id in world.dms else []
    return {
        "person": person(user),
        "guild": {"id": world.guild_id, "name": world.guild_name},
        "channels": [c for c in channels if c["type"] != CATEGORY or c["id"] in parents],
        "dms": [_place(core, user, c) | {"name": world.bot.global_name} for c in direct],
        "modals": [i.modal | {"id": i.id} for i in world.modals.get(user.id, {}).values() if i.modal is not None],
        "cursor": len(world.journal),
    }


def attention(core: Core) -> Json:
    """What every person has not read, by id: a page with several people's seats shows where to look."""
    world = core.world
    found: Json = {}
    for user in world.people():
        places = [c for c in world.channels.values() if c.guild_id and world.sees(user.id, c)]
        if user.id in world.dms:
            places.append(world.channels[world.dms[user.id]])
        counts = [unread(core, user, c) for c in places]
        found[user.id] = {"unread": sum(n for n, _ in counts), "mentions": sum(n for _, n in counts)}
    return found


def person(user: User) -> Json:
    """Who somebody is."""
    return {
        "id": user.id,
        "name": user.global_name or user.username,
        "username": user.username,
        "dm_closed": user.dm_closed,
        "bot": user.bot,
    }


def timeline(
    core: Core,
    user: User,
    ref: str,
    *,
    limit: int = 50,
    before: int | None = None,
    after: int | None = None,
    mark: bool,
) -> list[Json]:
    """A channel's messages as that person sees them, oldest first."""
    channel = human.enter(core, user, ref)
    found = core.world.history(channel, user.id, before=before, after=after or 0)
    if mark:
        read(core, user, channel)
    found = found[:limit] if after is not None and before is None else found[-limit:]
    return [messages.view(core, m) for m in found]


def read(core: Core, user: User, channel: Channel) -> None:
    """Mark a channel as read."""
    last = channel.message_ids[-1] if channel.message_ids else 0
    if core.world.read.get((user.id, channel.id), 0) < last:
        core.world.read[user.id, channel.id] = last
        core.world.record("read", frozenset([user.id]), channel_id=channel.id)
