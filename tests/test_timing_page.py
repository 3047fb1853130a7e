"""docs/timing.md shows the times and sizes that hold, and every component's dataclass is on it."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import pytest

from tools.timing import COMPONENTS, PAGE, meanings_of, page

ROOT = Path(__file__).parents[1]
AGGREGATES = {"AppTiming"}
"""Classes that only hold those of components."""


def test_the_page_of_times_and_sizes_is_what_the_program_makes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.timing`"


def test_every_dataclass_of_times_and_sizes_is_on_the_page() -> None:
    named = {
        node.name
        for file in (ROOT / "bot").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Timing", "Limits"))
    }
    # `Limits` and `TableLimits` are those that the operator sets.
    assert named - AGGREGATES - {"Limits", "TableLimits"} == {component.__name__ for component in COMPONENTS}


@pytest.mark.parametrize("component", COMPONENTS)
def test_times_and_sizes_are_frozen_and_each_says_what_it_means(component: type) -> None:
    with pytest.raises(AttributeError):
        setattr(component(), fields(component)[0].name, 1)
    assert meanings_of(component).keys() == {field.name for field in fields(component)}
