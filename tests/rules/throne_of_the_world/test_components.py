"""The component tables: totals, sources, and that rules and data agree."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import rules.throne_of_the_world
from rules.throne_of_the_world import RULES
from rules.throne_of_the_world.components import (
    COLOURS,
    COUNTS,
    DOUBLE,
    GENERAL,
    MONEY,
    NUMBERS,
    POWERS,
    PROFESSIONS,
    RACES,
    SKILLS,
    UNITS,
    kind_of,
)  # fmt: skip

FOLDER = Path(rules.throne_of_the_world.__file__).parent
SOURCES = ("rulebook", "found", "reconstructed")


def test_there_are_101_general_cards() -> None:
    assert sum(COUNTS.values()) == 101
    totals = Counter(dict.fromkeys(("unit", "general", "double", "skill"), 0))
    for card, n in COUNTS.items():
        totals[kind_of(card)] += n
    assert totals == {"unit": 35, "general": 27, "double": 14, "skill": 25}


def test_there_are_39_money_cards() -> None:
    assert sum(money.count for money in MONEY) == 39
    assert sum(money.count * money.value for money in MONEY) >= 4 * NUMBERS.start.coins
    assert [money.value for money in MONEY] == sorted(money.value for money in MONEY)


def test_there_are_13_races_four_of_them_documented() -> None:
    assert len(RACES) == 13
    assert [race.id for race in RACES.values() if not race.reconstructed] == ["humans", "mermaids", "zergs", "dwarves"]
    assert len({power for powers in POWERS.values() for power in powers}) == sum(map(len, POWERS.values()))


def test_printed_figures() -> None:
    assert (UNITS["miners"].efficiency, UNITS["miners"].tolerance) == ((2, 5, 8), 3)
    assert (UNITS["farmers"].set_size, UNITS["royal_family"].set_size, UNITS["soldiers"].tolerance) == (4, 2, 4)
    assert GENERAL["general_a"].excluded == ("wizards", "royal_family")
    assert (SKILLS["supply"].n, SKILLS["assemble"].n, SKILLS["purchase"].n) == (3, 3, 2)
    assert (POWERS["humans"]["unity"].n, POWERS["mermaids"]["swimming"].n) == ({"coins": 5}, {"cost": 1})
    victory = NUMBERS.victory
    assert (victory.money, victory.sets, victory.sets_money) == (45, 3, 15)
    assert (victory.professions, victory.professions_money) == (7, 15)


def test_units_agree_with_themselves() -> None:
    assert len(PROFESSIONS) == 7
    for unit in UNITS.values():
        assert len(unit.efficiency) == len(unit.efficiency_source) == unit.set_size
        assert list(unit.efficiency) == sorted(unit.efficiency)
        assert unit.count >= unit.set_size
        assert 2 <= unit.set_size <= 4
    assert sorted(double.profession for double in DOUBLE.values()) == sorted(PROFESSIONS)
    assert all(set(general.excluded) < set(PROFESSIONS) for general in GENERAL.values())


def test_every_entry_has_a_source() -> None:
    for path in sorted((FOLDER / "data").glob("*.toml")):
        for name, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for entry in entries if isinstance(entries, list) else [entries]:
                found = [value for key, value in entry.items() if key == "source" or key.endswith("_source")]
                flat = [source for value in found for source in (value if isinstance(value, list) else [value])]
                assert flat, (path.name, name)
                assert all(source in SOURCES for source in flat), (path.name, name)
                for power in entry.get("powers", ()):
                    assert power["source"] in SOURCES
    assert len(COLOURS) == 4


def test_every_power_is_asked_for_by_name_and_no_race_is() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    for powers in POWERS.values():
        for power in powers:
            assert re.search(rf'"{power}"', source), power
    for race in RACES:
        assert f'"{race}"' not in source, race


def test_texts_agree_with_the_figures_in_them() -> None:
    texts = RULES.words.texts
    wrong = re.compile(r"\b([02-9]|\d\d+) (coin|card|point|unit)\b|\b1 (coins|cards|points|units)\b")
    assert [text for text in texts.values() if wrong.search(text)] == []
    assert texts["card_text.general_a"] == "Activates one of your professions, not Wizards or Royal Family."
    assert RULES.words.say("event.area", {"cards": ()}) == "The trading area holds nothing."
