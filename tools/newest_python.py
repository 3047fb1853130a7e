"""Prints the newest Python that is installed, if it is newer than the one that runs this: for `make test-newest`.

It looks into the folders of `PATH` and at the versions that pyenv has installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

NAME: Final = re.compile(r"python3\.(\d+)")
USABLE: Final = "import ensurepip, sys, venv; sys.exit(sys.version_info.releaselevel != 'final')"


def folders() -> Iterator[Path]:
    """The folders in which Pythons are looked for."""
    yield from map(Path, os.get_exec_path())
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/*/bin"))


def newest(places: Iterable[Path], minor: int) -> Path | None:
    """The newest Python in these folders that is newer than 3.`minor`, or None.

    A name may lead nowhere (pyenv's shims), and a Python may be unable to make virtual environments (Debian's, without
    a further package). Such ones are left out, and so are those that are not released yet.
    """
    found: list[tuple[int, Path]] = []
    for place in places:
        for file in place.glob("python3.*"):
            name = NAME.fullmatch(file.name)
            if name is not None and int(name[1]) > minor:
                found.append((int(name[1]), file))
    ordered = sorted(found, key=lambda each: each[0], reverse=True)
    return next((file for _minor, file in ordered if _is_usable(file)), None)


def _is_usable(python: Path) -> bool:
    try:
        return subprocess.run([python, "-c", USABLE], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    sys.stdout.write(str(newest(folders(), sys.version_info.minor) or ""))
