"""What people do, checked as Discord's own client checks it before it sends anything."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Iterable
from typing import Any

from . import interactions, limits, messages, payloads, permissions
from .core import Core
from .errors import Json, Refused
from .interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL
from .world import DM, Channel, Interaction, Message, User

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)
# The select kinds that pick things, by what they pick.
ENTITY = {5: USER, 6: ROLE, 7: MENTIONABLE, 8: CHANNEL}


def refuse(unless: object, text: str) -> None:
    """Refuse what Discord's client would not offer."""
    if not unless:
        raise Refused(text)


class Resolver:
    """Turns what a person picked into ids, and gathers the objects that the app gets with them."""

    def __init__(self, core: Core, channel: Channel) -> None:
        self._core = core
        self._channel = channel
        self.resolved: Json = {}

    def _put(self, kind: str, key: str, value: Json) -> str:
        self.resolved.setdefault(kind, {})[key] = value
        return key

    def user(self, ref: str) -> str:
        world = self._core.world
        try:
            user = world.find_user(ref)
        except KeyError as error:
            raise Refused(str(error.args[0])) from None
        member = world.members.get(user.id)
        if member is not None and self._channel.guild_id:
            held = permissions.compute(world, user.id, self._channel)
            self._put("members", user.id, payloads.member(member, with_user=False, held=held))
        return self._put("users", user.id, payloads.user(user))

    def channel(self, ref: str, kinds: Iterable[int] | None = None) -> str:
        world = self._core.world
        try:
            found = world.find_channel(ref)
        except KeyError as error:
            raise Refused(str(error.args[0])) from None
        refuse(not kinds or found.type in kinds, f"a channel of type {found.type} cannot be chosen here")
        data = payloads.channel(world, found) | {"permissions": str(permissions.ALL)}
        return self._put("channels", found.id, data)

    def role(self, ref: str) -> str:
        for role in self._core.world.roles.values():
            if ref in (role.id, role.name, f"<@&{role.id}>"):
                return self._put("roles", role.id, payloads.role(role))
        raise Refused(f"no role is called {ref!r}")

    def mentionable(self, ref: str) -> str:
        try:
            return self.role(ref)
        except Refused:
            return self.user(ref)

    def message(self, message: Message) -> str:
        return self._put("messages", message.id, payloads.message(self._core.world, message))

    def attachment(self, spec: Json) -> str:
        refuse(isinstance(spec, dict) and "filename" in spec, "a file is {filename, data} with data in base64")
        data = base64.b64decode(spec.get("data", ""))
        kept = self._core.world.keep_file(
            self._channel.id, spec["filename"], spec.get("content_type", "application/octet-stream"), data
        )
        return self._put("attachments", kept.id, payloads.attachment(kept))

    def entity(self, kind: int, ref: Any, channel_types: Iterable[int] | None = None) -> str:
        """The id of a user, channel, role, mentionable or file."""
        if kind == CHANNEL:
            return self.channel(str(ref), channel_types)
        pick: dict[int, Callable[[Any], str]] = {
            USER: self.user,
            ROLE: self.role,
            MENTIONABLE: self.mentionable,
            ATTACHMENT: self.attachment,
        }
        return pick[kind](ref if kind == ATTACHMENT else str(ref))


# Where and what a person sees


def enter(core: Core, user: User, ref: str) -> Channel:
    """The channel, if that person can open it; "@me" is the direct channel with the bot."""
    if ref == "@me":
        return core.world.dm_with(user.id)
    channel = core.world.find_channel(ref)
    refuse(core.world.sees(user.id, channel), f"{user.global_name} does not see that channel")
    return channel


def look(core: Core, user: User, message_id: str) -> Message:
    """The message, if it is there now for that person."""
    message = core.world.messages.get(message_id)
    refuse(message is not None and not message.deleted, "that message is gone")
    assert message is not None
    refuse(message.reader in (None, user.id), "that message is somebody else's")
    refuse(core.world.sees(user.id, core.world.channels[message.channel_id]), "that message is in a channel not seen")
    return message


# Commands


def commands(core: Core, user: User, channel: Channel) -> list[Json]:
    """The commands that the client offers that person there."""
    world = core.world
    if channel.guild_id and not world.can(user.id, channel, "use_application_commands"):
        return []
    held = permissions.compute(world, user.id, channel)
    context = 0 if channel.guild_id else 1
    found: dict[tuple[int, str], Json] = {}
    for scope in (None, channel.guild_id) if channel.guild_id else (None,):
        for command in world.commands.get(scope, {}).values():
            contexts = command.get("contexts")
            if contexts is not None and context not in contexts:
                continue
            if context == 1 and command.get("dm_permission") is False:
                continue
            needed = command.get("default_member_permissions")
            if channel.guild_id and needed is not None and held != permissions.ALL and not _held(held, int(needed)):
                continue
            found[command["type"], command["name"]] = command
    return list(found.values())


