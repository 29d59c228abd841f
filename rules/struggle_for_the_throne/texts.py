"""The game's words: the file, and the counted forms that follow from it."""

from pathlib import Path

from rules.engine.words import Words

from .components import CARDS, ENDS, RANKS
from .units import HEAD

MOST_UNITS = 104
MOST_CARDS = 25


def load_words(path: Path) -> Words:
    """All texts. Equal things put together (`3.squadron`) get theirs from the plural's or the card's own name.

    `thing.` serves lists that mix cards and units.
    """
    texts = dict(Words.load(path).texts)
    for card in CARDS.values():
        if card.alive != card.dead:
            ends = {"alive": texts[f"card.{card.alive}"], "dead": texts[f"card.{card.dead}"]}
            texts[f"card.{card.id}"] = texts["both_ends"].format(**ends)
    for name in dict.fromkeys((*ENDS, *CARDS)):
        text = texts[f"card.{name}"]
        texts[f"thing.{name}"] = text
        for n in range(2, MOST_CARDS + 1):
            texts[f"card.{n}.{name}"] = texts[f"thing.{n}.{name}"] = texts["counted"].format(n=n, name=text)
    for n in range(2, MOST_CARDS + 1):
        texts[f"thing.{n}.card"] = f"{n} {texts['things.card']}"
    for rank in RANKS:
        texts[f"thing.{rank}"] = texts[f"unit.{rank}"]
        texts[f"unit.{HEAD}{rank}"] = texts["head_of_family"].format(name=texts[f"unit.{rank}"])
        for n in range(2, MOST_UNITS + 1):
            texts[f"unit.{n}.{rank}"] = texts[f"thing.{n}.{rank}"] = f"{n} {texts[f'units.{rank}']}"
    return Words(texts)
