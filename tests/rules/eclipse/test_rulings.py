"""Every ruling has a test that bears its number."""

import re
from pathlib import Path

import rules.eclipse

LAST = 108


def test_every_ruling_has_a_test() -> None:
    rulings = (Path(rules.eclipse.__file__).parent / "rulings.md").read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"^(\d+)\. \([RFD]\) ", rulings, re.M)]
    assert numbers == list(range(1, LAST + 1))
    tested: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for name in re.findall(r"^def test_ruling((?:_\d+)+)", path.read_text(encoding="utf-8"), re.M):
            tested |= {int(n) for n in name.strip("_").split("_")}
    assert sorted(set(numbers) - tested) == []
    assert sorted(tested - set(numbers)) == []
