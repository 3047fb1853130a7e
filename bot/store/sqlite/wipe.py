"""Removes deleted data from every byte of the store's files.

Deleting a row is not enough. What was written before remains in the write-ahead log until that is emptied. And although
SQLite is told to overwrite what is deleted (`secure_delete`), it leaves copies of rows in the unused middle of pages
when it moves rows from page to page. Data about people is therefore kept in places from which it can be wiped:

- The body of a table, which holds names and ids, begins after that part of its row that shares a page with other rows
  (the column `padding`). It lies on pages of its own, which SQLite wipes when it frees them.
- The lists of who sat where (`sat`), of who chose text only and of the last presses are small. After a deletion, what
  is left of them is written to new pages, and the old pages are wiped.
- Everything else (moves, log lines) holds neither names nor ids of people. What remains of it after a deletion goes
  when the file is compacted.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from bot.store.engine import Tx
from bot.store.sqlite.faults import write_failed

COMPACTED_AT_MOST: Final = 64 * 1024 * 1024
"""Files up to this size in bytes are compacted, which holds up writes for half a second. Larger ones take too long."""
_RENEWED: Final = ("sat", "text_only", "presses")


async def renew(tx: Tx) -> None:
    """Writes small lists to new pages: who sat where, who chose text only, presses; and the index of who opened what.

    SQLite wipes the old pages with all that was left on them. For 30,000 tables, where 90,000 people have sat, it takes
    about 0.1 s.
    """
    for name in _RENEWED:
        layout = "SELECT sql FROM sqlite_master WHERE tbl_name = $1 AND sql IS NOT NULL ORDER BY type DESC"
        [(table,), *indexes] = await tx.fetch(layout, name)
        await tx.execute(f"CREATE TEMP TABLE kept AS SELECT * FROM {name} ORDER BY 1, 2")
        await tx.execute(f"DROP TABLE main.{name}")
        await tx.execute(table)
        await tx.execute(f"INSERT INTO {name} SELECT * FROM temp.kept")
        for (index,) in indexes:
            await tx.execute(index)
        await tx.execute("DROP TABLE temp.kept")
    await tx.execute("REINDEX live_tables_of_opener")


def empty_the_log(connection: sqlite3.Connection) -> bool:
    """Writes the write-ahead log into the file and cuts it to nothing. False if somebody else is reading from the log.

    To be called outside of a transaction. It does not wait for readers, because writes are waiting behind it.
    """
    [(patience,)] = connection.execute("PRAGMA busy_timeout").fetchall()
    connection.execute("PRAGMA busy_timeout = 0").fetchall()
    try:
        [(busy, _frames, _moved)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        raise write_failed(error) from error
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}").fetchall()
    return not busy


def compact(connection: sqlite3.Connection) -> None:
    """Writes the whole file anew without what was deleted, unless it is large. Call it outside of a transaction."""
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    if pages * size > COMPACTED_AT_MOST:
        return
    try:
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise write_failed(error) from error