def _held(held: int, needed: int) -> bool:
    return needed != 0 and held & needed == needed  # 0: only for those who hold everything


def _find_command(core: Core, user: User, channel: Channel, path: str, kind: int) -> tuple[Json, list[Json], Json]:
    """The command, the groups and sub-command on the way, and the innermost of them."""
    offered = commands(core, user, channel)
    words = path.strip().removeprefix("/").split() if kind == 1 else [path]
    command = next((c for c in offered if c["type"] == kind and words and c["name"] == words[0]), None)
    if command is None:
        raise Refused(f"no command {path!r} is offered there; there are {sorted(c['name'] for c in offered)}")
    way: list[Json] = []
    node = command
    for word in words[1:]:
        step = next((o for o in node.get("options") or () if o["name"] == word and o["type"] in (1, 2)), None)
        if step is None:
            raise Refused(f"/{path}: {node['name']} has no sub-command {word!r}")
        way.append(step)
        node = step
    refuse(all(o["type"] not in (1, 2) for o in node.get("options") or ()), f"/{path} needs a sub-command")
    return command, way, node


def _option(resolver: Resolver, spec: Json, value: Any, *, typing: bool) -> Json:
    """One option as the app gets it; while typing, anything may stand in it."""
    kind, name = spec["type"], spec["name"]
    made: Json = {"name": name, "type": kind}
    if kind in (USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT):
        return made | {"value": resolver.entity(kind, value, spec.get("channel_types"))}
    if typing:
        return made | {"value": value}
    if kind == BOOLEAN:
        refuse(isinstance(value, bool), f"{name} is true or false")
    elif kind in (INTEGER, NUMBER):
        wanted = int if kind == INTEGER else (int, float)
        refuse(isinstance(value, wanted) and not isinstance(value, bool), f"{name} is a number")
        low, high = spec.get("min_value"), spec.get("max_value")
        refuse((low is None or value >= low) and (high is None or value <= high), f"{name}: {value} is out of range")
    else:
        refuse(isinstance(value, str), f"{name} is text")
        refuse(len(value) <= (spec.get("max_length") or 6000), f"{name} is too long")
        refuse(len(value) >= (spec.get("min_length") or 1), f"{name} is too short")
    if choices := spec.get("choices"):
        match = next((c for c in choices if value in (c["value"], c["name"])), None)
        refuse(match is not None, f"{name}: {value!r} is not among {[c['name'] for c in choices]}")
        assert match is not None
        value = match["value"]
    return made | {"value": value}


def _command_data(
    core: Core, user: User, channel: Channel, path: str, options: Json, *, focused: str | None = None
) -> Json:
    command, way, node = _find_command(core, user, channel, path, 1)
    resolver = Resolver(core, channel)
    specs = {o["name"]: o for o in node.get("options") or ()}
    if unknown := options.keys() - specs.keys():
        raise Refused(f"/{path} has no option {sorted(unknown)}; it has {sorted(specs)}")
    made: list[Json] = []
    for name, spec in specs.items():
        value = options.get(name)
        if name == focused:
            refuse(spec.get("autocomplete"), f"{name} has no autocomplete")
            made.append({"name": name, "type": spec["type"], "value": "" if value is None else value, "focused": True})
        elif value is not None:
            made.append(_option(resolver, spec, value, typing=focused is not None))
        else:
            refuse(focused is not None or not spec.get("required"), f"/{path} needs {name}")
    refuse(focused is None or focused in specs, f"/{path} has no option {focused!r}")
    for step in reversed(way):
        made = [{"name": step["name"], "type": step["type"], "options": made}]
    data: Json = {"id": command["id"], "name": command["name"], "type": 1, "options": made}
    if command.get("guild_id"):
        data["guild_id"] = command["guild_id"]
    if focused is None and resolver.resolved:
        data["resolved"] = resolver.resolved
    return data


async def run_command(core: Core, user: User, ref: str, path: str, options: Json, finish: float) -> Json:
    """Run a slash command."""
    channel = enter(core, user, ref)
    data = _command_data(core, user, channel, path, options)
    return await outcome(core, interactions.start(core, COMMAND, user, channel, data), finish)


