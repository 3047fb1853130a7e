"""The command `replay`: what it writes, what it says, and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.cli.verify import FAULTY, SOUND, UNREAD
from tests.bot.replay.records import played


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a sound record, in a folder in which the command is run."""
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "record.json")


def written(file: Path, **changes: Any) -> Path:
    data = played("archaeology").model_dump(mode="json") | changes
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_it_writes_the_page_and_says_what_was_found(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "-o", "match.html"]) == SOUND
    output = capsys.readouterr().out
    assert "The record is sound" in output
    assert "match.html shows the match" in output
    page = Path("match.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>\n")
    assert "All {n} moves are legal".format(n=len(played("archaeology").moves)) in page


@pytest.mark.system
def test_the_page_is_called_like_the_record_unless_told_otherwise(record: Path) -> None:
    assert main(["replay", record.name]) == SOUND
    assert record.with_suffix(".html").is_file()


@pytest.mark.system
def test_it_is_written_in_the_language_that_is_asked_for(record: Path) -> None:
    assert main(["replay", record.name, "--language", "de"]) == SOUND
    assert '<html lang="de">' in record.with_suffix(".html").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["replay", record.name, "--language", "tlh"])


def test_an_unsound_record_is_shown_as_far_as_it_goes_and_ends_with_another_status(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = played("archaeology").model_dump(mode="json")["moves"]
    written(record, moves=[*moves[:30], moves[0], *moves[31:]])
    assert main(["replay", record.name]) == FAULTY
    output = capsys.readouterr().out
    assert "The record is NOT sound." in output
    assert "shows the match" in output
    assert record.with_suffix(".html").is_file()


@pytest.mark.parametrize(
    ("changes", "status"), [({"game": "chess"}, UNREAD), ({"contributions": []}, FAULTY)]
)
def test_unplayable_record_makes_no_page(
    record: Path, changes: dict[str, Any], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    written(record, **changes)
    assert main(["replay", record.name]) == status
    assert "No page was made" in capsys.readouterr().out
    assert not record.with_suffix(".html").exists()


def test_non_record_is_refused(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text("hello", encoding="utf-8")
    assert main(["replay", record.name]) == UNREAD
    assert "not JSON" in capsys.readouterr().out
    assert main(["replay", "nothing.json"]) == UNREAD
    assert "nothing.json cannot be read" in capsys.readouterr().err


@pytest.mark.system
def test_the_record_is_never_written_over(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = record.read_bytes()
    assert main(["replay", record.name, "-o", record.name]) == UNREAD
    assert "it is the record itself" in capsys.readouterr().out
    assert record.read_bytes() == before


@pytest.mark.parametrize("named", [True, False])
def test_existing_page_is_not_overwritten_without_force(
    record: Path, capsys: pytest.CaptureFixture[str], named: bool
) -> None:
    arguments = ["replay", record.name, *(["-o", "letter.html"] if named else [])]
    page = Path("letter.html") if named else record.with_suffix(".html")
    page.write_text("Dear diary", encoding="utf-8")
    assert main(arguments) == UNREAD
    output = capsys.readouterr().out
    assert f"{page.name} was not written: there is such a file already" in output
    assert "--force." in output
    assert page.read_text(encoding="utf-8") == "Dear diary"
    assert main([*arguments, "--force"]) == SOUND
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.system
def test_unwritable_page_gives_the_reason(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", record.name, "-o", "no/such/folder/match.html"]) == UNREAD
    assert "no/such/folder/match.html was not written: No such file or directory." in capsys.readouterr().out
