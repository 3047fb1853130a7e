"""The registry finds the games, and puts an owner's card lists in the place of the built-in ones."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from engine.errors import BadData
from engine.registry import card_list_sources, load_games, packages

TEXT = resources.files("engine.archaeology").joinpath("cards.json").read_text()


def test_every_game_is_found_under_its_key():
    games = load_games()
    assert "archaeology" in packages()
    assert len(games) == len(packages())
    assert all(game.key == key for key, game in games.items())


def test_packages_that_hold_no_game_are_left_out():
    assert not {"archaeology_family", "agents"} & set(packages())


def test_a_file_replaces_a_games_cards(tmp_path: Path):
    card_list = json.loads(TEXT)
    card_list["treasures"][3]["sales"][4] = 41
    (tmp_path / "archaeology.json").write_text(json.dumps(card_list))
    ours, theirs = load_games()["archaeology"], load_games(tmp_path)["archaeology"]
    assert theirs.cards_digest != ours.cards_digest


def test_an_empty_folder_changes_nothing(tmp_path: Path):
    assert load_games(tmp_path)["archaeology"].cards_digest == load_games()["archaeology"].cards_digest


def refusal(tmp_path: Path, text: str | bytes) -> str:
    file = tmp_path / "archaeology.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadData) as caught:
        load_games(tmp_path)
    message = str(caught.value)
    assert message.startswith(str(file))
    return message.removeprefix(str(file))


def test_a_refusal_names_file_line_and_reason(tmp_path: Path):
    lines = TEXT.splitlines()
    (at,) = (number for number, line in enumerate(lines) if '"talisman"' in line)
    lines[at] = lines[at].replace('"trade": 3', '"trade": 0')
    message = refusal(tmp_path, "\n".join(lines))
    assert message.startswith(f", line {at + 1}: treasures.3.trade: ")


def test_a_fault_of_the_hazards_is_found_too(tmp_path: Path):
    text = TEXT.replace('"by_seats": {"2": 6', '"by_seats": {"2": -6')
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "-6" in line)
    assert refusal(tmp_path, text).startswith(f", line {line}: sandstorms.by_seats.2")


def test_what_is_missing_is_missed_where_it_should_stand(tmp_path: Path):
    text = TEXT.replace('"trade": 3, "sales": [3, 7', '"sales": [3, 7')
    line = next(n for n, line in enumerate(text.splitlines(), 1) if '"talisman"' in line)
    assert refusal(tmp_path, text).startswith(f", line {line}: treasures.3.trade: Field required")


def test_broken_json_is_refused_with_its_line(tmp_path: Path):
    assert refusal(tmp_path, "{\n\n  nonsense").startswith(", line 3: ")


@pytest.mark.parametrize("text", ["", "[]", "7", b"\xff\xfe\x00", "[" * 100_000, "9" * 10_000])
def test_what_is_no_table_at_all_is_refused(tmp_path: Path, text: str | bytes):
    assert refusal(tmp_path, text)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path):
    (tmp_path / "archaeology.json").mkdir()
    with pytest.raises(BadData, match=r"archaeology\.json"):
        load_games(tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("archeology.json", "Did you mean archaeology.json?"),
        ("Archaeology.json", "Did you mean archaeology.json?"),
        ("archaeology.json.txt", "Did you mean archaeology.json?"),
        ("artifacts-inc.json", "Did you mean artifacts_inc.json?"),
        ("archaeology/", "Did you mean archaeology.json?"),
        ("artefact/", "Did you mean artifact/?"),
        ("notes.txt", "The names are archaeology.json, artifact/, "),
        ("artifact/desert.jsn", "the name of a card list ends in .json"),
    ],
)
def test_a_name_that_no_game_reads_is_refused(tmp_path: Path, name: str, hint: str):
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.mkdir() if name.endswith("/") else place.write_text(TEXT)
    with pytest.raises(BadData) as caught:
        load_games(tmp_path)
    assert str(caught.value).startswith(f"{place}: ")
    assert hint in str(caught.value)


def test_hidden_files_are_no_card_lists(tmp_path: Path):
    (tmp_path / "artifact").mkdir()
    for name in (".archaeology.json.swp", ".git", "artifact/.DS_Store", "artifact/._mine.json"):
        (tmp_path / name).write_text("not JSON")
    games, own = load_games(tmp_path), load_games()
    assert all(game.cards_digest == own[key].cards_digest for key, game in games.items())


def test_it_is_known_from_which_files_each_game_has_its_cards(tmp_path: Path):
    assert set(card_list_sources().values()) == {()}
    (tmp_path / "archaeology.json").write_text(TEXT)
    (tmp_path / "artifact").mkdir()
    for name in ("b.json", "a.json"):
        (tmp_path / "artifact" / name).write_text("{}")
    with_files = {package: files for package, files in card_list_sources(tmp_path).items() if files}
    assert with_files == {
        "archaeology": (tmp_path / "archaeology.json",),
        "artifact": (tmp_path / "artifact/a.json", tmp_path / "artifact/b.json"),
    }
