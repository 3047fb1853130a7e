-- A press counts once, whatever it changes: the id of its interaction is kept here for an hour. Whether a table sleeps
-- is a column. A job's own id tells one setting of it from the next.

CREATE TABLE presses (
    id INTEGER PRIMARY KEY,
    table_id INTEGER,
    at REAL NOT NULL
);
INSERT INTO presses (id, table_id, at)
SELECT interaction_id, min(table_id), max(at) FROM moves
WHERE interaction_id IS NOT NULL AND at > CAST(strftime('%s', 'now') AS REAL) - 3600
GROUP BY interaction_id;

-- The padding is made by SQLite itself now. What holds names and ids of people, `body` and `opener_id`, comes after it,
-- and so lies on pages of its own (see 0002). A page of 4096 bytes holds at most 4061 bytes of a row (fileformat2.html,
-- "B-tree Cell Format").
CREATE TABLE tables_anew (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    created_at REAL NOT NULL,
    changed_at REAL NOT NULL,
    ended_at REAL,
    asleep BOOLEAN NOT NULL DEFAULT FALSE,
    snapshot TEXT,
    padding BLOB GENERATED ALWAYS AS (zeroblob(max(0, 4061 - length(CAST(coalesce(snapshot, '') AS BLOB))))) STORED,
    body TEXT NOT NULL,
    opener_id INTEGER NOT NULL DEFAULT 0
);
INSERT INTO tables_anew (id, guild_id, channel_id, game, status, version, sequence, created_at, changed_at, ended_at,
                         asleep, snapshot, body, opener_id)
SELECT id, guild_id, channel_id, game, status, version, sequence, created_at, changed_at, ended_at,
       iif(json_valid(body), json_extract(body, '$.asleep'), NULL) IS NOT NULL, snapshot, body, opener_id
FROM tables ORDER BY id;
-- The new table takes over the last id that was ever used.
DELETE FROM sqlite_sequence WHERE name = 'tables_anew';
UPDATE sqlite_sequence SET name = 'tables_anew' WHERE name = 'tables';
DROP TABLE tables;
ALTER TABLE tables_anew RENAME TO tables;
CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel_id)
    WHERE status IN ('lobby', 'playing', 'paused');
CREATE INDEX tables_of_channel ON tables (channel_id);
CREATE INDEX ended_tables ON tables (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX live_tables_of_opener ON tables (opener_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');
CREATE INDEX live_tables_of_guild ON tables (guild_id, status)
    WHERE status IN ('lobby', 'playing', 'paused');

-- AUTOINCREMENT: each setting of a job gets an id that is greater than all before.
CREATE TABLE jobs_anew (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    due REAL NOT NULL,
    payload TEXT NOT NULL,
    UNIQUE (table_id, kind)
);
INSERT INTO jobs_anew (table_id, kind, due, payload)
SELECT table_id, kind, due, payload FROM jobs ORDER BY stamp, table_id, kind;
DROP TABLE jobs;
ALTER TABLE jobs_anew RENAME TO jobs;
CREATE INDEX jobs_by_due ON jobs (due);

DELETE FROM facts WHERE name = 'era';
