-- What happened in each game: the log itself, and what is derived from it.

CREATE TABLE records (
    game_id INTEGER NOT NULL REFERENCES games,
    seq     INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT;

-- INSERT OR REPLACE would slip past the DELETE trigger; it cannot slip past this one.
CREATE TRIGGER records_are_appended BEFORE INSERT ON records
WHEN NEW.seq <> (SELECT COALESCE(MAX(seq) + 1, 0) FROM records WHERE game_id = NEW.game_id)
BEGIN SELECT RAISE(ABORT, 'the log grows at its end only'); END;

CREATE TRIGGER records_never_change BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TRIGGER records_never_go BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TABLE checkpoints (
    game_id INTEGER NOT NULL REFERENCES games,
    seq     INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT;

CREATE TABLE events (
    game_id INTEGER NOT NULL REFERENCES games,
    seq     INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    PRIMARY KEY (game_id, seq, n)
) STRICT, WITHOUT ROWID;

-- Interactions that have had their effect: the primary key is what keeps one from having it twice.
CREATE TABLE interactions (
    id         INTEGER PRIMARY KEY,
    applied_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX interactions_by_time ON interactions (applied_ms);
