"""REST: channels, messages, reactions, pins and direct channels."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import unquote

from . import messages, payloads, ratelimit
from .errors import ApiError, Json, invalid_form
from .gateway import GUILDS, REACTIONS, TYPING
from .permissions import require
from .routing import Call, route
from .uploads import Upload
from .world import DM, TEXT, Channel, Message, iso

CHANNEL = "/channels/{channel_id}"
MESSAGE = CHANNEL + "/messages/{message_id}"
PINS = 250


def opened(call: Call, *names: str) -> Channel:
    """The channel of the path, if the bot may see it and do all that."""
    channel = call.core.world.channel(call.params["channel_id"])
    if channel.guild_id is not None:
        require(call.core.world, channel, *names)
    elif not call.core.world.sees(call.core.world.bot.id, channel):
        raise ApiError(50001)
    return channel


def speaking(channel: Channel) -> str:
    """The permission to send there."""
    return "send_messages_in_threads" if channel.thread is not None else "send_messages"


def target(call: Call, *names: str) -> Message:
    """The message of the path."""
    channel = opened(call, *names)
    return call.core.world.message(channel.id, call.params["message_id"])


def shown(call: Call, message: Message) -> Json:
    """The message as the bot gets it."""
    return payloads.seen_by_bot(call.core.world, message, payloads.message(call.core.world, message))


@route("GET", CHANNEL)
def get_channel(call: Call) -> Any:
    return payloads.channel(call.core.world, opened(call))


@route("PATCH", CHANNEL)
def edit_channel(call: Call) -> Any:
    core, body = call.core, call.body or {}
    channel = opened(call)
    if channel.guild_id is None:
        raise ApiError(50003)
    thread = channel.thread
    if thread is None:
        require(core.world, channel, "manage_channels")
    else:
        own = thread.owner_id == core.world.bot.id
        if thread.archived and body.get("archived", True):
            raise ApiError(50083)
        only_archive = body.keys() <= {"archived", "auto_archive_duration"}
        reopening = body.keys() == {"archived"} and not thread.locked
        if "locked" in body or thread.locked or not (own or reopening or not body):
            require(core.world, channel, "manage_threads")
        elif only_archive:
            require(core.world, channel, "send_messages_in_threads")
    renamed = any(name in body and body[name] != getattr(channel, name) for name in ("name", "topic"))
    if renamed:
        core.limiter.renamed(channel.id)
    was = channel.name
    for name, field in (("name", "name"), ("topic", "topic"), ("position", "position"), ("parent_id", "parent_id")):
        if body.get(name) is not None:
            setattr(channel, field, body[name])
    if body.get("rate_limit_per_user") is not None:
        channel.slowmode = body["rate_limit_per_user"]
    if thread is not None:
        if body.get("auto_archive_duration") is not None:
            thread.auto_archive = body["auto_archive_duration"]
        if body.get("locked") is not None:
            thread.locked = body["locked"]
        if body.get("invitable") is not None:
            thread.invitable = body["invitable"]
        if body.get("archived") is not None and body["archived"] != thread.archived:
            thread.archived = body["archived"]
            thread.archive_timestamp = iso(time.time())
            thread.active = core.clock.now()
    core.channel_event("UPDATE", channel)
    if channel.name != was and thread is not None:
        messages.create(core, channel, core.world.bot.id, {"content": channel.name}, kind=4)
    return payloads.channel(core.world, channel)


@route("DELETE", CHANNEL)
def delete_channel(call: Call) -> Any:
    core = call.core
    channel = opened(call)
    if channel.guild_id is None:
        return payloads.channel(core.world, channel)
    require(core.world, channel, "manage_threads" if channel.thread else "manage_channels")
    return core.remove_channel(channel)


@route("PUT", CHANNEL + "/permissions/{overwrite_id}")
def set_overwrite(call: Call) -> Any:
    channel = opened(call, "manage_roles")
    body = call.body or {}
    allow, deny = int(body.get("allow") or 0), int(body.get("deny") or 0)
    call.core.set_overwrite(channel, call.params["overwrite_id"], body.get("type", 0), allow, deny)


@route("DELETE", CHANNEL + "/permissions/{overwrite_id}")
def delete_overwrite(call: Call) -> Any:
    channel = opened(call, "manage_roles")
    channel.overwrites.pop(call.params["overwrite_id"], None)
    call.core.channel_event("UPDATE", channel)


@route("POST", CHANNEL + "/typing")
def typing(call: Call) -> Any:
    core = call.core
    channel = opened(call)
    if channel.guild_id is not None:
        require(core.world, channel, speaking(channel))
    data: Json = {"channel_id": channel.id, "user_id": core.world.bot.id, "timestamp": int(time.time())}
    core.gateway.emit("TYPING_START", data | {"guild_id": channel.guild_id}, intent=TYPING, channel=channel)
    core.world.record("typing", core.world.audience(channel), channel_id=channel.id, author_id=core.world.bot.id)


@route("GET", CHANNEL + "/messages")
def history(call: Call) -> Any:
    world = call.core.world
    channel = opened(call)
    if channel.guild_id is not None and not world.can(world.bot.id, channel, "read_message_history"):
        return []
    try:
        limit = int(call.query.get("limit", 50))
        marks = {name: int(call.query[name]) for name in ("before", "after", "around") if name in call.query}
    except ValueError:
        raise invalid_form([(("limit",), "NUMBER_TYPE_COERCE", "Value is not an integer.")]) from None
    if not 1 <= limit <= 100:
        raise invalid_form([(("limit",), "NUMBER_TYPE_RANGE", "Value should be between 1 and 100.")])
    if "around" in marks:
        older = world.history(channel, before=marks["around"])[-(limit // 2) :] if limit > 1 else []
        found = older + world.history(channel, after=marks["around"] - 1)[: limit - limit // 2]
    elif "after" in marks:
        found = world.history(channel, after=marks["after"])[:limit]
    else:
        found = world.history(channel, before=marks.get("before"))[-limit:]
    return [shown(call, m) for m in reversed(found)]


def check_sending(call: Call, channel: Channel, body: Json, files: list[Upload]) -> None:
    """Raise unless the bot may post this there."""
    world = call.core.world
    if channel.type == DM:
        if world.users[channel.recipient_id or ""].dm_closed:
            raise ApiError(50007)
        if channel.recipient_id not in world.members:
            raise ApiError(50278)
        return
    if channel.type != TEXT and channel.thread is None:
        raise ApiError(50024)
    require(world, channel, speaking(channel))
    if files:
        require(world, channel, "attach_files")
    if body.get("message_reference"):
        require(world, channel, "read_message_history")


@route("POST", CHANNEL + "/messages")
def send(call: Call) -> Any:
    core, body = call.core, call.body or {}
    channel = opened(call)
    check_sending(call, channel, body, call.files)
    nonce = str(body.get("nonce") or "")
    key = (core.world.bot.id, channel.id, nonce)
    if nonce and body.get("enforce_nonce"):
        window = core.clock.at_least(core.nonce_window, 10.0)
        while core.nonces and core.clock.now() - next(iter(core.nonces.values()))[0] > window:
            del core.nonces[next(iter(core.nonces))]
        if key in core.nonces and not core.world.messages[core.nonces[key][1]].deleted:
            return shown(call, core.world.messages[core.nonces[key][1]])
    message = messages.create(core, channel, core.world.bot.id, body, call.files)
    if nonce:
        core.nonces.pop(key, None)
        core.nonces[key] = (core.clock.now(), message.id)
    return shown(call, message)


@route("GET", MESSAGE)
def get_message(call: Call) -> Any:
    return shown(call, target(call, "read_message_history"))


@route("PATCH", MESSAGE)
def edit_message(call: Call) -> Any:
    core, body = call.core, call.body or {}
    channel = opened(call)
    message = core.world.message(channel.id, call.params["message_id"])
    if message.author_id != core.world.bot.id:
        if body.keys() <= {"flags", "tts", "allowed_mentions"}:
            require(core.world, channel, "manage_messages")
        else:
            raise ApiError(50005)
    if message.type in (1, 4, 6, 18, 21):
        raise ApiError(50021)
    if channel.thread is not None and channel.thread.archived:
        raise ApiError(50083)
    if call.files and channel.guild_id is not None:
        require(core.world, channel, "attach_files")
    if core.clock.now() - message.created > ratelimit.OLD_AGE:
        core.limiter.edited_old(channel.id)
    return shown(call, messages.edit(core, message, body, call.files))


@route("DELETE", MESSAGE)
def delete_message(call: Call) -> Any:
    core = call.core
    message = target(call)
    channel = core.world.channels[message.channel_id]
    if message.author_id != core.world.bot.id:
        if channel.type == DM:
            raise ApiError(50003)
        require(core.world, channel, "manage_messages")
    if channel.thread is not None and channel.thread.archived:
        raise ApiError(50083)
    messages.delete(core, message)


@route("POST", CHANNEL + "/messages/bulk-delete")
def bulk_delete(call: Call) -> Any:
    core = call.core
    channel = opened(call, "manage_messages")
    for message_id in (call.body or {})["messages"]:
        found = core.world.messages.get(str(message_id))
        if found is not None and found.channel_id == channel.id and not found.deleted:
            messages.delete(core, found)


def _emoji(call: Call) -> tuple[Message, str]:
    return target(call, "read_message_history"), unquote(call.params["emoji_name"])


def _reaction_event(call: Call, name: str, message: Message, emoji: str, user_id: str) -> None:
    call.core.reaction_event(name, message, emoji, user_id)


@route("PUT", MESSAGE + "/reactions/{emoji_name}/@me")
def react(call: Call) -> Any:
    core = call.core
    message, emoji = _emoji(call)
    channel = core.world.channels[message.channel_id]
    if channel.guild_id and emoji not in message.reactions:
        require(core.world, channel, "add_reactions")
    who = message.reactions.setdefault(emoji, [])
    if core.world.bot.id not in who:
        who.append(core.world.bot.id)
        _reaction_event(call, "MESSAGE_REACTION_ADD", message, emoji, core.world.bot.id)


@route("DELETE", MESSAGE + "/reactions/{emoji_name}/@me", MESSAGE + "/reactions/{emoji_name}/{user_id}")
def unreact(call: Call) -> Any:
    core = call.core
    message, emoji = _emoji(call)
    user_id = call.params.get("user_id", core.world.bot.id)
    if user_id != core.world.bot.id:
        require(core.world, core.world.channels[message.channel_id], "manage_messages")
    who = message.reactions.get(emoji, [])
    if user_id not in who:
        raise ApiError(10014)
    who.remove(user_id)
    if not who:
        del message.reactions[emoji]
    _reaction_event(call, "MESSAGE_REACTION_REMOVE", message, emoji, user_id)


@route("GET", MESSAGE + "/reactions/{emoji_name}")
def reactors(call: Call) -> Any:
    message, emoji = _emoji(call)
    return [payloads.user(call.core.world.users[i]) for i in message.reactions.get(emoji, [])]


@route("DELETE", MESSAGE + "/reactions")
def clear_reactions(call: Call) -> Any:
    message = target(call, "manage_messages")
    message.reactions.clear()
    channel = call.core.world.channels[message.channel_id]
    data = {"channel_id": channel.id, "message_id": message.id, "guild_id": channel.guild_id}
    call.core.gateway.emit("MESSAGE_REACTION_REMOVE_ALL", data, intent=REACTIONS, channel=channel)


@route("GET", CHANNEL + "/messages/pins")
def pins(call: Call) -> Any:
    channel = opened(call, "read_message_history")
    found = [m for m in call.core.world.history(channel) if m.pinned]
    items = [{"message": shown(call, m), "pinned_at": m.timestamp} for m in reversed(found)]
    return {"items": items, "has_more": False}


@route("GET", CHANNEL + "/pins")
def old_pins(call: Call) -> Any:
    return [item["message"] for item in pins(call)["items"]]


def _pin(call: Call, pinned: bool) -> None:
    core = call.core
    message = target(call)
    channel = core.world.channels[message.channel_id]
    if channel.guild_id:
        require(core.world, channel, "pin_messages")
    if message.pinned == pinned:
        return
    if pinned and sum(m.pinned for m in core.world.history(channel)) >= PINS:
        raise ApiError(30003)
    message.pinned = pinned
    if pinned:
        channel.last_pin = iso(time.time())
        reference = {"type": 0, "message_id": message.id, "channel_id": channel.id}
        messages.create(core, channel, core.world.bot.id, {}, kind=6, reference=reference)
    data = {"channel_id": channel.id, "guild_id": channel.guild_id, "last_pin_timestamp": channel.last_pin}
    core.gateway.emit("CHANNEL_PINS_UPDATE", data, intent=GUILDS, channel=channel)
    core.gateway.emit_message("MESSAGE_UPDATE", message)


@route("PUT", CHANNEL + "/messages/pins/{message_id}", CHANNEL + "/pins/{message_id}")
def pin(call: Call) -> Any:
    _pin(call, True)


@route("DELETE", CHANNEL + "/messages/pins/{message_id}", CHANNEL + "/pins/{message_id}")
def unpin(call: Call) -> Any:
    _pin(call, False)


@route("POST", "/users/@me/channels")
def open_dm(call: Call) -> Any:
    world = call.core.world
    user_id = str((call.body or {}).get("recipient_id"))
    user = world.users.get(user_id)
    if user is None:
        raise invalid_form([(("recipient_id",), "USER_ID_INVALID", "Invalid Recipient(s)")])
    if user.bot:
        raise ApiError(50007)
    if user_id not in world.dms:
        call.core.limiter.opened_dm()
    return payloads.channel(world, world.dm_with(user_id))
