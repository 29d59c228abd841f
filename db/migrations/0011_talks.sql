-- Private threads between seats of a game, as long as they are open.

CREATE TABLE talks (
    thread_id INTEGER PRIMARY KEY,
    game_id   INTEGER NOT NULL REFERENCES games,
    seats     TEXT    NOT NULL,  -- JSON list of seats
    members   TEXT    NOT NULL   -- JSON list of users that are in it
) STRICT;

CREATE INDEX talks_by_game ON talks (game_id);
