"""A version names its build, and of two builds of one release the later one counts as newer."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import version as module
from bot.version import is_older, own_build

IN_ORDER = (
    "(not installed)",
    "0.1.0",
    "0.1.1+20200101000000.ffffffffffff",
    "0.1.1+20200101000001.000000000000",
    "0.2.0",
    "0.10.0+20190101000000.ffffffffffff",
)
VERSIONS = st.builds(
    lambda numbers, build: ".".join(map(str, numbers)) + build,
    st.lists(st.integers(0, 20), min_size=1, max_size=4),
    st.one_of(st.just(""), st.from_regex(r"\+\d{14}\.[0-9a-f]{12}", fullmatch=True), st.text(max_size=9)),
)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of git with this module in it and one commit."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    (tmp_path / "bot").mkdir()
    monkeypatch.setattr(module, "__file__", str(tmp_path / "bot" / "version.py"))
    monkeypatch.setattr(module, "BUILD_FILE", tmp_path / "bot" / "build.txt")
    monkeypatch.delenv(module.BUILD, raising=False)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message=First")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    dated = {"GIT_COMMITTER_DATE": "2026-11-22T19:55:12+02:00", "PATH": "/usr/bin:/usr/local/bin"}
    command = ("git", "-C", str(folder), *who, *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True, env=dated).stdout


def test_a_checkout_names_its_commit_and_the_commits_time_in_utc(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "--short=12", "HEAD").strip()
    assert own_build() == f"20261122175512.{commit}"


def test_the_environment_comes_before_the_file_and_the_file_before_git(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / "bot" / "build.txt").write_text("20261123000000.0123456789ab\n", encoding="ascii")
    assert own_build() == "20261123000000.0123456789ab"
    monkeypatch.setenv(module.BUILD, "20261124000000.abcdef012345")
    assert own_build() == "20261124000000.abcdef012345"
    monkeypatch.setenv(module.BUILD, "the newest")
    assert own_build() == "20261123000000.0123456789ab", "a text of another form names no build"


def test_without_a_commit_the_build_is_not_known(checkout: Path) -> None:
    shutil.rmtree(checkout / ".git")
    assert own_build() == ""
    git(checkout, "init", "--quiet")
    assert own_build() == "", "a checkout without a commit"


def test_versions_are_ordered_by_release_and_then_by_the_time_of_the_build() -> None:
    for older, newer in pairwise(IN_ORDER):
        assert is_older(older, newer)
        assert not is_older(newer, older)


@given(VERSIONS, VERSIONS)
def test_no_two_versions_are_each_older_than_the_other(one: str, other: str) -> None:
    assert not (is_older(one, other) and is_older(other, one))
    assert not is_older(one, one)
