"""Durable state: one `Store` with one set of SQL statements, on SQLite or PostgreSQL."""
