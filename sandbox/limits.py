"""Discord's limits that its OpenAPI document does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .errors import Json, Problem
from .uploads import Upload
from .world import EPHEMERAL, LOADING, SILENT, V2

CONTENT = 2000
EMBEDS_TOTAL = 6000
ROWS = 5
COMPONENTS = 40
TEXT_TOTAL = 4000
MODAL_COMPONENTS = 5
FILES = 10
FILE_SIZE = 10 * 2**20
COMMAND_CHARS = 8000
COMMANDS = {1: 100, 2: 15, 3: 15}
NONCE = 25
SELECTS = frozenset({3, 5, 6, 7, 8})
_V2_ONLY = frozenset({9, 10, 11, 12, 13, 14, 17})
_NAME = re.compile(r"^[-_'\w]{1,32}$")
# What an app may set: SUPPRESS_EMBEDS, EPHEMERAL, SUPPRESS_NOTIFICATIONS, voice message and V2; LOADING comes back
# in edits that repeat the flags.
_SETTABLE = 1 << 2 | EPHEMERAL | LOADING | SILENT | 1 << 13 | V2

Path = tuple[str | int, ...]


def walk(components: Sequence[Json] | None, path: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """Every component with its place, parents first."""
    for n, component in enumerate(components or ()):
        here = (*path, n)
        yield here, component
        yield from walk(component.get("components"), (*here, "components"))
        for name in ("accessory", "component"):
            if isinstance(child := component.get(name), dict):
                yield (*here, name), child
                yield from walk(child.get("components"), (*here, name, "components"))


def media(components: Sequence[Json] | None) -> Iterator[tuple[Path, Json]]:
    """Every `{url: ...}` of the components, with its place."""
    for path, component in walk(components):
        for name in ("media", "file"):
            if isinstance(item := component.get(name), dict):
                yield (*path, name), item
        for n, item in enumerate(component.get("items") or ()):
            yield (*path, "items", n, "media"), item["media"]


def embed_media(embeds: Sequence[Json] | None) -> Iterator[tuple[Path, Json]]:
    """Every picture address in the embeds, with its place."""
    for n, embed in enumerate(embeds or ()):
        for name in ("image", "thumbnail"):
            if isinstance(item := embed.get(name), dict):
                yield ("embeds", n, name), item


def _embed_chars(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    for item in embed.get("fields") or ():
        texts += [item.get("name"), item.get("value")]
    return sum(len(t or "") for t in texts)


def message(body: Json, files: Sequence[Upload] = (), old_flags: int = 0) -> list[Problem]:
    """A message body's problems, given the flags that the message has already."""
    out: list[Problem] = []
    components = list(walk(body.get("components")))
    flags = (body.get("flags") or 0) | old_flags
    if len(body.get("content") or "") > CONTENT:
        out.append((("content",), "BASE_TYPE_MAX_LENGTH", f"Must be {CONTENT} or fewer in length."))
    if sum(map(_embed_chars, body.get("embeds") or ())) > EMBEDS_TOTAL:
        out.append((("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {EMBEDS_TOTAL}"))
    if (body.get("flags") or 0) & ~_SETTABLE:
        out.append((("flags",), "MESSAGE_FLAGS_INVALID", "Flags that an app cannot set"))
    if len(str(body.get("nonce") or "")) > NONCE:
        out.append((("nonce",), "BASE_TYPE_MAX_LENGTH", f"Must be {NONCE} or fewer in length."))
    out += _v2(body, components) if flags & V2 else _legacy(body, components)
    out += _component_problems(components)
    if len(files) > FILES:
        out.append((("attachments",), "BASE_TYPE_MAX_LENGTH", f"Must be {FILES} or fewer in length."))
    return out


def _v2(body: Json, components: list[tuple[Path, Json]]) -> list[Problem]:
    out: list[Problem] = []
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(name):
            text = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            out.append(((name,), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text))
    if len(components) > COMPONENTS:
        text = f"The total number of components cannot exceed {COMPONENTS}"
        out.append((("components",), "BASE_TYPE_BAD_LENGTH", text))
    if sum(len(c.get("content") or "") for _, c in components if c.get("type") == 10) > TEXT_TOTAL:
        text = f"The text of all components cannot exceed {TEXT_TOTAL}"
        out.append((("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text))
    return out


def _legacy(body: Json, components: list[tuple[Path, Json]]) -> list[Problem]:
    out: list[Problem] = []
    if len(body.get("components") or ()) > ROWS:
        out.append((("components",), "BASE_TYPE_BAD_LENGTH", f"Must be between 0 and {ROWS} in length."))
    for path, component in components:
        if component.get("type") in _V2_ONLY or (len(path) == 2 and component.get("type") != 1):
            out.append(((*path, "type"), "UNION_TYPE_CHOICES", "Needs the flag IS_COMPONENTS_V2"))
    return out


def _component_problems(components: list[tuple[Path, Json]]) -> list[Problem]:
    """What holds for components of messages and of modals alike."""
    out: list[Problem] = []
    seen: set[str] = set()
    numbers: set[int] = set()
    for path, component in components:
        kind, custom_id = component.get("type"), component.get("custom_id")
        if custom_id in seen:
            out.append(
                ((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
            )
        if custom_id is not None:
            seen.add(custom_id)
        if number := component.get("id"):
            if number in numbers:
                out.append(((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"))
            numbers.add(number)
        if kind == 1:
            inside = component.get("components") or ()
            if len(inside) > 5 or (len(inside) > 1 and any(c.get("type") in SELECTS | {4} for c in inside)):
                text = "A row holds five buttons or one select"
                out.append(((*path, "components"), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", text))
        elif kind == 2:
            out += _button_problems(path, component)
        elif kind in SELECTS | {19, 22}:
            out += _choice_problems(path, component)
    return out


def _button_problems(path: Path, button: Json) -> list[Problem]:
    out: list[Problem] = []
    style = button.get("style")
    wants, refuses = {5: ("url", "custom_id"), 6: ("sku_id", "custom_id")}.get(style or 0, ("custom_id", "url"))
    if not button.get(wants):
        out.append(((*path, wants), "BASE_TYPE_REQUIRED", f"A button of style {style} needs {wants}"))
    if button.get(refuses):
        out.append(((*path, refuses), "BUTTON_COMPONENT_INVALID", f"A button of style {style} cannot have {refuses}"))
    if style != 6 and not button.get("label") and not button.get("emoji"):
        out.append(((*path, "label"), "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji"))
    return out


def _choice_problems(path: Path, component: Json) -> list[Problem]:
    out: list[Problem] = []
    least, most = component.get("min_values"), component.get("max_values")
    least, most = 1 if least is None else least, 1 if most is None else most
    options = component.get("options")
    if least > most:
        out.append(((*path, "min_values"), "SELECT_COMPONENT_INVALID", "min_values is more than max_values"))
    if options is not None:
        if most > len(options) or least > len(options):
            text = f"min_values and max_values cannot exceed the {len(options)} options"
            out.append(((*path, "max_values"), "SELECT_COMPONENT_INVALID", text))
        values = [o.get("value") for o in options]
        if len(values) != len(set(values)):
            text = "The specified option value is already used"
            out.append(((*path, "options"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", text))
        if sum(bool(o.get("default")) for o in options) > most:
            out.append(((*path, "options"), "SELECT_COMPONENT_INVALID", "More defaults than max_values"))
    return out


def modal(data: Json) -> list[Problem]:
    """A modal's problems."""
    out = _component_problems(list(walk(data.get("components"))))
    if len(data.get("components") or ()) > MODAL_COMPONENTS:
        text = f"Must be between 1 and {MODAL_COMPONENTS} in length."
        out.append((("components",), "BASE_TYPE_BAD_LENGTH", text))
    return out


def files(uploads: Sequence[Upload]) -> bool:
    """Whether the uploads are small enough."""
    return all(len(u.data) <= FILE_SIZE for u in uploads)


def _command_chars(command: Json) -> int:
    count = len(command.get("name") or "") + len(command.get("description") or "")
    for choice in command.get("choices") or ():
        count += len(choice["name"]) + (len(choice["value"]) if isinstance(choice["value"], str) else 0)
    return count + sum(map(_command_chars, command.get("options") or ()))


def _name_problem(name: Any) -> bool:
    return not isinstance(name, str) or not _NAME.match(name) or name != name.lower()


def command(body: Json, path: Path = ()) -> list[Problem]:
    """One command's problems."""
    out: list[Problem] = []
    if body.get("type", 1) == 1:
        if "name" in body and _name_problem(body["name"]):
            text = "Command name is invalid"
            out.append(((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", text))
        if not body.get("description"):
            out.append(((*path, "description"), "BASE_TYPE_REQUIRED", "This field is required"))
        out += _options(body.get("options") or (), (*path, "options"), depth=0)
    elif body.get("description") or body.get("options"):
        text = "Context menu commands cannot have description or options"
        out.append(((*path, "description"), "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID", text))
    if (count := _command_chars(body)) > COMMAND_CHARS:
        text = f"Command exceeds maximum size ({count} > {COMMAND_CHARS})"
        out.append((path, "APPLICATION_COMMAND_TOO_LARGE", text))
    return out


def _options(options: Sequence[Json], path: Path, depth: int) -> list[Problem]:
    out: list[Problem] = []
    names: set[str] = set()
    optional = False
    nested = [o.get("type") in (1, 2) for o in options]
    if any(nested) and not all(nested):
        text = "Sub-commands and sub-command group option types are mutually exclusive to all other types"
        out.append((path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text))
    for n, option in enumerate(options):
        here = (*path, n)
        name, kind = option.get("name"), option.get("type")
        if _name_problem(name):
            out.append(((*here, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"))
        if name in names:
            out.append(((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED", "Option name is not unique"))
        names.add(str(name))
        if not option.get("description"):
            out.append(((*here, "description"), "BASE_TYPE_REQUIRED", "This field is required"))
        if kind in (1, 2):
            if depth > 1 or (kind == 2 and depth > 0):
                text = "Sub-command groups can only hold sub-commands"
                out.append(((*here, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text))
            out += _options(option.get("options") or (), (*here, "options"), 2 if kind == 1 else depth + 1)
            continue
        if option.get("required") and optional:
            text = "Required options must be placed before non-required options"
            out.append((here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text))
        optional = optional or not option.get("required")
        if option.get("autocomplete") and option.get("choices"):
            text = "Autocomplete cannot be used with choices"
            out.append((here, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID", text))
        choices = [c.get("name") for c in option.get("choices") or ()]
        if len(choices) != len(set(choices)):
            text = "Option choice name is not unique"
            out.append(((*here, "choices"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_DUPLICATED", text))
    return out


def commands(bodies: Sequence[Json]) -> list[Problem]:
    """The problems of a whole set of commands."""
    out: list[Problem] = []
    for n, body in enumerate(bodies):
        out += command(body, (n,))
    for kind, most in COMMANDS.items():
        if sum(b.get("type", 1) == kind for b in bodies) > most:
            out.append(((), "BASE_TYPE_BAD_LENGTH", f"At most {most} commands of type {kind}"))
    keys = [(b.get("type", 1), b.get("name")) for b in bodies]
    if len(keys) != len(set(keys)):
        out.append(((), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"))
    return out


def choices(values: Sequence[Json], kind: int = 3) -> list[Problem]:
    """The problems of autocomplete choices for an option of that type; their number and lengths are in the document."""
    out: list[Problem] = []
    wanted: tuple[type, ...] = {3: (str,), 4: (int,), 10: (int, float)}[kind]
    for n, choice in enumerate(values):
        if not choice.get("name"):
            out.append((("choices", n, "name"), "BASE_TYPE_REQUIRED", "This field is required"))
        if not isinstance(choice.get("value"), wanted):
            out.append((("choices", n, "value"), "BASE_TYPE_BAD_TYPE", "Not of the option's type"))
    return out
