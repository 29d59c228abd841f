"""Answers in writing: what autocomplete offers, and how the names it shows are read."""

from __future__ import annotations

import re
from typing import Final

from discord import app_commands

from rules.engine import Answer, Option, Question

from .live import Live

CHOICE_LENGTH: Final = 100
"""The most that Discord takes as a choice of autocomplete."""
_PARTS: Final = re.compile(r"[^+>]+")


def number_of(option: Option) -> str:
    """The number printed on what the option is about, if there is one."""
    return next((arg for arg in option.args.values() if isinstance(arg, str) and arg.isdigit()), "")


def by_name(live: Live, question: Question, text: str) -> str:
    """An answer in writing with the options' names, as autocomplete shows them, their places, the numbers printed
    there, or numbers in the list (`#2`), turned into ids."""
    ids = {option.id: option.id for option in question.options}
    labels = [live.labels.option(question, option).casefold() for option in question.options]
    places = [option.place for option in question.options]
    printed = [number_of(option) for option in question.options]
    named = {place: id for place, id in zip(places, ids, strict=True) if place and places.count(place) == 1}
    named |= {number: id for number, id in zip(printed, ids, strict=True) if number and printed.count(number) == 1}
    named |= {id.casefold().replace("_", " "): id for id in ids}
    named |= {label: id for label, id in zip(labels, ids, strict=True) if labels.count(label) == 1}
    named |= {f"#{n}": id for n, id in enumerate(ids, 1)} | {id.casefold(): id for id in ids}

    def one(part: str) -> str:
        return ids.get(part.strip()) or named.get(part.strip().casefold(), part)

    key, equals, rest = text.strip().rpartition("=")
    return key + equals + (one(rest) if one(rest) in ids else _PARTS.sub(lambda part: one(part[0]), rest))


def choices(live: Live, question: Question, current: str) -> list[app_commands.Choice[str]]:
    """What autocomplete offers for an answer: options by name, added to what is written already."""
    joint = ">" if question.ordered else "+"
    done, _, typed = current.rpartition(joint)
    head = done + joint if done else ""
    written = [by_name(live, question, part) for part in done.split(joint) if part]
    numbers = {option.id: f"#{n}" for n, option in enumerate(question.options, 1)}
    found = []
    for option in question.options:
        label = live.labels.option(question, option)
        left = option.count - written.count(option.id)
        fits = typed.lower() in label.lower() or option.id.lower().startswith(typed.lower())
        value = head + option.id
        if len(value) > CHOICE_LENGTH:  # many long ones: by number
            value = joint.join(numbers.get(id, id) for id in (*written, option.id))
        if fits and left > 0 and len(value) <= CHOICE_LENGTH:
            shown = label if not written else " + ".join([*written, label])
            found.append(app_commands.Choice(name=shown[-CHOICE_LENGTH:], value=value))
    return found[:25]


def written(text: str) -> Answer:
    """The ids in a written field: joined by +, or - for none."""
    return () if text.strip() in ("", "-") else tuple(part.strip() for part in text.split("+") if part.strip())
