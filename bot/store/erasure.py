"""Removes deleted data from every byte of the store's files, and keeps the requests for it until they are done.

Deleting a row is not enough. What was written before remains in the write-ahead log until that is emptied. And although
SQLite is told to overwrite what is deleted (`secure_delete`), it leaves copies of rows in the unused middle of pages
when it moves rows from page to page. Data about people is therefore kept in places from which it can be wiped:

- The body of a table, which holds names and ids, begins after that part of its row that shares a page with other rows
  (`PADDING`). It lies on pages of its own, which SQLite wipes when it frees them.
- The list of who sat where (`sat`) is small. After a deletion, what is left of it is written to new pages, and the old
  pages are wiped.
- Everything else (moves, log lines) holds neither names nor ids of people. What remains of it after a deletion goes
  when the file is compacted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

from bot.store.base import Erasure
from bot.store.faults import write_failed

PADDING: Final = "zeroblob(max(0, 4061 - length(CAST(coalesce(?1, '') AS BLOB))))"
"""SQL for the filling between a row's snapshot (parameter 1) and its body.

A page of 4096 bytes holds at most 4061 bytes of a row (fileformat2.html, "B-tree Cell Format"). With the filling, the
body comes after these and so lies on pages of its own.
"""
COMPACTED_AT_MOST: Final = 64 * 1024 * 1024
"""Files up to this size in bytes are compacted, which holds up writes for half a second. Larger ones take too long."""

Write = Callable[[sqlite3.Connection], None]


# -- requests


def asking(user_id: int, at: float) -> Callable[[sqlite3.Connection], int]:
    """Writes down the request to forget this person; returns its number."""

    def act(connection: sqlite3.Connection) -> int:
        query = "INSERT INTO erasures (user_id, asked_at) VALUES (?, ?)"
        number = connection.execute(query, (user_id, at)).lastrowid
        assert number is not None
        return number

    return act


def note_deleted(connection: sqlite3.Connection, at: float) -> None:
    """Writes down the request to wipe the traces of what this transaction deletes."""
    connection.execute("INSERT INTO erasures (user_id, asked_at) VALUES (NULL, ?)", (at,))


def unnaming(numbers: Sequence[int]) -> Write:
    """Removes the person from requests once they are forgotten and only traces remain to be wiped."""

    def act(connection: sqlite3.Connection) -> None:
        query = "UPDATE erasures SET user_id = NULL WHERE id = ?"
        connection.executemany(query, [(number,) for number in numbers])

    return act


def finishing(numbers: Sequence[int]) -> Write:
    def act(connection: sqlite3.Connection) -> None:
        connection.executemany("DELETE FROM erasures WHERE id = ?", [(number,) for number in numbers])

    return act


def pending(connection: sqlite3.Connection) -> list[Erasure]:
    query = "SELECT id, user_id, asked_at FROM erasures ORDER BY id"
    return [Erasure(*row) for row in connection.execute(query).fetchall()]


# -- wiping, each on the writer's thread


def renew_sat(connection: sqlite3.Connection) -> None:
    """Writes the list of who sat where, and the index of who opened what, to new pages.

    SQLite wipes the old pages with all that was left on them. To be called in a transaction. For 30,000 tables, which
    have 90,000 rows, it takes about 0.1 s.
    """
    layout = "SELECT sql FROM sqlite_master WHERE tbl_name = 'sat' AND sql IS NOT NULL ORDER BY type DESC"
    [(table,), *indexes] = connection.execute(layout).fetchall()
    connection.execute("CREATE TEMP TABLE kept AS SELECT table_id, user_id, seat FROM sat ORDER BY 1, 2")
    connection.execute("DROP TABLE main.sat")
    connection.execute(table)
    connection.execute(
        "INSERT INTO sat (table_id, user_id, seat) SELECT table_id, user_id, seat FROM temp.kept"
    )
    for (index,) in indexes:
        connection.execute(index)
    connection.execute("DROP TABLE temp.kept")
    connection.execute("REINDEX live_tables_of_opener")
    _renew_text_only(connection)


def _renew_text_only(connection: sqlite3.Connection) -> None:
    """Writes the list of who chose text only to new pages, as `renew_sat` does with who sat where."""
    [(layout,)] = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'text_only'").fetchall()
    connection.execute("CREATE TEMP TABLE kept AS SELECT id, scope FROM text_only ORDER BY id")
    connection.execute("DROP TABLE main.text_only")
    connection.execute(layout)
    connection.execute("INSERT INTO text_only (id, scope) SELECT id, scope FROM temp.kept")
    connection.execute("DROP TABLE temp.kept")


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
