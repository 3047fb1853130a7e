"""The command `verify`: what it reads, what it says, and with which status it ends."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.__main__ import main
from bot.cli.verify import FAULTY, SOUND, UNREAD, Unreadable, read_file, verify_file, visible, word_fault
from bot.language import listing
from cogs import make_screens
from engine import record as records
from engine.errors import IllegalMove
from engine.record import LARGEST, Fault, verify
from engine.registry import load_games
from tests.engine.record_oracle import BLOCKS

GAMES = load_games()
SCREENS = make_screens(GAMES)
EXAMPLES: list[dict[str, Any]] = [
    json.loads(BLOCKS[f"{game} record"]) for game in ("archaeology", "expedition")
]
WHOLE = EXAMPLES[0]


@pytest.fixture
def checked(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Verifies the first example with some fields changed, or other data or text. Returns the status and the text."""

    def run(data: object = None, **changes: Any) -> tuple[int, str]:
        file = tmp_path / "record.json"
        if isinstance(data, bytes):
            file.write_bytes(data)
        else:
            text = data if isinstance(data, str) else json.dumps({**deepcopy(WHOLE), **changes})
            file.write_text(text, encoding="utf-8")
        return verify_file(file, None, make_screens)

    return run


Verify = Callable[..., tuple[int, str]]


# -- what there is to compare


def test_a_sound_record_shows_all_that_is_to_be_compared_by_eye(checked: Verify) -> None:
    status, text = checked()
    assert status == SOUND
    assert text == BLOCKS["archaeology verify"].rstrip("\n")
    for line in (
        r"Commitment: +7900d3d0b21a44a1630a074779c1178547794c19a66ad0147ee68e910748c5ea",
        r"Start message: +1300000000931135530, posted on 2024-10-27 at 07:35:53 UTC",
        r"Seat 1: +person",
        r"Seat 3: +agent, veteran",
        r'Word of seat 2: +"crème brûlée"',
        r"Result: +1\. seat 2 with 79; 2\. seat 3 with 65; 3\. seat 1 with 30",
    ):
        assert re.search(rf"^  {line}$", text, re.M), line


def test_the_settings_are_shown(checked: Verify) -> None:
    assert "Settings:       none chosen" in checked(json.dumps(EXAMPLES[1]))[1]
    chosen = json.dumps(EXAMPLES[1] | {"options": {"monument": "sphinx"}})
    status, text = checked(chosen)
    assert (status, "Settings:       monument sphinx" in text) == (SOUND, True)


def test_a_shared_rank_is_shown_as_one(checked: Verify) -> None:
    _, text = checked(end={"ranks": [1, 1, 3], "scores": [5, 5, 2]})
    assert "Result:         1. seat 1 with 5; 1. seat 2 with 5; 3. seat 3 with 2" in text


def test_faults_are_shown_beside_the_values_to_compare(checked: Verify) -> None:
    status, text = checked(commitment="0" * 64)
    assert status == FAULTY
    assert f"Commitment:     {'0' * 64}" in text
    assert "NOT the one that was promised: its SHA-256 is 7900d3d0" in text
    assert "is sound" not in text


# -- findings


def test_a_record_that_was_cut_off_is_reported_as_unfinished(checked: Verify) -> None:
    status, text = checked(moves=WHOLE["moves"][:40], end=None)
    assert status == FAULTY
    assert "UNFINISHED: its 40 moves are legal, but lead to no end" in text
    assert "same end" not in text
    assert "is sound" not in text


def test_a_refusal_is_the_games_own_sentence(checked: Verify) -> None:
    moves = deepcopy(WHOLE["moves"])
    moves[3] = [0, {"kind": "sell", "treasure": "coin", "count": 5}]
    status, text = checked(moves=moves)
    assert status == FAULTY
    assert (
        "Move 4, by seat 1, is against the rules. The player is told: "
        '"You don\'t have those cards. Choose from your hand."' in text
    )
    assert "not-in-hand" not in text


def test_a_refusal_that_has_numbers_names_them(checked: Verify) -> None:
    moves = deepcopy(WHOLE["moves"])
    moves[8] = [2, {"kind": "discard", "cards": {"talisman": 1}}]
    assert "takes half of your hand, rounded down: choose 2, not 1." in checked(moves=moves)[1]


def test_a_wrong_end_is_reported_with_the_right_one(checked: Verify) -> None:
    status, text = checked(end={"ranks": [1, 2, 3], "scores": [79, 65, 30]})
    assert status == FAULTY
    assert "another end: 1. seat 2 with 79; 2. seat 3 with 65; 3. seat 1 with 30." in text


def codes() -> set[str]:
    """Every code that the engine's checks give."""
    source = Path(records.__file__).read_text(encoding="utf-8")
    found = set(re.findall(r'(?:_Wrong|Fault)\(\s*"([a-z0-9-]+)"', source))
    return found | {"second-word", "word-order", "other-version", "other-scheme", "other-cards"}


