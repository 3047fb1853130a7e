"""The sample of docs/adding-a-game.md, copied as the page says, passes what tests ask of a game, under its new name."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.system

ROOT: Final = Path(__file__).parents[1]
OF_ALL_GAMES: Final = (
    *("test_codebase", "test_documents", "test_emoji", "test_fairness_page", "test_layers", "test_texts"),
    *("engine/test_playthroughs", "engine/test_record_oracle", "engine/test_registry"),
    *("engine/agents/test_conduct", "engine/agents/test_secrecy"),
    *(
        "cogs/test_characters",
        "cogs/test_commands",
        "cogs/test_credits",
        "cogs/test_feats",
        "cogs/test_signs",
    ),
)
"""The modules with tests that look at all games together."""

QUICK: Final = ("-m", "not system and not exhaustive")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a game Mirage, made from the sample by the commands on the page."""
    project = tmp_path_factory.mktemp("copy") / "digsite"
    left_out = shutil.ignore_patterns(
        ".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis", "data", "*.egg-info"
    )
    shutil.copytree(ROOT, project, ignore=left_out)
    page = (project / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (commands,) = re.findall(r"1\. Copy the sample.*?```sh\n(.*?)```", page, re.DOTALL)
    commands = commands.replace("dunes", "mirage").replace("Dunes", "Mirage")
    subprocess.run(["sh", "-ec", commands], cwd=project, check=True)
    registry = project / "cogs" / "__init__.py"
    text = registry.read_text(encoding="utf-8")
    text = text.replace(
        "from cogs.archaeology", "from cogs.mirage.screens import MirageScreens\nfrom cogs.archaeology", 1
    )
    registry.write_text(
        text.replace("GAMES: Final = (", "GAMES: Final = (MirageScreens, ", 1), encoding="utf-8"
    )
    return project


def passes(project: Path, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env={**environment, "DIGSITE_TESTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]


def test_the_sample_passes_the_tests_of_each_game(copy: Path) -> None:
    passes(copy, *QUICK, "-k", "mirage", "tests/engine", "tests/cogs", "tests/bot")


def test_the_sample_passes_the_tests_of_all_games(copy: Path) -> None:
    others = " or ".join(["archaeology", "expedition", "artifact", "dunes"])
    passes(copy, *QUICK, "-k", f"mirage or not ({others})", *(f"tests/{each}.py" for each in OF_ALL_GAMES))
