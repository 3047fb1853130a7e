"""The database of time zones: the newer one of the system's and the package's (`tzdata`).

Governments change their clocks, and a database that does not know yet is an hour off. Python asks the system's folders
first and the package only for a zone that they lack, however old they are.
"""

from __future__ import annotations

import logging
import os
import re
import zoneinfo
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import tzdata

log = logging.getLogger(__name__)

_VERSION_FILES: Final = ("tzdata.zi", "+VERSION")
"""The files in which a system names its version: its first line on Linux, all of it on macOS and BSD."""
_VERSION: Final = re.compile(r"(?:# version )?(\d{4})([a-z]+)\b")


def use_newer(system: Sequence[str] | None = None) -> None:
    """Has `ZoneInfo` read the newer database, and logs which that is. To be called before the first `ZoneInfo` is made.

    `system` are the system's folders; None for those that Python was built with. The package is used where the system
    has the same version, or one that cannot be read. An operator's choice by `PYTHONTZPATH` stands.
    """
    chosen = os.environ.get("PYTHONTZPATH") is not None and system is None
    zoneinfo.reset_tzpath(system)
    zoneinfo.ZoneInfo.clear_cache()
    folder = next((folder for folder in zoneinfo.TZPATH if Path(folder).is_dir()), None)
    version = "" if folder is None else _version_in(Path(folder))
    if folder is not None and (chosen or _age(version) > _age(tzdata.IANA_VERSION)):
        log.info("time zones: version %s, in %s", version or "unknown", folder)
        return
    zoneinfo.reset_tzpath(())
    system_has = f"; the system has {version or 'an unknown version'}" if folder else ""
    log.info("time zones: version %s, of the package tzdata%s", tzdata.IANA_VERSION, system_has)


def known(zone: str) -> bool:
    """Whether the database has a time zone of this name."""
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):  # OSError: a folder's name, or a long one
        return False
    return True


def _version_in(folder: Path) -> str:
    """The version of the database in this folder, as IANA names it ("2026f"); "" if it cannot be read."""
    for name in _VERSION_FILES:
        try:
            with (folder / name).open(encoding="utf-8", errors="replace") as file:
                found = _VERSION.match(file.readline(100))
        except OSError:
            continue
        if found:
            return "".join(found.groups())
    return ""


def _age(version: str) -> tuple[int, int, str]:
    """A key that sorts versions by age: after "2026z" comes "2026za". An unknown version is the oldest."""
    found = _VERSION.match(version)
    return (int(found[1]), len(found[2]), found[2]) if found else (0, 0, "")
