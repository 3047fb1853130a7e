"""The store in a PostgreSQL database. Needs asyncpg (the extra `postgres`)."""
