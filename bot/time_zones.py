"""The database of time zones: that of the package `tzdata`, whose version is pinned.

Governments change their clocks, and a database that does not know yet is an hour off. Python itself asks the system's
folders first, however old they are, and the package only for a zone that they lack.
"""

from __future__ import annotations

import logging
import os
import zoneinfo

import tzdata

log = logging.getLogger(__name__)


def use_package() -> None:
    """Has `ZoneInfo` read the package, not the system's folders. An operator's choice by `PYTHONTZPATH` stands.

    To be called before the first `ZoneInfo` is made.
    """
    if "PYTHONTZPATH" not in os.environ:
        zoneinfo.reset_tzpath(())
        log.info("time zones: version %s, of the package tzdata", tzdata.IANA_VERSION)


def known(zone: str) -> bool:
    """Whether the database has a time zone of this name."""
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):  # OSError: a folder's name, or a long one
        return False
    return True
