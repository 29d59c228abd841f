"""Export and verification: whatever is changed in an exported game is found, and the finding says where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine import Chance, Damaged, Rules, Table, commitment
from rules.engine.chance import mix
from rules.engine.chance import value as drawn
from rules.verify import export, read_export, verify, verify_without_rules
from tests.rules.toy import RULES

from . import test_law_7_rules_change as change
from .helpers import toy, wander


def with_undo() -> tuple[bytes, Any]:
    table = toy(rounds=2, seats=2)
    chance = Chance(b"undo")
    table.seat_change(1, "bot")
    table.stand(0, "guard", True)
    wander(table, chance, 6, undo=False)
    table.undo(0, 4, consents=[0, 1])
    wander(table, chance, 2, undo=False)
    table.undo(None, host=True, to=table.step_back(1))
    seat, question = next(iter(table.asked.items()))
    table.answer(seat, RULES.safe(question), away=True)
    wander(table, chance)
    return export(table), RULES


def with_mark() -> tuple[bytes, Any]:
    table, _ = change.changed(change.played("on", "roll", "on", "roll"), change.WIDER)
    for answer in ("on", "roll", "on", "on"):
        table.answer(0, (answer,))
    table.undo(0)
    table.redo(0)
    table.answer(0, ("end",))
    return export(table), change.WIDER


def with_undo_past_mark() -> tuple[bytes, Any]:
    table, _ = change.changed(change.played("on", "roll", "on", "roll"), change.SAME_BUMPED)
    table.answer(0, ("on",))
    table.undo(0, 2, consents=[1, 2])
    table.answer(0, ("roll",))
    table.answer(0, ("end",))
    return export(table), change.SAME_BUMPED


GAMES = {"undo": with_undo(), "mark": with_mark(), "past": with_undo_past_mark()}
games = pytest.mark.parametrize("game", sorted(GAMES))


def found(data: bytes, rules: Rules[Any, Any, Any]) -> str | None:
    """Where it does not fit; None when it does."""
    try:
        verify(read_export(data), rules)
    except Damaged as error:
        return error.where
    return None


def leaves(thing: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    if not isinstance(thing, dict | list):
        yield path
    for key, value in items:
        yield from leaves(value, (*path, key))


def put(thing: Any, path: tuple[Any, ...], value: Any) -> bytes:
    """The JSON with another leaf there."""
    twin = json.loads(json.dumps(thing))
    at = twin
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return json.dumps(twin).encode()


def others(value: Any) -> list[Any]:
    """Other values, of the same kind and of others."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, 2**63, 2**70, float(value), value + 0.5, str(value), None]
    if isinstance(value, str):
        flipped = value[:-1] + ("A" if value[-1:] != "A" else "B")
        return [flipped, value + "x", value.swapcase() if value.swapcase() != value else "x", f" {value}", "", None, 7]
    return [0, "", False, 1]


@games
def test_the_untouched_game_is_verified(game: str) -> None:
    data, rules = GAMES[game]
    assert found(data, rules) is None
    assert found(json.dumps(json.loads(data)).encode(), rules) is None


@games
def test_any_change_to_any_field_is_found(game: str) -> None:
    data, rules = GAMES[game]
    plain = json.loads(data)
    paths = list(leaves(plain))
    assert len(paths) > 100
    for path in paths:
        value = plain
        for key in path:
            value = value[key]
        for other in others(value):
            if other == value and type(other) is type(value):
                continue
            where = found(put(plain, path, other), rules)
            assert where is not None, (path, value, other)
            if path[0] == "records" and where.startswith("record "):
                assert abs(int(where.split()[1]) - path[1]) <= 1, (path, where)
            if path[0] in ("header", "secret", "format", "head", "result") and not where.startswith(("file", "line")):
                assert where.split(".")[0] in (path[0], "secret", f"record {len(plain['records']) - 1}"), (path, where)


@games
def test_any_field_left_out_or_added_is_found(game: str) -> None:
    data, rules = GAMES[game]
    plain = json.loads(data)

    def walk(thing: Any, path: tuple[Any, ...]) -> None:
        if isinstance(thing, dict):
            for key in thing:
                less = {other: value for other, value in thing.items() if other != key}
                assert found(put({"": plain}, ("", *path), less)[5:-1] if path else json.dumps(less).encode(), rules)
            more = {**thing, "more": 1}
            assert found(put({"": plain}, ("", *path), more)[5:-1] if path else json.dumps(more).encode(), rules)
        if isinstance(thing, list) and path:
            assert found(put(plain, path, [*thing, *(thing[-1:] or ["x"])]), rules)
            if thing:
                assert found(put(plain, path, thing[:-1]), rules)
        for key, value in thing.items() if isinstance(thing, dict) else enumerate(thing):
            if isinstance(value, dict | list):
                walk(value, (*path, key))

    walk(plain, ())


@games
def test_records_dropped_doubled_or_moved_are_found(game: str) -> None:
    data, rules = GAMES[game]
    plain = json.loads(data)
    records = plain["records"]
    for at in range(len(records)):
        for new in (
            records[:at] + records[at + 1 :],
            records[: at + 1] + records[at:],
            records[:at] + records[at : at + 2][::-1] + records[at + 2 :],
            records[:at],
        ):
            if new != records:
                assert found(put(plain, ("records",), new), rules), at


