"""python -m rules: list, play, verify."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules import GAMES, __main__, rules_of
from rules.__main__ import main

GAME = GAMES[0]


def run(capsys: Any, *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_list(capsys: Any) -> None:
    status, out, _ = run(capsys, "list")
    assert status == 0
    assert all(key in out and rules_of(key).title in out for key in GAMES)


@pytest.mark.parametrize("bots", ["random", "policy"])
def test_play_json(capsys: Any, bots: str) -> None:
    status, out, _ = run(capsys, "play", GAME, "--seats", "3", "--seed", "7", "--games", "3", "--bots", bots, "--json")
    told = json.loads(out)
    assert status == 0
    assert sorted(told) == sorted(
        ["game", "seats", "games", "finished", "failures", "decisions", "seconds", "decisions_per_second", "winners"]
    )
    assert (told["game"], told["seats"], told["games"], told["finished"], told["failures"]) == (GAME, 3, 3, 3, 0)
    assert len(told["winners"]) == 3
    assert told["decisions"] > 3


def test_the_same_seed_plays_the_same_games(capsys: Any) -> None:
    first, again, other = (run(capsys, "play", GAME, "--seed", seed)[1].splitlines()[0] for seed in ("5", "5", "6"))
    assert first == again != other


def test_play_board_export_verify(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    status, out, _ = run(capsys, "play", GAME, "--seats", "2", "--board", "--export", str(path))
    assert status == 0
    assert len(out.splitlines()) > 5
    header = json.loads(path.read_bytes())["header"]
    for more in ([], ["--commitment", header["commitment"]]):
        status, out, _ = run(capsys, "verify", str(path), *more)
        assert status == 0
        assert "valid" in out
        assert ("posted" in out) == bool(more)
    status, out, _ = run(capsys, "verify", str(path), "--json")
    told = json.loads(out)
    assert (status, told["valid"], told["game"], told["commitment"]) == (0, True, GAME, header["commitment"])
    assert [standing["rank"] for standing in told["standings"]] == [1, 2]
    status, out, _ = run(capsys, "verify", str(path), "--json", "--commitment", "00" * 32)
    assert (status, json.loads(out)["where"]) == (1, "header.commitment")
    status, out, err = run(capsys, "verify", str(path), "--commitment", "00" * 32)
    assert (status, out) == (1, "")
    assert "header.commitment" in err
    data = path.read_bytes()
    for cut in (data[: len(data) // 2], b"", b"nonsense", data.replace(GAME.encode(), b"no_such_game"), b"\xff" * 9):
        path.write_bytes(cut)
        status, out, err = run(capsys, "verify", str(path))
        assert (status, out, err.count("\n")) == (1, "", 1)
        assert err.startswith("NOT VALID")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "no_such_game"], "no game"),
        (["play", GAME, "--seats", "99"], ""),
        (["play", GAME, "--option", "no_such=1"], "no option"),
        (["play", GAME, "--option", "trading"], "no option"),
        (["play", GAME, "--option", "trading=perhaps"], "trading"),
        (["play", GAME, "--bots", "genius"], "no bot"),
        (["play", GAME, "--games", "0"], "--games"),
        (["play", GAME, "--limit", "1", "--export", "x.json"], "finished"),
        (["play", GAME, "--export", "/no/such/folder/x.json"], "/no/such/folder"),
        (["verify", "/no/such/file"], "/no/such/file"),
    ],
)
def test_mistakes_are_told_in_one_line(capsys: Any, arguments: list[str], said: str) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.count("\n") == 1
    assert said in err
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [[], ["fly"], ["play"], ["verify"], ["play", GAME, "--seats", "two"]])
def test_a_command_line_that_cannot_be_read(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2


def test_a_failing_rule_is_counted_not_raised(capsys: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(__main__, "play_out", lambda *args, **more: 1 // 0)
    status, out, err = run(capsys, "play", GAME, "--games", "2", "--json")
    assert status == 1
    assert json.loads(out)["failures"] == 2
    assert "ZeroDivisionError" in err
