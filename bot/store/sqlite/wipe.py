"""Removes deleted data from every byte of the store's files.

Deleting a row is not enough: old content stays in the write-ahead log, and in unused parts of pages when SQLite moves
rows from page to page (`secure_delete` does not overwrite those parts). So data about users is stored where it can be
wiped:

- The body of a table, with names and ids, starts after the part of its row that shares a page with other rows (the
  column `padding`). The body has pages of its own, which SQLite wipes when it frees them.
- The lists of users' seats (`sat`), of people in results (`players`), of choices, wishes, guests and press ids are
  small. After a deletion, the remaining rows are written to new pages and the old pages are wiped.
- Moves, log lines and results contain no names or user ids. Their remains disappear when the file is compacted.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.store.engine import Tx
from bot.store.sqlite.errors import write_failed

_RENEWED: Final = ("sat", "text_only", "presses", "players", "choices", "wishes", "guests", "attempts")


async def rewrite_small_tables(tx: Tx) -> None:
    """Writes the small lists and the index of openers to new pages, so that SQLite wipes the old pages.

    Takes about 0.1 s for 30,000 tables with 90,000 seats.
    """
    for name in _RENEWED:
        layout = "SELECT sql FROM sqlite_master WHERE tbl_name = $1 AND sql IS NOT NULL ORDER BY type DESC"
        [(table,), *indexes] = await tx.fetch(layout, name)
        given = await tx.fetch("SELECT seq FROM sqlite_sequence WHERE name = $1", name)
        await tx.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {name} ORDER BY 1, 2")
        await tx.execute(f"DROP TABLE main.{name}")
        await tx.execute(table)
        await tx.execute(f"INSERT INTO {name} SELECT * FROM temp.kept")
        for (index,) in indexes:
            await tx.execute(index)
        await tx.execute("DROP TABLE temp.kept")
        for (last,) in given:  # no number is given out twice, also if the newest row was deleted
            await tx.execute("DELETE FROM sqlite_sequence WHERE name = $1", name)
            await tx.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", name, last)
    await tx.execute("REINDEX live_tables_of_opener")


def truncate_wal(connection: sqlite3.Connection) -> bool:
    """Checkpoints and truncates the write-ahead log. Returns False if another connection is reading the log.

    Call outside a transaction. Does not wait for readers, because writes are pending.
    """
    [(busy_timeout,)] = connection.execute("PRAGMA busy_timeout").fetchall()
    connection.execute("PRAGMA busy_timeout = 0").fetchall()
    try:
        [(busy, _frames, _moved)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise write_failed(error) from error
    finally:
        connection.execute(f"PRAGMA busy_timeout = {busy_timeout}").fetchall()
    return not busy


def compact(connection: sqlite3.Connection, *, at_most: int) -> None:
    """Runs VACUUM unless the file has more than `at_most` bytes. Call outside a transaction."""
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    if pages * size > at_most:
        return
    try:
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise write_failed(error) from error
