"""The reasons for moves of the treasure games: what they say comes true."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.agents.advice import Reason, adviser_of
from engine.agents.search import Tried
from engine.archaeology_family.agents.reasons import worths
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import EndTurn, Sell
from engine.registry import load_games

GAMES = load_games()
SUPPOSED = ("names-likeliest", "risks-more", "takes-what-lies")
"""Reasons that name what a hand would bring with cards that it may not get."""


def reason_for(game: Any, view: Any, move: Any, rival: Any = None) -> Reason:
    adviser = adviser_of(game)
    assert adviser is not None
    return adviser.reason(view, Tried(move, 0.0, 0.0, 0.0, 0), rival)


def check(before: Any, after: Any, seat: int, reason: Reason) -> None:
    """Asserts that the facts of a reason are true in the seat's views before and after its move."""
    facts = reason.facts
    if "now" in facts and reason.code not in SUPPOSED:
        assert worths(before)["now"] == facts["now"]
        assert worths(after)["now"] == facts["then"]
    if "thieves" in facts:
        assert (facts["thieves"], facts["storms"]) == (before.thieves, before.sandstorms)
    if reason.code.startswith("sells"):
        assert after.money[seat] - before.money[seat] == facts["price"]
    match reason.code:
        case "completes-set":
            assert after.hand[facts["treasure"]] >= facts["count"] == len(before.prices[facts["treasure"]])
        case "grows-set":
            assert after.hand[facts["treasure"]] == facts["held"]
            assert (
                before.site == 0
                or (facts["held"] + facts["short"]) % len(before.prices[facts["treasure"]]) == 0
            )
        case "buys-maps":
            assert after.hand[MAP] == facts["maps"] > before.hand[MAP]
            assert (facts["cost"] > 0) != (facts["short"] > 0)
        case "explores":
            assert before.hand[MAP] >= facts["maps"]
        case "robs":
            assert facts["cards"] == before.sizes[facts["victim"]]
        case _:
            pass


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_what_reasons_say_is_true(key: str) -> None:
    game, told = GAMES[key], Counter[str]()
    for number, options in enumerate(game.variants(3)):
        rng = Random(f"{key} {number}")
        state = game.new(3, options, bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            view = game.view(state, seat)
            planned = rng.random() < 0.6
            move = game.agents["expert"].choose(view, rng) if planned else game.sample(state, seat, rng)
            reason = reason_for(game, view, move)
            game.apply(state, seat, move)
            check(view, game.view(state, seat), seat, reason)
            told[reason.code] += 1
    assert told.keys() >= {
        "completes-set",
        "grows-set",
        "buys-maps",
        "explores",
        "robs",
        "sells-part",
        "waits",
    }


def test_to_end_the_turn_instead_of_a_sale_is_about_the_larger_set() -> None:
    game = GAMES["archaeology"]
    state, rng = game.new(2, game.load_options({}), bytes(32)), Random(1)
    while pending := game.pending(state):
        seat = pending[0].seat
        view: Any = game.view(state, seat)
        short = [kind for kind, n in enumerate(view.hand) if 0 < n < len(view.prices[kind])]
        if view.phase == "act" and short:
            kind = short[0]
            reason = reason_for(game, view, EndTurn(), Sell(kind, view.hand[kind]))
            assert reason.code == "keeps-set"
            assert reason.facts["price"] == view.prices[kind][view.hand[kind] - 1]
            assert reason.facts["full"] == view.prices[kind][-1]
            assert reason_for(game, view, EndTurn()).code == "waits"
            return
        game.apply(state, seat, game.sample(state, seat, rng))
    pytest.fail("nobody could have sold a part of a set")
