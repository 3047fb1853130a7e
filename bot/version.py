"""The version of the program: the release, and the build if it is known.

`0.1.0+20261122175512.b64bec4f2a10` is release 0.1.0, built from the commit b64bec4f2a10 of that time (UTC). Between two
releases every commit has the release's number, so the time of the commit shows which of two builds is newer.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

BUILD: Final = "DIGSITE_BUILD"
"""The environment variable that names the build, for a program that does not run from a git checkout."""
BUILD_FILE: Final = Path(__file__).with_name("build.txt")
"""The file that names the build; a release has it beside this module."""

_FORM: Final = re.compile(r"\d{14}\.[0-9a-f]{7,40}", re.ASCII)
_GIT_TIMEOUT: Final = 2.0
"""Seconds that git may take to name the commit."""


@cache
def own_version() -> str:
    """The installed version, with its build if that is known."""
    try:
        release = version("digsite")
    except PackageNotFoundError:
        return "(not installed)"
    build = own_build()
    return f"{release}+{build}" if build else release


def own_build() -> str:
    """The build of this program, as in `20261122175512.b64bec4f2a10`; empty if it is not known."""
    for named in (os.environ.get(BUILD, ""), _read(BUILD_FILE), _commit(Path(__file__).parents[1])):
        if _FORM.fullmatch(named.strip()):
            return named.strip()
    return ""


def is_older(one: str, other: str) -> bool:
    """Whether one version is older than another, by their release numbers and the times of their builds.

    >>> is_older("1.9.0", "1.10.0"), is_older("1.10", "1.9"), is_older("(not installed)", "1.0")
    (True, False, True)
    >>> is_older("1.0+20261122175512.b64bec4f2a10", "1.0+20261123080000.0a1b2c3d4e5f")
    True
    >>> is_older("1.0", "1.0+20261123080000.0a1b2c3d4e5f")  # a build that is not known is neither older nor newer
    False
    """
    release, build = _parts(one)
    other_release, other_build = _parts(other)
    if release != other_release:
        return release < other_release
    return bool(build and other_build) and build < other_build


def _parts(text: str) -> tuple[tuple[int, ...], str]:
    """The numbers of the release, and the time of the build; empty if it is not known."""
    release, _, build = text.partition("+")
    numbers = tuple(int(part) for part in re.findall(r"\d+", release, re.ASCII))
    return numbers, build.partition(".")[0] if _FORM.fullmatch(build) else ""


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def _commit(root: Path) -> str:
    """The commit of the checkout at `root`; empty if `root` is no checkout, or git fails."""
    if not (root / ".git").exists():
        return ""
    command = ("git", "-c", f"safe.directory={root}", "-C", str(root), "show", "--no-patch", "--abbrev=12")
    form = ("--date=format-local:%Y%m%d%H%M%S", "--format=%cd.%h", "HEAD")
    try:
        done = subprocess.run(
            (*command, *form),
            capture_output=True,
            text=True,
            check=True,
            timeout=_GIT_TIMEOUT,
            env={**os.environ, "TZ": "UTC"},
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
