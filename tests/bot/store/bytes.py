"""Looks for what should be gone in the raw bytes of a store's files."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
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


def _held(content: bytes, wanted: Sequence[str | int]) -> list[str | int]:
    """Which of these the content holds. Shapes that begin alike are looked for together: ids are many, and alike."""
    alike: dict[tuple[int, bytes], set[bytes]] = {}
    for what in wanted:
        for shape in shapes(what):
            alike.setdefault((len(shape), shape[:4]), set()).add(shape)
    found: set[bytes] = set()
    for (length, start), looked_for in alike.items():
        at = content.find(start)
        while at >= 0:
            if (part := content[at : at + length]) in looked_for:
                found.add(part)
            at = content.find(start, at + 1)
    return [what for what in wanted if shapes(what) & found]


def snowflake(number: int) -> int:
    """An id like Discord's, which is so large that SQLite stores it in eight bytes."""
    return 1_300_000_000_000_000_000 + number * 4_194_305


def reader(path: Path) -> sqlite3.Connection:
    """A connection that reads the store until it is closed, as a backup or an operator's tool does."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM tables").fetchall()
    return connection
