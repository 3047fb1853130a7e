"""The kept playthroughs (tests/engine/playthroughs) show all that each monument has."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.expedition.state import MONUMENTS, MonumentKey

FOLDER = Path(__file__).parents[1] / "playthroughs"

OWN: dict[MonumentKey, str] = {
    "great_pyramid": "explored",
    "temple": "explored looked",
    "tomb": "explored opened kept",
    "mine": "entered turned_up mined collapsed",
    "sphinx": "named revealed",
    "ruins": "explored uncovered",
}


@pytest.mark.parametrize("monument", MONUMENTS)
def test_a_text_tells_all_of_its_monument(monument: MonumentKey):
    text = (FOLDER / f"expedition-{monument}.txt").read_text(encoding="utf-8")
    common = "monument first found thief stolen sandstorm tent lost traded sold passed ended over"
    for word in (*common.split(), *OWN[monument].split()):
        assert f"\n{word} " in text, word
