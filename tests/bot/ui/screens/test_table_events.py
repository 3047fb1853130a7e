"""The events of a table in words."""

from __future__ import annotations

import pytest

from bot.tables.model import Seat
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from bot.ui.screens.words import table_event

KINDS = ("missed", "away", "back", "left", "took-over", "undone", "end-vote", "play-on")


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_of_a_seat_is_a_sentence_to_its_person_and_to_others(kind: str) -> None:
    names = Names([Seat("Ana", 1), Seat("Ben", 2)])
    own, others = (table_event(SeenEvent(kind, 0, {}), viewer, names) for viewer in (0, 1))
    assert "You " in own
    assert "Ana" not in own
    assert "Ana" in others
