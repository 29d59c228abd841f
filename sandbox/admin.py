"""What is done to the sandbox itself: people, permissions, faults, the clock, and looking at everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import messages, payloads, permissions, screens
from .core import Core
from .errors import Json
from .gateway import GUILDS, MEMBERS, PRIVILEGED
from .rest_threads import start_thread
from .world import TEXT, Member, Role, iso


def stats(core: Core) -> Json:
    """The figures of this run."""
    s = core.stats
    acks = sorted(s.ack_ms)

    def percentile(share: float) -> float | None:
        return round(acks[min(len(acks) - 1, int(len(acks) * share))], 3) if acks else None

    return {
        "interactions": s.interactions,
        "answered": s.answered,
        "unanswered": s.interactions - s.answered,
        "ack_ms": {"p50": percentile(0.5), "p90": percentile(0.9), "p99": percentile(0.99), "max": percentile(1.0)},
        "messages": s.messages,
        "edits": s.edits,
        "images": s.images,
        "requests": s.requests,
        "statuses": {str(k): v for k, v in sorted(s.statuses.items())},
        "rejected": len(s.rejected),
        "rejections": s.rejected[-100:],
        "unknown_routes": s.unknown_routes,
        "crashes": s.crashes,
        "rate_limited": core.limiter.limited,
        "invalid_requests": core.limiter.invalid,
        "journal": len(core.world.journal),
    }


def gateway(core: Core) -> Json:
    """The bot's connections."""
    g = core.gateway
    return {
        "connected": g.connected,
        "sockets": len(g.sockets),
        "sessions": [
            {"id": s.id, "intents": s.intents, "seq": s.seq, "live": s.socket is not None} for s in g.sessions.values()
        ],
        "identifies": g.identifies,
        "resumes": g.resumes,
        "refusing": g.refusing,
    }


def clock(core: Core) -> Json:
    """What time it is."""
    return {"now": core.clock.now(), "steady": core.clock.steady(), "speed": core.clock.speed}


def everything(core: Core) -> Json:
    """Every channel with every message that is there now, ephemeral ones too."""
    world = core.world
    return {
        "channels": [
            payloads.channel(world, c)
            | {
                "messages": [
                    messages.view(core, m) | {"reader": m.reader}
                    for m in (world.messages[str(i)] for i in c.message_ids)
                ]
            }
            for c in world.channels.values()
        ],
        "commands": [c for scope in world.commands.values() for c in scope.values()],
    }


def _rejected(core: Core) -> list[Json]:
    return core.stats.rejected


VIEWS: dict[str, Callable[[Core], Any]] = {
    "people": lambda core: [screens.person(u) for u in core.world.people()],
    "attention": screens.attention,
    "stats": stats,
    "rejected": _rejected,
    "gateway": gateway,
    "clock": clock,
    "world": everything,
    "faults": lambda core: [f.json() for f in core.faults.active],
}


def _add_person(core: Core, b: Json) -> Json:
    user = core.world.add_person(b["name"])
    data = payloads.member(core.world.members[user.id]) | {"guild_id": core.world.guild_id}
    core.gateway.emit("GUILD_MEMBER_ADD", data, intent=MEMBERS)
    return screens.person(user)


def _membership(core: Core, b: Json) -> None:
    """Somebody leaves the guild or comes back."""
    world = core.world
    user = world.find_user(b["person"])
    if b["present"] and user.id not in world.members:
        world.members[user.id] = Member(user, iso(core.clock.steady()))
        data = payloads.member(world.members[user.id]) | {"guild_id": world.guild_id}
        core.gateway.emit("GUILD_MEMBER_ADD", data, intent=MEMBERS)
    elif not b["present"] and world.members.pop(user.id, None) is not None:
        data = {"guild_id": world.guild_id, "user": payloads.user(user)}
        core.gateway.emit("GUILD_MEMBER_REMOVE", data, intent=MEMBERS)
    world.permissions_changed()


def _dm(core: Core, b: Json) -> None:
    core.world.find_user(b["person"]).dm_closed = bool(b["closed"])


