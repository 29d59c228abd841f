"""Request bodies: JSON, or JSON with files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import BodyPartReader, web

from .errors import ApiError

BODY_LIMIT = 25 * 2**20


@dataclass(slots=True, frozen=True)
class Upload:
    """One file of a multipart body; `index` is what attachment objects call it."""

    index: str
    filename: str
    content_type: str
    data: bytes


def parse(raw: bytes) -> Any:
    """JSON, or Discord's answer to what is not."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise ApiError(50109) from None


async def read(request: web.Request) -> tuple[Any, list[Upload]]:
    """The body and the files of a request."""
    if (request.content_length or 0) > BODY_LIMIT:
        await request.release()
        raise ApiError(40005)
    if request.content_type != "multipart/form-data":
        raw = await request.read()
        return (parse(raw) if raw else None), []
    body: Any = {}
    files: list[Upload] = []
    total = 0
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read(decode=False))
        total += len(data)
        if part.name == "payload_json":
            body = parse(data)
            continue
        found = re.fullmatch(r"files?\[(\d+)\]", part.name or "")
        index = found[1] if found else str(len(files))
        name = re.sub(r"[^\w.\-]", "_", part.filename or "unknown")
        files.append(Upload(index, name, part.headers.get("Content-Type", "application/octet-stream"), data))
    if total > BODY_LIMIT:
        raise ApiError(40005)
    return body, files
