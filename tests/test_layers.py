"""The rings of the design: `cogs → bot → engine`, and an engine without clock, files, network or stray chance."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.registry import load_games, packages

ROOT = Path(__file__).parents[1]

IMPURE = {
    "asyncio", "concurrent", "ctypes", "datetime", "getpass", "glob", "http", "io", "locale", "logging",
    "multiprocessing", "os", "platform", "queue", "sched", "secrets", "select", "selectors", "shutil", "signal",
    "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid", "zoneinfo",
}  # fmt: skip
"""Modules that the engine does not use: clocks, threads, files, networks, chance that nobody can replay."""

READS_FILES = {"engine/registry.py"}
"""The one module of the engine that opens files: an owner's card lists."""

GAMES = sorted({*packages(), *load_games()})
"""The names of the games' packages, and the keys under which they are played."""


class Import(NamedTuple):
    """`import module` or, with a name, `from module import name`."""

    file: str
    line: int
    module: str
    name: str = ""

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def nodes(file: Path) -> tuple[ast.Import | ast.ImportFrom | ast.Call, ...]:
    """The imports of a module, and its calls of bare names. The rest of its tree is not kept."""
    walked = ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file)))
    return tuple(
        node
        for node in walked
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    )


@cache
def imports(folder: str) -> tuple[Import, ...]:
    """Every import in a package, those inside functions too. Relative ones are within the package."""
    return tuple(_imports(folder))


