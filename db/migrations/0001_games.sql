-- Games and who sits at their tables.

PRAGMA application_id = 1111966257;  -- 'BGB1': tells our files from any other SQLite database

CREATE TABLE games (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: old buttons carry it
    key             TEXT    NOT NULL,
    guild_id        INTEGER,
    home_channel_id INTEGER NOT NULL,
    channel_id      INTEGER,
    host_id         INTEGER NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('lobby', 'running', 'ended', 'cancelled', 'abandoned')),
    options         BLOB    NOT NULL,
    secret          BLOB    NOT NULL,
    header          BLOB    NOT NULL,
    position        BLOB    NOT NULL,
    created_ms      INTEGER NOT NULL,
    updated_ms      INTEGER NOT NULL,
    result          BLOB    NOT NULL
) STRICT;

CREATE INDEX games_by_status ON games (status);
CREATE INDEX games_by_channel ON games (channel_id);
CREATE UNIQUE INDEX one_open_game_a_channel ON games (channel_id) WHERE status IN ('lobby', 'running');

CREATE TABLE members (
    game_id       INTEGER NOT NULL REFERENCES games,
    seat          INTEGER NOT NULL,
    user_id       INTEGER,
    kind          TEXT    NOT NULL CHECK (kind IN ('human', 'bot')),
    bot           TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    preference    TEXT    NOT NULL,
    salt          TEXT    NOT NULL,
    dm_channel_id INTEGER,
    dm_closed     INTEGER NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX members_by_user ON members (user_id);
