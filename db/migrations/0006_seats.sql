-- Seats that change hands while the game runs.

ALTER TABLE members ADD COLUMN kept_for INTEGER;

CREATE TABLE invitations (
    game_id    INTEGER NOT NULL REFERENCES games,
    seat       INTEGER NOT NULL,
    user_id    INTEGER,  -- NULL: whoever comes first
    by_id      INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT, WITHOUT ROWID;

-- A hand's message is its person's: who takes a seat over gets one of his own.
UPDATE slots SET slot = (
    SELECT slots.slot || '.' || m.user_id FROM members m
    WHERE m.game_id = slots.game_id AND slots.slot = 'hand' || m.seat AND m.user_id IS NOT NULL
) WHERE EXISTS (
    SELECT 1 FROM members m
    WHERE m.game_id = slots.game_id AND slots.slot = 'hand' || m.seat AND m.user_id IS NOT NULL
);
UPDATE outbox SET slot = slot || '.' || user_id WHERE user_id <> 0 AND slot LIKE 'hand%';
