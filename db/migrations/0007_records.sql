-- What results are computed from: who has sat where from which record on, and when each game was played to its end.
-- Triggers keep both true, whatever changes members and statuses.

CREATE TABLE seatings (
    game_id INTEGER NOT NULL REFERENCES games,
    seat    INTEGER NOT NULL,
    seq     INTEGER NOT NULL,  -- the first record at which he sat there
    user_id INTEGER,           -- NULL: a bot player, or a person who wanted to be forgotten
    kind    TEXT    NOT NULL CHECK (kind IN ('human', 'bot')),
    PRIMARY KEY (game_id, seat, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX seatings_by_user ON seatings (user_id);

ALTER TABLE games ADD COLUMN ended_ms INTEGER;

CREATE INDEX games_by_end ON games (ended_ms) WHERE ended_ms IS NOT NULL;

INSERT INTO seatings
SELECT game_id, seat, 0, user_id, kind FROM members JOIN games ON id = game_id WHERE status IN ('running', 'ended');
UPDATE games SET ended_ms = updated_ms WHERE status = 'ended';

CREATE TRIGGER games_begin AFTER UPDATE OF status ON games WHEN NEW.status = 'running' AND OLD.status = 'lobby'
BEGIN INSERT INTO seatings SELECT game_id, seat, 0, user_id, kind FROM members WHERE game_id = NEW.id; END;

CREATE TRIGGER games_end AFTER UPDATE OF status ON games WHEN NEW.status = 'ended' AND OLD.status <> 'ended'
BEGIN UPDATE games SET ended_ms = NEW.updated_ms WHERE id = NEW.id; END;

CREATE TRIGGER games_go_on AFTER UPDATE OF status ON games WHEN NEW.status <> 'ended' AND OLD.status = 'ended'
BEGIN UPDATE games SET ended_ms = NULL WHERE id = NEW.id; END;

CREATE VIEW changed_seatings AS  -- where somebody sits who was not noted yet
SELECT game_id, seat, (SELECT COUNT(*) FROM records WHERE game_id = now.game_id) AS seq, user_id, kind
FROM members AS now JOIN games ON id = game_id
WHERE status = 'running' AND (user_id, kind) IS NOT (
    SELECT user_id, kind FROM seatings WHERE game_id = now.game_id AND seat = now.seat ORDER BY seq DESC LIMIT 1
);

CREATE TRIGGER members_sit_down AFTER INSERT ON members
BEGIN INSERT OR REPLACE INTO seatings SELECT * FROM changed_seatings WHERE game_id = NEW.game_id AND seat = NEW.seat; END;

CREATE TRIGGER members_change AFTER UPDATE OF user_id, kind ON members
BEGIN INSERT OR REPLACE INTO seatings SELECT * FROM changed_seatings WHERE game_id = NEW.game_id AND seat = NEW.seat; END;
