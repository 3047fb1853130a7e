"""The workflows and the forms for contributors: that they say the same as each other and as the project."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tools.newest_python import newest

ROOT = Path(__file__).parents[1]
PAGES = ["CONTRIBUTING.md", "SECURITY.md", "TERMS.md", "docs/releasing.md"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_pre_commit_checks_exactly_what_the_workflow_checks() -> None:
    workflow = re.findall(r"run: (\.venv/bin/.+)", text_of(".github/workflows/ci.yml"))
    assert re.findall(r"entry: (.+)", text_of(".pre-commit-config.yaml")) == workflow
    assert len(workflow) == 3


def test_the_workflow_tries_the_oldest_python_that_is_supported_and_all_after_it() -> None:
    found = re.search(r"python: \[(.+)\]", text_of(".github/workflows/ci.yml"))
    assert found is not None
    minors = [int(each.strip(' "').removeprefix("3.")) for each in found[1].split(",")]
    oldest = tomllib.loads(text_of("pyproject.toml"))["project"]["requires-python"]
    assert oldest == f">=3.{minors[0]}"
    assert minors == [*range(minors[0], minors[-1] + 1)]


def test_workflows_run_with_no_more_rights_than_each_job_names() -> None:
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = file.read_text(encoding="utf-8")
        assert "\npermissions:\n  contents: read\n" in text, file
        assert text.count("actions/checkout@") == text.count("persist-credentials: false"), file


def test_actions_are_pinned_by_commit_and_say_which_version_that_is() -> None:
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        for action in re.findall(r"uses: ([^.\n].*)", file.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), f"{file}: {action}"


def test_updates_are_proposed_when_they_have_been_out_for_a_while() -> None:
    for updates in yaml.safe_load(text_of(".github/dependabot.yml"))["updates"]:
        assert updates["cooldown"]["default-days"] >= 7, updates["package-ecosystem"]


def test_the_newest_python_is_the_newest_that_works(tmp_path: Path) -> None:
    for name, script in {
        "one/python3.12": "exit 0",
        "two/python3.14": "exit 0",
        "two/python3.14t": "exit 0",
        "one/python3.15": "exit 127",  # as pyenv's shims do
        "two/python3.11-config": "exit 0",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)
    (tmp_path / "one" / "python3.16").symlink_to(tmp_path / "none")
    places = [tmp_path / "one", tmp_path / "no folder", tmp_path / "two"]
    assert newest(places, 11) == tmp_path / "two" / "python3.14"
    assert newest(places, 14) is None


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_lead_only_to_files_that_there_are(page: str) -> None:
    text = text_of(page)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (ROOT / page).parent.joinpath(target).exists(), target
