"""Discord's error answers."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

# code: (HTTP status, message)
CODES: dict[int, tuple[int, str]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    10071: (404, "Unknown Thread Member"),
    30003: (400, "Maximum number of pins reached for the channel (250)"),
    30032: (400, "Maximum number of application commands reached (100)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    40003: (400, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50021: (400, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50025: (403, "Invalid OAuth2 access token"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
}


class ApiError(Exception):
    """An answer other than 2xx."""

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        message: str | None = None,
        errors: Json | None = None,
        extra: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        known = CODES.get(code, (400, "Error"))
        self.code = code
        self.status = status or known[0]
        self.headers = headers or {}
        self.body: Json = {"message": message or known[1], "code": code} | (extra or {})
        if errors:
            self.body["errors"] = errors
        super().__init__(f"{self.status} {code}: {self.body['message']}")


class Refused(Exception):
    """What a person tried that Discord's own client would not have let happen."""


Problem = tuple[tuple[str | int, ...], str, str]
"""Where in the body, Discord's code for it, and what is wrong."""


def invalid_form(problems: list[Problem]) -> ApiError:
    """The 50035 answer naming every problem at its place, as Discord nests them."""
    errors: Json = {}
    for path, code, message in problems:
        node = errors
        for step in path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return ApiError(50035, errors=errors)
