"""Turns SQLite's errors into the store's own, which tell people what happened, what was kept and what to do."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from bot.store.model import StoreError, StoreFull, StoreHasNoRoom

_UNWRITABLE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT)
_LEAST_ROOM: Final = 256 * 1024
"""Bytes. If a disk has less room than this, SQLite's companions of a file may find none."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite found the file's content broken."""
    return _primary_code(error) in _DAMAGED


def is_for_want_of_room(error: Exception, folder: Path) -> bool:
    """Whether a file in this folder could not be opened or written because its disk is full.

    SQLite often says no more than "disk I/O error" or "unable to open database file" then, so this tries to write.
    """
    if isinstance(error, OSError):
        return error.errno in _FULL_ERRNOS
    if not isinstance(error, sqlite3.Error):
        return False
    code = _primary_code(error)
    if code not in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        return code == sqlite3.SQLITE_FULL
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_LEAST_ROOM))
    except OSError as refused:
        return refused.errno in _FULL_ERRNOS
    return False


def no_room(path: Path) -> StoreHasNoRoom:
    """The error to raise if the file at `path` cannot be opened because the disk is full."""
    return StoreHasNoRoom(
        f"The disk of {path} is full, so the file cannot be opened. Nothing in it was changed; make room on that disk, "
        "then start again."
    )


def write_failed(error: Exception) -> Exception:
    """The error to raise for a write that failed with this one."""
    if not isinstance(error, sqlite3.Error):
        return error
    return _caused_by(error, _write_error(error))


def read_failed(error: sqlite3.Error) -> StoreError:
    """The error to raise for a read that failed with this one."""
    if is_damage(error):
        return _caused_by(error, StoreError(f"The store's file is damaged ({error}). Restore a backup."))
    return _caused_by(error, StoreError(f"The store could not be read ({error}). Nothing in it was changed."))


def _write_error(error: sqlite3.Error) -> StoreError:
    code = _primary_code(error)
    if code == sqlite3.SQLITE_FULL:
        return StoreFull("The disk is full. This was not kept, all that came before it was; make room first.")
    if code in _UNWRITABLE:
        return StoreFull(
            f"The store's disk cannot be written to ({error}). This was not kept, all that came before was."
        )
    if code in _DAMAGED:
        return StoreError(f"The store's file is damaged ({error}). This was not kept; restore a backup.")
    return StoreError(f"The store could not keep this ({error}). All that came before it was kept.")


def _primary_code(error: sqlite3.Error) -> int:
    # Errors of the sqlite3 module itself (a closed connection, a wrong type) carry no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _caused_by(cause: sqlite3.Error, error: StoreError) -> StoreError:
    error.__cause__ = cause
    return error
