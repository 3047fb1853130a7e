-- The wishes for a match: a person on a server who waits for others to play with.
-- `id` is the interaction id of the command with which the person asked. `game` and `seats` are NULL for any. `table_id`
-- is the lobby that was opened for the wish and that is perhaps not posted yet; NULL while the person waits.

CREATE TABLE wishes (
    guild_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    game TEXT,
    seats INTEGER,
    mode TEXT NOT NULL CHECK (mode IN ('now', 'mail')),
    since REAL NOT NULL,
    ends REAL NOT NULL,
    table_id INTEGER,
    PRIMARY KEY (guild_id, user_id)
) WITHOUT ROWID;
CREATE INDEX wishes_of_user ON wishes (user_id);
CREATE INDEX wishes_by_end ON wishes (ends);
CREATE INDEX wishes_of_table ON wishes (table_id) WHERE table_id IS NOT NULL;

-- How long the first person of each of the last matches waited, in seconds.
CREATE TABLE waits (
    guild_id INTEGER NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('now', 'mail')),
    number INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (guild_id, mode, number)
) WITHOUT ROWID;
