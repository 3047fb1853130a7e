"""Copies an open store to a new file: whole, sound and private to its owner, or not at all."""

from __future__ import annotations

import itertools
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.base import StoreError
from bot.store.flaws import flaws_of, summary_of


class Damaged(StoreError):
    """The copy is not sound, so neither is what was copied. It was deleted. The text says what is wrong."""


def free_name(path: Path, what: str) -> Path:
    """A name beside `path` for a copy of it that nothing has yet: with this word, and a number if need be."""
    names = itertools.chain([what], (f"{what}-{number}" for number in itertools.count(2)))
    return next(
        name for name in (path.with_name(f"{path.name}.{each}") for each in names) if not name.exists()
    )


def copy_to_new_file(original: sqlite3.Connection, target: Path) -> None:
    """Copies what is durable now to the new file `target`; writers are not held up. Blocks until it is done.

    Raises `FileExistsError`, `OSError`, `sqlite3.Error`, `Damaged`; then nothing is left of the copy.
    """
    # Under its own name only once it is whole and checked: a copy that is killed half-way must not be taken for one.
    if target.exists():
        raise FileExistsError
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            original.backup(copy)
            # One file that can be moved about, without a -wal beside it.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            flaws = flaws_of(copy)
        if flaws:
            raise Damaged(summary_of(flaws))
        _name(part, target)
    finally:
        part.unlink(missing_ok=True)


def _name(part: Path, target: Path) -> None:
    try:
        os.link(part, target)  # of two copies to one name, the second must not overwrite the first
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if target.exists():
            raise FileExistsError from None
        part.rename(target)
