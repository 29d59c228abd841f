-- What must still be sent, and what stands in Discord.

CREATE TABLE outbox (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of sending
    game_id       INTEGER NOT NULL REFERENCES games,
    channel_id    INTEGER NOT NULL,
    user_id       INTEGER NOT NULL,
    slot          TEXT    NOT NULL,
    payload       BLOB    NOT NULL,
    nonce         TEXT    NOT NULL CHECK (length(nonce) BETWEEN 1 AND 25),
    tries         INTEGER NOT NULL,
    first_try_ms  INTEGER,
    not_before_ms INTEGER NOT NULL,
    created_ms    INTEGER NOT NULL,
    "delete"      INTEGER NOT NULL,
    CHECK ((channel_id = 0) <> (user_id = 0))
) STRICT;

CREATE INDEX outbox_by_channel ON outbox (channel_id, user_id, id);
CREATE UNIQUE INDEX outbox_latest_wins ON outbox (game_id, channel_id, user_id, slot) WHERE tries = 0;

CREATE TABLE slots (
    game_id    INTEGER NOT NULL REFERENCES games,
    slot       TEXT    NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    digest     TEXT    NOT NULL,
    PRIMARY KEY (game_id, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX slots_by_message ON slots (message_id);
