-- Expands: `weight` is the part of the change of a seat's rating that counted; NULL in unrated and in older results.

ALTER TABLE digsite.results ADD COLUMN weight double precision;
