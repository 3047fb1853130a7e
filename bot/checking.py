"""`digsite check`: looks through a store's file, also while a bot has it open, and says in sentences what it finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from bot.store import statements
from bot.store.base import StoreError, TableRow
from bot.store.connection import open_to_read
from bot.store.flaws import flaws_of
from bot.store.schema import check_is_ours, layout_of, migrations
from bot.tables.model import read_table
from engine.errors import BadData
from engine.game import AnyGame


class Checked:
    """What was found: sentences for people, and whether all is well."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.sound = True

    def found(self, line: str) -> None:
        self.lines.append(line)

    def fault(self, line: str) -> None:
        self.lines.append(line)
        self.sound = False


def check_file(path: Path, games: Mapping[str, AnyGame]) -> Checked:
    """Checks the file at `path`, and that its live tables can be read with these games. Changes nothing.

    Raises `StoreError` if the file is missing or unreadable, is not a file of Digsite's, or is from a newer version.
    """
    if not path.is_file():
        raise StoreError(f"There is no file at {path}.")
    checked, latest = Checked(), len(migrations())
    try:
        with closing(open_to_read(path)) as connection:
            check_is_ours(connection, path, latest)
            connection.execute("BEGIN")  # so that all checks see the file as it is at one moment
            _check(connection, path, latest, games, checked)
    except sqlite3.Error as error:
        raise StoreError(f"{path} could not be read to its end: {error}.") from error
    return checked


def _check(
    connection: sqlite3.Connection, path: Path, latest: int, games: Mapping[str, AnyGame], checked: Checked
) -> None:
    flaws = flaws_of(connection)
    if flaws:
        checked.fault(f"{path} is damaged:")
        checked.lines += [f"  {flaw}" for flaw in flaws]
        checked.found("Restore a backup; `sqlite3 FILE .recover` may save more than a backup holds.")
    else:
        checked.found(f"{path} is sound.")
    layout = layout_of(connection)
    if layout == 0:
        checked.fault("It is empty: it holds no tables, and nothing of Digsite's at all.")
        return
    later = "" if layout == latest else f"; the next start brings it to {latest}"
    checked.found(f"It has layout {layout}{later}.")
    counts = statements.by_status(connection)
    named = ", ".join(f"{status}: {count}" for status, count in sorted(counts.items()))
    checked.found(f"Tables in all: {sum(counts.values())}{f' ({named})' if named else ''}.")
    if layout == latest:
        _check_live_tables(statements.live_rows(connection), games, checked)


def _check_live_tables(rows: Iterator[TableRow], games: Mapping[str, AnyGame], checked: Checked) -> None:
    read = 0
    for row in rows:
        try:
            if row.game not in games:
                raise BadData(f"this version has no game {row.game!r}")
            read_table(row, games[row.game])
        except BadData as error:
            checked.fault(
                f"Table {row.id} ({row.game}, {row.status}) cannot be read by this version: {error}."
            )
        else:
            read += 1
    checked.found(f"Live tables that this version can read: {read}.")
