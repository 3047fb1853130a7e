"""Durable state: what is kept (`base`), and SQLite behind it."""
