"""Which version of the program this is."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version


def own_version() -> str:
    """The version that is installed."""
    try:
        return version("digsite")
    except PackageNotFoundError:
        return "(not installed)"


def is_older(one: str, other: str) -> bool:
    """Whether one version came before another, as far as their numbers tell.

    >>> is_older("1.9.0", "1.10.0"), is_older("1.10", "1.9"), is_older("(not installed)", "1.0")
    (True, False, True)
    """
    return _numbers(one) < _numbers(other)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text, re.ASCII))
