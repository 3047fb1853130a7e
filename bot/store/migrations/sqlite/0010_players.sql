-- Results name people by a number of the table `players`, so that ids of users stand in a small table alone: after a
-- deletion this table is written anew, and the results stay as they are. `feats` has the seat's feats in the match as JSON,
-- by their names; NULL in older results, and for a seat without a person who played to the end.

CREATE TABLE players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL UNIQUE
);
INSERT INTO players (user_id) SELECT DISTINCT user_id FROM results WHERE user_id IS NOT NULL ORDER BY user_id;

DROP INDEX results_of_table;
DROP INDEX results_of_user;
DROP INDEX results_of_season;
ALTER TABLE results RENAME TO results_before;
CREATE TABLE results (
    guild_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    season INTEGER NOT NULL,
    ended_at REAL NOT NULL,
    moves INTEGER NOT NULL,
    player INTEGER,
    place INTEGER NOT NULL,
    score INTEGER NOT NULL,
    mu REAL,
    sigma REAL,
    new_mu REAL,
    new_sigma REAL,
    feats TEXT,
    PRIMARY KEY (guild_id, number, seat)
) WITHOUT ROWID;
INSERT INTO results
SELECT guild_id, number, seat, table_id, game, season, ended_at, moves, players.id, place, score,
       mu, sigma, new_mu, new_sigma, NULL
FROM results_before LEFT JOIN players ON players.user_id = results_before.user_id
ORDER BY guild_id, number, seat;
DROP TABLE results_before;
CREATE INDEX results_of_table ON results (table_id);
-- All that the list across servers and a leaderboard need, so that they read no other pages.
CREATE INDEX results_of_player ON results (player, guild_id, game, season, number, place, new_mu, new_sigma)
    WHERE player IS NOT NULL;
CREATE INDEX results_of_season ON results (guild_id, game, season, player, number, seat, place, new_mu, new_sigma)
    WHERE new_mu IS NOT NULL;
