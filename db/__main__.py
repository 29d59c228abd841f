"""The database by hand: python -m db backup|restore|check|report FILE..."""

import argparse
import sqlite3
import sys
from pathlib import Path

from db.backup import check, copy, report, restore
from db.errors import StoreError


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 1 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m db", description="Look after the bot's database.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("backup", help="copy the database, even while the bot runs")
    command.add_argument("database", type=Path)
    command.add_argument("copy", type=Path)
    command = commands.add_parser("restore", help="put a copy in the database's place; the bot must be stopped")
    command.add_argument("copy", type=Path)
    command.add_argument("database", type=Path)
    command = commands.add_parser("check", help="look at every page of databases or copies")
    command.add_argument("files", type=Path, nargs="+")
    command = commands.add_parser("report", help="write the report of a failed rule to a file; it holds hands")
    command.add_argument("database", type=Path)
    command.add_argument("id", help="as the player was told it")
    command.add_argument("file", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "backup":
            copy(chosen.database, chosen.copy)
            print(check(chosen.copy))
        elif chosen.command == "restore":
            aside = restore(chosen.copy, chosen.database)
            print(check(chosen.database))
            if aside:
                print(f"what was there before: {aside}")
        elif chosen.command == "report":
            chosen.file.touch(mode=0o600)
            chosen.file.write_bytes(report(chosen.database, chosen.id))
            print(f"{chosen.file}: `python -m rules report {chosen.file}` tries it again")
        else:
            return max([_check(file) for file in chosen.files])
    except (StoreError, OSError, sqlite3.Error) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _check(file: Path) -> int:
    try:
        print(check(file))
    except (StoreError, sqlite3.Error) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
