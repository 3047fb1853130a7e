"""How what was deleted goes from every byte of the store's files, and the requests that outlive a kill.

Deleting a row is not enough. What was written before stands in the write-ahead log until that is emptied. And SQLite,
though told to overwrite what is deleted (`secure_delete`), leaves copies of rows behind in the unused middle of pages
when it moves rows from page to page. What must go has therefore places of its own:

- the body of a table, in which names and ids stand, begins behind the part of a row that shares its page with other
  rows (`PADDING`); pages of its own are wiped when they are freed;
- who sat where (`sat`) is small: after a deletion the rest of it is written anew on new pages, and the old ones are
  wiped;
- all else (moves, log lines) holds neither names nor ids of people. Remains of it go when the file is compacted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Final

from bot.store.base import Erasure
from bot.store.faults import write_failed

PADDING: Final = "zeroblob(max(0, 4061 - length(CAST(coalesce(?1, '') AS BLOB))))"
"""SQL for what stands between a row's snapshot (parameter 1) and its body.

A page of 4096 bytes holds at most 4061 of a row (fileformat2.html, "B-tree Cell Format"); the rest overflows.
"""
COMPACTED_AT_MOST: Final = 64 * 1024 * 1024
"""Bytes of a file that is compacted after a purge: writes wait for half a second. A larger one would hold them up."""

Write = Callable[[sqlite3.Connection], None]


# -- requests


def asking(user_id: int, at: float) -> Callable[[sqlite3.Connection], int]:
    """Keeps that this person is to be forgotten; returns the request's number."""

    def act(connection: sqlite3.Connection) -> int:
        query = "INSERT INTO erasures (user_id, asked_at) VALUES (?, ?)"
        number = connection.execute(query, (user_id, at)).lastrowid
        assert number is not None
        return number

    return act


def note_deleted(connection: sqlite3.Connection, at: float) -> None:
    """Keeps that something was deleted in this transaction, whose traces are to be wiped."""
    connection.execute("INSERT INTO erasures (user_id, asked_at) VALUES (NULL, ?)", (at,))


def unnaming(numbers: Sequence[int]) -> Write:
    """Takes the person out of requests: they are forgotten, and the traces are to be wiped."""

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
    """Writes who sat where, and who opened what, anew; the pages on which it stood are wiped with all that was left on
    them.

    In a transaction. 90,000 rows, those of 30,000 tables, take some 0.1 s.
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


def empty_the_log(connection: sqlite3.Connection) -> bool:
    """Brings the write-ahead log into the file and cuts it to nothing; False while somebody else reads from it.

    Outside of a transaction, and without waiting: others' writes come next.
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
    """Writes the whole file anew, without what was deleted, unless it is large. Outside of a transaction."""
    [(pages,)] = connection.execute("PRAGMA page_count").fetchall()
    [(size,)] = connection.execute("PRAGMA page_size").fetchall()
    if pages * size > COMPACTED_AT_MOST:
        return
    try:
        connection.execute("VACUUM")
    except sqlite3.Error as error:
        raise write_failed(error) from error
