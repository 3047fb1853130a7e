-- The daily deals. `day` counts the days since 1970-01-01 UTC. The seed is secret until its day is over.
CREATE TABLE deals (
    day INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    seed TEXT NOT NULL,
    sealed_at REAL NOT NULL
);

-- People's tries at them, one a day. `score` is NULL as long as a match has not been played to its end. A try stays when
-- its match is deleted.
CREATE TABLE attempts (
    user_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    score INTEGER,
    PRIMARY KEY (user_id, day)
) WITHOUT ROWID;
CREATE INDEX attempts_of_guild ON attempts (guild_id, day);
CREATE INDEX attempts_of_table ON attempts (table_id);
