"""Rate limits as far as Discord documents them, or its libraries' maintainers observed them."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass

from .clock import Clock
from .errors import ApiError

GLOBAL = (50, 1.0)
INVALID = (10_000, 600.0)  # answers 401, 403 and 429 before Discord bans the address
# (method, route): (requests, seconds); the key also holds the route's major parameter.
BUCKETS: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me"): (1, 0.25),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"): (5, 2.0),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/@original"): (5, 2.0),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"): (5, 2.0),
}
RENAME = (2, 600.0)  # name or topic of one channel; no header announces it
OLD_EDIT = (3, 6.0)  # edits in one channel of messages older than OLD_AGE
OLD_AGE = 3600.0
OPEN_DM = (40, 600.0)  # new direct channels
COMMAND_CREATES = (200, 86400.0)
_MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token")


@dataclass(slots=True)
class Window:
    """A fixed window: so many requests until it resets."""

    start: float
    used: int = 0


class Limiter:
    """Counts requests and says when it is too much."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[str, Window] = {}
        self._invalid: deque[float] = deque()
        self.limited = 0

    def _take(self, key: str, limit: tuple[int, float]) -> tuple[int, float]:
        """Requests left after this one (negative: refused) and seconds until the window resets."""
        most, seconds = limit
        now = self._clock.now()
        window = self._windows.get(key)
        if window is None or now >= window.start + seconds:
            window = self._windows[key] = Window(now)
            if len(self._windows) > 10_000:
                self._windows = {k: w for k, w in self._windows.items() if w.start > now - 600}
        if window.used >= most:
            return -1, window.start + seconds - now
        window.used += 1
        return most - window.used, window.start + seconds - now

    def _refuse(self, after: float, scope: str, headers: dict[str, str], *, code: int = 0, text: str = "") -> ApiError:
        self.limited += 1
        real = max(self._clock.real(after), 0.001)
        headers = headers | {"Retry-After": f"{real:.3f}", "Via": "1.1 google", "X-RateLimit-Scope": scope}
        if scope == "global":
            headers["X-RateLimit-Global"] = "true"
        return ApiError(
            code,
            status=429,
            message=text or "You are being rate limited.",
            extra={"retry_after": round(real, 3), "global": scope == "global"},
            headers=headers,
        )

    def request(self, method: str, pattern: str, params: dict[str, str]) -> dict[str, str]:
        """Count a request; its rate limit headers, or 429."""
        interaction = pattern.startswith(("/interactions", "/webhooks"))
        if not interaction:
            left, after = self._take("global", GLOBAL)
            if left < 0:
                raise self._refuse(after, "global", {})
        limit = BUCKETS.get((method, pattern))
        if limit is None:
            return {}
        bucket = hashlib.md5(f"{method} {pattern}".encode()).hexdigest()
        major = ":".join(params[name] for name in _MAJOR if name in params)
        left, after = self._take(f"{bucket}:{major}", limit)
        real = self._clock.real(after)
        headers = {
            "X-RateLimit-Limit": str(limit[0]),
            "X-RateLimit-Remaining": str(max(left, 0)),
            "X-RateLimit-Reset": f"{self._clock.steady() + real:.3f}",
            "X-RateLimit-Reset-After": f"{real:.3f}",
            "X-RateLimit-Bucket": bucket,
        }
        if left < 0:
            raise self._refuse(after, "user", headers)
        return headers

    def renamed(self, channel_id: str) -> None:
        """Count a new name or topic."""
        left, after = self._take(f"rename:{channel_id}", RENAME)
        if left < 0:
            raise self._refuse(after, "shared", {})

    def edited_old(self, channel_id: str) -> None:
        """Count an edit of a message older than an hour."""
        left, after = self._take(f"old:{channel_id}", OLD_EDIT)
        if left < 0:
            text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
            raise self._refuse(after, "user", {}, code=30046, text=text)

    def opened_dm(self) -> None:
        """Count a new direct channel."""
        if self._take("dm", OPEN_DM)[0] < 0:
            raise ApiError(40003)

    def created_command(self, guild_id: str | None) -> None:
        """Count a command that did not exist before."""
        if self._take(f"command:{guild_id}", COMMAND_CREATES)[0] < 0:
            raise ApiError(30034)

    def answered(self, status: int) -> None:
        """Note an answer; those that Discord counts as invalid requests add up."""
        if status in (401, 403, 429):
            self._invalid.append(self._clock.now())

    @property
    def invalid(self) -> int:
        """Invalid requests within Discord's window."""
        limit = self._clock.now() - INVALID[1]
        while self._invalid and self._invalid[0] < limit:
            self._invalid.popleft()
        return len(self._invalid)
