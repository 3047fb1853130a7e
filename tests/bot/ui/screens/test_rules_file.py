"""Files of rules: how their lines are shown, what translators get of them, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ui.screens.game_screens import Page
from bot.ui.screens.pages import read_rules, texts_of

RULES = "\n".join(
    [
        *(
            "<!-- For writers. -->",
            "# The game",
            "",
            "You win {star}.",
            "",
            "**Dig**, then:",
            "* one",
            "- two",
        ),
        *("  and more", "", "{own}", "{cards}", "", "# {pictures}", "# The end", "", "Over.", ""),
    ]
)
FIELDS = {"star": "⭐", "own": "", "cards": "Coin\nMap"}
MADE = {"pictures": [Page("A picture", "")]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "rules.md"
    file.write_text(RULES, encoding="utf-8")
    return file


def test_headings_begin_pages_and_fields_stand_for_what_the_game_makes(file: Path) -> None:
    assert read_rules(file, FIELDS, MADE) == [
        Page("The game", "You win ⭐.\n\n**Dig**, then:\n- one\n- two and more\n\nCoin\nMap"),
        *MADE["pictures"],
        Page("The end", "Over."),
    ]


def test_a_long_page_is_divided_between_lines(file: Path) -> None:
    file.write_text("# Rulings\n\n" + "\n".join(["* " + "word " * 100] * 12), encoding="utf-8")
    pages = read_rules(file, {}, {})
    assert [(page.title, page.text.count("word")) for page in pages] == [("Rulings", 600), ("Rulings", 600)]


def test_translators_get_each_line_without_its_mark_and_no_field_alone(file: Path) -> None:
    found = ["The game", "You win {star}.", "**Dig**, then:", "one", "- two", "and more", "The end", "Over."]
    assert texts_of(file) == found


@pytest.mark.parametrize("lacking", ["star", "cards", "pictures"])
def test_a_field_that_the_game_does_not_give_is_named(file: Path, lacking: str) -> None:
    fields = {key: value for key, value in FIELDS.items() if key != lacking}
    made = {key: value for key, value in MADE.items() if key != lacking}
    with pytest.raises(ValueError, match=rf"rules\.md: the game gives nothing for '{lacking}'"):
        read_rules(file, fields, made)