def _permission(core: Core, b: Json) -> Json:
    """Grant or deny permissions: in one channel by an overwrite, without a channel in every one of them and by role."""
    world = core.world
    user = world.bot if b.get("person", "bot") == "bot" else world.find_user(b["person"])
    grant, deny = permissions.bits(b.get("grant") or ()), permissions.bits(b.get("deny") or ())
    if b.get("channel"):
        places = [world.find_channel(b["channel"])]
    else:
        places = [c for c in world.channels.values() if c.guild_id and c.thread is None]
        _own_role(core, user.id, grant, deny)
    for place in places:
        old = place.overwrites.get(user.id)
        if old is None and not b.get("channel") and not deny:
            continue
        allow, refuse = (old.allow, old.deny) if old else (0, 0)
        extra = grant if b.get("channel") else 0
        core.set_overwrite(place, user.id, 1, (allow | extra) & ~deny, (refuse | deny) & ~grant)
    return {"permissions": str(permissions.compute(world, user.id, places[0] if b.get("channel") else None))}


def _own_role(core: Core, user_id: str, grant: int, deny: int) -> None:
    """Change the role that only this member has, making it when needed."""
    world = core.world
    member = world.members[user_id]
    event = "GUILD_ROLE_UPDATE"
    if not member.roles:
        role = Role(world.new_id(), member.user.global_name or member.user.username, 0, len(world.roles))
        world.roles[role.id] = role
        member.roles.append(role.id)
        event = "GUILD_ROLE_CREATE"
    role = world.roles[member.roles[0]]
    role.permissions = (role.permissions | grant) & ~deny
    world.permissions_changed()
    core.gateway.emit(event, {"guild_id": world.guild_id, "role": payloads.role(role)}, intent=GUILDS)
    data = payloads.member(member) | {"guild_id": world.guild_id}
    if user_id == world.bot.id:
        core.gateway.emit("GUILD_MEMBER_UPDATE", data, intent=GUILDS)


def _channel(core: Core, b: Json) -> Json:
    made = core.world.add_channel(b["name"], b.get("type", TEXT))
    core.channel_event("CREATE", made)
    return payloads.channel(core.world, made)


def _delete(core: Core, b: Json) -> None:
    world = core.world
    if b.get("message_id"):
        message = world.messages[b["message_id"]]
        if message.deleted:
            raise KeyError(message.id)
        messages.delete(core, message)
    else:
        core.remove_channel(world.find_channel(b["channel"]))


def _thread(core: Core, b: Json) -> Json:
    """Open a thread as somebody, or archive, lock and reopen one."""
    world = core.world
    channel = world.find_channel(b["channel"])
    if "name" in b:
        owner = world.find_user(b["person"])
        channel = start_thread(core, channel, owner.id, {"name": b["name"]})
    thread = channel.thread
    if thread is None:
        raise ValueError("that is not a thread")
    changed = "locked" in b and thread.locked != b["locked"]
    thread.locked = bool(b.get("locked", thread.locked))
    if "archived" in b and thread.archived != b["archived"]:
        core.archive(channel, bool(b["archived"]))
    elif changed:
        core.channel_event("UPDATE", channel)
    return payloads.channel(world, channel)


def _clock(core: Core, b: Json) -> Json:
    core.clock.advance(float(b["advance"]))
    core.sweep()
    return clock(core)


def _settings(core: Core, b: Json) -> Json:
    if "nonce_window" in b:
        core.nonce_window = float(b["nonce_window"])
    if "granted_intents" in b:
        core.world.granted_intents = int(b["granted_intents"]) & PRIVILEGED
    if "compression" in b:
        core.gateway.compression = bool(b["compression"])
    return {
        "nonce_window": core.nonce_window,
        "granted_intents": core.world.granted_intents,
        "compression": core.gateway.compression,
    }


async def _gateway(core: Core, b: Json) -> Json:
    """drop (code), op (op, d), mute, refuse (on), wait (timeout)."""
    what = b["do"]
    if what == "drop":
        core.gateway.drop(int(b.get("code", 4000)))
    elif what == "op":
        core.gateway.tell(int(b["op"]), b.get("d"))
    elif what == "mute":
        core.gateway.mute()
    elif what == "refuse":
        core.gateway.refusing = bool(b["on"])
    elif what == "wait":
        await core.gateway.ready(float(b.get("timeout", 30)))
    else:
        raise ValueError(f"the gateway cannot {what!r}: drop, op, mute, refuse or wait")
    return gateway(core)


def _clear_faults(core: Core, b: Json) -> None:
    core.faults.clear(b.get("id"))


ACTIONS: dict[str, Callable[[Core, Json], Any]] = {
    "people": _add_person,
    "membership": _membership,
    "dm": _dm,
    "permission": _permission,
    "channel": _channel,
    "delete": _delete,
    "thread": _thread,
    "clock": _clock,
    "settings": _settings,
    "gateway": _gateway,
    "fault": lambda core, b: core.faults.add(b).json(),
    "clear_faults": _clear_faults,
}
