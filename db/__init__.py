"""The store of games: SQLite, one process, durable before acknowledged."""

from db.backup import check, copy, restore
from db.crash import crash_point
from db.errors import (
    AlreadyApplied,
    AlreadyRunning,
    Conflict,
    CorruptDatabase,
    DiskFull,
    NewerDatabase,
    NotFound,
    StoreError,
)
from db.games import GameChanges, MemberChanges
from db.rows import (
    Commit,
    Draft,
    Follower,
    Game,
    Invitation,
    Loaded,
    Member,
    NewOutbox,
    OutboxRow,
    Report,
    Slot,
    Status,
    Talk,
    UndoRequest,
    Vote,
)
from db.store import Store

__all__ = [
    "AlreadyApplied",
    "AlreadyRunning",
    "Commit",
    "Conflict",
    "CorruptDatabase",
    "DiskFull",
    "Draft",
    "Follower",
    "Game",
    "GameChanges",
    "Invitation",
    "Loaded",
    "Member",
    "MemberChanges",
    "NewOutbox",
    "NewerDatabase",
    "NotFound",
    "OutboxRow",
    "Report",
    "Slot",
    "Status",
    "Store",
    "StoreError",
    "Talk",
    "UndoRequest",
    "Vote",
    "check",
    "copy",
    "crash_point",
    "restore",
]
