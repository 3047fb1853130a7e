"""The layout of the file: checks that a file is a readable Digsite file, and applies the migrations."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from bot.store.migrate import check_is_known, not_migrated, older, scripts
from bot.store.model import StoreDiskFull, StoreRefused
from bot.store.private_files import owner_of, unusable
from bot.store.sqlite.copying import Damaged, copy_to_new_file, free_name
from bot.store.sqlite.errors import disk_full, disk_is_full, is_damage

_LOG = logging.getLogger(__name__)

APPLICATION_ID = 0x44494753
""""DIGS", in the header of every store file."""

HEADER_BYTES = 100
JOURNAL_MODE = slice(18, 20)
WAL_BYTES = b"\2\2"
"""The bytes at `JOURNAL_MODE` in the header of a file with a write-ahead log."""

_TABLES = ("tables", "moves", "log", "jobs", "sat", "facts", "erasures", "presses")


def check_is_ours(connection: sqlite3.Connection, path: Path, latest: int) -> None:
    """Raises `StoreRefused` unless the file is empty or a Digsite file with a layout up to `latest`. Only reads."""
    try:
        application_id = _number(connection, "PRAGMA application_id")
        version = layout_of(connection)
        empty = _number(connection, "SELECT count(*) FROM sqlite_master") == 0
    except sqlite3.DatabaseError as error:
        raise refusal(path, error) from error
    if application_id != APPLICATION_ID and not (empty and application_id == 0):
        raise StoreRefused(
            f"{path} belongs to another program. It was left as it is; name another file for Digsite."
        )
    check_is_known(path, version, latest)


def check_is_current(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `StoreRefused` unless the file is a Digsite file with this version's layout. Only reads."""
    latest = len(scripts("sqlite"))
    check_is_ours(connection, path, latest)
    if layout_of(connection) < latest:
        raise older(path)


def migrate(connection: sqlite3.Connection, path: Path, migrations: list[str]) -> None:
    """Copies the file, then applies the pending migrations."""
    layout = layout_of(connection)
    if 0 < layout < len(migrations):
        _copy_before_migration(connection, path, layout, len(migrations))
    apply(connection, path, migrations)
    if layout == 0:
        _LOG.warning(
            "created a new, empty store at %s; if you expected matches, stop the bot and check DATABASE_PATH",
            path,
        )


def apply(connection: sqlite3.Connection, path: Path, migrations: list[str]) -> None:
    """Applies the pending migrations, each in one transaction. Raises `StoreRefused`."""
    layout = layout_of(connection)
    for number in range(layout, len(migrations)):
        try:
            # The transaction also stores the number, so no migration runs twice or is skipped.
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{migrations[number]}\n;PRAGMA user_version = {number + 1};\nCOMMIT;"
            )
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            reason = not_migrated(path, number, str(error))
            full = disk_is_full(error, path.parent)
            raise (StoreDiskFull(str(reason)) if full else reason) from error


def has_wal(path: Path) -> bool:
    """Whether the header says that the file uses a write-ahead log. Copies made by Digsite do not use one.

    Do not call for a file that SQLite has open in this process: closing the file here drops all locks on it.
    """
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    return header[JOURNAL_MODE] == WAL_BYTES


def layout_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration applied; 0 for an empty file."""
    return _number(connection, "PRAGMA user_version")


def _copy_before_migration(connection: sqlite3.Connection, path: Path, layout: int, latest: int) -> None:
    """Copies the file before a migration. Raises `StoreRefused` if that fails."""
    copy = free_name(path, f"layout-{layout}")
    try:
        copy_to_new_file(connection, copy, like=path)
    except Damaged as error:
        raise refusal(path, sqlite3.DatabaseError(str(error)), damaged=True) from error
    except (OSError, sqlite3.Error) as error:
        kind = StoreDiskFull if disk_is_full(error, path.parent) else StoreRefused
        raise kind(
            f"{path} has layout {layout} and is to be brought to {latest}, but no copy of it could be made first "
            f"({error}). It was left as it was; make room beside it, or go on with the version that wrote it."
        ) from error
    _LOG.info("copied %s (layout %s) to %s before migrating it to layout %s", path, layout, copy, latest)


def check_is_readable(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `StoreRefused` if a table is missing or its first page is damaged. Quick even for a large file."""
    try:
        for table in _TABLES:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()
    except sqlite3.DatabaseError as error:
        raise refusal(path, error, damaged=True) from error


def refusal(path: Path, error: sqlite3.Error | OSError, *, damaged: bool = False) -> StoreRefused:
    """The error for a file that cannot be opened."""
    if damaged or (isinstance(error, sqlite3.Error) and is_damage(error)):
        return StoreRefused(
            f"{path} is damaged, or no database at all ({error}). "
            "It was left as it is; restore a backup, or name another file for Digsite."
        )
    if disk_is_full(error, path.parent):
        return disk_full(path)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    file = _meant_by(error, path)
    if owner := owner_of(file):
        reason += f"; it belongs to {owner}"
    because = "" if file == path else f", because {file} cannot be"
    return StoreRefused(
        f"{path} cannot be opened for writing{because} ({reason}). "
        "Nothing was changed; check the path and that Digsite may write to the file and its folder."
    )


def _meant_by(error: sqlite3.Error | OSError, path: Path) -> Path:
    """The file that could not be opened: the store's own, or a companion."""
    if isinstance(error, OSError):
        return Path(error.filename) if isinstance(error.filename, str) else path
    return unusable(path) or path


def _number(connection: sqlite3.Connection, query: str) -> int:
    # fetchall ends the statement; an unfinished statement would prevent a commit or a change of the journal mode.
    return int(connection.execute(query).fetchall()[0][0])
