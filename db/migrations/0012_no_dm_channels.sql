-- Where a person's direct messages go Discord says each time it is asked.

ALTER TABLE members DROP COLUMN dm_channel_id;
