-- The tables at which games are played, with their moves, logs, jobs and people; and the host's own facts.
-- Times are seconds since 1970 (UTC). When a table is deleted, everything that belongs to it is deleted too.

PRAGMA application_id = 1145653075;  -- "DIGS": tells a Digsite file from any other SQLite file

-- AUTOINCREMENT: no id is ever used again, because buttons of a table that was deleted long ago still carry its id.
-- The long columns come last, so that reading only short ones need not read the pages of the long ones.
CREATE TABLE tables (
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
    body TEXT NOT NULL,
    snapshot TEXT
);
CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel_id)
    WHERE status IN ('lobby', 'playing', 'paused');
CREATE INDEX tables_of_channel ON tables (channel_id);
CREATE INDEX ended_tables ON tables (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE moves (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    move TEXT NOT NULL,
    interaction_id INTEGER,
    at REAL NOT NULL,
    PRIMARY KEY (table_id, sequence)
) WITHOUT ROWID;
-- interaction_id comes first: these ids grow with time, so new entries stand together on the index's last page.
CREATE UNIQUE INDEX one_move_a_press ON moves (interaction_id, table_id)
    WHERE interaction_id IS NOT NULL;

CREATE TABLE log (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    source TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    event TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

CREATE TABLE jobs (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    due REAL NOT NULL,
    payload TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind)
) WITHOUT ROWID;
CREATE INDEX jobs_by_due ON jobs (due, stamp);

CREATE TABLE sat (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id)
) WITHOUT ROWID;
CREATE INDEX tables_of_user ON sat (user_id);

CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
