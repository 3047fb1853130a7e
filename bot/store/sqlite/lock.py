"""Prevents two processes from using one store: a lock on a file beside it, which is held while the store is open.

The lock's file stays when the process ends. It remembers that a store was kept here, so that a missing one is noticed.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

from bot.store.model import StoreInUse
from bot.store.ownership import make_private_file

if sys.platform != "win32":
    import fcntl

_held: set[int] = set()
_LOOK: Final = 0.1
"""Seconds between two attempts to take a lock."""


class FileLock:
    """The lock of the store at `path`. The system frees it when the process ends, however it ends.

    On Windows, which has no `fcntl`, it locks nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.file = path.with_name(path.name + ".lock")
        self._descriptor: int | None = None

    def take(self, patience: float = 0.0) -> None:
        """Takes the lock. If another process holds it, blocks for up to `patience` seconds.

        Raises `StoreInUse` if the other process still holds it then, and `OSError` if the file cannot be created.
        """
        if sys.platform == "win32":
            return
        descriptor = self._file_opened()
        until = time.monotonic() + patience
        try:
            while not _lock(descriptor):
                if time.monotonic() >= until:
                    raise StoreInUse(
                        f"{self._path} is in use by another Digsite that runs now. "
                        "Nothing was changed; stop that one first, or name another file for this one."
                    )
                time.sleep(_LOOK)
        except BaseException:
            os.close(descriptor)
            raise
        _held.add(descriptor)
        self._descriptor = descriptor

    def _file_opened(self) -> int:
        try:
            return make_private_file(self.file, like=self._path)
        except FileExistsError:
            return os.open(self.file, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))

    @property
    def remembers(self) -> bool:
        """Whether a store was ever opened here, by this process or another. False unless the lock is held."""
        return self._descriptor is not None and os.fstat(self._descriptor).st_size > 0

    def remember(self) -> None:
        """Notes in the lock's file that a store is kept here. Raises `OSError`."""
        if self._descriptor is not None and not self.remembers:
            text = f"{self._path.name} is kept beside this file. Delete this one only to begin with an empty store.\n"
            os.write(self._descriptor, text.encode())

    def release(self) -> None:
        """Releases the lock, if it is held. The file stays, because another process may be about to lock it."""
        if self._descriptor is None:
            return
        _held.discard(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None


def _lock(descriptor: int) -> bool:
    """Tries to take the lock; returns whether it could."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _let_go_in_child() -> None:
    # A forked worker process shares the lock. If it outlived a killed bot, it would keep the next bot out.
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_let_go_in_child)
