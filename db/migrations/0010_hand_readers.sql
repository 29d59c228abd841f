-- Who was shown hands matters only as long as the game goes on.

DELETE FROM hand_readers WHERE game_id NOT IN (SELECT id FROM games WHERE status = 'running');

CREATE TRIGGER hand_readers_go AFTER UPDATE OF status ON games WHEN NEW.status <> 'running'
BEGIN DELETE FROM hand_readers WHERE game_id = NEW.id; END;
