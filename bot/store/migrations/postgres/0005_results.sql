-- Expands: the results of matches that people have played to the end, a row per seat. They stay when the match itself is
-- deleted.
-- `number` counts the matches of a server. `place` is the rank in the result. A row without `user_id` is that of an agent
-- or of a person about whom nothing is kept. `mu` and `sigma` are the rating before the match, `new_mu` and `new_sigma`
-- the rating after it; all four are NULL in an unrated match. A forgotten person's row keeps them, so that the ratings of
-- the others can be computed again.

CREATE TABLE digsite.results (
    guild_id bigint NOT NULL,
    number bigint NOT NULL,
    seat bigint NOT NULL,
    table_id bigint NOT NULL,
    game text NOT NULL,
    season bigint NOT NULL,
    ended_at double precision NOT NULL,
    moves bigint NOT NULL,
    user_id bigint,
    place bigint NOT NULL,
    score bigint NOT NULL,
    mu double precision,
    sigma double precision,
    new_mu double precision,
    new_sigma double precision,
    PRIMARY KEY (guild_id, number, seat)
);
CREATE INDEX results_of_table ON digsite.results (table_id);
CREATE INDEX results_of_user ON digsite.results (user_id, guild_id, game, season, number) WHERE user_id IS NOT NULL;
CREATE INDEX results_of_season ON digsite.results (guild_id, game, season, number);

-- The seasons of a server after the first one.
CREATE TABLE digsite.seasons (
    guild_id bigint NOT NULL,
    number bigint NOT NULL,
    began_at double precision NOT NULL,
    PRIMARY KEY (guild_id, number)
);

-- What a server or a person has chosen, where it differs from the default.
CREATE TABLE digsite.choices (
    id bigint NOT NULL,
    name text NOT NULL,
    scope text NOT NULL CHECK (scope IN ('guild', 'person')),
    value text NOT NULL,
    PRIMARY KEY (id, name)
);
