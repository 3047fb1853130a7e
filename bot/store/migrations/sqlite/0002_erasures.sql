-- Makes it possible to delete data without a trace in the file: requests to erase, and a new layout of `tables`.

-- A request to erase stays here until no byte of what it asked to delete is left. When user_id is NULL, the data is
-- deleted and only its traces remain to be wiped.
CREATE TABLE erasures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER,
    asked_at REAL NOT NULL
);
-- Older versions left traces of what they deleted, so these are to be wiped.
INSERT INTO erasures (user_id, asked_at) SELECT NULL, 0 WHERE EXISTS (SELECT 1 FROM tables);

-- The same table, but with `body`, which holds people's names and ids, placed after `padding`. SQLite keeps at most the
-- first 4061 bytes of a row on a page that the row shares with others. When it moves rows between such pages, it leaves
-- copies behind that no deletion finds. The rest of a row lies on pages of its own, which SQLite wipes.
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
    snapshot TEXT,
    padding BLOB NOT NULL,
    body TEXT NOT NULL
);
INSERT INTO tables_anew
SELECT id, guild_id, channel_id, game, status, version, sequence, created_at, changed_at, ended_at, snapshot,
       zeroblob(max(0, 4061 - length(CAST(coalesce(snapshot, '') AS BLOB)))), body
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