def test_every_code_has_words_and_is_documented() -> None:
    assert len(codes()) > 30
    documented = set(re.findall(r"`([a-z0-9-]+)`", Fault.__doc__ or ""))
    assert codes() == documented - {"move", "seat"}
    names = {
        "most", "line", "name", "key", "where", "what", "known", "recorded", "least", "seats", "number", "moves",
        "reason",
    }  # fmt: skip
    facts: dict[str, Any] = dict.fromkeys(names, "x")
    for code in codes():
        given_facts = facts | {"computed": {"ranks": [1], "scores": [2]}, "facts": {}}
        sentence = word_fault(Fault(code, given_facts, 3, 1), lambda error: "No.")
        assert sentence.endswith((".", "No.", '"')), code
        assert "-" not in code or code not in sentence, "a code is no word"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"contributions": []}, "do not begin with the id of the start message"),
        ({"contributions": [["start", "1"], ["start", "2"]]}, "name two start messages"),
        ({"contributions": [["start", "moon"]]}, '"moon" is not the id of a message'),
        (
            {"contributions": [["start", "1"], ["seat 2", "a"], ["seat 1", "b"]]},
            "does not stand in its place",
        ),
        ({"contributions": [["start", "1"], ["seat 9", "a"]]}, "a word of seat 9, but the match had 3 seats"),
        ({"contributions": [["start", "1"], ["seat 3", "a"]]}, "seat 3, at which no person sat"),
        ({"contributions": [["start", "1"], ["seat 1", "a"], ["seat 1", "a"]]}, "Seat 1 has two words"),
        ({"contributions": [["start", "1"], ["seat 1", "a" * 65]]}, "one line of 1 to 64 visible characters"),
        ({"options": {"colour": "red"}}, "The options are not ones that this game has"),
        ({"seats": ["person"]}, "The record is of 1 seats; this game is for 2 to 4"),
    ],
)
def test_every_fault_gets_a_sentence(checked: Verify, changes: dict[str, Any], sentence: str) -> None:
    status, text = checked(**changes)
    assert status == FAULTY
    assert sentence in text
    assert "NOT sound" in text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is empty."),
        (b"null", "no record of a match"),
        (b"[]", "no record of a match"),
        (b"7", "no record of a match"),
        (b"{}", "its part form is missing."),
        (b"{", "The file is not JSON: its line 1 cannot be read."),
        (b'{\n "form": 1\n "game": 2}', "its line 3 cannot be read."),
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        (b"\xff\xfe{\0}\0", "byte-order mark"),
        (b"\xe4", "not text in UTF-8"),
        (b'{"form": NaN}', "holds NaN, which JSON does not have"),
        (b'{"form": 2}', "of form 2, which this version does not know. It reads form 1."),
        (b"[" * 100_000, "deeper than any record"),
        (b"1" * 5_000, "more digits than any record"),
        (
            json.dumps(WHOLE | {"version": 9}).encode(),
            "played by version 9 of the game's rules. This is version 1.",
        ),
        (json.dumps(WHOLE | {"scheme": 9}).encode(), "drawn by scheme 9. This version knows 2, 3 and 4."),
        (
            json.dumps(WHOLE | {"game": "chess"}).encode(),
            f'no game "chess". It knows {listing(sorted(GAMES))}.',
        ),
        (json.dumps(WHOLE | {"card_list": "0"}).encode(), "played with the card list 0."),
        (b'{"form": -1}', "its part form is out of range."),
        (json.dumps(WHOLE | {"version": "1"}).encode(), "its part version is not a whole number."),
        (json.dumps(WHOLE | {"players": []}).encode(), "its part players is none that a record has."),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_unreadable_record_gets_a_sentence_and_its_own_status(
    checked: Verify, data: bytes, sentence: str
) -> None:
    status, text = checked(data)
    assert status == UNREAD
    assert sentence in text
    assert text.endswith("The record could not be checked.")


# -- files


def unreadable(file: Path) -> str:
    with pytest.raises(Unreadable) as caught:
        verify_file(file, None, make_screens)
    return str(caught.value)


def test_missing_files_and_folders_get_a_sentence(tmp_path: Path) -> None:
    assert (
        unreadable(tmp_path / "none.json")
        == f"{tmp_path}/none.json cannot be read: No such file or directory."
    )
    assert unreadable(tmp_path) == f"{tmp_path} is a folder."
    assert "cannot be read" in unreadable(tmp_path / ("x" * 300))
    assert "there can be no such file" in unreadable(tmp_path / "a\0b")


