"""The store in a PostgreSQL database. It needs the package asyncpg (the extra `postgres`)."""
