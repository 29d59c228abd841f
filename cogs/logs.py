"""The log: one line an event, as text or JSON, with fields from `extra=` and `bind` and without secrets."""

import json
import logging
import re
import sys
import time
from collections import deque
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import IO, Any, Final

HIDDEN: Final = "[hidden]"

_SECRETS: Final = (
    # What a bot token looks like: three parts, the first of them the application's id in base64.
    (re.compile(r"\b[A-Za-z0-9_-]{17,40}\.[A-Za-z0-9_-]{5,8}\.[A-Za-z0-9_-]{20,}"), HIDDEN),
    (re.compile(r"(?i)\b(bot|bearer) [A-Za-z0-9_.-]{20,}"), rf"\1 {HIDDEN}"),
    # Interaction tokens, and the addresses that hold one or a webhook's: who has it can write in the bot's name.
    (re.compile(r"aW50ZXJhY3Rpb246[A-Za-z0-9_=+/-]+"), HIDDEN),
    (re.compile(r"(/?\b(?:webhooks|interactions)/\d+)/[A-Za-z0-9_.=+-]+"), rf"\1/{HIDDEN}"),
)
_known: set[str] = set()
_bound: ContextVar[Mapping[str, Any]] = ContextVar("bound", default=MappingProxyType({}))

errors: deque[tuple[float, str]] = deque(maxlen=5)
"""The last errors: when (seconds since 1970), and what."""

_STANDARD: Final = frozenset(vars(logging.LogRecord("", 0, "", 0, "", (), None))) | {"message", "asctime", "taskName"}
_CONTROL: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {9: "\\t", 10: "\\n", 13: "\\r"}
_TERMINAL: Final = {code: text for code, text in _CONTROL.items() if code != 10}


def hide(secret: str) -> None:
    """Keep this value out of every line from now on."""
    if len(secret) >= 8:
        _known.add(secret)


def bind(**fields: Any) -> None:
    """Have every line from here on in this task, and in the tasks it starts, hold these fields."""
    _bound.set({**_bound.get(), **fields})


def redact(text: str) -> str:
    """The text without known secrets and without whatever looks like one."""
    for secret in _known:
        text = text.replace(secret, HIDDEN)
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


class _Formatter(logging.Formatter):
    """Redacts at the very end, so that arguments, fields and tracebacks are covered alike."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    @staticmethod
    def converter(seconds: float | None) -> time.struct_time:
        return time.gmtime(seconds)

    def format(self, record: logging.LogRecord) -> str:
        return redact(self.line(record))

    def line(self, record: logging.LogRecord) -> str:
        raise NotImplementedError

    def trace(self, record: logging.LogRecord) -> str:
        """The traceback, or nothing."""
        parts = [self.formatException(record.exc_info)] if record.exc_info and record.exc_info[0] else []
        if record.stack_info:
            parts.append(self.formatStack(record.stack_info))
        return "\n".join(parts)


class TextFormatter(_Formatter):
    """For people: time, level, logger, message, then key=value."""

    def line(self, record: logging.LogRecord) -> str:
        parts = [self.formatTime(record), record.levelname, f"{record.name}:", record.getMessage().translate(_CONTROL)]
        parts += [f"{key}={_shown(value)}" for key, value in _extra(record).items()]
        trace = self.trace(record).translate(_TERMINAL)
        return " ".join(parts) + (f"\n{trace}" if trace else "")


class JsonFormatter(_Formatter):
    """For machines: one object a line."""

    def line(self, record: logging.LogRecord) -> str:
        found = {"time": self.formatTime(record), "level": record.levelname.lower(), "logger": record.name}
        found["message"] = record.getMessage()
        if trace := self.trace(record):
            found["error"] = trace
        return json.dumps(found | {k: v for k, v in _extra(record).items() if k not in found}, default=str)


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    """What is bound to the task, and what the caller passed as `extra=`."""
    return {**_bound.get(), **{key: value for key, value in vars(record).items() if key not in _STANDARD}}


def _shown(value: object) -> str:
    text = str(value).translate(_CONTROL)
    return text if text and not set(text) & set(' "=') else json.dumps(text, ensure_ascii=False)


class _Errors(logging.Handler):
    """Remembers the last errors for whoever asks how the bot is."""

    def emit(self, record: logging.LogRecord) -> None:
        errors.append((record.created, redact(record.getMessage()).translate(_CONTROL)))


def setup(level: str = "info", form: str = "text", secrets: Iterable[str] = (), stream: IO[str] | None = None) -> None:
    """Send everything that is logged to the error stream, instead of anywhere before."""
    for secret in secrets:
        hide(secret)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.addHandler(_Errors(logging.ERROR))
    root.setLevel(level.upper())
    # discord.py tells of every request below this, and asyncio of every selector.
    for name in ("discord", "aiohttp", "asyncio", "PIL"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught


def _uncaught(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("bot").critical("the bot ends on an error", exc_info=(kind, error, trace))
