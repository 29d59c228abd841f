"""Request bodies checked against Discord's published OpenAPI document.

The document's schemas use a small part of JSON Schema, so they are compiled to closures, each only when a route first
needs it: tens of microseconds a body, errors in Discord's form, and unknown fields found on the way.

`openapi.json` is specs/openapi.json of github.com/discord/discord-api-spec at commit 74fda0f (2026-07-18), unmodified, under
the MIT licence in `LICENSE.openapi`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import orjson

from .errors import Json, Problem

Path_ = tuple[str | int, ...]
Check = Callable[[Any, Path_, list[Problem]], None]

DOCUMENT = Path(__file__).with_name("openapi.json")
# Keywords that say nothing about whether a body is acceptable.
_SILENT = {"title", "description", "format", "contentEncoding", "x-discord-union", "uniqueItems", "default"}
_HANDLED = {
    "type", "$ref", "const", "enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
    "minLength", "maxLength", "minimum", "maximum", "minProperties", "maxProperties", "pattern", "oneOf", "anyOf",
    "allOf",
}  # fmt: skip
# discord.py sends these where the document has no such field, and Discord ignores them: anywhere, or in one schema.
TOLERATED = frozenset({"id", "tts", "nsfw", "nonce", "enforce_nonce", "flags", "applied_tags"})
TOLERATED_IN = {
    "MessageAttachmentRequest": TOLERATED
    | {"size", "url", "proxy_url", "height", "width", "content_type", "spoiler", "ephemeral", "clip_created_at"}
}
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def _code(kind: str, message: str) -> Callable[[Path_, list[Problem]], None]:
    def report(path: Path_, out: list[Problem]) -> None:
        out.append((path, kind, message))

    return report


class Spec:
    """The document, with its checks compiled on demand."""

    def __init__(self, document: Path = DOCUMENT) -> None:
        doc = orjson.loads(document.read_bytes())
        self._paths: Json = doc["paths"]
        self._schemas: Json = doc["components"]["schemas"]
        # The document says string; the API takes the number too, and discord.py sends numbers in places.
        self._schemas["SnowflakeType"] = {"anyOf": [self._schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
        self._ref = cache(self._compile_ref)
        self._body = cache(self._compile_body)

    def check(self, method: str, path: str, body: Any) -> list[Problem]:
        """What the document objects to in that body; nothing for a route without a body schema."""
        check = self._body(method, path)
        out: list[Problem] = []
        if check is not None:
            check(body, (), out)
        return out

    def needs_body(self, method: str, path: str) -> bool:
        """Whether the document wants a body there."""
        return bool(self._paths.get(path, {}).get(method.lower(), {}).get("requestBody", {}).get("required"))

    def documents(self, method: str, path: str) -> bool:
        """Whether the document has that route."""
        return method.lower() in self._paths.get(path, {})

    def _compile_body(self, method: str, path: str) -> Check | None:
        operation = self._paths.get(path, {}).get(method.lower(), {})
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        return self._compile(content["schema"]) if content else None

    def _compile_ref(self, name: str) -> Check:
        compiled: list[Check] = []  # filled on first use: schemas refer to themselves

        def check(value: Any, path: Path_, out: list[Problem]) -> None:
            if not compiled:
                compiled.append(self._compile(self._schemas[name], TOLERATED_IN.get(name, TOLERATED)))
            compiled[0](value, path, out)

        return check

    def _compile(self, schema: Json, tolerated: frozenset[str] = TOLERATED) -> Check:
        unknown = schema.keys() - _HANDLED - _SILENT
        if unknown:
            raise NotImplementedError(f"schema keywords {sorted(unknown)}")
        checks: list[Check] = []
        if "type" in schema:
            checks.append(_type_check(schema["type"]))
        if "$ref" in schema:
            checks.append(self._ref(schema["$ref"].rsplit("/", 1)[1]))
        if "const" in schema or "enum" in schema:
            checks.append(_enum_check(schema.get("enum", [schema.get("const")])))
        if "properties" in schema or schema.get("additionalProperties"):
            checks.append(self._object_check(schema, tolerated))
        if "items" in schema:
            checks.append(_items_check(self._compile(schema["items"])))
        checks += _bound_checks(schema)
        for part in schema.get("allOf", ()):
            checks.append(self._compile(part))
        union = schema.get("oneOf") or schema.get("anyOf")
        if union:
            checks.append(self._union_check(union))
        if len(checks) == 1:
            return checks[0]

        def every(value: Any, path: Path_, out: list[Problem]) -> None:
            before = len(out)
            for check in checks:
                check(value, path, out)
                if len(out) > before:
                    return

        return every

    def _object_check(self, schema: Json, tolerated: frozenset[str]) -> Check:
        properties = {k: self._compile(_lenient(k, v)) for k, v in schema.get("properties", {}).items()}
        required = schema.get("required", [])
        extra = self._compile(schema["additionalProperties"]) if schema.get("additionalProperties") else None

        def check(value: Any, path: Path_, out: list[Problem]) -> None:
            if not isinstance(value, dict):
                return
            for name in required:
                if name not in value:
                    out.append(((*path, name), "BASE_TYPE_REQUIRED", "This field is required"))
            for name, item in value.items():
                known = properties.get(name, extra)
                if known is not None:
                    known(item, (*path, name), out)
                elif name not in tolerated:
                    out.append(((*path, name), "SANDBOX_UNKNOWN_FIELD", f"Discord would ignore the field {name!r}"))

        return check

    def _variant(self, schema: Json) -> tuple[Json, frozenset[Any] | None]:
        """A union's branch, and the values of its `type` field that select it."""
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rsplit("/", 1)[1]]
        tag = schema.get("properties", {}).get("type", {})
        return schema, frozenset(tag["enum"]) if "enum" in tag else None

    def _union_check(self, union: list[Json]) -> Check:
        if all("const" in branch for branch in union):
            return _enum_check([branch["const"] for branch in union])
        nullable = any(branch.get("type") == "null" for branch in union)
        branches = [branch for branch in union if branch.get("type") != "null"]
        tagged: dict[Any, Check] = {}
        plain: list[Check] = []
        for branch in branches:
            _, tags = self._variant(branch)
            check = self._compile(branch)
            if tags is None:
                plain.append(check)
            for tag in tags or ():
                tagged[tag] = check

        def either(value: Any, path: Path_, out: list[Problem]) -> None:
            if value is None and nullable:
                return None
            if tagged and isinstance(value, dict):
                chosen = tagged.get(value.get("type"))
                if chosen is not None:
                    return chosen(value, path, out)
                if not plain:
                    return out.append(((*path, "type"), "BASE_TYPE_CHOICES", f"Value must be one of {sorted(tagged)}"))
            best: list[Problem] | None = None
            for check in plain or tagged.values():
                found: list[Problem] = []
                check(value, path, found)
                if not found:
                    return None
                if best is None or len(found) < len(best):
                    best = found
            out.extend(best or ())
            return None

        return cast(Check, either)


