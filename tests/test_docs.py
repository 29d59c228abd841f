"""The documents are true: what they show is what is there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOY = re.compile(r"<!-- toy -->\n```python\n(.*?)```\n<!-- /toy -->", re.S)


def test_contributing_shows_the_toy_game_as_it_is() -> None:
    shown = TOY.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert shown is not None
    assert shown[1] == (ROOT / "tests/rules/toy.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_file_a_document_names_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text) + re.findall(
        r"`((?:tests|rules|render|cogs|db|sandbox)/[\w/.]+)`", text
    )
    assert linked
    assert [path for path in linked if not (ROOT / path).exists()] == []


def test_every_module_that_the_readme_runs_can_be_run() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for module in sorted(set(re.findall(r"python -m (\w+)", text))):
        done = subprocess.run([sys.executable, "-m", module, "--help"], capture_output=True, cwd=ROOT, timeout=60)
        assert done.returncode == 0, module


def test_commands_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "cogs").glob("*.py"))
    for row in re.findall(r"^\| `/(\w+) (.+?) \|", text, re.M):
        for name in re.findall(r"(?<![/\w])`?(\w+)`", row[1]):
            if name != "...":
                assert f'name="{name}"' in code, name
