-- How each process reaches Discord: it is connected, has no connection yet or just now, or is cut off from Discord for a
-- while although others are not.
ALTER TABLE digsite.processes ADD COLUMN reach text NOT NULL DEFAULT 'connecting'
    CHECK (reach IN ('connected', 'connecting', 'cut off'));