async def run_menu(core: Core, user: User, ref: str, name: str, target: str, finish: float) -> Json:
    """Run a context menu command on a user or a message."""
    channel = enter(core, user, ref)
    resolver = Resolver(core, channel)
    message = core.world.messages.get(target)
    kind = 2 if message is None else 3
    command, _, _ = _find_command(core, user, channel, name, kind)
    target_id = resolver.user(target) if message is None else resolver.message(look(core, user, target))
    data = {"id": command["id"], "name": name, "type": kind, "target_id": target_id, "resolved": resolver.resolved}
    return await outcome(core, interactions.start(core, COMMAND, user, channel, data), finish)


async def autocomplete(core: Core, user: User, ref: str, path: str, options: Json, focused: str) -> Json:
    """Type into an option and get the choices."""
    channel = enter(core, user, ref)
    data = _command_data(core, user, channel, path, options, focused=focused)
    return await outcome(core, interactions.start(core, AUTOCOMPLETE, user, channel, data), 0.0)


# Components


def _component(message: Message, custom_id: str, kinds: Iterable[int]) -> Json:
    for _, component in limits.walk(message.components):
        if component.get("custom_id") == custom_id:
            refuse(component["type"] in kinds, f"{custom_id!r} is of another kind")
            refuse(not component.get("disabled"), f"{custom_id!r} is disabled")
            return component
    raise Refused(f"{custom_id!r} is not on that message now")


def _usable(core: Core, user: User, message: Message) -> Channel:
    channel = core.world.channels[message.channel_id]
    refuse(message.author_id == core.world.bot.id, "only the bot's messages have components")
    thread = channel.thread
    refuse(thread is None or not (thread.archived and thread.locked), "that thread is closed")
    return channel


async def press(core: Core, user: User, message_id: str, custom_id: str, finish: float) -> Json:
    """Press a button."""
    message = look(core, user, message_id)
    channel = _usable(core, user, message)
    button = _component(message, custom_id, (2,))
    data = {"custom_id": custom_id, "component_type": 2, "id": button["id"]}
    return await outcome(core, interactions.start(core, COMPONENT, user, channel, data, message), finish)


def _chosen(resolver: Resolver, component: Json, values: Any) -> list[str]:
    """The values of a select, a checkbox group or a file field, checked against its bounds."""
    name, kind = component["custom_id"], component["type"]
    refuse(isinstance(values, list), f"{name} takes a list of values")
    least, most = component.get("min_values"), component.get("max_values")
    least = (0 if component.get("required") is False else 1) if least is None else least
    most = 1 if most is None else most
    if not (component.get("required") is False and not values):
        refuse(least <= len(values) <= most, f"{name} takes {least} to {most} values, not {len(values)}")
    if kind in ENTITY:
        return [resolver.entity(ENTITY[kind], v, component.get("channel_types")) for v in values]
    if kind == 19:
        return [resolver.attachment(v) for v in values]
    options = [o["value"] for o in component["options"]]
    refuse(len(set(values)) == len(values), f"{name}: a value is given twice")
    for value in values:
        refuse(value in options, f"{name}: {value!r} is not among {options}")
    return [str(v) for v in values]


async def choose(core: Core, user: User, message_id: str, custom_id: str, values: list[str], finish: float) -> Json:
    """Choose in a select."""
    message = look(core, user, message_id)
    channel = _usable(core, user, message)
    select = _component(message, custom_id, limits.SELECTS)
    resolver = Resolver(core, channel)
    picked = _chosen(resolver, select, values)
    data: Json = {"custom_id": custom_id, "component_type": select["type"], "id": select["id"], "values": picked}
    if resolver.resolved:
        data["resolved"] = resolver.resolved
    return await outcome(core, interactions.start(core, COMPONENT, user, channel, data, message), finish)


# Modals


def _field(resolver: Resolver, component: Json, values: Json) -> Json:
    """One field of a modal as it is submitted."""
    name, kind = component["custom_id"], component["type"]
    made: Json = {"type": kind, "id": component["id"], "custom_id": name}
    required = component.get("required") is not False
    if kind == 4:
        text = values.get(name, component.get("value") or "")
        if not isinstance(text, str):
            raise Refused(f"{name} is text")
        refuse(text or not required, f"{name} must be filled in")
        if text:
            refuse(len(text) >= (component.get("min_length") or 0), f"{name} is too short")
        refuse(len(text) <= (component.get("max_length") or 4000), f"{name} is too long")
        return made | {"value": text}
    if kind == 23:
        checked = values.get(name, bool(component.get("default")))
        refuse(isinstance(checked, bool), f"{name} is true or false")
        return made | {"value": checked}
    if kind == 21:
        options = component["options"]
        value = values.get(name, next((o["value"] for o in options if o.get("default")), None))
        refuse(value is not None or not required, f"{name} must be chosen")
        refuse(value is None or value in [o["value"] for o in options], f"{name}: {value!r} is not an option")
        return made | {"value": value}
    default = [o["value"] for o in component.get("options") or () if o.get("default")]
    return made | {"values": _chosen(resolver, component, values.get(name, default))}


