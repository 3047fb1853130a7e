"""Copies an open store to a new file that only its owner can read. A copy that is not whole and sound is not left."""

from __future__ import annotations

import itertools
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.model import StoreError
from bot.store.ownership import make_private_file
from bot.store.sqlite.flaws import flaws_of, summary_of


class Damaged(StoreError):
    """The copy, and so the original, is damaged. The copy was deleted. The text says what is wrong."""


def free_name(path: Path, what: str) -> Path:
    """A path beside `path` that does not exist yet: its name with this word added, and a number if need be."""
    names = itertools.chain([what], (f"{what}-{number}" for number in itertools.count(2)))
    return next(
        name for name in (path.with_name(f"{path.name}.{each}") for each in names) if not name.exists()
    )


def copies_beside(path: Path) -> list[Path]:
    """The copies of the store at `path` that lie in its folder, whole or interrupted, by name."""
    made = re.compile(re.escape(path.name) + r"\.(layout-\d+|rescued)(-\d+)?(\.\d+\.part)?")
    return sorted(file for file in path.parent.iterdir() if made.fullmatch(file.name))


def copy_to_new_file(original: sqlite3.Connection, target: Path, *, like: Path | None) -> None:
    """Copies what is durable now to the new file `target`, without holding up writers. Blocks until it is done.

    A copy that root makes gets the owner of the file `like`, or of its folder if that does not exist; None leaves it to
    root.

    Raises `FileExistsError`, `OSError`, `sqlite3.Error` or `Damaged`, and then leaves no copy behind.
    """
    # The copy gets its name only when it is whole and checked, so that nobody takes an interrupted one for a copy.
    part = new_part_beside(target, like=like)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            original.backup(copy)
            # Makes the copy a single file that can be moved, without a -wal file beside it.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            flaws = flaws_of(copy)
        if flaws:
            raise Damaged(summary_of(flaws))
        name_whole(part, target)
    finally:
        part.unlink(missing_ok=True)


def new_part_beside(target: Path, *, like: Path | None) -> Path:
    """An empty file that gets the name `target` once it is whole. Raises `OSError`, `FileExistsError`."""
    if target.exists():
        raise FileExistsError
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    os.close(make_private_file(part, like=like))
    return part


def name_whole(part: Path, target: Path) -> None:
    """Gives a copy that is whole its name. Raises `FileExistsError`."""
    try:
        # Unlike a rename, this does not overwrite a copy that another process has just made.
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:  # a disk that has no hard links
        if target.exists():
            raise FileExistsError from None
        part.rename(target)
