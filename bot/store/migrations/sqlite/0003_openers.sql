-- Adds who opened a table. A live table counts towards the limit of that person, whoever hosts it by then. 0 means that
-- the person is no longer known. For tables that exist already, the host is taken for the opener.

ALTER TABLE tables ADD COLUMN opener_id INTEGER NOT NULL DEFAULT 0;

UPDATE tables SET opener_id = coalesce(json_extract(body, '$.host'), 0)
    WHERE status IN ('lobby', 'playing', 'paused') AND json_valid(body);

-- These make it quick to count live tables, however many ended ones there are.
CREATE INDEX live_tables_of_opener ON tables (opener_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');
CREATE INDEX live_tables_of_guild ON tables (guild_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');
