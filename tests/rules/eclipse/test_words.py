"""Words: numbers, articles and the Ancients as a subject read as English does."""

import pytest

from rules.eclipse import RULES
from rules.eclipse.build import ITEMS
from rules.eclipse.components import DISCOVERIES
from rules.eclipse.ships import PARTS, SHIP_TYPES
from rules.engine.questions import Arg

HEX: dict[str, Arg] = {"hex": "201", "number": "201", "goal": "202", "seat": 0, "party": "ancient"}


@pytest.mark.parametrize(
    ("key", "args", "text"),
    [
        ("event.combat.won", {}, "201 Alpha Centauri is held by the Ancients."),
        ("event.combat.cannons", {"n": 2, "ship": "ancient", "rolls": (6,)}, "Cannons of the Ancients, 2 Ancients: 6."),
        ("option.combat.attack", {"n": 1, "ship": "cruiser"}, "Attack with 1 Cruiser"),
        ("option.population.attack", {"n": 3, "ship": "cruiser"}, "Fire with 3 Cruisers"),
        ("event.combat.left", {"n": 1, "ship": "cruiser"}, "the Ancients: 1 Cruiser gets away to 201 Alpha Centauri."),
        ("event.combat.left", {"n": 2, "ship": "cruiser"}, "the Ancients: 2 Cruisers get away to 201 Alpha Centauri."),
        ("ask.move.ship", {"n": 1}, "Move: which ship? Up to 1 more move."),
        (
            "ask.action.choose", {"discs": 1, "upkeep": 25, "money": 5},
            "Your turn: 1 disc on the track, upkeep 25 of 5 money. Which action?",
        ),
        ("ask.upgrade.take", {"n": 1, "short": 0}, "Upgrade: which part do you take? Up to 1 more."),
        ("option.colony.gray", {"track": "money", "n": 2}, "A money cube to 201 Alpha Centauri (gray, +2)"),
        ("event.build.built", {"n": 5, "item": "orbital"}, "Seat 1 builds an Orbital at 201 Alpha Centauri for 5 materials."),
        ("event.move.moved", {"ship": "cruiser"}, "Seat 1 moves a Cruiser from 201 Alpha Centauri to 202 Fomalhaut."),
    ],
)  # fmt: skip
def test_sentences(key: str, args: dict[str, Arg], text: str) -> None:
    assert RULES.words.say(key, HEX | args) == text


@pytest.mark.parametrize("id", PARTS)
def test_what_parts_do_is_told_as_their_data_have_it(id: str) -> None:
    part = PARTS[id]
    dice = "missiles" if part.kind == "missile" else "dice"
    told = {
        f"{part.dice} {dice} of {part.damage}".replace("1 dice", "a die"): part.dice,
        f"hits +{part.computer}": part.computer,
        f"shield {part.shield}": part.shield,
        f"hull {part.hull}": part.hull,
        f"moves {part.movement}": part.movement,
        f"initiative {part.initiative}": part.initiative,
        f"energy +{part.production}": part.production,
        f"energy -{part.consumption}": part.consumption,
    }
    assert RULES.words.say(f"part_hint.{id}") == ", ".join(text for text, n in told.items() if n)


def test_what_discoveries_bring_is_told() -> None:
    for tile in DISCOVERIES.values():
        assert tile.part or f"discovery_hint.{tile.id}" in RULES.words


def test_everything_that_is_built_or_moved_has_its_article() -> None:
    assert all(f"an.{item}" in RULES.words for item in (*ITEMS, *SHIP_TYPES))
