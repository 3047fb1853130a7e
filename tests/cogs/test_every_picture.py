"""The pictures of every game's random matches: their sizes, their texts, and what they may not show."""

from __future__ import annotations

import pytest

from tests.cogs.in_memory import PLAYED
from tests.cogs.pictures import check_every_picture, check_secrecy

ALWAYS = ("banner", "table", "own", "podium", "vignette")
NEEDED = {
    "archaeology": (*ALWAYS, "sheet s.sold"),
    "expedition": (*ALWAYS, "sheet s.sold"),
    "artifact": (*ALWAYS, "sheet s.party", "sheet s.encounters"),
    "artifacts-inc": (*ALWAYS, "sheet s.offers", "sheet s.company 0.0.0", "sheet s.company 0.1.0"),
}
"""By game, what there must be a picture of."""

pytestmark = pytest.mark.sampled


@pytest.mark.parametrize("key", PLAYED)
def test_every_picture_keeps_its_size_and_is_described_in_every_language(key: str) -> None:
    check_every_picture(key, NEEDED[key])


@pytest.mark.parametrize("key", PLAYED)
def test_what_a_viewer_may_not_know_changes_neither_picture_nor_description(key: str) -> None:
    check_secrecy(key)
