-- Who opened a table: it counts as theirs while it is live, whoever hosts it by then. 0: nobody who is known any more.
-- Tables from before count as their host's.

ALTER TABLE tables ADD COLUMN opener_id INTEGER NOT NULL DEFAULT 0;

UPDATE tables SET opener_id = coalesce(json_extract(body, '$.host'), 0)
    WHERE status IN ('lobby', 'playing', 'paused') AND json_valid(body);

-- To count live tables, however many ended ones there are.
CREATE INDEX live_tables_of_opener ON tables (opener_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');
CREATE INDEX live_tables_of_guild ON tables (guild_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');
