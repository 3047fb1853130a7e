"""Checks the integrity of a whole file."""

from __future__ import annotations

import sqlite3

from bot.store.sqlite.timing import SQLITE


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """The integrity faults that SQLite reports, by page and row and without content; empty if there are none.

    Reads the whole file: some seconds per gigabyte.
    """
    try:
        rows = connection.execute(f"PRAGMA integrity_check({SQLITE.faults})").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok"]
        for table, row, parent, _number in connection.execute("PRAGMA foreign_key_check").fetchmany(
            SQLITE.faults
        ):
            found.append(f"row {row} of {table} belongs to a row of {parent} that is missing")
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found


def summary(faults: list[str]) -> str:
    """The first fault, and the number of the others."""
    first = " ".join(faults[0].split())
    return first if len(faults) == 1 else f"{first}, and {len(faults) - 1} more"
