"""Who may do what where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .errors import ApiError

if TYPE_CHECKING:
    from .world import Channel, World

BITS: dict[str, int] = {
    "create_instant_invite": 1 << 0,
    "kick_members": 1 << 1,
    "ban_members": 1 << 2,
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_audit_log": 1 << 7,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "send_tts_messages": 1 << 12,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "change_nickname": 1 << 26,
    "manage_nicknames": 1 << 27,
    "manage_roles": 1 << 28,
    "manage_webhooks": 1 << 29,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "moderate_members": 1 << 40,
    "send_polls": 1 << 49,
    "pin_messages": 1 << 51,
}
ALL = (1 << 53) - 1


def bits(names: str | Iterable[str]) -> int:
    """The bit set of those permissions; a string names several, with spaces between."""
    value = 0
    for name in names.split() if isinstance(names, str) else names:
        if name not in BITS:
            raise ValueError(f"no permission is called {name!r}")
        value |= BITS[name]
    return value


# What @everyone holds in a newly made server, as far as it matters here.
EVERYONE = bits(
    "create_instant_invite change_nickname view_channel send_messages embed_links attach_files read_message_history"
    " add_reactions use_external_emojis use_application_commands create_public_threads create_private_threads"
    " send_messages_in_threads send_polls"
)
# What the bot's own role asks for: the least a board game table needs.
BOT_ROLE = bits(
    "view_channel send_messages embed_links attach_files read_message_history create_public_threads"
    " send_messages_in_threads"
)
DIRECT = bits("view_channel send_messages embed_links attach_files read_message_history add_reactions")
_NEEDS_SEND = bits("mention_everyone send_tts_messages attach_files embed_links")


def compute(world: World, user_id: str, channel: Channel | None) -> int:
    """A member's permissions in the guild or in one of its channels."""
    if channel is not None and channel.guild_id is None:
        return DIRECT if user_id in (channel.recipient_id, world.bot.id) else 0
    member = world.members.get(user_id)
    if member is None:
        return 0
    if user_id == world.owner.id:
        return ALL
    value = world.roles[world.guild_id].permissions
    for role_id in member.roles:
        value |= world.roles[role_id].permissions
    if value & BITS["administrator"]:
        return ALL
    if channel is None:
        return value
    place = channel
    if channel.thread is not None:
        parent = world.channels.get(channel.parent_id or "")
        if parent is None:
            return 0
        place = parent
    rules = place.overwrites
    if everyone := rules.get(world.guild_id):
        value = value & ~everyone.deny | everyone.allow
    allow = deny = 0
    for role_id in member.roles:
        if role := rules.get(role_id):
            allow, deny = allow | role.allow, deny | role.deny
    value = value & ~deny | allow
    if own := rules.get(user_id):
        value = value & ~own.deny | own.allow
    if not value & BITS["view_channel"]:
        return 0
    private = channel.thread is not None and channel.type == 12
    if private and user_id not in channel.members and not value & BITS["manage_threads"]:
        return 0
    if not value & BITS["send_messages_in_threads" if channel.thread is not None else "send_messages"]:
        value &= ~_NEEDS_SEND
    return value


def require(world: World, channel: Channel, *names: str) -> None:
    """Raise Discord's 403 unless the bot holds all of them in that channel."""
    held = compute(world, world.bot.id, channel)
    if not held & BITS["view_channel"]:
        raise ApiError(50001)
    if any(not held & BITS[name] for name in names):
        raise ApiError(50013)
