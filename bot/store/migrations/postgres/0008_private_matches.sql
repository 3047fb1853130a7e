-- Expands: an index that admits more rows.
-- A private match has no channel: its `channel_id` is 0, and one person may have several of them.
DROP INDEX digsite.one_live_table_a_channel;
CREATE UNIQUE INDEX one_live_table_a_channel ON digsite.tables (channel_id)
    WHERE status IN ('lobby', 'playing', 'paused') AND channel_id <> 0;
