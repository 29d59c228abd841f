-- What lies on the table beside the game, and small things that outlive a restart.

CREATE TABLE drafts (
    game_id  INTEGER NOT NULL REFERENCES games,
    seat     INTEGER NOT NULL,
    question INTEGER NOT NULL,
    data     BLOB    NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE undo_requests (
    game_id    INTEGER PRIMARY KEY REFERENCES games,
    seat       INTEGER NOT NULL,
    to_seq     INTEGER NOT NULL,
    head_seq   INTEGER NOT NULL,
    needed     TEXT    NOT NULL,  -- JSON list of seats
    consents   TEXT    NOT NULL,  -- JSON list of seats
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE reports (
    id         TEXT    PRIMARY KEY,
    game_id    INTEGER,
    data       BLOB    NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    user_id INTEGER NOT NULL,
    key     TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
