"""The tool that gives texts other words changes the code and keeps the translations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tools import texts
from tools.reword import formatted, reword_catalogue, reworded, reworded_data

CHANGES = {"You wish to end it.": "You want to end it.", "{n} cup": "{n} mug", "{n} cups": "{n} mugs"}


def test_a_text_is_found_however_it_is_divided_in_the_code() -> None:
    source = 'é = (_("You wish " "to end it."), ngettext("{n} cup", "{n} cups", 2), "other")\n'
    assert reworded(source, CHANGES) == (
        'é = (_("You want to end it."), ngettext("{n} mug", "{n} mugs", 2), "other")\n'
    )


def test_a_text_of_a_lesson_or_of_the_rules_is_found_in_its_file() -> None:
    assert reworded_data('do = "You wish to end it."\n', CHANGES) == 'do = "You want to end it."\n'
    rules = "# {n} cup\n\n* {n} cups\nYou wish to end it. {n} cup\n"
    assert reworded_data(rules, CHANGES) == "# {n} mug\n\n* {n} mugs\nYou wish to end it. {n} cup\n"


@pytest.mark.parametrize(
    "source", ['say = ("x")', 'say = "x"', 'say = _("x")', "def f():\n    return 'x'\nsay = f()"]
)
def test_a_long_text_is_divided_and_stays_the_same(source: str) -> None:
    long = "word " * 60 + "“é”"
    code = formatted(reworded(source, {"x": long}))
    scope: dict[str, Any] = {"_": str}
    exec(code, scope)
    assert scope["say"] == long
    assert max(map(len, code.splitlines())) < 120


def test_translations_contexts_and_plurals_stay_with_the_new_words(tmp_path: Path) -> None:
    file = tmp_path / "de" / "LC_MESSAGES" / "digsite.po"
    catalog = Catalog(locale="de", fuzzy=False)
    catalog.add("You wish to end it.", "Du willst Schluss machen.", context="vote")
    catalog.add(("{n} cup", "{n} cups"), ("{n} Becher", "{n} Becher."))
    catalog.add("other", "anderes")
    texts.write(catalog, file)
    reword_catalogue(file, CHANGES)
    with file.open("rb") as text:
        new = read_po(text, locale="de")
    assert {(m.context, m.id): m.string for m in new if m.id} == {
        ("vote", "You want to end it."): "Du willst Schluss machen.",
        (None, ("{n} mug", "{n} mugs")): ("{n} Becher", "{n} Becher."),
        (None, "other"): "anderes",
    }
