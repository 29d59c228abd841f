"""The world's things as Discord writes them in JSON."""

from __future__ import annotations

from . import permissions
from .errors import Json
from .world import (
    CATEGORY,
    DM,
    EPHEMERAL,
    LOADING,
    PRIVATE_THREAD,
    Attachment,
    Channel,
    Interaction,
    Member,
    Message,
    Role,
    User,
    World,
)

ATTACHMENT_LIMIT = 10 * 2**20
MESSAGE_CONTENT = 1 << 15  # the privileged intent


def user(u: User) -> Json:
    """A user object."""
    return {
        "id": u.id,
        "username": u.username,
        "global_name": u.global_name,
        "discriminator": "0",
        "avatar": None,
        "bot": u.bot,
        "public_flags": 0,
        "flags": 0,
    }


def member(m: Member, *, with_user: bool = True, held: int | None = None) -> Json:
    """A guild member object; `held` adds the computed permissions as interactions do."""
    data: Json = {
        "nick": m.nick,
        "avatar": None,
        "roles": list(m.roles),
        "joined_at": m.joined_at,
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
    }
    if with_user:
        data["user"] = user(m.user)
    if held is not None:
        data["permissions"] = str(held)
    return data


def role(r: Role) -> Json:
    """A role object."""
    return {
        "id": r.id,
        "name": r.name,
        "permissions": str(r.permissions),
        "position": r.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": r.managed,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def thread_member(channel: Channel, user_id: str) -> Json:
    """One membership of a thread."""
    return {"id": channel.id, "user_id": user_id, "join_timestamp": channel.members[user_id], "flags": 1}


def channel(world: World, c: Channel) -> Json:
    """A channel object of any kind."""
    data: Json = {"id": c.id, "type": c.type, "last_message_id": c.last_message_id, "flags": 0}
    if c.type == DM:
        return data | {"recipients": [user(world.users[c.recipient_id or ""])], "last_pin_timestamp": c.last_pin}
    data |= {"guild_id": c.guild_id, "name": c.name, "parent_id": c.parent_id, "rate_limit_per_user": c.slowmode}
    if c.thread is None:
        data |= {
            "position": c.position,
            "permission_overwrites": [
                {"id": o.id, "type": o.type, "allow": str(o.allow), "deny": str(o.deny)} for o in c.overwrites.values()
            ],
            "nsfw": False,
            "topic": c.topic,
        }
        if c.type != CATEGORY:
            data["last_pin_timestamp"] = c.last_pin
        return data
    t = c.thread
    metadata: Json = {
        "archived": t.archived,
        "auto_archive_duration": t.auto_archive,
        "archive_timestamp": t.archive_timestamp,
        "locked": t.locked,
        "create_timestamp": t.created,
    }
    if c.type == PRIVATE_THREAD:
        metadata["invitable"] = t.invitable
    data |= {
        "owner_id": t.owner_id,
        "message_count": t.sent,
        "total_message_sent": t.sent,
        "member_count": min(len(c.members), 50),
        "thread_metadata": metadata,
    }
    if world.bot.id in c.members:
        data["member"] = thread_member(c, world.bot.id)
    return data


def attachment(a: Attachment) -> Json:
    """An attachment object."""
    data: Json = {
        "id": a.id,
        "filename": a.filename,
        "size": a.size,
        "url": a.url,
        "proxy_url": a.url,
        "content_type": a.content_type,
    }
    if a.width is not None:
        data |= {"width": a.width, "height": a.height}
    if a.description is not None:
        data["description"] = a.description
    return data


def message(world: World, m: Message, *, deep: bool = True) -> Json:
    """A message object."""
    data: Json = {
        "id": m.id,
        "channel_id": m.channel_id,
        "author": user(world.users[m.author_id]),
        "type": m.type,
        "content": m.content,
        "embeds": m.embeds,
        "components": m.components,
        "attachments": [attachment(a) for a in m.attachments],
        "flags": m.flags,
        "timestamp": m.timestamp,
        "edited_timestamp": m.edited,
        "mentions": [user(world.users[i]) for i in m.mentions],
        "mention_everyone": m.mention_everyone,
        "mention_roles": [],
        "pinned": m.pinned,
        "tts": False,
        "reactions": [
            {
                "emoji": {"id": None, "name": emoji},
                "count": len(who),
                "count_details": {"normal": len(who), "burst": 0},
                "me": world.bot.id in who,
                "me_burst": False,
                "burst_colors": [],
            }
            for emoji, who in m.reactions.items()
        ],
    }
    if m.nonce is not None:
        data["nonce"] = m.nonce
    if m.webhook_id is not None:
        data["webhook_id"] = data["application_id"] = m.webhook_id
    if m.interaction is not None:
        data["interaction_metadata"] = m.interaction
    if m.reference is not None:
        data["message_reference"] = m.reference
        if m.type in (19, 21) and deep:
            target = world.messages.get(m.reference.get("message_id", ""))
            gone = target is None or target.deleted
            data["referenced_message"] = None if gone or target is None else message(world, target, deep=False)
    opened = world.channels.get(m.id)
    if opened is not None and deep:
        data["thread"] = channel(world, opened)
    return data


def seen_by_bot(world: World, m: Message, data: Json) -> Json:
    """The same message as an app without the message content intent gets it."""
    place = world.channels[m.channel_id]
    if (
        m.author_id == world.bot.id
        or place.type == DM
        or world.bot.id in m.mentions
        or world.granted_intents & MESSAGE_CONTENT
    ):
        return data
    return data | {"content": "", "embeds": [], "attachments": [], "components": []}


_ABSENT = (
    "afk_channel_id",
    "system_channel_id",
    "icon",
    "splash",
    "discovery_splash",
    "banner",
    "description",
    "rules_channel_id",
    "public_updates_channel_id",
    "safety_alerts_channel_id",
    "vanity_url_code",
)


def guild_summary(world: World) -> Json:
    """The guild's own fields."""
    return {
        "id": world.guild_id,
        "name": world.guild_name,
        "owner_id": world.owner.id,
        "roles": [role(r) for r in world.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "nsfw": False,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "application_id": None,
        "max_members": 500000,
        "incidents_data": None,
        **dict.fromkeys(_ABSENT),
    }


def guild_create(world: World, *, all_members: bool) -> Json:
    """What a bot gets of the guild when it connects: only channels that it sees."""
    me = world.bot.id
    visible = [c for c in world.channels.values() if c.guild_id and world.sees(me, c)]
    members = world.members.values() if all_members else [world.members[me]]
    return guild_summary(world) | {
        "channels": [channel(world, c) for c in world.channels.values() if c.guild_id and c.thread is None],
        "threads": [channel(world, c) for c in visible if c.thread is not None and not c.thread.archived],
        "members": [member(m) for m in members],
        "member_count": len(world.members),
        "joined_at": world.created_at,
        "large": False,
        "unavailable": False,
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def interaction_metadata(world: World, i: Interaction) -> Json:
    """Which interaction a message answers."""
    data: Json = {
        "id": i.id,
        "type": i.type,
        "user": user(world.users[i.user_id]),
        "authorizing_integration_owners": {"0": owner_id(world, i)},
    }
    if i.type == 3 and i.message_id:
        data["interacted_message_id"] = i.message_id
    return data


def owner_id(world: World, i: Interaction) -> str:
    """The guild through which the app was installed, "0" in its direct messages."""
    return world.channels[i.channel_id].guild_id or "0"


def interaction(world: World, i: Interaction) -> Json:
    """The INTERACTION_CREATE event."""
    place = world.channels[i.channel_id]
    data: Json = {
        "id": i.id,
        "application_id": world.bot.id,
        "type": i.type,
        "token": i.token,
        "version": 1,
        "data": i.data,
        "channel_id": place.id,
        "locale": "en-US",
        "app_permissions": str(permissions.compute(world, world.bot.id, place)),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": {"0": owner_id(world, i)},
        "attachment_size_limit": ATTACHMENT_LIMIT,
        "context": 0 if place.guild_id else 1,
        "channel": channel(world, place),
    }
    held = permissions.compute(world, i.user_id, place)
    if place.guild_id:
        data["channel"]["permissions"] = str(held)
        data |= {
            "guild_id": place.guild_id,
            "guild_locale": "en-US",
            "guild": {"id": place.guild_id, "locale": "en-US", "features": []},
            "member": member(world.members[i.user_id], held=held),
        }
    else:
        data["user"] = user(world.users[i.user_id])
    if i.message_id:
        data["message"] = message(world, world.messages[i.message_id])
    return data


def callback_response(world: World, i: Interaction) -> Json:
    """The answer to an interaction callback with `with_response`."""
    shown = world.messages.get(i.response_id or "")
    info: Json = {"id": i.id, "type": i.type}
    answer: Json = {"interaction": info}
    if shown is not None:
        info |= {
            "response_message_id": shown.id,
            "response_message_loading": bool(shown.flags & LOADING),
            "response_message_ephemeral": bool(shown.flags & EPHEMERAL),
        }
        if i.kind in (4, 5, 7):
            answer["resource"] = {"type": i.kind, "message": message(world, shown)}
    elif i.kind == 9 and i.modal is not None:
        answer["resource"] = {"type": 9}
    return answer
