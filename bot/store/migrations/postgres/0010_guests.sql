-- Expands: the people who were asked to join a lobby, by /challenge or Play Again, and have not joined it. `asker_id` is
-- the person who asked, 0 if that person's data was deleted. `notified`: whether Discord notified the guest.
-- `declined_at` is NULL for a guest who has not declined. Rows are deleted after a day.

CREATE TABLE digsite.guests (
    user_id bigint NOT NULL,
    table_id bigint NOT NULL,
    asker_id bigint NOT NULL,
    at double precision NOT NULL,
    notified boolean NOT NULL,
    declined_at double precision,
    PRIMARY KEY (user_id, table_id)
);
CREATE INDEX guests_of_asker ON digsite.guests (asker_id);
CREATE INDEX guests_of_table ON digsite.guests (table_id);
