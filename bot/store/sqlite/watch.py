"""Detects that the files of an open store were deleted, replaced or truncated, which SQLite does not notice.

SQLite would acknowledge writes that are lost. The writer therefore checks the files before and after each commit.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final

from bot.store.model import StoreError, StoreLost
from bot.store.sqlite.copying import copy_to_new_file, free_name
from bot.store.sqlite.layout import HEADER_BYTES, JOURNAL_MODE, WAL_BYTES

_HEADER: Final = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a file. `how` completes a sentence that begins with the file's name.

    `whole`: the open file can still be read completely. `part`: parts of the file may still be readable.
    """

    path: Path
    how: str
    whole: bool = True
    part: bool = True


class Watch:
    """Checks that the file at `path` and its -wal and -shm files are those of the call to `begin`. Not thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Path, tuple[int, int]] = {}
        self._size = 0
        self._file: FileIO | None = None
        self._loss: Loss | None = None
        self._saved = False
        self.lost: StoreLost | None = None
        """The error to raise, once the files have changed. Never reset."""

    def begin(self) -> None:
        """Records the identity of the files that SQLite has open."""
        for ending in ("", "-wal", "-shm"):
            path = self._path.with_name(self._path.name + ending)
            if path.exists():
                self._known[path] = _identity(path.stat())
        self._file = FileIO(self._path)
        self._size = self._path.stat().st_size

    def end(self) -> None:
        """Stops watching. Call only after SQLite has closed the file: closing the file here drops all locks on it."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._saved and self._loss is not None and self._loss.path == self._path:
            self._remove_companions()

    def _remove_companions(self) -> None:
        """Removes the -wal and -shm files of a lost file, which SQLite would apply to the next file at `path`."""
        for path, identity in self._known.items():
            with suppress(OSError):
                if path != self._path and _identity(path.stat()) == identity:
                    path.unlink()

    @property
    def may_close(self) -> bool:
        """Whether SQLite may change the files on close. After a loss it may damage them, or delete another log."""
        return self._loss is None or (self._loss.whole and not self._foreign_log())

    def _foreign_log(self) -> bool:
        log = self._path.with_name(f"{self._path.name}-wal")
        return log.exists() and _identity(log.stat()) != self._known.get(log)

    def check(self, connection: sqlite3.Connection) -> None:
        """Raises `StoreLost` if the files have changed. The first time, also copies the data that can still be read.

        `connection` must have the files open and be outside a transaction.
        """
        if self._file is None:
            return
        if self.lost is None:
            self._loss = self._look(self._file)
            if self._loss is not None:
                self.lost = StoreLost(self._rescue(self._loss, connection))
        if self.lost is not None:
            raise StoreLost(str(self.lost))

    def _look(self, file: FileIO) -> Loss | None:
        size = self._size
        for path, identity in self._known.items():
            try:
                found = path.stat()
            except (FileNotFoundError, NotADirectoryError):
                return Loss(path, "was deleted or moved away")
            except OSError:
                continue  # no permission, or a disk that does not answer
            if _identity(found) != identity:
                return Loss(path, "was replaced by another file")
            if path == self._path:
                size = found.st_size
        return self._look_inside(file, size)

    def _look_inside(self, file: FileIO, size: int) -> Loss | None:
        file.seek(0)
        header = file.read(HEADER_BYTES)
        if len(header) < HEADER_BYTES:
            return Loss(self._path, "was cut short", whole=False)
        if not header.startswith(_HEADER) or header[JOURNAL_MODE] != WAL_BYTES:
            return Loss(self._path, "was overwritten", whole=False, part=False)
        # VACUUM may shrink the file; the header then has the smaller size.
        if size < self._size and size < _size_in(header):
            return Loss(self._path, "was cut short", whole=False)
        self._size = size
        return None

    def _rescue(self, loss: Loss, connection: sqlite3.Connection) -> str:
        """Copies the data that can still be read; returns a text about the loss and its remedy."""
        happened = f"{loss.path} {loss.how} while the bot ran."
        restore = "Nothing more is kept, so the bot stops. Put the file back or restore a backup, then start it again."
        if not loss.part:
            return f"{happened} {restore}"
        copy = free_name(self._path, "rescued")
        try:
            copy_to_new_file(connection, copy, like=self._path)
        except (OSError, sqlite3.Error, StoreError) as error:
            return f"{happened} What it held could not be saved ({str(error) or type(error).__name__}). {restore}"
        self._saved = True
        return (
            f"{happened} All that was acknowledged is saved as {copy}. Nothing more is kept, so the bot stops. "
            f"Put that copy in the place of {self._path}, then start it again."
        )


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _size_in(header: bytes) -> int:
    """The size in bytes that the header of an SQLite file states."""
    page = int.from_bytes(header[16:18])
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32])
