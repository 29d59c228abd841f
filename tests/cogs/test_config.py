"""The configuration: defaults, what it refuses and how it says so, and that the token stays hidden."""

import pickle
import re
import tomllib
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import fields

from cogs.config import Config, ConfigError, Secret, load

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789AB"


def write(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def problems(folder: Path, text: str, environ: dict[str, str] | None = None) -> list[str]:
    """What is wrong with that file, without its name."""
    file = write(folder, text)
    with pytest.raises(ConfigError) as caught:
        load(file, environ or {})
    return [problem.removeprefix(f"{file}: ") for problem in caught.value.problems]


def test_without_a_file_everything_has_its_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = load(environ={})
    assert config.discord.token is None
    assert config.database.path == tmp_path / "data/games.sqlite3"
    assert config.health == tmp_path / "data/health"
    assert config.play.bot_pause_seconds == 1.5
    assert config.play.window_seconds == (3.0, 8.0)
    assert (config.sandbox.port, config.log.format, config.play.max_games_per_host) == (8420, "text", 5)


def test_the_example_shows_every_key_with_its_default(tmp_path, monkeypatch):
    text = (ROOT / "config.example.toml").read_text(encoding="utf-8")
    shown = re.sub(r"(?m)^#(token_file|token) = ", r"\1 = ", text)
    documented = {section: set(keys) for section, keys in tomllib.loads(shown).items()}
    assert documented == {section.name: {f.name for f in fields(section.type)} for section in fields(Config)}
    monkeypatch.chdir(tmp_path)
    defaults = load(environ={})
    assert load(write(tmp_path, text), {}) == defaults


def test_the_config_file_of_the_folder_is_read_and_may_be_named_otherwise(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "[sandbox]\nport = 1001")
    assert load(environ={}).sandbox.port == 1001
    other = tmp_path / "other.toml"
    other.write_text("[sandbox]\nport = 1002")
    assert load(environ={"BOT_CONFIG": str(other)}).sandbox.port == 1002
    assert load(tmp_path / "config.toml", {"BOT_CONFIG": str(other)}).sandbox.port == 1001


def test_relative_paths_mean_the_folder_of_the_file(tmp_path):
    inner = tmp_path / "etc"
    inner.mkdir()
    (inner / "token.txt").write_text(f"{TOKEN}\n")
    text = '[database]\npath = "games.db"\nbackup_folder = "/elsewhere"\n[discord]\ntoken_file = "token.txt"'
    config = load(write(inner, text), {})
    assert config.database.path == inner / "games.db"
    assert config.database.backup_folder == Path("/elsewhere")
    assert config.discord.token.reveal() == TOKEN


def test_no_pause_of_bot_players_means_no_pause_at_all(tmp_path):
    config = load(write(tmp_path, "[play]\nbot_pause_seconds = 0\nwindow_seconds = [3, 4]"), {})
    assert config.play.window_seconds == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[play]\nedit_secnds = 1", "unknown key play.edit_secnds; did you mean play.edit_seconds?"),
        ("[sandbx]\nport = 1", "unknown key sandbx; did you mean sandbox?"),
        ("port = 1", "unknown key port; did you mean metrics.port or sandbox.port?"),
        ("[database]\nport = 1", "unknown key database.port; did you mean metrics.port or sandbox.port?"),
        ("[play]\nqwertzuiop = 1", "unknown key play.qwertzuiop"),
        ('[sandbox]\nport = "8420"', "sandbox.port: Expected int, got str"),
        ("[sandbox]\nport = 0", "sandbox.port: Expected int >= 1"),
        ("[sandbox]\nport = 70000", "sandbox.port: Expected int <= 65535"),
        ("[play]\nedit_seconds = nan", "play.edit_seconds: Expected float >= 0.0"),
        ("[play]\nedit_seconds = -1", "play.edit_seconds: Expected float >= 0.0"),
        ("[play]\nmax_games_per_host = 1.5", "play.max_games_per_host: Expected int, got float"),
        ("[play]\nwindow_seconds = 3", "play.window_seconds: Expected array, got int"),
        ("[play]\nwindow_seconds = [1]", "play.window_seconds: Expected array of length 2, got 1"),
        ('[play]\nwindow_seconds = [1, "x"]', "play.window_seconds[1]: Expected float, got str"),
        (
            "[play]\nwindow_seconds = [5, 1]",
            "play: window_seconds is [shortest, longest], so the first may not be the larger",
        ),
        ("sandbox = 3", "sandbox: Expected a table, got int"),
        (
            '[log]\nlevel = "loud"',
            "log.level: Invalid enum value 'loud', possible are debug, info, warning, error",
        ),
        ("[database]\npath = 3", "database.path: Expected a path as str"),
        ('[database]\npath = " "', "database.path: Expected a path that a file can have"),
        ("[discord]\ntoken = 5", "discord.token: Expected str"),
        ("[discord", "it is not TOML: Expected ']' at the end of a table declaration (at end of document)"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    assert problems(tmp_path, text) == [said]


def test_several_problems_are_named_at_once(tmp_path):
    text = "[play]\npause = 1\nedit_seconds = -1\n[render]\nthreads = 0\n[foo]"
    assert len(problems(tmp_path, text)) == 4


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nothing\.toml: there is no such file"):
        load(tmp_path / "nothing.toml", {})
    with pytest.raises(ConfigError, match=r"nothing\.toml: there is no such file"):
        load(environ={"BOT_CONFIG": str(tmp_path / "nothing.toml")})
    with pytest.raises(ConfigError, match="it cannot be read: Is a directory"):
        load(tmp_path, {})
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="it is not UTF-8 text"):
        load(tmp_path / "config.toml", {})


def test_the_environment_wins_over_the_file(tmp_path):
    (tmp_path / "a").write_text("token.of.file\n")
    (tmp_path / "b").write_text("token.of.variable\n")
    file = write(tmp_path, '[discord]\ntoken_file = "a"')
    assert load(file, {}).discord.token.reveal() == "token.of.file"
    named = {"DISCORD_TOKEN_FILE": str(tmp_path / "b")}
    assert load(file, named).discord.token.reveal() == "token.of.variable"
    found = load(file, named | {"DISCORD_TOKEN": "Bot direct.token"}).discord.token
    assert found.reveal() == "direct.token"
    assert found.source == "the environment variable DISCORD_TOKEN"
    assert load(file, {"DISCORD_TOKEN": " "}).discord.token.reveal() == "token.of.file"


def test_a_token_in_the_file_counts_and_an_empty_one_is_none(tmp_path):
    assert load(write(tmp_path, f'[discord]\ntoken = "{TOKEN}"'), {}).discord.token.reveal() == TOKEN
    assert load(write(tmp_path, '[discord]\ntoken = ""'), {}).discord.token is None


@pytest.mark.parametrize(
    ("text", "environ", "said"),
    [
        ('[discord]\ntoken = "a"\ntoken_file = "b"', {}, "set discord.token or discord.token_file, not both"),
        ('[discord]\ntoken_file = "b"', {}, "the token cannot be read: No such file or directory"),
        ('[discord]\ntoken_file = "empty"', {}, "the token file is empty"),
        ('[discord]\ntoken = "two words"', {}, "no bot token"),
        ("", {"DISCORD_TOKEN": "tök\nen"}, "the environment variable DISCORD_TOKEN: this is no bot token"),
    ],
)
def test_a_token_that_cannot_be_had_is_an_error_and_never_the_sandbox(tmp_path, text, environ, said):
    (tmp_path / "empty").write_text(" \n")
    (found,) = problems(tmp_path, text, environ)
    assert said in found


def test_the_token_shows_nowhere(tmp_path):
    config = load(write(tmp_path, f'[discord]\ntoken = "{TOKEN}"'), {})
    assert TOKEN not in repr(config) + str(config) + repr(vars(Secret))
    with pytest.raises(TypeError):
        msgspec.json.encode(config)
    with pytest.raises(TypeError):
        pickle.dumps(config)
    for text in (f"[discord]\n{TOKEN} = 1", f'[discord]\n"{TOKEN}" = 1', f'"{TOKEN}" = 1', f"x = {TOKEN}"):
        (found,) = problems(tmp_path, text)
        assert TOKEN not in found
    (found,) = problems(tmp_path, f'[discord]\ntoken = "{TOKEN} x"')
    assert TOKEN not in found
