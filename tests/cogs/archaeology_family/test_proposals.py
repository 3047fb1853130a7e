"""Every move and reason that the treasure games' strongest agent can propose has words, which tell the viewer's own."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.tables.model import Seat
from bot.ui.screens.names import Names
from engine.agents.advice import adviser_of
from engine.agents.search import Tried
from engine.game import own_decision
from tests.cogs.in_memory import ENGINES, SCREENS

NAMES = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara"])])


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_every_legal_move_is_worded_and_so_is_its_reason(key: str) -> None:
    game, screens = ENGINES[key], SCREENS[key]
    adviser = adviser_of(game)
    assert adviser is not None
    said: dict[str, set[str]] = {}
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view = game.view(state, seat)
            assert own_decision(view)
            move: Any = game.sample(state, seat, rng)
            reason = adviser.reason(view, Tried(move, 0.0, 0.0, 0.0, 0), None)
            text = screens.move_text(view, move, NAMES)
            assert text.endswith(".")
            assert "{" not in text + screens.reason_text(view, reason, NAMES)
            said.setdefault(reason.code, set()).add(screens.reason_text(view, reason, NAMES))
            game.apply(state, seat, move)
    silent = {code for code, texts in said.items() if texts == {""}}
    assert silent <= {"due"}
    assert len(said) > 8
