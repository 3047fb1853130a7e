"""Translates SQLite's errors into store errors, which say what happened, what was stored and what to do."""

from __future__ import annotations

import errno
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from bot.store.model import StoreDiskFull, StoreError, StoreFull

_UNWRITABLE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FULL_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT)
_LEAST_ROOM: Final = 256 * 1024
"""Bytes. With less free space, SQLite may fail to create the companions of a file."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error means that the file is damaged."""
    return _primary_code(error) in _DAMAGED


def disk_is_full(error: Exception, folder: Path) -> bool:
    """Whether a file in this folder could not be opened or written because its disk is full.

    SQLite may report that as "disk I/O error" or "unable to open database file", so this function tries to write.
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


def disk_full(path: Path) -> StoreDiskFull:
    """The error for a file that cannot be opened because the disk is full."""
    return StoreDiskFull(
        f"The disk of {path} is full, so the file cannot be opened. Nothing in it was changed; make room on that disk, "
        "then start again."
    )


def write_failed(error: Exception) -> Exception:
    """The store error for a failed write."""
    if not isinstance(error, sqlite3.Error):
        return error
    return _caused_by(error, _write_error(error))


def read_failed(error: sqlite3.Error) -> StoreError:
    """The store error for a failed read."""
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
    # Errors of the sqlite3 module itself (closed connection, wrong type) have no code.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _caused_by(cause: sqlite3.Error, error: StoreError) -> StoreError:
    error.__cause__ = cause
    return error
