"""REST: interaction callbacks and the webhooks that their tokens open."""

from __future__ import annotations

from typing import Any

from . import interactions, messages, payloads
from .routing import Call, route
from .world import Interaction

WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"


def _made(call: Call) -> Interaction:
    return interactions.by_token(call.core, call.params["webhook_id"], call.params["webhook_token"])


@route("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
def callback(call: Call) -> Any:
    made = interactions.callback(
        call.core, call.params["interaction_id"], call.params["interaction_token"], call.body, call.files
    )
    if call.query.get("with_response") not in ("1", "true"):
        return None
    return payloads.callback_response(call.core.world, made)


@route("POST", WEBHOOK)
def followup(call: Call) -> Any:
    return payloads.message(call.core.world, interactions.followup(call.core, _made(call), call.body or {}, call.files))


@route("GET", WEBHOOK + "/messages/{message_id}", WEBHOOK + "/messages/@original")
def get_followup(call: Call) -> Any:
    found = interactions.owned(call.core, _made(call), call.params.get("message_id", "@original"))
    return payloads.message(call.core.world, found)


@route("PATCH", WEBHOOK + "/messages/@original", WEBHOOK + "/messages/{message_id}")
def edit_followup(call: Call) -> Any:
    message_id = call.params.get("message_id", "@original")
    found = interactions.revise(call.core, _made(call), message_id, call.body or {}, call.files)
    return payloads.message(call.core.world, found)


@route("DELETE", WEBHOOK + "/messages/@original", WEBHOOK + "/messages/{message_id}")
def delete_followup(call: Call) -> Any:
    made = _made(call)
    messages.delete(call.core, interactions.owned(call.core, made, call.params.get("message_id", "@original")))
    made.done.set()
