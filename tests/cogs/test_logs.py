"""The log: its two forms, its fields, and that no secret gets through."""

import asyncio
import io
import json
import logging
import sys

import pytest

from cogs import logs

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB"
INTERACTION = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OlhYWFhYWFhYWFhYWFhYWA"


@pytest.fixture(autouse=True)
def restored():
    """Leave logging and the hooks as they were."""
    root, hook, known = logging.getLogger(), sys.excepthook, set(logs._known)
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], sys.excepthook = handlers, hook
    root.setLevel(level)
    logging.captureWarnings(False)
    logs._known.clear()
    logs._known.update(known)


def written(form: str, secrets: tuple[str, ...] = ()) -> io.StringIO:
    stream = io.StringIO()
    logs.setup("debug", form, secrets, stream)
    return stream


def test_text_is_a_line_with_fields():
    stream = written("text")
    logging.getLogger("cogs.tables").info("answer %s", "taken", extra={"game": 12, "who": "a b", "none": ""})
    line = stream.getvalue()
    assert line.endswith(' INFO cogs.tables: answer taken game=12 who="a b" none=""\n')
    assert line[10] == "T"
    assert line[23] == "Z"


def test_json_is_an_object_a_line():
    stream = written("json")
    logging.getLogger("cogs.tables").warning("answer\ntaken", extra={"game": 12, "path": object})
    (line,) = stream.getvalue().splitlines()
    found = json.loads(line)
    assert found | {"time": ""} == {
        "time": "",
        "level": "warning",
        "logger": "cogs.tables",
        "message": "answer\ntaken",
        "game": 12,
        "path": str(object),
    }


def test_errors_come_with_their_traceback():
    for form in ("text", "json"):
        stream = written(form)
        try:
            raise ValueError("no such card")
        except ValueError:
            logging.getLogger("x").exception("failed", extra={"game": 1})
        assert "Traceback (most recent call last)" in stream.getvalue()
        assert "ValueError: no such card" in stream.getvalue()


def test_a_players_name_cannot_forge_a_line_or_move_the_cursor():
    stream = written("text")
    logging.getLogger("x").info("name %s", "a\n2026 CRITICAL x: forged\x1b[2J", extra={"who": "b\nc\x9b"})
    (line,) = stream.getvalue().splitlines()
    assert r"a\n2026" in line
    assert r"\x1b" in line
    assert r"b\nc\x9b" in line


@pytest.mark.parametrize(
    "text",
    [
        f"token {TOKEN} is wrong",
        f"Authorization: Bot {TOKEN}",
        f"POST https://discord.com/api/v10/interactions/123456/{INTERACTION}/callback",
        "POST https://discord.com/api/v10/interactions/123456/q83jx-_8fjaslkfj3/callback?with_response=1",
        "PATCH https://discord.com/api/v10/webhooks/123456/q83jx-_8fjaslkfj3/messages/@original",
        "https://discord.com/api/webhooks/123456/q83jx-_8fjaslkfj3",
        f"token={INTERACTION}",
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_looks_like_a_secret_is_hidden_wherever_it_stands(text, form):
    stream = written(form)
    log = logging.getLogger("x")
    log.info("%s", text)
    log.info("field", extra={"url": text})
    try:
        raise RuntimeError(text)
    except RuntimeError:
        log.exception("failed")
    for secret in (TOKEN, INTERACTION, "q83jx-_8fjaslkfj3"):
        assert secret not in stream.getvalue()
    assert stream.getvalue().count(logs.HIDDEN) >= 3


def test_the_known_token_is_hidden_whatever_it_looks_like():
    stream = written("text", secrets=("oddtoken",))
    logging.getLogger("x").info("got oddtoken")
    assert stream.getvalue().endswith("got [hidden]\n")


def test_ordinary_things_stay():
    for text in (
        "/data/games-20261129-201231-603.backup",
        "game 12.5.3 of Bot players",
        "https://discord.com/api/v10/channels/123456789012345678/messages/123456789012345678",
        "rules.struggle_for_the_throne.actions_of_a_turn",
    ):
        assert logs.redact(text) == text


async def test_what_is_bound_stands_on_every_line_of_the_task_and_of_those_it_starts():
    stream = written("json")
    log = logging.getLogger("x")

    async def deliver(game: int) -> None:
        logs.bind(game=game)
        await asyncio.sleep(0)
        log.info("first")
        logs.bind(slot="turn3")
        await asyncio.create_task(inside())

    async def inside() -> None:
        log.info("second", extra={"slot": "its own"})

    await asyncio.gather(*map(asyncio.create_task, (deliver(1), deliver(2))))
    log.info("outside")
    found = [json.loads(line) for line in stream.getvalue().splitlines()]
    told = [(line["message"], line.get("game"), line.get("slot")) for line in found]
    each = [("first", n, None) for n in (1, 2)] + [("second", n, "its own") for n in (1, 2)]
    assert told == [*each, ("outside", None, None)]


async def test_what_is_bound_can_hold_no_secret():
    stream = written("text")

    async def work() -> None:
        logs.bind(token=INTERACTION)
        logging.getLogger("x").info("so")

    await asyncio.create_task(work())
    assert INTERACTION not in stream.getvalue()


def test_the_last_errors_are_remembered_without_secrets():
    written("json")
    logs.errors.clear()
    for n in range(9):
        logging.getLogger("x").error("number %s\n%s", n, TOKEN)
        logging.getLogger("x").warning("not this")
    assert [text for _, text in logs.errors] == [rf"number {n}\n[hidden]" for n in range(4, 9)]


def test_discord_py_is_quiet_below_warnings():
    stream = written("text")
    logging.getLogger("discord.gateway").info("shard connected")
    logging.getLogger("discord.gateway").warning("rate limited")
    assert "shard" not in stream.getvalue()
    assert "rate limited" in stream.getvalue()


def test_an_uncaught_error_goes_into_the_log():
    stream = written("json")
    error = ValueError(TOKEN)
    sys.excepthook(ValueError, error, None)
    found = json.loads(stream.getvalue())
    assert found["level"] == "critical"
    assert "ValueError: [hidden]" in found["error"]
