-- Votes of the table: to pause, to go on without somebody.

CREATE TABLE votes (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: old buttons carry it
    game_id    INTEGER NOT NULL REFERENCES games,
    kind       TEXT    NOT NULL,
    subject    TEXT    NOT NULL,  -- JSON object with sorted keys
    opener     INTEGER,
    voters     TEXT    NOT NULL,  -- JSON list of seats
    ayes       TEXT    NOT NULL,  -- JSON list of seats
    nays       TEXT    NOT NULL,  -- JSON list of seats
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'passed', 'failed', 'closed'))
) STRICT;

CREATE UNIQUE INDEX one_open_vote_a_subject ON votes (game_id, kind, subject) WHERE state = 'open';
CREATE INDEX votes_by_state ON votes (state) WHERE state <> 'closed';