def test_pipe_or_device_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is not an ordinary file" in unreadable(tmp_path / "pipe")
    assert "is not an ordinary file" in unreadable(Path("/dev/zero"))


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as huge:
        huge.truncate(1_500_000_000)
    status, text = verify_file(file, None, make_screens)
    assert status == UNREAD
    assert f"more than {LARGEST} bytes" in text


def test_a_file_without_permission_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_arguments: Any, **_more: Any) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "record.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(Unreadable, match="cannot be read: Permission denied"):
        read_file(tmp_path / "record.json")


# -- the terminal

OBEYED = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202e\u2066\u200b\u200d\u2028\x7f\ufeff"


def is_harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize(
    "changes",
    [
        {"game": OBEYED},
        {"card_list": OBEYED},
        {"options": {OBEYED: 1}},
        {"options": {"monument": OBEYED}},
        {OBEYED: 1},
        {"contributions": [["start", OBEYED]]},
        {"contributions": [["start", "1"], [OBEYED, "a"]]},
        {"contributions": [["start", "1"], ["seat 1", OBEYED]]},
        {"contributions": [["start", "1"], ["seat 1", "👩\u200d🚀"]]},
        {"seats": [OBEYED]},
        {"moves": [[0, {OBEYED: 1}]]},
        {"moves": [[0, {"kind": OBEYED}]]},
        {"moves": [[0, {"kind": "sell", "treasure": OBEYED, "count": 1}]]},
        {"end": {OBEYED: 1}},
        {"end": OBEYED},
    ],
    ids=lambda changes: repr(changes)[:50],
)
def test_control_characters_of_a_file_are_escaped(checked: Verify, changes: dict[str, Any]) -> None:
    status, text = checked(**changes)
    assert status != SOUND
    assert is_harmless(text), text


def test_control_characters_of_a_repeated_key_are_escaped(checked: Verify) -> None:
    key = json.dumps(OBEYED)
    _, text = checked(f"{{{key}: 1, {key}: 2}}")
    assert "twice" in text
    assert is_harmless(text)


def test_control_characters_of_a_file_name_are_escaped(tmp_path: Path) -> None:
    name = OBEYED.replace("/", "") + "\udcff"
    assert is_harmless(unreadable(tmp_path / name))
    (tmp_path / "\x1b[31m").mkdir()
    assert is_harmless(unreadable(tmp_path / "\x1b[31m"))


@given(st.text(max_size=300))
def test_visible_text_is_escaped_and_truncated(text: str) -> None:
    shown = visible(text, 100)
    assert shown.isprintable()
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert len(shown) <= 10 * 101
    if text.isprintable() and len(text) <= 100:
        assert shown == text


@given(
    st.dictionaries(
        st.sampled_from([*WHOLE, "x", OBEYED]), st.text() | st.none() | st.integers() | st.lists(st.text())
    )
)
def test_random_records_are_worded_without_control_characters(
    tmp_path_factory: Any, changes: dict[str, Any]
) -> None:
    file = tmp_path_factory.mktemp("records") / "record.json"
    file.write_text(json.dumps({**WHOLE, **changes}), encoding="utf-8")
    status, text = verify_file(file, None, make_screens)
    assert is_harmless(text)
    assert (status == SOUND) == verify(file.read_bytes(), GAMES).sound


# -- the command


def test_the_command_ends_with_the_status_and_prints_to_any_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(WHOLE), encoding="utf-8")
    assert main(["verify", str(file)]) == SOUND
    assert '"crème brûlée"' in capsys.readouterr().out
    file.write_text(json.dumps(WHOLE | {"end": None}), encoding="utf-8")
    assert main(["verify", str(file)]) == FAULTY
    assert "The moves lead to an end, but the record names none." in capsys.readouterr().out
    file.write_text("{}", encoding="utf-8")
    assert main(["verify", str(file)]) == UNREAD
    file.unlink()
    assert main(["verify", str(file)]) == UNREAD
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("key", sorted(SCREENS))
def test_every_refusal_of_every_game_has_a_sentence_of_its_own(key: str) -> None:
    """Players try moves from earlier in random matches. A code that is not known would get the general sentence."""
    game, general = GAMES[key], SCREENS[key].refuse(IllegalMove("no code at all"))
    refused: dict[str, str] = {}
    for number in range(6):
        rng, earlier = Random(number), list[Any]()
        state = game.new(game.min_seats, rng.choice(list(game.variants(game.min_seats))), rng.randbytes(32))
        while waiting := game.pending(state):
            seat = waiting[0].seat
            earlier.append(game.sample(state, seat, rng))
            for move in rng.sample(earlier, min(len(earlier), 6)):
                try:
                    game.apply(game.copy(state), rng.randrange(game.min_seats), move)
                except IllegalMove as error:
                    refused.setdefault(error.code, SCREENS[key].refuse(error))
            game.apply(state, seat, earlier[-1])
    assert len(refused) > 2
    assert [code for code, text in refused.items() if text == general or "{" in text] == []
