-- The people who were asked to join a lobby, by /challenge or Play Again, and have not joined it. `asker_id` is the person
-- who asked, 0 if that person's data was deleted. `notified`: whether Discord notified the guest. `declined_at` is NULL
-- for a guest who has not declined. Rows are deleted after a day.

CREATE TABLE guests (
    user_id INTEGER NOT NULL,
    table_id INTEGER NOT NULL,
    asker_id INTEGER NOT NULL,
    at REAL NOT NULL,
    notified INTEGER NOT NULL CHECK (notified IN (0, 1)),
    declined_at REAL,
    PRIMARY KEY (user_id, table_id)
) WITHOUT ROWID;
CREATE INDEX guests_of_asker ON guests (asker_id);
CREATE INDEX guests_of_table ON guests (table_id);
