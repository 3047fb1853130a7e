"""Weighs the product: `make check` runs it, and fails if a figure is above its budget.

`python -m tools.weight` shows the figures, the budgets and the goals. A budget stands a little above what is true. It
is lowered together with its figure; if it must be raised, the reason is written here.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("bot", "cogs", "engine")
_NO_CODE: Final = frozenset(
    {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
        *(tokenize.ENCODING, tokenize.ENDMARKER),
    }
)


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a figure may be, what it is to become, and why the budget is what it is."""

    name: str
    most: int
    goal: int
    reason: str


BUDGETS: Final = (
    Budget(
        "lines of product",
        75_330,
        66_000,
        "Reviews of Artifacts, Inc. play both moves on and tell what differs at the end, which no reason could.",
    ),
    Budget("lines of code", 51_445, 40_000, "The same without blanks and comments."),
    Budget("files of product", 413, 360, "Small modules that are read together belong together."),
    Budget(
        "lines of tests",
        88_810,
        60_000,
        "Rules have oracles, screens written matches; hints and what stays among the news have properties.",
    ),
    Budget("lines of docs", 4_210, 3_500, "The pages in docs, without their pictures and data."),
)


def figures(root: Path = ROOT) -> dict[str, int]:
    """The figures of the tree at `root`, by the name of their budget."""
    product = [text for room in PRODUCT for text in _texts(root / room, "*.py")]
    return {
        "lines of product": sum(map(_lines, product)),
        "lines of code": sum(map(lines_of_code, product)),
        "files of product": len(product),
        "lines of tests": sum(map(_lines, _texts(root / "tests", "*.py"))),
        "lines of docs": sum(map(_lines, _texts(root / "docs", "*.md"))),
    }


def _texts(folder: Path, pattern: str) -> Iterator[str]:
    return (path.read_text(encoding="utf-8") for path in sorted(folder.rglob(pattern)))


def _lines(text: str) -> int:
    return len(text.splitlines())


def lines_of_code(source: str) -> int:
    """The lines of a Python source that hold code. Docstrings are none, other texts are."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    code = {
        line
        for token in tokens
        if token.type not in _NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(code.difference(*map(_span, filter(_is_docstring, ast.walk(ast.parse(source))))))


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _span(node: ast.AST) -> range:
    assert isinstance(node, ast.Expr)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def excesses(found: dict[str, int], budgets: tuple[Budget, ...] = BUDGETS) -> list[str]:
    """A sentence for each figure that is above its budget."""
    return [
        f"{one.name}: {found[one.name]:,} are more than the budget of {one.most:,}. {one.reason}"
        for one in budgets
        if found[one.name] > one.most
    ]


def main() -> int:
    """Prints the table. Returns 1 if a figure is above its budget, else 0."""
    found = figures()
    print(f"{'':<18}{'is':>9}{'budget':>9}{'goal':>9}")
    for one in BUDGETS:
        print(f"{one.name:<18}{found[one.name]:>9,}{one.most:>9,}{one.goal:>9,}")
    for sentence in excesses(found):
        print(sentence, file=sys.stderr)
    return 1 if excesses(found) else 0


if __name__ == "__main__":
    sys.exit(main())
