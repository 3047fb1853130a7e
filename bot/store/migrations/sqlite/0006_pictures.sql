-- Who has chosen text only, without pictures: servers, and people for their own screens. The ids of both are Discord's,
-- so none occurs twice.

CREATE TABLE text_only (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL CHECK (scope IN ('guild', 'person'))
);

-- The application's own emoji, as they were last uploaded: the name, a digest of the picture, and Discord's id.

CREATE TABLE emoji (
    name TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    id INTEGER NOT NULL
);
