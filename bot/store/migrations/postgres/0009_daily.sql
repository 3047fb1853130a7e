-- Expands: the daily deals. `day` counts the days since 1970-01-01 UTC. The seed is secret until its day is over.

CREATE TABLE digsite.deals (
    day bigint PRIMARY KEY,
    game text NOT NULL,
    seed text NOT NULL,
    sealed_at double precision NOT NULL
);

-- People's tries at them, one a day. `score` is NULL as long as a match has not been played to its end. A try stays when
-- its match is deleted.
CREATE TABLE digsite.attempts (
    user_id bigint NOT NULL,
    day bigint NOT NULL,
    guild_id bigint NOT NULL,
    table_id bigint NOT NULL,
    score bigint,
    CONSTRAINT one_attempt_a_day PRIMARY KEY (user_id, day)
);
CREATE INDEX attempts_of_guild ON digsite.attempts (guild_id, day);
CREATE INDEX attempts_of_table ON digsite.attempts (table_id);
