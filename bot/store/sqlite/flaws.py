"""Looks through a whole file for damage, as far as SQLite can find it."""

from __future__ import annotations

import sqlite3
from typing import Final

_MOST: Final = 100
"""The search stops at this many flaws; a longer list would tell nobody more."""


def flaws_of(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the file, in SQLite's words, which name pages and rows and no content; empty if it is sound.

    Reads all of it: some seconds a gigabyte.
    """
    try:
        rows = connection.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok"]
        for table, row, parent, _number in connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST):
            found.append(f"row {row} of {table} belongs to a row of {parent} that is missing")
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found


def summary_of(flaws: list[str]) -> str:
    """The first of these flaws, in one line, and how many more there are."""
    first = " ".join(flaws[0].split())
    return first if len(flaws) == 1 else f"{first}, and {len(flaws) - 1} more"
