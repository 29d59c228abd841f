"""Interactions: the app's answers and everything its tokens open."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from . import limits, messages, payloads
from .core import Core
from .errors import ApiError, Json, invalid_form
from .uploads import Upload
from .world import EPHEMERAL, LOADING, Channel, Interaction, Message, User

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
TOKEN_SECONDS = 900.0
TOKEN_REAL = 30.0  # at high speed a token still lives as long as the work it is needed for
# interaction type: the callback types that answer it
ANSWERS = {COMMAND: {4, 5, 9}, COMPONENT: {4, 5, 6, 7, 9}, AUTOCOMPLETE: {8}, MODAL: {4, 5, 6, 7}}
KINDS = {4: "message", 5: "defer", 6: "defer_update", 7: "update", 8: "choices", 9: "modal"}


def start(
    core: Core, kind: int, user: User, channel: Channel, data: Json, message: Message | None = None
) -> Interaction:
    """What a person just did, sent to the bot."""
    world = core.world
    token = secrets.token_urlsafe(24)
    made = Interaction(
        world.new_id(),
        token,
        kind,
        user.id,
        channel.id,
        data,
        core.clock.steady(),
        core.clock.now(),
        message_id=message.id if message else None,
    )
    world.interactions[token] = made
    kept = _lifetime(core) + core.ack_seconds
    while (oldest := next(iter(world.interactions.values()))).created < made.created - kept:
        del world.interactions[oldest.token]
    core.stats.interactions += 1
    core.gateway.emit_interaction(payloads.interaction(world, made), direct=channel.guild_id is None)
    return made


def callback(core: Core, interaction_id: str, token: str, body: Json, files: Sequence[Upload]) -> Interaction:
    """The first answer. Nothing is acknowledged until the body has proved acceptable."""
    made = core.world.interactions.get(token)
    now = core.clock.steady()
    if made is None or made.id != interaction_id:
        raise ApiError(10062)
    if made.kind is not None:
        raise ApiError(40060)
    if now - made.steady > core.ack_seconds:
        raise ApiError(10062)
    kind, data = body["type"], body.get("data") or {}
    if kind not in ANSWERS[made.type] or (made.type == MODAL and kind in (6, 7) and made.message_id is None):
        text = f"Callback type {kind} cannot answer an interaction of type {made.type}"
        raise invalid_form([(("type",), "INTERACTION_TYPE_INVALID", text)])
    _ANSWER[kind](core, made, data, files)
    made.kind = kind
    made.ack_ms = (now - made.steady) * 1000
    core.stats.answered += 1
    core.stats.ack_ms.append(made.ack_ms)
    made.acked.set()
    if kind not in (5, 6):
        made.done.set()
    return made


def _post(core: Core, made: Interaction, data: Json, files: Sequence[Upload], *, loading: bool = False) -> Message:
    ephemeral = bool((data.get("flags") or 0) & EPHEMERAL)
    return messages.create(
        core,
        core.world.channel(made.channel_id),
        core.world.bot.id,
        data,
        files,
        kind=20 if made.type == COMMAND else 0,
        reader=made.user_id if ephemeral else None,
        interaction=payloads.interaction_metadata(core.world, made),
        loading=loading,
    )


def _message(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    made.response_id = _post(core, made, data, files).id


def _defer(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    made.response_id = _post(core, made, {"flags": (data.get("flags") or 0) & EPHEMERAL}, [], loading=True).id


def _defer_update(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    made.response_id = made.message_id


def _update(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    shown = core.world.messages.get(made.message_id or "")
    if shown is None or shown.deleted:
        raise ApiError(10008)
    made.response_id = messages.edit(core, shown, data, files).id


def _focused(data: Json) -> int:
    """The type of the option being typed."""
    options = data.get("options") or []
    while options and options[0].get("type") in (1, 2):
        options = options[0].get("options") or []
    return next((int(o["type"]) for o in options if o.get("focused")), 3)


def _choices(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    found = data.get("choices") or []
    if problems := limits.choices(found, _focused(made.data)):
        raise invalid_form([(("data", *path), code, text) for path, code, text in problems])
    made.choices = found
    body = {"choices": found, "command": made.data.get("name")}
    core.world.record("choices", frozenset([made.user_id]), channel_id=made.channel_id, body=body)


def _modal(core: Core, made: Interaction, data: Json, files: Sequence[Upload]) -> None:
    if problems := limits.modal(data):
        raise invalid_form([(("data", *path), code, text) for path, code, text in problems])
    messages.number(data["components"])
    made.modal = data
    core.world.modals.setdefault(made.user_id, {})[made.id] = made
    core.world.record("modal", frozenset([made.user_id]), channel_id=made.channel_id, body=data | {"modal_id": made.id})


_ANSWER = {4: _message, 5: _defer, 6: _defer_update, 7: _update, 8: _choices, 9: _modal}


def _lifetime(core: Core) -> float:
    return core.clock.at_least(TOKEN_SECONDS, TOKEN_REAL)


def by_token(core: Core, application_id: str, token: str) -> Interaction:
    """The interaction whose token opens a webhook."""
    made = core.world.interactions.get(token)
    if made is None or application_id != core.world.bot.id:
        raise ApiError(50027)
    if core.clock.now() - made.created > _lifetime(core):
        raise ApiError(50027)
    if made.kind is None:
        raise ApiError(10015)
    return made


def followup(core: Core, made: Interaction, body: Json, files: Sequence[Upload]) -> Message:
    """One more message. The first after a deferral takes the deferral's place, as Discord has it."""
    original = core.world.messages.get(made.response_id or "")
    if made.kind == 5 and original is not None and original.flags & LOADING and not original.deleted:
        sent = messages.edit(core, original, body, files, settles=True)
    else:
        sent = _post(core, made, body, files)
        made.followups.append(sent.id)
    made.done.set()
    return sent


def owned(core: Core, made: Interaction, message_id: str) -> Message:
    """A message that the token may read, edit and delete."""
    wanted = made.response_id if message_id == "@original" else message_id
    found = core.world.messages.get(wanted or "")
    if found is None or found.deleted or (wanted != made.response_id and wanted not in made.followups):
        raise ApiError(10008)
    return found


def revise(core: Core, made: Interaction, message_id: str, body: Json, files: Sequence[Upload]) -> Message:
    """Edit the original answer or a follow-up."""
    found = owned(core, made, message_id)
    settles = made.kind == 5 and found.id == made.response_id
    messages.edit(core, found, body, files, settles=settles)
    made.done.set()
    return found
