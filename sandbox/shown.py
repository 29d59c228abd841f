"""What the control API answers, as typed data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

Json = dict[str, Any]
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
SELECT_KINDS = frozenset({3, 5, 6, 7, 8})


@dataclass(frozen=True, slots=True)
class Button:
    custom_id: str  # empty for a link
    label: str
    disabled: bool
    style: int
    url: str | None = None
    emoji: str | None = None

    @classmethod
    def of(cls, c: Json) -> Self:
        emoji = (c.get("emoji") or {}).get("name")
        return cls(
            c.get("custom_id") or "", c.get("label") or "", bool(c.get("disabled")), c["style"], c.get("url"), emoji
        )


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str
    description: str | None = None
    default: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    custom_id: str
    kind: int  # 3 string, 5 user, 6 role, 7 mentionable, 8 channel
    options: tuple[Option, ...]
    min_values: int
    max_values: int
    disabled: bool
    placeholder: str | None = None

    @classmethod
    def of(cls, c: Json) -> Self:
        options = tuple(
            Option(o["value"], o["label"], o.get("description"), bool(o.get("default"))) for o in c.get("options") or ()
        )
        least, most = c.get("min_values"), c.get("max_values")
        return cls(
            c["custom_id"],
            c["type"],
            options,
            1 if least is None else least,
            1 if most is None else most,
            bool(c.get("disabled")),
            c.get("placeholder"),
        )


@dataclass(frozen=True, slots=True)
class Image:
    id: str
    filename: str
    url: str
    size: int
    alt: str | None  # what a screen reader says


def _walk(components: Iterable[Json]) -> Iterable[Json]:
    for component in components:
        yield component
        yield from _walk(component.get("components") or ())
        for name in ("accessory", "component"):
            if isinstance(component.get(name), dict):
                yield from _walk([component[name]])


@dataclass(frozen=True, slots=True)
class Message:
    """A message as its reader sees it; `raw` is Discord's own object."""

    id: str
    channel_id: str
    author_id: str
    text: str  # content, embeds and text displays, in order
    link: str
    ephemeral: bool
    loading: bool
    version: int  # 1 when new, one more for each edit
    buttons: tuple[Button, ...]
    selects: tuple[Select, ...]
    images: tuple[Image, ...]
    mentions: tuple[str, ...]
    raw: Json = field(repr=False)

    @classmethod
    def of(cls, raw: Json) -> Self:
        components = list(_walk(raw["components"]))
        alts = {item["media"]["url"]: item.get("description") for c in components for item in c.get("items") or ()}
        alts |= {c["media"]["url"]: c.get("description") for c in components if c["type"] == 11}
        return cls(
            raw["id"],
            raw["channel_id"],
            raw["author"]["id"],
            raw["text"],
            raw["link"],
            raw["ephemeral"],
            raw["loading"],
            raw["version"],
            tuple(Button.of(c) for c in components if c["type"] == 2),
            tuple(Select.of(c) for c in components if c["type"] in SELECT_KINDS),
            tuple(
                Image(a["id"], a["filename"], a["url"], a["size"], alts.get(a["url"]) or a.get("description"))
                for a in raw["attachments"]
                if a["filename"].lower().endswith(PICTURES)
            ),
            tuple(u["id"] for u in raw["mentions"]),
            raw,
        )

    def button(self, label: str) -> Button:
        """The button with that label or custom id."""
        for button in self.buttons:
            if label in (button.label, button.custom_id):
                return button
        raise LookupError(f"no button {label!r} among {[b.label for b in self.buttons]}")

    def select(self, custom_id: str | None = None) -> Select:
        """The select with that custom id; the only one there is, without."""
        found = [s for s in self.selects if custom_id in (None, s.custom_id)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} selects match {custom_id!r} among {[s.custom_id for s in self.selects]}")
        return found[0]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a modal."""

    custom_id: str
    kind: int  # 4 text, 3 and 5-8 selects, 19 files, 21 radio, 22 checkboxes, 23 checkbox
    label: str
    required: bool
    options: tuple[Option, ...]
    raw: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class Modal:
    id: str
    custom_id: str
    title: str
    fields: tuple[Field, ...]
    raw: Json = field(repr=False)

    @classmethod
    def of(cls, raw: Json) -> Self:
        found: list[Field] = []
        for top in raw["components"]:
            inner = [top["component"]] if top["type"] == 18 else top.get("components") or []
            for c in inner:
                options = tuple(Option(o["value"], o["label"]) for o in c.get("options") or ())
                label = top.get("label") or c.get("label") or ""
                found.append(Field(c["custom_id"], c["type"], label, c.get("required") is not False, options, c))
        return cls(raw["id"], raw["custom_id"], raw["title"], tuple(found), raw)


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command, a press, a choice or a modal."""

    interaction_id: str
    ack: bool  # answered within 3 seconds
    kind: str | None  # message, defer, defer_update, update, modal, choices
    ack_ms: float | None
    done: bool  # what a deferral promised has come
    error: str | None
    message: Message | None
    followups: tuple[Message, ...]
    modal: Modal | None
    choices: tuple[Choice, ...]

    @classmethod
    def of(cls, raw: Json) -> Self:
        return cls(
            raw["interaction_id"],
            raw["ack"],
            raw["kind"],
            raw["ack_ms"],
            raw["done"],
            raw["error"],
            Message.of(raw["message"]) if raw["message"] else None,
            tuple(Message.of(m) for m in raw["followups"]),
            Modal.of(raw["modal"]) if raw["modal"] else None,
            tuple(Choice(c["name"], c["value"]) for c in raw["choices"]),
        )

    @property
    def reply(self) -> Message:
        """The last thing that was said in answer."""
        shown = self.followups[-1] if self.followups else self.message
        if shown is None:
            raise LookupError(self.error or f"the answer was {self.kind}, not a message")
        return shown


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, a thread or the direct channel, as one person sees it."""

    id: str
    name: str
    type: int  # 0 text, 1 direct, 4 category, 11 and 12 threads
    parent_id: str | None
    unread: int
    mentions: int
    archived: bool
    locked: bool

    @classmethod
    def of(cls, raw: Json) -> Self:
        return cls(
            raw["id"],
            raw["name"],
            raw["type"],
            raw["parent_id"],
            raw["unread"],
            raw["mentions"],
            raw.get("archived", False),
            raw.get("locked", False),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal."""

    n: int
    kind: str  # message, edit, delete, modal, choices, typing, reaction, channel, thread, read
    at: float
    real: float
    audience: tuple[str, ...]
    channel_id: str | None
    message_id: str | None
    author_id: str | None
    body: Json
    attachments: tuple[Json, ...]
    pings: tuple[str, ...]

    @classmethod
    def of(cls, raw: Json) -> Self:
        lists = {name: tuple(raw[name]) for name in ("audience", "attachments", "pings")}
        return cls(**(raw | lists))

    @property
    def message(self) -> Message | None:
        """The message as it was at that moment."""
        return Message.of(self.body) if self.kind in ("message", "edit", "delete") else None
