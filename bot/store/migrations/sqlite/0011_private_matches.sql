-- A private match has no channel: its `channel_id` is 0, and one person may have several of them.
DROP INDEX one_live_table_a_channel;
CREATE UNIQUE INDEX one_live_table_a_channel ON tables (channel_id)
    WHERE status IN ('lobby', 'playing', 'paused') AND channel_id <> 0;
-- With the channel, so that the tables of a server are counted without reading them.
DROP INDEX live_tables_of_guild;
CREATE INDEX live_tables_of_guild ON tables (guild_id, status, channel_id)
    WHERE status IN ('lobby', 'playing', 'paused');
