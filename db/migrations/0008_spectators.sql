-- Those who watch: who wants to hear of what, how far each person has looked, and hands that are shown late.

CREATE TABLE followers (
    game_id  INTEGER NOT NULL REFERENCES games,
    user_id  INTEGER NOT NULL,
    moments  TEXT    NOT NULL,  -- of what, joined by commas
    place    TEXT    NOT NULL CHECK (place IN ('dm', 'channel')),
    told_seq INTEGER NOT NULL,  -- what happened before this record is told, or older than the wish
    told_ms  INTEGER NOT NULL,
    PRIMARY KEY (game_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE looks (
    game_id INTEGER NOT NULL REFERENCES games,
    user_id INTEGER NOT NULL,
    seq     INTEGER NOT NULL,  -- how many records the log held then
    PRIMARY KEY (game_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
    game_id INTEGER NOT NULL REFERENCES games,
    first   INTEGER NOT NULL,  -- the first record that the turn's message tells
    number  INTEGER NOT NULL,
    PRIMARY KEY (game_id, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE open_hands (
    game_id INTEGER PRIMARY KEY REFERENCES games,
    behind  INTEGER  -- so many turns; NULL: when the game is over
) STRICT;

-- Who has seen hands of a running game may not sit down in it.
CREATE TABLE hand_readers (
    game_id INTEGER NOT NULL REFERENCES games,
    user_id INTEGER NOT NULL,
    PRIMARY KEY (game_id, user_id)
) STRICT, WITHOUT ROWID;
