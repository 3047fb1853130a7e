"""Copies a store to a new file while a bot may be writing to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.model import StoreError
from bot.store.private_files import same_owner
from bot.store.sqlite.connection import open_to_read
from bot.store.sqlite.copying import Damaged, copy_to_new_file
from bot.store.sqlite.layout import APPLICATION_ID


def backup_file(source: Path, target: Path) -> None:
    """Writes a consistent, checked, private copy of the store at `source` to the new file `target`.

    The copy contains everything that was durable at the start. Blocks the caller, but no writers. Raises `StoreError`
    if `source` is no Digsite file, damaged or unreadable, or if `target` exists or cannot be written.
    """
    if not source.is_file():
        raise StoreError(f"There is no file at {source}. Nothing was written; check the path of the store.")
    try:
        with closing(open_to_read(source)) as original:
            _check_is_ours(original, source)
            # A copy in a folder of the store's owner belongs to that owner. Elsewhere it stays root's, because it
            # contains hands and seeds.
            copy_to_new_file(original, target, like=source if same_owner(source, target.parent) else None)
    except FileExistsError:
        raise StoreError(
            f"{target} already exists. It was left as it is; name a file that does not."
        ) from None
    except Damaged as error:
        raise StoreError(
            f"{source} is damaged: {error}. No copy was left, for it would be damaged too. Keep the file and your "
            f"older backups; `sqlite3 {source} .recover` may save more than a backup holds."
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"{source} could not be copied to {target} ({error}). No copy was left; the store is as it was."
        ) from error


def _check_is_ours(original: sqlite3.Connection, source: Path) -> None:
    try:
        [(application_id,)] = original.execute("PRAGMA application_id").fetchall()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{source} cannot be read as a store ({error}). Nothing was written.") from error
    if application_id != APPLICATION_ID:
        raise StoreError(f"{source} is not a Digsite file. Nothing was written; check the path of the store.")
