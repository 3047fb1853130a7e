"""The weight of the product: what counts as code, and what is said of a figure above its budget."""

from __future__ import annotations

from pathlib import Path

from tools.weight import BUDGETS, PRODUCT, Budget, excesses, figures, lines_of_code

SOURCE = '''"""A module,
in two lines."""

# a reason
X = 1
"""What it is."""


def act() -> str:
    """What it does."""
    return """a text
    in two lines"""  # and why
'''


def test_code_is_what_is_neither_blank_nor_comment_nor_docstring() -> None:
    assert lines_of_code(SOURCE) == 4


def test_figures_are_those_of_the_files_of_each_kind(tmp_path: Path) -> None:
    for name in (*PRODUCT, "tests", "docs/examples"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "bot" / "one.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "engine" / "two.py").write_text("X = 1\n", encoding="utf-8")
    (tmp_path / "engine" / "cards.json").write_text("{}\n", encoding="utf-8")
    (tmp_path / "tests" / "three.py").write_text("\n\n", encoding="utf-8")
    (tmp_path / "docs" / "examples" / "page.md").write_text("# A page\n", encoding="utf-8")
    found = figures(tmp_path)
    assert list(found.values()) == [13, 5, 2, 2, 1]
    assert list(found) == [budget.name for budget in BUDGETS]


def test_figure_above_its_budget_is_named_with_the_reason_and_one_at_it_is_not() -> None:
    budgets = (Budget("files", 3, 2, "Few are better."), Budget("lines", 9, 9, "Short is better."))
    assert excesses({"files": 4, "lines": 9}, budgets) == [
        "files: 4 are more than the budget of 3. Few are better."
    ]
    assert excesses({"files": 3, "lines": 8}, budgets) == []
