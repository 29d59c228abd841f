"""The game's words: the file, and the forms that follow from the components, so that texts and figures agree."""

from collections.abc import Mapping
from pathlib import Path

from rules.engine.words import Words

from .common import place
from .components import COUNTS, DOUBLE, GENERAL, OPENING_HANDS, PLAY, PROFESSIONS, RACES, SKILLS, UNITS, VICTORY


def load_words(path: Path) -> Words:
    """All texts. Equal cards put together (`3.soldiers`) get theirs from the card's own."""
    texts = dict(Words.load(path).texts)
    name_cards(texts)
    describe_cards(texts)
    describe_races(texts)
    for victory in ("money", "sets", "professions"):
        texts[f"victory.{victory}"] = fill(texts[f"victory.{victory}"], vars_of(VICTORY))
    for seat in range(max(OPENING_HANDS)):
        for profession in PROFESSIONS:
            args = {"seat": seat + 1, "name": texts[f"profession.{profession}"]}
            texts[f"place.{place(seat, profession)}"] = fill(texts["place_of"], args)
    return Words(texts)


def fill(text: str, args: Mapping[str, object]) -> str:
    """A text with figures filled in."""
    return text.format(**args)


def vars_of(numbers: object) -> dict[str, object]:
    """The fields of a component by name."""
    return {name: getattr(numbers, name) for name in numbers.__struct_fields__}  # type: ignore[attr-defined]


def name_cards(texts: dict[str, str]) -> None:
    """Names of action cards, and of several equal cards."""
    for general in GENERAL.values():
        names = ", ".join(texts[f"short.{profession}"] for profession in general.excluded)
        texts[f"card.{general.id}"] = fill(texts["general_card"], {"names": names})
    for double in DOUBLE.values():
        texts[f"card.{double.id}"] = fill(texts["double_card"], {"name": texts[f"profession.{double.profession}"]})
    for card, count in COUNTS.items():
        for n in range(2, count + 1):
            texts[f"card.{n}.{card}"] = fill(texts["counted"], {"n": n, "name": texts[f"card.{card}"]})


def describe_cards(texts: dict[str, str]) -> None:
    """What each card does."""
    for unit in UNITS.values():
        steps = "/".join(map(str, unit.efficiency))
        args = {"steps": steps, "set": unit.set_size, "tolerance": unit.tolerance}
        texts[f"card_text.{unit.id}"] = fill(texts[f"unit_text.{unit.kind}"], args)
    for general in GENERAL.values():
        names = " or ".join(texts[f"profession.{profession}"] for profession in general.excluded)
        texts[f"card_text.{general.id}"] = fill(texts["general_text"], {"names": names})
    for double in DOUBLE.values():
        args = {"name": texts[f"profession.{double.profession}"], "n": double.activations}
        texts[f"card_text.{double.id}"] = fill(texts["double_text"], args)
    for skill in SKILLS.values():
        texts[f"card_text.{skill.id}"] = fill(texts[f"card_text.{skill.id}"], {"n": skill.n, "cost": PLAY.unit_payment})


def describe_races(texts: dict[str, str]) -> None:
    """What each power does, and all powers of a race together."""
    for race in RACES.values():
        for power in race.powers:
            texts[f"power_text.{power.id}"] = fill(texts[f"power_text.{power.id}"], power.n)
        powers = (f"{texts[f'power.{power.id}']}: {texts[f'power_text.{power.id}']}" for power in race.powers)
        note = texts["reconstructed"] if race.reconstructed else ""
        texts[f"race_text.{race.id}"] = " ".join(powers) + note
