"""Copies an open store to a new private file, and checks the integrity of a whole file.

An incomplete or damaged copy is deleted.
"""

from __future__ import annotations

import itertools
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.model import StoreError
from bot.store.private_files import make_private_file

_FAULTS: Final = 100
"""The check of a file's integrity stops after this many faults."""


class Damaged(StoreError):
    """The copy is damaged, and so is the original. The copy was deleted."""


def free_name(path: Path, what: str) -> Path:
    """A path that does not exist: `path` with the ending `.what`, numbered if necessary."""
    names = itertools.chain([what], (f"{what}-{number}" for number in itertools.count(2)))
    return next(
        name for name in (path.with_name(f"{path.name}.{each}") for each in names) if not name.exists()
    )


def copies_of(path: Path) -> list[Path]:
    """The copies of the store at `path` in its folder, complete or interrupted, by name."""
    made = re.compile(re.escape(path.name) + r"\.(layout-\d+|rescued)(-\d+)?(\.\d+\.part)?")
    return sorted(file for file in path.parent.iterdir() if made.fullmatch(file.name))


def copy_to_new_file(original: sqlite3.Connection, target: Path, *, like: Path | None) -> None:
    """Copies the durable state to the new file `target`. Blocks the caller, but no writers.

    `like`: see `make_private_file`. Raises `FileExistsError`, `OSError`, `sqlite3.Error` or `Damaged`, and then leaves
    no copy.
    """
    # The copy gets its name after the check, so that an interrupted copy is not mistaken for a complete one.
    part = create_part_file(target, like=like)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            original.backup(copy)
            # A single file, without a -wal file, can be moved.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            faults = integrity_faults(copy)
        if faults:
            raise Damaged(summary(faults))
        rename_complete(part, target)
    finally:
        part.unlink(missing_ok=True)


def create_part_file(target: Path, *, like: Path | None) -> Path:
    """Creates an empty file that later gets the name `target`. Raises `OSError`, `FileExistsError`."""
    if target.exists():
        raise FileExistsError
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    os.close(make_private_file(part, like=like))
    return part


def rename_complete(part: Path, target: Path) -> None:
    """Gives a complete copy its name. Raises `FileExistsError`."""
    try:
        # Unlike a rename, a link does not overwrite an existing file.
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if target.exists():
            raise FileExistsError from None
        part.rename(target)


def integrity_faults(connection: sqlite3.Connection) -> list[str]:
    """The integrity faults that SQLite reports, by page and row and without content; empty if there are none.

    Reads the whole file: some seconds per gigabyte.
    """
    try:
        rows = connection.execute(f"PRAGMA integrity_check({_FAULTS})").fetchall()
        found = [str(row[0]) for row in rows if row[0] != "ok"]
        for table, row, parent, _number in connection.execute("PRAGMA foreign_key_check").fetchmany(_FAULTS):
            found.append(f"row {row} of {table} belongs to a row of {parent} that is missing")
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return found


def summary(faults: list[str]) -> str:
    """The first fault, and the number of the others."""
    first = " ".join(faults[0].split())
    return first if len(faults) == 1 else f"{first}, and {len(faults) - 1} more"
