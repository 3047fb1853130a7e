"""The documents: their links lead somewhere, the README is short, and the page on settings lists every setting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.settings import Settings

ROOT = Path(__file__).parents[1]
LONGEST_README = 120
"""Lines."""
WIDEST = 120
"""Characters in a line of the pages that people read as plain text."""
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]*\ssrc=\"([^\"]+)\"")
_CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


def documents() -> list[str]:
    """All Markdown files of the repository, by their paths."""
    folders = (ROOT, *(ROOT / name for name in ("docs", ".github", "findings", "tests", "tools")))
    shallow = sorted(file for folder in folders[:1] for file in folder.glob("*.md"))
    deep = sorted(file for folder in folders[1:] for file in folder.rglob("*.md"))
    return [file.relative_to(ROOT).as_posix() for file in (*shallow, *deep)]


@cache
def prose(file: Path) -> str:
    """A document without its blocks of code."""
    return _CODE.sub("", file.read_text(encoding="utf-8"))


@cache
def anchors(file: Path) -> frozenset[str]:
    """The anchors of a document's headings, as GitHub makes them.

    Punctuation is left out, and a heading that is there already gets a number.
    """
    made: dict[str, int] = {}
    found: set[str] = set()
    for heading in _HEADING.findall(prose(file)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.add(f"{anchor}-{made[anchor]}" if anchor in made else anchor)
        made[anchor] = made.get(anchor, 0) + 1
    return frozenset(found)


def broken_links(file: Path) -> Iterator[str]:
    """The relative links of a document that lead to no file, or to no heading of one."""
    for link in (one or other for one, other in _LINK.findall(_INLINE_CODE.sub("", prose(file)))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _hash, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            yield link


def test_the_documents_are_found() -> None:
    assert {"README.md", "CONTRIBUTING.md", "docs/operating.md", "docs/settings.md"} <= set(documents())


@pytest.mark.parametrize("name", documents())
def test_every_relative_link_leads_to_a_file_and_to_a_heading(name: str) -> None:
    assert list(broken_links(ROOT / name)) == []


@pytest.mark.parametrize("name", ["CHANGELOG.md", "PRIVACY.md"])
def test_lines_of_plain_pages_are_no_wider_than_a_window(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > WIDEST] == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    text = "# One, *two*\n## Same\n## Same\n[a](#one-two) [b](#same-1) [c](#none) [d](no.md) [e](page.md#two)"
    file.write_text(
        text + '\n```\n# Code\n[f](no.md)\n```\n`[g](no.md)` <img src="no.png">', encoding="utf-8"
    )
    assert list(broken_links(file)) == ["#none", "no.md", "page.md#two", "no.png"]


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST_README


def test_the_page_on_settings_lists_every_setting() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    assert listed == {name.upper() for name in Settings.model_fields} | {
        "DISCORD_TOKEN_FILE",
        "DATABASE_URL_FILE",
    }
