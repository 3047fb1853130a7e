"""The file's layout: is a file Digsite's and sound, and the numbered migrations that bring it up to date."""

from __future__ import annotations

import sqlite3
from importlib.resources import files
from pathlib import Path

from bot.store.base import StoreRefused
from bot.store.faults import is_damage

APPLICATION_ID = 0x44494753
"""Stands in the header of every file of this store ("DIGS")."""

_TABLES = ("tables", "moves", "log", "jobs", "sat", "facts", "erasures")


def migrations() -> list[str]:
    """The migrations' SQL in order: the first makes layout 1 of nothing, and so on."""
    scripts = sorted(
        (
            entry
            for entry in files("bot.store").joinpath("migrations").iterdir()
            if entry.name.endswith(".sql")
        ),
        key=lambda entry: entry.name,
    )
    for number, script in enumerate(scripts, start=1):
        if not script.name.startswith(f"{number:04}_"):
            raise RuntimeError(f"migration {number:04} is missing; found {script.name}")
    return [script.read_text(encoding="utf-8") for script in scripts]


def check_is_ours(connection: sqlite3.Connection, path: Path, latest: int) -> None:
    """Raises `StoreRefused` unless the file is empty or Digsite's, of a layout up to `latest`; only reads."""
    try:
        application_id = _number(connection, "PRAGMA application_id")
        version = _number(connection, "PRAGMA user_version")
        empty = _number(connection, "SELECT count(*) FROM sqlite_master") == 0
    except sqlite3.DatabaseError as error:
        raise refusal(path, error) from error
    if application_id != APPLICATION_ID and not (empty and application_id == 0):
        raise StoreRefused(
            f"{path} belongs to another program. It was left as it is; name another file for Digsite."
        )
    if version > latest:
        raise StoreRefused(
            f"{path} was written by a newer Digsite (layout {version}; this one knows up to {latest}). "
            "It was left as it is; start the newer version, or restore a backup from before the upgrade."
        )


def check_is_current(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `StoreRefused` unless the file is Digsite's and of this version's layout; only reads."""
    latest = len(migrations())
    check_is_ours(connection, path, latest)
    if _number(connection, "PRAGMA user_version") < latest:
        raise StoreRefused(
            f"{path} was written by an older Digsite. It was left as it is; start this version's bot on it first."
        )


def bring_up_to_date(connection: sqlite3.Connection, path: Path, scripts: list[str]) -> None:
    """Applies the migrations that the file lacks, each whole or not at all."""
    for number in range(_number(connection, "PRAGMA user_version"), len(scripts)):
        try:
            # The version is part of the transaction, so no migration can be applied twice or be forgotten.
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{scripts[number]}\n;PRAGMA user_version = {number + 1};\nCOMMIT;"
            )
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise StoreRefused(
                f"{path} could not be brought from layout {number} to {number + 1} ({error}). "
                "It was left as it was; see to the cause, or go on with the version of Digsite that wrote it."
            ) from error


def check_is_readable(connection: sqlite3.Connection, path: Path) -> None:
    """Raises `StoreRefused` if a table is missing or its first page broken. Cheap, however large the file."""
    try:
        for table in _TABLES:
            connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()
    except sqlite3.DatabaseError as error:
        raise refusal(path, error, damaged=True) from error


def refusal(path: Path, error: sqlite3.Error | OSError, *, damaged: bool = False) -> StoreRefused:
    """Why the file at `path` cannot be opened, for people."""
    if damaged or (isinstance(error, sqlite3.Error) and is_damage(error)):
        return StoreRefused(
            f"{path} is damaged, or no database at all ({error}). "
            "It was left as it is; restore a backup, or name another file for Digsite."
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreRefused(
        f"{path} cannot be opened for writing ({reason}). "
        "Nothing was changed; check the path and that Digsite may write to the file and its folder."
    )


def _number(connection: sqlite3.Connection, query: str) -> int:
    # fetchall ends the statement: one left open would keep a later commit or change of mode from happening.
    return int(connection.execute(query).fetchall()[0][0])
