"""What can go wrong at a table. Every text is a words key with arguments; no words live here."""

from typing import Any


class TableError(Exception):
    """Base of everything the engine raises on purpose; `key` and `args_` name the words to show."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key if not args else f"{key} {args}")
        self.key, self.args_ = key, args


class Illegal(TableError):
    """The answer, act or undo is not allowed now. Nothing has changed."""


class Broken(TableError):
    """A rule failed on a legal step. The table stands as before it. `report` reproduces the failure (for the operator
    only: it holds hands); `change` is its record, to be stored."""

    def __init__(self, report: bytes, fault: str, change: Any) -> None:
        super().__init__("engine.broken", fault=fault)
        self.report, self.change = report, change


class Damaged(TableError):
    """Stored or exported data do not fit together; `where` says which part."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__("engine.damaged", where=where, why=why)
        self.where, self.why = where, why


class NeedsHistory(TableError):
    """The wanted point lies before the records in memory: load the whole log and try again."""

    def __init__(self) -> None:
        super().__init__("engine.needs_history")
