"""Looks for what should be gone in the raw bytes of a store's files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path


def shapes(what: str | int) -> set[bytes]:
    """All forms in which a text or a number may stand in a file: a number as digits, and as SQLite stores it.

    SQLite stores a number among a row's values in eight bytes, but as a row's own key in nine, of which all but the
    last hold seven bits (fileformat2.html, "varint").
    """
    found = {str(what).encode()}
    if isinstance(what, int):
        found.add(what.to_bytes(8, "big"))
        found.add(bytes(0x80 | what >> shift & 0x7F for shift in range(57, 7, -7)) + bytes([what & 0xFF]))
    elif not what.isascii():
        found.add(what.encode("unicode_escape"))  # as JSON may write it
    return found


def traces(folder: Path, *wanted: str | int) -> dict[str, list[str | int]]:
    """Which of these stand anywhere in the bytes of a file in the folder, by the file's name."""
    found: dict[str, list[str | int]] = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            held = _held(file.read_bytes(), wanted)
            if held:
                found[file.name] = held
    return found


def _held(content: bytes, wanted: Iterable[str | int]) -> list[str | int]:
    return [what for what in wanted if any(shape in content for shape in shapes(what))]


def snowflake(number: int) -> int:
    """An id like Discord's, which is so large that SQLite stores it in eight bytes."""
    return 1_300_000_000_000_000_000 + number * 4_194_305


def reader(path: Path) -> sqlite3.Connection:
    """A connection that reads the store until it is closed, as a backup or an operator's tool does."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM tables").fetchall()
    return connection
