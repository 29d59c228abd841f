"""`--check`: each kind of problem is found, named in one line, and makes it fail."""

import base64
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

import bot
import db
from cogs import check, sync
from cogs.config import Config, Database, Discord, Secret
from render.text import FONTS

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
APPLICATION = 123456789012345678
TOKEN = (
    base64.b64encode(str(APPLICATION).encode()).decode().rstrip("=") + ".Gabcde.abcdefghijklmnopqrstuvwxyz0123456789"
)


def command(name: str = "game", **more: Any) -> Json:
    return {"type": 1, "name": name, "description": "Something"} | more


def option(name: str = "what", kind: int = 3, **more: Any) -> Json:
    return {"type": kind, "name": name, "description": "Something"} | more


def choice(name: str, value: Any = "v") -> Json:
    return {"name": name, "value": value}


def many(count: int, make: Any) -> list[Json]:
    return [make(f"n{n}") for n in range(count)]


def problems(*commands: Json) -> list[str]:
    return list(check.tree_problems(commands))


def test_a_tree_at_the_limits_is_fine():
    choices = [choice("c" * 99 + chr(97 + n), "v" * 100) for n in range(25)]
    full = command(
        "a" * 32,
        options=[option(f"group-{n}", 2, options=many(25, lambda name: option(name, 1))) for n in range(5)],
    )
    assert problems(*many(99, command), full) == []
    assert problems(command(options=[option(choices=choices, required=True), option("zwei")])) == []
    assert problems({"type": 2, "name": "Show Hand"}, {"type": 3, "name": "Quote It"}, command("größe_2")) == []


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        (many(101, command), "101 slash commands, at most 100 are possible"),
        ([{"type": 2, "name": f"n{n}"} for n in range(16)], "16 user menu commands, at most 15 are possible"),
        ([{"type": 3, "name": ""}], "menu command '': its name has 0 characters, 1 to 32 are possible"),
        ([command(), command()], "there is more than one command called 'game'"),
        ([command("Game")], "/Game: the name 'Game' must be 1 to 32 small letters, digits, - and _"),
        ([command("two words")], "/two words: the name 'two words' must be 1 to 32 small letters, digits, - and _"),
        ([command("a" * 33)], f"/{'a' * 33}: the name '{'a' * 33}' must be 1 to 32 small letters, digits, - and _"),
        ([command(description="")], "/game: a description has 0 characters, 1 to 100 are possible"),
        ([command(description="d" * 101)], "/game: a description has 101 characters, 1 to 100 are possible"),
        (
            [command(description_localizations={"de": "d" * 101})],
            "/game: a description has 101 characters, 1 to 100 are possible",
        ),
        ([command(options=many(26, option))], "/game: 26 options or subcommands, at most 25 are possible"),
        (
            [command(options=many(26, lambda name: option(name, 1)))],
            "/game: 26 options or subcommands, at most 25 are possible",
        ),
        (
            [command(options=[option("g", 2, options=many(26, lambda name: option(name, 1)))])],
            "/game g: 26 options or subcommands, at most 25 are possible",
        ),
        (
            [command(options=[option("play", 1, options=many(26, option))])],
            "/game play: 26 options or subcommands, at most 25 are possible",
        ),
        ([command(options=[option("g", 2)])], "/game g: a group needs a subcommand"),
        (
            [command(options=[option("a", 1), option("b")])],
            "/game: subcommands and other options cannot be mixed",
        ),
        (
            [command(options=[option("a", 2, options=[option("b", 2, options=[option("c", 1)])])])],
            "/game a b: subcommands are nested too deeply",
        ),
        ([command(options=[option(), option()])], "/game: there is more than one option called 'what'"),
        (
            [command(options=[option("a"), option("b", required=True)])],
            "/game b: it is required, so it must come before a, which is not",
        ),
        (
            [command(options=[option(choices=many(26, choice))])],
            "/game what: 26 choices, at most 25 are possible",
        ),
        (
            [command(options=[option(choices=[choice("a")], autocomplete=True)])],
            "/game what: choices and autocomplete exclude each other",
        ),
        (
            [command(options=[option(choices=[choice("a"), choice("a")])])],
            "/game what: there is more than one choice called 'a'",
        ),
        (
            [command(options=[option(choices=[choice("")])])],
            "/game what: the choice '' has 0 characters, 1 to 100 are possible",
        ),
        (
            [command(options=[option(choices=[choice("a", "v" * 101)])])],
            "/game what: the choice 'a' stands for more than 100 characters",
        ),
    ],
)
def test_each_limit_is_checked(commands, said):
    assert problems(*commands) == [said]


def test_the_characters_of_a_command_are_counted_in_its_longest_language():
    assert check.characters(command("abcd", description="x" * 10)) == 14
    assert check.characters(command("ab", description="x", description_localizations={"de": "x" * 8})) == 10
    assert check.characters(command("ab", description="x", options=[option("c", choices=[choice("dd", "eee")])])) == 18
    long = command(options=[option(f"n{n}", choices=[choice("c" * 80 + str(n), "v" * 90)] * 1) for n in range(25)])
    assert check.characters(long) < check.COMMAND_CHARS
    long = command(
        options=[option(f"n{n}", choices=[choice(f"{m:02}" + "c" * 40, "v" * 60) for m in range(5)]) for n in range(20)]
    )
    assert problems(long) == [f"/game: {check.characters(long)} characters, at most 8000 are possible"]


