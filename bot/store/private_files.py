"""Creates private files and folders that the store's owner can open, also when root creates them.

The bot runs as another user, so it could not open a file that belongs to root. The owner is changed only for a file
that this process has just created, and through its descriptor, so a planted symbolic link has no effect.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def make_private_file(path: Path, *, like: Path | None) -> int:
    """Creates an empty file with mode 0600 and returns its descriptor.

    A file that root creates gets the owner of `like`, or of its folder if `like` does not exist; if `like` is None, it
    stays root's. Raises `FileExistsError`, `OSError`.
    """
    descriptor = os.open(path, _NEW, 0o600)
    if like is not None:
        _give(descriptor, like if like.exists() else path.parent)
    return descriptor


def make_folders(folder: Path) -> None:
    """Creates a folder and its missing parents with mode 0700. Raises `OSError`.

    A folder that root creates gets the owner of its parent.
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
    """Whether two files or folders have the same owner. Raises `OSError`."""
    return one.stat().st_uid == other.stat().st_uid


def unusable(path: Path) -> Path | None:
    """The first file of the store at `path` (the file or an SQLite companion) that this process may not read and write,
    if any.
    """
    files = (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")))
    return next((file for file in files if file.exists() and not os.access(file, os.R_OK | os.W_OK)), None)


def owner_of(path: Path) -> str:
    """The name of the file's owner; empty if the owner is this process's user or unknown."""
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