@games
def test_a_cut_or_garbled_file_is_found(game: str) -> None:
    data, rules = GAMES[game]
    for at in [*range(0, len(data) - 1, 97), len(data) - 1]:
        assert found(data[:at], rules)
        assert found(data[:at] + b"\xff" + data[at + 1 :], rules)
    for junk in (b"", b"{}", b"[]", b"null", b"\x00" * 50, data + b"x", data + data, b"[" * 100_000):
        assert found(junk, rules)


@games
@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_any_changed_character_is_found(game: str, draw: Any) -> None:
    data, rules = GAMES[game]
    at = draw.draw(st.integers(0, len(data) - 1))
    byte = draw.draw(st.integers(0, 255))
    changed = data[:at] + bytes([byte]) + data[at + 1 :]
    if changed.split() != data.split():
        assert found(changed, rules)


@games
def test_another_commitment_than_posted_is_found(game: str) -> None:
    data, rules = GAMES[game]
    export = read_export(data)
    verify(export, rules, export.header.commitment.upper() + "\n")
    with pytest.raises(Damaged, match="commitment"):
        verify(export, rules, commitment(b"another"))


def test_other_rules_are_found() -> None:
    data, _ = GAMES["undo"]
    with pytest.raises(Damaged, match=r"header\.game"):
        verify(read_export(data), change.OLD)
    _, rules = GAMES["mark"]
    with pytest.raises(Damaged, match="version"):
        verify(read_export(GAMES["mark"][0]), change.OLD)
    assert found(GAMES["mark"][0], rules) is None


def forged(plain: Any, at: int, **fields: Any) -> Any:
    """The export with one record changed and everything after it chained anew, as only the operator could."""
    import msgspec

    from rules.engine.log import chain
    from rules.verify import Export

    export = msgspec.json.decode(json.dumps(plain), type=Export)
    records, head = [], chain(export.header)
    for record in export.records:
        new = msgspec.structs.replace(record, prev=head, **(fields if record.seq == at else {}))
        records.append(new)
        head = chain(new)
    return msgspec.structs.replace(export, records=tuple(records), head=head.hex())


def test_a_forged_log_is_found_by_playing_it_again() -> None:
    data, rules = GAMES["undo"]
    plain = json.loads(data)
    for record in read_export(data).records:
        for fields in (
            {"digest": b"0" * 16},
            {"owners": (*record.owners, 9)},
            {"draws": record.draws[:-1]} if record.draws else {"seat": 5},
        ):
            export = forged(plain, record.seq, **fields)
            with pytest.raises(Damaged) as error:
                verify(export, rules)
            assert error.value.where.startswith("record")


def test_draws_are_checked_without_the_rules_and_an_epoch_rises_for_a_reason_only() -> None:
    import msgspec

    from rules.engine.log import Undone

    data, _ = GAMES["undo"]
    plain = json.loads(data)
    seed = mix(bytes.fromhex(plain["secret"]), plain["header"]["salts"])
    verify_without_rules(read_export(data))
    for record in read_export(data).records:
        for at, draw in enumerate(record.draws):
            due = msgspec.structs.replace(
                draw, epoch=draw.epoch + 1, result=drawn(seed, draw.epoch + 1, draw.n, draw.range)
            )
            with pytest.raises(Damaged, match="not due"):
                verify_without_rules(
                    forged(plain, record.seq, draws=(*record.draws[:at], due, *record.draws[at + 1 :]))
                )
            for field in ("epoch", "n", "range", "result"):
                new = msgspec.structs.replace(draw, **{field: getattr(draw, field) + 1})
                draws = (*record.draws[:at], new, *record.draws[at + 1 :])
                with pytest.raises(Damaged, match="draw"):
                    verify_without_rules(forged(plain, record.seq, draws=draws))
        if isinstance(record.what, Undone):
            for epoch in (record.what.epoch + 1, record.what.epoch - 1):
                what = msgspec.structs.replace(record.what, epoch=epoch)
                with pytest.raises(Damaged):
                    verify_without_rules(forged(plain, record.seq, what=what))


def test_a_game_that_has_not_ended_is_not_verified() -> None:
    from rules.verify import FORMAT, Export

    table: Table = toy()
    wander(table, Chance(b"half"), 5)
    export = Export(FORMAT, table.header, table.secret.hex(), tuple(table.log), table.head.hex(), ())
    with pytest.raises(Damaged, match="not ended"):
        verify(export, RULES)


def test_a_fault_on_record_does_not_hinder_verification(monkeypatch: Any) -> None:
    table = toy(rounds=1)
    with monkeypatch.context() as patch:
        patch.setattr("tests.rules.toy.Tidy", lambda round: 1 // 0)
        with pytest.raises(Exception, match="broken"):
            wander(table, Chance(b"fault"), undo=False)
    wander(table, Chance(b"on"))
    verify(read_export(export(table)), RULES)
