"""Any two players can be told apart by their names, and nobody can pose as another."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.language import speaking
from bot.people.privacy.stored_data import NOBODY
from bot.tables.model import Seat
from bot.tables.naming import NAME_LENGTH, clean_name, likeness
from bot.ui.screens.names import Names


def called(*names: str | None) -> list[str]:
    """How menus call the people of these names; None: an agent, Cleo."""
    seats = [
        Seat("Cleo", agent="novice") if name is None else Seat(name, number)
        for number, name in enumerate(names)
    ]
    return [Names(seats).plain(number) for number in range(len(seats))]


def test_names_of_their_own_are_shown_as_they_are() -> None:
    assert called("Ana", "Ben", None) == ["Ana", "Ben", "Cleo (AI)"]


@pytest.mark.parametrize(
    "other",
    [
        "Ana",
        "ANA",
        "ana",
        " Ana ",
        "Ａｎａ",
        "𝓐𝓷𝓪",
        "A\u200bna",
        "An\u202ea",
        "Ana\u3164",
        "A\ufe0fna",
        "A\u00adna",
        "Ana!",
        "🤖 Ana",
    ],
)
def test_two_of_one_name_bear_the_numbers_of_their_seats(other: str) -> None:
    first, second, third = called("Ana", other, "Ben")
    assert (first, third) == ("Ana (1)", "Ben")
    assert second.endswith(" (2)")
    assert len({likeness(name) for name in (first, second)}) == 1


@pytest.mark.parametrize(
    "pose", ["Ana (1)", "Ana (2)", "Ana  [1]", "Ana（１）", "Ana ⑴", "Ana ①", "Ana 【1】", "ana ((2))"]
)
def test_a_name_that_looks_numbered_is_numbered_like_the_one_it_poses_as(pose: str) -> None:
    assert called("Ana", pose) == ["Ana (1)", f"{clean_name(pose)} (2)"]
    assert called(pose, "Ana")[1] == "Ana (2)"


def test_three_of_whom_one_has_the_number_of_another_stay_three() -> None:
    assert called("Ana", "Ana", "Ana (2)") == ["Ana (1)", "Ana (2)", "Ana (2) (3)"]


def test_nobody_is_taken_for_an_agent_or_an_agent_for_somebody() -> None:
    assert called("cleo", None) == ["cleo (1)", "Cleo (2) (AI)"]
    assert called("Cleo (AI)", None) == ["Cleo (AI) (1)", "Cleo (2) (AI)"]
    left = [Seat("Ben", None, "novice", left_by=7), Seat("AI for Ben", 8)]
    assert [Names(left).plain(number) for number in (0, 1)] == ["AI for Ben (1)", "AI for Ben (2)"]
    with speaking("de"):
        names = Names([Seat("Cleo", agent="novice"), Seat(called_in_german(), 8)])
        assert names.plain(1).endswith(" (2)")


def called_in_german() -> str:
    with speaking("de"):
        return called(None)[0]


def test_a_name_that_shows_nothing_gets_the_number_of_its_seat() -> None:
    assert called("", "\u3164", "\u2800\u200b\ufe0f", "Player 2") == [
        "Player 1",
        "Player 2 (2)",
        "Player 3",
        "Player 2 (4)",
    ]


def test_people_who_were_forgotten_are_told_apart() -> None:
    assert called(NOBODY, "Ben", NOBODY) == ["— (1)", "Ben", "— (3)"]


def test_a_name_on_file_from_before_is_shown_on_one_line() -> None:
    assert called("Ana\n# wins\u202e!") == ["Ana # wins!"]
    assert Names([Seat("A*na\n- x", 1)]).bold(0) == r"**A\*na - x**"


def test_the_number_stands_within_what_marks_a_name() -> None:
    seats = [Seat("Ana", 1, away=True), Seat("Ana", 2), Seat("Ana", agent="novice")]
    names = Names(seats)
    assert [names.bold(seat) for seat in range(3)] == [
        "🌙\u00a0**Ana (1)**",
        "**Ana (2)**",
        "🤖\u00a0**Ana (3)**",
    ]


@given(st.text(max_size=40))
def test_a_clean_name_is_one_line_that_shows_something_or_nothing_at_all(text: str) -> None:
    clean = clean_name(text)
    assert len(clean) <= NAME_LENGTH
    assert clean == clean.strip() == clean_name(clean)
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") for character in clean)
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")


PARTS = st.sampled_from(
    [
        "Ana",
        "ana",
        "Cleo",
        "(AI)",
        "AI for ",
        "(1)",
        "(2)",
        " ",
        "①",
        "[2]",
        "🤖",
        "\u200d",
        "\u3164",
        "1",
    ]
)


@given(st.lists(st.lists(PARTS, max_size=5).map("".join), min_size=2, max_size=5), st.booleans())
@example(["(1)", "(1)", "(1)(1)"], False)
def test_whatever_people_call_themselves_no_two_are_called_alike(names: list[str], agent: bool) -> None:
    shown = called(*names, *([None] if agent else []))
    seen = ["".join(unicodedata.normalize("NFKC", name).casefold().split()) for name in shown]
    assert len(set(seen)) == len(seen)
    for number, name in enumerate(shown, 1):
        alike = [other for other in shown if likeness(other) == likeness(name)]
        if len(alike) > 1 and not name.endswith("(AI)"):
            assert name.endswith(f" ({number})")


@given(st.text(max_size=40))
@example("²(")
def test_the_likeness_of_a_numbered_name_is_that_of_the_name(text: str) -> None:
    clean = clean_name(text)
    if any(unicodedata.category(character)[0] in "LN" for character in clean):
        assert likeness(f"{clean} (7)") == likeness(clean) or not likeness(clean).isalnum()