def _lenient(name: str, schema: Json) -> Json:
    """Bit sets may be digits too: the document says integer, Discord's reference says string."""
    if name in ("allow", "deny", "permissions", "default_member_permissions"):
        return {"anyOf": [schema, {"type": "string", "pattern": r"^\d+$"}]}
    return schema


def _type_check(kinds: str | list[str]) -> Check:
    names = [kinds] if isinstance(kinds, str) else kinds
    types = tuple(t for name in names for t in _TYPES[name])
    report = _code("BASE_TYPE_BAD_TYPE", f"Must be of type {' or '.join(names)}")

    def check(value: Any, path: Path_, out: list[Problem]) -> None:
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            report(path, out)

    return check


def _enum_check(allowed: list[Any]) -> Check:
    values = frozenset(allowed)
    report = _code("BASE_TYPE_CHOICES", f"Value must be one of {allowed}")

    def check(value: Any, path: Path_, out: list[Problem]) -> None:
        if value is not None and (isinstance(value, list | dict) or value not in values):
            report(path, out)

    return check


def _items_check(item: Check) -> Check:
    def check(value: Any, path: Path_, out: list[Problem]) -> None:
        if isinstance(value, list):
            for n, element in enumerate(value):
                item(element, (*path, n), out)

    return check


def _bound_checks(schema: Json) -> list[Check]:
    """Lengths, sizes and ranges; each applies only to values of its own type, as in JSON Schema."""
    checks: list[Check] = []

    def bound(
        kind: type | tuple[type, ...], measure: Callable[[Any], float], low: str, high: str, code: str, of: str
    ) -> None:
        least, most = schema.get(low), schema.get(high)
        if least is None and most is None:
            return
        report = _code(code, f"Must be between {least or 0} and {'any' if most is None else most}{of}.")

        def check(value: Any, path: Path_, out: list[Problem]) -> None:
            if isinstance(value, kind) and not isinstance(value, bool):
                size = measure(value)
                if (least is not None and size < least) or (most is not None and size > most):
                    report(path, out)

        checks.append(check)

    bound(str, len, "minLength", "maxLength", "BASE_TYPE_BAD_LENGTH", " in length")
    bound(list, len, "minItems", "maxItems", "BASE_TYPE_BAD_LENGTH", " in length")
    bound(dict, len, "minProperties", "maxProperties", "BASE_TYPE_BAD_LENGTH", " in length")
    bound((int, float), lambda v: v, "minimum", "maximum", "NUMBER_TYPE_RANGE", "")
    if "pattern" in schema:
        pattern = re.compile(schema["pattern"])
        report = _code("STRING_TYPE_REGEX", "String value did not match validation regex.")

        def matches(value: Any, path: Path_, out: list[Problem]) -> None:
            if isinstance(value, str) and not pattern.search(value):
                report(path, out)

        checks.append(matches)
    return checks