async def submit(core: Core, user: User, modal_id: str, values: Json, finish: float) -> Json:
    """Submit a modal that is open on that person's screen."""
    shown = core.world.modals.get(user.id, {})
    refuse(modal_id in shown, "that modal is not open")
    source = shown[modal_id]
    modal = source.modal
    assert modal is not None
    channel = core.world.channel(source.channel_id)
    resolver = Resolver(core, channel)
    fields = {c["custom_id"] for _, c in limits.walk(modal["components"]) if c.get("custom_id")}
    refuse(values.keys() <= fields, f"the modal has no {sorted(values.keys() - fields)}; it has {sorted(fields)}")
    made: list[Json] = []
    for top in modal["components"]:
        here: Json = {"type": top["type"], "id": top["id"]}
        if top["type"] == 1:
            here["components"] = [_field(resolver, c, values) for c in top["components"]]
        elif top["type"] == 18:
            here["component"] = _field(resolver, top["component"], values)
        made.append(here)
    data: Json = {"custom_id": modal["custom_id"], "components": made}
    if resolver.resolved:
        data["resolved"] = resolver.resolved
    message = core.world.messages.get(source.message_id or "")
    if message is not None and message.deleted:
        message = None
    started = interactions.start(core, MODAL, user, channel, data, message)
    result = await outcome(core, started, finish)
    if result["ack"]:  # an unanswered modal stays open, so that nothing typed is lost
        shown.pop(modal_id, None)
    return result


def dismiss_modal(core: Core, user: User, modal_id: str) -> None:
    """Close a modal without submitting."""
    refuse(core.world.modals.get(user.id, {}).pop(modal_id, None), "that modal is not open")


# Plain messages and reactions


def say(core: Core, user: User, ref: str, content: str, reply_to: str | None) -> Message:
    """Write a message."""
    world = core.world
    channel = enter(core, user, ref)
    needed = "send_messages_in_threads" if channel.thread is not None else "send_messages"
    refuse(channel.type == DM or world.can(user.id, channel, needed), "no permission to write there")
    thread = channel.thread
    may = thread is None or not thread.locked or world.can(user.id, channel, "manage_threads")
    refuse(may, "that thread is locked")
    if channel.type == DM:
        refuse(not user.dm_closed, "direct messages are closed")
    body: Json = {"content": content}
    if reply_to:
        body["message_reference"] = {"message_id": look(core, user, reply_to).id}
    if thread is not None:
        channel.members.setdefault(user.id, world.created_at)
    return messages.create(core, channel, user.id, body)


def react(core: Core, user: User, message_id: str, emoji: str, add: bool) -> None:
    """Add a reaction or take it back."""
    message = look(core, user, message_id)
    who = message.reactions.setdefault(emoji, [])
    refuse((user.id in who) != add, "nothing would change")
    if add:
        who.append(user.id)
    else:
        who.remove(user.id)
        if not who:
            del message.reactions[emoji]
    core.reaction_event(f"MESSAGE_REACTION_{'ADD' if add else 'REMOVE'}", message, emoji, user.id)


# What came of it


async def outcome(core: Core, made: Interaction, finish: float) -> Json:
    """Wait for the first answer, and up to `finish` more seconds for what it promised."""
    while not made.acked.is_set() and core.clock.steady() - made.steady <= core.ack_seconds:
        await _set(made.acked, 0.05)
    if made.acked.is_set() and finish > 0:
        await _set(made.done, finish)
    return result(core, made)


async def _set(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return


def result(core: Core, made: Interaction) -> Json:
    """What the person sees of the answer."""
    world = core.world

    def shown(message_id: str | None) -> Json | None:
        found = world.messages.get(message_id or "")
        return None if found is None or found.deleted else messages.view(core, found)

    return {
        "interaction_id": made.id,
        "ack": made.kind is not None,
        "kind": interactions.KINDS.get(made.kind or 0),
        "ack_ms": made.ack_ms,
        "done": made.done.is_set(),
        "error": None if made.kind is not None else "The application did not respond",
        "message": shown(made.response_id),
        "followups": [m for m in map(shown, made.followups) if m is not None],
        "modal": made.modal | {"id": made.id} if made.modal is not None else None,
        "choices": made.choices,
    }
