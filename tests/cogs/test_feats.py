"""The feats of matches: each game's are true to what was played, and have words in every language."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.language import languages, speaking
from engine.game import Event, Game
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS, Match, random_match
from tests.engine.conformance import LONGEST


def whole(key: str, seed: int) -> Match:
    return random_match(key, seed, moves=LONGEST)


def largest(match: Match) -> Counter[tuple[str, int]]:
    found = Counter[tuple[str, int]]()
    for name, seat, size in match.game.feats(event for _moves, event in match.events):
        found[name, seat] = max(size, found[name, seat])
    return found


@pytest.mark.parametrize("key", [key for key in PLAYED if type(ENGINES[key]).feats is not Game.feats])
def test_every_feat_of_every_game_has_words_with_its_size_in_every_language(key: str) -> None:
    found = Counter[tuple[str, int]]()
    for seed in range(4):
        found |= largest(whole(key, seed))
    assert found, "no match had a feat"
    for language in languages():
        with speaking(language):
            for (name, _seat), size in found.items():
                assert str(size) in SCREENS[key].feat(name, size)
            assert SCREENS[key].feat("other", 7) == ""


def test_game_without_feats_has_none() -> None:
    assert [*whole("oasis", 1).game.feats([Event("sold", 0, {"price": 5})])] == []
    assert SCREENS["oasis"].feat("sale", 5) == ""
    assert SCREENS["oasis"].sign() is None
    assert type(ENGINES["oasis"]).feats is Game.feats


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_largest_sale_is_the_dearest_set_that_was_sold(key: str) -> None:
    match = whole(key, 3)
    view: Any = match.game.view(match.state, None)
    for seat in range(view.seats):
        prices = [view.prices[kind][count - 1] for kind, count in view.sold[seat]]
        assert largest(match)["sale", seat] == max(prices, default=0)


def test_longest_journey_counts_the_squares_of_a_partys_own_moves() -> None:
    match = whole("artifact", 2)
    view: Any = match.game.view(match.state, None)
    for seat in range(view.seats):
        squares = sum(
            abs(event.facts["to"] - event.facts["from"])
            for _moves, event in match.events
            if event.kind == "moved" and event.seat == seat
        )
        assert largest(match)["journey", seat] == squares
    assert sum(largest(match).values()) > 0
