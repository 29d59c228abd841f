"""`--check`: everything that can be found wrong before the bot is started. Changes nothing and asks nobody."""

import base64
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import discord
import msgspec
from PIL import ImageFont

import db
from cogs.config import Config, Secret
from render.text import FONTS, Font

PERMISSIONS: Final = {
    "view_channel": "see the channels it is to play in",
    "send_messages": "announce a new game in a channel",
    "create_public_threads": "open the thread each game is played in",
    "send_messages_in_threads": "post turns and answers there",
    "embed_links": "show pictures inside a message",
    "attach_files": "upload boards and hands",
    "read_message_history": "find its own messages after a crash, and reply to the turn's message",
}
"""The least the bot works with, and what for.

Useful, but not needed: create_private_threads (for `/talk`) and pin_messages (a game's first message is pinned).
Not asked for: manage_threads (a thread's maker may rename, archive and reopen it), manage_messages (one's own messages
can always be deleted), mention_everyone (people are mentioned one by one) and anything about members or roles.
"""

ROOM: Final = 64 << 20
"""The free bytes below which a disk counts as full: a write-ahead log and a backup must fit."""
COMMAND_CHARS: Final = 8000
COMMANDS: Final = {1: (100, "slash commands"), 2: (15, "user menu commands"), 3: (15, "message menu commands")}
LIST: Final = 25
CHAT, SUBCOMMAND, GROUP = 1, 1, 2
_NAME = re.compile(r"[-_'\w]{1,32}")
Json = dict[str, Any]


class Finding(msgspec.Struct, frozen=True):
    """One line of the report."""

    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok' if self.ok else 'problem'}: {self.text}"


def good(text: str) -> Finding:
    """Something that is as it should be."""
    return Finding(True, text)


def bad(text: str) -> Finding:
    """Something that must be mended."""
    return Finding(False, text)


def permissions() -> discord.Permissions:
    """The permissions asked for in the invitation."""
    return discord.Permissions(**dict.fromkeys(PERMISSIONS, True))


def application_id(token: Secret) -> int:
    """The application that a token belongs to, as its first part says; ValueError if it doesn't."""
    first = token.reveal().partition(".")[0]
    try:
        found = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode("ascii")
    except ValueError:
        found = ""
    if not re.fullmatch(r"[0-9]{15,20}", found):
        raise ValueError(f"the token in {token.source} doesn't begin with an application's id; copy it once more")
    return int(found)


def invitation(token: Secret) -> str:
    """The address at which a server's owner adds the bot. ValueError if the token names no application."""
    scopes = ("bot", "applications.commands")
    return discord.utils.oauth_url(application_id(token), permissions=permissions(), scopes=scopes)


async def check(config: Config, commands: Callable[[db.Store], Awaitable[Sequence[Json]]]) -> list[Finding]:
    """Look at everything; `commands` builds the whole command tree on a throw-away store and returns what it sends."""
    return [
        *check_token(config.discord.token),
        *check_database(config.database.path),
        *check_folder("backups", config.database.backup_folder),
        *check_fonts(FONTS),
        good(f"permissions: {permissions().value} ({', '.join(PERMISSIONS)})"),
        *await check_commands(commands),
    ]


def check_token(token: Secret | None) -> Iterator[Finding]:
    """Whether the token can be one; only Discord knows whether it is valid."""
    if token is None:
        yield good("token: none is set, so the bot will run in the sandbox")
        return
    try:
        yield good(f"token: from {token.source}, of application {application_id(token)}")
    except ValueError as error:
        yield bad(str(error))


def check_database(path: Path) -> Iterator[Finding]:
    """Whether the database is sound, of a version this bot knows, and in a place it can write to."""
    yield from check_folder("database", path.parent)
    if not path.exists():
        yield good(f"database: {path} will be made at the first start")
        return
    try:
        yield good(f"database: {db.check(path)}")
    except (db.StoreError, sqlite3.Error, OSError) as error:
        yield bad(f"database: {error}")


def check_folder(what: str, folder: Path) -> Iterator[Finding]:
    """Whether files can be made and filled there, or in the nearest folder above that exists."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(bytes(1 << 16))  # an empty file can be made on a full disk
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(place).free
    except OSError as error:
        yield bad(f"{what}: no file can be written in {place}: {error.strerror}")
        return
    if free < ROOM:
        yield bad(f"{what}: only {free >> 20} MiB are free in {place}, at least {ROOM >> 20} are needed")


def check_fonts(folder: Path) -> Iterator[Finding]:
    """Whether every font that the pictures use is there and can be read."""
    broken = []
    for font in Font:
        try:
            ImageFont.truetype(folder / font.value, 16)
        except OSError as error:
            broken.append(bad(f"font: {folder / font.value}: {error}"))
    yield from broken or [good(f"fonts: {len(Font)} in {folder}")]


async def check_commands(commands: Callable[[db.Store], Awaitable[Sequence[Json]]]) -> list[Finding]:
    """Whether Discord will take the slash commands."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with await db.Store.open(Path(folder) / "check.sqlite3") as store:
                found = await commands(store)
        except Exception as error:
            cause = error.__cause__ or error
            return [bad(f"commands: they cannot be built: {type(cause).__name__}: {cause}")]
    problems = [bad(f"commands: {problem}") for problem in tree_problems(found)]
    longest = max((characters(command) for command in found), default=0)
    return problems or [good(f"commands: {len(found)}, the longest with {longest} of {COMMAND_CHARS} characters")]


