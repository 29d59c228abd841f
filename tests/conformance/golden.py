"""Golden playthroughs: one recorded game a file, so that a change of the rules never goes unseen.

`python -m tests.conformance.golden` writes them anew; look at the difference before committing it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rules.engine import Chance, Decision, Rules, random_player, write

from .cases import RULES, plain_case

FOLDER = Path(__file__).parent / "golden"
SEED = "golden"
SHOWN = 60
WALKED = 400


def playthrough(rules: Rules[Any, Any, Any]) -> dict[str, Any]:
    """A random game in short: its first answers, and counts over the first WALKED decisions (as perft does)."""
    case = plain_case(rules, rules.seats[len(rules.seats) // 2] if rules.seats[-1] < 6 else rules.seats[0] + 2)
    table, chance = case.start(SEED), Chance(SEED.encode())
    answers: list[str] = []
    events: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    while not table.over and counts["decisions"] < WALKED:
        seat = next(seat for seat in table.asked if seat not in table.sealed)
        question = table.asked[seat]
        answer = random_player(Decision(seat, None, question), chance)
        change = table.answer(seat, answer)
        answers.append(f"{seat}: {write(question, answer)}")
        events.update(event.kind for event in change.events)
        counts["decisions"] += 1
        counts["options"] += len(question.options)
        counts["draws"] += sum(len(record.draws) for record in change.records)
        counts["checkpoints"] += len(change.checkpoints)
    return {
        "game": rules.key,
        "version": rules.version,
        "seats": case.seats,
        "seed": SEED,
        "answers": answers[:SHOWN],
        "counts": dict(sorted(counts.items())),
        "events": dict(sorted(events.items())),
        "over": table.over,
        "digest": table.digest.hex(),
    }


def path(rules: Rules[Any, Any, Any]) -> Path:
    """The game's file."""
    return FOLDER / f"{rules.key}.json"


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for rules in RULES:
        text = json.dumps(playthrough(rules), indent=1)
        path(rules).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
