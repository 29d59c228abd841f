"""What the owner of the bot can set: config.toml, read into types. `config.example.toml` describes every key."""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import FieldInfo, fields, replace

from cogs.logs import redact

DEFAULT: Final = "config.toml"
CONFIG_VARIABLE: Final = "BOT_CONFIG"
TOKEN_VARIABLE: Final = "DISCORD_TOKEN"
TOKEN_FILE_VARIABLE: Final = "DISCORD_TOKEN_FILE"

# Whatever else a token may be, this keeps it harmless in a header and findable in a log.
_TOKEN = re.compile(r"[A-Za-z0-9_.=+/-]+")


class ConfigError(Exception):
    """The configuration cannot be used; each problem is one line and never shows a secret."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = [redact(problem) for problem in problems]
        super().__init__("\n".join(self.problems))


class Secret:
    """A value that shows itself only to who asks for it. `source` says where it was set."""

    __slots__ = ("_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self.source = source

    def reveal(self) -> str:
        """The value itself."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret(from {self.source})"

    def __reduce__(self) -> str:
        raise TypeError("a secret is not to be copied out of the process")


class Discord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the bot reaches Discord."""

    token: Secret | None = None
    token_file: Path | None = None
    owners: tuple[int, ...] = ()
    offline_minutes: Annotated[float, Meta(ge=0.02, le=1440)] = 10.0


class Database(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the games are kept, and their backups."""

    path: Path = Path("data/games.sqlite3")
    backup_folder: Path = Path("data/backups")
    backup_hours: Annotated[float, Meta(ge=0, le=8760)] = 6.0
    backup_keep: Annotated[int, Meta(ge=1, le=10_000)] = 28


Seconds = Annotated[float, Meta(ge=0, le=3600)]


