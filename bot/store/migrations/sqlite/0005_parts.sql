-- A press can make several moves: the first at once, and others that are kept until they are due. `part` counts the moves
-- of a press, from 0.

ALTER TABLE moves ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
DROP INDEX one_move_a_press;
CREATE UNIQUE INDEX one_move_a_part ON moves (interaction_id, table_id, part)
    WHERE interaction_id IS NOT NULL;
