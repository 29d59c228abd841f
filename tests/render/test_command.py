"""Drawing from the command line."""

from pathlib import Path

import pytest

from render.__main__ import main


@pytest.mark.parametrize("which", [[], ["--viewer", "1", "--hand"], ["--viewer", "2"]])
def test_a_played_game_is_drawn(which: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "picture.png"
    assert (
        main(["struggle_for_the_throne", "--seats", "3", "--seed", "7", "--after", "25", "--out", str(out), *which])
        == 0
    )
    assert out.read_bytes().startswith(b"\x89PNG")
    assert str(out) in capsys.readouterr().out


def test_a_battle_is_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "battle.png"
    main(["struggle_for_the_throne", "--seats", "3", "--seed", "7", "--after", "40", "--battle", "--out", str(out)])
    assert "Battle at" in capsys.readouterr().out