async def test_a_tree_built_with_discord_py_over_the_limits_fails(tmp_path):
    client = discord.Client(intents=discord.Intents.none())
    tree = app_commands.CommandTree(client)
    for n in range(5):
        group = app_commands.Group(name=f"group{n}", description="g")
        tree.add_command(group)

        async def act(interaction: discord.Interaction, first: str = "", second: str = "") -> None: ...

        for m in range(25):
            group.add_command(app_commands.Command(name=f"act{m}", description="d" * 100 * (n + 1), callback=act))

    async def commands(store: db.Store) -> list[Json]:
        return sync.payload(tree)

    found = await check.check_commands(commands)
    assert not any(finding.ok for finding in found)
    assert {str(finding).split(": ")[0] for finding in found} == {"problem"}
    assert any("/group4 act24: a description has 500 characters" in finding.text for finding in found)
    assert any(re.search(r"/group4: 1\d{4} characters, at most 8000", finding.text) for finding in found)


async def test_commands_that_cannot_be_built_are_a_problem():
    async def commands(store: db.Store) -> list[Json]:
        raise RuntimeError("no such cog")

    (found,) = await check.check_commands(commands)
    assert str(found) == "problem: commands: they cannot be built: RuntimeError: no such cog"


def test_the_database_is_looked_at_but_not_touched(tmp_path):
    path = tmp_path / "games.sqlite3"
    assert [finding.ok for finding in check.check_database(path)] == [True]
    assert not path.exists()
    path.write_bytes(b"this is no database" * 100)
    (found,) = check.check_database(path)
    assert not found.ok
    assert "damaged" in found.text
    assert path.read_bytes() == b"this is no database" * 100


async def test_a_sound_database_is_fine_even_while_it_is_in_use(tmp_path):
    async with await db.Store.open(tmp_path / "games.sqlite3") as store:
        (found,) = check.check_database(store.path)
    assert found.ok
    assert "sound, version" in found.text


async def test_a_newer_database_is_a_problem(tmp_path):
    path = tmp_path / "games.sqlite3"
    await (await db.Store.open(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    (found,) = check.check_database(path)
    assert not found.ok
    assert "version 999" in found.text


def test_a_place_without_room_for_files_is_a_problem(tmp_path):
    (tmp_path / "file").write_text("")
    (found,) = check.check_folder("backups", tmp_path / "file" / "deeper")
    assert str(found).startswith(f"problem: backups: no file can be written in {tmp_path / 'file'}")
    assert list(check.check_folder("backups", tmp_path / "to" / "be" / "made")) == []


def test_a_folder_where_files_can_be_made_but_not_filled(tmp_path):
    """As on a full disk: an empty file costs nothing there."""
    code = (
        "import pathlib, resource, sys; from cogs import check; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        " sys.stdout.write(str(*check.check_folder('database', pathlib.Path(sys.argv[1]))))"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"problem: database: no file can be written in {tmp_path}: ")


def test_a_disk_that_is_nearly_full(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda place: shutil._ntuple_diskusage(10**9, 10**9 - 10, 10))
    (found,) = check.check_folder("database", tmp_path)
    assert str(found) == f"problem: database: only 0 MiB are free in {tmp_path}, at least 64 are needed"
    assert not (tmp_path / "to").exists()


def test_a_missing_font_is_a_problem(tmp_path):
    assert [finding.ok for finding in check.check_fonts(FONTS)] == [True]
    found = list(check.check_fonts(tmp_path))
    assert found
    assert not any(finding.ok for finding in found)


def test_the_token_names_the_application_and_the_invitation_asks_for_the_least():
    token = Secret(TOKEN, "a test")
    assert check.application_id(token) == APPLICATION
    address = check.invitation(token)
    assert address.startswith(f"https://discord.com/oauth2/authorize?client_id={APPLICATION}&scope=bot+applications")
    assert f"permissions={check.permissions().value}" in address
    assert check.permissions() == discord.Permissions(**dict.fromkeys(check.PERMISSIONS, True))
    assert not set(check.PERMISSIONS) & {
        "administrator",
        "manage_messages",
        "manage_threads",
        "mention_everyone",
        "manage_roles",
    }


@pytest.mark.parametrize("token", ["abc", "a.b.c", "bm90YW51bWJlcg.x.y", "....", "ä"])
def test_a_token_that_names_no_application_is_a_problem(token):
    (found,) = check.check_token(Secret(token, "a test"))
    assert not found.ok
    assert token not in found.text or token in "a test"
    with pytest.raises(ValueError, match="doesn't begin with an application's id"):
        check.invitation(Secret(token, "a test"))


async def test_the_real_bot_passes(tmp_path, capsys):
    config = Config(database=Database(path=tmp_path / "games.sqlite3", backup_folder=tmp_path / "backups"))
    assert await bot.check_all(config) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {line.split(":")[0] for line in lines} == {"ok"}
    assert {line.split(":")[1].strip() for line in lines} == {"token", "database", "fonts", "permissions", "commands"}
    assert list(tmp_path.iterdir()) == []


async def test_every_problem_is_a_line_and_makes_it_fail(tmp_path, capsys, monkeypatch):
    path = tmp_path / "games.sqlite3"
    path.write_bytes(b"x" * 4096)
    config = Config(discord=Discord(token=Secret("abc", "a test")), database=Database(path=path))
    monkeypatch.setattr(sync, "payload", lambda tree: [command("Wrong")])
    assert await bot.check_all(config) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("problem: ")]
    assert len(lines) == 3
