"""Files of rules: how their lines are shown, what translators get of them, and what is said of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ui.screens.game_screens import Page
from bot.ui.screens.pages import read_rules, texts_of

RULES = """<!-- For writers. -->

# The game

You win {star}.

**Dig**, then:
* one
- two
  and more

{own}
{cards}

# {pictures}

# The end

Over.
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "rules.md"
    file.write_text(RULES, encoding="utf-8")
    return file


def test_headings_begin_pages_and_fields_stand_for_what_the_game_makes(file: Path) -> None:
    picture = Page("A picture", "")
    fields = {"star": "⭐", "own": "", "cards": "Coin\nMap"}
    assert read_rules(file, fields, {"pictures": [picture]}) == [
        Page("The game", "You win ⭐.\n\n**Dig**, then:\n- one\n- two and more\n\nCoin\nMap"),
        picture,
        Page("The end", "Over."),
    ]


def test_a_long_page_is_divided_between_lines(tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    file.write_text("# Rulings\n\n" + "* " + "\n* ".join(["word " * 100] * 12), encoding="utf-8")
    pages = read_rules(file, {}, {})
    assert [page.title for page in pages] == ["Rulings", "Rulings"]
    assert sum(len(page.text.split("\n")) for page in pages) == 12


def test_translators_get_each_line_without_its_mark_and_no_field_alone(file: Path) -> None:
    assert texts_of(file) == [
        "The game",
        "You win {star}.",
        "**Dig**, then:",
        "one",
        "- two",
        "and more",
        "The end",
        "Over.",
    ]


@pytest.mark.parametrize("lacking", ["star", "cards", "pictures"])
def test_a_field_that_the_game_does_not_give_is_named(file: Path, lacking: str) -> None:
    fields = {"star": "⭐", "own": "", "cards": ""}
    made = {"pictures": list[Page]()}
    fields.pop(lacking, None)
    made.pop(lacking, None)
    with pytest.raises(ValueError, match=rf"rules\.md: the game gives nothing for '{lacking}'"):
        read_rules(file, fields, made)
