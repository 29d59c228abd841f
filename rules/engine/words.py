"""Words: each game keeps every text a person reads in one TOML file, by key."""

import string
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .flow import Event
from .questions import Arg, Option, Question

SeatName = Callable[[int], str]


class Words(string.Formatter):
    """Looks texts up by key and fills in arguments. In a text, `{x}` is the argument itself, `{x:seat}` a seat's name,
    `{x:card}` the text at key `card.<x>`, `{n:plural:planet,planets}` the fitting form, `{xs:list:card}` several texts."""

    def __init__(self, texts: Mapping[str, str], seat_name: SeatName = lambda seat: f"Seat {seat + 1}") -> None:
        self.texts = texts
        self.seat_name = seat_name

    @classmethod
    def load(cls, *paths: Path) -> "Words":
        """The texts of these TOML files; nested tables become dotted keys; a later file wins."""
        texts: dict[str, str] = {}
        for path in paths:
            flatten("", tomllib.loads(path.read_text(encoding="utf-8")), texts)
        return cls(texts)

    def named(self, seat_name: SeatName) -> "Words":
        """The same words with people's names for seats."""
        return Words(self.texts, seat_name)

    def __contains__(self, key: str) -> bool:
        return key in self.texts

    def say(self, key: str, args: Mapping[str, Arg] | None = None) -> str:
        """The text at `key` with its arguments filled in; the key itself when there is none."""
        return self.vformat(self.texts.get(key, key), (), args or {})

    def event(self, event: Event) -> str:
        """One line that tells the event; empty when its words are empty."""
        return self.say(f"event.{event.kind}", event.args)

    def question(self, question: Question) -> str:
        """What is asked."""
        return self.say(f"ask.{question.key}", question.args)

    def option(self, question: Question, option: Option) -> str:
        """The option's label: its own words, else the question's for it, else its place's, else its id."""
        if option.words:
            return self.say(option.words, option.args)
        for key in (f"{question.key}.{option.id}", f"place.{option.place}", f"option.{option.id}"):
            if key in self.texts:
                return self.say(key, option.args)
        return option.place or option.id

    def answer(self, question: Question, answer: tuple[str, ...]) -> str:
        """The chosen options in words."""
        labels = [self.option(question, question.option(id)) for id in answer]
        return (" > " if question.ordered else ", ").join(labels) or self.texts.get("option.none", "-")

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: Any, format_spec: str) -> str:
        kind, _, more = format_spec.partition(":")
        if kind == "plural":
            one, many = more.split(",")
            return one if value == 1 else many
        if kind == "list":
            return ", ".join(self.format_field(item, more) for item in value) or self.texts.get("option.none", "-")
        if kind == "seat" and isinstance(value, int):
            return self.seat_name(value)
        return self.texts.get(f"{kind}.{value}", str(value))


def flatten(prefix: str, table: Mapping[str, Any], into: dict[str, str]) -> None:
    """Put the texts of a nested table into a flat one, under dotted keys."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            flatten(f"{prefix}{key}.", value, into)
        else:
            into[prefix + key] = str(value)
