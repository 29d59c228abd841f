"""Posting, editing and deleting messages."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Sequence

from . import limits, payloads
from .core import Core
from .errors import ApiError, Json, Problem, invalid_form
from .gateway import MESSAGES
from .uploads import Upload
from .world import DM, EPHEMERAL, LOADING, SILENT, V2, Attachment, Channel, Message, iso

_USER = re.compile(r"<@!?(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_BY_APP = SILENT | 1 << 2 | V2 | EPHEMERAL


def plain_text(message: Message) -> str:
    """All that a reader reads: content, embeds and text displays, in order."""
    parts: list[str | None] = [message.content]
    for embed in message.embeds:
        parts += [embed.get("title"), embed.get("description")]
        for item in embed.get("fields") or ():
            parts += [item.get("name"), item.get("value")]
        parts.append((embed.get("footer") or {}).get("text"))
    parts += [c.get("content") for _, c in limits.walk(message.components) if c.get("type") == 10]
    return "\n".join(p for p in parts if p)


def view(core: Core, message: Message) -> Json:
    """The message as its readers get it: Discord's object with what a client would work out from it."""
    world = core.world
    place = world.channels[message.channel_id]
    return payloads.message(world, message) | {
        "text": plain_text(message),
        "link": f"/channels/{place.guild_id or '@me'}/{place.id}/{message.id}",
        "ephemeral": message.reader is not None,
        "loading": bool(message.flags & LOADING),
        "version": message.versions,
    }


def _attachments(core: Core, message: Message, body: Json, files: Sequence[Upload]) -> list[Attachment]:
    """Which attachments the message has after this body: those kept and those uploaded."""
    if not limits.files(files):
        raise ApiError(40005)
    uploads = {u.index: u for u in files}
    kept = {a.id: a for a in message.attachments}
    listed = body.get("attachments")
    if listed is None:
        listed = [{"id": i} for i in (*kept, *uploads)]
    if len(listed) > limits.FILES:
        raise invalid_form([(("attachments",), "BASE_TYPE_MAX_LENGTH", f"Must be {limits.FILES} or fewer in length.")])
    found: list[Attachment] = []
    for n, item in enumerate(listed):
        key = str(item["id"])
        if key in uploads:
            upload = uploads[key]
            new = core.world.keep_file(message.channel_id, upload.filename, upload.content_type, upload.data)
            new.description = item.get("description")
            core.stats.images += new.content_type.startswith("image/")
            found.append(new)
        elif key in kept:
            found.append(kept[key])
        else:
            raise invalid_form([(("attachments", n, "id"), "ATTACHMENT_NOT_FOUND", f"There is no attachment {key}")])
    return found


def _resolve(message: Message) -> list[Problem]:
    """Point `attachment://name` at the attachments; what names none is a problem."""
    by_name = {a.filename: a for a in message.attachments}
    out: list[Problem] = []
    for path, item in (*limits.media(message.components), *limits.embed_media(message.embeds)):
        url = str(item.get("url", ""))
        if not url.startswith("attachment://"):
            item.setdefault("proxy_url", url)
            continue
        file = by_name.get(url.removeprefix("attachment://"))
        if file is None:
            out.append(((*path, "url"), "MEDIA_ATTACHMENT_NOT_FOUND", f"Unresolved {url}"))
            continue
        item |= {"url": file.url, "proxy_url": file.url, "content_type": file.content_type, "attachment_id": file.id}
        if file.width is not None:
            item |= {"width": file.width, "height": file.height}
    return out


def number(components: list[Json]) -> None:
    """Give every component its id, as Discord does."""
    every = [c for _, c in limits.walk(components)]
    used = {c["id"] for c in every if c.get("id")}
    following = 0
    for component in every:
        if not component.get("id"):
            following += 1
            while following in used:
                following += 1
            component["id"] = following
            used.add(following)


