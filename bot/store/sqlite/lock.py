"""A lock file beside the store, which excludes other processes while the store is open.

The file remains when the process ends. It records that a store exists here, so that a missing store is detected.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

from bot.store.model import StoreInUse
from bot.store.private_files import make_private_file

if sys.platform != "win32":
    import fcntl

_held: set[int] = set()
_LOCK_EVERY: Final = 0.1
"""Seconds between two attempts to take the lock."""


class FileLock:
    """The lock of the store at `path`. The operating system releases it when the process ends.

    Locks nothing on Windows, which has no `fcntl`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.file = path.with_name(path.name + ".lock")
        self._descriptor: int | None = None

    def take(self, lock_timeout: float = 0.0) -> None:
        """Takes the lock; blocks for up to `lock_timeout` seconds while another process holds it.

        Raises `StoreInUse` on timeout, and `OSError` if the file cannot be created.
        """
        if sys.platform == "win32":
            return
        descriptor = self._file_opened()
        until = time.monotonic() + lock_timeout
        try:
            while not _lock(descriptor):
                if time.monotonic() >= until:
                    raise StoreInUse(
                        f"{self._path} is in use by another Digsite that runs now. "
                        "Nothing was changed; stop that one first, or name another file for this one."
                    )
                time.sleep(_LOCK_EVERY)
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
        """Whether a store was ever opened here, by any process. False unless the lock is held."""
        return self._descriptor is not None and os.fstat(self._descriptor).st_size > 0

    def remember(self) -> None:
        """Records in the lock file that a store exists here. Raises `OSError`."""
        if self._descriptor is not None and not self.remembers:
            text = f"{self._path.name} is kept beside this file. Delete this one only to begin with an empty store.\n"
            os.write(self._descriptor, text.encode())

    def release(self) -> None:
        """Releases the lock, if held. The file remains, because another process may be about to lock it."""
        if self._descriptor is None:
            return
        _held.discard(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _release_in_child() -> None:
    # A forked worker inherits the lock. A worker that outlives a killed bot would block the next bot.
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_release_in_child)
