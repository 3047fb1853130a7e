"""Makes files beside a store that the store's owner can open, also if it is root who makes them.

An operator's command that root runs would otherwise lock out the bot, which runs as a user of its own. Only what this
process has just made is ever given away, and by its descriptor: a link that somebody has put there leads to nothing.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def make_private_file(path: Path, *, like: Path | None) -> int:
    """Makes an empty file that only its owner can read, and returns its descriptor.

    If root makes it, it gets the owner of the file or folder `like`; if that does not exist, the owner of the folder in
    which it lies. None leaves it to root. Raises `FileExistsError`, `OSError`.
    """
    descriptor = os.open(path, _NEW, 0o600)
    if like is not None:
        _give(descriptor, like if like.exists() else path.parent)
    return descriptor


def make_folders(folder: Path) -> None:
    """Makes a folder, and those above it that are missing, for its owner alone. Raises `OSError`.

    What root makes gets the owner of the folder above it.
    """
    if folder.is_dir():
        return
    make_folders(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if _is_root():
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _give(descriptor, folder.parent)
        finally:
            os.close(descriptor)


def same_owner(one: Path, other: Path) -> bool:
    """Whether two files or folders belong to the same user. Raises `OSError`."""
    return one.stat().st_uid == other.stat().st_uid


def unusable(path: Path) -> Path | None:
    """The file of the store at `path` that this process may not read and write: itself, or one that SQLite keeps beside
    it. None if it may use them all, or none is there.
    """
    files = (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")))
    return next((file for file in files if file.exists() and not os.access(file, os.R_OK | os.W_OK)), None)


def owner_of(path: Path) -> str:
    """The name of the user to whom a file belongs; empty if it is this process's own user, or that is not known."""
    try:
        owner = path.stat().st_uid
        if owner == os.geteuid():
            return ""
        import pwd

        return pwd.getpwuid(owner).pw_name
    except (OSError, KeyError, ImportError, AttributeError):
        return ""


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _give(descriptor: int, like: Path) -> None:
    if _is_root():
        owner, made = like.stat(), os.fstat(descriptor)
        if (owner.st_uid, owner.st_gid) != (made.st_uid, made.st_gid) and owner.st_uid != 0:
            assert stat.S_ISREG(made.st_mode) or stat.S_ISDIR(made.st_mode)
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
