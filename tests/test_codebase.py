"""Invariants of the whole codebase: its sizes, its texts, and that it can be installed."""

from __future__ import annotations

import ast
import fnmatch
import re
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot.language import CASES, PUBLISHED
from tests.texts import collected
from tools.texts import KEYWORDS, LOCALES, NOUNS, TEMPLATE, complete, read, with_cases

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "bot", "cogs")


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_modules_classes_functions_and_parameters_keep_their_limits() -> None:
    for file in sources(*PACKAGES):
        text = file.read_text(encoding="utf-8")
        assert text.count("\n") <= 450 or "art" in file.parts, file  # drawings are data
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                assert _lines(node) <= 300, f"{file}: {node.name}"
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert _lines(node) <= 50, f"{file}: {node.name}"
                arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                given = [each.arg for each in arguments if each.arg not in ("self", "cls")]
                assert len(given) <= 6, f"{file}: {node.name}"


def test_no_test_module_and_no_function_of_one_grows_too_long() -> None:
    for file in sources("tests", "tools"):
        text = file.read_text(encoding="utf-8")
        assert text.count("\n") < 1000, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert _lines(node) <= 100, f"{file}: {node.name}"


def _lines(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or 0) - node.lineno + 1


def test_every_module_says_what_it_is_for() -> None:
    for file in sources(*PACKAGES, "tools"):
        assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))), file


def test_what_builds_and_runs_is_pinned_by_hash_in_the_versions_that_are_tested() -> None:
    pin = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)

    def pins(text: str) -> dict[str, str]:
        return {re.sub(r"[._-]+", "-", name).lower(): version for name, version in pin.findall(text)}

    hashed = (ROOT / "constraints-hashed.txt").read_text(encoding="utf-8")
    tested = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    assert pins(hashed).items() <= tested.items()
    parts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, builds = parts["project"], parts["build-system"]["requires"]
    wanted = [*builds, *project["dependencies"], *project["optional-dependencies"]["postgres"]]
    names = {re.sub(r"[._-]+", "-", re.split(r"[<>=\[; ]", each)[0]).lower() for each in wanted}
    assert names <= pins(hashed).keys()
    for entry in re.split(r"\n(?=\S)", hashed):
        assert entry.startswith("#") or "--hash=sha256:" in entry


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["postgres"], *extras["play"]]
    declared = {re.sub(r"[._-]+", "-", re.split(r"[<>=\[; ]", each)[0]).lower() for each in wanted}
    providers = packages_distributions()
    for file in sources(*PACKAGES):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in {each.partition(".")[0] for each in names} - sys.stdlib_module_names - {*PACKAGES}:
                found = {re.sub(r"[._-]+", "-", each).lower() for each in providers[name]}
                assert found & declared, f"{file} imports {name}"


def test_the_source_archive_has_whatever_the_repository_has() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no repository")
    lines = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    named = [name for line in lines if line.startswith(("include", "graft")) for name in line.split()[1:]]
    always = ["pyproject.toml", "MANIFEST.in"]  # by setuptools
    for name in {file.partition("/")[0] for file in listed.stdout.splitlines()}:
        assert any(fnmatch.fnmatch(name, pattern) for pattern in [*named, *always]), name


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
    """Each text with its context and its places, as translators get it."""
    return {
        (message.context or "", *_forms(message.id), *sorted(file for file, _line in message.locations))
        for message in catalogue
        if message.id
    }


def shared_words(catalogue: Catalog) -> list[str]:
    """The single words that stand in several packages and have no context: each may want another translation."""
    found: list[str] = []
    for message in catalogue:
        packages = {file.rpartition("/")[0] for file, _line in message.locations}
        (*_several, text) = _forms(message.id)
        alone = len(re.findall(r"\w+", text)) == 1 and not _fields(text)
        if alone and not message.context and len(packages) > 1:
            found.append(f"{text!r} in {', '.join(sorted(packages))}")
    return found


def test_a_single_word_that_stands_in_several_places_says_what_it_is() -> None:
    assert not shared_words(collected()), "use `pgettext` with a context"


def test_a_word_that_two_games_share_is_found_unless_it_has_a_context() -> None:
    catalogue = Catalog()
    for word, context in (("Mine", None), ("Mine", "monument"), ("Two words", None), ("**Log**", None)):
        for game in ("one", "two"):
            catalogue.add(word, locations=[(f"cogs/{game}/screens.py", 0)], context=context)
    catalogue.add("Alone", locations=[("cogs/one/screens.py", 0)] * 2)
    assert sorted(shared_words(catalogue)) == [
        f"{word!r} in cogs/one, cogs/two" for word in ("**Log**", "Mine")
    ]


def test_translators_read_where_a_text_stands_what_it_is_and_what_is_said_of_it() -> None:
    template = read(TEMPLATE)
    assert all(message.locations for message in template if message.id)
    mine = template.get("Mine", context="monument")
    assert mine is not None
    assert mine.locations == [("cogs/expedition/monuments.py", None)]
    turn = template.get("it's your turn.")
    assert turn is not None
    assert "follows a name" in turn.auto_comments[0]


def test_no_text_is_hidden_from_the_collector_inside_an_f_string() -> None:
    """Babel does not look into the braces of an f-string where Python takes it for one token, up to 3.11."""
    for file in sources("bot", "cogs"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        braces = [node for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)]
        inside = [node for brace in braces for node in ast.walk(brace) if isinstance(node, ast.Call)]
        called = {node.func.id for node in inside if isinstance(node.func, ast.Name)}
        assert not called & {*KEYWORDS, *NOUNS}, file


def test_the_template_holds_every_text_of_the_code() -> None:
    assert texts_of(collected()) == texts_of(read(TEMPLATE)), "run `make texts`"


def _fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def _cases(text: str) -> set[str]:
    """The cases for which a translation asks."""
    return {spec for _text, name, spec, _conversion in string.Formatter().parse(text) if name and spec}


def _forms(text: object) -> list[str]:
    """A message's one form, or its plural forms."""
    return [str(form) for form in text] if isinstance(text, tuple | list) else [str(text or "")]


CATALOGUES = sorted(LOCALES.glob("*/LC_MESSAGES/digsite.po"))


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.parts[-3])
def test_translations_have_the_same_fields(file: Path) -> None:
    wanted = texts_of(with_cases(read(TEMPLATE), file.parts[-3]))
    catalogue = read(file, file.parts[-3])
    assert texts_of(catalogue) == wanted, "run `make texts`"
    for message in catalogue:
        if not message.id:
            continue
        strings = _forms(message.string)
        fields = {field for text in _forms(message.id) for field in _fields(text)}
        for translated in filter(None, strings):
            assert _fields(translated) <= fields, f"{message.id!r}: {translated!r}"
            if len(strings) == 1:
                assert _fields(translated) == fields, f"{message.id!r}: {translated!r}"
            assert _cases(translated) <= {*CASES.get(file.parts[-3], ())}, f"{message.id!r}: {translated!r}"


@pytest.mark.parametrize("language", PUBLISHED)
def test_every_text_of_a_published_language_is_translated(language: str) -> None:
    for message in read(LOCALES / language / "LC_MESSAGES" / "digsite.po", language):
        assert not message.fuzzy, f"{message.id!r} is fuzzy: its translation would not be shown"
        assert not message.id or complete(message), f"{message.id!r} is not translated"
