"""What the bot says outside of any game, and how people's names are made harmless."""

import tomllib
import unicodedata
from pathlib import Path

import discord

from rules.engine import Words
from rules.engine.words import flatten

NAME_LENGTH = 32
TEXT_LENGTH = 3600
"""All text displays of a message together may hold 4,000 characters; a little is left for the frame."""


def _load() -> dict[str, str]:
    texts: dict[str, str] = {}
    flatten("", tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8")), texts)
    return texts


ENGINE = _load()
WORDS = Words(ENGINE)


def bare(name: str) -> str:
    """The name as it may stand where nothing is marked up (labels, pictures): no control or direction characters, no
    line breaks, cut to a sensible length."""
    kept = "".join(c for c in name if unicodedata.category(c)[0] != "C" and unicodedata.category(c) not in ("Zl", "Zp"))
    kept = " ".join(kept.replace("`", "'").split()) or "?"
    return kept if len(kept) <= NAME_LENGTH else kept[: NAME_LENGTH - 1] + "…"


def plain(name: str) -> str:
    """The name as it may stand in a text: its markdown and mentions do nothing, and if it runs from right to left, the
    words around it stay where they are."""
    kept = discord.utils.escape_markdown(bare(name)).replace("@", "@\u200b").replace("<", "<\u200b")
    leftward = any(unicodedata.bidirectional(c) in ("R", "AL") for c in kept)
    return f"\u2068{kept}\u2069" if leftward else kept


def say(key: str, **args: object) -> str:
    """The bot's own text at that key."""
    return WORDS.say(key, args)  # type: ignore[arg-type]


def cut(text: str, length: int = TEXT_LENGTH) -> str:
    """The end of the text, whole lines, within that length."""
    if len(text) <= length:
        return text
    kept: list[str] = []
    left = length - 2
    for line in reversed(text.splitlines()):
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "…\n" + "\n".join(reversed(kept))
