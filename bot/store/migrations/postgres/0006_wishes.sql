-- Expands: the wishes for a match, a row per person on a server who waits for others to play with.
-- `id` is the interaction id of the command with which the person asked. `game` and `seats` are NULL for any. `table_id`
-- is the lobby that was opened for the wish and that is perhaps not posted yet; NULL while the person waits.

CREATE TABLE digsite.wishes (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    id bigint NOT NULL,
    channel_id bigint NOT NULL,
    game text,
    seats bigint,
    mode text NOT NULL CHECK (mode IN ('now', 'mail')),
    since double precision NOT NULL,
    ends double precision NOT NULL,
    table_id bigint,
    PRIMARY KEY (guild_id, user_id)
);
CREATE INDEX wishes_of_user ON digsite.wishes (user_id);
CREATE INDEX wishes_by_end ON digsite.wishes (ends);
CREATE INDEX wishes_of_table ON digsite.wishes (table_id) WHERE table_id IS NOT NULL;

-- How long the first person of each of the last matches waited, in seconds.
CREATE TABLE digsite.waits (
    guild_id bigint NOT NULL,
    mode text NOT NULL CHECK (mode IN ('now', 'mail')),
    number bigint NOT NULL,
    seconds double precision NOT NULL,
    PRIMARY KEY (guild_id, mode, number)
);
