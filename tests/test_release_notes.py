"""The notes of a release: the changelog's section, if tag, project and changelog agree."""

from __future__ import annotations

import pytest

from tools.release_notes import NotReady, notes_of

PROJECT = '[project]\nversion = "0.2.0"\n'
CHANGELOG = """# Changes

## [Unreleased]

- Not yet.

## [0.2.0] - 2026-12-24

### Added

- A game.

## [0.1.0] - 2026-11-22

- All of it.

[0.1.0]: https://example.org/0.1.0
"""


def test_the_notes_are_the_section_of_the_version() -> None:
    assert notes_of("v0.2.0", PROJECT, CHANGELOG) == "### Added\n\n- A game.\n"


def test_the_oldest_sections_notes_end_before_the_links() -> None:
    assert notes_of("v0.1.0", PROJECT.replace("0.2.0", "0.1.0"), CHANGELOG) == "- All of it.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "why"),
    [
        ("v0.3.0", CHANGELOG, "pyproject.toml has version 0.2.0"),
        ("0.2.0", CHANGELOG, "pyproject.toml has version 0.2.0"),
        ("v0.2.0", CHANGELOG.replace(" - 2026-12-24", ""), "no section with a date"),
        ("v0.2.0", CHANGELOG.replace("### Added\n\n- A game.\n", ""), "is empty"),
    ],
)
def test_a_tag_that_does_not_fit_is_no_release(tag: str, changelog: str, why: str) -> None:
    with pytest.raises(NotReady, match=why):
        notes_of(tag, PROJECT, changelog)
