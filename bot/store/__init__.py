"""Durable state: one store (`store`) with its statements (`sql`), over a file of SQLite's or a PostgreSQL database."""
