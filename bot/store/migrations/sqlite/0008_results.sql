-- The results of matches that people have played to the end, a row per seat. They stay when the match itself is deleted.
-- `number` counts the matches of a server. `place` is the rank in the result. A row without `user_id` is that of an agent
-- or of a person about whom nothing is kept. `mu` and `sigma` are the rating before the match, `new_mu` and `new_sigma`
-- the rating after it; all four are NULL in an unrated match. A forgotten person's row keeps them, so that the ratings of
-- the others can be computed again.

CREATE TABLE results (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    season INTEGER NOT NULL,
    ended_at REAL NOT NULL,
    moves INTEGER NOT NULL,
    user_id INTEGER,
    place INTEGER NOT NULL,
    score INTEGER NOT NULL,
    mu REAL,
    sigma REAL,
    new_mu REAL,
    new_sigma REAL,
    PRIMARY KEY (guild_id, number, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_table ON results (table_id);
CREATE INDEX results_of_user ON results (user_id, guild_id, game, season, number) WHERE user_id IS NOT NULL;
CREATE INDEX results_of_season ON results (guild_id, game, season, number);

-- The seasons of a server after the first one.
CREATE TABLE seasons (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    began_at REAL NOT NULL,
    PRIMARY KEY (guild_id, number)
) WITHOUT ROWID;

-- What a server or a person has chosen, where it differs from the default.
CREATE TABLE choices (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('guild', 'person')),
    value TEXT NOT NULL,
    PRIMARY KEY (id, name)
) WITHOUT ROWID;
