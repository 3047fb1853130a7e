"""Where matches are kept if the operator names no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings, default_database


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("DATABASE_PATH", raising=False)
    return folder


def test_a_checkout_keeps_its_matches_whatever_the_current_folder(elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert default_database(tmp_path, tmp_path / "none") == tmp_path / "data" / "digsite.sqlite3"
    chosen = Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
    assert chosen.database_path == Path(__file__).parents[2] / "data" / "digsite.sqlite3"


def test_an_installed_program_keeps_them_in_the_users_folder(elsewhere: Path, tmp_path: Path) -> None:
    installed = tmp_path / "share" / "digsite"
    assert default_database(tmp_path / "site-packages", installed) == installed / "digsite.sqlite3"


def test_a_file_of_an_earlier_version_in_the_current_folder_is_used(elsewhere: Path, tmp_path: Path) -> None:
    (elsewhere / "data").mkdir()
    (elsewhere / "data" / "digsite.sqlite3").touch()
    assert default_database(tmp_path, tmp_path / "share").absolute() == elsewhere / "data" / "digsite.sqlite3"