def _mentions(core: Core, message: Message, body: Json, text: str) -> tuple[list[str], bool]:
    """The users mentioned as `allowed_mentions` permits, and whether everyone is."""
    world = core.world
    allowed = body.get("allowed_mentions")
    parse = {"users", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    named = {str(i) for i in (allowed or {}).get("users") or ()}
    ids = dict.fromkeys(i for i in _USER.findall(text) if i in world.users and ("users" in parse or i in named))
    reference = message.reference
    if reference is not None and message.type == 19 and (allowed is None or allowed.get("replied_user")):
        target = world.messages.get(reference.get("message_id", ""))
        if target is not None and not target.deleted:
            ids.setdefault(target.author_id)
    may = world.can(message.author_id, world.channels[message.channel_id], "mention_everyone")
    everyone = "everyone" in parse and may and bool(_EVERYONE.search(text))
    return list(ids), everyone


def _fill(core: Core, message: Message, body: Json, files: Sequence[Upload], *, new: bool) -> None:
    """Take a checked body into the message, or raise and leave it as it was."""
    old_flags = 0 if new else message.flags & V2
    problems = limits.message(body, files, old_flags)
    flags = message.flags
    if body.get("flags") is not None:
        flags = flags & ~(1 << 2) | body["flags"] & (_BY_APP if new else 1 << 2 | V2)
    draft = copy.copy(message)
    draft.flags = flags
    for name in ("content", "embeds", "components"):
        if name in body:
            value = body[name] or ("" if name == "content" else [])
            setattr(draft, name, copy.deepcopy(value))
    if flags & V2 and not problems and (draft.content or draft.embeds):
        text = "Content and embeds must be removed when a message becomes one of components"
        code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
        problems.append((("content" if draft.content else "embeds",), code, text))
    if problems:
        raise invalid_form(problems)
    draft.attachments = _attachments(core, message, body, files)
    if problems := _resolve(draft):
        raise invalid_form(problems)
    if not (draft.content or draft.embeds or draft.components or draft.attachments or flags & LOADING):
        raise ApiError(50006)
    number(draft.components)
    draft.mentions, draft.mention_everyone = _mentions(core, draft, body, plain_text(draft))
    for name in ("flags", "content", "embeds", "components", "attachments", "mentions", "mention_everyone"):
        setattr(message, name, getattr(draft, name))


def _pinged(core: Core, message: Message) -> list[str]:
    """Whose attention a new message draws: those mentioned who can see it, and the other side of a direct channel."""
    world = core.world
    channel = world.channels[message.channel_id]
    audience = frozenset([message.reader]) if message.reader else world.audience(channel)
    if message.flags & SILENT or message.reader is not None:
        return []
    if channel.type == DM:
        return sorted(audience - {message.author_id})
    named = audience if message.mention_everyone else audience & set(message.mentions)
    return sorted(named - {message.author_id}, key=int)


def _journal(core: Core, kind: str, message: Message, pings: Sequence[str] = ()) -> None:
    world = core.world
    channel = world.channels[message.channel_id]
    world.record(
        kind,
        frozenset([message.reader]) if message.reader else world.audience(channel),
        channel_id=channel.id,
        message_id=message.id,
        author_id=message.author_id,
        body=view(core, message),
        attachments=[
            {"id": a.id, "filename": a.filename, "size": a.size, "sha256": a.sha256} for a in message.attachments
        ],
        pings=list(pings),
    )


def create(
    core: Core,
    channel: Channel,
    author_id: str,
    body: Json,
    files: Sequence[Upload] = (),
    *,
    kind: int = 0,
    reader: str | None = None,
    interaction: Json | None = None,
    loading: bool = False,
    reference: Json | None = None,
) -> Message:
    """Post a message whose body the document accepted."""
    world = core.world
    message = Message(
        world.new_id(), channel.id, author_id, core.clock.now(), iso(time.time()), type=kind, reference=reference
    )
    if loading:
        message.flags = LOADING
    if interaction is not None:
        message.interaction, message.webhook_id = interaction, world.bot.id
    if (reply := body.get("message_reference")) is not None:
        message.reference = _reply(core, channel, reply)
        message.type = 19 if message.reference else 0
    if body.get("nonce") is not None:
        message.nonce = str(body["nonce"])
    if kind in (4, 6, 18):  # system messages carry plain words and nothing to check
        message.content = str(body.get("content", ""))
    elif kind not in (1, 21):
        _fill(core, message, body, files, new=True)
    message.reader = reader
    message.flags = message.flags | EPHEMERAL if reader else message.flags & ~EPHEMERAL
    if channel.thread is not None and kind not in (1, 4, 21):
        if channel.thread.locked and not world.can(author_id, channel, "manage_threads"):
            raise ApiError(50083 if channel.thread.archived else 160005)
        core.archive(channel, False)
    world.store(message)
    core.stats.messages += 1
    pings = _pinged(core, message)
    if channel.thread is not None and reader is None:
        for user_id in pings:
            channel.members.setdefault(user_id, iso(time.time()))
    _journal(core, "message", message, pings)
    if reader is None:
        core.gateway.emit_message("MESSAGE_CREATE", message)
    return message


def _reply(core: Core, channel: Channel, reply: Json) -> Json | None:
    target = core.world.messages.get(str(reply.get("message_id")))
    if target is None or target.deleted or target.reader or target.channel_id != channel.id:
        if reply.get("fail_if_not_exists", True):
            text = "Unknown message"
            raise invalid_form([(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", text)])
        return None
    data: Json = {"type": 0, "message_id": target.id, "channel_id": channel.id}
    return data | ({"guild_id": channel.guild_id} if channel.guild_id else {})


def edit(core: Core, message: Message, body: Json, files: Sequence[Upload] = (), *, settles: bool = False) -> Message:
    """Change a message; `settles` when the app delivers what a deferral promised."""
    was = message.flags
    if settles:
        message.flags &= ~LOADING
    try:
        _fill(core, message, body, files, new=bool(was & LOADING and settles))
    except ApiError:
        message.flags = was
        raise
    if message.reader:
        message.flags |= EPHEMERAL
    if not was & LOADING:
        message.edited = iso(time.time())
    message.versions += 1
    core.stats.edits += 1
    _journal(core, "edit", message)
    if message.reader is None:
        core.gateway.emit_message("MESSAGE_UPDATE", message)
    return message


def delete(core: Core, message: Message) -> None:
    """Take a message away."""
    channel = core.world.channels[message.channel_id]
    _journal(core, "delete", message)
    core.world.forget(message)
    if message.reader is None:
        data = {"id": message.id, "channel_id": channel.id}
        if channel.guild_id:
            data["guild_id"] = channel.guild_id
        core.gateway.emit("MESSAGE_DELETE", data, intent=MESSAGES, channel=channel)
