"""Every game still plays its recorded game."""

from __future__ import annotations

import json
from typing import Any

from rules.engine import Rules

from .cases import RULES, every_game
from .golden import FOLDER, path, playthrough


@every_game
def test_playthrough(rules: Rules[Any, Any, Any]) -> None:
    recorded = json.loads(path(rules).read_text(encoding="utf-8"))
    assert playthrough(rules) == recorded, "if the rules changed on purpose: python -m tests.conformance.golden"


def test_no_file_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {path(rules).name for rules in RULES}
