"""Prints a release's section of CHANGELOG.md, if the tag, pyproject.toml and the changelog name the same version.

python -m tools.release_notes v0.1.0
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class NotReady(Exception):
    """The tag cannot be released. The text says why."""


def notes_of(tag: str, project: str, changelog: str) -> str:
    """The section of the tag's version, without its heading. Raises `NotReady`."""
    version = tomllib.loads(project)["project"]["version"]
    if tag != f"v{version}":
        raise NotReady(f"The tag is {tag}, but pyproject.toml has version {version}.")
    heading = re.compile(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", re.MULTILINE)
    found = heading.search(changelog)
    if found is None:
        raise NotReady(f"CHANGELOG.md has no section with a date, such as: ## [{version}] - 2026-01-31.")
    section = re.split(r"^(?:## |\[[^\]]+\]: )", changelog[found.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    if not section.strip():
        raise NotReady(f"The section {version} of CHANGELOG.md is empty.")
    return section.strip() + "\n"


def main() -> int:
    """Returns 0, or 1 if the tag cannot be released."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    project, changelog = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "CHANGELOG.md")
    )
    try:
        sys.stdout.write(notes_of(sys.argv[1], project, changelog))
    except NotReady as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
