-- The pace of each game, whom it waits for, and how its clocks stand.

CREATE TABLE timings (
    game_id INTEGER PRIMARY KEY REFERENCES games,
    data    BLOB    NOT NULL
) STRICT;
