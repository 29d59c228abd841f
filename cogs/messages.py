"""A message ready to be sent, and the requests by which it comes, changes, is found again and goes."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import io
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import discord
from discord import ui

from render import Picture
from rules.engine import encode

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
LOOK_BACK: Final = 1000
CLOCK_SECONDS: Final = 120
"""How far our clock and Discord's may differ."""


class Kept(NamedTuple):
    """The picture that a message shows already."""

    key: bytes
    picture: Picture
    attachments: list[discord.Attachment]


class Message(NamedTuple):
    """A message ready to be sent. `late`: its picture is still being drawn; `lacking`: it could not be drawn;
    `keeps`: it shows the picture that stands there already; `more`: further pictures, of a private panel;
    `awaited`: the seats that learn by it that they are."""

    view: ui.LayoutView
    picture: Picture | None = None
    file: tuple[str, bytes] | None = None
    reply_to: int | None = None
    pings: tuple[int, ...] = ()
    late: asyncio.Task[Picture] | None = None
    lacking: bool = False
    keeps: bool = False
    more: tuple[Picture, ...] = ()
    awaited: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """What tells it from another message; never leaves the process."""
        # the marker differs from row to row and shows nothing
        components: list[dict[str, Any]] = self.view.to_components()  # type: ignore[no-untyped-call]
        shown = [{key: value for key, value in part.items() if key != "id"} for part in components]
        parts = encode([shown, b"" if self.keeps else picture_key(self.picture), self.file])
        return blake2b(parts, digest_size=16).hexdigest()


def picture_key(picture: Picture | None) -> bytes:
    """What tells a picture from another."""
    return b"" if picture is None else blake2b(picture.png, digest_size=16).digest()


def files_of(message: Message) -> list[discord.File]:
    """What goes up with the message."""
    pictures = (*([message.picture] if message.picture is not None else []), *message.more)
    files = [discord.File(io.BytesIO(picture.png), picture.filename) for picture in pictures]
    if message.file is not None:
        files.append(discord.File(io.BytesIO(message.file[1]), message.file[0]))
    return files


def marker_of(nonce: str) -> int:
    """A component id by which the message made with this nonce is known in a channel's history."""
    return int.from_bytes(blake2b(nonce.encode(), digest_size=4).digest(), "big") >> 1 or 1


# ---------------------------------------------------------------- requests; each may raise discord.HTTPException


async def create(channel: Any, message: Message, nonce: str, pings: Iterable[int]) -> discord.Message:
    """Post the message; only these users are pinged by it."""
    reply = message.reply_to
    sent: discord.Message = await channel.send(
        view=message.view,
        files=files_of(message),
        nonce=nonce,
        allowed_mentions=discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(user) for user in pings], replied_user=False
        ),
        reference=discord.MessageReference(message_id=reply, channel_id=channel.id, fail_if_not_exists=False)
        if reply
        else None,
    )
    return sent


async def edit(channel: Any, message_id: int, message: Message, kept: Kept | None) -> discord.Message:
    """Put the message in place of what stands; a picture that stands there already is not sent again."""
    stays = kept is not None and (message.keeps or kept.key == picture_key(message.picture))
    edited: discord.Message = await channel.get_partial_message(message_id).edit(
        view=message.view,
        attachments=kept.attachments if kept is not None and stays else files_of(message),
        allowed_mentions=discord.AllowedMentions.none(),
    )
    return edited


async def delete(channel: Any, message_id: int) -> None:
    """Take the message away, if it is still there."""
    try:
        await channel.get_partial_message(message_id).delete()
    except discord.NotFound as error:
        if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL):
            raise


async def stands(channel: Any, message_id: int) -> bool:
    """Whether the message is still there; taken for granted when Discord does not say."""
    try:
        await channel.fetch_message(message_id)
    except discord.HTTPException as error:
        return error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL)
    return True


async def find(channel: Any, author_id: int, marker: int, since_ms: int) -> int | None:
    """The message of that author with that marker, among all since then. The nonce alone would not do: Discord forgets it
    after some minutes."""
    after = datetime.datetime.fromtimestamp(since_ms / 1000 - CLOCK_SECONDS, datetime.UTC)
    async for message in channel.history(limit=LOOK_BACK, after=after, oldest_first=True):
        if message.author.id == author_id and any(part.id == marker for part in message.components):
            return int(message.id)
    return None


async def pin(channel: Any, message_id: int) -> None:
    """Keep the message at hand, where the bot may."""
    with contextlib.suppress(discord.HTTPException):
        await channel.get_partial_message(message_id).pin()
