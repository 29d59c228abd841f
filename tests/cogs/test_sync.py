"""Commands are sent only when they changed, and a failure to send them stops nothing."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

import db
from cogs import sync


class Http:
    """Stands in for Discord: counts what it is sent, and fails as told."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.errors: list[BaseException] = []

    async def bulk_upsert_global_commands(self, application_id: int, payload: list[Any]) -> list[Any]:
        self.sent.append(payload)
        if self.errors:
            raise self.errors.pop(0)
        return [command | {"id": str(n), "application_id": str(application_id)} for n, command in enumerate(payload)]


@pytest.fixture
async def store(tmp_path):
    async with await db.Store.open(tmp_path / "games.sqlite3") as opened:
        yield opened


@pytest.fixture
def http():
    return Http()


def tree(http: Http, *names: str, description: str = "d", application: int | None = 1) -> app_commands.CommandTree:
    client = discord.Client(intents=discord.Intents.none(), application_id=application)
    made = app_commands.CommandTree(client)
    made._http = http

    async def act(interaction: discord.Interaction, what: str) -> None: ...

    for name in names:
        made.add_command(app_commands.Command(name=name, description=description, callback=act))
    return made


def failure(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="because")
    return discord.HTTPException(response, {"code": code, "message": "no"})


async def test_they_are_sent_once(store, http):
    assert await sync.sync(tree(http, "game", "table"), store) is True
    assert await sync.sync(tree(http, "game", "table"), store) is False
    assert await sync.sync(tree(http, "table", "game"), store) is False
    assert [[command["name"] for command in sent] for sent in http.sent] == [["game", "table"]]


@pytest.mark.parametrize("more", [{"description": "e"}, {"application": 2}])
async def test_they_are_sent_again_when_something_changed(store, http, more):
    await sync.sync(tree(http, "game"), store)
    assert await sync.sync(tree(http, "game", **more), store) is True
    assert await sync.sync(tree(http, "game", **more), store) is False


async def test_a_new_or_removed_command_is_a_change(store, http):
    await sync.sync(tree(http, "game"), store)
    assert await sync.sync(tree(http, "game", "table"), store) is True
    assert await sync.sync(tree(http, "game"), store) is True


@pytest.mark.parametrize(
    "error",
    [failure(500), failure(403, 50001), failure(400, 30034), discord.RateLimited(99.0), OSError(), TimeoutError()],
)
async def test_a_failure_is_logged_and_tried_again(store, http, error, caplog):
    http.errors.append(error)
    assert await sync.sync(tree(http, "game"), store) is None
    assert "could not be sent" in caplog.text
    assert await sync.sync(tree(http, "game"), store) is True


async def test_a_refusal_is_logged_and_not_repeated(store, http, caplog):
    http.errors.append(failure(400, 50035))
    await sync.keep_trying(tree(http, "game"), store, waits=(0.0,))
    assert len(http.sent) == 1
    assert "refused the slash commands" in caplog.text
    assert await store.meta(sync.KEY) is None


async def test_trying_goes_on_until_it_works(store, http):
    http.errors += [failure(500), failure(502), OSError(), failure(500)]
    await sync.keep_trying(tree(http, "game"), store, waits=(0.0, 0.0))
    assert len(http.sent) == 5


async def test_without_an_application_nothing_is_sent_and_nothing_breaks(store, http, caplog):
    assert await sync.sync(tree(http, "game", application=None), store) is None
    assert http.sent == []
    assert "MissingApplicationID" in caplog.text


async def test_a_store_that_fails_stops_nothing(http, caplog):
    class Broken:
        async def meta(self, key: str) -> str | None:
            raise db.DiskFull("no room")

    assert await sync.sync(tree(http, "game"), Broken()) is None
    assert "no room" in caplog.text
