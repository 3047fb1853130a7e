"""Secrets that stand in files of their own (`DISCORD_TOKEN_FILE`, `DATABASE_URL_FILE`), as containers get them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.settings import Settings
from bot.store.backends import backend_of

URL = "postgresql://ana:sesame@db/digsite"
SECRETS = [("DISCORD_TOKEN", "abc.def"), ("DATABASE_URL", URL)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to start in, and no settings in the environment."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which the program refuses to start."""
    assert main(["run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(("name", "secret"), SECRETS)
@pytest.mark.parametrize("form", ["{}", "{}\n", "\ufeff  {}\r\n\n"])
def test_a_secret_is_read_from_its_file_without_white_space(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, secret: str, form: str
) -> None:
    (folder / "secret").write_text(form.format(secret), encoding="utf-8", newline="")
    monkeypatch.setenv(f"{name}_FILE", "secret")
    settings = Settings()
    assert getattr(settings, name.lower()).get_secret_value() == secret
    assert secret not in f"{settings!r} {settings}"
    assert "sesame" not in f"{backend_of(settings)!r} {backend_of(settings)}"


def test_the_name_of_the_file_may_stand_in_env_beside_an_empty_token(folder: Path) -> None:
    (folder / "secret").write_text("abc.def\n", encoding="utf-8")
    (folder / ".env").write_text("DISCORD_TOKEN=\nDISCORD_TOKEN_FILE=secret\n", encoding="utf-8")
    assert Settings().discord_token.get_secret_value() == "abc.def"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is empty"),
        (b" \r\n\n", "is empty"),
        (b"abc.def\nghi\n", "has more than one line"),
        ("schlüssel".encode("latin-1"), "is no text in UTF-8"),
    ],
)
@pytest.mark.parametrize("name", ["DISCORD_TOKEN_FILE", "DATABASE_URL_FILE"])
def test_a_file_without_a_secret_stops_the_start_with_a_sentence(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    why: str,
) -> None:
    if content is not None:
        (folder / "secret").write_bytes(content)
    monkeypatch.setenv(name, str(folder / "secret"))
    assert refused(capsys) == f"The setting {name} is wrong: {folder / 'secret'} {why}."


def test_a_folder_in_the_place_of_the_file_stops_the_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(folder))
    assert (
        refused(capsys)
        == f"The setting DISCORD_TOKEN_FILE is wrong: {folder} cannot be read: Is a directory."
    )


@pytest.mark.parametrize(("name", "secret"), SECRETS)
def test_a_secret_that_is_given_in_both_ways_is_refused_without_being_repeated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, secret: str
) -> None:
    (folder / "secret").write_text(secret, encoding="utf-8")
    monkeypatch.setenv(f"{name}_FILE", "secret")
    monkeypatch.setenv(name, secret)
    said = f"The setting {name} is wrong: {name}_FILE is set too. Remove one of the two."
    assert refused(capsys) == said


def test_a_url_in_a_file_is_checked_as_one_in_the_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "secret").write_text("mysql://ana:sesame@db/digsite", encoding="utf-8")
    monkeypatch.setenv("DATABASE_URL_FILE", "secret")
    assert refused(capsys) == "The setting DATABASE_URL is wrong: it must begin with postgresql://."