def _imports(folder: str) -> Iterator[Import]:
    for file in sources(folder):
        name = file.relative_to(ROOT).as_posix()
        for node in nodes(file):
            if isinstance(node, ast.Import):
                yield from (Import(name, node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = node.module or "" if not node.level else f"{folder}.{node.module or ''}"
                yield from (Import(name, node.lineno, module, alias.name) for alias in node.names)


def calls(folder: str) -> Iterator[tuple[str, ast.Call, str]]:
    """Every call of a bare name in a package."""
    for file in sources(folder):
        for node in nodes(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield file.relative_to(ROOT).as_posix(), node, node.func.id


def test_there_is_something_to_look_at():
    for folder in ("engine", "bot", "cogs"):
        assert len(sources(folder)) > 3
        assert list(imports(folder))


@pytest.mark.parametrize(
    ("folder", "above"), [("engine", {"bot", "cogs", "tests"}), ("bot", {"cogs", "tests"})]
)
def test_imports_run_one_way(folder: str, above: set[str]):
    assert [found for found in imports(folder) if found.top in above] == []


def test_cogs_do_not_import_the_tests():
    assert [found for found in imports("cogs") if found.top == "tests"] == []


COMPOSITION_ROOT = "bot/__main__.py"
HOLDS_EVERYTHING = {"bot.app", "bot.cli", "bot.__main__", "bot.playground"}
"""Made of all other parts: they are given the cogs, and the cogs are given the host."""
LEAVES = {
    *("background", "clock", "database_url", "language", "processes", "ratings", "settings", "time_zones"),
    "version",
}
"""The modules of `bot` that lie in no package. Each package may import them; they import each other alone."""
FLOORS: dict[str, set[str]] = {
    "store": set(),
    "art": set(),
    "playground": {"store"},
    "fleet": {"store"},
    "gateway": {"store"},
    "observability": {"fleet", "gateway"},
    "tables": {"fleet", "observability", "store"},
    "ratelimit": {"store", "tables"},
    "ui": {"art", "fleet", "gateway", "observability", "ratelimit", "store", "tables"},
    "replay": {"art", "gateway", "observability", "ratelimit", "store", "tables", "ui"},
    "people": {"art", "fleet", "gateway", "observability", "store", "tables", "ui"},
    "app": {
        *(
            "art",
            "fleet",
            "gateway",
            "observability",
            "people",
            "ratelimit",
            "replay",
            "store",
            "tables",
            "ui",
        ),
    },
    "cli": {"app", "art", "observability", "people", "playground", "replay", "store", "tables", "ui"},
}
"""The packages of `bot`, lowest first, and which other packages each imports. docs/architecture.md draws them."""


def test_only_the_composition_root_loads_a_package_by_its_name():
    loading = {
        found.file
        for folder in ("bot", "cogs")
        for found in imports(folder)
        if found.module == "importlib" and found.name in ("", "import_module")
    }
    assert loading == {COMPOSITION_ROOT}
    assert [file for file, _, name in calls("bot") if name == "__import__"] == []


def test_cogs_know_no_package_that_holds_everything_but_the_host_that_they_are_given():
    given = {"bot.app.host.Host", "bot.app.controls", "bot.app.operator"}
    named = [(found, {found.module, f"{found.module}.{found.name}"}) for found in imports("cogs")]
    held = [
        found
        for found, modules in named
        if not modules & given
        and any(f"{m}.".startswith(f"{each}.") for m in modules for each in HOLDS_EVERYTHING)
    ]
    assert held == []


def room(module: str) -> str:
    """The package of `bot` in which a module lies, or the module itself if it lies in none."""
    return module.split(".")[1] if "." in module else module


def rooms_that(package: str) -> set[str]:
    """The other packages and leaves that a package of `bot` imports, type checking included."""
    inside = [found for found in imports("bot") if room(module_name(ROOT / found.file)) == package]
    named = {
        room(f"bot.{found.name}" if found.module == "bot" else found.module)
        for found in inside
        if found.top == "bot"
    }
    return named - {package}


def test_nothing_lies_loose_beside_the_leaves_and_the_composition_root():
    loose = {file.stem for file in (ROOT / "bot").glob("*.py")}
    assert loose == {*LEAVES, "__init__", "__main__"}
    packages_of_bot = {file.parent.name for file in (ROOT / "bot").glob("*/__init__.py")}
    assert packages_of_bot == {*FLOORS}


@pytest.mark.parametrize("package", FLOORS)
def test_a_package_imports_what_its_floor_allows_and_nothing_is_allowed_in_vain(package: str):
    assert rooms_that(package) - LEAVES == FLOORS[package]


@pytest.mark.parametrize("leaf", sorted(LEAVES))
def test_a_leaf_imports_leaves_alone(leaf: str):
    assert rooms_that(leaf) <= LEAVES


def test_no_packages_import_each_other():
    """Each package stands on a floor above all that it imports."""
    order = list(TopologicalSorter(FLOORS).static_order())
    assert {*order} == {*FLOORS}
    for number, package in enumerate(FLOORS):
        assert FLOORS[package] <= {*list(FLOORS)[:number]}, f"{package} stands below what it imports"


def test_the_page_on_architecture_draws_every_package_on_its_floor_and_names_files_that_exist():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = page.split("```")[1]
    drawn = [line.split()[0] for line in drawing.splitlines() if re.match(r" {3}[a-z]", line)]
    assert [name for name in reversed(drawn) if name in FLOORS] == [*FLOORS]
    assert set(next(line for line in drawing.splitlines() if "leaves" in line).split()[1:]) == LEAVES
    named = {path for path in re.findall(r"`([\w./-]+/[\w./-]*)`", page) if "GAME" not in path}
    assert len(named) > 30
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_screens_import_nothing_of_what_puts_them_on_messages():
    """They make screens of views; the modules around them answer presses, and edit messages with the screens."""
    around = [
        found
        for found in imports("bot")
        if re.match(r"bot/(ui/screens/|people/.*/screens\.py)", found.file)
        and found.module.startswith("bot.ui")
        and not f"{found.module}.".startswith("bot.ui.screens.")
    ]
    assert around == []


def test_no_modules_of_the_host_or_the_cogs_import_each_other():
    """Round a circle there is no order in which they could be read: `first → … → first` is such a circle."""
    known = {module_name(file) for folder in ("bot", "cogs") for file in sources(folder)}
    wanted: dict[str, set[str]] = {module: set() for module in known}
    for found in (*imports("bot"), *imports("cogs")):
        inner = f"{found.module}.{found.name}"
        target = inner if inner in known else found.module
        if target in known:
            wanted[module_name(ROOT / found.file)].add(target)
    assert sum(map(len, wanted.values())) > 100
    try:
        list(TopologicalSorter(wanted).static_order())
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def module_name(file: Path) -> str:
    """`bot.ui.screens.kit` for its file."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_the_engine_stands_on_the_standard_library_and_pydantic_alone():
    allowed = sys.stdlib_module_names | {"engine", "pydantic"}
    assert [found for found in imports("engine") if found.top not in allowed] == []


def test_the_engine_knows_no_clock_no_thread_and_no_network():
    assert [found for found in imports("engine") if found.top in IMPURE] == []


def test_the_engine_opens_no_files_but_card_lists():
    assert [f for f in imports("engine") if f.top == "pathlib" and f.file not in READS_FILES] == []
    assert [file for file, _, name in calls("engine") if name in ("open", "print", "input")] == []
    resources = [f for f in imports("engine") if f.top == "importlib" and f.file not in READS_FILES]
    assert {f.name for f in resources} <= {"resources"}


def test_the_engine_draws_from_no_global_chance():
    assert [f for f in imports("engine") if f.top == "random" and f.name != "Random"] == []
    unseeded = [file for file, call, name in calls("engine") if name == "Random" and not call.args]
    assert unseeded == []


def test_the_host_names_no_game():
    """Nor do its texts: what is said of a game comes from the game's own package."""
    pattern = re.compile(rf"\b({'|'.join(GAMES)})\b", re.IGNORECASE)
    named = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in sources("bot")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert named == []


def test_the_host_imports_no_game():
    assert [f for f in imports("bot") if f.module.split(".")[1:2] and f.module.split(".")[1] in GAMES] == []


def test_the_games_engines_do_not_import_each_other():
    """Code that two games share stands in a package that is no game (`treasures`, `agents`)."""
    for game in GAMES:
        folder = f"engine/{game}"
        others = {f"engine.{other}" for other in GAMES if other != game}
        assert [f for f in imports(folder) if any(f"{f.module}.".startswith(f"{o}.") for o in others)] == []
