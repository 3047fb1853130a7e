"""What holds for the whole codebase: its form, its types, its texts, and that it can be installed."""

from __future__ import annotations

import ast
import fnmatch
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tools.texts import TEMPLATE, collect

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "bot", "cogs")
BIN = Path(sys.executable).parent


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def passes(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_linter_finds_nothing() -> None:
    passes(str(BIN / "ruff"), "check", ".")


def test_the_code_is_in_its_standard_form() -> None:
    passes(str(BIN / "ruff"), "format", "--check", ".")


def test_the_types_hold() -> None:
    passes(str(BIN / "pyright"))


def test_no_file_and_no_function_grows_too_long() -> None:
    for file in sources(*PACKAGES, "tests", "tools"):
        text = file.read_text(encoding="utf-8")
        assert text.count("\n") < 1000, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 100, f"{file}: {node.name}"


def test_every_module_says_what_it_is_for() -> None:
    for file in sources(*PACKAGES, "tools"):
        assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))), file


def test_an_installed_digsite_has_all_its_files() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*"):
            name = file.relative_to(ROOT / package).as_posix()
            if file.is_dir() or "__pycache__" in name or file.suffix in (".py", ".pot"):
                continue
            assert any(fnmatch.fnmatch(name, pattern) for pattern in patterns.get(package, [])), file


def texts_of(catalogue: Catalog) -> set[tuple[str, ...]]:
    return {tuple(_forms(message.id)) for message in catalogue if message.id}


def test_the_template_holds_every_text_of_the_code() -> None:
    with TEMPLATE.open("rb") as file:
        assert texts_of(collect()) == texts_of(read_po(file)), "run `make texts`"


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def _forms(text: object) -> list[str]:
    """A message's one form, or its plural forms."""
    return [str(form) for form in text] if isinstance(text, tuple | list) else [str(text or "")]


CATALOGUES = sorted((ROOT / "bot" / "locales").glob("*/LC_MESSAGES/digsite.po"))


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parts[-3])
def test_every_text_is_translated_with_the_same_fields(file: Path) -> None:
    with TEMPLATE.open("rb") as template:
        wanted = texts_of(read_po(template))
    with file.open("rb") as text:
        catalogue = read_po(text, locale=file.parts[-3])
    assert texts_of(catalogue) == wanted, "run `make texts`"
    for message in catalogue:
        if not message.id:
            continue
        strings = _forms(message.string)
        fields = {field for text in _forms(message.id) for field in _fields(text)}
        for translated in strings:
            assert translated, f"{message.id!r} is not translated"
            assert _fields(translated) <= fields, f"{message.id!r}: {translated!r}"
            if len(strings) == 1:
                assert _fields(translated) == fields, f"{message.id!r}: {translated!r}"
