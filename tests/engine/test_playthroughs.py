"""A whole match of every game against the text of it that is kept in `playthroughs/`.

A difference in moves or events means that the rules have changed for matches already recorded: the game's `version`
must then rise. One in the form of views alone changes no record. After a change that is meant, write the texts anew
and read the difference:

    DIGSITE_WRITE_PLAYTHROUGHS=1 python -m pytest tests/engine/test_playthroughs.py

keeps the moves where they are still legal and draws new ones where they are not; delete a file to draw it anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.registry import load_games
from tests.engine.conformance import Case, cases
from tests.engine.playthrough import playthrough, random_moves, read_moves

FOLDER = Path(__file__).parent / "playthroughs"


def chosen() -> list[Case]:
    """One case of each published game and variant, at one more than the fewest seats where there may be so many."""
    found: dict[str, Case] = {}
    for case in cases(load_games(unpublished=False)):
        if case.seats == min(case.game.min_seats + 1, case.game.max_seats):
            found[case.name.replace(f"-{case.seats}", "", 1)] = case
    return [Case(case.game, case.seats, case.options, name) for name, case in found.items()]


def text_of(case: Case, file: Path) -> str:
    if file.exists():
        try:
            return playthrough(case, read_moves(file.read_text(encoding="utf-8")))
        except EngineError:
            pass
    return playthrough(case, random_moves(case))


@pytest.mark.parametrize("case", chosen(), ids=[case.name for case in chosen()])
def test_the_match_goes_as_it_is_written(case: Case):
    file = FOLDER / f"{case.name}.txt"
    if os.environ.get("DIGSITE_WRITE_PLAYTHROUGHS"):
        file.write_text(text_of(case, file), encoding="utf-8")
    assert file.exists(), "there is no text yet: see this module's docstring"
    written = file.read_text(encoding="utf-8")
    assert playthrough(case, read_moves(written)).splitlines() == written.splitlines()


def test_no_text_is_left_over():
    assert {file.stem for file in FOLDER.glob("*.txt")} == {case.name for case in chosen()}


def test_a_text_tells_everything_that_matters():
    text = (FOLDER / "archaeology.txt").read_text(encoding="utf-8")
    for word in (
        "found",
        "thief",
        "stolen",
        "sandstorm",
        "lost",
        "traded",
        "explored",
        "sold",
        "ended",
        "over",
    ):
        assert f"\n{word} " in text
    assert "outcome: Outcome(" in text
