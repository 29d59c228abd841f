"""The soak's verdict: one JSON object, and an exit status that tells whether all holds that has to."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from sandbox import soak

GOOD: dict[str, Any] = {
    "inconsistent": [], "unshown": [], "pings": [], "leaks": [], "errors": [], "rejected": 0,
    "ack_p99_ms": soak.ACK_P99_MS, "picture_p95_ms": soak.PICTURE_P95_MS, "rss_mib": soak.RSS_MIB,
    "database_kib_a_game": soak.GAME_MIB * 1024,
}  # fmt: skip
BAD = {
    **{name: [f"something of {name}"] for name in ("inconsistent", "unshown", "pings", "leaks", "errors")},
    "rejected": 1, "ack_p99_ms": 300.1, "picture_p95_ms": 1000.1, "rss_mib": 400.1, "database_kib_a_game": 5121.0,
}  # fmt: skip


def verdict(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], figures: dict[str, Any]) -> int:
    async def played(args: argparse.Namespace) -> dict[str, Any]:
        return {"failures": soak.failures(figures), **figures}

    monkeypatch.setattr(soak, "soak", played)
    status = soak.run(argparse.Namespace(json=True))
    assert json.loads(capsys.readouterr().out)["failures"] == soak.failures(figures)
    return status


def test_all_holds(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert verdict(monkeypatch, capsys, GOOD) == 0


@pytest.mark.parametrize("name", GOOD)
def test_each_thing_that_does_not_hold_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
):
    assert verdict(monkeypatch, capsys, {**GOOD, name: BAD[name]}) == 1


@pytest.mark.parametrize("name", ["ack_p99_ms", "picture_p95_ms"])
def test_a_run_in_which_nothing_was_measured_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
):
    assert verdict(monkeypatch, capsys, {**GOOD, name: 0.0}) == 1