class Play(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pace of the games."""

    bot_pause_seconds: Seconds = 1.5
    window_seconds: tuple[Seconds, Seconds] = (3.0, 8.0)
    automatic_per_minute: Annotated[int, Meta(ge=1)] = 3000
    edit_seconds: Seconds = 1.0
    max_games_per_host: Annotated[int, Meta(ge=1)] = 5

    def __post_init__(self) -> None:
        if self.window_seconds[0] > self.window_seconds[1]:
            raise ValueError("window_seconds is [shortest, longest], so the first may not be the larger")


class Time(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Deadlines, and what happens when nobody does anything."""

    recent_seconds: Seconds = 20.0
    watch_minutes: Annotated[float, Meta(ge=1, le=1440)] = 10.0
    outage_minutes: Annotated[float, Meta(ge=0, le=10_080)] = 30.0
    pause_days: Annotated[float, Meta(ge=1, le=365)] = 30.0
    vacation_days: Annotated[float, Meta(ge=0, le=365)] = 28.0
    lobby_days: Annotated[float, Meta(ge=1, le=365)] = 7.0
    idle_weeks: Annotated[float, Meta(ge=1, le=52)] = 4.0
    answer_days: Annotated[float, Meta(ge=1, le=90)] = 3.0


class Render(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How pictures are drawn."""

    threads: Annotated[int, Meta(ge=1, le=16)] = 1
    timeout_seconds: Annotated[float, Meta(ge=0.1, le=120)] = 10.0


class Log(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is logged, and in which form."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["text", "json"] = "text"


class Metrics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures for Prometheus, on this machine only."""

    port: Annotated[int, Meta(ge=0, le=65535)] = 0


class Sandbox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Discord on this machine, for when there is no token."""

    port: Annotated[int, Meta(ge=1, le=65535)] = 8420
    people: Annotated[int, Meta(ge=1, le=100)] = 6
    speed: Annotated[float, Meta(ge=0.1, le=10_000)] = 1.0


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything, with its defaults filled in and its paths made absolute."""

    discord: Discord = Discord()
    database: Database = Database()
    play: Play = Play()
    time: Time = Time()
    render: Render = Render()
    log: Log = Log()
    metrics: Metrics = Metrics()
    sandbox: Sandbox = Sandbox()

    @property
    def health(self) -> Path:
        """The file that the bot touches as long as it is connected."""
        return self.database.path.parent / "health"


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Config:
    """Read the configuration; a `path` (or BOT_CONFIG) must exist, the config.toml of this folder may be missing.

    Relative paths in it are relative to the folder it lies in. Raises `ConfigError`.
    """
    named = path or (Path(environ[CONFIG_VARIABLE]) if environ.get(CONFIG_VARIABLE) else None)
    file = named or Path(DEFAULT)
    raw = _read(file, required=named is not None)
    problems = [f"{file}: {problem}" for problem in _unknown(raw)]
    sections: dict[str, Any] = {}
    for field in fields(Config):
        if field.name in raw:
            try:
                sections[field.name] = msgspec.convert(_known(raw[field.name], field.type), field.type, dec_hook=_hook)
            except msgspec.ValidationError as error:
                problems.append(f"{file}: {_where(field, str(error))}")
    if problems:
        raise ConfigError(problems)
    config = _absolute(_without_pauses(Config(**sections)), file.absolute().parent)
    return replace(config, discord=_with_token(config.discord, file, environ))


def _read(file: Path, *, required: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if required:
            raise ConfigError([f"{file}: there is no such file; config.example.toml is one to start from"]) from None
        return {}
    except OSError as error:
        raise ConfigError([f"{file}: it cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError:
        raise ConfigError([f"{file}: it is not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"{file}: it is not TOML: {error}"]) from None


def _sections() -> dict[str, set[str]]:
    return {section.name: {field.name for field in fields(section.type)} for section in fields(Config)}


def _unknown(raw: dict[str, Any]) -> Iterator[str]:
    """A line for each key that means nothing, with the known one that it resembles most."""
    known = _sections()
    dotted = [f"{section}.{key}" for section, keys in known.items() for key in sorted(keys)]
    for section, value in raw.items():
        if section not in known:
            homes = [name for name in dotted if name.endswith(f".{section}")]
            yield f"unknown key {section}{_hint(homes or _nearest(section, [*known, *dotted]))}"
        elif isinstance(value, dict):
            for key in value:
                if key not in known[section]:
                    homes = [name for name in dotted if name.endswith(f".{key}")]
                    near = [f"{section}.{name}" for name in _nearest(key, sorted(known[section]))]
                    yield f"unknown key {section}.{key}{_hint(near or homes or _nearest(f'{section}.{key}', dotted))}"


def _nearest(word: str, known: list[str]) -> list[str]:
    return difflib.get_close_matches(word, known, n=1, cutoff=0.6)


def _hint(names: list[str]) -> str:
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _known(table: Any, section: type) -> Any:
    """The table without the keys that were complained about already."""
    if not isinstance(table, dict):
        return table
    names = {field.name for field in fields(section)}
    return {key: value for key, value in table.items() if key in names}


def _hook(kind: Any, value: Any) -> Any:
    if kind is Path or Path in get_args(kind):
        if not isinstance(value, str):
            raise ValueError("Expected a path as `str`")
        if not value.strip() or "\0" in value:
            raise ValueError("Expected a path that a file can have")
        return Path(value).expanduser()
    if not isinstance(value, str):
        raise ValueError("Expected `str`")
    return Secret(value, "[discord] token")


def _where(section: FieldInfo, message: str) -> str:
    """msgspec's message, with the key in front as the file's reader knows it."""
    problem, _, path = message.partition(" - at `$")
    path = path.removesuffix("`")
    problem = problem.replace("`", "").replace("object", "a table")
    if problem.startswith("Invalid enum value"):
        kind = next(field.type for field in fields(section.type) if path == f".{field.name}")
        problem += f", possible are {', '.join(get_args(kind))}"
    return f"{section.name}{path}: {problem}"


def _without_pauses(config: Config) -> Config:
    """No pauses at all when bot players make none: that is for tests, where nobody watches the clock."""
    if config.play.bot_pause_seconds:
        return config
    return replace(config, play=replace(config.play, window_seconds=(0.0, 0.0)))


def _absolute(config: Config, folder: Path) -> Config:
    """Relative paths mean the folder that the file lies in, wherever the bot is started."""
    discord, database = config.discord, config.database
    return replace(
        config,
        discord=replace(discord, token_file=discord.token_file and folder / discord.token_file),
        database=replace(database, path=folder / database.path, backup_folder=folder / database.backup_folder),
    )


def _with_token(discord: Discord, file: Path, environ: Mapping[str, str]) -> Discord:
    """The section with the token that counts: the environment's, else the file's."""
    if value := environ.get(TOKEN_VARIABLE, "").strip():
        return replace(discord, token=_token(value, f"the environment variable {TOKEN_VARIABLE}"))
    if name := environ.get(TOKEN_FILE_VARIABLE, "").strip():
        return replace(discord, token=_token_of(Path(name)))
    if discord.token is not None and discord.token_file is not None:
        raise ConfigError([f"{file}: set discord.token or discord.token_file, not both"])
    if discord.token_file is not None:
        return replace(discord, token=_token_of(discord.token_file))
    if discord.token is not None and (value := discord.token.reveal().strip()):
        return replace(discord, token=_token(value, f"discord.token in {file}"))
    return replace(discord, token=None)


def _token_of(file: Path) -> Secret | None:
    try:
        value = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError([f"{file}: the token cannot be read: {reason}"]) from None
    if not value:
        raise ConfigError([f"{file}: the token file is empty"])
    return _token(value, str(file))


def _token(value: str, source: str) -> Secret:
    value = value.removeprefix("Bot ").strip()
    if not _TOKEN.fullmatch(value):
        raise ConfigError([f"{source}: this is no bot token: it has spaces or signs that no token has"])
    return Secret(value, source)