def tree_problems(commands: Sequence[Json]) -> Iterator[str]:
    """What of Discord's limits the commands, as they would be sent, do not keep."""
    for kind, (most, what) in COMMANDS.items():
        if (count := sum(command.get("type", CHAT) == kind for command in commands)) > most:
            yield f"{count} {what}, at most {most} are possible"
    yield from _doubles("", "command", [(command.get("type", CHAT), command["name"]) for command in commands])
    for command in commands:
        name = command["name"]
        if (count := characters(command)) > COMMAND_CHARS:
            yield f"/{name}: {count} characters, at most {COMMAND_CHARS} are possible"
        if command.get("type", CHAT) == CHAT:
            yield from _described(f"/{name}", command)
            yield from _options(f"/{name}", command.get("options") or [], depth=0)
        elif not 1 <= len(name) <= 32:
            yield f"menu command {name!r}: its name has {len(name)} characters, 1 to 32 are possible"


def characters(command: Json) -> int:
    """The characters that Discord counts against a command: names, descriptions, choices, in their longest language."""
    count = _longest(command, "name") + _longest(command, "description")
    for choice in command.get("choices") or []:
        count += _longest(choice, "name") + (len(choice["value"]) if isinstance(choice["value"], str) else 0)
    return count + sum(characters(option) for option in command.get("options") or [])


def _longest(thing: Json, key: str) -> int:
    return max(map(len, _translations(thing, key)))


def _translations(thing: Json, key: str) -> list[str]:
    return [thing.get(key) or "", *(thing.get(f"{key}_localizations") or {}).values()]


def _described(where: str, thing: Json) -> Iterator[str]:
    for name in _translations(thing, "name"):
        if not _NAME.fullmatch(name) or name != name.lower():
            yield f"{where}: the name {name!r} must be 1 to 32 small letters, digits, - and _"
    for text in _translations(thing, "description"):
        if not 1 <= len(text) <= 100:
            yield f"{where}: a description has {len(text)} characters, 1 to 100 are possible"


def _options(where: str, options: Sequence[Json], depth: int) -> Iterator[str]:
    """The problems of a command's options, which may be subcommands and groups of them."""
    if len(options) > LIST:
        yield f"{where}: {len(options)} options or subcommands, at most {LIST} are possible"
    yield from _doubles(where, "option", [option["name"] for option in options])
    nested = [option["type"] in (SUBCOMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        yield f"{where}: subcommands and other options cannot be mixed"
    optional = None
    for option in options:
        here = f"{where} {option['name']}"
        yield from _described(here, option)
        if option["type"] in (SUBCOMMAND, GROUP):
            if depth > (1 if option["type"] == SUBCOMMAND else 0):
                yield f"{here}: subcommands are nested too deeply"
                continue
            inner = option.get("options") or []
            if option["type"] == GROUP and not inner:
                yield f"{here}: a group needs a subcommand"
            yield from _options(here, inner, 2 if option["type"] == SUBCOMMAND else depth + 1)
            continue
        if option.get("required") and optional:
            yield f"{here}: it is required, so it must come before {optional}, which is not"
        if not option.get("required"):
            optional = optional or option["name"]
        yield from _choices(here, option)


def _choices(where: str, option: Json) -> Iterator[str]:
    choices = option.get("choices") or []
    if len(choices) > LIST:
        yield f"{where}: {len(choices)} choices, at most {LIST} are possible"
    if choices and option.get("autocomplete"):
        yield f"{where}: choices and autocomplete exclude each other"
    yield from _doubles(where, "choice", [choice["name"] for choice in choices])
    for choice in choices:
        for name in _translations(choice, "name"):
            if not 1 <= len(name) <= 100:
                yield f"{where}: the choice {name!r} has {len(name)} characters, 1 to 100 are possible"
        if isinstance(choice["value"], str) and len(choice["value"]) > 100:
            yield f"{where}: the choice {choice['name']!r} stands for more than 100 characters"


def _doubles(where: str, what: str, names: Sequence[Any]) -> Iterator[str]:
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        shown = name[1] if isinstance(name, tuple) else name
        yield f"{where + ': ' if where else ''}there is more than one {what} called {shown!r}"
